//! What can go wrong while reading: the source's own error, the parser's, or an
//! end in the middle of an event.

use std::convert::Infallible;
use std::fmt;
use std::io;

use sseam_core::{End, Error};

/// Why there is no next event. Every event before it was delivered.
///
/// `E` is the error of the source: [`io::Error`] for readers, [`Infallible`]
/// for chunks that are already there.
///
/// No variant holds bytes of the stream, so each can be logged as it is, as far
/// as the source's own error can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError<E = io::Error> {
    /// The source failed. Nothing is lost: a lending reader may be asked again,
    /// and goes on where the source does.
    Source(E),
    /// The stream passed a limit, or memory could not grow. A passed limit
    /// stays: each further call gives the same error until a reset.
    Parse(Error),
    /// The stream ended inside an event, which is never delivered as whole.
    /// Said once; afterwards there is nothing more, until a reset.
    Truncated(End),
}

impl<E> ReadError<E> {
    /// What the end of input threw away, if that is what this error says.
    pub fn truncated(&self) -> Option<End> {
        match self {
            ReadError::Truncated(end) => Some(*end),
            _ => None,
        }
    }

    /// The same error, with that of the source made into another.
    ///
    /// ```
    /// use sseam::{End, ReadError};
    ///
    /// let error: ReadError<u8> = ReadError::Source(7);
    /// assert_eq!(error.map_source(u32::from), ReadError::Source(7_u32));
    /// ```
    pub fn map_source<F>(self, map: impl FnOnce(E) -> F) -> ReadError<F> {
        match self {
            ReadError::Source(error) => ReadError::Source(map(error)),
            ReadError::Parse(error) => ReadError::Parse(error),
            ReadError::Truncated(end) => ReadError::Truncated(end),
        }
    }
}

impl<E> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Source(_) => f.write_str("the source of the stream failed"),
            ReadError::Parse(error) => error.fmt(f),
            ReadError::Truncated(end) => end.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for ReadError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadError::Source(error) => Some(error),
            // Their text is this error's own, so they are not told twice.
            ReadError::Parse(_) | ReadError::Truncated(_) => None,
        }
    }
}

impl<E> From<Error> for ReadError<E> {
    fn from(error: Error) -> Self {
        ReadError::Parse(error)
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Source(error)
    }
}

/// For functions that return [`io::Result`]: an end inside an event becomes
/// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof), a passed limit
/// [`InvalidData`](io::ErrorKind::InvalidData), memory that could not grow
/// [`OutOfMemory`](io::ErrorKind::OutOfMemory).
impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Source(error) => error,
            ReadError::Parse(error @ Error::MemoryTooShort { .. }) => {
                io::Error::new(io::ErrorKind::OutOfMemory, error)
            }
            ReadError::Parse(error) => io::Error::new(io::ErrorKind::InvalidData, error),
            ReadError::Truncated(end) => io::Error::new(io::ErrorKind::UnexpectedEof, end),
        }
    }
}

/// See the conversion of a reader's error.
impl From<ReadError<Infallible>> for io::Error {
    fn from(error: ReadError<Infallible>) -> Self {
        let error: ReadError = error.map_source(|never| match never {});
        error.into()
    }
}
