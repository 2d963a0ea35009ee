//! Every short stream there is: tokens in all their sequences come in, cut in
//! every way, and each run is held against the oracle.
//!
//! How many tokens make a stream is in the environment variable
//! `SSEAM_EXHAUSTIVE`, since six of them make five million streams: that is for
//! a release build. Without it there are four.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, slice, thread};

use sseam_core::{Item, Parser};
use sseam_testkit::{self as kit, generate, oracle, run, split};

use crate::bare::Bare;
use crate::engines::{self, Fixed, Growing};
use crate::tokens::Tokens;

/// Every sequence of tokens: whole, at every cut, and byte by byte.
#[test]
fn tokens_at_every_cut() {
    show("tokens", every_setup(generate::TOKENS, 1));
}

/// Every sequence of bytes, cut in every way into however many chunks.
#[test]
fn bytes_in_every_cutting() {
    show("bytes", every_setup(generate::BYTES, usize::MAX));
}

/// Shorter sequences through every driver, as only a few can be so fast.
#[test]
fn tokens_through_every_driver() {
    let drivers: [&dyn kit::Engine; 4] = [&Fixed, &Growing, &Bare, &Tokens];
    let depth = depth().div_ceil(2);
    let visited = generate::sequences(generate::TOKENS, depth, |stream| {
        for driver in drivers {
            for setup in [
                free(),
                tight(kit::Overflow::Stop),
                tight(kit::Overflow::Skip),
            ] {
                run::stream(driver, &setup, stream);
            }
        }
    });
    assert_eq!(visited, count(generate::TOKENS, depth));
}

/// Tokens in a stream, 1 to 6.
fn depth() -> u32 {
    match env::var("SSEAM_EXHAUSTIVE") {
        Ok(depth) => depth.parse().expect("SSEAM_EXHAUSTIVE is a number"),
        Err(_) => 4,
    }
}

/// How many sequences of up to `depth` tokens there are.
fn count(tokens: &[&[u8]], depth: u32) -> u64 {
    (0..=depth).map(|len| (tokens.len() as u64).pow(len)).sum()
}

fn show(name: &str, tally: run::Tally) {
    let run::Tally { streams, runs, .. } = tally;
    println!("{name}: {streams} streams under one setup each, {runs} runs");
}

/// Without limits all sequences, under tight ones those a token shorter.
fn every_setup(tokens: &[&[u8]], cuts_max: usize) -> run::Tally {
    let depth = depth();
    let mut tally = walk(tokens, depth, &free(), cuts_max);
    assert_eq!(tally.streams, count(tokens, depth));
    for overflow in [kit::Overflow::Stop, kit::Overflow::Skip] {
        tally += walk(tokens, depth - 1, &tight(overflow), cuts_max);
    }
    tally
}

fn free() -> kit::Setup {
    let limits = kit::Limits::NONE.clamped(STREAM_LEN_MAX);
    kit::Setup::stop(limits)
}

/// Limits that streams this short pass, each of them.
fn tight(overflow: kit::Overflow) -> kit::Setup {
    let limits = kit::Limits {
        line: 7,
        data: 2,
        event_type: 1,
        id: 1,
        comment: 2,
        bytes: 16,
        events: 1,
    };
    kit::Setup {
        overflow,
        ..kit::Setup::stop(limits)
    }
}

/// Runs every sequence of up to `depth` tokens, cut in every way that has at
/// most `cuts_max` cuts; the threads share them by first token.
fn walk(tokens: &[&[u8]], depth: u32, setup: &kit::Setup, cuts_max: usize) -> run::Tally {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut tally = run::Tally::default();
        while let Some(first) = tokens.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut stream = Vec::new();
            tally.streams += generate::sequences(tokens, depth.saturating_sub(1), |rest| {
                stream.clear();
                stream.extend_from_slice(first);
                stream.extend_from_slice(rest);
                tally.runs += check(&stream, setup, cuts_max);
            });
        }
        tally
    };
    let mut tally = run::Tally {
        streams: 1,
        runs: check(b"", setup, cuts_max),
        left_out: 0,
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            tally += worker.join().expect("no difference was found");
        }
    });
    tally
}

/// Runs one stream in all ways, and says how many these were.
fn check(stream: &[u8], setup: &kit::Setup, cuts_max: usize) -> u64 {
    let expected = oracle::limited(stream, setup);
    let mut runs = 0;
    for wants_items in [true, false] {
        let start = Run::new(setup, &expected, wants_items);
        let mut offsets = Vec::new();
        let outcome = start.every_way(stream, 0, cuts_max, &mut offsets);
        runs += outcome.unwrap_or_else(|Differs| blame(stream, setup, wants_items, &offsets));
        let cut = split::with_empty_chunks(split::byte_by_byte(stream));
        if start.clone().whole_run(&cut.chunks).is_err() {
            let offsets: Vec<_> = (0..=stream.len()).flat_map(|at| [at, at]).collect();
            blame(stream, setup, wants_items, &offsets);
        }
        runs += 1;
    }
    runs
}

/// Runs the stream again where differences are shown.
fn blame(stream: &[u8], setup: &kit::Setup, wants_items: bool, offsets: &[usize]) -> ! {
    let setup = kit::Setup {
        want_items: wants_items,
        ..setup.clone()
    };
    let cut = split::at_offsets(stream, offsets);
    run::one(&Fixed, &setup, stream, &cut);
    panic!("{stream:?} {cut}: differs from the oracle, but only in this file");
}

/// The run is not what the oracle says.
struct Differs;

/// A parser on its way through a stream, beside what it has yet to say.
#[derive(Clone)]
struct Run<'e> {
    parser: Parser<[u8; MEMORY_LEN]>,
    expected: &'e kit::Report,
    items: slice::Iter<'e, kit::Item>,
    wants_items: bool,
}

impl<'e> Run<'e> {
    fn new(setup: &kit::Setup, expected: &'e kit::Report, wants_items: bool) -> Self {
        Self {
            parser: Parser::with_array(engines::limits(setup)),
            expected,
            items: expected.items.iter(),
            wants_items,
        }
    }

    /// Feeds `rest` in every way that has at most `cuts_left` cuts; chunks that
    /// several ways begin with are fed once. Offsets end as they were, or where
    /// the difference is.
    fn every_way(
        &self,
        rest: &[u8],
        at: usize,
        cuts_left: usize,
        offsets: &mut Vec<usize>,
    ) -> Result<u64, Differs> {
        if rest.is_empty() {
            return self.clone().finish().map(|()| 1);
        }
        let shortest = if cuts_left == 0 { rest.len() } else { 1 };
        let mut runs = 0;
        for len in shortest..=rest.len() {
            let (chunk, rest) = rest.split_at(len);
            let mut run = self.clone();
            offsets.push(at + len);
            run.feed(chunk)?;
            runs += run.every_way(rest, at + len, cuts_left.saturating_sub(1), offsets)?;
            offsets.pop();
        }
        Ok(runs)
    }

    fn whole_run(mut self, chunks: &[&[u8]]) -> Result<(), Differs> {
        for chunk in chunks {
            self.feed(chunk)?;
        }
        self.finish()
    }

    fn feed(&mut self, chunk: &[u8]) -> Result<(), Differs> {
        let mut input = chunk;
        loop {
            let item = if self.wants_items {
                self.parser.next_item(&mut input)
            } else {
                self.parser
                    .next_event(&mut input)
                    .map(|event| event.map(Item::Event))
            };
            let given = match item {
                Ok(Some(item)) => engines::owned(item),
                Ok(None) if input.is_empty() => return Ok(()),
                Ok(None) => return Err(Differs),
                Err(error) => {
                    let is_same = engines::failure(Some(error)) == self.expected.failure;
                    return if is_same { Ok(()) } else { Err(Differs) };
                }
            };
            let is_given =
                |item: &&kit::Item| self.wants_items || matches!(item, kit::Item::Event { .. });
            if self.items.find(is_given) != Some(&given) {
                return Err(Differs);
            }
        }
    }

    fn finish(mut self) -> Result<(), Differs> {
        let (parser, expected) = (&mut self.parser, self.expected);
        let has_failed = expected.failure.is_some();
        let end = parser.finish();
        let is_same = engines::counters(parser.counters()) == expected.counters
            && parser.retry() == expected.retry
            && parser.last_event_id().as_bytes() == expected.last_event_id
            && (has_failed || engines::pending(end) == expected.pending)
            && engines::failure(parser.next_event(&mut &b"x"[..]).err()) == expected.failure;
        let unfinished = parser
            .take_unfinished()
            .ok()
            .flatten()
            .map(engines::unfinished);
        let mut left = self
            .items
            .filter(|item| self.wants_items || matches!(item, kit::Item::Event { .. }));
        if is_same && unfinished == expected.unfinished && left.next().is_none() {
            Ok(())
        } else {
            Err(Differs)
        }
    }
}

/// Six of the longest token.
const STREAM_LEN_MAX: usize = 30;

/// Three ids, two types, the kept part of a comment, and data.
const MEMORY_LEN: usize = 7 * STREAM_LEN_MAX;
