//! Vectors, cases and random streams through every way of calling the C
//! functions, at every cut, against the oracle.

use sseam_testkit::{Engine, run};

use crate::engines::{Call, Capi, Place};

const ENGINES: [&dyn Engine; 4] = [
    &Capi {
        call: Call::Pull,
        place: Place::Lent,
    },
    &Capi {
        call: Call::Pull,
        place: Place::Heap,
    },
    &Capi {
        call: Call::Callback,
        place: Place::Lent,
    },
    &Capi {
        call: Call::Callback,
        place: Place::Heap,
    },
];

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
        let tally = run::random(engine, 0..4_000, 120);
        assert!(tally.streams > 3_000, "{tally:?}");
    }
}
