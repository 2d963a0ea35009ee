//! Inputs that are no event streams, and near misses that are.

use sseam_cli::Exit;
use sseam_testkit::cases;

use crate::command::{replay_at_every_size, run};
use crate::conformance::is_framed;

#[track_caller]
fn check_foreign(input: impl AsRef<[u8]>, name: &str, advice: &str) {
    let ran = replay_at_every_size(&input, &["--summary=json"]);
    assert_eq!(ran.exit, Exit::NotEventStream, "{name}: {}", ran.stderr);
    let messages = ran.messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    let expected = format!("sseam: standard input: not an event stream but {name}: ");
    assert!(messages[0].starts_with(&expected), "{}", messages[0]);
    assert!(
        messages[0].contains(advice),
        "{} without {advice}",
        messages[0]
    );
}

#[track_caller]
fn check_stream(input: impl AsRef<[u8]>, exit: Exit, events: usize) {
    let input = input.as_ref();
    let ran = replay_at_every_size(input, &[]);
    let found = (ran.exit, ran.stdout.lines().count());
    assert_eq!(
        found,
        (exit, events),
        "{:?}: {}",
        input.escape_ascii().to_string(),
        ran.stderr
    );
}

const BODY: &str = "data: hello\n\n";

#[test]
fn http_heads() {
    for line in [
        "HTTP/1.1 200 OK",
        "HTTP/1.0 200",
        "HTTP/2 200 ",
        "HTTP/3 503",
    ] {
        let input = format!("{line}\r\ncontent-type: text/event-stream\r\n\r\n{BODY}");
        check_foreign(&input, "an HTTP response with its head", "without `-i`");
        let ran = replay_at_every_size(&input, &[]);
        assert_eq!(ran.stdout, "", "nothing of it is printed");
    }
    check_stream(format!("HTTP/1.1\n{BODY}"), Exit::Clean, 1);
    check_stream(format!("HTTP/1.1 OK\n{BODY}"), Exit::Clean, 1);
    check_stream(format!("HTTP/11 200\n{BODY}"), Exit::Clean, 1);
    check_stream(format!("HTTP is nice\n{BODY}"), Exit::Clean, 1);
    check_stream(format!("data: HTTP/1.1 200 OK\n\n{BODY}"), Exit::Clean, 2);
    check_stream("HTTP/1.1 20", Exit::Truncated, 0);
}

#[test]
fn chunk_sizes() {
    let name = "an HTTP body with its chunk sizes left in";
    for input in [
        "d\r\ndata: hello\n\n\r\n0\r\n\r\n",
        "00D;ext=1\r\ndata: hello\n\n\r\n3\r\n: x\r\n",
        "4\r\ndata\r\n9\r\n: hello\n\n\r\n0\r\n\r\n",
        // Saved in the middle of its first chunk.
        "1f4\r\ndata: hel",
        "1f4\r\n: hel\n",
    ] {
        check_foreign(input, name, "without `--raw`");
    }
    // Its events are printed as far as it was not certain yet.
    let ran = replay_at_every_size(
        "d\r\ndata: hello\n\n\r\nd\r\ndata: never\n\n\r\n0\r\n\r\n",
        &[],
    );
    assert_eq!(ran.stdout.lines().count(), 1);
    assert_eq!(ran.exit, Exit::NotEventStream);
}

#[test]
fn lines_of_digits_are_no_chunk_sizes() {
    // Wrong by one byte, in either direction.
    check_stream("c\r\ndata: hello\n\n\r\n0\r\n\r\n", Exit::Clean, 1);
    check_stream("e\r\ndata: hello\n\n\r\n0\r\n\r\n", Exit::Clean, 1);
    check_stream("d\ndata: hello\n\n\n0\n\n", Exit::Clean, 1);
    check_stream("d\r\ndata: hello\n\n\r\nnot hex\r\n", Exit::Clean, 1);
    check_stream("42\r\ndata: hello\r\n\r\n", Exit::Clean, 1);
    check_stream("0\r\n\r\ndata: hello\n\n", Exit::Clean, 1);
    check_stream("a\r\n", Exit::Clean, 0);
    check_stream("123456789\r\ndata: hel", Exit::Truncated, 0);
    check_stream(": 1\r\ndata: hello\n\n", Exit::Clean, 1);
}

/// What others saw with the framing left in.
#[test]
fn framed_cases() {
    let mut count = 0;
    for case in cases::all().iter().filter(|case| is_framed(case)) {
        for stream in case.streams() {
            let ran = replay_at_every_size(stream, &[]);
            assert_eq!(ran.exit, Exit::NotEventStream, "{}", case.id);
            count += 1;
        }
    }
    assert!(count >= 2, "{count}");
}

#[test]
fn compressed_data() {
    check_foreign(
        b"\x1F\x8B\x08\0\0\0\0\0\0\x03KI,I",
        "gzip data",
        "gunzip -c",
    );
    check_foreign(
        b"\x28\xB5\x2F\xFD\x04\0data: x\n\n",
        "zstd data",
        "zstd -dc",
    );
    check_stream(b"\x1F\x8B\ndata: x\n\n", Exit::Clean, 1);
    check_stream(b"\x1F\x8B", Exit::Truncated, 0);
    check_stream(b"\x28\xB5\x2F\ndata: x\n\n", Exit::Clean, 1);
}

#[test]
fn json() {
    let json = "a JSON document";
    for input in [
        "{\"id\":1}",
        "{}",
        "{\"id\":1}\n",
        "\u{FEFF}{\"id\":1}\n",
        " \r\n\t{ \"id\" : [ 1 ] }\r\n\r\n",
        "{\"broken\":",
    ] {
        check_foreign(input, json, "\"stream\": true");
    }
    check_stream("{\"x\":1}\ndata: hello\n\n", Exit::Clean, 1);
    check_stream("{\"x\":1}\n: comment\n\n", Exit::Clean, 0);
    check_stream("{\"x\":1}\ndata: hel", Exit::Truncated, 0);
    check_stream("{\"x\":1}\nretry: 5\n", Exit::Clean, 0);
    check_stream("{x}\n", Exit::Clean, 0);
    check_stream("\"text\"\n", Exit::Clean, 0);
    check_stream(": {\"x\":1}\n", Exit::Clean, 0);
    check_stream("data: {\"x\":1}\n", Exit::Truncated, 0);
    check_stream("x\n{\"x\":1}\n", Exit::Clean, 0);
}

#[test]
fn json_answers() {
    for input in [
        "{\n  \"choices\": [\n    {\n      \"index\": 0\n    }\n  ]\n}",
        "{\"object\":\"response\",\"error\":null,\"output\":[]}",
    ] {
        check_foreign(input, "a whole JSON answer", "\"stream\": true");
    }
}

#[test]
fn json_error_bodies() {
    let name = "a JSON error body";
    check_foreign("{\"error\":{\"code\":400}}\n", name, "the request failed");
    check_foreign(
        "{\"type\":\"error\",\"error\":{}}",
        name,
        "the request failed",
    );
    check_foreign(
        "{\n  \"error\": {\n    \"code\": 503\n  }\n}\n",
        name,
        "in the body",
    );
    check_stream("error: {\"code\":400}\n\n", Exit::Clean, 0);
    check_stream("{\"error\":1}\n\ndata: [DONE]\n\n", Exit::Clean, 1);
}

/// With a comment behind it, it is a stream to all but the answer.
#[test]
fn a_json_error_before_a_comment_fails_the_answer() {
    let args = ["--dialect=openai-chat", "--print=text"];
    let input = "{\"error\":{\"code\":400}}\n: x\n\n";
    let ran = replay_at_every_size(input, &args);
    assert_eq!(ran.exit, Exit::Failed, "{}", ran.stderr);
    assert!(ran.stderr.contains("(400)"), "{}", ran.stderr);
}

#[test]
fn json_arrays() {
    let name = "a JSON array";
    for input in [
        "[{\"a\":1}\n,\n{\"a\":2}\n]",
        "[\n  {\n",
        "[]",
        "[[1]]",
        "[\"a\"]",
    ] {
        check_foreign(input, name, "alt=sse");
    }
    check_stream("[1] first\n", Exit::Clean, 0);
    check_stream("[{\"a\":1}]\ndata: x\n\n", Exit::Clean, 1);
}

#[test]
fn ndjson() {
    let name = "NDJSON, one JSON value per line";
    for input in [
        "{\"a\":1}\n{\"a\":2}\n",
        "{\"a\":1} \r\n\r\n {\"a\":2}",
        "{\"error\":1}\n{\"error\":2}\n",
    ] {
        check_foreign(input, name, "text/event-stream");
    }
    check_foreign(
        "{\"a\":[{\n{\"b\":1}]}\n",
        "a JSON document",
        "\"stream\": true",
    );
    check_stream("{\"a\":1}\n{\"a\":2}\ndata: x\n\n", Exit::Clean, 1);
}

#[test]
fn pages() {
    let advice = "check the address";
    for input in [
        "<!DOCTYPE html>\n<html>\n",
        "<!doctype HTML><p>",
        "\n <html lang=en>\n:root { color: red }\ndata\n</html>",
    ] {
        check_foreign(input, "an HTML page", advice);
    }
    check_foreign(
        "<?xml version=\"1.0\"?>\n<Error/>",
        "an XML document",
        advice,
    );
    check_stream("<html>\ndata: x\n\n", Exit::Clean, 1);
    // An event that was left out is an event all the same.
    let args = ["--overflow=skip", "--max-data=2"];
    let ran = replay_at_every_size("<html>\ndata: long\n\n", &args);
    assert_eq!(ran.exit, Exit::Clean, "{}", ran.stderr);
    check_stream("<p>\n", Exit::Clean, 0);
    check_stream("data: <html>\n\n", Exit::Clean, 1);
}

#[test]
fn utf_16() {
    let little: Vec<u8> = "\u{FEFF}data: x\n\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let big: Vec<u8> = "\u{FEFF}data: x\n\n"
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    check_foreign(little, "UTF-16 text", "curl -o");
    check_foreign(big, "UTF-16 text", "curl -o");
    // As in the web platform tests: the first line alone is lost.
    check_stream(b"\xFF\xFEdata: 1\n\ndata: 2\n\n", Exit::Clean, 1);
}

/// A limit that is passed on the way comes first in the stream.
#[test]
fn limits_come_before_the_end() {
    let ran = run(&["replay", "-", "--max-total", "5"], b"{\"id\":1}");
    assert_eq!(ran.exit, Exit::LimitExceeded);
}
