//! Drives a parser and a turn over a stream, as a caller would: bytes in, all
//! that was said out.

use std::path::PathBuf;
use std::time::Instant;

use sseam_core::{Item, Limits, Parser};
use sseam_llm::{Close, Outcome, Signal, Turn};

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

    pub(crate) fn take(&mut self, signal: Signal<'_>) {
        self.signals.push(signal.name());
        self.progress += usize::from(signal.is_progress());
        match signal {
            Signal::Text(piece) => self.text += &piece.to_string(),
            Signal::Reasoning(piece) => self.reasoning += &piece.to_string(),
            Signal::Refusal(piece) => self.refusal += &piece.to_string(),
            Signal::ToolOpened { key, id, name } => self.calls.push(Call {
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
pub(crate) fn run_with(limits: Limits, mut turn: Turn, chunks: &[&[u8]]) -> Report {
    let mut memory = vec![0; limits.memory_len()];
    let mut parser =
        Parser::new(memory.as_mut_slice(), limits).expect("memory as long as the limits need");
    let end = sseam_core::End::at(0);
    let mut report = Report::new(turn, turn.finish(&end));
    let mut close = None;
    'stream: for chunk in chunks {
        let mut input = *chunk;
        loop {
            match parser.next_item(&mut input) {
                Ok(None) => break,
                Ok(Some(Item::Event(event))) => {
                    report.events += 1;
                    turn.observe(&event).for_each(|signal| report.take(signal));
                }
                Ok(Some(Item::Skipped(skipped))) => {
                    turn.observe_skipped(&skipped)
                        .for_each(|signal| report.take(signal));
                }
                Ok(Some(Item::Ignored(line))) => {
                    turn.observe_ignored(&line)
                        .into_iter()
                        .for_each(|signal| report.take(signal));
                }
                Ok(Some(_)) => {}
                Err(sseam_core::Error::LimitPassed { limit, .. }) => {
                    close = Some(Close::Limit(sseam_llm::Excess::Limit(limit)));
                    break 'stream;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    turn.observe_last_event_id(parser.last_event_id());
    let end = parser.finish();
    if turn.wants_unfinished()
        && close.is_none()
        && let Some(event) = parser.take_unfinished().expect("memory")
    {
        turn.observe(&event).for_each(|signal| report.take(signal));
    }
    report.turn = turn;
    report.outcome = match close {
        Some(close) => turn.finish_with(&end, close),
        None => turn.finish(&end),
    };
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
