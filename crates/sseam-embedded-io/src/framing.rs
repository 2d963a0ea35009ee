//! The framing of a body, taken off in place: a buffer as it was read comes in,
//! the same buffer with the body at its front goes out.

use core::fmt;

use crate::chunked::{ChunkedDecoder, ChunkedError};

/// How the end of a body is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// By a chunk of size 0.
    Chunked(ChunkedDecoder),
    /// By a count of bytes, of which this many are left.
    Length(u64),
    /// By the end of the connection.
    UntilClose,
}

impl Framing {
    /// A chunked body at its first byte.
    pub const CHUNKED: Framing = Framing::Chunked(ChunkedDecoder::new());

    /// Moves what belongs to the body to the front of `buffer`, whose first `len`
    /// bytes were read, and tells how much that is.
    ///
    /// What follows the body is dropped.
    ///
    /// # Errors
    ///
    /// Bad framing: see [`ChunkedError`].
    pub fn strip(&mut self, buffer: &mut [u8], len: usize) -> Result<usize, ChunkedError> {
        let len = len.min(buffer.len());
        match self {
            Framing::Chunked(decoder) => strip_chunks(decoder, buffer, len),
            Framing::Length(left) => {
                let body = usize::try_from(*left).unwrap_or(usize::MAX).min(len);
                *left -= body as u64;
                Ok(body)
            }
            Framing::UntilClose => Ok(len),
        }
    }

    /// Whether nothing of the body can follow.
    pub const fn is_done(&self) -> bool {
        match self {
            Framing::Chunked(decoder) => decoder.is_done(),
            Framing::Length(left) => *left == 0,
            Framing::UntilClose => false,
        }
    }

    /// Whether a body may end where the connection does.
    pub const fn may_end(&self) -> bool {
        self.is_done() || matches!(self, Framing::UntilClose)
    }
}

/// The pieces move down over the framing before them. Each is moved once.
fn strip_chunks(
    decoder: &mut ChunkedDecoder,
    buffer: &mut [u8],
    len: usize,
) -> Result<usize, ChunkedError> {
    let (mut from, mut to) = (0, 0);
    while from < len {
        let mut input = buffer.get(from..len).unwrap_or_default();
        let piece = decoder.next_piece(&mut input)?.map_or(0, <[u8]>::len);
        let after = len - input.len();
        if piece == 0 {
            break;
        }
        // Gap and piece; the piece goes to the front of both.
        let part = buffer.get_mut(to..after).unwrap_or_default();
        if let Some(gap) = part.len().checked_sub(piece) {
            part.copy_within(gap.., 0);
        }
        to += piece;
        from = after;
    }
    Ok(to)
}

/// Why a body could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum BodyError<E> {
    /// The transport failed.
    Source(E),
    /// The chunked framing is wrong.
    Chunked(ChunkedError),
    /// The connection ended before the body did.
    Cut,
}

impl<E> fmt::Display for BodyError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BodyError::Source(_) => f.write_str("the transport of the body failed"),
            BodyError::Chunked(error) => error.fmt(f),
            BodyError::Cut => f.write_str("the connection ended before the body did"),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for BodyError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            BodyError::Source(error) => Some(error),
            // Its text is this error's own.
            BodyError::Chunked(_) | BodyError::Cut => None,
        }
    }
}
