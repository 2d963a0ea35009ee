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
pub(crate) struct Json<'e> {
    text: &'e [u8],
    /// Index of the next byte; at most the length of `text`.
    at: usize,
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
            text,
            at: 0,
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
        if self.error.is_none() && (self.peek() != 0 || self.at < self.text.len()) {
            self.fail(JsonFault::Unexpected);
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

    /// The next key of the object that was entered; leaves it after the last.
    #[inline]
    pub(crate) fn key(&mut self) -> Option<&[u8]> {
        let body = self.key_body()?;
        match self.has_escapes {
            false => Some(body),
            true => Some(Piece::json(body, true).decode_or_empty(&mut self.name)),
        }
    }

    /// The next key as it stands.
    pub(crate) fn key_piece(&mut self) -> Option<Piece<'e>> {
        let body = self.key_body()?;
        Some(Piece::json(body, self.has_escapes))
    }

    #[inline]
    fn key_body(&mut self) -> Option<&'e [u8]> {
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
        self.at += 1;
        Some(body)
    }

    /// Whether the array that was entered has another element; leaves it after
    /// the last.
    #[inline]
    pub(crate) fn element(&mut self) -> bool {
        self.has_next(b']')
    }

    /// Steps over the elements that the array still has, and gives them.
    pub(crate) fn rest_of_array(&mut self) -> &'e [u8] {
        let start = self.at;
        let mut end = start;
        while self.element() {
            self.skip();
            end = self.at;
        }
        self.text.get(start..end).unwrap_or_default()
    }

    /// Whether a fault was met.
    pub(crate) const fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// What was not looked at yet.
    pub(crate) fn remaining(&self) -> &'e [u8] {
        self.text.get(self.at..).unwrap_or_default()
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
            while let Some(key) = self.key() {
                match key == name {
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
    pub(crate) fn number(&mut self) -> Option<u64> {
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
        let start = self.at;
        self.skip();
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The first byte of the value that stands here; 0 at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        match self.text.get(self.at) {
            Some(&byte) if byte > b' ' => byte,
            _ => self.peek_past_space(),
        }
    }

    #[inline(never)]
    fn peek_past_space(&mut self) -> u8 {
        loop {
            match self.text.get(self.at) {
                Some(&byte) if byte > b' ' => return byte,
                Some(b' ' | b'\t' | 0x0A | 0x0D) => self.at += 1,
                Some(_) | None => return 0,
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
            _ => self.skip_scalar(),
        }
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
        self.at += 1;
        self.depth += 1;
        self.is_fresh = true;
        true
    }

    /// Takes the comma before the next member, or the end of the container.
    #[inline]
    fn has_next(&mut self, close: u8) -> bool {
        let byte = self.peek();
        if byte == close {
            self.at += 1;
            self.depth = self.depth.saturating_sub(1);
            self.is_fresh = false;
            return false;
        }
        if self.is_fresh {
            self.is_fresh = false;
            return true;
        }
        if byte == b',' {
            self.at += 1;
            return true;
        }
        self.fail(JsonFault::Unexpected);
        false
    }

    /// Takes the string whose opening quote stands here.
    #[inline]
    fn string_body(&mut self) -> Option<&'e [u8]> {
        let start = self.at + 1;
        let end = plain_end(self.text, start);
        if self.text.get(end) != Some(&b'"') {
            return self.escaped_body(start, end);
        }
        self.has_escapes = false;
        self.at = end + 1;
        self.text.get(start..end)
    }

    /// Takes the rest of a string, which has an escape or a fault at `end`.
    #[inline(never)]
    fn escaped_body(&mut self, start: usize, mut end: usize) -> Option<&'e [u8]> {
        while self.text.get(end) == Some(&b'\\') {
            let Some(len) = escape_len(self.text.get(end..).unwrap_or_default()) else {
                break;
            };
            end = plain_end(self.text, end + len);
        }
        self.has_escapes = true;
        if self.text.get(end) != Some(&b'"') {
            self.at = end;
            let is_cut = self.is_cut();
            self.fail(if is_cut {
                JsonFault::Truncated
            } else {
                JsonFault::Unexpected
            });
            return None;
        }
        self.at = end + 1;
        self.text.get(start..end)
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
    fn skip_scalar(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let len = match rest.first() {
            Some(b't') => literal_len(rest, b"true"),
            Some(b'f') => literal_len(rest, b"false"),
            Some(b'n') => literal_len(rest, b"null"),
            _ => number_len(rest),
        };
        match len {
            Some(len) => self.at += len,
            None if self.is_cut() => self.fail(JsonFault::Truncated),
            None => self.fail(JsonFault::Unexpected),
        }
    }

    /// Keeps the first fault, and lets nothing follow.
    #[cold]
    fn fail(&mut self, fault: JsonFault) {
        if self.error.is_none() {
            let is_at_end = self.at >= self.text.len();
            self.error = Some(JsonError {
                fault: if is_at_end {
                    JsonFault::Truncated
                } else {
                    fault
                },
                offset: self.at,
            });
        }
        self.at = self.text.len();
        self.is_fresh = false;
    }

    /// Whether the value or the escape that stands here is not wrong, only
    /// unfinished.
    fn is_cut(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_number_byte =
            |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        match rest.first() {
            None => true,
            Some(b't') => b"true".starts_with(rest),
            Some(b'f') => b"false".starts_with(rest),
            Some(b'n') => b"null".starts_with(rest),
            Some(b'\\') => match rest.get(1) {
                Some(b'u') => {
                    rest.len() < UNIT_LEN && rest.iter().skip(2).all(u8::is_ascii_hexdigit)
                }
                byte => byte.is_none(),
            },
            Some(_) => number_len(rest).is_none() && rest.iter().all(is_number_byte),
        }
    }
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

/// Index of the first byte at or after `at` that ends a run of plain bytes: a
/// quote, a backslash or a control byte. The length of `text` if there is none.
///
/// A word at a time: of each test the lowest bit that is set is exact, so the
/// lowest of all is.
#[inline]
fn plain_end(text: &[u8], mut at: usize) -> usize {
    const WORD: usize = size_of::<usize>();
    const ONES: usize = usize::MAX / 0xFF;
    const HIGH: usize = ONES << 7;
    const QUOTES: usize = ONES * b'"' as usize;
    const BACKSLASHES: usize = ONES * b'\\' as usize;
    const SPACES: usize = ONES * b' ' as usize;
    while let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk::<WORD>()) {
        let word = usize::from_le_bytes(*bytes);
        let (quote, backslash) = (word ^ QUOTES, word ^ BACKSLASHES);
        let below =
            quote.wrapping_sub(ONES) | backslash.wrapping_sub(ONES) | word.wrapping_sub(SPACES);
        let ends = below & !word & HIGH;
        if ends != 0 {
            return at + (ends.trailing_zeros() / 8) as usize;
        }
        at += WORD;
    }
    while let Some(&byte) = text.get(at) {
        if matches!(byte, b'"' | b'\\') || byte < b' ' {
            return at;
        }
        at += 1;
    }
    text.len()
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
