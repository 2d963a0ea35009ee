//! Stage 1, a piece's text part by part: what stands between two escapes as it
//! is, what an escape stands for, and U+FFFD for what cannot be decoded.

use core::ops::Deref;

use crate::piece::Form;
use crate::scan::UNIT_LEN;

/// The parts of a [`Piece`](crate::Piece), in order.
#[derive(Clone)]
pub struct Parts<'e> {
    /// Behind `run`.
    pub(crate) rest: &'e [u8],
    /// Bytes before the next escape.
    pub(crate) run: &'e [u8],
    pub(crate) form: Form,
    pub(crate) lead: u16,
    pub(crate) holds_back: bool,
    /// A U+FFFD is due for bytes that were stepped over.
    pub(crate) is_invalid: bool,
    /// Bytes of text that are not to be given.
    pub(crate) skipped: u32,
}

impl<'e> Iterator for Parts<'e> {
    type Item = Part<'e>;

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn next(&mut self) -> Option<Part<'e>> {
        let part = self.next_part()?;
        match self.skipped {
            0 => Some(part),
            _ => self.next_unskipped(part),
        }
    }
}

impl<'e> Parts<'e> {
    /// The first part at or behind `part` of which something is to be given.
    #[cold]
    fn next_unskipped(&mut self, mut part: Part<'e>) -> Option<Part<'e>> {
        loop {
            let len = u32::try_from(part.len()).unwrap_or(u32::MAX);
            if len > self.skipped {
                let skipped = core::mem::take(&mut self.skipped) as usize;
                return Some(part.behind(skipped));
            }
            self.skipped -= len;
            part = self.next_part()?;
        }
    }

    #[inline]
    fn next_part(&mut self) -> Option<Part<'e>> {
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

impl<'e> Part<'e> {
    /// What stands behind its first bytes; all of it if they end within a
    /// character.
    fn behind(self, len: usize) -> Part<'e> {
        match self.0 {
            Kind::Run(text) => Part(Kind::Run(text.get(len..).unwrap_or(text))),
            Kind::Character { .. } => self,
        }
    }

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

/// The value of `\uXXXX` at the front of `bytes`.
#[inline]
pub(crate) fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.get(..UNIT_LEN)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0_u16, |value, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some((value << 4) | digit as u16)
    })
}

#[inline]
pub(crate) const fn is_first_half(unit: u16) -> bool {
    matches!(unit, 0xD800..=0xDBFF)
}

/// The character of two halves of a pair.
fn pair(first: u16, second: u16) -> Option<char> {
    let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
    let high = first.checked_sub(0xD800).filter(|high| *high < 0x400)?;
    char::from_u32(0x1_0000 + (u32::from(high) << 10) + u32::from(low))
}
