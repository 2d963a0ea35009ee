//! What is measured, behind one trait: chunks of a stream in, events out to a
//! sink.
//!
//! Each contender is driven through a function that is never inlined, so that
//! callgrind can be told to collect within it and nowhere else.

use std::hint::black_box;

use crate::corpus::Corpus;
use crate::digest::Digest;

/// Takes events as a parser gives them out.
pub trait Sink {
    /// Told once for each event; an empty type means `message`.
    fn event(&mut self, event_type: &[u8], data: &[u8]);
}

/// Does as little as can be done with an event that must not be optimised away.
#[derive(Debug, Default)]
pub struct Count {
    /// Events so far.
    pub events: u64,
}

impl Sink for Count {
    #[inline(always)]
    fn event(&mut self, _: &[u8], data: &[u8]) {
        self.events += 1;
        black_box(data);
    }
}

impl Sink for Digest {
    fn event(&mut self, event_type: &[u8], data: &[u8]) {
        self.add(event_type, data);
    }
}

/// A parser, or something that is measured beside parsers.
pub trait Contender {
    /// Its name in tables and on command lines, with its version.
    const NAME: &'static str;
    /// Whether it gives out events, which can then be checked.
    const HAS_EVENTS: bool = true;
    /// Whether it looks at a long line again with each chunk: it is not given
    /// long lines in small chunks, which would take hours.
    const IS_QUADRATIC: bool = false;

    /// One for a new stream.
    fn new() -> Self;

    /// Takes one chunk. Chunks live for ever, for parsers that keep them.
    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink);
}

/// A contender behind function pointers.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// See [`Contender::NAME`].
    pub name: &'static str,
    /// See [`Contender::HAS_EVENTS`].
    pub has_events: bool,
    /// See [`Contender::IS_QUADRATIC`].
    pub is_quadratic: bool,
    /// Parses a stream in chunks of that length and counts the events.
    pub count: fn(&'static [u8], usize) -> u64,
    /// Parses a stream in chunks of that length and looks at every byte.
    pub digest: fn(&'static [u8], usize) -> Digest,
}

impl Entry {
    /// The entry of a contender.
    pub const fn of<C: Contender>() -> Entry {
        Entry {
            name: C::NAME,
            has_events: C::HAS_EVENTS,
            is_quadratic: C::IS_QUADRATIC,
            count: count::<C>,
            digest: digest::<C>,
        }
    }

    /// Whether it sees the events that are in the corpus.
    pub fn agrees(&self, corpus: &Corpus, read_len: usize) -> bool {
        !self.has_events || (self.digest)(corpus.bytes, read_len) == corpus.expected
    }
}

fn count<C: Contender>(bytes: &'static [u8], read_len: usize) -> u64 {
    let (mut contender, mut sink) = (C::new(), Count::default());
    for chunk in bytes.chunks(read_len) {
        sseam_measured_feed(&mut contender, chunk, &mut sink);
    }
    sink.events
}

fn digest<C: Contender>(bytes: &'static [u8], read_len: usize) -> Digest {
    let (mut contender, mut sink) = (C::new(), Digest::new());
    for chunk in bytes.chunks(read_len) {
        contender.feed(chunk, &mut sink);
    }
    sink
}

/// Callgrind collects from the first instruction of this to its last; the name
/// is in the command line that starts it.
#[inline(never)]
fn sseam_measured_feed<C: Contender>(
    contender: &mut C,
    chunk: &'static [u8],
    sink: &mut Count,
) {
    contender.feed(chunk, sink);
}

/// Callgrind writes down and clears its counts whenever this is entered.
#[inline(never)]
pub fn sseam_measured_dump() {
    black_box(());
}
