//! Vectors, cases and random streams, at every cut, against the oracle.

use sseam_testkit::{Engine, run};

use crate::bare::Bare;
use crate::engines::{Fixed, Growing};
use crate::tokens::Tokens;

const ENGINES: [&dyn Engine; 4] = [&Fixed, &Growing, &Bare, &Tokens];

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
        assert!(tally.streams > 50, "{tally:?}");
        // The tokenizer has no limits, so cases about limits are not for it.
        assert_eq!(
            tally.left_out > 0,
            engine.name() == Tokens.name(),
            "{tally:?}"
        );
    }
}

#[test]
fn random_streams_and_limits() {
    for engine in ENGINES {
        let tally = run::random(engine, 0..20_000, 120);
        assert_eq!(tally.streams + tally.left_out, 20_000);
        let is_limited = engine.name() == Tokens.name();
        assert_eq!(tally.left_out == 0, !is_limited, "{tally:?}");
        assert!(tally.streams > 6_000, "{tally:?}");
    }
}
