//! Stage 2, bytes to whether HTTP's chunk sizes were left in: what `curl --raw`
//! saves, and what a client of few lines over a bare socket takes for the body.
//!
//! A line of hexadecimal digits may begin an event stream too, where it is
//! ignored. Only a chunk that is exactly as long as its size line says, with the
//! next size line behind it, is taken for proof.

/// Follows the framing as long as the input agrees with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chunked {
    state: State,
    /// Whether a whole chunk has passed, so that the next size line is proof.
    has_chunk: bool,
}

/// What the next byte means.
///
/// ```text
/// Size --;--> Extension --.            .--bytes--.
///   `--------CR-------> SizeEnd --LF--> Data ---> DataCr --CR--> DataLf --LF--> Size
/// anything else --> Broken             the second SizeEnd --LF--> Proved
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Within a size; digits <= 8, so that `size` holds them all.
    Size { digits: u8, size: u32 },
    /// Within what may follow a size.
    Extension { size: u32 },
    /// Before the LF of a size line.
    SizeEnd { size: u32 },
    /// Within a chunk; 1 <= left.
    Data { left: u32 },
    /// Before the CR after a chunk.
    DataCr,
    /// Before the LF after a chunk.
    DataLf,
    /// The second size line was where the first one said.
    Proved,
    /// The input does not agree.
    Broken,
}

impl Chunked {
    /// At the first byte of the input.
    pub(crate) const fn new() -> Chunked {
        Chunked {
            state: State::Size { digits: 0, size: 0 },
            has_chunk: false,
        }
    }

    /// Follows `bytes`; gives the index after the byte that was the proof, once.
    pub(crate) fn follow(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match self.state {
                State::Proved | State::Broken => return None,
                State::Data { left } => {
                    let there = bytes.len() - at;
                    let taken = there.min(left as usize);
                    // At most `left`, which is a u32.
                    self.state = match left - taken as u32 {
                        0 => State::DataCr,
                        left => State::Data { left },
                    };
                    at += taken;
                    continue;
                }
                _ => self.step(byte),
            }
            at += 1;
            if self.state == State::Proved {
                return Some(at);
            }
        }
        None
    }

    /// Whether the input agrees but has no proof yet: it ends in its first chunk.
    pub(crate) const fn is_within_first_chunk(&self) -> bool {
        matches!(self.state, State::Data { .. }) && !self.has_chunk
    }

    /// Whether the input does not agree, whatever comes.
    pub(crate) const fn is_broken(&self) -> bool {
        matches!(self.state, State::Broken)
    }

    /// Takes one byte outside of a chunk.
    fn step(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (State::Size { digits: 1.., size }, b';') => State::Extension { size },
            (State::Size { digits: 1.., size } | State::Extension { size }, CR) => {
                State::SizeEnd { size }
            }
            (State::Size { digits, size }, _) if digits < 8 => match hex(byte) {
                Some(digit) => State::Size {
                    digits: digits + 1,
                    size: size << 4 | digit,
                },
                None => State::Broken,
            },
            (State::Extension { size }, b' '..=b'~' | b'\t') => State::Extension { size },
            (State::SizeEnd { .. }, LF) if self.has_chunk => State::Proved,
            // An empty body says nothing about the framing.
            (State::SizeEnd { size: left @ 1.. }, LF) => State::Data { left },
            (State::DataCr, CR) => State::DataLf,
            (State::DataLf, LF) => {
                self.has_chunk = true;
                State::Size { digits: 0, size: 0 }
            }
            _ => State::Broken,
        };
    }
}

/// The value of a hexadecimal digit.
fn hex(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(16)
}

const CR: u8 = b'\r'; // tidy: of HTTP's framing, not of an event's lines.
const LF: u8 = b'\n'; // tidy: of HTTP's framing, not of an event's lines.
