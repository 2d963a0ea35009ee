//! Answers in C say what answers in Rust say: of every example stream and every case
//! of other people's faults, whole and cut, in every dialect and mode.

use std::fs;

use sseam_core::{Limits, Overflow};
use sseam_llm::{Dialect, Mode};
use sseam_testkit::cases;

use crate::drive::{Ask, MODES, capi, rust};

/// The example streams.
fn examples() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/streams");
    let files = fs::read_dir(folder).expect("the examples").flatten();
    let is_stream = |name: &str| name.ends_with(".sse") || name == "error-body.json";
    let mut all: Vec<(String, Vec<u8>)> = files
        .map(|file| (file.file_name().to_string_lossy().into_owned(), file.path()))
        .filter(|(name, _)| is_stream(name))
        .map(|(name, path)| (name, fs::read(path).expect("a stream")))
        .collect();
    all.sort();
    all
}

#[track_caller]
fn check(name: &str, ask: &Ask, chunks: &[&[u8]]) -> String {
    let (expected, found) = (rust(ask, chunks), capi(ask, chunks));
    let (dialect, mode) = (ask.dialect, ask.mode);
    assert_eq!(found, expected, "{name} as {dialect}, {mode:?}");
    found.outcome
}

#[test]
fn examples_in_every_dialect_and_mode() {
    let all = examples();
    assert!(all.len() >= 51, "{}", all.len());
    for (name, stream) in &all {
        for dialect in Dialect::ALL {
            for mode in MODES {
                let ask = Ask::of(*dialect, mode);
                check(name, &ask, &[stream]);
            }
            let bytes: Vec<&[u8]> = stream.chunks(1).collect();
            check(name, &Ask::of(*dialect, Mode::Default), &bytes);
        }
    }
}

#[test]
fn examples_cut_short() {
    let mut completed = 0;
    for (name, stream) in examples() {
        for at in 0..stream.len() {
            let mode = MODES[at % 3];
            let outcome = check(&name, &Ask::of(Dialect::Auto, mode), &[&stream[..at]]);
            completed += usize::from(outcome.starts_with("Completed"));
        }
    }
    assert!(completed > 0, "no stream was whole before its last byte");
}

#[test]
fn cases_of_other_peoples_faults() {
    let mut count = 0;
    for case in cases::layer("profile").filter(|case| !case.streams().is_empty()) {
        let stream = case.streams().concat();
        for dialect in Dialect::ALL {
            for mode in MODES {
                let ask = Ask {
                    choice: 1,
                    ..Ask::of(*dialect, mode)
                };
                check(&case.id, &Ask::of(*dialect, mode), &[&stream]);
                check(&case.id, &ask, &[&stream]);
                count += 1;
            }
        }
    }
    assert!(count >= 33 * 15, "{count}");
}

#[test]
fn events_that_do_not_fit() {
    for (name, stream) in examples() {
        for overflow in [Overflow::Skip, Overflow::Stop] {
            for data_len_max in [16, 64, 200] {
                let limits = Limits {
                    data_len_max,
                    event_type_len_max: 24,
                    comment_len_max: 64,
                    overflow,
                    ..Limits::SMALL
                };
                for dialect in Dialect::ALL {
                    let ask = Ask {
                        limits,
                        ..Ask::of(*dialect, Mode::Default)
                    };
                    check(&name, &ask, &[&stream]);
                }
            }
        }
    }
}
