//! Stage 4, what became of the answer: the one value that a caller acts on.

use core::fmt;

use sseam_core::Event;

use crate::dialect::Dialect;
use crate::ends::{CancelledBy, Ending};
use crate::origin::ORIGIN_LEN_MAX;
use crate::reason::Reason;
use crate::short::Short;
use crate::state::{CODE_LEN_MAX, MESSAGE_LEN_MAX};
use crate::usage::Usage;

/// The first bytes of an event id that a cursor keeps; longer ids are no cursor.
pub const CURSOR_LEN_MAX: usize = 64;

/// What became of the answer, and what was seen on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// What became of it.
    pub ending: Ending,
    /// What was seen, whatever became of it.
    pub seen: Seen,
    /// Where a new connection would go on.
    pub cursor: Cursor,
}

/// What was seen of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seen {
    /// The dialect; `Auto` if none was recognised, which explains a truncation:
    /// name the dialect.
    pub dialect: Dialect,
    /// The end of the answer: the API's own, or what stands for it.
    pub terminal: bool,
    /// Text, reasoning, a refusal, media or a tool call: asking again costs twice.
    pub output: bool,
    /// The weightiest reason given, also where the terminal is missing.
    pub reason: Option<Reason>,
    /// The API's own word for it, its first bytes.
    pub word: Short<CODE_LEN_MAX>,
    /// Tokens, as far as they were told.
    pub usage: Usage,
    /// Tool calls for the caller that the API ended, and whose arguments are whole.
    pub closed_calls: u32,
    /// Tool calls for the caller that were opened and not closed. Not to be run.
    pub open_calls: u32,
    /// The tool said that it failed (MCP).
    pub tool_error: bool,
    /// Events that were not the JSON that they ought to be, and may have been
    /// output.
    pub unreadable: u32,
    /// Where the first of those was.
    pub unreadable_at: Option<Place>,
    /// Output is missing: what repeats it differs from it, or the caller did not
    /// show all items.
    pub lost: bool,
    /// Events that passed a limit and were left out.
    pub skipped: u32,
    /// The server keeps the answer running without us (Responses), if it said so.
    pub background: Option<bool>,
    /// A sequence number was jumped over: events were lost on the way.
    pub gap: bool,
    /// The transport failed after the terminal; the answer is whole all the same.
    pub late_fault: bool,
    /// The code of the failure, its first bytes.
    pub code: Short<CODE_LEN_MAX>,
    /// The message of the failure, its first bytes.
    pub message: Short<MESSAGE_LEN_MAX>,
    /// The API's id of the answer, its first bytes.
    pub id: Short<ORIGIN_LEN_MAX>,
    /// The model that gave it, as the server tells it, its first bytes.
    pub model: Short<ORIGIN_LEN_MAX>,
}

/// Where an event was that could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Which event, from 1.
    pub event: u32,
    /// Where its block begins in the stream; 0 where events come from elsewhere.
    pub offset: u64,
    /// Index of the byte of its data at which it showed.
    pub byte: u64,
}

impl Place {
    pub(crate) const fn of(event: u32, block: &Event<'_>, byte: usize) -> Self {
        Place {
            event,
            offset: block.span().start,
            byte: byte as u64,
        }
    }
}

/// Where in the stream a new connection would go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cursor {
    /// Nowhere: the stream gave no place.
    Nowhere,
    /// After this sequence number.
    Sequence(u64),
    /// After this id, which stands in the JSON.
    EventId(Short<CURSOR_LEN_MAX>),
    /// After this id of the event stream itself.
    LastEventId(Short<CURSOR_LEN_MAX>),
    /// After an id that is longer than [`CURSOR_LEN_MAX`]: the parser has it.
    TooLong,
}

/// What can be done after an outcome, three questions apart. Nothing of it is
/// done by this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// May the same answer be subscribed to again?
    pub resubscribe: Resubscribe,
    /// Was output seen, so that asking again means a second answer?
    pub output_seen: bool,
    /// Tool calls that are whole and may have been run already.
    pub closed_calls: u32,
    /// Tool calls that are not whole and must not be run.
    pub open_calls: u32,
}

/// Whether the same answer may be subscribed to again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Resubscribe {
    /// The answer is over: there is nothing to wait for.
    NotNeeded,
    /// From here on.
    From(Cursor),
    /// From here on, if the request was one that the server keeps running.
    Perhaps(Cursor),
    /// The API cannot, or gave no place to go on from.
    Impossible,
}

impl Outcome {
    /// The exit code of the command line.
    pub const fn exit_code(&self) -> u8 {
        match self.ending {
            Ending::Completed(_) | Ending::Ended => 0,
            Ending::Incomplete(_) => 10,
            Ending::Refused(_) => 11,
            Ending::Failed | Ending::Cancelled(CancelledBy::Server) => 12,
            Ending::Truncated(_) => 20,
            Ending::TimedOut(_) => 21,
            Ending::LimitExceeded(_) => 22,
            Ending::InvalidText => 23,
            Ending::FailedStatus(_) => 30,
            Ending::NotEventStream => 31,
            Ending::TransportFailed => 40,
            Ending::Cancelled(CancelledBy::User) => 130,
        }
    }

    /// Its name in machine-readable output.
    pub const fn name(&self) -> &'static str {
        match self.ending {
            Ending::Completed(_) => "Completed",
            Ending::Ended => "Ended",
            Ending::Incomplete(_) => "Incomplete",
            Ending::Refused(_) => "Refused",
            Ending::Failed => "Failed",
            Ending::Cancelled(_) => "Cancelled",
            Ending::Truncated(_) => "Truncated",
            Ending::TimedOut(_) => "TimedOut",
            Ending::LimitExceeded(_) => "LimitExceeded",
            Ending::InvalidText => "InvalidText",
            Ending::FailedStatus(_) => "FailedStatus",
            Ending::NotEventStream => "NotEventStream",
            Ending::TransportFailed => "TransportFailed",
        }
    }

    /// Whether the API's own terminal says that all of the answer is there.
    pub const fn is_completed(&self) -> bool {
        matches!(self.ending, Ending::Completed(_))
    }

    /// Why the answer ended: what makes it incomplete, or the weightiest reason
    /// that was given.
    pub const fn reason(&self) -> Option<Reason> {
        match self.ending {
            Ending::Completed(reason) | Ending::Incomplete(reason) | Ending::Refused(reason) => {
                Some(reason)
            }
            _ => self.seen.reason,
        }
    }

    /// Whether the answer is complete, and without any output.
    pub const fn is_empty(&self) -> bool {
        self.is_completed() && !self.seen.output
    }

    /// Whether its closed calls may be run: the answer came to an end that says so.
    pub const fn may_run_calls(&self) -> bool {
        self.is_completed() && self.seen.closed_calls > 0
    }

    /// Whether asking again is safe, in that nothing of an answer came: no output,
    /// and no call that may have been run.
    pub const fn may_ask_again(&self) -> bool {
        !self.seen.output && self.seen.closed_calls == 0 && !self.is_completed()
    }

    /// What can be done now.
    pub fn recovery(&self) -> Recovery {
        Recovery {
            resubscribe: self.resubscribe(),
            output_seen: self.seen.output,
            closed_calls: self.seen.closed_calls,
            open_calls: self.seen.open_calls,
        }
    }

    fn resubscribe(&self) -> Resubscribe {
        let is_over = self.seen.terminal || matches!(self.ending, Ending::Failed);
        let cursor = self.cursor;
        match (self.seen.dialect, cursor) {
            _ if is_over => Resubscribe::NotNeeded,
            (_, Cursor::Nowhere) => Resubscribe::Impossible,
            (Dialect::OpenAiResponses, Cursor::Sequence(_)) => match self.seen.background {
                Some(true) => Resubscribe::From(cursor),
                Some(false) => Resubscribe::Impossible,
                None => Resubscribe::Perhaps(cursor),
            },
            (Dialect::GeminiInteractions, Cursor::EventId(_)) => Resubscribe::From(cursor),
            (Dialect::Mcp2025, _) => Resubscribe::From(cursor),
            (Dialect::Plain | Dialect::Custom, _) => Resubscribe::Perhaps(cursor),
            _ => Resubscribe::Impossible,
        }
    }
}

/// One line for people.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ending {
            Ending::Completed(reason) => write!(f, "completed: {}", reason.name())?,
            Ending::Ended => f.write_str("ended cleanly; whether all is there is not known")?,
            Ending::Incomplete(reason) => write!(f, "incomplete: {}", reason.name())?,
            Ending::Refused(reason) => write!(f, "refused: {}", reason.name())?,
            Ending::Failed => f.write_str("failed, as the server reports")?,
            Ending::Cancelled(CancelledBy::Server) => f.write_str("cancelled by the server")?,
            Ending::Cancelled(CancelledBy::User) => f.write_str("cancelled")?,
            Ending::Truncated(truncation) => write!(f, "truncated: {truncation}")?,
            Ending::TimedOut(timeout) => write!(f, "timed out: {}", timeout.name())?,
            Ending::LimitExceeded(excess) => write!(f, "limit exceeded: {}", excess.name())?,
            Ending::InvalidText => f.write_str("text is not valid UTF-8")?,
            Ending::FailedStatus(status) => write!(f, "failed with HTTP status {status}")?,
            Ending::NotEventStream => f.write_str("not an event stream")?,
            Ending::TransportFailed => f.write_str("no response")?,
        }
        if !self.seen.code.is_empty() {
            write!(f, " ({})", self.seen.code)?;
        }
        if self.is_empty() {
            f.write_str("; empty: there was no output")?;
        }
        if let (Ending::Incomplete(Reason::Unreadable), Some(place)) =
            (self.ending, self.seen.unreadable_at)
        {
            let Place {
                event,
                offset,
                byte,
            } = place;
            write!(
                f,
                "; event {event} at byte {offset}, at byte {byte} of its data"
            )?;
        }
        if self.seen.open_calls > 0 {
            write!(f, "; open tool calls: {}", self.seen.open_calls)?;
        }
        if self.seen.dialect == Dialect::Auto && matches!(self.ending, Ending::Truncated(_)) {
            f.write_str("; no known API was recognised: name the dialect")?;
        }
        Ok(())
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cursor::Nowhere | Cursor::TooLong => Ok(()),
            Cursor::Sequence(number) => write!(f, "{number}"),
            Cursor::EventId(id) | Cursor::LastEventId(id) => f.write_str(id.as_str()),
        }
    }
}
