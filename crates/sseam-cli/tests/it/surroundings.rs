//! `sseam get` as a process among others: pipes, proxies, terminals, loggers.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use sseam_testkit::server::{Answer, End, Framing, Server};

use crate::command::{Terminals, run_from};

/// `sseam get URL ARGS` without the proxies of whoever runs the tests.
fn get(url: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sseam"));
    command.args([&["get", url], args].concat());
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// As `sseam get URL | head -n 1` does; the server hears of it.
#[test]
fn a_broken_pipe_is_quiet() {
    let answer = (0..200).fold(Answer::stream(), |it, _| it.send("data: a\n\n").wait_ms(20));
    let server = Server::start(vec![answer]);
    let mut child = get(&server.url("/"), &[])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("it writes");
    drop(stdout);
    let before = Instant::now();
    let mut stderr = String::new();
    let mut pipe = child.stderr.take().expect("a pipe");
    pipe.read_to_string(&mut stderr).expect("UTF-8");
    let code = child.wait().expect("it ends").code();
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let closed = server
        .wait_for_close(0, Duration::from_secs(5))
        .expect("it closes");
    assert!(closed.at - before < Duration::from_secs(2));
}

/// Each event is written while the stream is still open.
#[test]
fn events_are_written_at_once() {
    let server = Server::start(vec![Answer::stream().send("data: a\n\n").end(End::Hold)]);
    let mut child = get(&server.url("/"), &["--print=data", "--idle-timeout=700ms"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("it writes");
    assert_eq!(line, "a\n");
    assert_eq!(child.try_wait().expect("a child"), None, "it goes on");
    assert_eq!(child.wait().expect("it ends").code(), Some(21));
}

#[test]
fn proxies_of_the_environment() {
    let origin = Server::start(vec![Answer::stream().send("data: a\n\n")]);
    // A tunnel, and what comes through it once the request may have passed.
    let tunnel = Answer {
        raw_head: Some("HTTP/1.1 200 Connected\r\n\r\n".to_owned()),
        framing: Framing::None,
        ..Answer::status(200)
    };
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let tunnel = tunnel.wait_ms(200).send(head).send("data: b\n\n");
    let proxy = Server::start(vec![tunnel, Answer::status(403)]);
    let through = |url: &str, name: &str| {
        get(url, &["--print=data", "--summary=none"])
            .env(name, proxy.url(""))
            .output()
            .expect("it runs")
    };
    let output = through("http://example.invalid/v1?q=1", "HTTP_PROXY");
    assert_eq!(output.stdout, b"b\n", "{}", said(&output));
    assert_eq!(proxy.requests()[0].target, "example.invalid:80");
    let output = through("https://example.invalid/v1?q=SECRET", "HTTPS_PROXY");
    assert_eq!(output.status.code(), Some(40), "{}", said(&output));
    let request = &proxy.requests()[1];
    assert_eq!(
        (&*request.method, &*request.target),
        ("CONNECT", "example.invalid:443")
    );
    assert!(!said(&output).contains("SECRET"));
    let output = get(&origin.url("/"), &["--print=data"])
        .env("HTTP_PROXY", proxy.url(""))
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .expect("it runs");
    assert_eq!(output.stdout, b"a\n", "{}", said(&output));
    assert_eq!(proxy.connections().len(), 2);
}

/// No logger is installed, so none can show what the request holds.
#[test]
fn no_log_line_shows_a_secret() {
    let server = Server::start(vec![
        Answer::status(500),
        Answer::stream().send("data: a\n\n"),
    ]);
    let url = server.url("/v1/PATH?key=QUERY");
    let args = [
        "-HAuthorization: HEADER",
        "--json={\"k\":\"BODY\"}",
        "--last-event-id=EVENTID",
    ];
    for code in [30, 0] {
        let output = get(&url, &[&args[..], &["--summary=text"]].concat())
            .env("RUST_LOG", "trace")
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        for secret in ["HEADER", "QUERY", "BODY", "PATH"] {
            assert!(
                !said(&output).contains(secret),
                "{secret}: {}",
                said(&output)
            );
        }
    }
}

#[test]
fn a_terminal_is_given_no_controls() {
    let stream = "id: \u{1b}]0;x\ndata: \u{1b}[31m\u{202e}\n\n";
    let server = Server::start(vec![Answer::stream().send(stream); 2]);
    let terminals = Terminals {
        stdout: true,
        stderr: true,
    };
    for form in ["--print=data", "--print=events"] {
        let args = ["get", &server.url("/"), form, "--summary=json"];
        let ran = run_from(&args, &mut &b""[..], terminals);
        for text in [&ran.stdout, &ran.stderr] {
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
        }
        assert!(ran.stdout.contains("\\u001b[31m\\u202e"), "{}", ran.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_recording_is_for_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start(vec![Answer::stream().send("data: a\n\n")]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r");
    let output = get(&server.url("/"), &[])
        .arg("--record")
        .arg(&path)
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let mode = std::fs::metadata(&path)
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// The disk is full, as far as the process can see: it may write one block.
#[cfg(target_os = "linux")]
#[test]
fn a_recording_that_cannot_be_written_ends_the_run() {
    let long = format!("data: {}\n\n", "x".repeat(10_000));
    let answer = Answer::stream().send(long).end(End::Hold);
    let server = Server::start(vec![answer]);
    let folder = tempfile::tempdir().expect("a folder");
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" get \"$1\" --record \"$2\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_sseam"), &server.url("/")])
        .arg(folder.path().join("r"))
        .output()
        .expect("a shell");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let message = "sseam: the recording: writing failed: ";
    assert!(said(&output).contains(message), "{}", said(&output));
    assert!(server.wait_for_close(0, Duration::from_secs(5)).is_some());
}
