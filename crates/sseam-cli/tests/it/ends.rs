//! How runs end: exit codes, messages, summaries, usage.

use std::io::{self, ErrorKind, Read};

use sseam_cli::Exit;

use crate::command::{Terminals, argument, replay, replay_at_every_size, run, run_from};

#[test]
fn exit_codes() {
    let codes = [
        (Exit::Clean, 0),
        (Exit::Failure, 1),
        (Exit::Usage, 2),
        (Exit::Truncated, 20),
        (Exit::LimitExceeded, 22),
        (Exit::InvalidText, 23),
        (Exit::NotEventStream, 31),
    ];
    for (exit, code) in codes {
        assert_eq!(exit.code(), code);
        let help = run(&["--help"], b"").stdout;
        assert!(
            help.contains(&format!("\n  {code:<2}  ")),
            "{code} in {help}"
        );
    }
}

#[test]
fn a_clean_end() {
    for stream in [
        "",
        "\n",
        "data: a\n\n",
        ": only a comment\n",
        "event: x\n\n",
        "x\n",
        "\u{FEFF}",
    ] {
        let ran = replay_at_every_size(stream, &[]);
        assert_eq!(
            (ran.exit, ran.stderr.lines().count()),
            (Exit::Clean, 1),
            "{stream:?}"
        );
    }
}

#[test]
fn a_truncated_end_says_where_and_what() {
    for (stream, names) in [
        ("data: a", "line"),
        ("data: a\n", "data"),
        ("event: x\n", "event"),
        ("id: x\n", "id"),
        ("id: x\nevent: x\ndata: a\nda", "line, data, event, id"),
    ] {
        let ran = replay_at_every_size(stream, &[]);
        assert_eq!(ran.exit, Exit::Truncated, "{stream:?}");
        let len = stream.len();
        let words =
            format!("standard input: the stream broke off at byte {len}; unfinished: {names}");
        assert!(ran.stderr.contains(&words), "{}", ran.stderr);
        let has_hint = ran.stderr.contains("--deliver-unfinished");
        assert_eq!(has_hint, names.contains("data"), "{}", ran.stderr);
        let ran = replay(stream, &["--deliver-unfinished"]);
        assert!(
            !ran.stderr.contains("--deliver-unfinished"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn the_summary_in_json_is_one_line() {
    let stream = ": c\nx\nretry: 5\nid: é\ndata: 1\n\ndata: 2\n\ndata: 12345\n\n";
    let args = [
        "--summary=json",
        "--overflow=skip",
        "--max-data=4",
        "--event=none",
    ];
    let ran = replay_at_every_size(stream, &args);
    let expected = "{\"bytes\":53,\"lines\":10,\"events\":2,\"comments\":1,\"ignored_lines\":1,\
                    \"skipped\":1,\"last_event_id\":\"é\",\"retry\":5,\"truncated\":false}\n";
    assert_eq!(
        (ran.exit, ran.stdout.as_str(), ran.stderr.as_str()),
        (Exit::Clean, "", expected)
    );
    let ran = replay_at_every_size("event: x\ndata: a\nid: 7\nx", &["--summary=json"]);
    let expected = "{\"bytes\":24,\"lines\":3,\"events\":0,\"comments\":0,\"ignored_lines\":0,\
                    \"skipped\":0,\"last_event_id\":\"\",\"retry\":null,\"truncated\":true,\
                    \"pending\":[\"line\",\"data\",\"event\",\"id\"]}\n";
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Truncated, expected));
}

#[test]
fn the_summary_in_words() {
    let stream = ": c\nx\nretry: 5\nid: 7\ndata: 1\n\ndata: 2\n\n";
    let ran = replay(stream, &[]);
    let expected = "sseam: 2 events, 1 comment, 1 ignored line, 8 lines, 39 bytes; \
                    retry after 5 ms; \
                    last event id 7\n";
    assert_eq!(ran.stderr, expected);
    assert_eq!(
        replay("", &[]).stderr,
        "sseam: 0 events, 0 lines, 0 bytes\n"
    );
    let ran = replay("plain text\n", &["--summary", "text"]);
    assert!(
        ran.stderr
            .ends_with("no line is a field or a comment of an event stream\n")
    );
}

#[test]
fn no_summary() {
    assert_eq!(replay("data: a\n\n", &["--summary", "none"]).stderr, "");
    let ran = replay("data: a", &["--summary", "none"]);
    assert_eq!((ran.exit, ran.stderr.lines().count()), (Exit::Truncated, 1));
}

/// What a stream says is not for logs.
#[test]
fn messages_hold_no_content() {
    for (stream, args) in [
        (&b"event: SECRET\ndata: SECRET\xFF\n\n"[..], &[][..]),
        (b"event: SECRET\ndata: SECRET SECRET\n\n", &["--max-data=9"]),
        (b"event: SECRET\ndata: SECRET", &[]),
        (b"{\"error\":\"SECRET\"}", &[]),
        (b"HTTP/1.1 200 OK\r\nx: SECRET\r\n\r\n", &[]),
    ] {
        let ran = replay(stream, args);
        assert_ne!(ran.exit, Exit::Clean);
        assert!(!ran.stderr.contains("SECRET"), "{}", ran.stderr);
    }
}

#[test]
fn usage_errors() {
    for args in [
        &["replay"][..],
        &[],
        &["reply", "-"],
        &["replay", "-", "--chunk-size", "0"],
        &["replay", "-", "--chunk-size", "-1"],
        &["replay", "-", "--chunk-size", "x"],
        &["replay", "-", "--print", "words"],
        &["replay", "-", "--overflow", "clip"],
        &["replay", "-", "--summary", "xml"],
        &["replay", "-", "--max-data", "1k"],
        &["replay", "-", "--max-events", "-1"],
        &["replay", "-", "--lossy=yes"],
        &["replay", "-", "--dialect", "none"],
        &["replay", "a", "b"],
        &["man", "nothing"],
        &["completions", "tcsh"],
    ] {
        let ran = run(args, b"data: x\n\n");
        assert_eq!(
            (ran.exit, ran.stdout.as_str()),
            (Exit::Usage, ""),
            "{args:?}"
        );
        assert!(!ran.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_a_usage_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = argument(&folder.path().join("missing.sse"));
    for path in [missing, argument(folder.path())] {
        let ran = run(&["replay", &path], b"");
        assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Usage, ""));
        let start = format!("sseam: {path}: cannot be read: ");
        assert!(ran.stderr.starts_with(&start), "{}", ran.stderr);
    }
}

#[test]
fn a_file_is_named_in_messages() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.sse");
    std::fs::write(&path, "data: a\n\ndata: b").expect("a file");
    let path = argument(&path);
    let ran = run(&["replay", &path], b"");
    assert_eq!((ran.exit, ran.stdout.lines().count()), (Exit::Truncated, 1));
    assert!(
        ran.stderr.starts_with(&format!("sseam: {path}: ")),
        "{}",
        ran.stderr
    );
}

/// Gives a stream and then an error.
struct Breaks<'s>(&'s [u8]);

impl Read for Breaks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::new(
                ErrorKind::ConnectionReset,
                "the line went dead",
            )),
            count => Ok(count),
        }
    }
}

/// The events before it are delivered, and it is not called a clean end.
#[test]
fn a_source_that_breaks() {
    let args = [
        "replay",
        "-",
        "--summary=json",
        "--print=data",
        "--deliver-unfinished",
    ];
    let stream = b"data: a\n\ndata: b";
    let ran = run_from(&args, &mut Breaks(stream), Terminals::default());
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Failure, "a\nb\n"));
    let message = ran.messages().concat();
    assert!(
        message.contains("reading failed at byte 16: the line went dead"),
        "{message}"
    );
    assert_eq!(ran.summary()["truncated"], true);
    let ran = run_from(&args, &mut Breaks(b"data: a\n\n"), Terminals::default());
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Failure, "a\n"));
}
