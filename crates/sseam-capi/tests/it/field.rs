//! Answers from the wild through the C functions: whole, byte by byte and by threes,
//! held against their right verdicts, and against what Rust says.

use sseam_capi::*;
use sseam_llm::{Dialect, Mode};
use sseam_testkit::field::{self, Case, Seen, Tool, differences};

use crate::calls::Collector;
use crate::drive::{Ask, Handle, capi, field as text_field, rust, str_of, text_of};

/// Puts together what a C program would show.
struct Listener {
    wants_reasoning: bool,
    seen: Seen,
    open: Vec<(u32, bool, Tool)>,
    /// The calls that the caller is to run, as the library puts them together.
    collector: Collector,
    collected: Vec<Tool>,
    own: Vec<Tool>,
}

impl Listener {
    fn hear(&mut self, signals: &mut [AnswerSignal]) {
        for signal in signals {
            if let Some(call) = self.collector.observe(signal) {
                self.collected.push(Tool {
                    name: call.name,
                    arguments: call.arguments,
                    closed: true,
                });
            }
            self.take(signal);
        }
    }

    fn take(&mut self, signal: &mut AnswerSignal) {
        let text = text_of(&mut signal.text);
        match signal.kind {
            SSEAM_SIGNAL_TEXT | SSEAM_SIGNAL_REFUSAL => self.seen.text += &text,
            SSEAM_SIGNAL_REASONING => {
                self.seen.reasoning += &text;
                if self.wants_reasoning {
                    self.seen.text += &text;
                }
            }
            SSEAM_SIGNAL_TOOL_OPENED => {
                let tool = Tool {
                    name: text,
                    ..Tool::default()
                };
                let is_own = signal.flags & SSEAM_SIGNAL_IS_CLIENT != 0;
                self.open.push((signal.key, is_own, tool));
            }
            SSEAM_SIGNAL_TOOL_ARGUMENTS => {
                let mut open = self.open.iter_mut();
                let (.., tool) = open.find(|it| it.0 == signal.key).expect("an open call");
                tool.arguments += &text;
            }
            SSEAM_SIGNAL_TOOL_CLOSED => {
                let mut open = self.open.iter();
                let at = open
                    .position(|it| it.0 == signal.key)
                    .expect("an open call");
                let (_, is_own, mut tool) = self.open.remove(at);
                tool.closed = true;
                if is_own {
                    self.own.push(tool.clone());
                }
                self.seen.tools.push(tool);
            }
            _ => {}
        }
    }
}

/// Reads a stream in chunks to a clean end.
fn read(ask: &Ask, wants_reasoning: bool, chunks: &[&[u8]]) -> Seen {
    let mut listener = Listener {
        wants_reasoning,
        seen: Seen::default(),
        open: Vec::new(),
        collector: Collector::new(),
        collected: Vec::new(),
        own: Vec::new(),
    };
    let handle = Handle::new(ask);
    for chunk in chunks {
        // A chunk of its own, so that a view that outlived it would be seen.
        let chunk = chunk.to_vec();
        handle.feed(&chunk, &mut |_, signals| listener.hear(signals));
    }
    let outcome = handle.finish(&mut |_, signals| listener.hear(signals));
    let Listener { mut seen, open, .. } = listener;
    assert_eq!(listener.collected, listener.own);
    assert_eq!(listener.own.len() as u32, outcome.closed_calls);
    seen.tools.extend(open.into_iter().map(|(.., tool)| tool));
    fill(&mut seen, &outcome);
    seen
}

fn fill(seen: &mut Seen, outcome: &AnswerOutcome) {
    seen.exit = outcome.exit_code as u8;
    if outcome.reason != SSEAM_REASON_NONE {
        seen.reason = Some(str_of(sseam_reason_name(outcome.reason)));
    }
    (seen.open_calls, seen.closed_calls) = (outcome.open_calls.into(), outcome.closed_calls.into());
    let usage = outcome.usage;
    let told = |bit, number| (usage.has & bit != 0).then_some(number);
    seen.input_tokens = told(SSEAM_USAGE_HAS_INPUT, usage.input);
    seen.output_tokens = told(SSEAM_USAGE_HAS_OUTPUT, usage.output);
    seen.empty = outcome.flags & SSEAM_OUTCOME_IS_EMPTY != 0;
    seen.output = outcome.flags & SSEAM_OUTCOME_HAS_OUTPUT != 0;
    seen.message = text_field(&outcome.message, outcome.message_len);
    seen.code = text_field(&outcome.code, outcome.code_len);
    seen.dialect = str_of(sseam_dialect_name(outcome.dialect));
}

fn check(case: &Case, dialect: Dialect) -> Vec<String> {
    let mode = match case.mode() {
        field::Mode::Default => Mode::Default,
        field::Mode::Strict => Mode::Strict,
        field::Mode::Lenient => Mode::Lenient,
    };
    let (ask, stream) = (Ask::of(dialect, mode), case.stream.as_bytes());
    let whole = read(&ask, case.wants_reasoning(), &[stream]);
    for len in [stream.len().max(1), 1, 3] {
        let chunks: Vec<&[u8]> = stream.chunks(len).collect();
        let cut = read(&ask, case.wants_reasoning(), &chunks);
        assert_eq!(whole, cut, "{} in chunks of {len}", case.id);
        let (expected, found) = (rust(&ask, &chunks), capi(&ask, &chunks));
        assert_eq!(found, expected, "{} in chunks of {len}", case.id);
    }
    let mut found = differences(&case.expect, &whole);
    for difference in &mut found {
        *difference = format!("{} {dialect}: {} | {difference}", case.id, case.what);
    }
    found
}

#[test]
fn the_field_is_judged_right() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in field::all() {
        let dialect: Dialect = case.dialect.parse().expect("a dialect");
        wrong.extend(check(case, dialect));
        if case.auto {
            wrong.extend(check(case, Dialect::Auto));
        }
        count += 1;
    }
    assert!(count >= 211, "{count}");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
