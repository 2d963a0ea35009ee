//! Ctrl-C in every state of `sseam get`, as a process that gets SIGINT.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sseam_testkit::server::{Answer, End, Script, Server, SilentPort};

use crate::serve::file;

/// Starts `sseam get ARGS`.
fn spawn(args: &[&str]) -> Child {
    command(args).spawn().expect("the command starts")
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sseam"));
    command
        .args([&["get"], args].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Sends SIGINT once the command is there, and waits for the end; what was said.
///
/// A command that was not there yet is killed by the signal, as it should be: it
/// is started again and given more time.
#[track_caller]
fn interrupted(mut start: impl FnMut() -> Child) -> String {
    for wait in [400, 1600, 6400] {
        let mut child = start();
        std::thread::sleep(Duration::from_millis(wait));
        let before = Instant::now();
        let pid = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status();
        assert!(sent.expect("kill runs").success());
        let code = child.wait().expect("it ends").code();
        let elapsed = before.elapsed();
        let mut stderr = String::new();
        if let Some(mut pipe) = child.stderr.take() {
            pipe.read_to_string(&mut stderr).expect("UTF-8");
        }
        if code.is_some() {
            assert_eq!(code, Some(130), "{stderr}");
            assert!(elapsed < AT_ONCE, "{elapsed:?}");
            return stderr;
        }
    }
    panic!("it never was there");
}

/// The same, and it says that it was cancelled.
#[track_caller]
fn check(start: impl FnMut() -> Child) -> String {
    let stderr = interrupted(start);
    assert!(stderr.contains(": cancelled after "), "{stderr}");
    stderr
}

/// Far less than any wait of the command, and time enough on a busy machine.
const AT_ONCE: Duration = Duration::from_millis(1500);

#[test]
fn while_connecting() {
    let port = SilentPort::open().expect("a port");
    let url = format!("http://{}/", port.address());
    check(|| spawn(&[&url, "--connect-timeout=60s"]));
}

#[test]
fn during_the_handshake() {
    let server = Script::new(vec![Answer::silent()]).looping().start();
    let url = server.url("/").replace("http:", "https:");
    check(|| spawn(&[&url, "--connect-timeout=60s"]));
    assert!(server.wait_for_close(0, SOON).is_some());
}

#[test]
fn while_waiting_for_the_head() {
    let server = Script::new(vec![Answer::accept_only()]).looping().start();
    check(|| spawn(&[&server.url("/")]));
    assert!(server.wait_for_close(0, SOON).is_some());
}

#[test]
fn while_reading() {
    for is_tls in [false, true] {
        let answer = Answer::stream().send("id: 7\ndata: a\n\n").end(End::Hold);
        let script = Script::new(vec![answer]).looping();
        let server = if is_tls { script.tls() } else { script }.start();
        let (_folder, pem) = file(server.certificate_pem().unwrap_or_default());
        let url = server.url("/?key=QUERY");
        let more = ["--cacert", &*pem];
        let args = [
            &[&*url, "--outcome=json"],
            &more[..if is_tls { 2 } else { 0 }],
        ]
        .concat();
        let stderr = check(|| {
            let mut child = spawn(&args);
            let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
            let mut line = String::new();
            stdout.read_line(&mut line).expect("an event");
            assert!(line.contains("\"data\":\"a\""), "{line}");
            child
        });
        assert!(
            stderr.contains("1 event, 3 lines, 15 bytes; last event id 7"),
            "{stderr}"
        );
        assert!(
            stderr.contains("\"outcome\":\"Cancelled\",\"exit_code\":130"),
            "{stderr}"
        );
        assert!(!stderr.contains("QUERY"), "{stderr}");
        assert!(server.wait_for_close(0, SOON).is_some());
    }
}

#[test]
fn while_reading_an_error() {
    let answer = Answer::status(404).send("{\"error\":").end(End::Hold);
    let server = Script::new(vec![answer]).looping().start();
    let stderr = interrupted(|| spawn(&[&server.url("/")]));
    // Its second for that may be over on a busy machine, but not before 400 ms.
    assert!(stderr.contains(": cancelled after "), "{stderr}");
}

#[test]
fn while_it_waits_to_connect_again() {
    let mut servers = Vec::new();
    let stderr = check(|| {
        // Each start of the command has a server of its own, which counts.
        let server = Server::start(vec![
            Answer::stream().send("retry: 100\ndata: a\n\n"),
            Answer::status(503),
            Answer::stream()
                .wait_ms(150)
                .send("retry: 20000\ndata: b\n\n"),
        ]);
        let child = spawn(&[&server.url("/"), "--reconnect=9", "--summary=json"]);
        assert!(server.wait_for_requests(3, SOON), "it came that far");
        servers.push(server);
        child
    });
    let summary = stderr.lines().last().expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(summary).expect("JSON");
    for (name, value) in [
        ("events", 2),
        ("requests", 3),
        ("connections", 2),
        ("reads", 2),
    ] {
        assert_eq!(summary[name], value, "{stderr}");
    }
    assert!(summary["first_byte_ms"].is_u64(), "{stderr}");
    assert!(summary["first_text_ms"].is_u64(), "{stderr}");
    assert!(summary["longest_gap_ms"].as_u64() >= Some(140), "{stderr}");
}

/// Nobody reads the output, and the pipe is full.
#[test]
fn while_the_output_is_blocked() {
    let answer = Answer::stream().send("data: hello\n\n".repeat(200_000));
    let server = Script::new(vec![answer]).looping().start();
    let stderr = check(|| spawn(&[&server.url("/")]));
    assert!(stderr.contains(" events, "), "{stderr}");
}

/// Nobody reads the messages either: their pipe is full before it begins.
#[test]
fn while_standard_error_is_blocked_too() {
    let server = Script::new(vec![Answer::accept_only()]).looping().start();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let mut filler = writer.try_clone().expect("a pipe");
    let filling = std::thread::spawn(move || filler.write_all(&[b'x'; 1 << 20]));
    interrupted(|| {
        let mut child = command(&[&server.url("/")])
            .stderr(writer.try_clone().expect("a pipe"))
            .spawn()
            .expect("the command starts");
        // What is asked for there is not what this test is about.
        child.stdout.take();
        child
    });
    drop(reader);
    let filled = filling.join().expect("it ends");
    assert!(filled.is_err(), "the pipe was full all the time");
}

const SOON: Duration = Duration::from_secs(5);
