//! Stage 4, how a stream ended, and what that makes of the answer.

use sseam_core::End;

use crate::body::Verdict;
use crate::dialect::Dialect;
use crate::outcome::{CancelledBy, Close, Cursor, Ending, Excess, Seen, TransportEnd, Truncation};
use crate::reason::{Reason, Weight};
use crate::short::Short;
use crate::state::State;
use crate::turn::Turn;

impl Turn {
    pub(crate) fn ending(&self, end: &End, close: Close) -> Ending {
        let weight = self.state.tally.reason.map(Reason::weight);
        let is_failed = weight == Some(Weight::Failed);
        if is_failed || self.has_error_line && self.reads_error_lines() {
            return Ending::Failed;
        }
        if weight == Some(Weight::Cancelled) {
            return Ending::Cancelled(CancelledBy::Server);
        }
        if self.state.track.is_over_at_end() {
            return self.ending_of_answer();
        }
        match close {
            Close::Transport(transport) => self.ending_of_stream(end, transport),
            Close::Limit(excess) => Ending::LimitExceeded(excess),
            Close::TimedOut(timeout) => Ending::TimedOut(timeout),
            Close::InvalidText => Ending::InvalidText,
            Close::Cancelled => Ending::Cancelled(CancelledBy::User),
            Close::Status(status) => Ending::FailedStatus(status),
            Close::NotEventStream => Ending::NotEventStream,
            Close::NoResponse => Ending::TransportFailed,
        }
    }

    /// The ending of an answer that has its terminal.
    fn ending_of_answer(&self) -> Ending {
        let reason = self.state.tally.reason.unwrap_or(Reason::Other);
        match reason.weight() {
            Weight::Refused => Ending::Refused(reason),
            Weight::Incomplete => Ending::Incomplete(reason),
            _ if self.state.track.is_overfull => Ending::LimitExceeded(Excess::Tracked),
            _ if self.is_lacking => Ending::LimitExceeded(self.skipped.unwrap_or(Excess::Memory)),
            _ => Ending::Completed(reason),
        }
    }

    /// The ending of a stream that ended before the answer had its terminal.
    fn ending_of_stream(&self, end: &End, transport: TransportEnd) -> Ending {
        if let Some(excess) = self.skipped {
            return Ending::LimitExceeded(excess);
        }
        let is_clean = end.is_clean() && transport == TransportEnd::Clean;
        let verdict = self.body.verdict();
        match self.state.track.dialect {
            Dialect::Plain if is_clean => Ending::Ended,
            Dialect::Custom if is_clean && !self.markers.has_end() => Ending::Ended,
            dialect if dialect.is_known_api() && verdict == Verdict::Error => Ending::Failed,
            dialect
                if dialect.is_known_api() && verdict == Verdict::OtherJson && self.events == 0 =>
            {
                Ending::NotEventStream
            }
            Dialect::Mcp2025 if !matches!(self.cursor, Cursor::Nowhere) => {
                Ending::Incomplete(Reason::Reconnect)
            }
            _ => Ending::Truncated(Truncation {
                is_inside_event: end.is_truncated(),
                transport,
            }),
        }
    }

    /// A field named `error` fails a turn of Chat Completions, where servers are
    /// known to send one, and one of which nothing better is known.
    fn reads_error_lines(&self) -> bool {
        matches!(
            self.state.track.dialect,
            Dialect::OpenAiChat | Dialect::Auto
        )
    }

    pub(crate) fn seen(&self, close: Close) -> Seen {
        let State { track, tally } = &self.state;
        let is_over = track.is_over_at_end();
        let is_fault = close != Close::Transport(TransportEnd::Clean);
        let code = match tally.code.is_empty() && self.body.verdict() == Verdict::Error {
            true => Short::of(self.body.code()),
            false => tally.code,
        };
        Seen {
            dialect: track.dialect,
            terminal: is_over,
            output: tally.has_output,
            reason: tally.reason,
            usage: tally.usage,
            closed_calls: tally.closed_calls,
            open_calls: u32::from(track.calls.len()),
            tool_error: self.is_tool_error,
            malformed: tally.malformed,
            skipped: self.skipped_events,
            background: self.is_background,
            gap: self.has_gap,
            late_fault: is_over && is_fault,
            code,
        }
    }
}
