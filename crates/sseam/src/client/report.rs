//! What became of a source: one value, for programs and, in a line, for people.

use std::fmt;
use std::time::Duration;

use sseam_core::Counters;
use sseam_llm::Outcome;

/// What became of a source.
///
/// Its text shows codes and figures, and nothing that the request or the stream
/// holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// What became of the answer; [`Outcome::exit_code`] is the command's.
    pub outcome: Outcome,
    /// What all connections together have sent.
    pub counters: Counters,
    /// Requests that were made, without those of redirects.
    pub requests: u32,
    /// Event streams that were begun.
    pub connections: u32,
    /// Reads that gave bytes.
    pub reads: u64,
    /// From the start to the end, or until now.
    pub elapsed: Duration,
    /// From the start to the first byte of a body.
    pub first_byte: Option<Duration>,
    /// From the start to the first event.
    pub first_event: Option<Duration>,
    /// From the start to the first output.
    pub first_output: Option<Duration>,
    /// The longest time from one byte to the next, within one connection.
    pub longest_gap: Duration,
    /// No event came, not even one that was left out: to ask again gives nothing twice.
    pub retry_is_safe: bool,
    /// A response was chunked and its last chunk lacked its end, which was
    /// accepted: all of the body was there.
    pub has_short_end: bool,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            outcome, counters, ..
        } = self;
        write!(
            f,
            "{outcome}; {} events, {} bytes",
            counters.events, counters.bytes
        )?;
        write!(f, ", {} ms", self.elapsed.as_millis())?;
        if self.requests > 1 {
            write!(f, ", {} requests", self.requests)?;
        }
        if outcome.seen.late_fault {
            f.write_str("; the connection broke after the end of the answer")?;
        }
        if self.has_short_end {
            f.write_str("; the last chunk lacked its end")?;
        }
        Ok(())
    }
}
