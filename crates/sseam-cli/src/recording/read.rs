//! A file to reads with their times.

use std::fmt;
use std::io::{self, BufRead, Read};

use super::{First, Line, MAGIC, VERSION};

/// What the first bytes of a file say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beginning {
    Recording,
    /// More bytes decide.
    Unknown,
    Other,
}

/// Whether a file that begins with `bytes` is a recording.
pub(crate) fn beginning(bytes: &[u8]) -> Beginning {
    if bytes.starts_with(MAGIC) {
        Beginning::Recording
    } else if MAGIC.starts_with(bytes) {
        Beginning::Unknown
    } else {
        Beginning::Other
    }
}

/// The lines of a recording.
pub(crate) struct Lines<R> {
    source: R,
    line: Vec<u8>,
    /// How many lines were taken.
    number: u64,
}

/// Why a recording cannot be read on.
#[derive(Debug)]
pub(crate) enum RecordingError {
    Read(io::Error),
    /// It was written by a later sseam.
    Version(u32),
    /// This line is none of a recording; from 1.
    Line(u64),
}

impl<R: BufRead> Lines<R> {
    pub(crate) const fn new(source: R) -> Lines<R> {
        Lines {
            source,
            line: Vec::new(),
            number: 0,
        }
    }

    /// The next line; `None` at the end. A last line that was not written whole
    /// is taken for the end: the recorder was killed there.
    ///
    /// # Errors
    ///
    /// [`RecordingError`]; there is nothing after it.
    pub(crate) fn next_line(&mut self) -> Result<Option<Line<'_>>, RecordingError> {
        if self.number == 0 {
            if !self.fill()? {
                return Err(RecordingError::Line(1));
            }
            let first: First = self.parsed()?;
            if first.sseam_recording != VERSION {
                return Err(RecordingError::Version(first.sseam_recording));
            }
        }
        match self.fill()? {
            true => self.parsed().map(Some),
            false => Ok(None),
        }
    }

    /// Takes a whole line into memory; whether there is one.
    fn fill(&mut self) -> Result<bool, RecordingError> {
        self.line.clear();
        let mut longest = (&mut self.source).take(LINE_LEN_MAX);
        let result = longest.read_until(b'\n', &mut self.line);
        result.map_err(RecordingError::Read)?;
        self.number += 1;
        let is_whole = self.line.ends_with(b"\n");
        if !is_whole && self.line.len() as u64 == LINE_LEN_MAX {
            return Err(RecordingError::Line(self.number));
        }
        Ok(is_whole)
    }

    fn parsed<'s, T: serde::Deserialize<'s>>(&'s self) -> Result<T, RecordingError> {
        serde_json::from_slice(&self.line).map_err(|_| RecordingError::Line(self.number))
    }
}

impl Line<'_> {
    /// The bytes of a read; `None` in other lines, or if they make no sense.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        if let Some(data) = &self.data {
            return Some(data.as_bytes().to_vec());
        }
        let digits = self.hex.as_deref()?.as_bytes();
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let byte = |pair: &[u8]| match pair {
            // Two digits fit a byte.
            [high, low] => Some((digit(*high)? * 16 + digit(*low)?) as u8),
            _ => None,
        };
        digits.chunks(2).map(byte).collect()
    }
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordingError::Read(error) => write!(f, "{error}"),
            RecordingError::Version(version) => {
                write!(
                    f,
                    "it is a recording of version {version}, which a later sseam reads"
                )
            }
            RecordingError::Line(number) => {
                write!(f, "line {number} of the recording is damaged")
            }
        }
    }
}

impl std::error::Error for RecordingError {}

/// A read is at most some hundred KiB, and JSON makes six bytes of one at most.
const LINE_LEN_MAX: u64 = 16 << 20;
