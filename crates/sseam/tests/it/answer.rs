//! Readers of answers: the example streams, and sources that stay open or fail.

use std::fs;
use std::io::{self, Read};

use serde_json::Value;
use sseam::AnswerReader;
use sseam::llm::{Close, Dialect, Ending, Mode, TransportEnd, Turn};
use sseam::{Limits, Overflow};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/streams/");

/// Gives its parts one after the other, each as one read, and then fails the
/// test: a server that keeps the connection open would let it hang.
struct StaysOpen(Vec<&'static str>);

impl Read for StaysOpen {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        assert!(!self.0.is_empty(), "read after the answer was over");
        self.0.remove(0).as_bytes().read(buffer)
    }
}

fn text_of<R: Read>(reader: &mut AnswerReader<R>) -> String {
    let mut whole = String::new();
    while let Some(text) = reader.next_text().expect("a source that does not fail") {
        whole += text;
    }
    whole
}

#[test]
fn examples_are_read_as_expected() {
    let json = fs::read(format!("{EXAMPLES}expected.json")).expect("expected.json");
    let rows: Vec<Value> = serde_json::from_slice(&json).expect("rows");
    for row in &rows {
        let file = row["file"].as_str().expect("a name");
        let dialect: Dialect = row["dialect"]
            .as_str()
            .expect("a name")
            .parse()
            .expect("a dialect");
        if dialect == Dialect::Custom {
            continue;
        }
        let stream = fs::read(format!("{EXAMPLES}{file}")).expect("the stream");
        for size in [1, 16 * 1024] {
            let source = stream.as_slice();
            let mut reader = AnswerReader::new(source, Turn::new(dialect)).with_buffer_size(size);
            let text = text_of(&mut reader);
            let expected = row["text"].as_str().unwrap_or_default();
            let refusal = row["refusal"].as_str().unwrap_or_default();
            assert_eq!(text, [expected, refusal].concat(), "{file}");
            assert_eq!(reader.outcome().name(), row["outcome"], "{file}");
            assert_eq!(
                u64::from(reader.outcome().exit_code()),
                row["exit_code"],
                "{file}"
            );
        }
    }
}

#[test]
fn nobody_waits_for_a_server_that_keeps_the_connection_open() {
    let chat = [
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
        "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n",
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3}}\n\n",
        "data: [DONE]\n\n",
    ];
    let mut reader = AnswerReader::new(StaysOpen(chat.to_vec()), Turn::new(Dialect::OpenAiChat));
    assert_eq!(text_of(&mut reader), "a");
    let outcome = reader.outcome();
    assert!(outcome.is_completed());
    assert_eq!(outcome.seen.usage.input, Some(3));
}

#[test]
fn what_was_read_with_the_terminal_still_counts() {
    let stop = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    let error = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"x\"}}\n\ndata: c";
    let both: &'static str = [stop, error].concat().leak();
    let mut reader = AnswerReader::new(StaysOpen(vec![both]), Turn::new(Dialect::Anthropic));
    assert_eq!(text_of(&mut reader), "");
    assert_eq!(reader.outcome().ending, Ending::Failed);
}

#[test]
fn a_bare_error_has_no_line_end() {
    for body in [
        "{\"error\":{\"code\":7}}",
        "{\"error\":{\"code\":7}}\n",
        "\n{\n\"error\":\n{\"code\":7}}",
    ] {
        let mut reader = AnswerReader::new(body.as_bytes(), Turn::new(Dialect::Auto));
        assert_eq!(text_of(&mut reader), "");
        let outcome = reader.outcome();
        assert_eq!(
            (outcome.ending, outcome.seen.code.as_str()),
            (Ending::Failed, "7"),
            "{body}"
        );
    }
}

#[test]
fn ends_and_errors_are_outcomes() {
    let delta = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    let turn = Turn::new(Dialect::OpenAiChat);
    let mut reader = AnswerReader::new(delta.as_bytes(), turn);
    assert_eq!(text_of(&mut reader), "a");
    assert_eq!(reader.outcome().exit_code(), 20);
    // Who knows better says so, where the source does not.
    let mut reader = AnswerReader::new(delta.as_bytes(), turn);
    assert_eq!(reader.next_text().unwrap(), Some("a"));
    let close = Close::Transport(TransportEnd::Reset);
    assert!(reader.finish_with(close).to_string().contains("reset"));
    assert_eq!(reader.next_text().unwrap(), None);
    // Who stops on the way has cancelled.
    let mut reader = AnswerReader::new(delta.as_bytes(), turn);
    assert_eq!(reader.next_text().unwrap(), Some("a"));
    assert_eq!(reader.outcome().exit_code(), 130);
    let limits = Limits {
        data_len_max: 20,
        ..Limits::LARGE
    };
    let mut reader = AnswerReader::with_limits(delta.as_bytes(), turn, limits);
    assert_eq!(text_of(&mut reader), "");
    assert_eq!(reader.outcome().exit_code(), 22);
    let limits = Limits {
        overflow: Overflow::Skip,
        ..limits
    };
    let mut reader = AnswerReader::with_limits(delta.as_bytes(), turn, limits);
    assert_eq!(text_of(&mut reader), "");
    assert_eq!(reader.outcome().exit_code(), 22);
}

#[test]
fn a_lenient_reader_takes_the_unfinished_event() {
    let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}";
    for (mode, text, code) in [(Mode::Default, "", 20), (Mode::Lenient, "a", 0)] {
        let turn = Turn::new(Dialect::OpenAiChat).with_mode(mode);
        let mut reader = AnswerReader::new(stream.as_bytes(), turn);
        assert_eq!(text_of(&mut reader), text);
        assert_eq!(reader.outcome().exit_code(), code);
    }
}

#[test]
fn a_failing_source_may_be_asked_again() {
    struct Waits(Vec<io::Result<&'static [u8]>>);

    impl Read for Waits {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.is_empty() {
                true => Ok(0),
                false => self.0.remove(0)?.read(buffer),
            }
        }
    }

    let wait = || Err(io::Error::from(io::ErrorKind::WouldBlock));
    let parts: Vec<io::Result<&'static [u8]>> = vec![Ok(b"data: o"), wait(), Ok(b"ne\n\n"), wait()];
    let mut reader = AnswerReader::new(Waits(parts), Turn::new(Dialect::Plain));
    assert!(reader.next_text().is_err());
    assert_eq!(reader.next_text().unwrap(), Some("one\n"));
    assert!(reader.next_text().is_err());
    assert_eq!(reader.next_text().unwrap(), None);
    assert_eq!(reader.outcome().ending, Ending::Ended);
}
