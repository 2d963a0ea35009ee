//! What a turn costs in memory: no heap at all, and events that do not fit.

use allocation_counter::measure;
use sseam_core::{Limits, Overflow, Parser};
use sseam_llm::{Dialect, Ending, Excess, Mode, Reason, Signal, TextBatch, Turn};

use crate::examples::all;
use crate::run::run_with;

/// A turn of 32 calls; on small machines, which keep track of 8, it is a third.
#[test]
fn sizes() {
    assert!(size_of::<Turn>() <= 4352, "{}", size_of::<Turn>());
    assert!(
        size_of::<Signal<'_>>() <= 104,
        "{}",
        size_of::<Signal<'_>>()
    );
    const fn is_plain_data<T: Copy + Send + Sync + 'static>() {}
    is_plain_data::<Turn>();
}

/// Reads a stream as firmware would, and gives what it must not keep.
fn read(turn: &mut Turn, memory: &mut [u8], limits: Limits, stream: &[u8]) -> usize {
    let mut batch = TextBatch::<64>::new(core::time::Duration::from_millis(50), 40);
    let mut text = 0;
    let mut show = |signal: Signal<'_>| {
        let (Signal::Text(piece)
        | Signal::Reasoning(piece)
        | Signal::ToolArguments { piece, .. }
        | Signal::Error { message: piece, .. }) = signal
        else {
            return;
        };
        for part in piece.parts() {
            let mut rest = &*part;
            while let Some(batch) = batch.push(&mut rest, core::time::Duration::ZERO) {
                text += batch.len();
            }
        }
    };
    let mut parser = Parser::new(memory, limits).expect("memory");
    for chunk in stream.chunks(7) {
        let mut input = chunk;
        while let Some(item) = parser.next_item(&mut input).expect("no limit that stops") {
            turn.observe_item(&item).for_each(&mut show);
        }
    }
    let outcome = turn.finish(&parser.finish());
    text + usize::from(outcome.exit_code()) + usize::from(outcome.recovery().output_seen)
}

#[test]
fn no_stream_makes_a_turn_allocate() {
    let counted = measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(counted.count_total, 1, "the counter counts");
    let limits = Limits {
        overflow: Overflow::Skip,
        comment_len_max: 64,
        ..Limits::SMALL
    };
    let mut memory = vec![0; limits.memory_len()];
    for example in all() {
        let stream = example.stream();
        for turn in [example.turn(), Turn::new(Dialect::Auto)] {
            let mut turn = turn.with_mode(Mode::Lenient);
            let counted = measure(|| {
                std::hint::black_box(read(&mut turn, &mut memory, limits, &stream));
            });
            assert_eq!(counted.count_total, 0, "{}", example.file);
        }
    }
}

/// A Responses stream whose first and last events are of 40 KB.
fn long_responses() -> Vec<u8> {
    let response = |kind: &str, number: usize, status: &str| {
        format!(
            "event: response.{kind}\ndata: {{\"type\":\"response.{kind}\",\"response\":\
             {{\"status\":\"{status}\",\"instructions\":\"{}\"}},\"sequence_number\":\
             {number}}}\n\n",
            "long ".repeat(8192)
        )
    };
    let mut stream = response("created", 0, "in_progress");
    for (at, delta) in ["Hel", "lo, ", r"\ud83d", r"\ude80", " 世界"]
        .iter()
        .enumerate()
    {
        stream += &format!(
            "event: response.output_text.delta\ndata: {{\"type\":\"response.output_text.delta\",\
             \"delta\":\"{delta}\",\"sequence_number\":{}}}\n\n",
            at + 1
        );
    }
    (stream + &response("completed", 6, "completed")).into_bytes()
}

#[test]
fn forty_kilobytes_in_one_kibibyte() {
    let stream = long_responses();
    assert!(stream.len() > 80_000);
    let skip = Limits {
        overflow: Overflow::Skip,
        ..Limits::SMALL
    };
    assert!(skip.memory_len() <= 1024);
    for size in [1, 7, 1460, stream.len()] {
        let chunks: Vec<&[u8]> = stream.chunks(size).collect();
        for dialect in [Dialect::OpenAiResponses, Dialect::Auto] {
            let report = run_with(skip, Turn::new(dialect), &chunks);
            assert_eq!(report.text, "Hello, 🚀 世界");
            assert_eq!(report.outcome.ending, Ending::Completed(Reason::Stop));
            let seen = report.outcome.seen;
            assert_eq!(
                (seen.skipped, seen.gap, seen.usage),
                (2, false, Default::default())
            );
            let report = run_with(Limits::SMALL, Turn::new(dialect), &chunks);
            let limit = Excess::Limit(sseam_core::Limit::Data);
            assert_eq!(report.outcome.ending, Ending::LimitExceeded(limit));
            assert_eq!(report.outcome.exit_code(), 22);
        }
    }
}
