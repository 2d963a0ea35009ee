//! The heap: contenders in, calls per event and bytes per idle stream out.
//!
//! What counts the calls is the caller's: it replaces the allocator of the whole
//! program, which the programs that count instructions must not.

use std::any::Any;
use std::hint::black_box;

use crate::command::Figure;
use crate::contender::Kind;
use crate::corpus::{COUNTED_LEN, Corpus, NAMES};
use crate::count::plan;
use crate::entry::Entry;
use crate::streams::is_for_many;

/// What the heap was asked for while something ran.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// How often.
    pub calls: u64,
    /// Bytes that were not given back.
    pub kept: i64,
}

/// Runs something and says what it asked the heap for.
pub type Measure = fn(&mut dyn FnMut()) -> Asked;

/// Runs the command that the arguments ask for.
///
/// # Panics
///
/// On a command line that it does not know.
pub fn run(entries: &[Entry], measure: Measure) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["calls"] => calls(entries, measure),
        ["idle", streams] => idle(entries, measure, streams.parse().expect("a number")),
        _ => panic!("usage: calls | idle STREAMS"),
    }
}

const READS: &[usize] = &[1460, 16384];

/// Calls per event after warm-up: the same stream once more, to the same parser.
fn calls(entries: &[Entry], measure: Measure) {
    for name in NAMES {
        let corpus = Corpus::new(name, COUNTED_LEN);
        let is_parser = |entry: &&Entry| entry.kind.has_events() && entry.streams.is_some();
        for contender in entries.iter().filter(is_parser) {
            for &read_len in READS {
                let asked = |passes| calls_in(contender, &corpus, read_len, passes, measure);
                // What two passes ask for beyond one pass, that the second asks for.
                let more = asked(2) as f64 - asked(1) as f64;
                let figure = Figure {
                    part: "heap",
                    contender,
                    corpus: corpus.name,
                    read_len,
                };
                figure.print("calls/event", more / corpus.blocks as f64);
            }
        }
    }
}

fn calls_in(entry: &Entry, corpus: &Corpus, read_len: usize, passes: usize, by: Measure) -> u64 {
    let twice: &'static [u8] = corpus.bytes.repeat(passes).leak();
    by(&mut || {
        black_box((entry.count)(twice, read_len));
    })
    .calls
}

/// Bytes that many streams hold between two reads, all told.
fn idle(entries: &[Entry], measure: Measure, count: usize) {
    let corpus = Corpus::new("responses", COUNTED_LEN);
    let plan = plan(count);
    for contender in entries.iter().filter(|entry| is_for_many(entry)) {
        let Some(streams) = contender.streams else {
            continue;
        };
        let mut held: Option<Box<dyn Any>> = None;
        let asked = measure(&mut || held = Some((streams.round_robin)(corpus.bytes, plan)));
        let figure = Figure {
            part: "streams",
            contender,
            corpus: corpus.name,
            read_len: plan.read_len,
        };
        figure.print("bytes/stream", asked.kept as f64 / count as f64);
        // Some rivals are boxed to be polled; their own size would say nothing.
        if contender.kind == Kind::Own {
            figure.print("of it the parser", streams.size as f64);
        }
        drop(held);
    }
}
