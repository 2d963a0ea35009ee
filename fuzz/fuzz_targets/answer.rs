//! Any stream, read as the answer of any API: no panic, no more signals than there
//! are bytes, the same for every cut and both ways of hearing it, and never
//! `Completed` without the terminal. Another connection may follow.
//!
//! The first byte chooses the dialect, the second the mode, the choice, the length of
//! chunks and how it ends; the rest is the stream.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sseam_core::{Item, Limits, Overflow};
use sseam_llm::{
    Answer, Close, Dialect, Ending, Excess, Heard, Markers, Mode, Next, Outcome, Payload, Piece,
    Signal, Timeout, TransportEnd, Turn, find,
};

#[path = "../../crates/sseam-llm/tests/it/judge.rs"]
mod judge;

use judge::{Seen, has_terminal};

const CLEAN: Close = Close::Transport(TransportEnd::Clean);

const CLOSES: [Close; 7] = [
    CLEAN,
    Close::Transport(TransportEnd::Cut),
    Close::Settled,
    Close::TimedOut(Timeout::Idle),
    Close::Limit(Excess::Memory),
    Close::Cancelled,
    Close::Status(500),
];

fuzz_target!(|bytes: &[u8]| {
    let [dialect, how, stream @ ..] = bytes else {
        return;
    };
    let dialect = Dialect::ALL[usize::from(*dialect) % Dialect::ALL.len()];
    let mode = [Mode::Default, Mode::Strict, Mode::Lenient][usize::from(*how) % 3];
    let turn = turn(dialect)
        .with_mode(mode)
        .with_choice(u32::from(*how) / 3 % 2);
    let limits = Limits {
        data_len_max: 256 + 64 * usize::from(*how),
        comment_len_max: 64,
        overflow: Overflow::Skip,
        ..Limits::SMALL
    };
    let close = CLOSES[usize::from(*how) / 6 % CLOSES.len()];
    let whole = read((turn, mode), limits, &[stream], close);
    let chunks: Vec<&[u8]> = stream.chunks(1 + usize::from(*how) % 7).collect();
    let cut = read((turn, mode), limits, &chunks, close);
    assert_eq!(cut, whole, "{dialect} {mode:?} {close:?}");
});

fn turn(dialect: Dialect) -> Turn {
    let markers = || {
        Markers::NONE
            .with_end_event("done")?
            .with_text_field("a.0")?
            .with_error_event("failure")
    };
    Turn::new(dialect).with_markers(markers().expect("they are short"))
}

/// What was heard.
#[derive(Default)]
struct Listener {
    said: String,
    signals: u64,
    events: Vec<Seen>,
    skipped: bool,
}

impl Listener {
    fn hear(&mut self, heard: Heard<'_>) {
        match heard.item {
            Some(Item::Event(event)) => {
                self.events.push(Seen::of(&event));
                look_into(event.data().as_bytes());
            }
            Some(Item::Skipped(_)) => self.skipped = true,
            _ => {}
        }
        for signal in heard.signals {
            self.signals += 1;
            self.said += signal.name();
            for piece in pieces(signal) {
                self.said += &text(piece);
            }
        }
    }
}

/// What the stream says, and its outcome, which is judged.
fn read(
    (turn, mode): (Turn, Mode),
    limits: Limits,
    chunks: &[&[u8]],
    close: Close,
) -> (String, Outcome) {
    let mut memory = vec![0; Answer::memory_len(&limits)];
    let mut answer = Answer::new(&mut memory[..], limits, turn).expect("there is memory enough");
    let (mut listener, mut other) = (Listener::default(), Listener::default());
    for (index, chunk) in chunks.iter().enumerate() {
        // By turns: what is heard does not depend on how.
        if index % 2 == 0 {
            let mut input = *chunk;
            while let Some(heard) = answer.next(&mut input) {
                listener.hear(heard);
            }
        } else {
            hear_by_steps(&mut answer, chunk, &mut listener);
        }
    }
    let len = chunks.iter().map(|chunk| chunk.len() as u64).sum::<u64>();
    answer.end(close);
    while let Some(heard) = answer.next(&mut &b""[..]) {
        listener.hear(heard);
    }
    // Each signal has its bytes in the stream; the end closes at most a call for
    // each that was opened.
    assert!(
        listener.signals <= 3 * len + 3,
        "{} of {len}",
        listener.signals
    );
    let outcome = answer.outcome();
    judge(&answer, &outcome, mode, &listener);
    answer.reopen();
    for chunk in chunks {
        hear_by_steps(&mut answer, chunk, &mut other);
    }
    answer.end(CLEAN);
    answer.outcome();
    (listener.said, outcome)
}

fn hear_by_steps(answer: &mut Answer<&mut [u8]>, chunk: &[u8], listener: &mut Listener) {
    let mut rest = chunk;
    loop {
        let (used, next) = answer.step(rest);
        if next == Next::NeedInput {
            return;
        }
        listener.hear(answer.heard(rest));
        rest = &rest[used..];
    }
}

fn judge(answer: &Answer<&mut [u8]>, outcome: &Outcome, mode: Mode, listener: &Listener) {
    let turn = answer.turn();
    if !listener.skipped && matches!(outcome.ending, Ending::Completed(_)) {
        let is_ended = has_terminal(turn.dialect(), mode, &listener.events);
        assert!(is_ended, "{outcome:?}");
    }
    if matches!(outcome.ending, Ending::Ended) {
        assert!(answer.stream_end().is_clean() && turn.dialect() == Dialect::Plain);
    }
}

fn pieces(signal: Signal<'_>) -> Vec<Piece<'_>> {
    match signal {
        Signal::Text(piece) | Signal::Reasoning(piece) | Signal::Refusal(piece) => vec![piece],
        Signal::ToolOpened { id, name, .. } => vec![id, name],
        Signal::ToolArguments { piece, .. } => vec![piece],
        Signal::Error { code, message } => vec![code, message],
        Signal::Finish { word, .. } => vec![word],
        _ => Vec::new(),
    }
}

/// The piece's text, decoded in three ways.
fn text(piece: Piece<'_>) -> String {
    let text = piece.to_string();
    assert_eq!(piece.text_len(), text.len());
    let mut buffer = vec![0; text.len()];
    assert_eq!(piece.decode_into(&mut buffer), Ok(text.as_str()));
    text
}

/// Paths into any data; the oracle takes what we take, but for lone halves of
/// pairs.
fn look_into(data: &[u8]) {
    let whole = find(data, "");
    let oracle = serde_json::from_slice::<serde_json::Value>(data);
    assert!(oracle.is_err() || whole.is_ok() || data.len() > 64);
    let _ = find(data, "a.0.b").map(|found| found.map(|value| text(value.text())));
    let _ = Payload::of(data);
}
