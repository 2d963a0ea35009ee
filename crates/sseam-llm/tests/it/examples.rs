//! The example streams, whole and cut, against `expected.json`.

use std::fs;

use serde::Deserialize;
use serde_json::Value;
use sseam_core::Limits;
use sseam_llm::{Cursor, Dialect, Markers, Mode, Turn};

use crate::run::{Report, examples, run, run_with};

#[derive(Deserialize)]
struct Call {
    id: String,
    name: String,
    arguments: String,
    closed: bool,
}

/// A row of `expected.json`.
#[derive(Deserialize)]
pub(crate) struct Example {
    pub(crate) file: String,
    dialect: String,
    args: Vec<String>,
    events: usize,
    text: Option<String>,
    reasoning: String,
    refusal: String,
    tool_calls: Vec<Call>,
    outcome: String,
    exit_code: u8,
}

/// All examples.
pub(crate) fn all() -> Vec<Example> {
    let json = fs::read(examples().join("expected.json")).expect("expected.json");
    serde_json::from_slice(&json).expect("rows")
}

impl Example {
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect.parse().expect("a dialect")
    }

    pub(crate) fn stream(&self) -> Vec<u8> {
        fs::read(examples().join(&self.file)).expect("the stream")
    }

    /// A turn as its arguments ask for it.
    pub(crate) fn turn(&self) -> Turn {
        let mut markers = Markers::NONE;
        for pair in self.args.chunks(2) {
            let [name, value] = pair else {
                panic!("an argument without a value")
            };
            markers = match name.as_str() {
                "--end-event" => markers.with_end_event(value),
                "--text-field" => markers.with_text_field(value),
                "--error-event" => markers.with_error_event(value),
                _ => panic!("unknown argument {name}"),
            }
            .expect("room for markers");
        }
        Turn::new(self.dialect()).with_markers(markers)
    }

    #[track_caller]
    pub(crate) fn check(&self, report: &Report) {
        let file = &self.file;
        assert_eq!(report.events, self.events, "{file}: events");
        assert_eq!(
            report.text,
            self.text.as_deref().unwrap_or_default(),
            "{file}: text"
        );
        assert_eq!(report.reasoning, self.reasoning, "{file}: reasoning");
        assert_eq!(report.refusal, self.refusal, "{file}: refusal");
        assert_eq!(
            report.outcome.name(),
            self.outcome,
            "{file}: {:?}",
            report.outcome
        );
        assert_eq!(report.outcome.exit_code(), self.exit_code, "{file}");
        assert_eq!(
            report.calls.len(),
            self.tool_calls.len(),
            "{file}: {:?}",
            report.calls
        );
        for (call, expected) in report.calls.iter().zip(&self.tool_calls) {
            assert_eq!(call.id, expected.id, "{file}");
            assert_eq!(call.name, expected.name, "{file}");
            assert_eq!(call.closed, expected.closed, "{file}");
            match report.turn.dialect() {
                Dialect::Gemini => assert_eq!(
                    call.arguments.parse::<Value>().expect("JSON"),
                    expected.arguments.parse::<Value>().expect("JSON"),
                    "{file}"
                ),
                _ => assert_eq!(call.arguments, expected.arguments, "{file}"),
            }
        }
    }
}

#[test]
fn examples_say_what_is_expected() {
    let all = all();
    assert!(all.len() >= 51);
    for example in &all {
        example.check(&run(example.turn(), &example.stream()));
    }
}

#[test]
fn examples_say_the_same_byte_by_byte() {
    let limits = Limits {
        data_len_max: 65536,
        ..Limits::DEFAULT
    };
    for example in all() {
        let stream = example.stream();
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        example.check(&run_with(limits, example.turn(), &bytes));
    }
}

#[test]
fn auto_recognises_every_api() {
    for example in all() {
        let dialect = example.dialect();
        // The README's stream is plain on purpose, and looks like another.
        if matches!(dialect, Dialect::Plain | Dialect::Custom) {
            continue;
        }
        let report = run(Turn::new(Dialect::Auto), &example.stream());
        example.check(&report);
        let found = report.turn.dialect();
        // A body, or `[DONE]` alone, could be anybody's.
        let is_body = example.file.ends_with(".json") || example.file.starts_with("llamacpp");
        assert_eq!(
            found,
            if is_body { Dialect::Auto } else { dialect },
            "{}",
            example.file
        );
    }
}

#[test]
fn auto_without_a_known_api_is_truncated_and_says_so() {
    for file in ["plain.sse", "custom.sse"] {
        let stream = fs::read(examples().join(file)).unwrap();
        let report = run(Turn::new(Dialect::Auto), &stream);
        assert_eq!(report.outcome.exit_code(), 20, "{file}");
        assert!(
            report.outcome.to_string().contains("name the dialect"),
            "{file}"
        );
    }
    let stream = fs::read(examples().join("demo.sse")).unwrap();
    let report = run(Turn::new(Dialect::Auto), &stream);
    assert_eq!(
        (report.text.as_str(), report.outcome.exit_code()),
        ("你好", 20)
    );
}

#[test]
fn notes_of_the_examples() {
    let of = |file: &str| {
        let all = all();
        let example = all.iter().find(|example| example.file == file).expect(file);
        run(example.turn(), &example.stream())
    };
    assert_eq!(
        of("openai-responses.sse").outcome.cursor,
        Cursor::Sequence(14)
    );
    assert!(!of("openai-responses.sse").outcome.seen.gap);
    assert_eq!(of("openai-responses-keepalive.sse").count("keep_alive"), 3);
    assert!(!of("openai-responses-keepalive.sse").outcome.seen.gap);
    let open = of("openai-responses-open-call.sse").outcome.seen;
    assert_eq!((open.open_calls, open.closed_calls), (0, 1));
    let azure = of("openai-responses-azure-error.sse");
    assert_eq!(azure.outcome.seen.code.as_str(), "rate_limit_exceeded");
    let usage = of("openai-chat-usage.sse").outcome.seen.usage;
    assert_eq!((usage.input, usage.output), (Some(12), Some(4)));
    assert_eq!(of("error-body.json").outcome.seen.code.as_str(), "503");
    assert_eq!(
        of("llamacpp-error-field.sse").outcome.seen.code.as_str(),
        "400"
    );
    let cursor = of("gemini-interactions.sse").outcome.cursor;
    assert_eq!(cursor.to_string(), "evt_T3Bn_12");
    assert_eq!(of("mcp-2025.sse").outcome.cursor.to_string(), "4f1c-4");
    assert_eq!(
        of("mcp-2025-reconnect.sse").outcome.cursor.to_string(),
        "9a2e-1"
    );
    let choice = fs::read(examples().join("openai-chat-choices.sse")).unwrap();
    let report = run(Turn::new(Dialect::OpenAiChat).with_choice(1), &choice);
    assert_eq!(
        (report.text.as_str(), report.outcome.exit_code()),
        ("Eins 一", 0)
    );
    let gateway = fs::read(examples().join("openai-chat-gateway.sse")).unwrap();
    for (mode, code) in [(Mode::Default, 0), (Mode::Lenient, 0), (Mode::Strict, 20)] {
        let turn = Turn::new(Dialect::OpenAiChat).with_mode(mode);
        assert_eq!(run(turn, &gateway).outcome.exit_code(), code, "{mode:?}");
    }
}
