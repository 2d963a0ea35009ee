//! Signals to lines of JSON: what each event of an answer says.

use serde::{Serialize, Serializer};
use sseam::llm::{JsonFault, Piece, Signal};

use crate::print::Timing;
use crate::verdict::UsageLine;

/// Where a signal stands in the stream.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct At {
    /// Which event, from 1, those included that were left out; nothing for a line
    /// that is none, and for what only the end says.
    pub(crate) event: Option<u64>,
    /// The byte at which the event's block begins.
    pub(crate) offset: Option<u64>,
}

/// A signal as it is printed.
#[derive(Serialize)]
pub(crate) struct SignalLine<'a> {
    signal: &'static str,
    event: Option<u64>,
    offset: Option<u64>,
    #[serde(flatten)]
    fields: Fields<'a>,
    progress: bool,
    #[serde(flatten)]
    timing: Option<Timing>,
}

/// What it tells besides its name.
#[derive(Serialize)]
#[serde(untagged)]
enum Fields<'a> {
    Answer {
        id: Decoded<'a>,
        model: Decoded<'a>,
    },
    Text {
        text: Decoded<'a>,
    },
    Opened {
        key: u32,
        id: Decoded<'a>,
        name: Decoded<'a>,
        client: bool,
    },
    Arguments {
        key: u32,
        text: Decoded<'a>,
    },
    Closed {
        key: u32,
    },
    Choice {
        choice: u32,
    },
    Finish {
        choice: u32,
        reason: &'static str,
        word: Decoded<'a>,
    },
    Usage {
        usage: UsageLine,
    },
    Error {
        code: Decoded<'a>,
        message: Decoded<'a>,
    },
    Unreadable {
        fault: &'static str,
        byte: usize,
    },
    Nothing {},
}

/// A piece of text as a JSON string.
struct Decoded<'a>(Piece<'a>);

impl Serialize for Decoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'a> SignalLine<'a> {
    pub(crate) fn new(signal: Signal<'a>, at: At, timing: Option<Timing>) -> SignalLine<'a> {
        SignalLine {
            signal: signal.name(),
            event: at.event,
            offset: at.offset,
            fields: fields(signal),
            progress: signal.is_progress(),
            timing,
        }
    }
}

fn fields(signal: Signal<'_>) -> Fields<'_> {
    match signal {
        Signal::Answer { id, model } => Fields::Answer {
            id: Decoded(id),
            model: Decoded(model),
        },
        Signal::Text(piece) | Signal::Reasoning(piece) | Signal::Refusal(piece) => Fields::Text {
            text: Decoded(piece),
        },
        Signal::ToolOpened {
            key,
            id,
            name,
            is_client,
        } => Fields::Opened {
            key,
            id: Decoded(id),
            name: Decoded(name),
            client: is_client,
        },
        Signal::ToolArguments { key, piece } => Fields::Arguments {
            key,
            text: Decoded(piece),
        },
        Signal::ToolClosed { key } => Fields::Closed { key },
        Signal::OtherChoice { choice } => Fields::Choice { choice },
        Signal::Finish {
            choice,
            reason,
            word,
        } => Fields::Finish {
            choice,
            reason: reason.name(),
            word: Decoded(word),
        },
        Signal::Usage(usage) => Fields::Usage {
            usage: usage.into(),
        },
        Signal::Error { code, message } => Fields::Error {
            code: Decoded(code),
            message: Decoded(message),
        },
        Signal::Unreadable(error) => Fields::Unreadable {
            fault: match error.fault {
                JsonFault::Truncated => "truncated",
                JsonFault::TooDeep => "too_deep",
                _ => "unexpected",
            },
            byte: error.offset,
        },
        _ => Fields::Nothing {},
    }
}
