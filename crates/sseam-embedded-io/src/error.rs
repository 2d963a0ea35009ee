//! What can go wrong while reading: the transport's own error, the parser's, or
//! an end in the middle of an event.

use core::fmt;

use sseam_core::{End, Error};

/// Why there is no next event. Every event before it was delivered.
///
/// `E` is the error of the transport. No variant holds bytes of the stream, so
/// each can be logged as it is, as far as the transport's own error can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ReadError<E> {
    /// The transport failed. Nothing that was read is lost: call again, and
    /// reading goes on where the transport does. After a loss of bytes, as of
    /// an overrun UART, call `resync` first.
    Source(E),
    /// The stream passed a limit. That stays: each further call gives the same
    /// error until a reset.
    Parse(Error),
    /// The stream ended inside an event, which is never delivered as whole.
    /// Said once; afterwards there is nothing more, until a reset.
    Truncated(End),
}

impl<E> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Source(_) => f.write_str("the transport of the stream failed"),
            ReadError::Parse(error) => error.fmt(f),
            ReadError::Truncated(end) => end.fmt(f),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for ReadError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ReadError::Source(error) => Some(error),
            // Their text is this error's own, so they are not told twice.
            ReadError::Parse(_) | ReadError::Truncated(_) => None,
        }
    }
}
