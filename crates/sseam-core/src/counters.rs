//! Stage 0, what was counted on the way: for logs that say where without what.

/// What one stream has sent so far, from its start or the last reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Counters {
    /// Bytes taken, a byte-order mark included.
    pub bytes: u64,
    /// Lines that ended, blank ones included.
    pub lines: u64,
    /// Events dispatched.
    pub events: u64,
    /// Comment lines that ended.
    pub comments: u64,
    /// Lines that ended and had no effect: unknown field names, refused `retry`
    /// values, ids with a NUL.
    pub ignored_lines: u64,
    /// Blocks left out because they passed a limit or lost bytes.
    pub skipped: u64,
}

impl Counters {
    pub(crate) const ZERO: Counters = Counters {
        bytes: 0,
        lines: 0,
        events: 0,
        comments: 0,
        ignored_lines: 0,
        skipped: 0,
    };

    #[cfg(feature = "wide-scan")]
    pub(crate) const fn with_more_bytes(self, more: u64) -> Counters {
        let bytes = self.bytes + more;
        Counters { bytes, ..self }
    }
}

/// Where a block stood in its stream, as byte offsets.
///
/// From the first byte of the first line after the previous blank line, a
/// byte-order mark left out, to one past the first byte of the blank line's end.
/// An LF that follows a CR belongs to no span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Span {
    /// Offset of the first byte.
    pub start: u64,
    /// Offset one past the last byte.
    pub end: u64,
}
