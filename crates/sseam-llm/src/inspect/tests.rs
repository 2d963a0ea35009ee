//! Bodies that are no event streams, and near misses that are, at every cut.

extern crate std;

use std::format;
use std::string::String;
use std::vec::Vec;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sseam_core::{Limits, Parser};

use super::{HEAD_LEN_MAX, Inspector};
use crate::foreign::Foreign;

/// What a body came to, and the byte at which that was certain.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    foreign: Option<Foreign>,
    certain_at: Option<usize>,
    head: Vec<u8>,
    has_known_line: bool,
}

/// Feeds the chunks to an inspector and a parser, as a driver does.
fn inspect<'b>(chunks: impl IntoIterator<Item = &'b [u8]>) -> Seen {
    let mut inspector = Inspector::new();
    let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
    let mut certain = None;
    let mut at = 0;
    for chunk in chunks {
        let found = inspector.look(chunk);
        let len = found.map_or(chunk.len(), |(len, _)| len);
        let mut input = &chunk[..len];
        while parser.next_event(&mut input).expect("no limit").is_some() {}
        at += len;
        if let Some((_, foreign)) = found {
            certain = Some((at, foreign));
            break;
        }
    }
    let counters = parser.counters();
    let verdict = || inspector.verdict(counters.events, counters.skipped);
    Seen {
        foreign: certain.map(|(_, foreign)| foreign).or_else(verdict),
        certain_at: certain.map(|(at, _)| at),
        head: inspector.head().to_vec(),
        has_known_line: inspector.has_known_line(),
    }
}

/// Inspects a body whole, and demands the same for every cut and byte by byte.
#[track_caller]
fn seen(body: &[u8]) -> Seen {
    let whole = inspect([body]);
    for cut in 0..=body.len() {
        let (head, tail) = body.split_at(cut);
        assert_eq!(inspect([head, tail]), whole, "cut at {cut}");
    }
    for len in [1, 2, 3, 5] {
        assert_eq!(inspect(body.chunks(len)), whole, "{len} bytes at a time");
    }
    whole
}

#[track_caller]
fn check(body: impl AsRef<[u8]>, expected: impl Into<Option<Foreign>>) {
    let body = body.as_ref();
    let found = seen(body).foreign;
    assert_eq!(found, expected.into(), "{}", body.escape_ascii());
}

#[track_caller]
fn check_certain(body: impl AsRef<[u8]>, expected: Foreign, certain_at: usize) {
    let seen = seen(body.as_ref());
    let found = (seen.foreign, seen.certain_at);
    assert_eq!(found, (Some(expected), Some(certain_at)));
}

#[test]
fn sizes() {
    let len = size_of::<Inspector>();
    assert!(len <= HEAD_LEN_MAX + 56, "{len}");
    const fn is_plain_data<T: Copy + Send + Sync + 'static>() {}
    is_plain_data::<Inspector>();
}

#[test]
fn words() {
    for (foreign, code) in [
        (Foreign::HttpHead, "http_head"),
        (Foreign::Utf16, "utf16"),
        (Foreign::JsonAnswer, "json_answer"),
    ] {
        assert_eq!(foreign.code(), code);
        assert!(foreign.name().contains(' ') && foreign.advice().contains(' '));
    }
    assert!(Foreign::JsonAnswer.advice().contains("\"stream\": true"));
}

#[test]
fn http_heads() {
    for line in [
        "HTTP/1.1 200 OK",
        "HTTP/1.0 200",
        "HTTP/2 200 ",
        "HTTP/3 503",
    ] {
        let status_len = line.find(' ').expect("a status") + 4;
        let body = format!("{line}\r\ncontent-type: text/event-stream\r\n\r\ndata: a\n\n");
        check_certain(body, Foreign::HttpHead, status_len);
    }
    for body in [
        "HTTP/1.1\ndata: a\n\n",
        "HTTP/1.1 OK\ndata: a\n\n",
        "HTTP/11 200\ndata: a\n\n",
        "HTTP/1.x 200\ndata: a\n\n",
        "HTTP/1.1 data",
        "HTTP/1.1 20",
        "HTTP/",
        " HTTP/1.1 200",
        "data: HTTP/1.1 200 OK\n\n",
    ] {
        check(body, None);
    }
}

#[test]
fn chunk_sizes() {
    let sizes = Foreign::ChunkSizes;
    check_certain("d\r\ndata: hello\n\n\r\n0\r\n\r\n", sizes, 21);
    check_certain("00D;ext=1\r\ndata: hello\n\n\r\n3\r\n: x\r\n", sizes, 29);
    check_certain("4\r\ndata\r\n9\r\n: hello\n\n\r\n0\r\n\r\n", sizes, 12);
    check_certain("5\r\nhello\r\n0\r\n\r\n", sizes, 13);
    // Cut in the middle of its first chunk.
    check("1f4\r\ndata: hel", sizes);
    check("1f4\r\n: hel\n", sizes);
    check("FFFFFFFF\r\ndata: hel", sizes);
    for body in [
        // Wrong by one byte, in either direction.
        "c\r\ndata: hello\n\n\r\n0\r\n\r\n",
        "e\r\ndata: hello\n\n\r\n0\r\n\r\n",
        "d\ndata: hello\n\n\n0\n\n",
        "d\r\ndata: hello\n\n\r\nnot hex\r\n",
        "42\r\ndata: hello\r\n\r\n",
        "0\r\n\r\ndata: hello\n\n",
        "a\r\n",
        "1f4\r\nhel",
        "123456789\r\ndata: hel",
        ": 1\r\ndata: hello\n\n",
    ] {
        check(body, None);
    }
}

#[test]
fn compressed_data() {
    check_certain(b"\x1F\x8B\x08\0\0\0\0\0\0\x03KI,I", Foreign::Gzip, 3);
    check_certain(b"\x28\xB5\x2F\xFD\x04\0data: x\n\n", Foreign::Zstd, 4);
    check(b"\x1F\x8B\ndata: x\n\n", None);
    check(b"\x1F\x8B", None);
    check(b"\x28\xB5\x2F\ndata: x\n\n", None);
    check(b"\n\x1F\x8B\x08", None);
}

#[test]
fn utf_16() {
    let text = || "\u{FEFF}data: x\n\n".encode_utf16();
    let little: Vec<u8> = text().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text().flat_map(u16::to_be_bytes).collect();
    check(little, Foreign::Utf16);
    check(big, Foreign::Utf16);
    // As in the web platform tests: the first line alone is lost.
    check(b"\xFF\xFEdata: 1\n\ndata: 2\n\n", None);
    check(b"\xFF\xFE\n:x", None);
}

#[test]
fn pages() {
    for body in [
        "<!DOCTYPE html>\n<html>\n",
        "<!doctype HTML><p>",
        "\u{FEFF}<html>",
        "\n <html lang=en>\n:root { color: red }\ndata\n</html>",
    ] {
        check(body, Foreign::Html);
    }
    check("<?xml version=\"1.0\"?>\n<Error/>", Foreign::Xml);
    check("<html>\ndata: x\n\n", None);
    check("<!doctype\nhtml>", None);
    check("<p>\n", None);
    check("data: <html>\n\n", None);
    check(": x\n<html>\n", None);
}

#[test]
fn json() {
    for body in [
        "{\"id\":1}",
        "{}",
        "{\"id\":1}\n",
        "\u{FEFF}{\"id\":1}\n",
        " \r\n\t{ \"id\" : [ 1 ] }\r\n\r\n",
        "{\"broken\":",
        "{\"a\":[{\n{\"b\":1}]}\n",
        "{\"message\":\"Forbidden\"}",
        "{\"error\":null,\"id\":1}",
        "{\"a\":{\"choices\":[1],\"error\":1}}",
        "{\"object\":\"list\",\"data\":[]}",
    ] {
        check(body, Foreign::Json);
    }
    for body in [
        "{\"x\":1}\ndata: hello\n\n",
        "{\"x\":1}\n: comment\n\n",
        "{\"x\":1}\ndata: hel",
        "{\"x\":1}\nretry: 5\n",
        "{\"x\":1}\nretry: soon\n",
        "{\"x\":1}\nevent\n",
        "{x}\n",
        "\"text\"\n",
        ": {\"x\":1}\n",
        "data: {\"x\":1}\n",
        "x\n{\"x\":1}\n",
    ] {
        check(body, None);
    }
}

#[test]
fn json_errors() {
    for body in [
        "{\"error\":{\"code\":400}}\n",
        "{\"error\":\"busy\",\"choices\":[]}",
        "{\"type\":\"error\",\"error\":{}}",
        "{\"type\":\"error\",\"message\":\"x\"}",
        "{\n  \"error\": {\n    \"code\": 503\n  }\n}\n",
        "{\"error\":{\"message\":\"cut in the mid",
    ] {
        check(body, Foreign::JsonError);
    }
    check("error: {\"code\":400}\n\n", None);
    check("{\"error\":1}\n\ndata: [DONE]\n\n", None);
}

#[test]
fn json_answers() {
    for body in [
        "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\"choi",
        "{\"id\":\"r\",\"object\":\"response\",\"error\":null,\"output\":[]}",
        "{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\"}",
        "{\n  \"candidates\": [\n    {\n      \"index\": 0\n    }\n  ]\n}",
        "{\"id\":\"h\",\"finish_reason\":\"COMPLETE\",\"message\":{\"role\":\"assistant\"}}",
        "{\"choices\":[{\"message\":{\"content\":\"\\\"error\\\"\"}}]}",
    ] {
        check(body, Foreign::JsonAnswer);
    }
    check("data: {\"choices\":[]}\n\n", None);
}

#[test]
fn json_arrays() {
    for body in [
        "[{\"a\":1}\n,\n{\"a\":2}\n]",
        "[\n  {\n",
        "[]",
        "[[1]]",
        "[\"a\"]",
    ] {
        check(body, Foreign::JsonArray);
    }
    check("[1] first\n", None);
    check("[{\"a\":1}]\ndata: x\n\n", None);
}

#[test]
fn ndjson() {
    for body in [
        "{\"a\":1}\n{\"a\":2}\n",
        "{\"a\":1} \r\n\r\n {\"a\":2}",
        "{\"error\":1}\n{\"error\":2}\n",
        "{\"choices\":[]}\n{\"choices\":[]}\n",
    ] {
        check(body, Foreign::Ndjson);
    }
    check("{\"a\":1}\n\0{\"a\":2}\n", Foreign::Json);
    check("{\"a\":1}\n{\"a\":2}\ndata: x\n\n", None);
}

#[test]
fn event_streams() {
    for body in [
        "",
        "\n",
        "\n\ndata: a\n\n",
        "\u{FEFF}data: a\n\n",
        "\u{FEFF}: a\n\n",
        ": comment\n\ndata: {}\n\n",
        "event: a\ndata: [1]\n\n",
        "data",
        "id\n",
        "retry: 1\r\n\r\n",
    ] {
        check(body, None);
    }
}

#[test]
fn an_event_or_a_skipped_one_settles_it() {
    let mut inspector = Inspector::new();
    assert_eq!(inspector.look(b"{\"a\":1}\n"), None);
    assert_eq!(inspector.verdict(0, 0), Some(Foreign::Json));
    assert_eq!(inspector.verdict(1, 0), None);
    assert_eq!(inspector.verdict(0, 1), None);
}

#[test]
fn the_head_is_kept_until_a_line_is_known() {
    for len in [HEAD_LEN_MAX, HEAD_LEN_MAX + 1] {
        let seen = seen(String::from("x").repeat(len).as_bytes());
        assert_eq!(seen.head, [b'x'; HEAD_LEN_MAX]);
    }
    let ended = seen(b"{\"error\":1}\n");
    let expected = (&b"{\"error\":1}\n"[..], false);
    let found = (&ended.head[..], ended.has_known_line);
    assert_eq!(found, expected);
    let known = seen(b"{\"error\":1}\n: x");
    let found = (&known.head[..], known.has_known_line);
    assert_eq!(found, (&b""[..], true));
    // A known line after the head is one too.
    let late = format!("{{\"a\":\"{}\"}}\n:x", String::from("x").repeat(300));
    assert!(seen(late.as_bytes()).has_known_line);
}

#[test]
fn signs_that_begin_beyond_the_head_are_not_seen() {
    let after = |spaces: usize| format!("{}<html>", String::from(" ").repeat(spaces));
    check(after(HEAD_LEN_MAX - 5), Foreign::Html);
    check(after(HEAD_LEN_MAX - 4), None);
}

/// What bodies of all kinds are made of.
const PARTS: &[&[u8]] = &[
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"\0",
    b"\x1F\x8B",
    b"\x08",
    b"\x28\xB5\x2F",
    b"\xFD",
    b"HTTP/1.1",
    b"HTTP/2",
    b" ",
    b"200",
    b"\r",
    b"\n",
    b"\r\n",
    b"1\r\n",
    b"2",
    b"a\r\n0123456789\r\n",
    b"x",
    b";",
    b":",
    b": x",
    b"data",
    b"data:",
    b"id",
    b"event: e",
    b"retry:",
    b"{",
    b"}",
    b"[",
    b"\"a\"",
    b"\"error\"",
    b"\"type\":\"message\"",
    b"\"choices\":[",
    b",",
    b"<html",
    b"<?xml",
    b"<!doctype ",
];

proptest! {
    #[test]
    fn no_cut_changes_a_verdict(parts in vec(select(PARTS), 0..9)) {
        seen(&parts.concat());
    }
}
