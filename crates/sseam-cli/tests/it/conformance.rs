//! Vectors, cases and random streams in front of the command, at every cut and
//! at every chunk size.

use sseam_cli::Exit;
use sseam_testkit::vectors::{self, Vector};
use sseam_testkit::{Engine, Setup, cases, run, split};

use crate::command::{argument, replay_at_every_size, repository};
use crate::engine::{ChunkSize, Reads};

/// In reads of all kinds; those with comments longer than what is kept as
/// events alone.
#[test]
fn vectors_in_reads() {
    let mut runs = 0;
    for vector in vectors::all() {
        let stream = vector.stream();
        let cuts = [
            split::whole(&stream),
            split::with_empty_chunks(split::byte_by_byte(&stream)),
            split::random(&stream, 1),
            split::in_two(&stream, stream.len() / 2),
        ];
        runs += check(&Reads, vector, &stream, cuts);
    }
    assert!(runs > 1_600, "{runs}");
}

#[test]
fn vectors_at_every_chunk_size() {
    let mut runs = 0;
    for vector in vectors::all() {
        let stream = vector.stream();
        let sizes: Vec<usize> = match vector.is_long() {
            true => vec![1, 2, 3, 7, 64, 1000, 4096, stream.len() - 1, stream.len()],
            false => (1..=stream.len()).collect(),
        };
        let cuts = sizes.iter().map(|&size| split::sized(&stream, size));
        runs += check(&ChunkSize, vector, &stream, cuts);
    }
    assert!(runs > 15_000, "{runs}");
}

/// Runs the cuts, against the vector and against the oracle; says how many.
#[track_caller]
fn check<'s>(
    engine: &dyn Engine,
    vector: &Vector,
    stream: &'s [u8],
    cuts: impl IntoIterator<Item = split::Cut<'s>>,
) -> usize {
    let (mut setup, capabilities) = (Setup::unlimited(), engine.capabilities());
    if !engine.supports(&setup, stream.len()) {
        setup = setup.events_only();
    }
    let expected = run::expected(engine, &setup, stream);
    let mut runs = 0;
    for cut in cuts {
        let report = capabilities.reduce(&engine.run(&setup, &cut.chunks));
        let checked = vectors::check_vector(vector, &report, &capabilities);
        assert_eq!(checked, Ok(()), "{}, {cut}", vector.name);
        assert_eq!(
            report, expected,
            "{}, {cut}:\n{report}\nnot\n{expected}",
            vector.name
        );
        runs += 1;
    }
    runs
}

#[test]
fn sequences() {
    assert_eq!(run::sequences(&Reads).streams, 7);
}

/// The parser's cases, and the streams of the others.
#[test]
fn cases() {
    let mut count = 0;
    for case in cases::all() {
        // Those with HTTP's framing left in are for `foreign.rs`.
        if case.events().is_none() && case.generated.is_none() || is_framed(case) {
            continue;
        }
        for (setup, _) in case.setups() {
            let setup = setup.events_only();
            for stream in case.streams() {
                match case.generated {
                    Some(_) => one_of_a_few(&setup, &stream),
                    None => drop(run::stream(&Reads, &setup, &stream)),
                }
                count += 1;
            }
        }
    }
    assert!(count > 60, "{count}");
}

/// Whether the input is an HTTP body with its chunk sizes.
pub(crate) fn is_framed(case: &cases::Case) -> bool {
    let http = case.more.get("http");
    http.is_some_and(|http| http.pointer("/headers/transfer-encoding").is_some())
}

/// A long stream, whole and in small reads.
fn one_of_a_few(setup: &Setup, stream: &[u8]) {
    for cut in [split::whole(stream), split::sized(stream, 4096)] {
        run::one(&Reads, setup, stream, &cut);
    }
}

#[test]
fn random_streams_and_limits() {
    let tally = run::random(&Reads, 0..2_000, 120);
    assert!(tally.streams > 800, "{tally:?}");
}

/// Two lines, whatever the chunk size.
#[test]
fn demo() {
    let stream = std::fs::read(repository("examples/streams/demo.sse")).expect("the demo");
    let ran = replay_at_every_size(stream, &[]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let first = concat!(
        r#"{"event":"response.output_text.delta","data":"{\"type\":"#,
        r#"\"response.output_text.delta\",\"delta\":\"你好\"}","id":""}"#
    );
    let second = r#"{"event":"message","data":"第一行\n第二行","id":""}"#;
    assert_eq!((ran.exit, lines), (Exit::Clean, vec![first, second]));
}

/// Each example stream gives the number of events that `expected.json` names.
#[test]
fn example_streams() {
    let path = repository("examples/streams/expected.json");
    let text = std::fs::read_to_string(path).expect("the expected values");
    let expected: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut count = 0;
    for stream in expected.as_array().expect("a list") {
        let name = stream["file"].as_str().expect("a name");
        let path = argument(&repository("examples/streams").join(name));
        for size in ["1", "7", "100000"] {
            let args = ["replay", &path, "--chunk-size", size, "--summary", "json"];
            let ran = crate::command::run(&args, b"");
            let lines = ran.stdout.lines().count() as u64;
            assert_eq!(Some(lines), stream["events"].as_u64(), "{name}");
            let is_body = name == "error-body.json";
            assert_eq!(is_body, ran.exit == Exit::NotEventStream, "{name}");
        }
        count += 1;
    }
    assert!(count > 40, "{count}");
}
