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
    for_each(entry, names, reads, |figure, corpus| {
        black_box((entry.count)(corpus.bytes, figure.read_len));
        sseam_measured_dump();
        let per = format!("dump/{}/{}", corpus.blocks, corpus.bytes.len());
        figure.print(&per, 0.0);
    });
}

/// Whether it sees the events, for the same corpora and reads: apart from the
/// counting, since below callgrind this takes longer than that.
pub(crate) fn check(entry: &Entry, names: &[&'static str], reads: &[usize]) {
    for_each(entry, names, reads, |figure, corpus| {
        let agrees = agrees(entry, corpus, figure.read_len);
        let events = (entry.count)(corpus.bytes, figure.read_len);
        let is_right = !entry.kind.has_events() || events == corpus.expected.events;
        assert!(is_right || !agrees, "{} counts {events} events", entry.name);
        figure.print("agrees", f64::from(u8::from(agrees)));
    });
}

fn for_each(
    entry: &Entry,
    names: &[&'static str],
    reads: &[usize],
    mut each: impl FnMut(Figure, &Corpus),
) {
    for name in names {
        let corpus = Corpus::new(name, COUNTED_LEN);
        for &read_len in reads {
            let figure = Figure {
                part: "instructions",
                contender: entry,
                corpus: corpus.name,
                read_len,
            };
            if !entry.is_hopeless(&corpus, read_len, LOOKS_MAX) {
                each(figure, &corpus);
            }
        }
    }
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
