//! Vectors, cases and random streams, at every cut, against the oracle.

use sseam_testkit::{Engine, run};

use crate::engines::{Chunks, Lending, Looped, LoopedChunks};

const REBUILT: Lending = Lending {
    is_rebuilt: true,
    ..Lending::PLAIN
};

const ENGINES: [&dyn Engine; 5] = [&Lending::PLAIN, &REBUILT, &Looped, &Chunks, &LoopedChunks];

#[test]
fn vectors() {
    // The others differ from these in what they do around the same loop; cases
    // and random streams show that.
    for engine in [&Lending::PLAIN as &dyn Engine, &LoopedChunks] {
        let tally = run::vectors(engine);
        assert!(tally.streams >= 820 && tally.left_out == 0, "{tally:?}");
    }
}

#[test]
fn sequences() {
    for engine in ENGINES {
        assert_eq!(run::sequences(engine).streams, 7);
    }
}

#[test]
fn cases() {
    for engine in ENGINES {
        let tally = run::cases(engine);
        assert!(tally.streams > 50 && tally.left_out == 0, "{tally:?}");
    }
}

#[test]
fn random_streams_and_limits() {
    for engine in ENGINES {
        let tally = run::random(engine, 0..5_000, 120);
        assert_eq!(tally.streams, 5_000);
    }
}

#[test]
fn every_small_buffer_size() {
    for buffer_size in (1..=40).chain([0, 1000, 4096]) {
        let engine = Lending {
            buffer_size,
            ..Lending::PLAIN
        };
        let tally = run::random(&engine, 5_000..5_200, 120);
        assert_eq!(tally.streams, 200);
    }
}
