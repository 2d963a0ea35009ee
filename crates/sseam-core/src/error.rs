//! Stage 0, what can go wrong: one variant per cause, each with its numbers.
//!
//! No error holds bytes of the stream, so each can be logged as it is.

use core::fmt;

use crate::limits::Limit;

/// Why a parser stopped.
///
/// Every event before the error was delivered. The error stays: each further
/// call gives it again until `reset`, and input that was not taken is still in
/// the caller's slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Error {
    /// A limit was passed, and the limit is a total or the caller chose
    /// [`Overflow::Stop`](crate::Overflow::Stop). Nothing of the block that
    /// passed it was committed.
    LimitPassed {
        /// Which limit.
        limit: Limit,
        /// Its value.
        max: u64,
        /// Offset in the stream of the first byte over; all before it was taken.
        offset: u64,
    },
    /// The event memory is full and could not grow. The limits were not passed.
    MemoryTooShort {
        /// Bytes of event memory that the next byte of the stream needs.
        wanted: usize,
        /// Bytes of event memory there are.
        given: usize,
    },
    /// Input arrived after `finish`.
    Finished,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::LimitPassed { limit, max, offset } => {
                write!(
                    f,
                    "{} of {max} was passed at byte {offset} of the stream",
                    limit.name()
                )
            }
            Error::MemoryTooShort { wanted, given } => {
                write!(
                    f,
                    "event memory of {given} bytes cannot grow to {wanted} bytes"
                )
            }
            Error::Finished => f.write_str("input after the end of the stream, without a reset"),
        }
    }
}

impl core::error::Error for Error {}

/// Why a parser could not be set up as asked. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SetupError {
    /// The memory is shorter than [`Limits::memory_len`](crate::Limits::memory_len).
    MemoryTooShort {
        /// Bytes that the limits need.
        wanted: usize,
        /// Bytes that were given.
        given: usize,
    },
    /// The last event id is longer than `id_len_max`.
    IdTooLong {
        /// Its length in bytes.
        len: usize,
        /// The limit.
        max: usize,
    },
    /// The last event id holds a CR, an LF or a NUL, which no stream can set.
    IdByte {
        /// Index of that byte in the id.
        at: usize,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::MemoryTooShort { wanted, given } => {
                write!(
                    f,
                    "the limits need {wanted} bytes of event memory, {given} were given"
                )
            }
            SetupError::IdTooLong { len, max } => {
                write!(
                    f,
                    "a last event id of {len} bytes is over id_len_max of {max}"
                )
            }
            SetupError::IdByte { at } => {
                write!(f, "the last event id has a CR, LF or NUL at index {at}")
            }
        }
    }
}

impl core::error::Error for SetupError {}
