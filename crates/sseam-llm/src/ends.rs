//! Stage 4, the ways of ending: how the reading of a stream ended, and what may
//! become of an answer.

use core::fmt;

use sseam_core::Limit;

use crate::reason::Reason;

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

/// How the reading of a stream ended: see [`Answer::end`](crate::Answer::end).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Close {
    /// The transport ended.
    Transport(TransportEnd),
    /// The parser stopped because something was too much.
    Limit(Excess),
    /// The caller gave up waiting.
    TimedOut(Timeout),
    /// Nothing came for a while after all choices had finished, and the caller
    /// waits no longer for more.
    Settled,
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
