//! Vectors, cases and random streams, at every cut, against the oracle.

use sseam_testkit::{Engine, run};

use crate::bare::Bare;
use crate::engines::{Fixed, Growing};
use crate::tokens::Tokens;

const ENGINES: [&dyn Engine; 4] = [&Fixed, &Growing, &Bare, &Tokens];

/// A test for each engine: they run beside each other, and one can be run alone
/// where a machine is emulated.
#[test]
fn vectors_in_fixed_memory() {
    vectors(&Fixed);
}

#[test]
fn vectors_in_growing_memory() {
    vectors(&Growing);
}

#[test]
fn vectors_without_a_parser() {
    vectors(&Bare);
}

#[test]
fn vectors_in_tokens() {
    vectors(&Tokens);
}

fn vectors(engine: &dyn Engine) {
    let tally = run::vectors(engine);
    assert!(tally.streams >= 820 && tally.left_out == 0, "{tally:?}");
}

#[test]
fn sequences() {
    for engine in ENGINES {
        assert_eq!(run::sequences(engine).streams, 7);
    }
}

#[test]
fn cases_in_fixed_memory() {
    cases(&Fixed);
}

#[test]
fn cases_of_the_others() {
    for engine in [&Growing as &dyn Engine, &Bare, &Tokens] {
        cases(engine);
    }
}

fn cases(engine: &dyn Engine) {
    let tally = run::cases(engine);
    assert!(tally.streams > 50, "{tally:?}");
    // The tokenizer has no limits, so cases about limits are not for it.
    assert_eq!(
        tally.left_out > 0,
        engine.name() == Tokens.name(),
        "{tally:?}"
    );
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
