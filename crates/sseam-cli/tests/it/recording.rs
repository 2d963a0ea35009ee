//! The recorder between an application and an API, and its recordings replayed
//! and served again.

use std::io::Read;
use std::time::{Duration, Instant};

use sseam_cli::Exit;
use sseam_testkit::server::{Answer, End, Framing, Script, Server};

use crate::command::{argument, replay, run};
use crate::serve::file;
use crate::server::Served;

/// A recorder in front of `upstream`.
fn recorder(upstream: &str, more: &[&str]) -> (tempfile::TempDir, String, Served) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = argument(&folder.path().join("r"));
    let served = Served::start(&[&["--upstream", upstream, "--record", &path], more].concat());
    (folder, path, served)
}

#[test]
fn bytes_pass_untouched_and_are_recorded_with_their_times() {
    let stream = "data: \u{4f60}\u{597d}\n\ndata: b\n\n".as_bytes();
    let (head, tail) = stream.split_at(7);
    let answer = Answer::stream()
        .send(head)
        .wait_ms(80)
        .send(tail)
        .header("x-request-id", "7");
    let server = Server::start(vec![answer]);
    let (_folder, path, served) = recorder(&server.url("/base/"), &["--requests", "1"]);
    let request = [
        "POST /v1/x?key=SECRET1 HTTP/1.1",
        "Host: here",
        "Authorization: Bearer SECRET2",
        "Accept-Encoding: gzip",
        "Connection: x-hop",
        "X-Hop: 1",
        "Content-Length: 7",
        "",
        "SECRET3",
    ];
    let got = served.ask(&request.join("\r\n"));
    assert_eq!(got.chunks(), (vec![head.to_vec(), tail.to_vec()], true));
    assert!(got.head.contains("\r\nx-request-id: 7\r\n"), "{}", got.head);
    assert_eq!(served.end().0, Some(0));
    let asked = &server.requests()[0];
    assert_eq!(
        (&*asked.method, &*asked.target),
        ("POST", "/base/v1/x?key=SECRET1")
    );
    assert_eq!(asked.header("authorization"), Some("Bearer SECRET2"));
    assert_eq!(asked.header("accept-encoding"), Some("identity"));
    assert_eq!(asked.header("x-hop"), None);
    assert_eq!(asked.header("host"), Some(&*server.address().to_string()));
    assert_eq!(asked.header("user-agent"), None);
    assert_eq!(asked.body, b"SECRET3");
    let text = std::fs::read_to_string(&path).expect("a recording");
    assert!(!text.contains("SECRET"), "{text}");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert_eq!(lines[1]["head"]["path"], "/v1/x");
    assert_eq!(lines[2]["hex"], "646174613a20e4");
    let micros = |line: &serde_json::Value| line["t_us"].as_u64().expect("a time");
    assert!(micros(&lines[3]) - micros(&lines[2]) >= 70_000, "{text}");
    assert_eq!(lines[4]["end"], "clean");
    replays_and_serves_again(&path, &text, head, tail);
}

/// Replayed it is the stream, and served again it keeps cuts and times.
fn replays_and_serves_again(path: &str, text: &str, head: &[u8], tail: &[u8]) {
    let stream = [head, tail].concat();
    let expected = replay(&stream, &[]);
    assert_eq!(run(&["replay", path], b"").stdout, expected.stdout);
    let timed = run(&["replay", path, "--timing", "--print=items"], b"").json_lines();
    assert_eq!(
        (&timed[0]["read"], &timed[1]["read"]),
        (&2.into(), &2.into())
    );
    assert!(timed[0]["t_ms"].as_u64() >= Some(80), "{timed:?}");
    assert_eq!(
        run(&["replay", "-"], text.as_bytes()).stdout,
        expected.stdout
    );
    let served = Served::start(&[path]);
    let start = Instant::now();
    assert_eq!(
        served.get("").chunks(),
        (vec![head.to_vec(), tail.to_vec()], true)
    );
    assert!(
        start.elapsed() >= Duration::from_millis(70),
        "{:?}",
        start.elapsed()
    );
    let served = Served::start(&[path, "--chunk-size", "9999", "--delay", "0"]);
    assert_eq!(served.get("").chunks().0, [stream.to_vec()]);
}

#[test]
fn tls_upstream_with_its_own_certificate() {
    let script = Script::new(vec![Answer::stream().send("data: a\n\n")]).tls();
    let server = script.start();
    let (_folder, pem) = file(server.certificate_pem().expect("TLS"));
    let (_folder, _path, served) = recorder(&server.url(""), &["--cacert", &pem]);
    assert_eq!(served.get("").body(), b"data: a\n\n");
    // Nobody vouches for it without that.
    let (_folder, _path, served) = recorder(&server.url(""), &[]);
    let got = served.get("");
    assert!(got.head.starts_with("HTTP/1.1 502 "), "{}", got.head);
}

#[test]
fn ends_are_passed_on_and_recorded() {
    for (end, framing, is_whole, word) in [
        (End::Clean, Framing::Chunked, true, "clean"),
        (End::TruncateChunked, Framing::Chunked, false, "cut"),
        (End::Rst, Framing::Chunked, false, "cut"),
        (End::BadChunk, Framing::Chunked, false, "cut"),
        (End::Clean, Framing::Close, true, "clean"),
    ] {
        let answer = Answer::stream()
            .framing(framing)
            .send("data: a\n\n")
            // ureq drops the chunks before a malformed one if it reads both at once.
            .wait_ms(100)
            .end(end);
        let server = Server::start(vec![answer]);
        let (_folder, path, served) = recorder(&server.url(""), &["--requests=1"]);
        let got = served.get("");
        assert_eq!(
            got.chunks(),
            (vec![b"data: a\n\n".to_vec()], is_whole),
            "{end:?}"
        );
        served.end();
        let text = std::fs::read_to_string(&path).expect("a recording");
        assert!(
            text.ends_with(&format!("\"end\":\"{word}\"}}\n")),
            "{end:?}: {text}"
        );
        let ran = run(&["replay", &path, "--summary=none"], b"");
        let exit = if is_whole {
            Exit::Clean
        } else {
            Exit::Truncated
        };
        assert_eq!(ran.exit, exit, "{end:?}");
        assert_eq!(ran.json_lines().len(), 1);
        assert_eq!(
            ran.stderr.contains("ended at byte 9, before the body did"),
            !is_whole
        );
        let served = Served::start(&[&path]);
        assert_eq!(served.get("").chunks().1, is_whole, "{end:?}");
    }
}

#[test]
fn an_error_of_the_upstream_is_passed_on() {
    let answer = Answer::status(429)
        .header("retry-after", "7")
        .header("content-length", "4");
    let server = Server::start(vec![answer.framing(Framing::None).send("slow")]);
    let (_folder, path, served) = recorder(&server.url(""), &["--requests=1"]);
    let got = served.get("");
    assert!(
        got.head.starts_with("HTTP/1.1 429 Too Many Requests\r\n"),
        "{}",
        got.head
    );
    assert!(got.head.contains("\r\nretry-after: 7\r\n"), "{}", got.head);
    assert!(!got.head.contains("transfer-encoding"), "{}", got.head);
    assert_eq!(got.raw, b"slow");
    served.end();
    let text = std::fs::read_to_string(&path).expect("a recording");
    assert!(text.contains("\"status\":429"), "{text}");
    let served = Served::start(&[&path]);
    assert!(served.get("").head.starts_with("HTTP/1.1 429 "));
}

#[test]
fn the_upstream_hears_that_the_application_has_left() {
    let answer = Answer::stream().send("data: a\n\n").end(End::Hold);
    let server = Server::start(vec![answer, Answer::accept_only()]);
    let (_folder, path, served) = recorder(&server.url(""), &["--requests=2"]);
    for index in 0..2 {
        let mut client = served.connect("GET / HTTP/1.1\r\n\r\n");
        if index == 0 {
            let mut byte = [0];
            while byte != *b"a" || !recorded(&path).contains("data: a") {
                client.read_exact(&mut byte).expect("it comes");
            }
        }
        assert!(server.wait_for_requests(index + 1, Duration::from_secs(5)));
        let before = Instant::now();
        drop(client);
        let closed = server
            .wait_for_close(index, Duration::from_secs(5))
            .expect("it hears");
        assert!(
            closed.at - before < Duration::from_secs(2),
            "{:?}",
            closed.at - before
        );
    }
    let (code, messages) = served.end();
    assert_eq!(
        (code, messages.matches("the client left").count()),
        (Some(0), 2),
        "{messages}"
    );
    assert!(recorded(&path).contains("\"end\":\"left\""));
}

#[test]
fn several_responses_are_kept_apart() {
    let server = Server::start(vec![
        Answer::stream().send("data: a\n\n"),
        Answer::stream().send("data: b\n\n"),
    ]);
    let (_folder, path, served) = recorder(&server.url(""), &["--requests=2"]);
    served.get("");
    served.get("");
    served.end();
    let ran = run(&["replay", &path, "--print=data", "--summary=none"], b"");
    assert_eq!(ran.stdout, "a\n");
    assert!(
        ran.stderr.contains("response 1 of 2; --response N"),
        "{}",
        ran.stderr
    );
    let ran = run(&["replay", &path, "--print=data", "--response=2"], b"");
    assert_eq!(ran.stdout, "b\n");
    let ran = run(&["replay", &path, "--response=3"], b"");
    assert!(
        ran.stderr.contains("there is no response 3"),
        "{}",
        ran.stderr
    );
    let served = Served::start(&[&path, "--response=2"]);
    assert_eq!(served.get("").body(), b"data: b\n\n");
    assert_eq!(
        run(&["serve", &path, "--response=3"], b"").exit,
        Exit::Usage
    );
}

#[test]
fn a_recording_is_never_overwritten_unasked() {
    let server = Server::start(vec![]);
    let (_folder, path) = file("precious");
    let args = ["serve", "--upstream", &server.url(""), "--record", &path];
    let ran = run(&args, b"");
    assert_eq!(ran.exit, Exit::Usage);
    assert!(
        ran.stderr.contains("exists; --force overwrites it"),
        "{}",
        ran.stderr
    );
    assert_eq!(recorded(&path), "precious");
    let _served = Served::start(&[&args[1..], &["--force"]].concat());
    assert_eq!(recorded(&path), "{\"sseam_recording\":1}\n");
    assert_eq!(server.connections().len(), 0);
}

/// Neither a mistake in a flag nor a port that is taken costs a recording.
#[test]
fn usage_costs_no_recording() {
    let (folder, taken) = file("precious");
    let fresh = argument(&folder.path().join("fresh"));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener
        .local_addr()
        .expect("an address")
        .port()
        .to_string();
    let upstream = "http://127.0.0.1:1/";
    for (args, exit) in [
        (&["ftp://x/"][..], Exit::Usage),
        (&["http://127.0.0.1:1/?key=x"], Exit::Usage),
        (&[upstream, "--cacert", "/does/not/exist"], Exit::Usage),
        (&[upstream, "--cacert", &taken], Exit::Usage),
        (&[upstream, "--port", &port], Exit::Failure),
    ] {
        for (path, force) in [(&taken, &["--force"][..]), (&fresh, &[])] {
            let head = ["serve", "--record", path, "--upstream"];
            let ran = run(&[&head[..], args, force].concat(), b"");
            assert_eq!(ran.exit, exit, "{args:?}: {}", ran.stderr);
        }
        assert_eq!(recorded(&taken), "precious", "{args:?}");
        assert!(std::fs::metadata(&fresh).is_err(), "{args:?}");
    }
}

/// Whatever goes wrong, the application is not left to wait.
#[cfg(unix)]
#[test]
fn a_recording_that_fails_ends_the_applications_connection() {
    let answer = Answer::stream()
        .send("data: a\n\n".repeat(2000))
        .end(End::Hold);
    let server = Server::start(vec![answer]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = argument(&folder.path().join("r"));
    let args = [
        "--upstream",
        &server.url(""),
        "--record",
        &path,
        "--requests=1",
    ];
    let served = Served::start_without_space(&args);
    let before = Instant::now();
    let got = served.get("");
    assert!(
        before.elapsed() < Duration::from_secs(5),
        "{:?}",
        before.elapsed()
    );
    assert!(!got.raw.ends_with(b"0\r\n\r\n"), "it is not whole");
    let (code, messages) = served.end();
    assert_eq!(code, Some(0));
    assert!(messages.contains("File too large"), "{messages}");
    assert!(server.wait_for_close(0, Duration::from_secs(5)).is_some());
}

/// Each connection of a command that connects again has an end of its own, and
/// what came after the answer counts.
#[test]
fn every_connection_ends_as_it_did() {
    let event = |number: u32| format!("id: {number}\ndata: {number}\n\n");
    let whole = |number| Answer::stream().send(event(number));
    let server = Server::start(vec![
        whole(1),
        whole(2).end(End::TruncateChunked),
        whole(3).end(End::Hold),
        Answer::status(204),
    ]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = argument(&folder.path().join("r"));
    let url = server.url("/");
    let again = [
        "--reconnect=3",
        "--reconnect-delay=100ms",
        "--idle-timeout=300ms",
    ];
    let ran = run(
        &[&["get", &*url, "--record", &path], &again[..]].concat(),
        b"",
    );
    assert_eq!(ran.exit, Exit::Clean, "{}", ran.stderr);
    assert_eq!(ends(&path), ["1 clean", "2 cut", "3 left"]);
    for (response, exit) in [
        ("1", Exit::Clean),
        ("2", Exit::Truncated),
        ("3", Exit::Truncated),
    ] {
        let response = format!("--response={response}");
        let ran = run(&["replay", &path, &response, "--print=data"], b"");
        assert_eq!(ran.exit, exit, "{response}: {}", ran.stderr);
    }
    // Served again, each ends as it did.
    let served = Served::start(&[&path]);
    assert_eq!(served.get("").chunks(), (vec![event(1).into_bytes()], true));
    let served = Served::start(&[&path, "--response=2"]);
    assert_eq!(
        served.get("").chunks(),
        (vec![event(2).into_bytes()], false)
    );
    let served = Served::start(&[&path, "--response=3"]);
    let mut stream = served.connect("GET / HTTP/1.1\r\n\r\n");
    let longest = Some(Duration::from_millis(700));
    stream.set_read_timeout(longest).expect("a socket");
    let mut got = Vec::new();
    let silence = stream.read_to_end(&mut got).expect_err("it stalls");
    let is_silence = matches!(
        silence.kind(),
        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
    );
    assert!(is_silence && got.ends_with(b"\n\n\r\n"), "{silence}");
}

#[test]
fn what_follows_the_answer_is_recorded_and_noted() {
    let marker = "data: {\"t\":\"a\"}\n\ndata: [DONE]\n\n";
    let folder = tempfile::tempdir().expect("a folder");
    for (index, (end, word, note)) in [
        (End::Clean, "1 clean", None),
        (End::Hold, "1 left", None),
        (
            End::Rst,
            "1 cut",
            Some(("late_fault", "broke after the end of the answer")),
        ),
        (
            End::NoFinalCrlf,
            "1 clean",
            Some(("short_end", "the last chunk lacked its end")),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let server = Server::start(vec![Answer::stream().send(marker).end(end)]);
        let path = argument(&folder.path().join(index.to_string()));
        let url = server.url("/");
        let asked = ["--end-data=[DONE]", "--text-field=t", "--text"];
        let args = [
            &["get", &*url, "--record", &path, "--outcome=json"],
            &asked[..],
        ]
        .concat();
        let ran = run(&args, b"");
        assert_eq!(
            (ran.exit, &*ran.stdout),
            (Exit::Clean, "a"),
            "{}",
            ran.stderr
        );
        assert_eq!(ends(&path), [word]);
        for (name, text) in [
            ("late_fault", "broke after the end of the answer"),
            ("short_end", "the last chunk lacked its end"),
        ] {
            let is_so = note == Some((name, text));
            assert_eq!(ran.stderr.contains(text), is_so, "{word}: {}", ran.stderr);
        }
        let is_late = matches!(note, Some(("late_fault", _)));
        let field = format!("\"late_fault\":{is_late},");
        assert!(ran.stderr.contains(&field), "{field}: {}", ran.stderr);
        let server = Server::start(vec![Answer::stream().send(marker).end(end)]);
        let url = server.url("/");
        let ran = run(
            &[&["get", &*url, "--summary=json"], &asked[..]].concat(),
            b"",
        );
        assert_eq!(ran.summary()["late_fault"], is_late, "{}", ran.stderr);
        let is_short = matches!(note, Some(("short_end", _)));
        assert_eq!(ran.summary()["short_end"], is_short, "{}", ran.stderr);
    }
}

/// The ends in a recording: which response, and how.
fn ends(path: &str) -> Vec<String> {
    let text = recorded(path);
    let lines = text.lines().skip(1).map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let end = line["end"].as_str()?;
        Some(format!("{} {end}", line["response"]))
    });
    lines.flatten().collect()
}

/// A recording whose recorder was killed, whole lines and one that is not.
#[test]
fn a_recording_without_its_end() {
    let text = "{\"sseam_recording\":1}\n\
                {\"response\":1,\"t_us\":1,\"read\":1,\"data\":\"data: a\\n\\n\"}\n\
                {\"response\":1,\"t_us\":2,\"re";
    let ran = run(
        &["replay", "-", "--print=data", "--summary=none"],
        text.as_bytes(),
    );
    assert_eq!((ran.exit, &*ran.stdout), (Exit::Truncated, "a\n"));
    let says = "ends at byte 9, and does not say that the body did";
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
    let damaged = format!("{text}\n");
    let ran = run(&["replay", "-", "--summary=none"], damaged.as_bytes());
    assert_eq!(ran.exit, Exit::Failure);
    assert!(
        ran.stderr.contains("line 3 of the recording is damaged"),
        "{}",
        ran.stderr
    );
}

/// A file that begins as a recording does, up to every byte, is what it is.
#[test]
fn what_is_almost_a_recording_is_none() {
    let first = "{\"sseam_recording\":";
    for len in 0..first.len() {
        let stream = format!("{}\n\ndata: a\n\n", &first[..len]);
        let ran = run(&["replay", "-", "--print=data"], stream.as_bytes());
        assert_eq!((ran.exit, &*ran.stdout), (Exit::Clean, "a\n"), "{len}");
        let mut stdin = crate::command::Chunks::new(&[
            &stream.as_bytes()[..len],
            b"",
            &stream.as_bytes()[len..],
        ]);
        let ran = crate::command::run_from(
            &["replay", "-", "--print=data"],
            &mut stdin,
            crate::command::Terminals::default(),
        );
        if len > 0 {
            assert_eq!(
                (ran.exit, &*ran.stdout),
                (Exit::Clean, "a\n"),
                "{len} in two"
            );
        }
    }
}

fn recorded(path: &str) -> String {
    std::fs::read_to_string(path).expect("a recording")
}
