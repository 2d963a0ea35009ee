//! What a terminal is not given.

use sseam_cli::Exit;

use crate::command::{Ran, Terminals, run_from};

const CONTROLS: &str =
    "\u{1B}[31m\u{7}\u{7F}\u{9B}\u{85}\t\u{61C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}";
const ESCAPED: &str =
    r"\u001b[31m\u0007\u007f\u009b\u0085\u0009\u061c\u200e\u200f\u202a\u202e\u2066\u2069";

fn on_terminal(args: &[&str], stream: &str) -> Ran {
    let terminals = Terminals {
        stdout: true,
        stderr: true,
    };
    run_from(args, &mut stream.as_bytes(), terminals)
}

/// Whatever comes out, no terminal acts on it.
#[track_caller]
fn check_harmless(text: &str) {
    let is_harmless = |it: char| {
        it == '\n'
            || !(it.is_control()
                || CONTROLS.contains(it) && it != '[' && !it.is_ascii_alphanumeric())
    };
    assert!(text.chars().all(is_harmless), "{text:?}");
}

#[test]
fn json_lines() {
    let stream = format!(
        ":{CONTROLS}\nx{CONTROLS}\nevent: {CONTROLS}\nid: {CONTROLS}\ndata: 你{CONTROLS}好\n\n"
    );
    let ran = on_terminal(&["replay", "-", "--print", "items"], &stream);
    assert_eq!(ran.exit, Exit::Clean);
    check_harmless(&ran.stdout);
    check_harmless(&ran.stderr);
    // It is still JSON, and it still says the same.
    let lines = ran.json_lines();
    assert_eq!(lines[0]["comment"], CONTROLS);
    assert_eq!(lines[1]["ignored"], format!("x{CONTROLS}"));
    assert_eq!(lines[2]["event"], CONTROLS);
    assert_eq!(lines[2]["data"], format!("你{CONTROLS}好"));
    assert_eq!(lines[2]["id"], CONTROLS);
    assert!(ran.stdout.contains("你") && ran.stdout.contains("好"));
}

#[test]
fn data_keeps_its_line_feeds() {
    let stream = format!("data: a{CONTROLS}\ndata: 好\n\n");
    let ran = on_terminal(&["replay", "-", "--print", "data"], &stream);
    assert_eq!(ran.stdout, format!("a{ESCAPED}\n好\n"));
}

#[test]
fn summaries() {
    let stream = format!("id: {CONTROLS}\ndata: x\n\n");
    for form in ["text", "json"] {
        let ran = on_terminal(&["replay", "-", "--summary", form], &stream);
        check_harmless(&ran.stderr);
        assert!(ran.stderr.contains("\\u202e"), "{}", ran.stderr);
    }
    let ran = on_terminal(&["replay", "-", "--summary", "json"], &stream);
    assert_eq!(ran.summary()["last_event_id"], CONTROLS);
}

#[test]
fn names_and_arguments_in_messages() {
    let name = format!("no\n{CONTROLS}such");
    for args in [
        &["replay", &name][..],
        &["replay", "-", "--print", &name],
        &["replay", "-", "--max-data", &name],
        &["man", &name],
        &[&name],
    ] {
        let ran = on_terminal(args, "");
        assert_eq!(ran.exit, Exit::Usage, "{args:?}");
        check_harmless(&ran.stderr);
        assert!(ran.stderr.contains("\\u202e"), "{}", ran.stderr);
    }
    // A name with a line feed cannot fake a second message.
    let ran = on_terminal(&["replay", &name], "");
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}
