//! What `sseam serve` sends of a file, and how it fails on purpose.

use std::io::Read;
use std::time::{Duration, Instant};

use sseam_cli::Exit;

use crate::command::{argument, repository, run};
use crate::server::Served;

#[test]
fn a_file_event_by_event() {
    let path = repository("examples/streams/demo.sse");
    let stream = std::fs::read(&path).expect("the demo");
    let served = Served::start(&[&argument(&path), "--requests", "2"]);
    let got = served.get("");
    assert_eq!(
        got.head,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-store\r\n\
         transfer-encoding: chunked\r\nconnection: close\r\n\r\n"
    );
    let (chunks, is_whole) = got.chunks();
    assert!(is_whole && !got.is_reset);
    assert_eq!(chunks.concat(), stream);
    assert_eq!(chunks.len(), 2);
    assert!(chunks.iter().all(|chunk| chunk.ends_with(b"\n\n")));
    let got = served.ask("POST /v1/x?key=secret HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc");
    assert_eq!(got.body(), stream);
    let (code, messages) = served.end();
    assert_eq!(code, Some(0));
    let mut lines: Vec<&str> = messages.lines().collect();
    lines.sort_unstable();
    let len = stream.len();
    assert_eq!(
        lines,
        [
            format!("sseam: GET /: 200, {len} bytes, whole"),
            format!("sseam: POST /v1/x: 200, {len} bytes, whole"),
        ]
    );
}

#[test]
fn sizes_status_type_and_framing() {
    let (_folder, path) = file("data: hello\n\n");
    let args = [
        "--chunk-size=5",
        "--status=429",
        "--content-type=text/plain",
        "-HA: b",
    ];
    let served = Served::start(&[&[&*path], &args[..]].concat());
    let got = served.get("");
    let expected = [&b"data:"[..], b" hell", b"o\n\n"];
    assert_eq!(got.chunks(), (expected.map(<[u8]>::to_vec).to_vec(), true));
    assert!(
        got.head.starts_with("HTTP/1.1 429 Too Many Requests\r\n"),
        "{}",
        got.head
    );
    assert!(
        got.head.contains("\r\ncontent-type: text/plain\r\n"),
        "{}",
        got.head
    );
    assert!(got.head.contains("\r\nA: b\r\n"), "{}", got.head);
    // An old client knows no chunks, and a HEAD has no body.
    let got = served.ask("GET / HTTP/1.0\r\n\r\n");
    assert_eq!(got.raw, b"data: hello\n\n");
    assert!(!got.head.contains("transfer-encoding"));
    assert_eq!(served.ask("HEAD / HTTP/1.1\r\n\r\n").raw, b"");
    let served = Served::start(&[&path, "--no-chunked"]);
    let got = served.get("");
    assert_eq!(got.raw, b"data: hello\n\n");
    assert!(!got.head.contains("transfer-encoding"));
}

#[test]
fn faults_at_every_byte() {
    let stream = "data: a\n\nid: 1\ndata: b\n\n";
    let (_folder, path) = file(stream);
    for at in 0..=stream.len() + 1 {
        let at_text = at.to_string();
        let sent = &stream.as_bytes()[..at.min(stream.len())];
        for (flag, is_reset) in [("--cut-at", false), ("--drop-at", true)] {
            let served = Served::start(&[&path, flag, &at_text]);
            let got = served.get("");
            assert_eq!(got.is_reset, is_reset, "{flag} {at}");
            let (chunks, is_whole) = got.chunks();
            assert_eq!(chunks.concat(), sent, "{flag} {at}");
            assert!(!is_whole, "{flag} {at}");
        }
    }
}

#[test]
fn a_stall_keeps_the_connection_and_heartbeats_stand_between_events() {
    let stream = "data: a\n\ndata: b\n\n";
    let (_folder, path) = file(stream);
    for (at, has_beats) in [(0, true), (5, false), (9, true), (18, true)] {
        let at_text = at.to_string();
        let args = [
            &*path,
            "--stall-at",
            &at_text,
            "--heartbeat",
            "40ms",
            "--no-chunked",
        ];
        let served = Served::start(&[&args[..], &["--requests", "1"]].concat());
        let mut client = served.connect("GET / HTTP/1.1\r\n\r\n");
        client
            .set_read_timeout(Some(Duration::from_millis(100)))
            .expect("a socket");
        let start = Instant::now();
        let mut text = Vec::new();
        let mut buffer = [0; 1024];
        let is_enough = |text: &[u8]| text.windows(9).filter(|it| it == b"heartbeat").count() >= 2;
        let longest = Duration::from_millis(if has_beats { 5000 } else { 600 });
        while start.elapsed() < longest && !is_enough(&text) {
            match client.read(&mut buffer) {
                Ok(0) => panic!("closed at {at}"),
                Ok(len) => text.extend(&buffer[..len]),
                Err(_) => {}
            }
        }
        let text = String::from_utf8(text).expect("UTF-8");
        let (_, body) = text.split_once("\r\n\r\n").expect("a head");
        let beats = body.strip_prefix(&stream[..at]).expect("what was before");
        let count = beats.matches(":heartbeat\n").count() + beats.matches(": heartbeat\n").count();
        assert_eq!(count >= 2, has_beats, "{at}: {body:?}");
        drop(client);
        let (code, messages) = served.end();
        assert_eq!(code, Some(0));
        assert!(messages.contains("then the client left"), "{messages}");
    }
}

#[test]
fn delays_are_kept() {
    let (_folder, path) = file("data: a\n\ndata: b\n\ndata: c\n\n");
    let served = Served::start(&[&path, "--delay", "60ms"]);
    let start = Instant::now();
    assert_eq!(served.get("").chunks().0.len(), 3);
    let elapsed = start.elapsed();
    assert!(elapsed >= Duration::from_millis(120), "{elapsed:?}");
    assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
}

#[test]
fn a_client_resumes_after_its_last_event() {
    let (_folder, path) =
        file("id: 1\ndata: a\n\nid: 2\r\ndata: b\r\n\r\ndata: c\n\nid: \u{e9}\ndata: d\n\n");
    let served = Served::start(&[&path]);
    let rest = |id: &str| served.get(&format!("Last-Event-ID: {id}\r\n"));
    assert_eq!(
        rest("1").body(),
        "id: 2\r\ndata: b\r\n\r\ndata: c\n\nid: \u{e9}\ndata: d\n\n".as_bytes()
    );
    assert_eq!(
        rest("2").body(),
        "data: c\n\nid: \u{e9}\ndata: d\n\n".as_bytes()
    );
    for unknown in ["", "3", "12"] {
        assert!(rest(unknown).body().starts_with(b"id: 1\n"), "{unknown}");
    }
    let got = rest("\u{e9}");
    assert_eq!(
        got.head,
        "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"
    );
    // An id that comes again is the later one.
    let (_folder, twice) = file("id: 1\ndata: a\n\nid: 1\ndata: b\n\ndata: c\n\n");
    let got = Served::start(&[&twice]).get("Last-Event-ID: 1\r\n");
    assert_eq!(got.body(), b"data: c\n\n");
    let served = Served::start(&[&path, "--stall-at", "9999"]);
    let client = served.connect("GET / HTTP/1.1\r\nlast-event-id: \u{e9}\r\n\r\n");
    let mut first = [0; 15];
    (&client).read_exact(&mut first).expect("a head");
    assert_eq!(&first, b"HTTP/1.1 200 OK");
}

#[test]
fn what_is_no_request_is_refused_and_the_next_one_answered() {
    let (_folder, path) = file("data: a\n\n");
    let served = Served::start(&[&path]);
    let long = format!("GET / HTTP/1.1\r\na: {}\r\n\r\n", "x".repeat(70_000));
    for wrong in [
        "hello\r\n\r\n",
        "GET / HTTP/1.1\r\ncontent-length: x\r\n\r\n",
        "GET / HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n",
        "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        "POST / HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\n",
        &long,
    ] {
        let got = served.ask(wrong);
        assert!(
            got.head.starts_with("HTTP/1.1 400 "),
            "{wrong:.60}: {got:?}"
        );
    }
    drop(served.connect("GET / HT"));
    drop(served.connect(""));
    let chunked = "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    assert_eq!(served.ask(chunked).body(), b"data: a\n\n");
}

#[test]
fn usage() {
    for (args, part) in [
        (&["serve"][..], "FILE"),
        (
            &["serve", "/does/not/exist"],
            "/does/not/exist: cannot be read",
        ),
        (&["serve", "f", "--delay", "5"], "such as 500ms"),
        (
            &["serve", "f", "--cut-at", "1", "--drop-at", "1"],
            "cannot be used with",
        ),
        (&["serve", "f", "--status", "99"], "200..600"),
        (&["serve", "f", "-H", "no"], "Name: value"),
        (&["serve", "f", "-H", "a: b\r\nc: d"], "control characters"),
        (
            &["serve", "f", "--content-type", "a\nb"],
            "control characters",
        ),
        (&["serve", "--upstream", "http://x"], "--record"),
        (
            &["serve", "f", "--upstream", "http://x", "--record", "r"],
            "cannot be used with",
        ),
        (
            &[
                "serve",
                "--upstream",
                "http://x",
                "--record",
                "r",
                "--delay",
                "1s",
            ],
            "cannot be",
        ),
        (
            &["serve", "--upstream", "http://x", "--record", "r", "-Ha: b"],
            "cannot be",
        ),
        (
            &["serve", "--upstream", "ftp://x", "--record", "r"],
            "http or https",
        ),
        (
            &["serve", "--upstream", "x", "--record", "r"],
            "http or https",
        ),
        (
            &["serve", "--upstream", "http://u:p@x", "--record", "r"],
            "user information",
        ),
        (
            &["serve", "--upstream", "http://x?key=k", "--record", "r"],
            "before the query",
        ),
    ] {
        let ran = run(args, b"");
        assert_eq!(ran.exit, Exit::Usage, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(part), "{args:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("u:p") && !ran.stderr.contains("key=k"));
    }
}

#[test]
fn a_port_that_is_taken() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let (_folder, path) = file("data: a\n\n");
    let ran = run(&["serve", &path, "--port", &port], b"");
    assert_eq!(ran.exit, Exit::Failure);
    assert!(
        ran.stderr
            .contains(&format!("cannot listen on 127.0.0.1:{port}")),
        "{}",
        ran.stderr
    );
}

/// A file with this content, gone with the folder.
pub(crate) fn file(content: impl AsRef<[u8]>) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stream");
    std::fs::write(&path, content).expect("a file");
    let path = argument(&path);
    (folder, path)
}

/// A connection that brings no request is none of those that were asked for.
#[test]
fn only_requests_are_counted() {
    let (_folder, path) = file("data: a\n\n");
    let served = Served::start(&[&path, "--requests=2"]);
    for bytes in ["", "GET / HTTP", "\x16\x03\x01 no HTTP\r\n\r\n"] {
        let mut stream = served.connect(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        // It has been seen when the other side closes too.
        let _ = stream.read_to_end(&mut Vec::new());
    }
    for _ in 0..2 {
        assert_eq!(
            served.get("").chunks(),
            (vec![b"data: a\n\n".to_vec()], true)
        );
    }
    let (code, messages) = served.end();
    assert_eq!(code, Some(0));
    assert_eq!(messages.matches("no request: ").count(), 2, "{messages}");
    assert_eq!(messages.matches("GET /: 200").count(), 2, "{messages}");
}
