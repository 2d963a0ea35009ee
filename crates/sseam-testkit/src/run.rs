//! Vectors, cases and random streams in front of one engine, at every cut.
//!
//! Each function panics at the first difference, with the engine, the stream,
//! the cut, and both reports; it returns how much was run, so that a test can
//! say that it was not nothing.

use std::ops::{AddAssign, Range};

use crate::cases::{self, Case};
use crate::generate::{self, Rng};
use crate::render::quoted;
use crate::split::{self, Cut};
use crate::vectors::{self, check_sequence, check_vector};
use crate::{Engine, Report, Setup, oracle};

/// How much was run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Streams under one setup each.
    pub streams: u64,
    /// Runs of the engine: one per stream, setup and cut.
    pub runs: u64,
    /// Streams that the engine does not support under their setup.
    pub left_out: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.streams += other.streams;
        self.runs += other.runs;
        self.left_out += other.left_out;
    }
}

/// All hand-written and random vectors: against their expected values and
/// against the whole report of the oracle.
///
/// # Panics
///
/// At the first difference.
#[track_caller]
pub fn vectors(engine: &dyn Engine) -> Tally {
    let mut tally = Tally::default();
    for vector in vectors::all() {
        let stream = vector.stream();
        for setup in [Setup::unlimited(), Setup::unlimited().events_only()] {
            tally += every_cut(engine, &setup, &stream, &vector.name, &|report, cut| {
                check_vector(vector, report, &engine.capabilities())
                    .unwrap_or_else(|error| mismatch(engine, &vector.name, cut, &error));
            });
        }
    }
    tally
}

/// All sequences of connections, each stream cut in the same way.
///
/// # Panics
///
/// At the first difference.
#[track_caller]
pub fn sequences(engine: &dyn Engine) -> Tally {
    let mut tally = Tally::default();
    for sequence in vectors::sequences() {
        let streams = sequence.streams();
        every_cut_of_streams(engine, &sequence.name, &streams, &mut tally, &|reports| {
            check_sequence(sequence, reports, &engine.capabilities())
        });
    }
    tally
}

/// All parser cases, and the streams of the other layers' cases whose events
/// are known; the generated ones whole and in their own read size only.
///
/// # Panics
///
/// At the first difference.
#[track_caller]
pub fn cases(engine: &dyn Engine) -> Tally {
    let mut tally = Tally::default();
    for case in cases::all() {
        if case.generated.is_some() {
            tally += generated_case(engine, case);
        } else if case.input.is_some() && is_bare_stream(case) {
            every_cut_of_streams(engine, &case.id, &case.streams(), &mut tally, &|reports| {
                case.check(reports, &engine.capabilities())
            });
            tally += own_cut(engine, case);
        }
    }
    tally
}

/// Random streams under random setups, a few cuts each, against the oracle.
///
/// # Panics
///
/// At the first difference, with its seed.
#[track_caller]
pub fn random(engine: &dyn Engine, seeds: Range<u64>, stream_len_max: usize) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let setup = generate::setup(&mut rng);
        let stream = generate::stream(&mut rng, stream_len_max);
        let name = format!("seed {seed}");
        if !engine.supports(&setup, stream.len()) {
            tally.left_out += 1;
            continue;
        }
        let expected = expected(engine, &setup, &stream);
        let at = rng.below(stream.len() + 1);
        let cuts = [
            split::whole(&stream),
            split::with_empty_chunks(split::byte_by_byte(&stream)),
            split::in_two(&stream, at),
            split::random(&stream, seed),
        ];
        for cut in &cuts {
            compare(engine, &setup, &name, cut, &expected);
        }
        tally.streams += 1;
        tally.runs += cuts.len() as u64;
    }
    tally
}

/// One stream under one setup at every cut, against the oracle.
///
/// # Panics
///
/// At the first difference.
#[track_caller]
pub fn stream(engine: &dyn Engine, setup: &Setup, stream: &[u8]) -> Tally {
    every_cut(engine, setup, stream, "stream", &|_, _| {})
}

/// One stream under one setup at one cut, against the oracle; for fuzzers and
/// exhaustive tests.
///
/// # Panics
///
/// At a difference.
#[track_caller]
pub fn one(engine: &dyn Engine, setup: &Setup, stream: &[u8], cut: &Cut<'_>) {
    compare(
        engine,
        setup,
        "stream",
        cut,
        &expected(engine, setup, stream),
    );
}

/// What the oracle says, reduced to what the engine can say.
pub fn expected(engine: &dyn Engine, setup: &Setup, stream: &[u8]) -> Report {
    engine
        .capabilities()
        .reduce(&oracle::limited(stream, setup))
}

/// Runs every cut against the oracle, then hands each report to `check`.
#[track_caller]
fn every_cut(
    engine: &dyn Engine,
    setup: &Setup,
    stream: &[u8],
    name: &str,
    check: &dyn Fn(&Report, &Cut<'_>),
) -> Tally {
    if !engine.supports(setup, stream.len()) {
        return Tally {
            left_out: 1,
            ..Tally::default()
        };
    }
    let expected = expected(engine, setup, stream);
    let mut tally = Tally {
        streams: 1,
        ..Tally::default()
    };
    for cut in split::every(stream) {
        let report = compare(engine, setup, name, &cut, &expected);
        check(&report, &cut);
        tally.runs += 1;
    }
    tally
}

/// Runs streams with resets between them at every cut of the longest; each is
/// cut in the same way, as far as it is long enough.
#[track_caller]
fn every_cut_of_streams(
    engine: &dyn Engine,
    name: &str,
    streams: &[Vec<u8>],
    tally: &mut Tally,
    check: &dyn Fn(&[Report]) -> Result<(), String>,
) {
    let setup = Setup::unlimited();
    let len_max = streams.iter().map(Vec::len).max().unwrap_or(0);
    if !engine.supports(&setup, len_max) {
        tally.left_out += 1;
        return;
    }
    let whole: Vec<_> = streams
        .iter()
        .map(|stream| vec![stream.as_slice()])
        .collect();
    let reduce = |report: &Report| engine.capabilities().reduce(report);
    let expected: Vec<_> = oracle::Oracle
        .run_streams(&setup, &whole)
        .iter()
        .map(reduce)
        .collect();
    let mut cuts: Vec<_> = streams
        .iter()
        .map(|stream| split::every(stream).fuse())
        .collect();
    // A shorter stream runs out of cuts first and is then left whole.
    loop {
        let next: Vec<_> = cuts.iter_mut().map(Iterator::next).collect();
        let Some(shown) = next.iter().flatten().last().cloned() else {
            break;
        };
        let chunks: Vec<_> = next
            .into_iter()
            .zip(streams)
            .map(|(cut, stream)| cut.map_or_else(|| vec![stream.as_slice()], |cut| cut.chunks))
            .collect();
        let reports: Vec<_> = engine
            .run_streams(&setup, &chunks)
            .iter()
            .map(reduce)
            .collect();
        check(&reports).unwrap_or_else(|error| mismatch(engine, name, &shown, &error));
        for (expected, report) in expected.iter().zip(&reports) {
            assert_same(engine, &setup, name, &shown, expected, report);
        }
        tally.runs += 1;
    }
    tally.streams += 1;
}

/// A case at the cut that broke somebody, and what it gave after each chunk.
#[track_caller]
fn own_cut(engine: &dyn Engine, case: &Case) -> Tally {
    let (streams, Some(offsets)) = (case.streams(), &case.chunks) else {
        return Tally::default();
    };
    let setup = Setup::unlimited();
    let cut = split::at_offsets(&streams[0], offsets);
    let expected = expected(engine, &setup, &streams[0]);
    compare(engine, &setup, &case.id, &cut, &expected);
    if let Some(expected) = &case.expected_after_chunk {
        let found = engine.events_after_chunks(&setup, &cut.chunks);
        if found != *expected {
            let error = format!("{found:?} events after each chunk, not {expected:?}");
            mismatch(engine, &case.id, &cut, &error);
        }
    }
    Tally {
        runs: 1,
        ..Tally::default()
    }
}

#[track_caller]
fn generated_case(engine: &dyn Engine, case: &Case) -> Tally {
    let mut tally = Tally::default();
    let Some(generated) = &case.generated else {
        return tally;
    };
    let stream = generated.stream();
    for (setup, failure) in case.setups() {
        if !engine.supports(&setup, stream.len()) {
            tally.left_out += 1;
            continue;
        }
        let expected = expected(engine, &setup, &stream);
        assert_eq!(
            expected.failure,
            failure.filter(|_| engine.capabilities().failure),
            "the oracle's failure in {}",
            case.id
        );
        for cut in [
            split::whole(&stream),
            split::sized(&stream, generated.read_size),
        ] {
            compare(engine, &setup, &case.id, &cut, &expected);
            tally.runs += 1;
        }
        tally.streams += 1;
    }
    tally
}

/// Whether the input is what a parser is given: no HTTP framing around it.
fn is_bare_stream(case: &Case) -> bool {
    let is_framed = case
        .more
        .get("http")
        .is_some_and(|http| http.pointer("/headers/transfer-encoding").is_some());
    // E04 shows what becomes of a stream whose framing was left in.
    let is_framing_the_point = case.id == "E04";
    case.events().is_some() && (!is_framed || is_framing_the_point)
}

#[track_caller]
fn compare(
    engine: &dyn Engine,
    setup: &Setup,
    name: &str,
    cut: &Cut<'_>,
    expected: &Report,
) -> Report {
    let report = engine
        .capabilities()
        .reduce(&engine.run(setup, &cut.chunks));
    assert_same(engine, setup, name, cut, expected, &report);
    report
}

#[track_caller]
fn assert_same(
    engine: &dyn Engine,
    setup: &Setup,
    name: &str,
    cut: &Cut<'_>,
    expected: &Report,
    report: &Report,
) {
    if report != expected {
        let stream = quoted(&cut.chunks.concat());
        let error = format!("{stream}\n{setup:?}\nexpected:\n{expected}\nfound:\n{report}");
        mismatch(engine, name, cut, &error);
    }
}

#[track_caller]
fn mismatch(engine: &dyn Engine, name: &str, cut: &Cut<'_>, error: &str) -> ! {
    panic!("{}, {name}, {cut}: {error}", engine.name());
}
