//! Stage 1, strings as they stand in an event: a borrowed body in, text out.
//!
//! A piece is decoded while it is read: escapes, surrogate pairs, and UTF-8 that
//! is none. Nothing is copied and nothing is allocated. What cannot be decoded
//! reads as U+FFFD: a lone half of a pair, and each maximal subpart of malformed
//! UTF-8, as a browser shows it.
//!
//! Some proxies cut text by UTF-16 units, so that a pair's halves come in two
//! deltas. The turn keeps the first half back and hands it to the next piece of
//! the same kind, which is `led` by it.

use core::fmt;
use core::ops::Deref;

use crate::json::UNIT_LEN;

/// A piece of text, borrowed from an event.
///
/// ```
/// use sseam_llm::find;
///
/// let json = br#"{"delta": {"text": "a\n\ud83d\ude80"}}"#;
/// let piece = find(json, "delta.text")?.unwrap().text();
/// assert_eq!(piece, "a\n🚀");
/// assert_eq!(piece.to_string(), "a\n🚀");
/// let mut buffer = [0; 8];
/// assert_eq!(piece.decode_into(&mut buffer), Ok("a\n🚀"));
/// # Ok::<(), sseam_llm::JsonError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Piece<'e> {
    body: &'e [u8],
    form: Form,
    /// First half of a pair that the piece before ended with; 0 if none.
    lead: u16,
    /// A first half at its end is kept back for the next piece.
    holds_back: bool,
}

/// How a body is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As it is.
    Verbatim,
    /// As it is, and a line feed after it.
    Line,
    /// With the escapes of JSON.
    Escaped,
}

impl<'e> Piece<'e> {
    /// No text at all.
    pub const EMPTY: Piece<'static> = Piece::verbatim(&[]);

    /// Bytes that are the text.
    #[inline]
    pub const fn verbatim(body: &'e [u8]) -> Self {
        Piece {
            body,
            form: Form::Verbatim,
            lead: 0,
            holds_back: false,
        }
    }

    /// Bytes that are the text, and a line feed.
    pub(crate) const fn line(body: &'e [u8]) -> Self {
        Piece {
            form: Form::Line,
            ..Piece::verbatim(body)
        }
    }

    /// What stands between the quotes of a JSON string whose grammar was checked.
    #[inline]
    pub(crate) const fn json(body: &'e [u8], has_escapes: bool) -> Self {
        let form = if has_escapes {
            Form::Escaped
        } else {
            Form::Verbatim
        };
        Piece {
            form,
            ..Piece::verbatim(body)
        }
    }

    /// The bytes as they stand in the event, escapes and all.
    #[inline]
    pub const fn raw(self) -> &'e [u8] {
        self.body
    }

    /// Whether it has no text. A piece that only holds the first half of a pair
    /// has some, though nothing is read from it yet.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.body.is_empty() && self.lead == 0 && !matches!(self.form, Form::Line)
    }

    /// The text itself, where nothing has to be decoded: the usual case.
    #[inline]
    pub fn as_str(self) -> Option<&'e str> {
        core::str::from_utf8(self.as_plain()?).ok()
    }

    /// Its text in parts, each without a copy.
    #[inline]
    pub fn parts(self) -> Parts<'e> {
        Parts {
            rest: self.body,
            run: &[],
            form: self.form,
            lead: self.lead,
            holds_back: self.holds_back,
            is_invalid: false,
        }
    }

    /// Its text, written to the front of `buffer`.
    ///
    /// # Errors
    ///
    /// Too short a buffer is left as it was.
    pub fn decode_into(self, buffer: &mut [u8]) -> Result<&str, BufferTooShort> {
        let wanted = self.text_len();
        let given = buffer.len();
        let Some(room) = buffer.get_mut(..wanted) else {
            return Err(BufferTooShort { wanted, given });
        };
        let mut at = 0;
        for part in self.parts() {
            at += put(room, at, part.as_bytes());
        }
        Ok(core::str::from_utf8(room).unwrap_or_default())
    }

    /// Length of its text in bytes.
    pub fn text_len(self) -> usize {
        self.parts().map(|part| part.len()).sum()
    }

    /// Whether its text is `other`.
    pub(crate) fn is(self, other: &[u8]) -> bool {
        let mut rest = other;
        for part in self.parts() {
            match rest.strip_prefix(part.as_bytes()) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        rest.is_empty()
    }

    /// The body, if it is the text as it stands.
    #[inline]
    pub(crate) fn as_plain(self) -> Option<&'e [u8]> {
        (self.form == Form::Verbatim && self.lead == 0).then_some(self.body)
    }

    /// Its text in `buffer`; nothing where that is too short.
    pub(crate) fn decode_or_empty(self, buffer: &mut [u8]) -> &[u8] {
        self.decode_into(buffer).unwrap_or_default().as_bytes()
    }

    /// This piece after a first half, and its own last half kept back.
    #[inline]
    pub(crate) const fn led_by(self, lead: u16) -> Self {
        Piece {
            lead,
            holds_back: true,
            ..self
        }
    }

    /// The first half of a pair that the body ends with; 0 if it does not.
    #[inline]
    pub(crate) fn last_half(self) -> u16 {
        if self.form != Form::Escaped {
            return 0;
        }
        let Some(at) = self.body.len().checked_sub(UNIT_LEN) else {
            return 0;
        };
        let (before, last) = self.body.split_at_checked(at).unwrap_or_default();
        // Of an even run of backslashes the last one is escaped itself.
        let slashes = before
            .iter()
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count();
        match unit(last) {
            Some(half) if is_first_half(half) && slashes.is_multiple_of(2) => half,
            _ => 0,
        }
    }
}

impl PartialEq<str> for Piece<'_> {
    fn eq(&self, other: &str) -> bool {
        self.is(other.as_bytes())
    }
}

impl PartialEq<&str> for Piece<'_> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl fmt::Display for Piece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().try_for_each(|part| f.write_str(&part))
    }
}

/// Shows the length only: logs must not leak what a stream says.
impl fmt::Debug for Piece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Piece({} bytes)", self.body.len())
    }
}

/// The parts of a [`Piece`], in order.
#[derive(Clone)]
pub struct Parts<'e> {
    /// Behind `run`.
    rest: &'e [u8],
    /// Bytes before the next escape.
    run: &'e [u8],
    form: Form,
    lead: u16,
    holds_back: bool,
    /// A U+FFFD is due for bytes that were stepped over.
    is_invalid: bool,
}

impl<'e> Iterator for Parts<'e> {
    type Item = Part<'e>;

    #[inline]
    fn next(&mut self) -> Option<Part<'e>> {
        loop {
            if self.is_invalid {
                self.is_invalid = false;
                return Some(Part::of(char::REPLACEMENT_CHARACTER));
            }
            if self.lead != 0 {
                return Some(self.join());
            }
            if !self.run.is_empty() {
                if let Ok(text) = core::str::from_utf8(self.run) {
                    self.run = &[];
                    return Some(Part(Kind::Run(text)));
                }
                let Some(chunk) = self.run.utf8_chunks().next() else {
                    continue;
                };
                let used = chunk.valid().len() + chunk.invalid().len();
                self.run = self.run.get(used..).unwrap_or_default();
                self.is_invalid = !chunk.invalid().is_empty();
                if !chunk.valid().is_empty() {
                    return Some(Part(Kind::Run(chunk.valid())));
                }
                continue;
            }
            match self.rest.first() {
                None => return self.last(),
                Some(b'\\') if self.form == Form::Escaped => {
                    if let Some(part) = self.escape() {
                        return Some(part);
                    }
                }
                Some(_) => self.take_run(),
            }
        }
    }
}

impl<'e> Parts<'e> {
    /// Joins the half that was kept back with what follows it.
    fn join(&mut self) -> Part<'e> {
        let first = core::mem::take(&mut self.lead);
        let second = match self.form {
            Form::Escaped => unit(self.rest),
            _ => None,
        };
        match second.and_then(|second| pair(first, second)) {
            Some(character) => {
                self.advance(UNIT_LEN);
                Part::of(character)
            }
            None => Part::of(char::REPLACEMENT_CHARACTER),
        }
    }

    /// What comes after the body.
    fn last(&mut self) -> Option<Part<'e>> {
        if self.form != Form::Line {
            return None;
        }
        self.form = Form::Verbatim;
        Some(Part(Kind::Run("\n")))
    }

    /// Decodes the escape that stands here; nothing for a half that is kept back.
    fn escape(&mut self) -> Option<Part<'e>> {
        if let Some(unit) = unit(self.rest) {
            self.advance(UNIT_LEN);
            if is_first_half(unit) {
                if self.rest.is_empty() && self.holds_back {
                    return None;
                }
                self.lead = unit;
                return Some(self.join());
            }
            return Some(Part::of(
                char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER),
            ));
        }
        let character = match self.rest.get(1) {
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'n') => '\u{A}',
            Some(b'r') => '\u{D}',
            Some(b't') => '\t',
            Some(&byte) => char::from(byte),
            None => char::REPLACEMENT_CHARACTER,
        };
        self.advance(2);
        Some(Part::of(character))
    }

    fn take_run(&mut self) {
        let len = match self.form {
            Form::Escaped => self.rest.iter().take_while(|byte| **byte != b'\\').count(),
            _ => self.rest.len(),
        };
        self.run = self.rest.get(..len).unwrap_or_default();
        self.advance(len);
    }

    fn advance(&mut self, len: usize) {
        self.rest = self.rest.get(len..).unwrap_or_default();
    }
}

/// A part of a piece's text.
#[derive(Clone, Copy)]
pub struct Part<'e>(Kind<'e>);

#[derive(Clone, Copy)]
enum Kind<'e> {
    /// It stands in the event as it is.
    Run(&'e str),
    /// It was an escape: one character, and the bytes that it takes.
    Character { bytes: [u8; 4], len: u8 },
}

impl Part<'_> {
    fn of(character: char) -> Self {
        let mut bytes = [0; 4];
        let len = character.encode_utf8(&mut bytes).len() as u8;
        Part(Kind::Character { bytes, len })
    }
}

impl Deref for Part<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match &self.0 {
            Kind::Run(text) => text,
            Kind::Character { bytes, len } => {
                let bytes = bytes.get(..usize::from(*len)).unwrap_or_default();
                core::str::from_utf8(bytes).unwrap_or_default()
            }
        }
    }
}

/// A buffer is too short for a piece's text. It was not written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferTooShort {
    /// Length of the text in bytes.
    pub wanted: usize,
    /// Length of the buffer.
    pub given: usize,
}

impl fmt::Display for BufferTooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BufferTooShort { wanted, given } = self;
        write!(f, "text of {wanted} bytes does not fit in {given} bytes")
    }
}

impl core::error::Error for BufferTooShort {}

/// Copies `bytes` to `room` at `at`, as far as they fit, and gives their length.
///
/// Not by `copy_from_slice`, whose check of lengths stays a panic where code is
/// made small.
pub(crate) fn put(room: &mut [u8], at: usize, bytes: &[u8]) -> usize {
    for (place, byte) in room.iter_mut().skip(at).zip(bytes) {
        *place = *byte;
    }
    bytes.len()
}

/// The value of `\uXXXX` at the front of `bytes`.
#[inline]
fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.get(..UNIT_LEN)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0_u16, |value, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some((value << 4) | digit as u16)
    })
}

#[inline]
const fn is_first_half(unit: u16) -> bool {
    matches!(unit, 0xD800..=0xDBFF)
}

/// The character of two halves of a pair.
fn pair(first: u16, second: u16) -> Option<char> {
    let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
    let high = first.checked_sub(0xD800).filter(|high| *high < 0x400)?;
    char::from_u32(0x1_0000 + (u32::from(high) << 10) + u32::from(low))
}
