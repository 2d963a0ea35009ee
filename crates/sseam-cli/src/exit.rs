//! What a run comes to: one table of exit codes for all commands.

use std::process::ExitCode;

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
    /// The stream broke off inside a block.
    Truncated,
    /// A limit was passed.
    LimitExceeded,
    /// The text of a printed event is not valid UTF-8.
    InvalidText,
    /// The input is no event stream.
    NotEventStream,
}

impl Exit {
    /// The exit code of the process.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Truncated => 20,
            Exit::LimitExceeded => 22,
            Exit::InvalidText => 23,
            Exit::NotEventStream => 31,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
