//! The second opinion against the example streams, and against itself.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use sseam_testkit::field::{self, Mode, are_same_arguments};
use sseam_testkit::reader;

/// What `examples/streams/expected.json` says of one file.
#[derive(Deserialize)]
struct Example {
    file: String,
    dialect: String,
    text: Option<String>,
    reasoning: Option<String>,
    refusal: Option<String>,
    tool_calls: Vec<ExampleCall>,
    exit_code: u8,
}

#[derive(Deserialize)]
struct ExampleCall {
    name: String,
    arguments: String,
}

#[test]
fn reader_agrees_with_the_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/streams");
    let expected = fs::read(folder.join("expected.json")).expect("it is there");
    let examples: Vec<Example> = serde_json::from_slice(&expected).expect("it is as described");
    // An API of one's own is no API that the reader knows.
    for example in examples
        .iter()
        .filter(|example| example.dialect != "custom")
    {
        let stream = fs::read(folder.join(&example.file)).expect("it is there");
        let seen = reader::read(&example.dialect, Mode::Default, 0, false, &stream);
        let text = [&example.text, &example.refusal].map(|text| text.as_deref().unwrap_or(""));
        assert_eq!(seen.exit, example.exit_code, "{}", example.file);
        assert_eq!(seen.text, text.concat(), "{}", example.file);
        let reasoning = example.reasoning.as_deref().unwrap_or("");
        assert_eq!(seen.reasoning, reasoning, "{}", example.file);
        assert_eq!(
            seen.tools.len(),
            example.tool_calls.len(),
            "{}",
            example.file
        );
        for (tool, call) in seen.tools.iter().zip(&example.tool_calls) {
            assert_eq!(tool.name, call.name, "{}", example.file);
            assert!(
                are_same_arguments(&tool.arguments, &call.arguments),
                "{tool:?}"
            );
        }
    }
}

/// Completed is a promise: where an API has an end of its own, no answer that
/// was cut short of it is completed, nor one that has a call open.
#[test]
fn no_prefix_is_completed() {
    let mut prefixes = 0;
    for case in field::all() {
        let Some((_, ends)) = ENDS.iter().find(|end| end.0 == case.dialect) else {
            continue;
        };
        for (len, _) in case.stream.char_indices() {
            let prefix = &case.stream[..len];
            let seen = reader::read(&case.dialect, Mode::Strict, 0, false, prefix.as_bytes());
            let is_promised = ends.iter().any(|end| prefix.contains(end));
            assert!(seen.exit != 0 || is_promised, "{} at {len}", case.id);
            assert!(
                seen.exit != 0 || seen.open_calls == 0,
                "{} at {len}",
                case.id
            );
            prefixes += 1;
        }
    }
    assert!(prefixes > 100_000, "{prefixes}");
}

/// How the APIs that have an end of their own say that it came.
const ENDS: &[(&str, &[&str])] = &[
    ("openai-chat", &["[DONE]\n\n"]),
    (
        "openai-responses",
        &["\"response.completed\"", "\"response.done\""],
    ),
    ("anthropic", &["\"message_stop\""]),
    ("gemini-interactions", &["\"interaction.completed\""]),
    ("cohere", &["\"message-end\""]),
];
