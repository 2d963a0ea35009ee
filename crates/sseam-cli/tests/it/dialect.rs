//! Answers of AI APIs: what `--dialect` and its flags print, and what they come
//! to.

use std::fs;

use serde_json::Value;
use sseam_cli::Exit;

use crate::command::{Terminals, replay, replay_at_every_size, run, run_from};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/streams/");

/// A row of `expected.json`, and a run over its stream.
fn examples() -> Vec<Value> {
    let json = fs::read(format!("{EXAMPLES}expected.json")).expect("expected.json");
    serde_json::from_slice(&json).expect("rows")
}

fn text_of(row: &Value, keys: &[&str]) -> String {
    keys.iter()
        .map(|key| row[key].as_str().unwrap_or_default())
        .collect()
}

/// Runs `sseam replay FILE ARGS` over an example.
fn replay_example(row: &Value, args: &[&str]) -> crate::command::Ran {
    let path = format!("{EXAMPLES}{}", row["file"].as_str().expect("a name"));
    run(&[&["replay", &path], args].concat(), b"")
}

#[test]
fn examples_print_their_text_and_end_as_expected() {
    for row in examples() {
        let dialect = row["dialect"].as_str().expect("a name");
        let own = row["args"].as_array().expect("arguments");
        let own: Vec<&str> = own.iter().filter_map(Value::as_str).collect();
        let named = [
            &["--dialect", dialect, "--text", "--chunk-size", "1"],
            own.as_slice(),
        ];
        let auto = ["--dialect", "auto", "--text", "--chunk-size", "1"];
        let is_known = !matches!(dialect, "plain" | "custom");
        let runs = [Some(named.concat()), is_known.then(|| auto.to_vec())];
        for args in runs.into_iter().flatten() {
            let ran = replay_example(&row, &args);
            assert_eq!(ran.stdout, text_of(&row, &["text", "refusal"]), "{args:?}");
            assert_eq!(
                u64::from(ran.exit.code()),
                row["exit_code"],
                "{args:?} {}",
                ran.stderr
            );
        }
    }
}

#[test]
fn reasoning_and_tools_are_printed_when_asked_for() {
    for row in examples() {
        let dialect = row["dialect"].as_str().expect("a name");
        if dialect == "custom" {
            continue;
        }
        let reasoning = replay_example(&row, &["--dialect", dialect, "--reasoning"]);
        assert_eq!(reasoning.stdout, text_of(&row, &["reasoning"]), "{row}");
        let tools = replay_example(&row, &["--dialect", dialect, "--tools"]).json_lines();
        let expected = row["tool_calls"].as_array().expect("calls");
        assert_eq!(tools.len(), expected.len(), "{row}");
        for (tool, expected) in tools.iter().zip(expected) {
            assert_eq!(tool["tool"], expected["name"]);
            assert_eq!(
                (&tool["id"], &tool["closed"]),
                (&expected["id"], &expected["closed"])
            );
        }
    }
}

#[test]
fn text_and_calls_stand_on_their_own_lines() {
    let stream = fs::read(format!("{EXAMPLES}anthropic-tools.sse")).expect("the stream");
    let ran = replay_at_every_size(&stream[..700], &["--dialect", "anthropic", "--text"]);
    assert_eq!(ran.exit, Exit::Truncated);
    let ran = replay(&stream, &["--dialect", "anthropic", "--text", "--tools"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, "我来查一下。"));
    assert!(lines[1].starts_with("{\"tool\":\"get_weather\",\"id\":\"toolu_01A\",\"arguments\":"));
}

#[test]
fn print_text_is_text_and_plain_is_the_default() {
    let stream = "data: a\n\nevent: x\ndata: b\ndata: c\n\n";
    for args in [
        &["--text"][..],
        &["--print", "text"],
        &["--text", "--dialect", "plain"],
    ] {
        let ran = replay_at_every_size(stream, args);
        assert_eq!((ran.stdout.as_str(), ran.exit), ("a\nb\nc\n", Exit::Clean));
    }
    assert_eq!(replay("data: a", &["--text"]).exit, Exit::Truncated);
    let ran = replay(
        "data: a\ndata: \u{4e09}".as_bytes().split_last().unwrap().1,
        &["--text", "--deliver-unfinished"],
    );
    assert_eq!((ran.stdout.as_str(), ran.exit), ("a\n\n", Exit::Truncated));
}

#[test]
fn with_a_dialect_events_are_printed_and_the_outcome_decides() {
    let delta = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    let ran = replay(delta, &["--dialect", "openai-chat"]);
    assert_eq!((ran.json_lines().len(), ran.exit), (1, Exit::Truncated));
    assert!(
        ran.stderr
            .contains("openai-chat: truncated: the stream ended before")
    );
    assert_eq!(replay(delta, &[]).exit, Exit::Clean);
    let ran = replay(
        delta,
        &[
            "--dialect",
            "openai-chat",
            "--outcome",
            "json",
            "--summary",
            "none",
        ],
    );
    let outcome = ran.summary();
    assert_eq!(outcome["outcome"], "Truncated");
    assert_eq!(
        (&outcome["exit_code"], &outcome["terminal"]),
        (&20.into(), &false.into())
    );
    assert_eq!(
        (&outcome["output"], &outcome["resubscribe"]),
        (&true.into(), &"impossible".into())
    );
}

#[test]
fn modes_choices_and_requests() {
    let finish = "data: {\"choices\":[{\"index\":0,\"finish_reason\":\"stop\"}]}\n\n";
    for (args, exit) in [
        (&["--mode", "default"][..], Exit::Clean),
        (&["--mode", "strict"], Exit::Truncated),
        (&["--mode", "lenient"], Exit::Clean),
        (&["--choices", "2"], Exit::Truncated),
        (&["--choice", "1"], Exit::Truncated),
    ] {
        let args = [&["--dialect", "openai-chat"], args].concat();
        assert_eq!(replay_at_every_size(finish, &args).exit, exit, "{args:?}");
    }
    let unfinished =
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}";
    let ran = replay(
        unfinished,
        &["--dialect", "openai-chat", "--text", "--mode", "lenient"],
    );
    assert_eq!((ran.stdout.as_str(), ran.exit), ("a", Exit::Clean));
    let response = "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n";
    for (id, exit) in [
        ("7", Exit::Clean),
        ("8", Exit::Truncated),
        ("x", Exit::Truncated),
    ] {
        let ran = replay(response, &["--dialect", "mcp-2026", "--request-id", id]);
        assert_eq!(ran.exit, exit);
    }
}

#[test]
fn markers_imply_a_custom_api() {
    let stream = "data: {\"t\":\"a\"}\n\ndata: {\"t\":\"b\",\"end\":true}\n\n";
    let ran = replay_at_every_size(
        stream,
        &["--text-field", "t", "--end-field", "end=true", "--text"],
    );
    assert_eq!((ran.stdout.as_str(), ran.exit), ("ab", Exit::Clean));
    assert_eq!(
        replay(stream, &["--end-data", "[END]"]).exit,
        Exit::Truncated
    );
    let ran = replay("event: oops\ndata: why\n\n", &["--error-event", "oops"]);
    assert_eq!(ran.exit, Exit::Failed);
    assert!(
        ran.stderr
            .contains("custom: failed, as the server reports: why")
    );
}

#[test]
fn wrong_flags_are_usage_errors() {
    for args in [
        &["--dialect", "openai"][..],
        &["--mode", "loose"],
        &["--end-field", "done"],
        &["--dialect", "gemini", "--end-data", "x"],
        &["--text", "--print", "events"],
        &["--field", "a", "--text"],
        &["--end-data", &"x".repeat(300)],
    ] {
        let ran = replay("data: a\n\n", args);
        assert_eq!(
            (ran.exit, ran.stdout.as_str()),
            (Exit::Usage, ""),
            "{args:?}"
        );
    }
    assert!(
        replay("", &["--dialect", "openai"])
            .stderr
            .contains("openai-chat")
    );
}

#[test]
fn one_field_of_each_event() {
    let stream =
        "data: {\"a\":{\"b\":\"x\\ny\"}}\n\ndata: text\n\ndata: {\"a\":{\"b\":[1, 2]}}\n\n";
    let ran = replay_at_every_size(stream, &["--field", "a.b"]);
    assert_eq!(
        (ran.stdout.as_str(), ran.exit),
        ("x\ny\n[1, 2]\n", Exit::Clean)
    );
    assert_eq!(replay(stream, &["--field", "a.b.1"]).stdout, "2\n");
}

#[test]
fn other_ends_with_a_dialect() {
    let args = ["--dialect", "openai-responses", "--text"];
    let delta = |text: &str| {
        format!("data: {{\"type\":\"response.output_text.delta\",\"delta\":\"{text}\"}}\n\n")
    };
    let end = "data: {\"type\":\"response.completed\"}\n\n";
    let over = replay(
        delta("aaaaaaaaaa"),
        &[&args[..], &["--max-data", "20"]].concat(),
    );
    assert_eq!((over.exit, over.stdout.as_str()), (Exit::LimitExceeded, ""));
    let invalid = [
        delta("a\u{1}b").replace('\u{1}', "\\n").as_bytes(),
        b"data: \"\xFF\"\n\n",
    ]
    .concat();
    assert_eq!(replay(&invalid, &args).exit, Exit::InvalidText);
    assert_eq!(
        replay(&invalid, &[&args[..], &["--lossy"]].concat()).exit,
        Exit::Truncated
    );
    let html = replay("<!doctype html><p>no</p>\n", &args);
    assert_eq!(html.exit, Exit::NotEventStream);
    let error = replay("{\"error\":{\"message\":\"no \\u001b[31m\"}}", &args);
    assert_eq!(error.exit, Exit::Failed);
    assert!(error.stderr.contains("no \\u001b[31m"), "{}", error.stderr);
    let fine = replay(delta("a") + end + "data: cut", &args);
    assert_eq!((fine.exit, fine.stdout.as_str()), (Exit::Clean, "a"));
}

#[test]
fn a_terminal_is_given_no_control_characters() {
    let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"a\\u001b[31mb\\nc\"}}]}\n\n";
    let args = ["replay", "-", "--dialect", "openai-chat", "--text"];
    let terminals = Terminals {
        stdout: true,
        stderr: false,
    };
    let ran = run_from(&args, &mut stream.as_bytes(), terminals);
    assert!(
        !ran.stdout.contains('\u{1b}') && ran.stdout.contains("[31mb\nc"),
        "{}",
        ran.stdout
    );
    assert_eq!(replay(stream, &args[2..]).stdout, "a\u{1b}[31mb\nc");
}
