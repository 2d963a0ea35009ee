//! `sseam get` over time: timing, recordings, figures, reconnects.

use std::time::Duration;

use sseam_cli::Exit;
use sseam_testkit::server::{Answer, End, Server};

use crate::command::{argument, run};
use crate::get::get;
use crate::serve::file;
use crate::server::Served;

#[test]
fn timing_says_when_and_with_which_read() {
    let answer = Answer::stream()
        .send("data: a\n\n: c\n\ndata: b")
        .wait_ms(150)
        .send("\n\ndata: d\n\n");
    let server = Server::start(vec![answer]);
    let ran = get(&server, &["--timing", "--print=items"]);
    let lines = ran.json_lines();
    let first = ran.stdout.lines().next().expect("a line");
    let before = "{\"event\":\"message\",\"data\":\"a\",\"id\":\"\",\"t_ms\":";
    assert!(
        first.starts_with(before) && first.ends_with(",\"read\":1}"),
        "{first}"
    );
    let reads: Vec<_> = lines
        .iter()
        .map(|line| line["read"].as_u64().expect("a read"))
        .collect();
    assert_eq!(reads, [1, 1, 2, 2]);
    let times: Vec<_> = lines
        .iter()
        .map(|line| line["t_ms"].as_u64().expect("a time"))
        .collect();
    assert!(
        times[2] >= times[1] + 140 && times[2] < times[1] + 5000,
        "{times:?}"
    );
    assert_eq!((times[0], times[2]), (times[1], times[3]));
}

#[test]
fn a_recording_is_replayed_and_served_as_it_came() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = argument(&folder.path().join("r"));
    let (head, tail) = "data: \u{4f60}\n\n".as_bytes().split_at(7);
    let answer = Answer::stream().send(head).wait_ms(100).send(tail);
    let server = Server::start(vec![answer]);
    let args = ["--timing", "--summary=none"];
    let key = ["-HAuthorization: SECRET", "--json=SECRET"];
    let got = get(&server, &[&args[..], &key, &["--record", &path]].concat());
    assert_eq!(got.exit, Exit::Clean, "{}", got.stderr);
    let text = std::fs::read_to_string(&path).expect("a recording");
    assert!(
        !text.contains("SECRET") && !text.contains("QUERY"),
        "{text}"
    );
    assert_eq!(run(&[&["replay", &path], &args[..]].concat(), b""), got);
    let served = Served::start(&[&path]);
    let again = run(&["get", &served.url("/"), "--timing"], b"").json_lines();
    assert_eq!(
        (&again[0]["read"], &again[0]["data"]),
        (&2.into(), &"\u{4f60}".into())
    );
    assert!(again[0]["t_ms"].as_u64() >= Some(90), "{again:?}");
}

#[test]
fn how_a_recorded_connection_ended() {
    for (end, args, word, exit) in [
        (End::Clean, &[][..], "clean", Exit::Clean),
        (End::TruncateChunked, &[], "cut", Exit::Truncated),
        (End::Rst, &[], "cut", Exit::Truncated),
        (End::Hold, &["--idle-timeout=200ms"], "left", Exit::TimedOut),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = argument(&folder.path().join("r"));
        let server = Server::start(vec![Answer::stream().send("data: a\n\n").end(end)]);
        let ran = get(&server, &[args, &["--record", &path]].concat());
        assert_eq!(ran.exit, exit, "{end:?}: {}", ran.stderr);
        let text = std::fs::read_to_string(&path).expect("a recording");
        assert!(
            text.ends_with(&format!("\"end\":\"{word}\"}}\n")),
            "{end:?}: {text}"
        );
    }
}

/// A recording that cannot be written ends the run: the disk is full.
#[cfg(target_os = "linux")]
#[test]
fn a_recording_that_cannot_be_written() {
    let server = Server::start(vec![Answer::stream().send("data: a\n\n").end(End::Hold)]);
    let ran = get(&server, &["--record", "/dev/full", "--force"]);
    assert_eq!(ran.exit, Exit::Usage, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("/dev/full: cannot be written"),
        "{}",
        ran.stderr
    );
}

#[test]
fn figures() {
    let beats = (0..4).fold(Answer::stream().wait_ms(60), |it, _| {
        it.send(":\n\n").wait_ms(100)
    });
    let server = Server::start(vec![beats.send("data: a\n\n")]);
    let ran = get(&server, &["--summary=json"]);
    let summary = ran.summary();
    let ms = |key: &str| summary[key].as_u64().expect("a figure");
    assert_eq!(
        (
            ms("events"),
            ms("comments"),
            ms("requests"),
            ms("connections")
        ),
        (1, 4, 1, 1)
    );
    assert_eq!(ms("reads"), 5);
    assert!((50..5000).contains(&ms("first_byte_ms")), "{summary}");
    assert!((450..9000).contains(&ms("first_text_ms")), "{summary}");
    assert!((95..5000).contains(&ms("longest_gap_ms")), "{summary}");
    assert!((95..5000).contains(&ms("heartbeat_ms")), "{summary}");
    assert!((1000..20_000).contains(&ms("idle_timeout_ms")), "{summary}");
    assert!(summary["held_up_events"].is_null(), "{summary}");
    let beats = (0..3).fold(Answer::stream(), |it, _| it.send(":\n\n").wait_ms(50));
    let ran = get(&Server::start(vec![beats]), &[]);
    assert!(ran.stderr.contains("heartbeat every "), "{}", ran.stderr);
}

#[test]
fn a_stream_that_is_held_up() {
    let answer = Answer::stream().wait_ms(2100).send("data: a\n\n".repeat(9));
    let ran = get(&Server::start(vec![answer]), &["--print=data"]);
    assert_eq!(ran.exit, Exit::Clean);
    let warning = "9 events came in one read after 2.";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
}

#[test]
fn connecting_again() {
    let again = ["--reconnect=2", "--reconnect-delay=100ms", "--print=data"];
    // Ids tell the server where to go on.
    let server = Server::start(vec![
        Answer::stream().send("id: 1\ndata: a\n\n").end(End::Rst),
        Answer::status(503),
        Answer::stream()
            .send("id: 2\ndata: b\n\n")
            .expect("last-event-id", "1"),
        Answer::status(204).expect("last-event-id", "2"),
    ]);
    let ran = get(&server, &again);
    assert_eq!(
        (ran.exit, &*ran.stdout),
        (Exit::Clean, "a\nb\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(server.complaints(), [""; 0]);
    assert!(!ran.stderr.contains("come again"), "{}", ran.stderr);
    // Without them it is said that events may come twice.
    let server = Server::start(vec![
        Answer::stream()
            .send("data: a\n\n")
            .end(End::TruncateChunked),
        Answer::stream().send("data: a\n\n"),
        Answer::status(204),
    ]);
    let ran = get(&server, &again);
    assert_eq!(
        (ran.exit, &*ran.stdout),
        (Exit::Clean, "a\na\n"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr
            .contains("connection 2: the events before had no id"),
        "{}",
        ran.stderr
    );
    // In the end it gives up, with what was last.
    let server = Server::start(vec![Answer::status(503).send("busy"); 4]);
    let ran = get(&server, &again);
    assert_eq!(ran.exit, Exit::FailedStatus);
    assert_eq!(server.requests().len(), 3);
    let gave_up = "gave up after 2 attempts to connect again: HTTP status 503";
    assert!(
        ran.stderr.contains(gave_up) && ran.stderr.contains("says: busy"),
        "{}",
        ran.stderr
    );
    let server = Server::start(vec![Answer::stream(); 4]);
    let ran = get(&server, &again);
    assert_eq!(
        (ran.exit, server.requests().len()),
        (Exit::Truncated, 3),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_body_is_never_sent_twice_unasked() {
    let stream = || Answer::stream().send("data: a\n\n");
    let again = [
        "--reconnect=2",
        "--reconnect-delay=100ms",
        "--json={}",
        "--retry-post",
    ];
    for (script, args, exit, requests) in [
        (vec![stream(); 2], &again[..3], Exit::Clean, 1),
        (vec![stream(); 2], &again[..], Exit::Clean, 1),
        (vec![stream().end(End::Rst); 2], &again, Exit::Truncated, 1),
        (
            vec![Answer::status(503), stream()],
            &again[..3],
            Exit::FailedStatus,
            1,
        ),
        (vec![Answer::status(503), stream()], &again, Exit::Clean, 2),
    ] {
        let server = Server::start(script.clone());
        let ran = get(&server, args);
        assert_eq!(ran.exit, exit, "{script:?}: {}", ran.stderr);
        assert_eq!(server.requests().len(), requests, "{script:?}");
    }
}

/// A wait that would go past the total time ends at once.
#[test]
fn a_wait_beyond_the_total_time() {
    let answer = Answer::status(429).header("retry-after", "60");
    let server = Server::start(vec![answer]);
    let start = std::time::Instant::now();
    let ran = get(&server, &["--reconnect=1", "--max-time=30s"]);
    assert_eq!(ran.exit, Exit::TimedOut, "{}", ran.stderr);
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// `get` against `serve`, cut at every byte: with ids each event comes once.
#[test]
fn against_serve_with_its_faults() {
    let stream = "retry: 1\n\nid: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n";
    let (_folder, path) = file(stream);
    let whole = Served::start(&[&path, "--chunk-size=1"]);
    for at in 0..=stream.len() {
        let at_text = at.to_string();
        for (flag, exit) in [
            ("--cut-at", Exit::Truncated),
            ("--drop-at", Exit::Truncated),
            ("--stall-at", Exit::TimedOut),
        ] {
            if flag == "--stall-at" && at % 9 != 0 {
                continue;
            }
            let served = Served::start(&[&path, flag, &at_text]);
            let args = ["--print=data", "--idle-timeout=150ms"];
            let broken = run(&[&["get", &served.url("/")], &args[..]].concat(), b"");
            assert_eq!(broken.exit, exit, "{flag} {at}: {}", broken.stderr);
            let id = broken.stdout.lines().count().to_string();
            let last = if id == "0" { "" } else { &id };
            let rest = ["--last-event-id", last, "--print=data", "--summary=none"];
            let rest = run(&[&["get", &whole.url("/")], &rest[..]].concat(), b"");
            assert_eq!(rest.exit, Exit::Clean, "{flag} {at}: {}", rest.stderr);
            assert_eq!(broken.stdout + &rest.stdout, "a\nb\nc\n", "{flag} {at}");
        }
    }
    let ran = run(
        &["get", &whole.url("/"), "--reconnect=1", "--print=data"],
        b"",
    );
    assert_eq!(
        (ran.exit, &*ran.stdout),
        (Exit::Clean, "a\nb\nc\n"),
        "204 at the end"
    );
}
