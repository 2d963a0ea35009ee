//! What is told of connections: each request, each beginning, each end.

use std::sync::{Arc, Mutex};

use sseam::Delays;
use sseam::client::{ConnectionStep, Request};
use sseam::llm::{Dialect, TransportEnd};
use sseam_testkit::server::{Answer, End, Framing, Script};

use super::setup::{millis, read};

/// Reads `count` items of a source that meets these answers; what it tells, a
/// word for each step.
fn told(answers: Vec<Answer>, dialect: Dialect, count: usize) -> Vec<String> {
    let server = Script::new(answers).start();
    let steps = Arc::new(Mutex::new(Vec::new()));
    let (reads, all) = (Arc::clone(&steps), Arc::clone(&steps));
    let mut source = Request::get(server.url("/"))
        .dialect(dialect)
        .idle_timeout(millis(300))
        .reconnect(Delays {
            base: millis(1),
            floor: millis(1),
            attempts_max: 1,
            ..Delays::DEFAULT
        })
        .on_read(move |read| {
            let word = format!("read of {}", read.mark.connection);
            reads.lock().expect("words").push(word);
        })
        .on_connection(move |step| {
            let word = match step {
                ConnectionStep::Requested { request, .. } => format!("request {request}"),
                ConnectionStep::Opened { connection, .. } => format!("begin {connection}"),
                ConnectionStep::Ended {
                    connection,
                    transport,
                    ..
                } => format!("end {connection} {}", end(transport)),
                _ => "?".to_owned(),
            };
            all.lock().expect("words").push(word);
        })
        .open()
        .expect("a request");
    read(&mut source, count);
    let mut words = steps.lock().expect("words").clone();
    words.dedup();
    words
}

fn end(transport: Option<TransportEnd>) -> &'static str {
    match transport {
        Some(TransportEnd::Clean) => "clean",
        Some(TransportEnd::Cut) => "cut",
        Some(TransportEnd::Reset) => "reset",
        Some(_) => "?",
        None => "left",
    }
}

#[test]
fn every_request_and_every_connection_is_told() {
    let event = || Answer::stream().send("data: a\n\n");
    let words = told(
        vec![
            event(),
            Answer::status(503),
            event().end(End::Rst),
            Answer::status(204),
        ],
        Dialect::Plain,
        usize::MAX,
    );
    let expected = [
        "request 1",
        "begin 1",
        "read of 1",
        "end 1 clean",
        "request 2",
    ];
    // One attempt in a row is allowed, and the second request used it.
    assert_eq!(words, expected);
    let words = told(
        vec![
            event(),
            event().end(End::TruncateChunked),
            Answer::status(204),
        ],
        Dialect::Plain,
        usize::MAX,
    );
    let more = ["begin 2", "read of 2", "end 2 cut", "request 3"];
    assert_eq!(words, [&expected[..], &more].concat());
}

/// A byte of the body, or none, and each way to end.
#[test]
fn the_end_is_that_of_the_body() {
    let close = |answer: Answer| answer.framing(Framing::Close);
    let begun = || Answer::stream().send("data: a\n\n");
    let gone = Answer::status(204);
    for (answer, word) in [
        (Answer::stream(), "end 1 clean"),
        (begun().end(End::NoFinalCrlf), "end 1 clean"),
        (begun().end(End::BadChunk), "end 1 cut"),
        (begun().end(End::CutChunk), "end 1 cut"),
        (close(begun()), "end 1 clean"),
        (close(begun()).end(End::Rst), "end 1 reset"),
        (begun().end(End::Hold), "end 1 left"),
    ] {
        let words = told(vec![answer, gone.clone()], Dialect::Plain, usize::MAX);
        assert!(words.iter().any(|it| it == word), "{word}: {words:?}");
        assert_eq!(
            words.last().map(String::as_str),
            Some("request 2"),
            "{words:?}"
        );
    }
}

/// After the end of the answer too, where nothing else depends on it.
#[test]
fn what_follows_the_terminal_is_told() {
    let done = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\
                \"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let done = || Answer::stream().send(done);
    for (answer, word) in [
        (done(), "end 1 clean"),
        (done().end(End::Rst), "end 1 reset"),
        (done().end(End::TruncateChunked), "end 1 cut"),
        (done().end(End::Hold), "end 1 left"),
    ] {
        let words = told(vec![answer], Dialect::OpenAiChat, usize::MAX);
        assert_eq!(words.last().map(String::as_str), Some(word), "{words:?}");
    }
}
