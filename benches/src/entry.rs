//! The ways in which a contender is driven, behind function pointers: a stream
//! and the length of a read in, counts and times out.
//!
//! Wherever instructions are counted, chunks pass through one function that is
//! never inlined, so that callgrind can be told to collect within it and
//! nowhere else.

use std::any::Any;
use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::contender::{Contender, Count, Kind};
use crate::corpus::Corpus;
use crate::digest::Digest;

/// A contender and how to drive it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// See [`Contender::NAME`].
    pub name: &'static str,
    /// See [`Contender::KIND`].
    pub kind: Kind,
    /// See [`Contender::IS_QUADRATIC`].
    pub is_quadratic: bool,
    /// Takes a stream in chunks of that length and counts the events.
    pub count: fn(&'static [u8], usize) -> u64,
    /// Takes a stream in chunks of that length and looks at every byte.
    pub digest: fn(&'static [u8], usize) -> Digest,
    /// How it takes many streams; `None` where it takes none.
    pub streams: Option<Streams>,
}

/// The ways of driving that make no sense for what only looks like a parser.
#[derive(Debug, Clone, Copy)]
pub struct Streams {
    /// Begins a stream that is fed in pieces, each of them in chunks.
    pub session: fn() -> Session,
    /// Feeds a stream until its end or until the time is over; returns the time
    /// that it took, and how many bytes it came to.
    pub feed_for: fn(&'static [u8], usize, Duration) -> (Duration, usize),
    /// The most bytes by which an event came later than its last byte.
    pub delay: fn(&Corpus) -> usize,
    /// Bytes of the parser itself, without what it holds on the heap.
    pub size: usize,
    /// Takes a plan's streams in turns and returns them all, still open.
    pub round_robin: fn(&'static [u8], RoundRobin) -> Box<dyn Any>,
}

/// A stream in progress: takes a piece of it, in chunks of that length.
pub type Session = Box<dyn FnMut(&'static [u8], usize)>;

/// Many streams at once: each is given one read, then each the next one.
#[derive(Debug, Clone, Copy)]
pub struct RoundRobin {
    /// How many streams.
    pub streams: usize,
    /// How many reads each of them is given.
    pub reads: usize,
    /// The length of a read.
    pub read_len: usize,
}

impl Entry {
    /// The entry of a contender.
    pub const fn of<C: Contender>() -> Entry {
        Entry {
            name: C::NAME,
            kind: C::KIND,
            is_quadratic: C::IS_QUADRATIC,
            count: count::<C>,
            digest: digest::<C>,
            streams: Some(Streams {
                session: session::<C>,
                feed_for: feed_for::<C>,
                delay: delay::<C>,
                size: size_of::<C>(),
                round_robin: round_robin::<C>,
            }),
        }
    }

    /// Whether it sees the events that are in the corpus.
    pub fn agrees(&self, corpus: &Corpus, read_len: usize) -> bool {
        !self.kind.has_events() || (self.digest)(corpus.bytes, read_len) == corpus.expected
    }

    /// Whether it would look at a byte more than `looks_max` times: because an
    /// event comes in many reads, or because it moves the rest of a read after
    /// each of many events.
    pub fn is_hopeless(&self, corpus: &Corpus, read_len: usize, looks_max: usize) -> bool {
        let block_len = corpus.bytes.len() / corpus.blocks as usize;
        let events_per_read = read_len.min(corpus.bytes.len()) / block_len;
        self.is_quadratic && (block_len / read_len > looks_max || events_per_read > EVENTS_MAX)
    }
}

/// So many events in one read are no trouble yet for those who move the rest.
const EVENTS_MAX: usize = 2000;

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

fn session<C: Contender>() -> Session {
    let (mut contender, mut sink) = (C::new(), Count::default());
    Box::new(move |piece, read_len| {
        for chunk in piece.chunks(read_len) {
            sseam_measured_feed(&mut contender, chunk, &mut sink);
        }
    })
}

fn feed_for<C: Contender>(
    bytes: &'static [u8],
    read_len: usize,
    limit: Duration,
) -> (Duration, usize) {
    let (mut contender, mut sink) = (C::new(), Count::default());
    let (start, mut fed) = (Instant::now(), 0);
    // The clock is read once for some reads, lest it be what is measured.
    for chunks in bytes.chunks(read_len.saturating_mul(64)) {
        for chunk in chunks.chunks(read_len) {
            sseam_measured_feed(&mut contender, chunk, &mut sink);
        }
        fed += chunks.len();
        if start.elapsed() > limit {
            break;
        }
    }
    (start.elapsed(), fed)
}

fn delay<C: Contender>(corpus: &Corpus) -> usize {
    let (mut contender, mut sink) = (C::new(), Count::default());
    let mut late = 0;
    for (index, byte) in corpus.bytes.chunks(1).enumerate() {
        let before = sink.events as usize;
        contender.feed(byte, &mut sink);
        let given = corpus.ends.get(before..sink.events as usize);
        let delays = given.unwrap_or_default().iter().map(|end| index + 1 - end);
        late = delays.fold(late, usize::max);
    }
    let missing = corpus.ends.get(sink.events as usize);
    missing.map_or(late, |end| late.max(corpus.bytes.len() - end))
}

fn round_robin<C: Contender>(bytes: &'static [u8], plan: RoundRobin) -> Box<dyn Any> {
    let mut contenders: Vec<C> = (0..plan.streams).map(|_| C::new()).collect();
    let mut sink = Count::default();
    for chunk in bytes.chunks(plan.read_len).take(plan.reads) {
        for contender in &mut contenders {
            sseam_measured_feed(contender, chunk, &mut sink);
        }
    }
    Box::new(contenders)
}

/// Callgrind collects from the first instruction of this to its last; the name
/// is in the command line that starts it.
#[inline(never)]
fn sseam_measured_feed<C: Contender>(contender: &mut C, chunk: &'static [u8], sink: &mut Count) {
    contender.feed(chunk, sink);
}

/// Callgrind writes down and clears its counts whenever this is entered.
#[inline(never)]
pub fn sseam_measured_dump() {
    black_box(());
}
