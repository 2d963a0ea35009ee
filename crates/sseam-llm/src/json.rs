//! Stage 1, the JSON of one event: bytes in; keys, strings and spans out.
//!
//! Why not a crate. serde-json-core and its like build whole structs and link
//! panics; a pull parser as picojson costs 6 KB of flash and wants scratch
//! memory for every escaped string. What a dialect needs is less: walk down to
//! a few keys in one pass, borrow the strings as they stand, step over all else
//! and know at the end whether the whole was JSON. That is this cursor.
//!
//! It checks all of RFC 8259's grammar, but leaves two things to the reader of
//! a string: whether its bytes are UTF-8, and whether its surrogates pair up.
//! The first fault stays: from then on there is no next key and no next element,
//! so every loop over them ends.
//!
//! Each byte is looked at once, but for the long containers that a caller asks
//! to see as a span. Nothing recurses on what the input nests.

mod number; // Whole numbers.
mod skip; // What is not short: spaces, escapes, containers, faults.

use crate::fault::{JsonError, JsonFault};
use crate::piece::Piece;
use crate::scan::{key_bit, short_key, short_string, short_value};

/// Containers within containers, all in all. More is a fault, not a risk.
pub const JSON_DEPTH_MAX: usize = 64;

/// The longest name that a dialect knows; longer ones match nothing.
const NAME_LEN_MAX: usize = 40;

// One bit per container that is being stepped over.
const _: () = assert!(JSON_DEPTH_MAX <= u64::BITS as usize);

/// A place in a JSON text.
///
/// After a key or an element was announced, its value must be taken: by one of
/// `string`, `number`, `value`, `skip`, or by entering it and walking to its end.
///
/// The ways that most bytes take, JSON without spaces and strings without
/// escapes, are short and stand at the front of each function.
pub(crate) struct Json<'e> {
    /// What was not taken yet.
    rest: &'e [u8],
    /// Length of all of it.
    len: usize,
    /// Containers entered; at most [`JSON_DEPTH_MAX`].
    depth: usize,
    /// The container was just entered: no comma stands before what follows.
    is_fresh: bool,
    /// The last string that was taken has escapes.
    has_escapes: bool,
    error: Option<JsonError>,
    /// The last key that had escapes, decoded.
    name: [u8; NAME_LEN_MAX],
}

impl<'e> Json<'e> {
    #[inline]
    pub(crate) const fn new(text: &'e [u8]) -> Self {
        Json {
            rest: text,
            len: text.len(),
            depth: 0,
            is_fresh: false,
            has_escapes: false,
            error: None,
            name: [0; NAME_LEN_MAX],
        }
    }

    /// The elements that an array had left over: see [`Json::rest_of_array`]. Before
    /// the first of all stands no comma.
    pub(crate) fn elements(rest: &'e [u8], is_fresh: bool) -> Self {
        Json {
            depth: 1,
            is_fresh,
            ..Json::new(rest)
        }
    }

    /// Whether the value ended and nothing but space follows.
    #[inline]
    pub(crate) fn end(mut self) -> Result<(), JsonError> {
        if self.error.is_none() && !self.rest.is_empty() {
            self.peek();
            if !self.rest.is_empty() {
                self.fail(JsonFault::Unexpected);
            }
        }
        self.error.map_or(Ok(()), Err)
    }

    /// Enters an object, or steps over a value that is none.
    #[inline]
    pub(crate) fn enter_object(&mut self) -> bool {
        self.enter(b'{')
    }

    /// Enters an array, or steps over a value that is none.
    #[inline]
    pub(crate) fn enter_array(&mut self) -> bool {
        self.enter(b'[')
    }

    /// The next key of the object that was entered whose [`key_bit`] is among
    /// `bits`; leaves the object after the last. Other members, which are most of
    /// all, are stepped over here and now.
    ///
    /// The macro [`members`] makes the bits from the names that it looks for.
    #[inline(never)]
    pub(crate) fn key(&mut self, bits: u64) -> Option<&[u8]> {
        self.key_here(bits)
    }

    /// The same for what every event has: a call for each key costs a tenth of the
    /// time of an event, and a kilobyte of flash in each place if there is none.
    #[inline(always)]
    pub(crate) fn hot_key(&mut self, bits: u64) -> Option<&[u8]> {
        if cfg!(target_os = "none") {
            self.key(bits)
        } else {
            self.key_here(bits)
        }
    }

    #[inline(always)]
    fn key_here(&mut self, bits: u64) -> Option<&[u8]> {
        let is_wanted = |key: &[u8]| key_bit(key) & bits != 0;
        let (mut rest, mut is_fresh) = (self.rest, self.is_fresh);
        loop {
            let Some((body, value)) = short_key(rest, is_fresh) else {
                if let [b'}', after @ ..] = rest {
                    (self.rest, self.is_fresh) = (after, false);
                    self.depth = self.depth.saturating_sub(1);
                    return None;
                }
                (self.rest, self.is_fresh) = (rest, is_fresh);
                let body = self.key_after_space()?;
                if self.has_escapes {
                    return Some(Piece::json(body, true).decode_or_empty(&mut self.name));
                }
                if is_wanted(body) {
                    return Some(body);
                }
                self.skip();
                (rest, is_fresh) = (self.rest, self.is_fresh);
                continue;
            };
            is_fresh = false;
            if is_wanted(body) {
                (self.rest, self.is_fresh) = (value, false);
                return Some(body);
            }
            rest = match short_value(value) {
                Some(rest) => rest,
                None => {
                    (self.rest, self.is_fresh) = (value, false);
                    self.skip();
                    self.rest
                }
            };
        }
    }

    /// The next key as it stands.
    pub(crate) fn key_piece(&mut self) -> Option<Piece<'e>> {
        let body = self.key_body()?;
        Some(Piece::json(body, self.has_escapes))
    }

    #[inline]
    fn key_body(&mut self) -> Option<&'e [u8]> {
        let Some((body, value)) = short_key(self.rest, self.is_fresh) else {
            return self.key_after_space();
        };
        (self.rest, self.is_fresh) = (value, false);
        self.has_escapes = false;
        Some(body)
    }

    /// Whether the array that was entered has another element; leaves it after
    /// the last.
    #[inline]
    pub(crate) fn element(&mut self) -> bool {
        self.has_next(b']')
    }

    /// Steps over the elements that the array still has, and gives them.
    #[inline]
    pub(crate) fn rest_of_array(&mut self) -> &'e [u8] {
        if let [b']', rest @ ..] = self.rest {
            self.rest = rest;
            self.depth = self.depth.saturating_sub(1);
            return &[];
        }
        self.skip_elements()
    }

    /// Whether a fault was met.
    pub(crate) const fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// What was not looked at yet.
    pub(crate) const fn remaining(&self) -> &'e [u8] {
        self.rest
    }

    /// The string that stands here; no text for any other value, stepped over.
    #[inline(never)]
    pub(crate) fn text(&mut self) -> Piece<'e> {
        if let [b'n', b'u', b'l', b'l', rest @ ..] = self.rest {
            self.rest = rest;
            return Piece::EMPTY;
        }
        if self.peek() != b'"' {
            self.skip();
            return Piece::EMPTY;
        }
        let body = self.string_body().unwrap_or_default();
        Piece::json(body, self.has_escapes)
    }

    /// Steps over the string that stands here if it is just `known`, which is not
    /// looked at byte by byte; otherwise nothing is done.
    #[inline]
    pub(crate) fn skip_known(&mut self, known: &[u8]) -> bool {
        if let [b'"', after @ ..] = self.rest
            && let Some((text, [b'"', rest @ ..])) = after.split_at_checked(known.len())
            && text == known
            && !known.is_empty()
        {
            self.rest = rest;
            return true;
        }
        false
    }

    /// The string that stands here; any other value is stepped over.
    pub(crate) fn string(&mut self) -> Option<Piece<'e>> {
        let is_string = self.peek() == b'"';
        let text = self.text();
        is_string.then_some(text)
    }

    /// The value that stands here, as a piece: a string's body, `null` as none,
    /// anything else as it is written.
    pub(crate) fn any(&mut self) -> Option<Piece<'e>> {
        match self.peek() {
            b'"' => self.string(),
            b'n' => {
                self.skip();
                None
            }
            _ => Some(Piece::verbatim(self.value())),
        }
    }

    /// Whether `true` stands here.
    pub(crate) fn is_true(&mut self) -> bool {
        self.value() == b"true"
    }

    /// The span of the value that stands here.
    #[inline]
    pub(crate) fn value(&mut self) -> &'e [u8] {
        self.peek();
        let all = self.rest;
        self.skip();
        before(all, self.rest)
    }

    /// The first byte of the value that stands here; 0 at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        match self.rest {
            [byte, ..] if *byte > b' ' => *byte,
            _ => self.peek_past_space(),
        }
    }

    /// Steps over the value that stands here.
    #[inline]
    pub(crate) fn skip(&mut self) {
        if let Some(rest) = short_value(self.rest) {
            self.rest = rest;
            return;
        }
        match self.peek() {
            b'"' => {
                self.string_body();
            }
            b'{' | b'[' => self.skip_container(),
            _ => self.skip_scalar(),
        }
    }

    #[inline]
    fn advance(&mut self, len: usize) {
        self.rest = self.rest.get(len..).unwrap_or_default();
    }

    #[inline(always)]
    fn enter(&mut self, open: u8) -> bool {
        match self.rest {
            [first, rest @ ..] if *first == open && self.depth < JSON_DEPTH_MAX => {
                self.rest = rest;
                self.depth += 1;
                self.is_fresh = true;
                true
            }
            _ => self.enter_after_space(open),
        }
    }

    /// Takes the comma before the next member, or the end of the container.
    #[inline]
    fn has_next(&mut self, close: u8) -> bool {
        let byte = self.peek();
        if byte == close {
            self.advance(1);
            self.depth = self.depth.saturating_sub(1);
            self.is_fresh = false;
            return false;
        }
        if self.is_fresh {
            self.is_fresh = false;
            return true;
        }
        if byte == b',' {
            self.advance(1);
            return true;
        }
        self.fail(JsonFault::Unexpected);
        false
    }

    /// Takes the string whose opening quote stands here.
    #[inline]
    fn string_body(&mut self) -> Option<&'e [u8]> {
        if let [_, after @ ..] = self.rest
            && let Some((body, rest)) = short_string(after)
        {
            self.rest = rest;
            self.has_escapes = false;
            return Some(body);
        }
        self.escaped_body()
    }
}

/// The part of `all` that stands before `after`, which is its end.
#[inline]
fn before<'e>(all: &'e [u8], after: &[u8]) -> &'e [u8] {
    let len = all.len().saturating_sub(after.len());
    all.get(..len).unwrap_or_default()
}

/// Walks through the object that was entered, with an arm for each name that is
/// looked for; all other members are stepped over.
///
/// Each arm takes the member's value. Of equal names the last has the last word.
/// `hot` is for objects that every event has.
macro_rules! members {
    (hot $json:ident, $($arms:tt)+) => {
        $crate::json::members!(@hot_key, $json, $($arms)+)
    };
    ($json:ident, $($arms:tt)+) => {
        $crate::json::members!(@key, $json, $($arms)+)
    };
    (@$next:ident, $json:ident, $($($name:literal)|+ => $arm:expr),+ $(,)?) => {{
        const BITS: u64 = 0 $($(| $crate::scan::key_bit($name))+)+;
        while let Some(key) = $json.$next(BITS) {
            // Guards, because patterns are compared byte by byte.
            match key {
                $(key if $(key == $name)||+ => $arm,)+
                _ => $json.skip(),
            }
        }
    }};
}

pub(crate) use members;
