//! Why a run ended before its input did, or for what its input was: causes in,
//! exit codes and words out.
//!
//! The words say what happened, at which byte, and which flag changes it. They
//! never show what the stream says, so they can be put into a log or a report.

use std::fmt;
use std::io;

use sseam::llm::{Answer, Close, Excess, Foreign, TransportEnd};
use sseam::{Error, GrowingMemory, Limit, Span};

use crate::args::limit_word;
use crate::exit::Exit;

/// The first cause in the order of the stream.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The parser refused to go on.
    Parser(Error),
    /// A printed event has text that is not valid UTF-8.
    InvalidText {
        /// `type`, `data` or `id`.
        field: &'static str,
        /// Index of the first such byte in the field's value.
        offset: usize,
        /// Where the event stood.
        span: Span,
    },
    /// The tool calls that wait for their end have more bytes of text than this.
    CallText {
        /// The limit.
        max: usize,
    },
    /// The input is something else.
    Foreign(Foreign),
    /// The source broke.
    Read {
        /// Why.
        error: io::Error,
        /// How many bytes it had given.
        offset: u64,
    },
    /// The recording is of a body that was not read to its end.
    Cut {
        /// How many bytes it holds.
        offset: u64,
        /// The connection broke off, rather than that its reader left.
        is_broken: bool,
    },
    /// The recording cannot be written.
    Record(io::Error),
    /// The output broke.
    Write(io::Error),
}

impl Stop {
    /// The text that is not UTF-8, if that is where the answer stopped.
    pub(crate) fn of_text(answer: &Answer<GrowingMemory>) -> Option<Stop> {
        let place = answer.invalid_at()?;
        let span = Span {
            start: place.offset,
            // Nothing was taken after that event.
            end: answer.counters().bytes,
        };
        Some(Stop::InvalidText {
            field: "data",
            offset: usize::try_from(place.byte).unwrap_or(usize::MAX),
            span,
        })
    }

    /// The exit code that it decides.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Stop::Parser(Error::LimitPassed { .. }) | Stop::CallText { .. } => Exit::LimitExceeded,
            Stop::InvalidText { .. } => Exit::InvalidText,
            Stop::Foreign(_) => Exit::NotEventStream,
            Stop::Cut { .. } => Exit::Truncated,
            Stop::Write(_) if self.is_quiet() => Exit::Clean,
            Stop::Parser(_) | Stop::Read { .. } | Stop::Record(_) | Stop::Write(_) => Exit::Failure,
        }
    }

    /// Whether whoever read the output has gone away, as `head` does.
    pub(crate) fn is_quiet(&self) -> bool {
        matches!(self, Stop::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Whether it concerns what the command writes, and nothing of the stream.
    pub(crate) const fn is_about_output(&self) -> bool {
        matches!(self, Stop::Write(_) | Stop::Record(_))
    }

    /// Whether the command found it, and an answer that has its end does not care.
    pub(crate) const fn is_of_command(&self) -> bool {
        matches!(
            self,
            Stop::Read { .. } | Stop::InvalidText { .. } | Stop::CallText { .. }
        )
    }

    /// How the reading of the answer ended because of it.
    pub(crate) const fn close(&self) -> Close {
        match self {
            Stop::Parser(Error::LimitPassed { limit, .. }) => Close::Limit(Excess::Limit(*limit)),
            Stop::Parser(_) => Close::Limit(Excess::Memory),
            Stop::CallText { .. } => Close::Limit(Excess::Limit(Limit::Data)),
            Stop::InvalidText { .. } => Close::InvalidText,
            Stop::Foreign(_) => Close::NotEventStream,
            Stop::Read { .. } => Close::Transport(TransportEnd::Reset),
            Stop::Cut { .. } => Close::Transport(TransportEnd::Cut),
            // Nobody wants the rest.
            Stop::Record(_) | Stop::Write(_) => Close::Cancelled,
        }
    }

    /// What it is about: `name` for all that concerns the stream.
    pub(crate) const fn about<'n>(&self, name: &'n str) -> &'n str {
        match self {
            Stop::Write(_) => "standard output",
            Stop::Record(_) => "the recording",
            _ => name,
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Parser(Error::LimitPassed { limit, max, offset }) => {
                passed(f, *limit, *max, *offset)
            }
            Stop::Parser(error) => write!(f, "{error}: lower --max-data"),
            Stop::InvalidText {
                field,
                offset,
                span: Span { start, end },
            } => write!(
                f,
                "event at bytes {start} to {end}: its {field} is not valid UTF-8 \
                 at offset {offset} of the {field}; --lossy shows U+FFFD there"
            ),
            Stop::CallText { max } => write!(
                f,
                "the open tool calls passed the limit of {max} bytes; raise --max-data"
            ),
            Stop::Foreign(foreign) => {
                let (name, advice) = (foreign.name(), foreign.advice());
                write!(f, "not an event stream but {name}: {advice}")
            }
            Stop::Read { error, offset } => write!(f, "reading failed at byte {offset}: {error}"),
            Stop::Cut {
                offset,
                is_broken: true,
            } => write!(
                f,
                "the connection that was recorded ended at byte {offset}, before the body did"
            ),
            Stop::Cut { offset, .. } => write!(
                f,
                "the recording ends at byte {offset}, and does not say that the body did"
            ),
            Stop::Record(error) | Stop::Write(error) => write!(f, "writing failed: {error}"),
        }
    }
}

fn passed(f: &mut fmt::Formatter<'_>, limit: Limit, max: u64, offset: u64) -> fmt::Result {
    let word = limit_word(limit);
    let what = match limit {
        Limit::Line => "a line",
        Limit::Data => "the data of an event",
        Limit::EventType => "the type of an event",
        Limit::Id => "the id of an event",
        _ => "the stream",
    };
    let unit = match (limit, max) {
        (Limit::Events, 1) => "event",
        (Limit::Events, _) => "events",
        (_, 1) => "byte",
        _ => "bytes",
    };
    write!(
        f,
        "{what} passed the limit of {max} {unit} at byte {offset}; raise --max-{word}"
    )?;
    if matches!(limit, Limit::Bytes | Limit::Events) {
        return Ok(());
    }
    f.write_str(", or leave such events out with --overflow skip")
}
