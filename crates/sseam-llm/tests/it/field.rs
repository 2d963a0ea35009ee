//! Answers from the wild through `Answer`: whole, at every cut, byte by byte and by
//! threes, held against their right verdicts; and no prefix that is none completed.

use sseam_core::Limits;
use sseam_llm::{Answer, Close, Dialect, Ending, Heard, Mode, Outcome, Signal, TransportEnd, Turn};
use sseam_testkit::field::{self, Case, Seen, Tool, differences};

/// What one way of reading a stream gave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Read {
    pub(crate) seen: Seen,
    pub(crate) outcome: Outcome,
}

/// Puts together what a caller would show.
struct Listener {
    wants_reasoning: bool,
    seen: Seen,
    open: Vec<(u32, Tool)>,
}

impl Listener {
    fn hear(&mut self, heard: Heard<'_>) {
        for signal in heard.signals {
            self.take(signal);
        }
    }

    fn take(&mut self, signal: Signal<'_>) {
        match signal {
            Signal::Text(piece) | Signal::Refusal(piece) => self.seen.text += &piece.to_string(),
            Signal::Reasoning(piece) => {
                self.seen.reasoning += &piece.to_string();
                if self.wants_reasoning {
                    self.seen.text += &piece.to_string();
                }
            }
            Signal::ToolOpened { key, name, .. } => {
                let name = name.to_string();
                self.open.push((
                    key,
                    Tool {
                        name,
                        ..Tool::default()
                    },
                ));
            }
            Signal::ToolArguments { key, piece } => {
                let mut open = self.open.iter_mut();
                let (_, tool) = open.find(|(open, _)| *open == key).expect("an open call");
                tool.arguments += &piece.to_string();
            }
            Signal::ToolClosed { key } => {
                let mut open = self.open.iter();
                let at = open.position(|(open, _)| *open == key);
                let (_, tool) = self.open.remove(at.expect("an open call"));
                self.seen.tools.push(Tool {
                    closed: true,
                    ..tool
                });
            }
            _ => {}
        }
    }
}

/// Reads a stream in chunks to an end.
pub(crate) fn read(turn: Turn, wants_reasoning: bool, chunks: &[&[u8]], close: Close) -> Read {
    let limits = Limits {
        data_len_max: 65536,
        ..Limits::DEFAULT
    };
    let mut memory = vec![0; Answer::memory_len(&limits)];
    let mut answer = Answer::new(memory.as_mut_slice(), limits, turn).expect("memory");
    let mut listener = Listener {
        wants_reasoning,
        seen: Seen::default(),
        open: Vec::new(),
    };
    for chunk in chunks {
        let mut input = *chunk;
        while let Some(heard) = answer.next(&mut input) {
            listener.hear(heard);
        }
    }
    answer.end(close);
    while let Some(heard) = answer.next(&mut &b""[..]) {
        listener.hear(heard);
    }
    let outcome = answer.outcome();
    let Listener { mut seen, open, .. } = listener;
    seen.tools.extend(open.into_iter().map(|(_, tool)| tool));
    fill(&mut seen, &outcome);
    Read { seen, outcome }
}

fn fill(seen: &mut Seen, outcome: &Outcome) {
    let told = outcome.seen;
    seen.exit = outcome.exit_code();
    seen.reason = outcome.reason().map(|reason| reason.name().to_owned());
    (seen.open_calls, seen.closed_calls) = (told.open_calls.into(), told.closed_calls.into());
    (seen.input_tokens, seen.output_tokens) = (told.usage.input, told.usage.output);
    (seen.empty, seen.output) = (outcome.is_empty(), told.output);
    seen.message = told.message.to_string();
    seen.code = told.code.to_string();
    seen.dialect = told.dialect.name().to_owned();
}

pub(crate) const CLEAN: Close = Close::Transport(TransportEnd::Clean);

pub(crate) fn turn_of(case: &Case, dialect: Dialect) -> Turn {
    Turn::new(dialect).with_mode(match case.mode() {
        field::Mode::Default => Mode::Default,
        field::Mode::Strict => Mode::Strict,
        field::Mode::Lenient => Mode::Lenient,
    })
}

/// Every way of cutting a stream gives the same.
#[track_caller]
fn check(case: &Case, dialect: Dialect) -> Vec<String> {
    let stream = case.stream.as_bytes();
    let turn = turn_of(case, dialect);
    let wants = case.wants_reasoning();
    let whole = read(turn, wants, &[stream], CLEAN);
    for cut in 0..=stream.len() {
        let (head, tail) = stream.split_at(cut);
        let cut_read = read(turn, wants, &[head, tail], CLEAN);
        assert_eq!(whole, cut_read, "{} cut at {cut}", case.id);
    }
    for len in [1, 3] {
        let chunks: Vec<&[u8]> = stream.chunks(len).collect();
        let small = read(turn, wants, &chunks, CLEAN);
        assert_eq!(whole, small, "{} in chunks of {len}", case.id);
    }
    let mut found = differences(&case.expect, &whole.seen);
    for difference in &mut found {
        *difference = format!("{} {dialect}: {} | {difference}", case.id, case.what);
    }
    found
}

#[test]
fn the_field_is_judged_right() {
    let mut wrong = Vec::new();
    for case in field::all() {
        let dialect: Dialect = case.dialect.parse().expect("a dialect");
        wrong.extend(check(case, dialect));
        if case.auto {
            wrong.extend(check(case, Dialect::Auto));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// No prefix is complete before the answer's end, says a reader that shares nothing
/// with this crate.
#[test]
fn no_prefix_is_complete() {
    for case in field::all() {
        let dialect: Dialect = case.dialect.parse().expect("a dialect");
        let stream = case.stream.as_bytes();
        let turn = turn_of(case, dialect);
        for len in 0..stream.len() {
            let prefix = stream.get(..len).unwrap_or_default();
            let own = read(turn, false, &[prefix], CLEAN);
            if !matches!(own.outcome.ending, Ending::Completed(_)) {
                continue;
            }
            let other = sseam_testkit::reader::read(&case.dialect, case.mode(), 0, false, prefix);
            assert_eq!(other.exit, 0, "{} at {len}", case.id);
        }
    }
}

/// Real streams made worse at random: none is taken for complete, or its text is
/// what the other reader finds in the same bytes.
#[test]
fn mangled_streams_are_not_complete_or_say_the_same() {
    let mut wrong = Vec::new();
    let rounds: u64 = match std::env::var("SSEAM_ROUNDS") {
        Ok(rounds) => rounds.parse().expect("a number"),
        Err(_) => 1500,
    };
    for name in [
        "openai-chat",
        "openai-responses",
        "anthropic",
        "gemini",
        "gemini-interactions",
        "cohere",
        "auto",
    ] {
        let dialect: Dialect = name.parse().expect("a dialect");
        let sources = sseam_testkit::mangle::sources(name);
        let sources: Vec<&[u8]> = sources.iter().map(Vec::as_slice).collect();
        for seed in 0..rounds {
            let mut rng = sseam_testkit::generate::Rng::new(seed);
            let mangled = sseam_testkit::mangle::mangle(&mut rng, &sources);
            let own = read(Turn::new(dialect), false, &[&mangled.stream], CLEAN);
            if !matches!(own.outcome.ending, Ending::Completed(_)) {
                continue;
            }
            let mode = field::Mode::Default;
            let other = sseam_testkit::reader::read(name, mode, 0, false, &mangled.stream);
            // Of calls that come in no order at all one may think this or that.
            let is_about_calls = matches!(other.reason.as_deref(), Some("lost" | "open_call"));
            if other.exit != 0 && !is_about_calls || other.text != own.seen.text {
                wrong.push(format!(
                    "{name} seed {seed} {:?}: own {:?}, other exit {} {:?} {:?}",
                    mangled.steps, own.seen.text, other.exit, other.reason, other.text
                ));
            }
        }
    }
    let shown = wrong
        .iter()
        .take(60)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(wrong.is_empty(), "{} wrong:\n{shown}", wrong.len());
}
