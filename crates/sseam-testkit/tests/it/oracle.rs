//! The oracle against every expected value, and against itself.

use sseam_testkit::generate::{self, Rng};
use sseam_testkit::oracle::{self, Oracle};
use sseam_testkit::vectors::{self, check_sequence, check_vector};
use sseam_testkit::{Capabilities, Engine, Limits, Overflow, Setup, cases, run};

#[test]
fn standard_passes_all_vectors() {
    for vector in vectors::all() {
        let report = oracle::standard(&vector.stream(), &Setup::unlimited());
        let result = check_vector(vector, &report, &Capabilities::ALL);
        assert_eq!(result, Ok(()), "{}", vector.name);
    }
}

#[test]
fn limited_passes_all_vectors_at_every_cut() {
    let tally = run::vectors(&Oracle);
    assert_eq!(tally.streams, 2 * 410);
    assert_eq!(tally.left_out, 0);
}

#[test]
fn sequences_pass() {
    assert_eq!(run::sequences(&Oracle).streams, 7);
    for sequence in vectors::sequences() {
        let streams = sequence.streams();
        let chunks: Vec<_> = streams
            .iter()
            .map(|stream| vec![stream.as_slice()])
            .collect();
        let reports = Oracle.run_streams(&Setup::unlimited(), &chunks);
        assert_eq!(
            check_sequence(sequence, &reports, &Capabilities::ALL),
            Ok(())
        );
    }
}

#[test]
fn all_parser_cases_are_run() {
    let generated = cases::parser()
        .filter(|case| case.generated.is_some())
        .count();
    assert_eq!(
        (cases::all().len(), cases::parser().count(), generated),
        (99, 39, 7)
    );
    let without_stream: Vec<_> = cases::parser()
        .filter(|case| case.streams().is_empty())
        .map(|case| &case.id)
        .collect();
    assert!(without_stream.is_empty(), "{without_stream:?}");
    let tally = run::cases(&Oracle);
    assert!(tally.streams > 50, "{tally:?}");
}

/// Two transcriptions of one text: without limits they must agree.
#[test]
fn standard_equals_limited_without_limits() {
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let comment = generate::limits(&mut rng).comment;
        let limits = Limits {
            comment,
            ..Limits::NONE
        };
        let stream = generate::stream(&mut rng, 120);
        for overflow in [Overflow::Stop, Overflow::Skip] {
            let setup = Setup {
                limits,
                overflow,
                ..generate::setup(&mut rng)
            };
            let setup = Setup {
                limits: Limits {
                    comment,
                    ..Limits::NONE
                },
                ..setup
            };
            let (standard, limited) = (
                oracle::standard(&stream, &setup),
                oracle::limited(&stream, &setup),
            );
            assert_eq!(standard, limited, "seed {seed}");
        }
    }
}

/// A failure at offset `n` is decided by the bytes up to and including `n`:
/// no shorter beginning fails, every longer one fails in the same way.
#[test]
fn failures_are_causal() {
    let mut failed = 0;
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let setup = generate::setup(&mut rng);
        let stream = generate::stream(&mut rng, 100);
        let whole = oracle::limited(&stream, &setup);
        let Some(failure) = whole.failure else {
            continue;
        };
        failed += 1;
        let offset = usize::try_from(failure.offset).expect("within the stream");
        let before = oracle::limited(&stream[..offset], &setup);
        assert_eq!(before.failure, None, "seed {seed}\n{before}\n{whole}");
        assert_eq!(before.items, whole.items, "seed {seed}");
        assert_eq!(before.counters, whole.counters, "seed {seed}");
        assert_eq!(before.last_event_id, whole.last_event_id, "seed {seed}");
        assert_eq!(
            oracle::limited(&stream[..=offset], &setup),
            whole,
            "seed {seed}"
        );
    }
    assert!(failed > 1000, "only {failed} of the streams failed");
}

/// Skipping never changes what comes after the block, nor the ids.
#[test]
fn skipping_ends_with_its_block() {
    let mut skipped = 0;
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let mut setup = Setup {
            overflow: Overflow::Skip,
            ..generate::setup(&mut rng)
        };
        (setup.limits.bytes, setup.limits.events) = (u64::MAX, u64::MAX);
        let stream = generate::stream(&mut rng, 100);
        let limited = oracle::limited(&stream, &setup);
        let free = Setup {
            limits: Limits::NONE,
            ..setup.clone()
        };
        let standard = oracle::standard(&stream, &free);
        assert_eq!(limited.failure, None);
        assert_eq!(limited.retry, standard.retry, "seed {seed}");
        assert!(
            limited.event_count() <= standard.event_count(),
            "seed {seed}"
        );
        if setup.limits.id == usize::MAX {
            assert_eq!(limited.last_event_id, standard.last_event_id, "seed {seed}");
            let all: Vec<_> = standard.events().collect();
            assert!(
                limited.events().all(|event| all.contains(&event)),
                "seed {seed}"
            );
        }
        skipped += limited.counters.skipped;
    }
    assert!(skipped > 1000, "only {skipped} blocks were skipped");
}
