//! Stage 4, what became of the answer: the one value that a caller acts on.

use core::fmt;

use sseam_core::Limit;

use crate::dialect::Dialect;
use crate::reason::Reason;
use crate::short::Short;
use crate::signal::Usage;
use crate::state::CODE_LEN_MAX;

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

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// The API's own terminal was seen, and it says that all is there.
    Completed(Reason),
    /// A stream without a terminal was read to its clean end: whole as a stream,
    /// the rest is not known.
    Ended,
    /// There is more, or there would be: the reason says what stopped it.
    Incomplete(Reason),
    /// The model or a filter declined.
    Refused(Reason),
    /// The server reported a failure in the stream.
    Failed,
    /// Cancelled by the server or by the user.
    Cancelled(CancelledBy),
    /// The stream broke off before the terminal.
    Truncated(Truncation),
    /// The caller gave up waiting.
    TimedOut(Timeout),
    /// Something did not fit, and the answer may be lacking it.
    LimitExceeded(Excess),
    /// The stream is not valid UTF-8 and the caller wants it to be.
    InvalidText,
    /// The HTTP status said that there is no answer.
    FailedStatus(u16),
    /// The body is no event stream.
    NotEventStream,
    /// There was no connection, or it broke before the answer began.
    TransportFailed,
}

/// Who cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CancelledBy {
    /// The server, in the stream.
    Server,
    /// The user or the caller.
    User,
}

/// How a stream broke off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Truncation {
    /// Within an event, not between two.
    pub is_inside_event: bool,
    /// How the transport ended.
    pub transport: TransportEnd,
}

/// How the transport of a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransportEnd {
    /// Without a fault.
    Clean,
    /// Before the body's own end: a missing last chunk, too few bytes.
    Cut,
    /// By a reset or another fault of the connection.
    Reset,
}

/// What was waited for in vain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Timeout {
    /// The connection.
    Connect,
    /// The head of the response.
    Headers,
    /// The first output.
    FirstOutput,
    /// Any byte.
    Idle,
    /// Anything that shows that the answer comes on.
    Progress,
    /// The end.
    Total,
}

/// What was too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Excess {
    /// A limit of the parser.
    Limit(Limit),
    /// The memory of the parser.
    Memory,
    /// More open tool calls, or choices, than a turn keeps track of.
    Tracked,
}

/// How the reading of a stream ended: see [`Turn::finish_with`].
///
/// [`Turn::finish_with`]: crate::Turn::finish_with
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Close {
    /// The transport ended.
    Transport(TransportEnd),
    /// The parser stopped because something was too much.
    Limit(Excess),
    /// The caller gave up waiting.
    TimedOut(Timeout),
    /// Text was not UTF-8, and the caller wants it to be.
    InvalidText,
    /// The user or the caller cancelled.
    Cancelled,
    /// The HTTP status was not one of an answer.
    Status(u16),
    /// The head of the response, or the body, is not that of an event stream.
    NotEventStream,
    /// There was no response.
    NoResponse,
}

/// What was seen of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seen {
    /// The dialect; `Auto` if none was recognised, which explains a truncation:
    /// name the dialect.
    pub dialect: Dialect,
    /// The terminal.
    pub terminal: bool,
    /// Text, reasoning, a refusal or a tool call: asking again costs twice.
    pub output: bool,
    /// The weightiest reason given, also where the terminal is missing.
    pub reason: Option<Reason>,
    /// Tokens, as far as they were told.
    pub usage: Usage,
    /// Tool calls that have all their arguments.
    pub closed_calls: u32,
    /// Tool calls that were opened and not closed. Not to be run.
    pub open_calls: u32,
    /// The tool said that it failed (MCP).
    pub tool_error: bool,
    /// Events whose data was not JSON.
    pub malformed: u32,
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
        if self.seen.open_calls > 0 {
            write!(f, "; open tool calls: {}", self.seen.open_calls)?;
        }
        if self.seen.dialect == Dialect::Auto && matches!(self.ending, Ending::Truncated(_)) {
            f.write_str("; no known API was recognised: name the dialect")?;
        }
        Ok(())
    }
}

impl fmt::Display for Truncation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.is_inside_event {
            true => "the stream broke off inside an event",
            false => "the stream ended before the answer did",
        })?;
        match self.transport {
            TransportEnd::Clean => Ok(()),
            TransportEnd::Cut => f.write_str(", and the body was cut"),
            TransportEnd::Reset => f.write_str(", and the connection was reset"),
        }
    }
}

impl Timeout {
    /// Its name in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Timeout::Connect => "connect",
            Timeout::Headers => "headers",
            Timeout::FirstOutput => "first_output",
            Timeout::Idle => "idle",
            Timeout::Progress => "progress",
            Timeout::Total => "total",
        }
    }
}

impl Excess {
    /// The name of the limit.
    pub const fn name(self) -> &'static str {
        match self {
            Excess::Limit(limit) => limit.name(),
            Excess::Memory => "event memory",
            Excess::Tracked => "open tool calls or choices",
        }
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
