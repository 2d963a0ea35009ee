//! Stage 2, chunk to tokens: bytes in, pieces of lines out.
//!
//! The tokenizer has no buffer. It remembers what the next byte means and how
//! long the line is so far, a few words in all. Where a chunk ends inside a
//! line, the line comes out in several pieces, and joining the pieces gives the
//! same line for every cut. Whoever has events larger than memory uses this
//! stage alone and treats `data` piece by piece; everybody else uses the parser,
//! whose next stage gathers the pieces.
//!
//! # How a line is told apart before it has all arrived
//!
//! The four field names begin with four different letters, so the first byte of
//! a line leaves at most one candidate, and each further byte either agrees with
//! its name or makes the line an unknown one. In that case the bytes that agreed
//! are known without having been kept: they are the beginning of the name. The
//! same holds for the bytes of a byte-order mark that turned out to be none.

use crate::scan;
use crate::token::{Field, Token};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What the next byte means.
///
/// ```text
///            BOM, or none                              first byte
/// Start ----------------------> LineStart <--LF-- ... -----------> Name, Comment
///   | part of a BOM, then not       ^  ^                               or Ignored
///   v                               |  `----------.
/// Rejected --> Ignored         AfterCr <--CR-- Value, Comment, Ignored
///                                                 ^
///                     Name --colon--> Space ------'
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Nothing yet but `bom_len` bytes that agree with a byte-order mark; < 3.
    Start { bom_len: u8 },
    /// The first `bom_len` bytes were no byte-order mark and have been given
    /// out: they begin an unknown line, which goes on here.
    Rejected { bom_len: u8 },
    /// At the first byte of a line.
    LineStart,
    /// After a CR that ended a line: one LF here belongs to that CR.
    AfterCr,
    /// Inside a line that agrees with the name so far; 1 <= matched <= its length.
    Name { field: Field, matched: u8 },
    /// After the colon: one space here belongs to the colon.
    Space { field: Field },
    /// Inside the value of a field.
    Value { field: Field },
    /// Inside a comment.
    Comment,
    /// Inside a line that the standard ignores.
    Ignored,
}

/// Cuts chunks into tokens, without a buffer.
///
/// ```
/// use sseam_core::{Field, Token, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new();
/// let mut input: &[u8] = b"data: he";
/// let he = Token::Value { field: Field::Data, bytes: b"he", ends_line: false };
/// assert_eq!(tokenizer.next_token(&mut input), Some(he));
/// assert_eq!(tokenizer.next_token(&mut input), None);
///
/// let mut input: &[u8] = b"llo\n\n";
/// let llo = Token::Value { field: Field::Data, bytes: b"llo", ends_line: true };
/// assert_eq!(tokenizer.next_token(&mut input), Some(llo));
/// assert_eq!(tokenizer.next_token(&mut input), Some(Token::Blank));
/// assert_eq!(tokenizer.next_token(&mut input), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokenizer {
    /// Bytes of the line in progress, or of the line that ended last.
    pub(crate) line_len: u64,
    pub(crate) state: State,
}

impl Default for Tokenizer {
    fn default() -> Self {
        Tokenizer::new()
    }
}

impl Tokenizer {
    /// A tokenizer at the start of a stream, where a byte-order mark may stand.
    pub const fn new() -> Self {
        Tokenizer {
            line_len: 0,
            state: State::Start { bom_len: 0 },
        }
    }

    /// Takes the next token off the front of `input`.
    ///
    /// `None` means that the input is used up. The token borrows the input only.
    #[inline]
    pub fn next_token<'c>(&mut self, input: &mut &'c [u8]) -> Option<Token<'c>> {
        loop {
            let (&byte, rest) = input.split_first()?;
            match self.state {
                State::Start { bom_len } => {
                    if let Some(token) = self.start(byte, usize::from(bom_len), rest, input) {
                        return Some(token);
                    }
                }
                State::Rejected { bom_len } => {
                    self.line_len = u64::from(bom_len);
                    self.state = State::Ignored;
                }
                State::LineStart => {
                    if let Some(blank) = self.line_start(byte, rest, input) {
                        return Some(blank);
                    }
                }
                // "\r\n" is one line end. The CR ended the line, perhaps in an
                // earlier chunk; taken as a second end, this LF would be a blank
                // line and dispatch too soon.
                State::AfterCr => {
                    if byte == b'\n' {
                        *input = rest;
                    }
                    self.state = State::LineStart;
                }
                State::Name { field, matched } => {
                    if let Some(token) = self.name(byte, field, usize::from(matched), rest, input) {
                        return Some(token);
                    }
                }
                // The standard: "If value starts with a U+0020 SPACE character,
                // remove it from value." One space, and no other white space.
                State::Space { field } => {
                    if byte == b' ' {
                        *input = rest;
                        self.line_len += 1;
                    }
                    self.state = State::Value { field };
                }
                State::Value { field } => {
                    let (bytes, ends_line) = self.piece(input);
                    return Some(Token::Value {
                        field,
                        bytes,
                        ends_line,
                    });
                }
                State::Comment => {
                    let (bytes, ends_line) = self.piece(input);
                    return Some(Token::Comment { bytes, ends_line });
                }
                State::Ignored => {
                    let (bytes, ends_line) = self.piece(input);
                    return Some(Token::Ignored { bytes, ends_line });
                }
            }
        }
    }

    /// Bytes so far of the line in progress, else the length of the last line.
    ///
    /// Line end and byte-order mark do not count; bytes that only look like the
    /// beginning of a byte-order mark count once it is known that they are none.
    #[inline]
    pub const fn line_len(&self) -> u64 {
        self.line_len
    }

    /// Whether a line has begun and not ended, be it by one byte.
    ///
    /// True also inside a byte-order mark, which the standard would decode to
    /// U+FFFD if the stream ended there.
    pub const fn is_within_line(&self) -> bool {
        !matches!(
            self.state,
            State::Start { bom_len: 0 } | State::LineStart | State::AfterCr
        )
    }

    /// The field of the line in progress, once its colon has been seen.
    pub const fn field_in_progress(&self) -> Option<Field> {
        match self.state {
            State::Space { field } | State::Value { field } => Some(field),
            _ => None,
        }
    }

    /// Whether the line in progress is a comment.
    pub(crate) const fn is_within_comment(&self) -> bool {
        matches!(self.state, State::Comment)
    }

    /// Whether the line in progress can still turn out to be ignored, or a
    /// comment: any line but one of `data` or `event` whose colon has been seen.
    pub(crate) const fn may_be_ignored(&self) -> bool {
        let is_field = matches!(self.field_in_progress(), Some(Field::Data | Field::Event));
        self.is_within_line() && !is_field
    }

    /// Whether the bytes given out last are the start of a byte-order mark that
    /// turned out to be none.
    pub(crate) const fn has_rejected_bom(&self) -> bool {
        matches!(self.state, State::Rejected { .. })
    }

    /// Goes on in the middle of a line that nobody knows, after a loss of bytes.
    pub(crate) fn lose_line(&mut self) {
        *self = Tokenizer {
            line_len: 0,
            state: State::Ignored,
        };
    }

    /// The standard: "one leading U+FEFF BYTE ORDER MARK character, if any are
    /// present", at the first byte of the stream and nowhere else.
    fn start<'c>(
        &mut self,
        byte: u8,
        bom_len: usize,
        rest: &'c [u8],
        input: &mut &'c [u8],
    ) -> Option<Token<'c>> {
        if BOM.get(bom_len) == Some(&byte) {
            *input = rest;
            self.state = match bom_len {
                0 => State::Start { bom_len: 1 },
                1 => State::Start { bom_len: 2 },
                _ => State::LineStart,
            };
            return None;
        }
        let bytes = BOM.get(..bom_len).filter(|bytes| !bytes.is_empty());
        self.state = match bytes {
            None => State::LineStart,
            Some(bytes) => State::Rejected {
                bom_len: bytes.len() as u8,
            },
        };
        bytes.map(|bytes| Token::Ignored {
            bytes,
            ends_line: false,
        })
    }

    /// Decides by its first byte what a line can be.
    #[inline]
    fn line_start<'c>(
        &mut self,
        byte: u8,
        rest: &'c [u8],
        input: &mut &'c [u8],
    ) -> Option<Token<'c>> {
        self.line_len = 0;
        self.state = match (byte, Field::starting_with(byte)) {
            (b'\n', _) => {
                *input = rest;
                return Some(Token::Blank);
            }
            (b'\r', _) => {
                *input = rest;
                self.state = State::AfterCr;
                return Some(Token::Blank);
            }
            (b':', _) => State::Comment,
            (_, Some(field)) => State::Name { field, matched: 1 },
            // The byte may end nothing and belongs to the piece that follows.
            (_, None) => {
                self.state = State::Ignored;
                return None;
            }
        };
        self.line_len = 1;
        *input = rest;
        None
    }

    /// Compares one more byte with the only name that the line can still have.
    fn name<'c>(
        &mut self,
        byte: u8,
        field: Field,
        matched: usize,
        rest: &'c [u8],
        input: &mut &'c [u8],
    ) -> Option<Token<'c>> {
        let name = field.name();
        self.state = match (name.get(matched), byte) {
            (Some(&expected), _) if expected == byte => State::Name {
                field,
                matched: matched as u8 + 1,
            },
            (None, b':') => State::Space { field },
            // The standard: a line without a colon is a field "using the whole
            // line as the field name, and the empty string as the field value."
            (None, b'\n' | b'\r') => {
                self.state = State::Value { field };
                return None;
            }
            _ => {
                self.state = State::Ignored;
                let bytes = name.get(..matched).unwrap_or(name);
                return Some(Token::Ignored {
                    bytes,
                    ends_line: false,
                });
            }
        };
        *input = rest;
        self.line_len += 1;
        None
    }

    /// Takes the rest of the line, or as much of it as there is.
    #[inline]
    fn piece<'c>(&mut self, input: &mut &'c [u8]) -> (&'c [u8], bool) {
        let chunk = *input;
        let Some((piece, rest)) = chunk.split_at_checked(scan::line_end(chunk)) else {
            return (chunk, false);
        };
        if rest.is_empty() {
            self.line_len += chunk.len() as u64;
            *input = rest;
            return (chunk, false);
        }
        let is_cr = rest.first() == Some(&b'\r');
        self.state = if is_cr {
            State::AfterCr
        } else {
            State::LineStart
        };
        self.line_len += piece.len() as u64;
        *input = rest.get(1..).unwrap_or_default();
        (piece, true)
    }
}
