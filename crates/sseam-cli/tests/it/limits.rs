//! Each limit at its value and one beyond, in both modes, at every chunk size.

use serde_json::{Value, json};
use sseam_cli::Exit;

use crate::command::{Ran, replay, replay_at_every_size};

/// A stream, a flag, the length that passes, and where the next byte stands.
const EDGES: [(&str, &str, u64, u64); 6] = [
    ("data: abc\n\n", "--max-line", 9, 8),
    ("data: abc\ndata: d\n\n", "--max-data", 5, 16),
    ("event: abc\ndata: x\n\n", "--max-type", 3, 9),
    ("id: abc\ndata: x\n\n", "--max-id", 3, 6),
    ("data: abc\n\n", "--max-total", 11, 10),
    ("data: a\n\ndata: b\n\n", "--max-events", 2, 17),
];

fn with(stream: &str, flag: &str, max: u64, more: &[&str]) -> Ran {
    let flag = format!("{flag}={max}");
    replay_at_every_size(stream, &[&[flag.as_str(), "--summary=json"], more].concat())
}

#[test]
fn at_the_limit_a_stream_passes() {
    for (stream, flag, max, _) in EDGES {
        let ran = with(stream, flag, max, &[]);
        assert_eq!(ran.exit, Exit::Clean, "{flag} {max}");
    }
}

#[test]
fn one_beyond_it_stops_with_the_byte_and_the_flag() {
    for (stream, flag, max, offset) in EDGES {
        let ran = with(stream, flag, max - 1, &[]);
        assert_eq!(ran.exit, Exit::LimitExceeded, "{flag}");
        let messages = ran.messages();
        let [message] = messages.as_slice() else {
            panic!("{messages:?}");
        };
        let what = match flag {
            "--max-line" => "a line",
            "--max-data" => "the data of an event",
            "--max-type" => "the type of an event",
            "--max-id" => "the id of an event",
            _ => "the stream",
        };
        let unit = if flag == "--max-events" {
            "event"
        } else {
            "bytes"
        };
        for part in [
            format!(
                "standard input: {what} passed the limit of {} {unit} ",
                max - 1
            ),
            format!("at byte {offset};"),
            format!("raise {flag}"),
        ] {
            assert!(message.contains(&part), "{message} without {part}");
        }
        assert_eq!(ran.summary()["bytes"], offset, "{flag}");
        assert_eq!(ran.summary()["truncated"], false, "{flag}");
    }
}

#[test]
fn skipping_leaves_the_event_out_and_goes_on() {
    for (stream, flag, max, _) in &EDGES[..4] {
        let stream = format!("{stream}data: -\n\n");
        // The line of the last event must fit too.
        let ran = with(
            &stream,
            flag,
            max - 1,
            &["--overflow=skip", "--print=items"],
        );
        let word = flag.trim_start_matches("--max-");
        let (event, bytes) = match word {
            "type" => ("null", 3),
            _ => ("\"message\"", *max),
        };
        let max = max - 1;
        let skipped = format!(
            "{{\"skipped\":{{\"limit\":\"{word}\",\"max\":{max},\
             \"bytes\":{bytes},\"event\":{event}}}}}"
        );
        let lines: Vec<&str> = ran.stdout.lines().collect();
        let last = r#"{"event":"message","data":"-","id":""}"#;
        assert_eq!(
            (ran.exit, lines),
            (Exit::Clean, vec![skipped.as_str(), last]),
            "{flag}"
        );
        assert_eq!(ran.summary()["skipped"], 1);
        assert_eq!(ran.summary()["events"], 1);
    }
}

#[test]
fn totals_stop_in_either_mode() {
    for (stream, flag, max, _) in &EDGES[4..] {
        let ran = with(stream, flag, max - 1, &["--overflow=skip"]);
        assert_eq!(ran.exit, Exit::LimitExceeded, "{flag}");
        assert!(!ran.stderr.contains("--overflow"), "{}", ran.stderr);
    }
}

#[test]
fn the_events_before_a_stop_are_printed() {
    let ran = replay_at_every_size("data: a\n\ndata: long\n\ndata: b\n\n", &["--max-data", "3"]);
    assert_eq!(ran.exit, Exit::LimitExceeded);
    assert_eq!(
        ran.stdout,
        "{\"event\":\"message\",\"data\":\"a\",\"id\":\"\"}\n"
    );
}

/// A limit that is passed comes before the end that would be truncated too.
#[test]
fn the_first_cause_decides() {
    let ran = replay("data: long", &["--max-data", "3"]);
    assert_eq!(ran.exit, Exit::LimitExceeded);
    let ran = replay("data: long", &["--max-data", "3", "--overflow", "skip"]);
    assert_eq!(ran.exit, Exit::Truncated);
}

/// The defaults are those for memory that grows on demand: 16 MiB of data, 256
/// bytes of type, 1024 of id; lines and totals without limit.
#[test]
fn defaults() {
    let line = |field: &str, len: usize| format!("{field}: {}\ndata: x\n\n", "x".repeat(len));
    assert_eq!(replay(line("event", 256), &[]).exit, Exit::Clean);
    assert_eq!(replay(line("event", 257), &[]).exit, Exit::LimitExceeded);
    assert_eq!(replay(line("id", 1024), &[]).exit, Exit::Clean);
    assert_eq!(replay(line("id", 1025), &[]).exit, Exit::LimitExceeded);
    let data = |len: usize| format!("data: {}\n\n", "x".repeat(len));
    assert_eq!(replay(data(16 << 20), &[]).exit, Exit::Clean);
    assert_eq!(replay(data((16 << 20) + 1), &[]).exit, Exit::LimitExceeded);
    let comment = format!(":{}\ndata: x\n\n", "x".repeat(20 << 20));
    assert_eq!(replay(comment, &[]).exit, Exit::Clean);
}

#[test]
fn limits_of_nothing() {
    for flag in ["--max-line=0", "--max-total=0"] {
        assert_eq!(
            replay("data\n\n", &[flag]).exit,
            Exit::LimitExceeded,
            "{flag}"
        );
    }
    assert_eq!(
        replay("data\n\n", &["--max-events=0"]).exit,
        Exit::LimitExceeded
    );
    let zero = ["--max-data=0", "--max-type=0", "--max-id=0"];
    assert_eq!(replay("event\nid\ndata\n\n", &zero).exit, Exit::Clean);
    assert_eq!(replay("", &["--max-total=0"]).exit, Exit::Clean);
}

#[test]
fn a_last_event_id_obeys_its_limit() {
    let ran = replay("", &["--last-event-id", "abcd", "--max-id", "4"]);
    assert_eq!(ran.exit, Exit::Clean);
    let ran = replay("", &["--last-event-id", "abcd", "--max-id", "3"]);
    assert_eq!(ran.exit, Exit::Usage);
    assert!(ran.stderr.contains("raise --max-id"), "{}", ran.stderr);
    for id in ["a\nb", "a\rb", "a\0b"] {
        let ran = replay("", &["--last-event-id", id]);
        assert_eq!(ran.exit, Exit::Usage);
        assert!(ran.stderr.contains("--last-event-id"), "{}", ran.stderr);
    }
}

/// A chat answer that opens a call and gives its arguments in pieces; the call
/// has one byte of id and one of name.
fn call(piece: &str, count: usize) -> String {
    let delta = |call: Value| {
        let delta = json!({"tool_calls": [call]});
        let choice = json!({"index": 0, "delta": delta, "finish_reason": null});
        format!("data: {}\n\n", json!({"choices": [choice]}))
    };
    let function = json!({"name": "f", "arguments": ""});
    let opened = delta(json!({"index": 0, "id": "i", "type": "function", "function": function}));
    let piece = delta(json!({"index": 0, "function": {"arguments": piece}}));
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
    let end = format!("data: {end}\n\ndata: [DONE]\n\n");
    opened + &piece.repeat(count) + &end
}

/// What waits for the end of a call is bounded as the data of an event is, over
/// any number of events.
#[test]
fn tool_calls_are_gathered_up_to_the_limit() {
    let piece = "x".repeat(150);
    let stream = call(&piece, 9);
    let args = ["--dialect=openai-chat", "--tools", "--summary=none"];
    let with = |max: usize| {
        let max = format!("--max-data={max}");
        replay(&stream, &[&args[..], &[&max]].concat())
    };
    let ran = with(9 * 150 + 2);
    assert_eq!(ran.exit, Exit::Clean, "{}", ran.stderr);
    assert_eq!(ran.json_lines()[0]["arguments"], piece.repeat(9));
    assert_eq!(ran.json_lines()[0]["closed"], true);
    let ran = with(9 * 150 + 1);
    assert_eq!(ran.exit, Exit::LimitExceeded, "{}", ran.stderr);
    let message = "the open tool calls passed the limit of 1351 bytes; raise --max-data";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    // What there is of it is shown.
    assert_eq!(ran.json_lines()[0]["arguments"], piece.repeat(8));
    assert_eq!(ran.json_lines()[0]["closed"], false);
}

#[test]
fn a_tool_call_that_was_printed_counts_no_more() {
    let event = |data: Value| {
        format!(
            "event: {}\ndata: {data}\n\n",
            data["type"].as_str().unwrap()
        )
    };
    let call = |index: usize| {
        let block = json!({"type": "tool_use", "id": "i", "name": "f", "input": {}});
        let delta = json!({"type": "input_json_delta", "partial_json": "x".repeat(200)});
        event(json!({"type": "content_block_start", "index": index, "content_block": block}))
            + &event(json!({"type": "content_block_delta", "index": index, "delta": delta}))
            + &event(json!({"type": "content_block_stop", "index": index}))
    };
    let stream: String = (0..9).map(call).collect();
    let args = ["--dialect=anthropic", "--tools", "--max-data=400"];
    let ran = replay(stream, &args);
    assert_eq!(ran.json_lines().len(), 9);
    assert!(!ran.stderr.contains("limit"), "{}", ran.stderr);
}

/// Calls without any text are bounded by their number: an answer that opens more
/// at a time is never whole.
#[test]
fn open_tool_calls_are_counted() {
    let opened = |index: usize| {
        let function = json!({"index": index, "function": {"arguments": ""}});
        let choice = json!({"index": 0, "delta": {"tool_calls": [function]}});
        format!("data: {}\n\n", json!({"choices": [choice]}))
    };
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
    let end = format!("data: {end}\n\ndata: [DONE]\n\n");
    let args = ["--dialect=openai-chat", "--tools"];
    let message = "limit exceeded: open tool calls";
    for (count, exit) in [
        (32, Exit::Clean),
        (33, Exit::LimitExceeded),
        (1025, Exit::LimitExceeded),
    ] {
        let stream: String = (0..count).map(opened).collect();
        let ran = replay(stream.clone() + &end, &args);
        assert_eq!(ran.exit, exit, "{count}: {}", ran.stderr);
        assert_eq!(ran.stderr.contains(message), count > 32, "{}", ran.stderr);
        assert_eq!(ran.json_lines().len(), 32);
        let ran = replay(stream, &args);
        assert_eq!(ran.exit, Exit::Truncated, "{count}: {}", ran.stderr);
        let is_open = |line: &Value| line["closed"] == false;
        assert_eq!(ran.json_lines().len(), 32);
        assert!(ran.json_lines().iter().all(is_open), "{}", ran.stdout);
    }
}
