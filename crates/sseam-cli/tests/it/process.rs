//! The command as a process: files, pipes, exit codes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};

use sseam_testkit::vectors;

use crate::command::{argument, replay, repository};

fn sseam(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sseam"));
    command.args(args);
    command
}

fn spawn(args: &[&str]) -> Child {
    sseam(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

fn run_with(args: &[&str], stdin: &[u8]) -> Output {
    let mut child = spawn(args);
    // A child that has ended early needs no more input.
    let _ = child.stdin.take().expect("a pipe").write_all(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
fn the_demo_from_a_file_and_from_a_pipe() {
    let path = repository("examples/streams/demo.sse");
    let stream = std::fs::read(&path).expect("the demo");
    let expected = replay(&stream, &[]).stdout;
    assert_eq!(expected.lines().count(), 2);
    for size in ["1", "2", "3", "1000"] {
        let path = argument(&path);
        let output = sseam(&["replay", &path, "--chunk-size", size])
            .output()
            .expect("it runs");
        assert_eq!(
            (output.status.code(), output.stdout),
            (Some(0), expected.clone().into_bytes())
        );
        let output = run_with(&["replay", "-", "--chunk-size", size], &stream);
        assert_eq!(
            (output.status.code(), output.stdout),
            (Some(0), expected.clone().into_bytes())
        );
    }
}

/// A sample of the vectors: a process gives what the function gives.
#[test]
fn vectors_as_processes() {
    let mut count = 0;
    for vector in vectors::all().step_by(29) {
        let stream = vector.stream();
        let args = ["--print=items", "--lossy", "--chunk-size=3"];
        let ran = replay(&stream, &args);
        let output = run_with(&[&["replay", "-"], &args[..]].concat(), &stream);
        assert_eq!(
            output.status.code(),
            Some(ran.exit.code().into()),
            "{}",
            vector.name
        );
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            ran.stdout,
            "{}",
            vector.name
        );
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            ran.stderr,
            "{}",
            vector.name
        );
        count += 1;
    }
    assert!(count >= 14, "{count}");
}

#[test]
fn exit_codes() {
    for (args, stdin, code) in [
        (&["replay", "-"][..], &b"data: x\n\n"[..], 0),
        (&["replay", "-", "--chunk-size", "0"], b"", 2),
        (&["replay", "/does/not/exist"], b"", 2),
        (&["replay", "-"], b"data: x", 20),
        (&["replay", "-", "--max-data", "1"], b"data: xy\n\n", 22),
        (&["replay", "-"], b"data: \xFF\n\n", 23),
        (&["replay", "-"], b"{\"error\":1}", 31),
        (&["--version"], b"", 0),
        (&[], b"", 2),
    ] {
        assert_eq!(run_with(args, stdin).status.code(), Some(code), "{args:?}");
    }
}

/// Each event comes out while the stream is still open.
#[test]
fn a_pipe_is_followed() {
    let mut child = spawn(&["replay", "-", "--print", "data"]);
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    for number in 0..5 {
        write!(stdin, "data: {number}\n\n").expect("it reads");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it writes");
        assert_eq!(line, format!("{number}\n"));
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// As `sseam replay FILE | head -n 1` does.
#[test]
fn a_broken_pipe_is_quiet() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.sse");
    std::fs::write(&path, "data: hello\n\n".repeat(100_000)).expect("a file");
    let mut child = spawn(&["replay", &argument(&path)]);
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("it writes");
    drop(stdout);
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut stderr)
        .expect("UTF-8");
    assert_eq!(
        (child.wait().expect("it ends").code(), stderr.as_str()),
        (Some(0), "")
    );
}

/// Memory does not grow with the input: 40 MB of one line, of bare `data` lines
/// and of comments, in a process that may have 64 MiB of address space.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = "x".repeat(40_000_000);
    for (name, stream, code) in [
        ("line", format!("data: {long}"), 22),
        ("lines", "data\n".repeat(20_000_000), 22),
        ("comment", format!(": {long}\n"), 0),
        ("ignored", format!("x{long}\n"), 0),
        ("id", format!("id: {long}"), 22),
        ("type", format!("event: {long}"), 22),
        ("json", format!("{{\"{long}"), 31),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, stream).expect("a file");
        // `ulimit -v` counts in KiB.
        let script = "ulimit -v 65536 && exec \"$0\" replay \"$1\" --print items --summary none";
        let output = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_sseam"), &argument(&path)])
            .output()
            .expect("a shell");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{name}: {stderr}");
    }
}
