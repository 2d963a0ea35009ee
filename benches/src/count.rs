//! What callgrind counts: a contender, corpora and reads in; for each dump that
//! callgrind writes, one line out that says what it is about.
//!
//! Run it with `--toggle-collect` on `sseam_measured_feed` and `--dump-before` on
//! `sseam_measured_dump`.

use std::hint::black_box;

use crate::command::{Figure, agrees};
use crate::corpus::{COUNTED_LEN, Corpus};
use crate::entry::{Entry, RoundRobin, sseam_measured_dump};

/// How often a contender may look at an event again: beyond, it takes hours.
const LOOKS_MAX: usize = 200;

/// Each corpus at each read. What cannot be done in a useful time is left out.
pub(crate) fn count(entry: &Entry, names: &[&'static str], reads: &[usize]) {
    for name in names {
        let corpus = Corpus::new(name, COUNTED_LEN);
        for &read_len in reads {
            if entry.is_hopeless(&corpus, read_len, LOOKS_MAX) {
                continue;
            }
            let agrees = agrees(entry, &corpus, read_len);
            let events = (entry.count)(corpus.bytes, read_len);
            sseam_measured_dump();
            let is_right = !entry.kind.has_events() || events == corpus.expected.events;
            assert!(is_right || !agrees, "{} counts {events} events", entry.name);
            print(entry, &corpus, read_len, agrees);
        }
    }
}

/// The fields of a figure whose value is in the dump: the unit tells by what to
/// divide it.
fn print(entry: &Entry, corpus: &Corpus, read_len: usize, agrees: bool) {
    let figure = Figure {
        part: "instructions",
        contender: entry,
        corpus: corpus.name,
        read_len,
    };
    let unit = if agrees { "dump" } else { "dump*" };
    let per = format!("{unit}/{}/{}", corpus.blocks, corpus.bytes.len());
    figure.print(&per, corpus.expected.events as f64);
}

/// Bytes that each of many streams is given in turns.
const STREAM_LEN: usize = 1024;
/// Length of a read there.
const READ_LEN: usize = 64;

/// Many parsers in turns, as a server drives them.
pub(crate) fn count_streams(entry: &Entry, count: usize) {
    let Some(streams) = entry.streams else {
        return;
    };
    let corpus = Corpus::new("responses", COUNTED_LEN);
    let plan = plan(count);
    black_box((streams.round_robin)(corpus.bytes, plan));
    sseam_measured_dump();
    let figure = Figure {
        part: "streams",
        contender: entry,
        corpus: corpus.name,
        read_len: plan.read_len,
    };
    figure.print(&format!("dump/0/{}", count * STREAM_LEN), 0.0);
}

/// The plan for that many streams, the same wherever many are measured.
pub(crate) const fn plan(streams: usize) -> RoundRobin {
    RoundRobin {
        streams,
        reads: STREAM_LEN / READ_LEN,
        read_len: READ_LEN,
    }
}
