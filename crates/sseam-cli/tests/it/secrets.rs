//! What a server says of a request that it repeats in a stream, and what of that
//! is shown.

use sseam_cli::Exit;
use sseam_testkit::server::{Answer, Server};

use crate::command::replay;
use crate::get::get;

const KEY: &str = "sk-secret123";

/// An event in which Anthropic reports a failure.
fn failure(code: &str, message: &str) -> String {
    let error = serde_json::json!({"type": code, "message": message});
    let data = serde_json::json!({"type": "error", "error": error});
    format!("event: error\ndata: {data}\n\n")
}

const ASKED: [&str; 4] = [
    "-H",
    "Authorization: Bearer sk-secret123",
    "--dialect=anthropic",
    "--outcome=json",
];

#[test]
fn an_error_within_the_stream_is_shown_without_what_was_asked() {
    let filler = "x".repeat(2040);
    for (code, message, shown) in [
        (
            "authentication",
            format!("bad key {KEY} given"),
            "bad key *** given",
        ),
        // Not even where one of the two is cut to what is shown of it.
        ("authentication", format!("{filler}{KEY}"), "x***"),
        (KEY, "no".to_owned(), "(***): no"),
        (
            &format!("{}{KEY}", "c".repeat(32)),
            "no".to_owned(),
            "c***): no",
        ),
        ("bad_QUERY", "of QUERY".to_owned(), "(bad_***): of ***"),
    ] {
        let stream = failure(code, &message);
        let server = Server::start(vec![Answer::stream().send(&stream)]);
        let ran = get(&server, &[&ASKED[..], &["--text"]].concat());
        assert_eq!(ran.exit, Exit::Failed, "{}", ran.stderr);
        assert!(ran.stderr.contains(shown), "{shown}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("\"outcome\":\"Failed\""),
            "{}",
            ran.stderr
        );
        for part in ["sk-", "QUERY"] {
            assert!(!ran.stderr.contains(part), "{message}: {}", ran.stderr);
        }
        // Where nothing was asked, nothing is kept from a reader.
        let replayed = replay(&stream, &["--dialect=anthropic", "--outcome=json"]);
        assert_eq!(replayed.exit, Exit::Failed);
        assert!(!replayed.stderr.contains("***"), "{}", replayed.stderr);
    }
}

/// The same for an error that came in place of the stream.
#[test]
fn an_error_that_is_the_whole_body_is_shown_without_it_too() {
    let body = format!("{{\"error\":{{\"code\":\"{KEY}\",\"message\":\"key {KEY}\"}}}}\n");
    let server = Server::start(vec![Answer::stream().send(body)]);
    let ran = get(&server, &ASKED);
    assert!(ran.stderr.contains("key ***"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("sk-"), "{}", ran.stderr);
}
