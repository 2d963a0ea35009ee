//! A build without some of the APIs: what it knows is read as always, what it
//! does not know is never taken for complete. Run with `--no-default-features`.

use sseam_llm::{Dialect, Mode, Turn};

use crate::examples::all;
use crate::run::run;

#[test]
fn a_dialect_that_was_left_out_is_never_complete() {
    assert!(Dialect::Plain.is_built_in());
    assert_eq!(
        Dialect::Gemini.is_built_in(),
        cfg!(feature = "gemini"),
        "the feature decides"
    );
    for example in all() {
        let stream = example.stream();
        let report = run(example.turn(), &stream);
        if example.dialect().is_built_in() {
            example.check(&report);
            continue;
        }
        for mode in [Mode::Default, Mode::Strict, Mode::Lenient] {
            for turn in [example.turn(), Turn::new(Dialect::Auto)] {
                let report = run(turn.with_mode(mode), &stream);
                let turn = &report.turn;
                let file = &example.file;
                assert!(
                    !report.outcome.is_completed() || turn.dialect().is_built_in(),
                    "{file}: {:?}",
                    report.outcome
                );
            }
        }
    }
}
