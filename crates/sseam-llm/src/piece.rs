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

use crate::parts::{Parts, is_first_half, unit};
use crate::scan::UNIT_LEN;

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
    /// Decoded bytes at its front that were given out before.
    skipped: u32,
}

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As it is.
    Verbatim,
    /// As it is, and a line feed after it.
    Line,
    /// With the escapes of JSON.
    Escaped,
}

/// Where the body of a piece lies in the data of its event, so that it need not be
/// looked for again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Location {
    at: usize,
    len: usize,
    form: Form,
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
            skipped: 0,
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

    /// Where it lies in the data that it was read from; nothing for another.
    pub(crate) fn location_in(self, data: &[u8]) -> Option<Location> {
        let at = self.body.as_ptr().addr();
        let at = at.checked_sub(data.as_ptr().addr())?;
        let is_within = at.checked_add(self.body.len())? <= data.len();
        is_within.then_some(Location {
            at,
            len: self.body.len(),
            form: self.form,
        })
    }

    /// The piece that lies there in the same data.
    pub(crate) fn at(data: &'e [u8], location: Location) -> Option<Self> {
        let (_, rest) = data.split_at_checked(location.at)?;
        Some(Piece {
            form: location.form,
            ..Piece::verbatim(rest.get(..location.len)?)
        })
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
            skipped: self.skipped,
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

    /// Length of its text in bytes, for sums: pieces count what the whole counts,
    /// wherever it was cut. Broken UTF-8 counts as it stands, and each half of a
    /// pair for half of it.
    #[inline]
    pub(crate) fn decoded_len(self) -> usize {
        match self.form {
            Form::Verbatim => self.body.len(),
            Form::Line => self.body.len() + 1,
            Form::Escaped => escaped_len(self.body),
        }
    }

    /// This piece without so many decoded bytes at its front.
    pub(crate) const fn without(self, skipped: u32) -> Self {
        Piece { skipped, ..self }
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
        (self.form == Form::Verbatim && self.lead == 0 && self.skipped == 0).then_some(self.body)
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

/// Length of the text of a string with escapes, half of each pair for each half.
fn escaped_len(mut body: &[u8]) -> usize {
    let mut len = 0;
    while let Some(at) = body.iter().position(|byte| *byte == b'\\') {
        let rest = body.get(at..).unwrap_or_default();
        let (taken, text_len) = match unit(rest) {
            Some(0..=0x7F) => (UNIT_LEN, 1),
            Some(0..=0x7FF | 0xD800..=0xDFFF) => (UNIT_LEN, 2),
            Some(_) => (UNIT_LEN, 3),
            None => (2, 1),
        };
        len += at + text_len;
        body = rest.get(taken..).unwrap_or_default();
    }
    len + body.len()
}

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
