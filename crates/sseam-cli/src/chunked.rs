//! Bytes to whether HTTP's chunk sizes were left in: what `curl --raw` saves.
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
    /// Within a size; digits <= 8, so that `size` does not overflow.
    Size { digits: u8, size: u64 },
    /// Within what may follow a size.
    Extension { size: u64 },
    /// Before the LF of a size line.
    SizeEnd { size: u64 },
    /// Within a chunk; 1 <= left.
    Data { left: u64 },
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

    /// Follows `bytes`; gives the index after the byte that was the proof.
    pub(crate) fn follow(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match self.state {
                State::Proved | State::Broken => return None,
                State::Data { left } => {
                    let there = (bytes.len() - at) as u64;
                    let taken = left.min(there);
                    self.state = match left - taken {
                        0 => State::DataCr,
                        left => State::Data { left },
                    };
                    // At most `there`, which was a usize.
                    at += taken as usize;
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

    /// Takes one byte outside of a chunk.
    fn step(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (State::Size { digits, size }, _) if byte.is_ascii_hexdigit() && digits < 8 => {
                let digit = char::from(byte).to_digit(16).unwrap_or(0);
                State::Size {
                    digits: digits + 1,
                    size: size * 16 + u64::from(digit),
                }
            }
            (State::Size { digits: 1.., size }, b';') => State::Extension { size },
            (State::Size { digits: 1.., size } | State::Extension { size }, b'\r') => {
                State::SizeEnd { size }
            }
            (State::Extension { size }, b' '..=b'~' | b'\t') => State::Extension { size },
            (State::SizeEnd { .. }, b'\n') if self.has_chunk => State::Proved,
            // An empty body says nothing about the framing.
            (State::SizeEnd { size: left @ 1.. }, b'\n') => State::Data { left },
            (State::DataCr, b'\r') => State::DataLf,
            (State::DataLf, b'\n') => {
                self.has_chunk = true;
                State::Size { digits: 0, size: 0 }
            }
            _ => State::Broken,
        };
    }
}
