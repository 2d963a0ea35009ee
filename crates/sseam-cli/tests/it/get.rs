//! `sseam get`: what it asks, prints and says, and its exit codes.

use std::time::{Duration, Instant};

use serde_json::json;
use sseam_cli::Exit;
use sseam_testkit::server::{Answer, End, Framing, Script, Server, SilentPort};
use sseam_testkit::vectors;

use crate::command::{Ran, argument, replay, repository, run};
use crate::serve::file;

/// Runs `sseam get URL ARGS`.
pub(crate) fn get(server: &Server, args: &[&str]) -> Ran {
    run(
        &[&["get", &server.url("/v1/events?key=QUERY")], args].concat(),
        b"",
    )
}

/// Runs it against a server that gives one answer.
fn get_from(answer: Answer, args: &[&str]) -> Ran {
    get(&Server::start(vec![answer]), args)
}

/// A stream of this body.
fn stream(body: impl AsRef<[u8]>) -> Answer {
    Answer::stream().send(body)
}

/// A sample of the vectors, a byte at a time: `get` prints what `replay` does.
#[test]
fn events_are_those_of_replay() {
    let mut count = 0;
    for vector in vectors::all().step_by(23) {
        let bytes = vector.stream();
        let answer = bytes.chunks(1).fold(Answer::stream(), Answer::send);
        let args = ["--print=items", "--lossy", "--summary=none"];
        let (got, replayed) = (get_from(answer, &args), replay(&bytes, &args));
        assert_eq!(got.stdout, replayed.stdout, "{}", vector.name);
        assert_eq!(got.exit, replayed.exit, "{}: {}", vector.name, got.stderr);
        count += 1;
    }
    assert!(count >= 15, "{count}");
}

/// Every stream of the examples: text, tools and exit code are those of `replay`.
#[test]
fn answers_are_those_of_replay() {
    let mut count = 0;
    for entry in std::fs::read_dir(repository("examples/streams")).expect("examples") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_none_or(|it| it != "sse" && it != "json")
        {
            continue;
        }
        let bytes = std::fs::read(&path).expect("an example");
        for args in [
            &["--dialect=auto", "--text", "--tools"][..],
            &["--dialect=openai-chat", "--outcome=json", "--print=data"],
            &["--dialect=anthropic", "--mode=lenient", "--text"],
            &[],
        ] {
            let args = [args, &["--summary=none"]].concat();
            let answer = bytes.chunks(37).fold(Answer::stream(), Answer::send);
            let (got, replayed) = (get_from(answer, &args), replay(&bytes, &args));
            assert_eq!(
                got.stdout, replayed.stdout,
                "{path:?} {args:?}: {}",
                got.stderr
            );
            assert_eq!(got.exit, replayed.exit, "{path:?} {args:?}: {}", got.stderr);
            count += 1;
        }
    }
    assert!(count > 160, "{count}");
}

#[test]
fn what_is_asked_by_default() {
    let server = Server::start(vec![stream("data: a\n\n")]);
    assert_eq!(get(&server, &[]).exit, Exit::Clean);
    let request = &server.requests()[0];
    assert_eq!(
        (&*request.method, &*request.target),
        ("GET", "/v1/events?key=QUERY")
    );
    for (name, value) in [
        ("accept", Some("text/event-stream")),
        ("cache-control", Some("no-store")),
        ("accept-encoding", Some("identity")),
        ("last-event-id", None),
        ("content-type", None),
        ("authorization", None),
    ] {
        assert_eq!(request.header(name), value, "{name}");
    }
    assert!(
        request
            .header("user-agent")
            .is_some_and(|it| it.starts_with("sseam/"))
    );
}

#[test]
fn bodies_are_made_as_curl_makes_them() {
    let (_folder, path) = file("{\"a\":\r\n1}\n");
    let at = format!("@{path}");
    let (form, json) = ("application/x-www-form-urlencoded", "application/json");
    for (args, stdin, method, content_type, body) in [
        (&["-d", "a=b"][..], "", "POST", form, "a=b"),
        (&["-d", "a=b", "--data", "c"], "", "POST", form, "a=b&c"),
        (&["-d", &at], "", "POST", form, "{\"a\":1}"),
        (&["-d", "@-"], "x\ny\n", "POST", form, "xy"),
        (&["--json", "{}"], "", "POST", json, "{}"),
        (&["--json", &at], "", "POST", json, "{\"a\":\r\n1}\n"),
        (&["--json", "{", "--json", "}"], "", "POST", json, "{}"),
        (
            &["--json", "{}", "-H", "content-type: x/y"],
            "",
            "POST",
            "x/y",
            "{}",
        ),
        (
            &["-d", "{}", "-X", "PUT", "-H", "@-"],
            "Content-Type: x/z\r\n\r\n",
            "PUT",
            "x/z",
            "{}",
        ),
    ] {
        let server = Server::start(vec![stream("data: a\n\n")]);
        let ran = run(
            &[&["get", &server.url("/")], args].concat(),
            stdin.as_bytes(),
        );
        assert_eq!(ran.exit, Exit::Clean, "{args:?}: {}", ran.stderr);
        let request = &server.requests()[0];
        assert_eq!(request.method, method, "{args:?}");
        assert_eq!(
            request.header("content-type"),
            Some(content_type),
            "{args:?}"
        );
        assert_eq!(String::from_utf8_lossy(&request.body), body, "{args:?}");
        assert_eq!(
            request.header("accept"),
            Some("text/event-stream"),
            "{args:?}"
        );
    }
}

#[test]
fn headers_and_ids_are_sent() {
    let (_folder, path) = file("X-One: 1\r\n\nX-Two:2\n");
    let server = Server::start(vec![stream("data: a\n\n")]);
    let at = format!("@{path}");
    let args = [
        "-H",
        &at,
        "-H",
        "X-Three:  3 ",
        "-H",
        "X-Four;",
        "-H",
        "accept: a/b",
    ];
    let ran = get(
        &server,
        &[&args[..], &["--last-event-id", "\u{4f60}"]].concat(),
    );
    assert_eq!(ran.exit, Exit::Clean, "{}", ran.stderr);
    let request = &server.requests()[0];
    for (name, value) in [
        ("x-one", "1"),
        ("x-two", "2"),
        ("x-three", "3"),
        ("x-four", ""),
        ("accept", "a/b"),
        ("last-event-id", "\u{4f60}"),
    ] {
        assert_eq!(request.header(name), Some(value), "{name}");
    }
}

#[test]
fn usage() {
    let (_folder, taken) = file("precious");
    let server = Server::start(vec![]);
    let url = server.url("/");
    for (args, part) in [
        (&["get"][..], "<URL>"),
        (&["get", "x"], "URL"),
        (&["get", "ftp://x/"], "http"),
        (&["get", "http://user:SECRET@127.0.0.1:1/"], "user name"),
        (&["get", &url, "-H", "SECRET"], "Name: value"),
        (&["get", &url, "-H", "a b: SECRET"], "-H"),
        (&["get", &url, "-H", "a: SECRET\nb: c"], "-H"),
        (
            &["get", &url, "-H", "@/does/not/exist"],
            "/does/not/exist: cannot be read",
        ),
        (
            &["get", &url, "-d", "@/does/not/exist"],
            "/does/not/exist: cannot be read",
        ),
        (&["get", &url, "-d", "@-", "-H", "@-"], "only one flag"),
        (
            &["get", &url, "-d", "a", "--json", "b"],
            "cannot be used with",
        ),
        (&["get", &url, "-d", "a", "-X", "GET"], "-X"),
        (&["get", &url, "-X", "A B"], "-X"),
        (&["get", &url, "--idle-timeout", "5"], "such as 500ms"),
        (&["get", &url, "--reconnect", "x"], "unlimited"),
        (&["get", &url, "--reconnect-delay", "0"], "100ms to 30s"),
        (&["get", &url, "--reconnect-delay", "99ms"], "100ms to 30s"),
        (
            &["get", &url, "--reconnect-delay", "30001ms"],
            "100ms to 30s",
        ),
        (&["get", &url, "--last-event-id", "a\nb"], "--last-event-id"),
        (
            &["get", &url, "--cacert", "/does/not/exist"],
            "cannot be read",
        ),
        (&["get", &url, "--cacert", &taken], "--cacert"),
        (
            &["get", &url, "--record", &taken],
            "exists; --force overwrites it",
        ),
        (
            &["get", &url, "--end-data", "x", "--dialect", "anthropic"],
            "--dialect custom",
        ),
    ] {
        let ran = run(args, b"");
        assert_eq!(ran.exit, Exit::Usage, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(part), "{args:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("SECRET"), "{args:?}: {}", ran.stderr);
    }
    assert_eq!(std::fs::read(taken).expect("a file"), b"precious");
    assert_eq!(server.connections().len(), 0, "nothing was asked");
}

/// Whatever else is wrong with the flags, a recording is made for no request and
/// an old one is left as it is.
#[test]
fn usage_costs_no_recording() {
    let (folder, taken) = file("precious");
    let fresh = argument(&folder.path().join("fresh"));
    let url = "http://127.0.0.1:1/";
    for args in [
        &["ftp://x/"][..],
        &["x"],
        &["http://user:SECRET@127.0.0.1:1/"],
        &[url, "-H", "a b: c"],
        &[url, "-X", "A B"],
        &[url, "-d", "a", "-X", "GET"],
        &[url, "--last-event-id", "a\nb"],
        &[url, "--cacert", "/does/not/exist"],
        &[url, "--cacert", &taken],
        &[url, "--end-data", "x", "--dialect", "anthropic"],
    ] {
        for (path, force) in [(&taken, &["--force"][..]), (&fresh, &[])] {
            let ran = run(&[&["get", "--record", path], args, force].concat(), b"");
            assert_eq!(ran.exit, Exit::Usage, "{args:?}: {}", ran.stderr);
        }
        assert_eq!(
            std::fs::read(&taken).expect("a file"),
            b"precious",
            "{args:?}"
        );
        assert!(std::fs::metadata(&fresh).is_err(), "{args:?}");
    }
}

#[test]
fn exit_codes_of_answers() {
    let chat = |finish: &str| {
        format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"hi\"}},\
             \"finish_reason\":{finish}}}]}}\n\ndata: [DONE]\n\n"
        )
    };
    let anthropic_error = "event: error\ndata: {\"type\":\"error\",\"error\":\
                           {\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let dialect = |name| vec!["--dialect", name];
    for (body, args, exit) in [
        ("data: a\n\n".to_owned(), vec![], Exit::Clean),
        (chat("\"stop\""), dialect("openai-chat"), Exit::Clean),
        (chat("\"length\""), dialect("openai-chat"), Exit::Incomplete),
        (
            chat("\"content_filter\""),
            dialect("openai-chat"),
            Exit::Incomplete,
        ),
        (
            anthropic_error.to_owned(),
            dialect("anthropic"),
            Exit::Failed,
        ),
        (anthropic_error.to_owned(), dialect("auto"), Exit::Failed),
        (
            "data: a\n\n".to_owned(),
            dialect("anthropic"),
            Exit::Truncated,
        ),
        ("data: a\n\ndata: b".to_owned(), vec![], Exit::Truncated),
        (
            "data: abc\n\n".to_owned(),
            vec!["--max-data", "2"],
            Exit::LimitExceeded,
        ),
        (
            "{\"error\":{\"message\":\"no\"}}".to_owned(),
            vec![],
            Exit::NotEventStream,
        ),
        ("<!doctype html>".to_owned(), vec![], Exit::NotEventStream),
        (
            "HTTP/1.1 200 OK\r\n\r\n".to_owned(),
            vec![],
            Exit::NotEventStream,
        ),
    ] {
        let ran = get_from(stream(&body), &args);
        assert_eq!(ran.exit, exit, "{body} {args:?}: {}", ran.stderr);
    }
    let ran = get_from(stream(b"data: a\n\ndata: \xFF\n\n"), &[]);
    assert_eq!(ran.exit, Exit::InvalidText);
    assert_eq!(ran.stdout.lines().count(), 1);
    assert!(ran.stderr.contains("not valid UTF-8"), "{}", ran.stderr);
    let text = stream(b"data: {\"t\":\"a\"}\n\ndata: {\"t\":\"\xFF\"}\n\n");
    let ran = get_from(text, &["--text-field=t", "--text", "--end-data=x"]);
    assert_eq!(
        (ran.exit, &*ran.stdout),
        (Exit::InvalidText, "a"),
        "{}",
        ran.stderr
    );
    let ran = get_from(stream(b"data: a\n\ndata: \xFF\n\n"), &["--lossy"]);
    assert_eq!(ran.exit, Exit::Clean);
}

#[test]
fn exit_codes_of_responses() {
    let plain = |status: u16| Answer::status(status).header("content-type", "text/plain");
    let failed = Exit::FailedStatus;
    for (answer, exit, part) in [
        (plain(204), Exit::Clean, ""),
        (plain(201).send("x"), failed, "HTTP status 201"),
        (plain(404).send("x"), failed, "it says: x"),
        (plain(500), failed, "HTTP status 500"),
        (
            plain(200).send("busy"),
            Exit::NotEventStream,
            "it says: busy",
        ),
        (
            plain(200).send("<html>"),
            Exit::NotEventStream,
            "an HTML page",
        ),
    ] {
        ends(answer, &[], exit, part);
    }
    let redirect = |status: u16, to: &str| Answer::status(status).header("location", to);
    ends(redirect(302, "gopher://x/"), &[], failed, "redirect");
    ends(redirect(307, "/x"), &["-d", "x"], failed, "--follow-post");
    ends(Answer::default(), &[], Exit::TransportFailed, "");
}

#[test]
fn content_types_and_encodings() {
    let (none, flag) = (Answer::status(200), "--allow-missing-content-type");
    ends(none.clone(), &[], Exit::NotEventStream, flag);
    ends(none.clone(), &[flag], Exit::Clean, "");
    let typed = none.header("content-type", "Text/Event-Stream; charset=utf-8");
    ends(typed, &[], Exit::Clean, "");
    let encoded = Answer::stream().header("content-encoding", "gzip");
    ends(encoded, &[], Exit::NotEventStream, "content encoding");
}

#[test]
fn bodies_that_break_off() {
    let cut = Exit::Truncated;
    for (body, end, exit, part) in [
        ("data: a", End::Rst, cut, "connection was reset"),
        ("data: a", End::CutChunk, cut, "unfinished: line"),
        ("data: a\n\n", End::TruncateChunked, cut, "body was cut"),
        ("data: a\n\n", End::NoFinalCrlf, Exit::Clean, ""),
    ] {
        ends(stream(body).end(end), &[], exit, part);
    }
}

/// Runs the command against one answer, which it is to end with so.
#[track_caller]
fn ends(answer: Answer, args: &[&str], exit: Exit, part: &str) {
    let ran = get_from(answer.clone(), args);
    assert_eq!(ran.exit, exit, "{answer:?}: {}", ran.stderr);
    assert!(ran.stderr.contains(part), "{answer:?}: {}", ran.stderr);
}

#[test]
fn a_redirect_is_followed_with_its_key_to_the_same_server_only() {
    let other = Server::start(vec![stream("data: b\n\n").expect("authorization", "")]);
    let key = [
        "-H",
        "Authorization: Bearer KEY",
        "--print",
        "data",
        "--summary",
        "none",
    ];
    let server = Server::start(vec![
        Answer::status(307).header("location", "/here"),
        Answer::status(302).header("location", &other.url("/there")),
    ]);
    let ran = get(&server, &key);
    assert_eq!(
        (ran.exit, &*ran.stdout),
        (Exit::Clean, "b\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(server.requests()[1].target, "/here");
    assert_eq!(
        server.requests()[1].header("authorization"),
        Some("Bearer KEY")
    );
    assert_eq!(other.complaints(), [""; 0]);
    let server = Server::start(vec![
        Answer::status(308).header("location", "/here"),
        stream("data: a\n\n"),
    ]);
    let ran = get(&server, &["--json", "{}", "--follow-post"]);
    assert_eq!(ran.exit, Exit::Clean, "{}", ran.stderr);
    let request = &server.requests()[1];
    assert_eq!((&*request.method, &*request.body), ("POST", &b"{}"[..]));
}

/// Each timeout fires alone, with the others off.
#[test]
fn exit_codes_of_waits() {
    let silent = SilentPort::open().expect("a port");
    let connect = format!("http://{}/", silent.address());
    let off = [
        "--connect-timeout=0",
        "--header-timeout=0",
        "--idle-timeout=0",
        "--summary=none",
    ];
    let beats = || (0..40).fold(Answer::stream(), |it, _| it.send(":\n").wait_ms(50));
    let idle = || stream("data: a\n\n").end(End::Hold);
    for (answer, flag, name) in [
        (None, "--connect-timeout", "connect"),
        (Some(Answer::silent()), "--header-timeout", "headers"),
        (Some(idle()), "--idle-timeout", "idle"),
        (Some(beats()), "--progress-timeout", "progress"),
        (Some(beats()), "--first-output-timeout", "first_output"),
        (Some(beats()), "--max-time", "total"),
        (Some(Answer::accept_only()), "--max-time", "total"),
    ] {
        let server = answer.map(|answer| Server::start(vec![answer]));
        let url = server
            .as_ref()
            .map_or(connect.clone(), |server| server.url("/"));
        let set = format!("{flag}=300ms");
        let off: Vec<&str> = off
            .iter()
            .copied()
            .filter(|it| !it.starts_with(flag))
            .collect();
        let start = Instant::now();
        let ran = run(&[&["get", &url][..], &off, &[&set]].concat(), b"");
        let elapsed = start.elapsed();
        assert_eq!(ran.exit, Exit::TimedOut, "{flag}: {}", ran.stderr);
        assert!(
            ran.stderr.contains(&format!("timed out ({name})")),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains(&format!("{flag} sets it")),
            "{}",
            ran.stderr
        );
        assert!(elapsed >= Duration::from_millis(300), "{flag}: {elapsed:?}");
        assert!(elapsed < Duration::from_secs(5), "{flag}: {elapsed:?}");
    }
}

#[test]
fn secrets_and_controls_are_kept_from_a_server_that_repeats_them() {
    let said = "key SECRET1, query QUERY, id SECRET2, \"prompt\":\"SECRET3 \u{e9}\", \
                \u{1b}[31mred\u{202e}\nnext";
    let body = [said.as_bytes(), b"\xFF", "x".repeat(5000).as_bytes()].concat();
    let server = Server::start(vec![
        Answer::status(401).send(&body),
        Answer::status(200)
            .header("content-type", "text/plain")
            .send(&body),
    ]);
    let args = [
        "-HAuthorization: Bearer SECRET1",
        "--last-event-id=SECRET2",
        "--json={\"prompt\":\"SECRET3 \u{e9}\"}",
    ];
    for exit in [Exit::FailedStatus, Exit::NotEventStream] {
        let ran = get(&server, &args);
        assert_eq!(ran.exit, exit);
        let says = ran
            .stderr
            .lines()
            .find(|line| line.contains("it says"))
            .expect("a reason");
        for secret in ["SECRET", "QUERY", "\u{1b}", "\u{202e}"] {
            assert!(!ran.stderr.contains(secret), "{secret:?}: {}", ran.stderr);
        }
        assert!(
            says.contains("key ***, query ***, id ***, \"prompt\":\"***\""),
            "{says}"
        );
        assert!(says.contains("\\u001b[31mred\\u202e\\u000anext"), "{says}");
        assert!(says.len() < 2200 && says.ends_with("x…"), "{}", says.len());
    }
}

#[test]
fn a_plain_server_that_keeps_the_socket_open() {
    let piece = |text| format!("data: {}\n\n", json!({"content": text, "finish": false}));
    let answer = Answer::stream()
        .send(piece("你"))
        .wait_ms(30)
        .send(piece("好"))
        .wait_ms(30);
    let answer = answer.send("data: [DONE]\n\n").end(End::Hold);
    for framing in [Framing::Chunked, Framing::Close] {
        let answer = answer.clone().framing(framing);
        // The machine may be busy; what the command waits for never changes.
        let quickest = (0..5).map(|_| until_closed(&answer)).min().expect("five");
        assert!(quickest < Duration::from_millis(250), "{quickest:?}");
    }
}

/// How long after the marker the connection is closed.
fn until_closed(answer: &Answer) -> Duration {
    let server = Server::start(vec![answer.clone()]);
    let args = ["--end-data", "[DONE]", "--text-field", "content", "--text"];
    let ran = get(&server, &args);
    assert_eq!(
        (ran.exit, &*ran.stdout),
        (Exit::Clean, "你好"),
        "{}",
        ran.stderr
    );
    let marker = *server.connections()[0].sent.last().expect("the marker");
    let closed = server
        .wait_for_close(0, Duration::from_secs(5))
        .expect("it closes");
    closed.at - marker
}

#[test]
fn tls_with_a_certificate_of_its_own() {
    let script = Script::new(vec![stream("data: a\n\n")]).tls().looping();
    let server = script.start();
    let (_folder, pem) = file(server.certificate_pem().expect("TLS"));
    let ran = get(
        &server,
        &["--cacert", &pem, "--print=data", "--summary=none"],
    );
    assert_eq!(
        (ran.exit, &*ran.stdout),
        (Exit::Clean, "a\n"),
        "{}",
        ran.stderr
    );
    let ran = get(&server, &[]);
    assert_eq!(ran.exit, Exit::TransportFailed);
    assert!(ran.stderr.contains("TLS"), "{}", ran.stderr);
    // A connection that is cut without a word is no end.
    let cut = Script::new(vec![
        stream("data: a\n\n").framing(Framing::Close).end(End::Cut),
    ]);
    let server = cut.tls().start();
    let (_folder, pem) = file(server.certificate_pem().expect("TLS"));
    let ran = get(&server, &["--cacert", &pem]);
    assert_eq!(ran.exit, Exit::Truncated, "{}", ran.stderr);
}
