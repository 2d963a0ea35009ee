//! Any stream, read as the answer of any API: no panic, no more signals than there
//! are bytes, the same for every cut, and never `Completed` without the terminal.
//!
//! The first byte chooses the dialect, the second the mode, the choice and the
//! length of chunks; the rest is the stream.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sseam_core::{Item, Limits, Overflow, Parser};
use sseam_llm::{Dialect, Ending, Markers, Mode, Outcome, Payload, Piece, Signal, Turn, find};

#[path = "../../crates/sseam-llm/tests/it/judge.rs"]
mod judge;

use judge::{Seen, has_terminal};

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
    let whole = read(turn, mode, limits, &[stream]);
    let chunks: Vec<&[u8]> = stream.chunks(1 + usize::from(*how) % 7).collect();
    assert_eq!(
        read(turn, mode, limits, &chunks),
        whole,
        "{dialect} {mode:?}"
    );
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

/// What the stream says, and its outcome, which is judged.
fn read(mut turn: Turn, mode: Mode, limits: Limits, chunks: &[&[u8]]) -> (String, Outcome) {
    let mut memory = vec![0; limits.memory_len()];
    let mut parser = Parser::new(&mut memory[..], limits).expect("there is memory enough");
    let (mut said, mut signals) = (String::new(), 0);
    let mut events = Vec::new();
    let mut say = |signal: Signal<'_>| {
        signals += 1;
        said += signal.name();
        pieces(signal)
            .into_iter()
            .for_each(|piece| said += &text(piece));
    };
    for chunk in chunks {
        let mut input = *chunk;
        while let Some(item) = parser.next_item(&mut input).expect("no limit stops") {
            match item {
                Item::Event(event) => {
                    events.push(Seen::of(&event));
                    look_into(event.data().as_bytes());
                    turn.observe(&event).for_each(&mut say);
                }
                Item::Skipped(skipped) => turn.observe_skipped(&skipped).for_each(&mut say),
                Item::Ignored(line) => turn.observe_ignored(&line).into_iter().for_each(&mut say),
                _ => {}
            }
        }
    }
    let skipped = parser.counters().skipped;
    let len = parser.counters().bytes;
    let end = parser.finish();
    if turn.wants_unfinished() {
        if let Some(event) = parser.take_unfinished().expect("memory") {
            events.push(Seen::of(&event));
            turn.observe(&event).for_each(&mut say);
        }
    }
    // Each signal has its bytes in the stream; finishing closes at most a call
    // for each that was opened.
    assert!(signals <= 3 * len + 3, "{signals} signals of {len} bytes");
    let outcome = turn.finish(&end);
    if skipped == 0 && matches!(outcome.ending, Ending::Completed(_)) {
        assert!(has_terminal(turn.dialect(), mode, &events), "{outcome:?}");
    }
    if matches!(outcome.ending, Ending::Ended) {
        assert!(end.is_clean() && turn.dialect() == Dialect::Plain);
    }
    (said, outcome)
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
