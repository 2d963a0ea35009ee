//! Vectors, cases and random streams, at every cut, against the oracle.

use sseam_testkit::{Engine, run};

use crate::engines::{Chunks, Lent, Owned, Shared};

const SLICED: Shared = Shared { copied_len_max: 0 };
const MIXED: Shared = Shared { copied_len_max: 5 };

const ENGINES: &[&dyn Engine] = &[
    &Owned,
    &SLICED,
    &MIXED,
    &Lent,
    &Chunks,
    #[cfg(feature = "tokio")]
    &crate::engines::read::Read { read_len: 1000 },
    #[cfg(feature = "codec")]
    &crate::engines::codec::Codec,
];

fn vectors(engine: &dyn Engine) {
    let tally = run::vectors(engine);
    assert!(tally.streams >= 820 && tally.left_out == 0, "{tally:?}");
}

// Tests of their own, so that they run beside each other.

#[test]
fn vectors_owned() {
    vectors(&Owned);
}

#[test]
fn vectors_shared() {
    vectors(&SLICED);
}

#[test]
fn vectors_lent() {
    vectors(&Lent);
}

#[test]
fn vectors_in_chunks() {
    vectors(&Chunks);
}

#[test]
#[cfg(feature = "tokio")]
fn vectors_read() {
    vectors(&crate::engines::read::Read { read_len: 1000 });
}

#[test]
#[cfg(feature = "codec")]
fn vectors_decoded() {
    vectors(&crate::engines::codec::Codec);
}

#[test]
fn cases() {
    for engine in ENGINES {
        let tally = run::cases(*engine);
        assert!(tally.streams > 50 && tally.left_out == 0, "{tally:?}");
    }
}

#[test]
fn random_streams_and_limits() {
    for engine in ENGINES {
        let tally = run::random(*engine, 0..1_000, 120);
        assert_eq!(tally.streams, 1_000);
    }
}

#[test]
#[cfg(feature = "tokio")]
fn every_small_length_of_reads() {
    for read_len in (0..=20).chain([100]) {
        let engine = crate::engines::read::Read { read_len };
        assert_eq!(run::random(&engine, 1_000..1_050, 120).streams, 50);
    }
}
