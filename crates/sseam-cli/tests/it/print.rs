//! What is printed, and what each output flag changes.

use sseam_cli::Exit;

use crate::command::{replay, replay_at_every_size};

const STREAM: &str = ": hello\nretry: 1500\nevent: up\nid: 7\ndata: a\ndata: b\n\n\
                      note: x\nretry: soon\ndata: \"c\"\\\t/你好\n\n";

#[track_caller]
fn check(args: &[&str], expected: &str) {
    let ran = replay_at_every_size(STREAM, args);
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Clean, expected));
}

#[test]
fn events_by_default_with_keys_in_order() {
    let expected = concat!(
        "{\"event\":\"up\",\"data\":\"a\\nb\",\"id\":\"7\"}\n",
        "{\"event\":\"message\",\"data\":\"\\\"c\\\"\\\\\\t/你好\",\"id\":\"7\"}\n",
    );
    check(&[], expected);
    check(&["--print", "events"], expected);
}

#[test]
fn items_in_the_order_of_the_stream() {
    let expected = r#"{"comment":" hello"}
{"retry":1500}
{"event":"up","data":"a\nb","id":"7"}
{"ignored":"note: x"}
{"ignored":"retry: soon"}
{"event":"message","data":"\"c\"\\\t/你好","id":"7"}
"#;
    check(&["--print", "items"], expected);
}

#[test]
fn data_alone() {
    check(&["--print", "data"], "a\nb\n\"c\"\\\t/你好\n");
}

#[test]
fn an_event_of_empty_data_is_an_empty_line() {
    assert_eq!(
        replay("data\n\ndata:\n\n", &["--print", "data"]).stdout,
        "\n\n"
    );
}

#[test]
fn a_filter_leaves_out_lines_and_counts_all_the_same() {
    let ran = replay_at_every_size(STREAM, &["--event", "up", "--summary", "json"]);
    assert_eq!(
        ran.stdout,
        "{\"event\":\"up\",\"data\":\"a\\nb\",\"id\":\"7\"}\n"
    );
    assert_eq!(ran.summary()["events"], 2);
    check(
        &["--event", "message", "--print", "data"],
        "\"c\"\\\t/你好\n",
    );
    check(&["--event", "Up"], "");
    check(&["--event", ""], "");
}

#[test]
fn a_filter_leaves_what_is_no_event() {
    let expected = r#"{"comment":" hello"}
{"retry":1500}
{"ignored":"note: x"}
{"ignored":"retry: soon"}
"#;
    check(&["--event", "down", "--print", "items"], expected);
}

/// A skipped event is of a type too, unless that was what did not fit.
#[test]
fn a_filter_knows_skipped_events() {
    let stream = "event: a\ndata: 12345\n\nevent: b\ndata: 12345\n\nevent: longer\ndata: 1\n\n";
    let args = [
        "--print=items",
        "--overflow=skip",
        "--max-data=4",
        "--max-type=5",
        "--event=b",
    ];
    let ran = replay_at_every_size(stream, &args);
    let expected = r#"{"skipped":{"limit":"data","max":4,"bytes":5,"event":"b"}}
{"skipped":{"limit":"type","max":5,"bytes":6,"event":null}}
"#;
    assert_eq!(ran.stdout, expected);
}

/// Control characters are escaped as JSON asks, and nothing else is.
#[test]
fn json_is_escaped_no_more_than_needed() {
    let stream = "data: \u{1}\u{7F}\u{85}\u{202E}\u{2028}</script>\u{1F680}\n\n";
    let expected = concat!(
        "{\"event\":\"message\",\"data\":\"\\u0001\u{7F}\u{85}\u{202E}\u{2028}",
        "</script>\u{1F680}\",\"id\":\"\"}\n"
    );
    assert_eq!(replay(stream, &[]).stdout, expected);
    let raw = replay(stream, &["--print", "data"]).stdout;
    assert_eq!(raw, "\u{1}\u{7F}\u{85}\u{202E}\u{2028}</script>\u{1F680}\n");
}

/// Of a long comment the beginning is kept; its full length says so.
#[test]
fn a_long_comment_is_cut_between_characters() {
    let stream = format!(
        ":{}\n{}\n:{}\n",
        "好".repeat(171),
        "x".repeat(600),
        "y".repeat(512)
    );
    let ran = replay(stream, &["--print", "items"]);
    let lines = ran.json_lines();
    assert_eq!(lines[0]["comment"], "好".repeat(170));
    assert_eq!(lines[0]["bytes"], 513);
    assert_eq!(
        (&lines[1]["ignored"], &lines[1]["bytes"]),
        (&"x".repeat(512).into(), &600.into())
    );
    assert_eq!(lines[2], serde_json::json!({"comment": "y".repeat(512)}));
}

#[test]
fn a_resumed_stream_begins_with_its_last_id() {
    let ran = replay_at_every_size("data: a\n\n", &["--last-event-id", "é7"]);
    assert_eq!(
        ran.stdout,
        "{\"event\":\"message\",\"data\":\"a\",\"id\":\"é7\"}\n"
    );
    let ran = replay("data: a\n\n", &["--last-event-id", ""]);
    assert_eq!(
        ran.stdout,
        "{\"event\":\"message\",\"data\":\"a\",\"id\":\"\"}\n"
    );
}

#[test]
fn an_unfinished_event_is_printed_if_asked_for() {
    let stream = "id: 1\ndata: whole\n\nevent: half\nid: 2\ndata: a\ndata: b";
    let ran = replay_at_every_size(stream, &[]);
    assert_eq!((ran.exit, ran.stdout.lines().count()), (Exit::Truncated, 1));
    let ran = replay_at_every_size(stream, &["--deliver-unfinished"]);
    assert_eq!(ran.exit, Exit::Truncated);
    let expected = r#"{"event":"message","data":"whole","id":"1"}
{"event":"half","data":"a\nb","id":"1","unfinished":true}
"#;
    assert_eq!(ran.stdout, expected);
    let ran = replay_at_every_size(stream, &["--deliver-unfinished", "--print", "data"]);
    assert_eq!(ran.stdout, "whole\na\nb\n");
    let ran = replay(stream, &["--deliver-unfinished", "--event", "message"]);
    assert_eq!((ran.exit, ran.stdout.lines().count()), (Exit::Truncated, 1));
}

#[test]
fn nothing_is_unfinished_without_data() {
    for stream in ["event: x\nid: 3", "data: a\n\n: comment", "dat"] {
        let ran = replay(stream, &["--deliver-unfinished"]);
        assert!(!ran.stdout.contains("unfinished"), "{stream}");
        assert_eq!(ran.exit, Exit::Truncated, "{stream}");
    }
    let ran = replay("data: a\n\n", &["--deliver-unfinished"]);
    assert_eq!(
        (ran.exit, ran.stdout.contains("unfinished")),
        (Exit::Clean, false)
    );
}

/// An event that is being skipped is not delivered through the back door.
#[test]
fn nothing_is_unfinished_of_a_skipped_event() {
    let args = [
        "--deliver-unfinished",
        "--overflow",
        "skip",
        "--max-data",
        "2",
    ];
    let ran = replay_at_every_size("data: abc\n", &args);
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Truncated, ""));
}
