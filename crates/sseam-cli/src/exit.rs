//! What a run comes to: one table of exit codes for all commands.

use std::process::ExitCode;

use sseam::llm::Outcome;

/// How a run of the command ended.
///
/// Where several things went wrong, the first in the order of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Exit {
    /// The stream ended after a whole block, or the reader of the output left.
    Clean,
    /// Reading or writing failed on the way.
    Failure,
    /// The command line is wrong, or the file cannot be read.
    Usage,
    /// The answer ends before it should: length, pause, filter.
    Incomplete,
    /// The model or a filter refused to answer.
    Refused,
    /// The server reports a failure in the stream, or that it cancelled.
    Failed,
    /// The stream broke off inside a block, or before the end of the answer.
    Truncated,
    /// A wait was too long.
    TimedOut,
    /// A limit was passed.
    LimitExceeded,
    /// The text of a printed event is not valid UTF-8.
    InvalidText,
    /// The response has another status than 200.
    FailedStatus,
    /// The input is no event stream.
    NotEventStream,
    /// There was no connection, or no response.
    TransportFailed,
    /// The user ended it.
    Cancelled,
}

impl Exit {
    /// What an answer comes to.
    pub(crate) const fn of(outcome: &Outcome) -> Exit {
        match outcome.exit_code() {
            0 => Exit::Clean,
            10 => Exit::Incomplete,
            11 => Exit::Refused,
            12 => Exit::Failed,
            20 => Exit::Truncated,
            21 => Exit::TimedOut,
            22 => Exit::LimitExceeded,
            23 => Exit::InvalidText,
            30 => Exit::FailedStatus,
            31 => Exit::NotEventStream,
            40 => Exit::TransportFailed,
            130 => Exit::Cancelled,
            _ => Exit::Failure,
        }
    }

    /// The exit code of the process.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Incomplete => 10,
            Exit::Refused => 11,
            Exit::Failed => 12,
            Exit::Truncated => 20,
            Exit::TimedOut => 21,
            Exit::LimitExceeded => 22,
            Exit::InvalidText => 23,
            Exit::FailedStatus => 30,
            Exit::NotEventStream => 31,
            Exit::TransportFailed => 40,
            Exit::Cancelled => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
