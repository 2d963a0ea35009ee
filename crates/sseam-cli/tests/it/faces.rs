//! The same streams through every face that is written in Rust: the answer itself a
//! byte at a time, a reader, the command on a file in three sizes of chunk, and the
//! client over HTTP. What each of them says, field by field, must be the same. (C and
//! C++ are held against the answer in their own tests, over the same streams.)

use std::fs;

use serde_json::Value;
use sseam::llm::{Answer as Told, Close, Dialect, Mode, Outcome, Signal, TransportEnd, Turn};
use sseam::{AnswerReader, Call, Calls, GrowingMemory, Limits};
use sseam_testkit::field::{self, Seen, Tool, differences};
use sseam_testkit::server::{Answer, Server};
use sseam_testkit::{cases, field::Case};

use crate::command::{Ran, replay};
use crate::get::get;

/// What somebody saw, and the numbers of the API.
#[derive(Debug, Default, PartialEq, Eq)]
struct Face {
    seen: Seen,
    usage: [Option<u64>; 6],
    may_run_calls: bool,
}

/// A stream, and what it is to be read as.
struct Asked<'s> {
    name: String,
    dialect: Dialect,
    mode: Mode,
    stream: &'s [u8],
}

impl Asked<'_> {
    fn turn(&self) -> Turn {
        Turn::new(self.dialect).with_mode(self.mode)
    }

    fn args(&self) -> [&str; 4] {
        let mode = match self.mode {
            Mode::Strict => "strict",
            Mode::Lenient => "lenient",
            _ => "default",
        };
        ["--dialect", self.dialect.name(), "--mode", mode]
    }
}

/// Gathers what signals say.
#[derive(Default)]
struct Gathered {
    seen: Seen,
    open: Calls,
    /// In the order in which they opened, those of the server too.
    tools: Vec<(u32, Tool)>,
}

impl Gathered {
    fn take(&mut self, signal: &Signal<'_>) {
        match signal {
            Signal::Text(piece) | Signal::Refusal(piece) => self.seen.text += &piece.to_string(),
            Signal::Reasoning(piece) => self.seen.reasoning += &piece.to_string(),
            Signal::ToolOpened { key, name, .. } => self.opened(*key, name.to_string()),
            Signal::ToolArguments { key, piece } => self.said(*key, &piece.to_string()),
            Signal::ToolClosed { key } => self.closed(*key),
            _ => {}
        }
        let call = self.open.take(signal);
        if let Some(Call {
            name, arguments, ..
        }) = call
        {
            let last = self.seen.tools.last().expect("it was closed");
            assert_eq!((&name, &arguments), (&last.name, &last.arguments));
        }
    }

    fn opened(&mut self, key: u32, name: String) {
        let tool = Tool {
            name,
            ..Tool::default()
        };
        self.tools.push((key, tool));
    }

    fn said(&mut self, key: u32, piece: &str) {
        let mut tools = self.tools.iter_mut();
        let (_, tool) = tools.find(|(it, _)| *it == key).expect("an open call");
        tool.arguments += piece;
    }

    fn closed(&mut self, key: u32) {
        let at = self.tools.iter().position(|(it, _)| *it == key);
        let (_, mut tool) = self.tools.remove(at.expect("an open call"));
        tool.closed = true;
        self.seen.tools.push(tool);
    }

    fn seen(mut self) -> Seen {
        let open = self.tools.into_iter().map(|(_, tool)| tool);
        self.seen.tools.extend(open);
        self.seen
    }
}

fn face_of(gathered: Gathered, outcome: &Outcome) -> Face {
    let told = outcome.seen;
    let usage = told.usage;
    Face {
        seen: Seen {
            exit: outcome.exit_code(),
            reason: outcome.reason().map(|reason| reason.name().to_owned()),
            open_calls: told.open_calls.into(),
            closed_calls: told.closed_calls.into(),
            input_tokens: usage.input,
            output_tokens: usage.output,
            empty: outcome.is_empty(),
            output: told.output,
            message: told.message.to_string(),
            code: told.code.to_string(),
            dialect: told.dialect.name().to_owned(),
            ..gathered.seen()
        },
        usage: [
            usage.input,
            usage.input_cached,
            usage.input_cache_written,
            usage.output,
            usage.output_reasoning,
            usage.total,
        ],
        may_run_calls: outcome.may_run_calls(),
    }
}

fn by_answer(asked: &Asked<'_>) -> Face {
    let mut answer = Told::growing(GrowingMemory::new(), Limits::LARGE, asked.turn());
    let mut gathered = Gathered::default();
    for byte in asked.stream.chunks(1) {
        let mut input = byte;
        while let Some(heard) = answer.next(&mut input) {
            heard.signals.for_each(|signal| gathered.take(&signal));
        }
    }
    answer.end(Close::Transport(TransportEnd::Clean));
    while let Some(heard) = answer.next(&mut &b""[..]) {
        heard.signals.for_each(|signal| gathered.take(&signal));
    }
    face_of(gathered, &answer.outcome())
}

fn by_reader(asked: &Asked<'_>) -> Face {
    let reader = AnswerReader::new(asked.stream, asked.turn());
    let mut reader = reader.with_reading_to_end();
    let mut gathered = Gathered::default();
    while let Some(heard) = reader.next_heard().expect("a source that does not fail") {
        heard.signals.for_each(|signal| gathered.take(&signal));
    }
    face_of(gathered, &reader.outcome())
}

/// What the command printed: a line for each signal, and one for the outcome.
fn of_command(ran: &Ran) -> Face {
    let mut gathered = Gathered::default();
    for line in ran.json_lines() {
        let key = || u32::try_from(line["key"].as_u64().expect("a key")).expect("32 bits");
        let word = |name: &str| line[name].as_str().expect("a string").to_owned();
        match line["signal"].as_str().expect("a name") {
            "text" | "refusal" => gathered.seen.text += &word("text"),
            "reasoning" => gathered.seen.reasoning += &word("text"),
            "tool_opened" => gathered.opened(key(), word("name")),
            "tool_arguments" => gathered.said(key(), &word("text")),
            "tool_closed" => gathered.closed(key()),
            _ => {}
        }
    }
    let outcome = outcome_line(&ran.stderr);
    assert_eq!(outcome["exit_code"], ran.exit.code(), "{outcome}");
    let number = |name: &str| outcome[name].as_u64();
    let word = |name: &str| outcome[name].as_str().unwrap_or_default().to_owned();
    let names = [
        "input",
        "input_cached",
        "input_cache_written",
        "output",
        "output_reasoning",
        "total",
    ];
    Face {
        seen: Seen {
            exit: ran.exit.code(),
            reason: outcome["reason"].as_str().map(str::to_owned),
            open_calls: number("open_calls").expect("a number"),
            closed_calls: number("closed_calls").expect("a number"),
            input_tokens: number("input_tokens"),
            output_tokens: number("output_tokens"),
            empty: outcome["empty"] == true,
            output: outcome["output"] == true,
            message: word("message"),
            code: word("code"),
            dialect: word("dialect"),
            ..gathered.seen()
        },
        usage: names.map(|name| outcome["usage"][name].as_u64()),
        may_run_calls: outcome["may_run_calls"] == true,
    }
}

fn outcome_line(stderr: &str) -> Value {
    let mut lines = stderr.lines().rev();
    let line = lines.find(|line| line.starts_with('{') && line.contains("\"outcome\""));
    serde_json::from_str(line.expect("an outcome")).expect("JSON")
}

/// Text that is no UTF-8 stops the command alone, unless it is told otherwise.
const PRINTED: [&str; 7] = [
    "--lossy",
    "--print",
    "signals",
    "--outcome",
    "json",
    "--summary",
    "none",
];

fn by_command(asked: &Asked<'_>, chunk_len: usize) -> Face {
    let chunk_len = chunk_len.max(1).to_string();
    let size = ["--chunk-size", &chunk_len];
    let args = [&asked.args()[..], &PRINTED, &size].concat();
    of_command(&replay(asked.stream, &args))
}

fn by_client(asked: &Asked<'_>) -> Face {
    let server = Server::start(vec![Answer::stream().send(asked.stream)]);
    let ran = get(&server, &[&asked.args()[..], &PRINTED].concat());
    of_command(&ran)
}

/// What all faces say.
#[track_caller]
fn check(asked: &Asked<'_>) -> Face {
    let face = by_answer(asked);
    let name = format!("{} as {}", asked.name, asked.dialect);
    assert_eq!(by_reader(asked), face, "{name}, by the reader");
    for len in [1, 3, asked.stream.len()] {
        let found = by_command(asked, len);
        assert_eq!(found, face, "{name}, by the command in chunks of {len}");
    }
    assert_eq!(by_client(asked), face, "{name}, by the client");
    face
}

fn asked_of(case: &Case) -> Asked<'_> {
    Asked {
        name: case.id.clone(),
        dialect: case.dialect.parse().expect("a dialect"),
        mode: match case.mode() {
            field::Mode::Default => Mode::Default,
            field::Mode::Strict => Mode::Strict,
            field::Mode::Lenient => Mode::Lenient,
        },
        stream: case.stream.as_bytes(),
    }
}

#[test]
fn faces_agree_on_the_field_and_are_right() {
    let mut wrong = Vec::new();
    for case in field::all() {
        let own = asked_of(case);
        let auto = case.auto.then(|| Asked {
            dialect: Dialect::Auto,
            ..asked_of(case)
        });
        for asked in [Some(own), auto].into_iter().flatten() {
            let mut face = check(&asked);
            if case.wants_reasoning() {
                // The case's text has it within, in the order of the stream.
                face.seen.text = case.expect.text.clone().unwrap_or_default();
            }
            let found = differences(&case.expect, &face.seen);
            wrong.extend(found.iter().map(|it| format!("{}: {it}", case.id)));
        }
    }
    assert!(field::all().len() >= 211);
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn faces_agree_on_the_examples() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/streams");
    let mut count = 0;
    for file in fs::read_dir(folder).expect("the examples").flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".sse") && name != "error-body.json" {
            continue;
        }
        let stream = fs::read(file.path()).expect("a stream");
        for (dialect, mode) in [
            (Dialect::Auto, Mode::Default),
            (Dialect::OpenAiChat, Mode::Lenient),
        ] {
            check(&Asked {
                name: name.clone(),
                dialect,
                mode,
                stream: &stream,
            });
        }
        count += 1;
    }
    assert!(count >= 51, "{count}");
}

#[test]
fn faces_agree_on_other_peoples_faults() {
    let mut count = 0;
    for case in cases::all() {
        for stream in case.streams() {
            check(&Asked {
                name: case.id.clone(),
                dialect: Dialect::Auto,
                mode: Mode::Default,
                stream: &stream,
            });
            count += 1;
        }
    }
    assert!(count >= 60, "{count}");
}
