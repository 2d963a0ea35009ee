//! Ctrl-C in every state of `sseam get`, as a process that gets SIGINT.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sseam_testkit::server::{Answer, End, Script, Server, SilentPort};

use crate::serve::file;

/// Starts `sseam get ARGS`.
fn spawn(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_sseam"))
        .args([&["get"], args].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

/// Sends SIGINT and waits for the end; what was said, and how long it took.
fn interrupt(mut child: Child) -> (String, Duration) {
    let start = Instant::now();
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("kill runs").success());
    let status = child.wait().expect("it ends");
    let elapsed = start.elapsed();
    let mut stderr = String::new();
    let mut pipe = child.stderr.take().expect("a pipe");
    pipe.read_to_string(&mut stderr).expect("UTF-8");
    assert_eq!(status.code(), Some(130), "{stderr}");
    (stderr, elapsed)
}

/// So long the command may take to start, install its handler and get there.
const THERE: Duration = Duration::from_millis(400);

#[track_caller]
fn check(child: Child) -> String {
    std::thread::sleep(THERE);
    let (stderr, elapsed) = interrupt(child);
    assert!(stderr.contains(": cancelled after "), "{stderr}");
    assert!(elapsed < Duration::from_millis(500), "{elapsed:?}");
    stderr
}

#[test]
fn while_connecting() {
    let port = SilentPort::open().expect("a port");
    check(spawn(&[&format!("http://{}/", port.address())]));
}

#[test]
fn during_the_handshake() {
    let server = Server::start(vec![Answer::silent()]);
    let url = server.url("/").replace("http:", "https:");
    check(spawn(&[&url]));
    assert!(server.wait_for_close(0, Duration::from_secs(5)).is_some());
}

#[test]
fn while_waiting_for_the_head() {
    let server = Server::start(vec![Answer::accept_only()]);
    check(spawn(&[&server.url("/")]));
    assert!(server.wait_for_close(0, Duration::from_secs(5)).is_some());
}

#[test]
fn while_reading() {
    for is_tls in [false, true] {
        let answer = Answer::stream().send("id: 7\ndata: a\n\n").end(End::Hold);
        let script = Script::new(vec![answer]);
        let server = if is_tls { script.tls() } else { script }.start();
        let (_folder, pem) = file(server.certificate_pem().unwrap_or_default());
        let url = server.url("/?key=QUERY");
        let more = ["--cacert", &*pem];
        let mut child = spawn(
            &[
                &[&*url, "--outcome=json"],
                &more[..if is_tls { 2 } else { 0 }],
            ]
            .concat(),
        );
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("an event");
        assert!(line.contains("\"data\":\"a\""), "{line}");
        let stderr = check(child);
        assert!(
            stderr.contains("1 event, 3 lines, 15 bytes; last event id 7"),
            "{stderr}"
        );
        assert!(
            stderr.contains("\"outcome\":\"Cancelled\",\"exit_code\":130"),
            "{stderr}"
        );
        assert!(!stderr.contains("QUERY"), "{stderr}");
        let closed = server.wait_for_close(0, Duration::from_secs(5));
        assert!(closed.is_some());
    }
}

#[test]
fn while_reading_an_error() {
    let answer = Answer::status(404).send("{\"error\":").end(End::Hold);
    let server = Server::start(vec![answer]);
    let child = spawn(&[&server.url("/")]);
    assert!(server.wait_for_requests(1, Duration::from_secs(5)));
    std::thread::sleep(Duration::from_millis(100));
    let (stderr, elapsed) = interrupt(child);
    assert!(stderr.contains(": cancelled after "), "{stderr}");
    assert!(elapsed < Duration::from_millis(500), "{elapsed:?}");
}

#[test]
fn while_it_waits_to_connect_again() {
    let server = Server::start(vec![Answer::stream().send("retry: 20000\ndata: a\n\n")]);
    let stderr = check(spawn(&[
        &server.url("/"),
        "--reconnect=9",
        "--summary=json",
    ]));
    assert!(stderr.contains("\"events\":1,"), "{stderr}");
}

/// Nobody reads the output, and the pipe is full.
#[test]
fn while_the_output_is_blocked() {
    let server = Server::start(vec![
        Answer::stream().send("data: hello\n\n".repeat(200_000)),
    ]);
    let child = spawn(&[&server.url("/")]);
    let stderr = check(child);
    assert!(stderr.contains(" events, "), "{stderr}");
}

/// Nobody reads the messages either.
#[test]
fn while_standard_error_is_blocked_too() {
    let answer = Answer::stream().send("data: a\n\n").end(End::Rst);
    let server = Script::new(vec![answer]).looping().start();
    let args = ["--reconnect=unlimited", "--reconnect-delay=1ms"];
    let child = spawn(&[&[&*server.url("/")], &args[..]].concat());
    std::thread::sleep(THERE);
    let (_, elapsed) = interrupt(child);
    assert!(elapsed < Duration::from_millis(700), "{elapsed:?}");
}
