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
use crate::token::{Field, Kind, Piece, Token};

/// What the next byte means.
///
/// ```text
///                          first byte
/// Start, LineStart -----------------------> Name, or Rest of another line
///   ^   ^        ^
///   |   |        `-- LF, none -- AfterCr <--CR-- Rest
///   |   `--------------------------------LF-------'
///   `-- byte-order mark -- Name --colon--> Space ----> Rest of a value
///                            |-- no name --> Rest of an ignored line
///                            `-- no byte-order mark --> Rejected --> the same
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// At the first byte of the stream, where a byte-order mark may stand.
    Start,
    /// At the first byte of a line.
    LineStart,
    /// After a CR that ended a line: one LF here belongs to that CR.
    AfterCr,
    /// Inside a line that agrees with the name of `field` so far, or without a
    /// field, inside what may be a byte-order mark; `letters` are to come.
    Name { field: Option<Field>, letters: u32 },
    /// The bytes so far, which agreed with a name, have been given out: they
    /// begin an ignored line, which goes on here.
    Rejected { field: Option<Field> },
    /// After the colon: one space here belongs to the colon.
    Space { field: Field },
    /// Inside a line of known kind; of a field, inside its value.
    Rest { kind: Kind },
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
            state: State::Start,
        }
    }

    /// Takes the next token off the front of `input`.
    ///
    /// `None` means that the input is used up. The token borrows the input only.
    #[inline]
    pub fn next_token<'c>(&mut self, input: &mut &'c [u8]) -> Option<Token<'c>> {
        let chunk = *input;
        let piece = self.next_piece(chunk, 0);
        let next = piece.map_or(chunk.len(), Piece::next);
        *input = chunk.get(next..).unwrap_or_default();
        let Piece {
            kind, ends_line, ..
        } = piece?;
        let bytes = piece?.bytes(chunk);
        Some(match (kind, self.state) {
            (_, State::Rejected { field }) => Token::Ignored {
                bytes: name(field)
                    .get(..self.line_len as usize)
                    .unwrap_or_default(),
                ends_line,
            },
            (Kind::Value(field), _) => Token::Value {
                field,
                bytes,
                ends_line,
            },
            (Kind::Comment, _) => Token::Comment { bytes, ends_line },
            (Kind::Ignored, _) => Token::Ignored { bytes, ends_line },
            (Kind::Blank, _) => Token::Blank,
        })
    }

    /// Finds the next piece of a line from index `at` of the chunk on.
    ///
    /// `None` means that the chunk is used up. The beginning of a name that turned
    /// out to be unknown comes as a piece of no bytes.
    #[inline]
    pub(crate) fn next_piece(&mut self, chunk: &[u8], mut at: usize) -> Option<Piece> {
        let mut counted_from = at;
        let piece = loop {
            let Some(&byte) = chunk.get(at) else {
                break None;
            };
            let (state, is_taken) = match self.state {
                // "\r\n" is one line end. The CR ended the line, perhaps in an
                // earlier chunk; taken as a second end, this LF would be a blank
                // line and dispatch too soon.
                State::AfterCr => {
                    self.state = State::LineStart;
                    at += usize::from(byte == b'\n');
                    counted_from = at;
                    continue;
                }
                State::Start | State::LineStart => {
                    self.line_len = 0;
                    counted_from = at;
                    begin_line(byte, matches!(self.state, State::Start))
                }
                State::Name { field, letters } => match after_name(field, letters, byte) {
                    Some(after) => after,
                    None => {
                        self.state = State::Rejected { field };
                        break Some(Piece::nothing(at));
                    }
                },
                State::Rejected { .. } => {
                    let kind = Kind::Ignored;
                    (State::Rest { kind }, false)
                }
                // The standard: "If value starts with a U+0020 SPACE character,
                // remove it from value." One space, and no other white space.
                State::Space { field } => {
                    let kind = Kind::Value(field);
                    (State::Rest { kind }, byte == b' ')
                }
                State::Rest { kind } => break Some(self.rest(kind, chunk, at)),
            };
            self.state = state;
            at += usize::from(is_taken);
        };
        let end = piece.map_or(at, |piece| piece.end);
        self.line_len += (end - counted_from) as u64;
        piece
    }

    /// Bytes so far of the line in progress, else the length of the last line.
    ///
    /// Line end and byte-order mark do not count; bytes that only look like the
    /// beginning of a byte-order mark count once it is known that they are none.
    #[inline]
    pub const fn line_len(&self) -> u64 {
        match self.state {
            State::Name { field: None, .. } | State::Rejected { field: None } => 0,
            _ => self.line_len,
        }
    }

    /// Whether a line has begun and not ended, be it by one byte.
    ///
    /// True also inside a byte-order mark, which the standard would decode to
    /// U+FFFD if the stream ended there.
    pub const fn is_within_line(&self) -> bool {
        !matches!(
            self.state,
            State::Start
                | State::LineStart
                | State::AfterCr
                | State::Name {
                    field: None,
                    letters: 0
                }
        )
    }

    /// The field of the line in progress, once its colon has been seen.
    pub const fn field_in_progress(&self) -> Option<Field> {
        match self.state {
            State::Space { field }
            | State::Rest {
                kind: Kind::Value(field),
            } => Some(field),
            _ => None,
        }
    }

    /// Whether the line in progress is a comment.
    pub(crate) const fn is_within_comment(&self) -> bool {
        matches!(
            self.state,
            State::Rest {
                kind: Kind::Comment
            }
        )
    }

    /// Whether the line in progress can still turn out to be ignored, or a
    /// comment: any line but one of `data` or `event` whose colon has been seen.
    pub(crate) const fn may_be_ignored(&self) -> bool {
        let is_field = matches!(self.field_in_progress(), Some(Field::Data | Field::Event));
        self.is_within_line() && !is_field
    }

    /// Whether the line in progress would be ignored for its name, if no more of
    /// it came: a name that is whole but for its colon is known.
    pub(crate) const fn is_within_unknown_field(&self) -> bool {
        match self.state {
            State::Name { field, letters } => field.is_some() && letters > 0,
            State::Rest { kind } => matches!(kind, Kind::Ignored),
            _ => false,
        }
    }

    /// Bytes so far of the line in progress, those included that may be part of a
    /// byte-order mark.
    pub(crate) const fn line_len_with_bom(&self) -> u64 {
        self.line_len
    }

    /// The last `len` bytes of a piece of this kind will be taken again.
    pub(crate) fn give_back(&mut self, kind: Kind, len: usize) {
        self.line_len -= len as u64;
        self.state = State::Rest { kind };
    }

    /// Goes on in the middle of a line that nobody knows, after a loss of bytes.
    pub(crate) fn lose_line(&mut self) {
        *self = Tokenizer {
            line_len: 0,
            state: State::Rest {
                kind: Kind::Ignored,
            },
        };
    }

    /// Takes the rest of the line from index `begin` on, or as much of it as there
    /// is.
    #[inline]
    fn rest(&mut self, kind: Kind, chunk: &[u8], begin: usize) -> Piece {
        let end = begin + scan::line_end(chunk.get(begin..).unwrap_or_default());
        let byte = chunk.get(end);
        match byte {
            Some(b'\r') => self.state = State::AfterCr,
            Some(_) => self.state = State::LineStart,
            None => {}
        }
        Piece {
            kind,
            begin,
            end,
            ends_line: byte.is_some(),
        }
    }
}

/// What a line can be by its first byte, and whether that byte is part of a name
/// or a colon; otherwise it belongs to the piece that follows.
///
/// The standard: "one leading U+FEFF BYTE ORDER MARK character, if any are
/// present", at the first byte of the stream and nowhere else.
#[inline]
const fn begin_line(byte: u8, is_start: bool) -> (State, bool) {
    let (field, letters) = match byte {
        b'd' => (Some(Field::Data), *b"ata\0"),
        b'e' => (Some(Field::Event), *b"vent"),
        b'i' => (Some(Field::Id), *b"d\0\0\0"),
        b'r' => (Some(Field::Retry), *b"etry"),
        0xEF if is_start => (None, *b"\xBB\xBF\0\0"),
        b':' => {
            return (
                State::Rest {
                    kind: Kind::Comment,
                },
                true,
            );
        }
        b'\n' | b'\r' => return (State::Rest { kind: Kind::Blank }, false),
        _ => {
            return (
                State::Rest {
                    kind: Kind::Ignored,
                },
                false,
            );
        }
    };
    let letters = u32::from_le_bytes(letters);
    (State::Name { field, letters }, true)
}

/// What the next byte means after this one, and whether this one is taken, where
/// `letters` of a name are to come; `None` if this is none of them.
#[inline]
const fn after_name(field: Option<Field>, letters: u32, byte: u8) -> Option<(State, bool)> {
    Some(match (letters as u8, field, byte) {
        (0, None, _) => (State::LineStart, false),
        (0, Some(field), b':') => (State::Space { field }, true),
        // The standard: a line without a colon is a field "using the whole line
        // as the field name, and the empty string as the field value."
        (0, Some(field), b'\n' | b'\r') => {
            let kind = Kind::Value(field);
            (State::Rest { kind }, false)
        }
        (0, ..) => return None,
        (letter, ..) if letter == byte => {
            let letters = letters >> 8;
            (State::Name { field, letters }, true)
        }
        _ => return None,
    })
}

const fn name(field: Option<Field>) -> &'static [u8] {
    match field {
        Some(field) => field.name(),
        None => b"\xEF\xBB\xBF",
    }
}
