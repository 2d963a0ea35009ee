//! Drives a parser and a turn over a stream, as a caller would: bytes in, all
//! that was said out.

use std::path::PathBuf;
use std::time::Instant;

use sseam_core::{Item, Limits};
use sseam_llm::{Answer, Close, Heard, Outcome, Signal, TransportEnd, Turn};

/// A tool call as it was put together from signals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) key: u32,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) closed: bool,
}

/// What a turn said.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) events: usize,
    pub(crate) text: String,
    pub(crate) reasoning: String,
    pub(crate) refusal: String,
    pub(crate) calls: Vec<Call>,
    /// Names of all signals, in order.
    pub(crate) signals: Vec<&'static str>,
    /// Code and message of each error.
    pub(crate) errors: Vec<(String, String)>,
    pub(crate) progress: usize,
    pub(crate) turn: Turn,
    pub(crate) outcome: Outcome,
}

impl Report {
    fn new(turn: Turn, outcome: Outcome) -> Self {
        Report {
            events: 0,
            text: String::new(),
            reasoning: String::new(),
            refusal: String::new(),
            calls: Vec::new(),
            signals: Vec::new(),
            errors: Vec::new(),
            progress: 0,
            turn,
            outcome,
        }
    }

    pub(crate) fn count(&self, name: &str) -> usize {
        self.signals
            .iter()
            .filter(|signal| **signal == name)
            .count()
    }

    fn call(&mut self, key: u32) -> &mut Call {
        let mut calls = self.calls.iter_mut().rev();
        calls.find(|call| call.key == key).expect("an open call")
    }

    fn hear(&mut self, heard: Heard<'_>) {
        self.events += usize::from(matches!(heard.item, Some(Item::Event(_))));
        heard.signals.for_each(|signal| self.take(signal));
    }

    pub(crate) fn take(&mut self, signal: Signal<'_>) {
        self.signals.push(signal.name());
        self.progress += usize::from(signal.is_progress());
        match signal {
            Signal::Text(piece) => self.text += &piece.to_string(),
            Signal::Reasoning(piece) => self.reasoning += &piece.to_string(),
            Signal::Refusal(piece) => self.refusal += &piece.to_string(),
            Signal::ToolOpened { key, id, name, .. } => self.calls.push(Call {
                key,
                id: id.to_string(),
                name: name.to_string(),
                ..Call::default()
            }),
            Signal::ToolArguments { key, piece } => {
                self.call(key).arguments += &piece.to_string();
            }
            Signal::ToolClosed { key } => self.call(key).closed = true,
            Signal::Error { code, message } => {
                self.errors.push((code.to_string(), message.to_string()));
            }
            _ => {}
        }
    }
}

/// Runs `turn` over a stream in chunks, with limits.
pub(crate) fn run_with(limits: Limits, turn: Turn, chunks: &[&[u8]]) -> Report {
    let mut memory = vec![0; Answer::memory_len(&limits)];
    let answer = Answer::new(memory.as_mut_slice(), limits, turn);
    let mut answer = answer.expect("memory as long as the limits need");
    let mut report = Report::new(turn, answer.outcome());
    for chunk in chunks {
        let mut input = *chunk;
        while let Some(heard) = answer.next(&mut input) {
            report.hear(heard);
        }
    }
    answer.end(Close::Transport(TransportEnd::Clean));
    while let Some(heard) = answer.next(&mut &b""[..]) {
        report.hear(heard);
    }
    report.outcome = answer.outcome();
    report.turn = *answer.turn();
    report
}

/// Runs `turn` over a whole stream.
pub(crate) fn run(turn: Turn, stream: &[u8]) -> Report {
    run_with(
        Limits {
            data_len_max: 65536,
            ..Limits::DEFAULT
        },
        turn,
        &[stream],
    )
}

/// The folder of example streams.
pub(crate) fn examples() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/streams"
    ))
}

/// Whether ten times the work takes about ten times as long: in one of many
/// tries, since other work on the machine only ever makes it look worse.
pub(crate) fn is_linear(short: impl Fn(), long: impl Fn()) -> bool {
    let time_of = |work: &dyn Fn()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    short();
    (0..40).any(|_| time_of(&long) < time_of(&short) * 25)
}
