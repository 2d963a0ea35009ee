//! Vectors, cases and random streams, at every cut, against the oracle.

use sseam_testkit::{Engine, run};

use crate::engines::{Bare, Fixed, Growing};

const ENGINES: [&dyn Engine; 3] = [&Fixed, &Growing, &Bare];

#[test]
fn vectors() {
    for engine in ENGINES {
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
        let tally = run::random(engine, 0..20_000, 120);
        assert_eq!(tally.streams, 20_000);
    }
}
