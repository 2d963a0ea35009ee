//! Chunked bodies as a byte state machine: framed bytes come in, pieces of the
//! body go out.
//!
//! It has no buffer: a chunk may be larger than any memory, and the input may be
//! cut anywhere, inside a size, an extension, a line end or a trailer. What it
//! remembers is the number of bytes left and where in the framing it is.

use core::fmt;

// HTTP has line ends of its own, which are no event stream's.
pub(crate) const CR: u8 = b'\r'; // tidy: the framing's, not the stream's
pub(crate) const LF: u8 = b'\n'; // tidy: the framing's, not the stream's

/// Most bytes that the extensions of one body, or its trailers, may have. They
/// are thrown away, but a server that never stops sending them sends no data.
const IGNORED_LEN_MAX: u16 = 16 * 1024;

/// What the next byte of the framing means.
///
/// ```text
///            digit        CR, or BWS or ; and all up to it     LF, size > 0
/// SizeStart ------> Size ------------------------------> SizeEnd ----------> Data
///    ^                                                      | LF, size 0      |
///    `------------ DataLf <---CR--- DataCr <----------------+-----------------'
///                                                           v
///        Done <--LF-- LastLf <--CR-- TrailerStart ---> Trailer --> TrailerLf --> TrailerStart
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the first digit of a size.
    SizeStart,
    /// Inside the digits.
    Size,
    /// Behind the digits: white space or an extension, up to the CR.
    Extension,
    /// At the LF of a size line.
    SizeEnd,
    /// Inside the data of a chunk.
    Data,
    /// At the CR after the data.
    DataCr,
    /// At the LF after the data.
    DataLf,
    /// At the first byte of a trailer line, or of the blank line.
    TrailerStart,
    /// Inside a trailer line.
    Trailer,
    /// At the LF of a trailer line.
    TrailerLf,
    /// At the LF of the blank line.
    LastLf,
    /// After the body.
    Done,
    /// The framing was wrong and stays so.
    Failed(ChunkedError),
}

/// Takes the framing off a chunked body.
///
/// ```
/// use sseam_embedded_io::ChunkedDecoder;
///
/// let mut decoder = ChunkedDecoder::new();
/// let mut body = Vec::new();
/// for mut input in [&b"7\r\ndata: h\r"[..], b"\n3;x=y\r\ni\n\n\r\n0\r\n\r\nnext"] {
///     while let Some(piece) = decoder.next_piece(&mut input)? {
///         body.extend_from_slice(piece);
///     }
/// }
/// assert_eq!(body, b"data: hi\n\n");
/// assert!(decoder.is_done());
/// # Ok::<(), sseam_embedded_io::ChunkedError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkedDecoder {
    /// The size so far, then what is left of the chunk.
    left: u64,
    /// Bytes of extensions so far, then of trailers; <= [`IGNORED_LEN_MAX`]
    ignored: u16,
    state: State,
}

impl Default for ChunkedDecoder {
    fn default() -> Self {
        ChunkedDecoder::new()
    }
}

impl ChunkedDecoder {
    /// A decoder at the first byte of a body.
    pub const fn new() -> Self {
        ChunkedDecoder {
            left: 0,
            ignored: 0,
            state: State::SizeStart,
        }
    }

    /// Takes framing off the front of `input`, then the next piece of the body.
    ///
    /// `None` means that the input is used up, or that the body has ended; what
    /// follows the body stays in `input`. A piece is never empty.
    ///
    /// # Errors
    ///
    /// See [`ChunkedError`]; it stays, and the body up to it was given.
    pub fn next_piece<'c>(
        &mut self,
        input: &mut &'c [u8],
    ) -> Result<Option<&'c [u8]>, ChunkedError> {
        loop {
            match self.state {
                State::Done => return Ok(None),
                State::Failed(error) => return Err(error),
                State::Data if self.left > 0 => {
                    let left = usize::try_from(self.left).unwrap_or(usize::MAX);
                    let piece = input.get(..left).unwrap_or(input);
                    *input = input.get(piece.len()..).unwrap_or_default();
                    self.left -= piece.len() as u64;
                    return Ok(Some(piece).filter(|piece| !piece.is_empty()));
                }
                State::Data => self.state = State::DataCr,
                _ => {
                    let Some((&byte, rest)) = input.split_first() else {
                        return Ok(None);
                    };
                    *input = rest;
                    self.state = self.after(byte).unwrap_or_else(State::Failed);
                }
            }
        }
    }

    /// Whether the last chunk and the trailers have come.
    pub const fn is_done(&self) -> bool {
        matches!(self.state, State::Done)
    }

    /// Where one byte of the framing leads.
    fn after(&mut self, byte: u8) -> Result<State, ChunkedError> {
        Ok(match (self.state, byte) {
            (State::SizeStart | State::Size, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
                self.left = append_digit(self.left, byte).ok_or(ChunkedError::SizeTooLarge)?;
                State::Size
            }
            (State::Size, CR) | (State::Extension, CR) => State::SizeEnd,
            (State::Size, b' ' | b'\t' | b';') => State::Extension,
            (State::SizeStart | State::Size, _) => return Err(ChunkedError::Size),
            (State::SizeEnd, LF) if self.left == 0 => {
                self.ignored = 0;
                State::TrailerStart
            }
            (State::SizeEnd, LF) => State::Data,
            (State::DataCr, CR) => State::DataLf,
            (State::DataLf, LF) => State::SizeStart,
            (State::TrailerStart, CR) => State::LastLf,
            (State::LastLf, LF) => State::Done,
            (State::Trailer, CR) => State::TrailerLf,
            (State::TrailerLf, LF) => State::TrailerStart,
            // A bare LF ends no line here: two readers that differ on that see
            // two different bodies.
            (State::Extension | State::Trailer | State::TrailerStart, LF) => {
                return Err(ChunkedError::LineEnd);
            }
            (State::Extension, _) => self.ignore(State::Extension)?,
            (State::TrailerStart | State::Trailer, _) => self.ignore(State::Trailer)?,
            _ => return Err(ChunkedError::LineEnd),
        })
    }

    /// Counts a byte that means nothing.
    fn ignore(&mut self, state: State) -> Result<State, ChunkedError> {
        if self.ignored >= IGNORED_LEN_MAX {
            return Err(ChunkedError::TooMuchIgnored);
        }
        self.ignored += 1;
        Ok(state)
    }
}

fn append_digit(number: u64, byte: u8) -> Option<u64> {
    let digit = match byte {
        b'0'..=b'9' => byte - b'0',
        _ => (byte | 0x20) - b'a' + 10,
    };
    Some(number.checked_mul(16)? + u64::from(digit))
}

/// What is wrong with the framing of a chunked body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ChunkedError {
    /// A chunk's size begins with no digit, or holds a byte that is none.
    Size,
    /// A chunk's size is above `u64::MAX`.
    SizeTooLarge,
    /// A CR or LF is missing, or is where none may be.
    LineEnd,
    /// Extensions, or trailers, are longer than 16 KiB.
    TooMuchIgnored,
}

impl fmt::Display for ChunkedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChunkedError::Size => "the size of a chunk is not a hexadecimal number",
            ChunkedError::SizeTooLarge => "the size of a chunk has more than 64 bits",
            ChunkedError::LineEnd => "a line end of the chunked framing is missing or misplaced",
            ChunkedError::TooMuchIgnored => "chunk extensions or trailers are longer than 16 KiB",
        })
    }
}

impl core::error::Error for ChunkedError {}
