//! Vectors, cases and random streams through each reader, against the oracle.

use sseam_testkit::run;

use crate::engines::KINDS;

#[test]
fn vectors() {
    for kind in KINDS {
        let tally = run::vectors(&kind);
        assert!(tally.streams >= 800 && tally.left_out <= 16, "{tally:?}");
    }
}

#[test]
fn sequences() {
    for kind in KINDS {
        assert_eq!(run::sequences(&kind).streams, 7);
    }
}

#[test]
fn cases() {
    for kind in KINDS {
        let tally = run::cases(&kind);
        assert!(tally.streams > 50 && tally.left_out <= 10, "{tally:?}");
    }
}

#[test]
fn random_streams_and_limits() {
    for kind in KINDS {
        let tally = run::random(&kind, 0..4_000, 120);
        assert_eq!(tally.streams, 4_000);
    }
}
