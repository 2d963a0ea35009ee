//! Law 1: for one byte sequence, every way of cutting it gives the same items,
//! counters, spans, ids and errors. Random streams, cuts and limits come in;
//! what fails comes out as small as it can be made.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use sseam_core::{Item, Parser};
use sseam_testkit::{self as kit, oracle};

use crate::bare::Bare;
use crate::engines::{self, Fixed, Growing};
use crate::tokens::Tokens;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_cutting_equals_the_whole_run(
        stream in stream(),
        cuts in cuts(),
        setup in setup(),
    ) {
        let chunks = cut(&stream, &cuts);
        let expected = oracle::limited(&stream, &setup);
        let drivers: [&dyn kit::Engine; 4] = [&Fixed, &Growing, &Bare, &Tokens];
        for driver in drivers.iter().filter(|driver| driver.supports(&setup, stream.len())) {
            let whole = driver.run(&setup, &[&stream]);
            let pieces = driver.run(&setup, &chunks);
            same(driver.name(), "cut", &pieces, &whole)?;
            same(driver.name(), "oracle", &whole, &expected)?;
        }
    }

    #[test]
    fn a_new_connection_may_be_cut_anywhere(
        streams in prop::collection::vec(stream(), 1..4),
        cuts in cuts(),
        setup in setup(),
    ) {
        let whole: Vec<Vec<&[u8]>> = streams.iter().map(|stream| vec![&stream[..]]).collect();
        let pieces: Vec<_> = streams.iter().map(|stream| cut(stream, &cuts)).collect();
        let drivers: [&dyn kit::Engine; 2] = [&Fixed, &Growing];
        for driver in drivers {
            let whole = driver.run_streams(&setup, &whole);
            let pieces = driver.run_streams(&setup, &pieces);
            for (pieces, whole) in pieces.iter().zip(&whole) {
                same(driver.name(), "cut", pieces, whole)?;
            }
        }
    }

    #[test]
    fn asking_for_items_changes_nothing_but_what_is_told(
        stream in stream(),
        cuts in cuts(),
        setup in setup(),
        wants in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        let chunks = cut(&stream, &cuts);
        let events_only = mixed(&setup, &chunks, &[false]);
        let all_items = mixed(&setup, &chunks, &[true]);
        let in_turns = mixed(&setup, &chunks, &wants);
        same("Parser", "only events", &events_of(&all_items), &events_only)?;
        same("Parser", "in turns", &events_of(&in_turns), &events_only)?;
    }
}

/// Runs a parser with `next_item` where `wants` says so, else `next_event`.
fn mixed(setup: &kit::Setup, chunks: &[&[u8]], wants: &[bool]) -> kit::Report {
    let memory = engines::Grown::default();
    let mut parser = Parser::growing(memory, engines::limits(setup));
    parser
        .set_last_event_id(&setup.last_event_id)
        .expect("the setup's id is within its limit");
    let mut report = kit::Report::default();
    let mut wants = wants.iter().cycle();
    'stream: for chunk in chunks {
        let mut input: &[u8] = chunk;
        loop {
            let item = match wants.next() {
                Some(true) => parser.next_item(&mut input),
                _ => parser
                    .next_event(&mut input)
                    .map(|event| event.map(Item::Event)),
            };
            match item {
                Ok(Some(item)) => report.items.push(engines::owned(item)),
                Ok(None) => break,
                Err(error) => {
                    report.failure = engines::failure(Some(error));
                    break 'stream;
                }
            }
        }
    }
    report.counters = engines::counters(parser.counters());
    report.pending = engines::pending(parser.finish());
    report.retry = parser.retry();
    report.last_event_id = parser.last_event_id().as_bytes().to_vec();
    let unfinished = parser.take_unfinished().expect("memory grows");
    report.unfinished = unfinished.map(engines::unfinished);
    report
}

fn events_of(report: &kit::Report) -> kit::Report {
    let mut report = report.clone();
    report
        .items
        .retain(|item| matches!(item, kit::Item::Event { .. }));
    report
}

fn same(
    driver: &str,
    other: &str,
    found: &kit::Report,
    expected: &kit::Report,
) -> Result<(), TestCaseError> {
    prop_assert!(
        found == expected,
        "{driver}, {other}:\n{found}\nis not\n{expected}"
    );
    Ok(())
}

/// Chunks of these lengths, over and over; the rest is one chunk where all of
/// them are 0.
fn cut<'s>(stream: &'s [u8], lengths: &[usize]) -> Vec<&'s [u8]> {
    let mut chunks = Vec::new();
    let mut rest = stream;
    while !rest.is_empty() {
        for &len in lengths {
            let (chunk, tail) = rest.split_at(len.min(rest.len()));
            chunks.push(chunk);
            rest = tail;
        }
        if lengths.iter().all(|&len| len == 0) {
            chunks.push(rest);
            rest = &[];
        }
    }
    chunks
}

fn cuts() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(prop_oneof![5 => 0..6_usize, 1 => 0..60_usize], 0..12)
}

/// Lines, most of them of fields, with pieces that parsers get wrong.
pub(crate) fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..5),
    ];
    let value = prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat());
    let name = prop::sample::select(NAMES);
    let line_end = prop::sample::select(LINE_ENDS);
    let line = (name, value, line_end).prop_map(|(name, value, end)| [name, &value, end].concat());
    let lines = prop::collection::vec(line, 0..16).prop_map(|lines| lines.concat());
    let start = prop::sample::select(STARTS);
    (start, lines).prop_map(|(start, lines)| [start, &lines].concat())
}

fn setup() -> impl Strategy<Value = kit::Setup> {
    let limits = (
        small(24, 6),
        small(12, 2),
        small(6, 2),
        small(6, 2),
        small(9, 2),
        small(120, 6),
        small(4, 3),
    );
    let overflow = prop::sample::select(&[kit::Overflow::Stop, kit::Overflow::Skip][..]);
    let id = prop::sample::select(IDS);
    (limits, overflow, id, any::<bool>()).prop_map(|(limits, overflow, id, want_items)| {
        let (line, data, event_type, id_len, comment, bytes, events) = limits;
        let total = |max: usize| {
            if max == usize::MAX {
                u64::MAX
            } else {
                max as u64
            }
        };
        kit::Setup {
            limits: kit::Limits {
                line,
                data,
                event_type,
                id: id_len,
                comment,
                bytes: total(bytes),
                events: total(events),
            },
            overflow,
            last_event_id: id[..id.len().min(id_len)].to_vec(),
            want_items,
        }
    })
}

/// Once in `rarity` times below `end`, else no limit.
fn small(end: usize, rarity: u32) -> impl Strategy<Value = usize> {
    prop_oneof![rarity => Just(usize::MAX), 2 => 0..end]
}

/// As many cases as `PROPTEST_CASES` says, else these. Seeds of failures are not
/// kept: what fails becomes a vector.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

const STARTS: &[&[u8]] = &[
    b"",
    b"",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB\xBF\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xEF",
];

const IDS: &[&[u8]] = &[b"", b"", b"7", b"\xE4\xBD\xA0"];

const NAMES: &[&[u8]] = &[
    b"data:", b"data: ", b"data", b"event:", b"event: ", b"event", b"id:", b"id: ", b"id",
    b"retry:", b"retry: ", b"retry", b":", b"", b"", b"", b"dat", b"datax:", b"Data: ", b"ids:",
];

const PIECES: &[&[u8]] = &[
    b"x",
    b"y",
    b"12",
    b"345",
    b" ",
    b":",
    b"\0",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xFF",
    b"\xE4\xBD\xA0",
    b"\xE4\xBD",
    b"data:",
    b"18446744073709551615",
    b"longer than small",
];

const LINE_ENDS: &[&[u8]] = &[
    b"\n",
    b"\n",
    b"\r\n",
    b"\r\n",
    b"\r",
    b"\r",
    b"\n\n",
    b"\r\n\r\n",
    b"\r\r",
    b"\n\r",
    b"",
];
