//! What is not about one corpus: the delay of an event, lines of any length,
//! many streams in turns. Contenders in, figures out.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::command::{Figure, agrees};
use crate::contender::Kind;
use crate::corpus::{COUNTED_LEN, Corpus, LINES};
use crate::count::plan;
use crate::entry::{Entry, Streams};

/// What gives events and can be driven as streams are.
fn parsers(entries: &[Entry]) -> impl Iterator<Item = (&Entry, Streams)> {
    let with_events = entries.iter().filter(|entry| entry.kind.has_events());
    with_events.filter_map(|entry| Some((entry, entry.streams?)))
}

/// By how many bytes an event comes later than its last byte, at most.
pub(crate) fn delay(entries: &[Entry]) {
    for name in ["responses", "crlf"] {
        let corpus = Corpus::new(name, 4096);
        for (contender, streams) in parsers(entries) {
            let figure = Figure {
                part: "delay",
                contender,
                corpus: corpus.name,
                read_len: 1,
            };
            let mark = if agrees(contender, &corpus, 1) {
                ""
            } else {
                "*"
            };
            figure.print(&format!("bytes{mark}"), (streams.delay)(&corpus) as f64);
        }
    }
}

/// Lengths of reads that cut the long lines.
const CUTS: &[usize] = &[16, 256, 4096, 65536];
/// How long one line may take.
const LINE_TIME: Duration = Duration::from_millis(1500);

/// Time per byte of long lines. Where a line is not done in time, what was done
/// of it is said instead.
pub(crate) fn linear(entries: &[Entry]) {
    for name in LINES {
        let corpus = Corpus::new(name, 0);
        for (contender, streams) in parsers(entries) {
            for &read_len in CUTS {
                let figure = Figure {
                    part: "linear",
                    contender,
                    corpus: corpus.name,
                    read_len,
                };
                let (time, fed) = best(&streams, &corpus, read_len);
                if fed == corpus.bytes.len() {
                    figure.print("ns/byte", time.as_secs_f64() * 1e9 / fed as f64);
                } else {
                    figure.print("done", fed as f64 / corpus.bytes.len() as f64);
                }
            }
        }
    }
}

/// The best of some turns: other load only ever makes it slower, and a line that
/// is done in microseconds needs many turns.
fn best(streams: &Streams, corpus: &Corpus, read_len: usize) -> (Duration, usize) {
    let once = || (streams.feed_for)(corpus.bytes, read_len, LINE_TIME);
    let (start, mut best) = (Instant::now(), once());
    while best.1 == corpus.bytes.len() && start.elapsed() < LINE_TIME / 15 {
        best = best.min(once());
    }
    best
}

/// Time per byte when many parsers take turns and none finds the cache warm.
pub(crate) fn turns(entries: &[Entry], count: usize) {
    let corpus = Corpus::new("responses", COUNTED_LEN);
    let plan = plan(count);
    // Fixed memory of 16 MiB each is not what a server would give its parsers.
    for (contender, streams) in parsers(entries).filter(|(entry, _)| is_for_many(entry)) {
        let start = Instant::now();
        black_box((streams.round_robin)(corpus.bytes, plan));
        let bytes = plan.streams * plan.reads * plan.read_len;
        let figure = Figure {
            part: "streams",
            contender,
            corpus: corpus.name,
            read_len: plan.read_len,
        };
        figure.print(
            "ns/byte",
            start.elapsed().as_secs_f64() * 1e9 / bytes as f64,
        );
    }
}

/// Whether its memory grows on demand, and it has no read buffer of its own.
pub(crate) fn is_for_many(entry: &Entry) -> bool {
    match entry.kind {
        Kind::Own => ["sseam growing", "sseam owned"].contains(&entry.name),
        kind => kind == Kind::Rival,
    }
}
