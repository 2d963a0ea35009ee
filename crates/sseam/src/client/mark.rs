//! When bytes arrived, and when connections came and went: what recordings and
//! `--timing` are made of.

use std::fmt;
use std::time::Duration;

use sseam_llm::TransportEnd;

/// A read of body bytes, by its number and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ReadMark {
    /// From 1, over all connections; 0 before the first.
    pub number: u64,
    /// Since the start.
    pub at: Duration,
    /// Which connection, from 1; 0 before the first.
    pub connection: u32,
}

/// What a source does with its connections, as it does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectionStep {
    /// It makes a request.
    Requested {
        /// Which one, from 1, without those of redirects.
        request: u32,
        /// Since the start.
        at: Duration,
    },
    /// The response is an event stream.
    Opened {
        /// Which connection, from 1.
        connection: u32,
        /// Since the start.
        at: Duration,
    },
    /// The source has closed the connection, and every byte of it was told.
    Ended {
        /// Which connection, from 1.
        connection: u32,
        /// Since the start.
        at: Duration,
        /// How the body ended; `None` if the source left before that.
        transport: Option<TransportEnd>,
    },
}

/// Bytes of a body as they arrived.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ReadBytes<'b> {
    /// What the read gave, after chunked framing was taken off.
    pub bytes: &'b [u8],
    /// Which read it was, and when.
    pub mark: ReadMark,
}

/// Shows how many, not which.
impl fmt::Debug for ReadBytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadBytes")
            .field("len", &self.bytes.len())
            .field("mark", &self.mark)
            .finish()
    }
}
