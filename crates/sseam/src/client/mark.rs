//! When bytes arrived: what recordings and `--timing` are made of.

use std::fmt;
use std::time::Duration;

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
