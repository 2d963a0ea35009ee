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

use core::fmt;

use crate::piece::Piece;

/// Containers within containers, all in all. More is a fault, not a risk.
pub const JSON_DEPTH_MAX: usize = 64;

/// The longest name that a dialect knows; longer ones match nothing.
const NAME_LEN_MAX: usize = 40;

// One bit per container that is being stepped over.
const _: () = assert!(JSON_DEPTH_MAX <= u64::BITS as usize);

/// Between a key and its value.
const COLON: u8 = b':'; // tidy: JSON's colon, not the one of a field.

/// Why bytes are not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonFault {
    /// They end before the value does.
    Truncated,
    /// A byte stands where the grammar has no place for it.
    Unexpected,
    /// More than [`JSON_DEPTH_MAX`] containers within containers.
    TooDeep,
}

/// Where bytes stop being JSON, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonError {
    /// Why.
    pub fault: JsonFault,
    /// Index of the byte at which it showed.
    pub offset: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.fault {
            JsonFault::Truncated => "ends too early",
            JsonFault::Unexpected => "has an unexpected byte",
            JsonFault::TooDeep => "nests too deep",
        };
        write!(f, "json {what} at its byte {}", self.offset)
    }
}

impl core::error::Error for JsonError {}

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

    /// The elements that an array had left over: see [`Json::rest_of_array`].
    pub(crate) fn elements(rest: &'e [u8]) -> Self {
        Json {
            depth: 1,
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

    /// The next key of the object that was entered whose length is in `lengths`,
    /// a bit for each; leaves the object after the last. Members whose keys have
    /// another length are stepped over, which is what most of them are for.
    ///
    /// The macro [`members`] makes the lengths from the names that it looks for.
    pub(crate) fn key(&mut self, lengths: u64) -> Option<&[u8]> {
        let is_wanted = |key: &[u8]| key.len() < 64 && lengths >> key.len() & 1 == 1;
        let (mut rest, mut is_fresh) = (self.rest, self.is_fresh);
        loop {
            let Some((body, value)) = short_key(rest, is_fresh) else {
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

    /// Whatever the short way cannot take: spaces, escapes, ends and faults.
    #[inline(never)]
    fn key_after_space(&mut self) -> Option<&'e [u8]> {
        if !self.has_next(b'}') {
            return None;
        }
        if self.peek() != b'"' {
            self.fail(JsonFault::Unexpected);
            return None;
        }
        let body = self.string_body()?;
        if self.peek() != COLON {
            self.fail(JsonFault::Unexpected);
            return None;
        }
        self.advance(1);
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

    #[inline(never)]
    fn skip_elements(&mut self) -> &'e [u8] {
        let all = self.rest;
        let mut after = all;
        while self.element() {
            self.skip();
            after = self.rest;
        }
        before(all, after)
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
    #[inline]
    pub(crate) fn text(&mut self) -> Piece<'e> {
        self.string().unwrap_or(Piece::EMPTY)
    }

    /// The string of the member `name` of the object that stands here.
    pub(crate) fn text_of(&mut self, name: &[u8]) -> Piece<'e> {
        let mut text = Piece::EMPTY;
        if self.enter_object() {
            while let Some(key) = self.key_piece() {
                match key.is(name) {
                    true => text = self.text(),
                    false => self.skip(),
                }
            }
        }
        text
    }

    /// The string that stands here; any other value is stepped over.
    #[inline]
    pub(crate) fn string(&mut self) -> Option<Piece<'e>> {
        if self.peek() != b'"' {
            self.skip();
            return None;
        }
        let body = self.string_body()?;
        Some(Piece::json(body, self.has_escapes))
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

    /// The whole number that stands here; any other value is stepped over.
    #[inline]
    pub(crate) fn number(&mut self) -> Option<u64> {
        if let Some((digits, rest)) = short_number(self.rest) {
            self.rest = rest;
            return whole_number(digits);
        }
        whole_number(self.value())
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

    #[inline(never)]
    fn peek_past_space(&mut self) -> u8 {
        loop {
            match self.rest {
                [byte, ..] if *byte > b' ' => return *byte,
                [b' ' | b'\t' | 0x0A | 0x0D, rest @ ..] => self.rest = rest,
                _ => return 0,
            }
        }
    }

    /// Steps over the value that stands here.
    #[inline]
    pub(crate) fn skip(&mut self) {
        match self.peek() {
            b'"' => {
                self.string_body();
            }
            b'{' | b'[' => self.skip_container(),
            _ => match short_number(self.rest) {
                Some((_, rest)) => self.rest = rest,
                None => self.skip_scalar(),
            },
        }
    }

    #[inline]
    fn advance(&mut self, len: usize) {
        self.rest = self.rest.get(len..).unwrap_or_default();
    }

    #[inline]
    fn enter(&mut self, open: u8) -> bool {
        if self.peek() != open {
            self.skip();
            return false;
        }
        if self.depth >= JSON_DEPTH_MAX {
            self.fail(JsonFault::TooDeep);
            return false;
        }
        self.advance(1);
        self.depth += 1;
        self.is_fresh = true;
        true
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

    /// Takes a string that has an escape or a fault.
    #[inline(never)]
    fn escaped_body(&mut self) -> Option<&'e [u8]> {
        let all = self.rest.get(1..).unwrap_or_default();
        self.has_escapes = true;
        self.rest = all;
        loop {
            self.advance(plain_len(self.rest));
            match (self.rest, escape_len(self.rest)) {
                ([b'"', rest @ ..], _) => {
                    let body = before(all, self.rest);
                    self.rest = rest;
                    return Some(body);
                }
                ([b'\\', ..], Some(len)) => self.advance(len),
                _ => {
                    let is_cut = self.is_cut();
                    self.fail(if is_cut {
                        JsonFault::Truncated
                    } else {
                        JsonFault::Unexpected
                    });
                    return None;
                }
            }
        }
    }

    /// Steps over a container without recursion: a bit for each one that is
    /// open, set for an object.
    #[inline(never)]
    fn skip_container(&mut self) {
        let mut open = 0_u64;
        let outer = self.depth;
        loop {
            // A value is due.
            match self.peek() {
                byte @ (b'{' | b'[') => {
                    if !self.enter(byte) {
                        return;
                    }
                    open = (open << 1) | u64::from(byte == b'{');
                }
                b'"' => {
                    self.string_body();
                }
                _ => self.skip_scalar(),
            }
            // A value ended, or a container began: on to the next value.
            loop {
                let is_object = open & 1 == 1;
                let has_value = match is_object {
                    true => self.key_body().is_some(),
                    false => self.element(),
                };
                if self.error.is_some() {
                    return;
                }
                if has_value {
                    break;
                }
                open >>= 1;
                if self.depth == outer {
                    return;
                }
            }
        }
    }

    /// Steps over a number, `true`, `false` or `null`.
    #[inline(never)]
    fn skip_scalar(&mut self) {
        let len = match self.rest {
            [b't', ..] => literal_len(self.rest, b"true"),
            [b'f', ..] => literal_len(self.rest, b"false"),
            [b'n', ..] => literal_len(self.rest, b"null"),
            _ => number_len(self.rest),
        };
        match len {
            Some(len) => self.advance(len),
            None if self.is_cut() => self.fail(JsonFault::Truncated),
            None => self.fail(JsonFault::Unexpected),
        }
    }

    /// Keeps the first fault, and lets nothing follow.
    #[cold]
    fn fail(&mut self, fault: JsonFault) {
        if self.error.is_none() {
            let is_at_end = self.rest.is_empty();
            self.error = Some(JsonError {
                fault: if is_at_end {
                    JsonFault::Truncated
                } else {
                    fault
                },
                offset: self.len - self.rest.len(),
            });
        }
        self.rest = &[];
        self.is_fresh = false;
    }

    /// Whether the value or the escape that stands here is not wrong, only
    /// unfinished.
    fn is_cut(&self) -> bool {
        let rest = self.rest;
        let is_number_byte =
            |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        match rest {
            [] => true,
            [b't', ..] => b"true".starts_with(rest),
            [b'f', ..] => b"false".starts_with(rest),
            [b'n', ..] => b"null".starts_with(rest),
            [b'\\'] => true,
            [b'\\', b'u', digits @ ..] => {
                rest.len() < UNIT_LEN && digits.iter().all(u8::is_ascii_hexdigit)
            }
            [b'\\', ..] => false,
            _ => number_len(rest).is_none() && rest.iter().all(is_number_byte),
        }
    }
}

/// Walks through the object that was entered, with an arm for each name that is
/// looked for; all other members are stepped over.
///
/// Each arm takes the member's value. Of equal names the last has the last word.
macro_rules! members {
    ($json:ident, $($($name:literal)|+ => $arm:expr),+ $(,)?) => {{
        const LENGTHS: u64 = 0 $($(| 1 << $name.len())+)+;
        while let Some(key) = $json.key(LENGTHS) {
            match key {
                $($($name)|+ => $arm,)+
                _ => $json.skip(),
            }
        }
    }};
}

pub(crate) use members;

/// A key at the front of `rest` and what follows its colon, if it is written
/// without escapes, and with one space at most on either side.
#[inline(always)]
fn short_key(rest: &[u8], is_fresh: bool) -> Option<(&[u8], &[u8])> {
    let after_quote = match rest {
        [b',', b'"', after @ ..] | [b',', b' ', b'"', after @ ..] if !is_fresh => after,
        [b'"', after @ ..] if is_fresh => after,
        _ => return None,
    };
    match short_string(after_quote)? {
        (body, [COLON, b' ', value @ ..] | [COLON, value @ ..]) => Some((body, value)),
        _ => None,
    }
}

/// What follows the value at the front of `rest`, if that is a string without
/// escapes or a plain number.
#[inline(always)]
fn short_value(rest: &[u8]) -> Option<&[u8]> {
    match rest {
        [b'"', after @ ..] => Some(short_string(after)?.1),
        _ => Some(short_number(rest)?.1),
    }
}

/// The body of a string whose opening quote was taken, and what follows it, if
/// it has no escapes.
#[inline(always)]
fn short_string(after_quote: &[u8]) -> Option<(&[u8], &[u8])> {
    match after_quote.split_at_checked(plain_len(after_quote))? {
        (body, [b'"', rest @ ..]) => Some((body, rest)),
        _ => None,
    }
}

/// The digits of a number at the front of `rest`, and what follows them, if it
/// has neither sign nor fraction nor exponent.
#[inline(always)]
fn short_number(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_short = len == 1 || len > 1 && rest.first() != Some(&b'0');
    match rest.split_at_checked(len)? {
        (digits, after @ [b',' | b'}' | b']', ..]) if is_short => Some((digits, after)),
        _ => None,
    }
}

/// The part of `all` that stands before `after`, which is its end.
#[inline]
fn before<'e>(all: &'e [u8], after: &[u8]) -> &'e [u8] {
    let len = all.len().saturating_sub(after.len());
    all.get(..len).unwrap_or_default()
}

/// Length of `\uXXXX`.
pub(crate) const UNIT_LEN: usize = 6;

/// Length of the escape at the front of `rest`, if it is one.
#[inline]
fn escape_len(rest: &[u8]) -> Option<usize> {
    match rest.get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => {
            let digits = rest.get(2..UNIT_LEN)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(UNIT_LEN)
        }
        _ => None,
    }
}

/// Length of the run of plain bytes at the front of `text`: up to a quote, a
/// backslash or a control byte, or all of it.
///
/// A word at a time: of each test the lowest bit that is set is exact, so the
/// lowest of all is.
#[inline]
fn plain_len(text: &[u8]) -> usize {
    const WORD: usize = size_of::<usize>();
    const ONES: usize = usize::MAX / 0xFF;
    const HIGH: usize = ONES << 7;
    const QUOTES: usize = ONES * b'"' as usize;
    const BACKSLASHES: usize = ONES * b'\\' as usize;
    const SPACES: usize = ONES * b' ' as usize;
    let mut rest = text;
    while let Some((bytes, after)) = rest.split_first_chunk::<WORD>() {
        let word = usize::from_le_bytes(*bytes);
        let (quote, backslash) = (word ^ QUOTES, word ^ BACKSLASHES);
        let below =
            quote.wrapping_sub(ONES) | backslash.wrapping_sub(ONES) | word.wrapping_sub(SPACES);
        let ends = below & !word & HIGH;
        if ends != 0 {
            return text.len() - rest.len() + (ends.trailing_zeros() / 8) as usize;
        }
        rest = after;
    }
    let is_plain = |byte: &&u8| !matches!(byte, b'"' | b'\\') && **byte >= b' ';
    text.len() - rest.len() + rest.iter().take_while(is_plain).count()
}

fn literal_len(rest: &[u8], literal: &[u8]) -> Option<usize> {
    rest.starts_with(literal).then_some(literal.len())
}

/// Length of the number at the front of `rest`, if there is one.
#[inline]
fn number_len(rest: &[u8]) -> Option<usize> {
    let digits_end = |from: usize| {
        let digits = rest.get(from..).unwrap_or_default();
        from + digits
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let start = usize::from(rest.first() == Some(&b'-'));
    let mut end = match rest.get(start)? {
        b'0' => start + 1,
        b'1'..=b'9' => digits_end(start),
        _ => return None,
    };
    if rest.get(end) == Some(&b'.') {
        let after = end + 1;
        end = digits_end(after);
        if end == after {
            return None;
        }
    }
    if matches!(rest.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
        let after = end + 1 + sign;
        end = digits_end(after);
        if end == after {
            return None;
        }
    }
    Some(end)
}

/// The value of a token of digits alone, if it fits.
pub(crate) fn whole_number(token: &[u8]) -> Option<u64> {
    if token.is_empty() {
        return None;
    }
    token.iter().try_fold(0_u64, |number, byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit <= 9)?;
        number.checked_mul(10)?.checked_add(u64::from(digit))
    })
}
