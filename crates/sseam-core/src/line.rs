//! Stage 2, the fast lane: a line that lies whole in the chunk, told at one look.
//!
//! The tokenizer goes from byte to byte because a chunk may end anywhere. Nearly
//! always it does not end inside a name, and then one comparison tells the field
//! and one scan its value. What this file cannot tell at once is left to the
//! tokenizer, which tells the same of every line, only slower.

use crate::scan::line_end;
use crate::token::{Field, Kind, Piece};
use crate::tokenizer::{State, Tokenizer};

/// The rest of the chunk from the value on, if a `data` line begins here.
#[inline(always)]
pub(crate) fn data_value(line: &[u8]) -> Option<&[u8]> {
    let (name, rest) = line.split_first_chunk()?;
    if name == b"data" { value(rest) } else { None }
}

/// The rest of the chunk from the value on, if an `event` line begins here.
#[inline(always)]
pub(crate) fn event_value(line: &[u8]) -> Option<&[u8]> {
    let (name, rest) = line.split_first_chunk()?;
    if name == b"event" { value(rest) } else { None }
}

/// The same for a blank line or an id.
#[inline(always)]
pub(crate) fn other_line(line: &[u8]) -> Option<(Kind, &[u8])> {
    match line {
        [b'\n' | b'\r', ..] => Some((Kind::Blank, line)),
        [b'i', b'd', rest @ ..] => Some((Kind::Value(Field::Id), value(rest)?)),
        _ => None,
    }
}

/// What follows a name, its colon and the one space that belongs to the colon.
/// Nothing is known of a value whose first byte is in the next chunk.
#[inline(always)]
fn value(after_name: &[u8]) -> Option<&[u8]> {
    // As one word of two bytes: it is what nearly all names end with.
    if let Some((start, value)) = after_name.split_first_chunk()
        && start == b": "
    {
        return Some(value);
    }
    let value = after_name.strip_prefix(b":")?;
    (!value.is_empty()).then_some(value)
}

/// The piece that begins where `rest` does, in the same chunk.
#[inline(always)]
pub(crate) fn piece_of(chunk: &[u8], kind: Kind, rest: &[u8]) -> Piece {
    known_piece(chunk, kind, rest, line_end(rest))
}

/// The same where its length is known.
#[inline(always)]
pub(crate) fn known_piece(chunk: &[u8], kind: Kind, rest: &[u8], len: usize) -> Piece {
    let begin = chunk.len() - rest.len();
    Piece {
        kind,
        begin,
        end: begin + len,
        ends_line: len < rest.len(),
    }
}

/// What follows a blank line, if the end of a line and a blank line stand here,
/// and whether the latter ended with CR. A CR ends the blank line at once; an LF
/// after it is left for the next call, as it may be in the next chunk.
#[inline(always)]
pub(crate) fn after_blank_line(chunk: &[u8]) -> Option<(&[u8], bool)> {
    if let Some(rest) = after_lf_blank_line(chunk) {
        return Some((rest, false));
    }
    match chunk {
        [b'\r', b'\n', b'\r', rest @ ..] => Some((rest, true)),
        _ => None,
    }
}

/// The same for two LF, with which nearly all events end.
#[inline(always)]
pub(crate) fn after_lf_blank_line(chunk: &[u8]) -> Option<&[u8]> {
    let (ends, rest) = chunk.split_first_chunk()?;
    // Compared as one word, where a pattern compares each byte.
    if ends == b"\n\n" { Some(rest) } else { None }
}

/// What follows a line end, if one stands here and it is clear that it is whole.
#[inline(always)]
pub(crate) fn after_line_end(chunk: &[u8]) -> Option<&[u8]> {
    match chunk {
        [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// What follows an LF, if one stands here.
#[inline(always)]
pub(crate) fn without_lf(chunk: &[u8]) -> &[u8] {
    chunk.strip_prefix(b"\n").unwrap_or(chunk)
}

impl Tokenizer {
    /// Whether the next byte is the first of a line.
    #[inline(always)]
    pub(crate) const fn is_at_line_start(&self) -> bool {
        matches!(self.state, State::LineStart)
    }

    /// Whether an LF that comes next belongs to the CR before it.
    #[inline(always)]
    pub(crate) const fn is_after_cr(&self) -> bool {
        matches!(self.state, State::AfterCr)
    }

    /// Whether the next byte is the first of a line, or an LF that belongs to the
    /// CR before it.
    #[inline(always)]
    pub(crate) const fn is_between_lines(&self) -> bool {
        self.is_at_line_start() || self.is_after_cr()
    }

    /// A line begins: the LF that belongs to a CR has been seen, or another byte.
    #[inline(always)]
    pub(crate) fn begin_line(&mut self) {
        self.state = State::LineStart;
    }

    /// A whole line was taken without this tokenizer.
    #[inline(always)]
    pub(crate) fn leave_line(&mut self, is_cr: bool) {
        self.state = if is_cr {
            State::AfterCr
        } else {
            State::LineStart
        };
    }

    /// The first `line_len` bytes of a line, up to the end of this piece, were
    /// taken without this tokenizer.
    #[inline(always)]
    pub(crate) fn pass_over(&mut self, chunk: &[u8], piece: Piece, line_len: usize) {
        self.line_len = line_len as u64;
        self.state = match chunk.get(piece.end) {
            None => State::Rest { kind: piece.kind },
            Some(b'\r') => State::AfterCr,
            Some(_) => State::LineStart,
        };
    }

    /// The first `line_len` bytes of a line, of its value the last of them, were
    /// taken without this tokenizer.
    #[inline(always)]
    pub(crate) fn enter_value(&mut self, field: Field, line_len: usize) {
        let kind = Kind::Value(field);
        self.line_len = line_len as u64;
        self.state = State::Rest { kind };
    }

    /// Bytes of a value were taken without this tokenizer.
    #[inline(always)]
    pub(crate) fn lengthen(&mut self, len: usize) {
        self.line_len += len as u64;
    }
}
