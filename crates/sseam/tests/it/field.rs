//! Answers from the wild through a reader: what is right of each, and the same as
//! the answer itself says, field by field.

use sseam::llm::{Answer, Close, Mode, Outcome, Signal, TransportEnd, Turn};
use sseam::{AnswerReader, Call, Calls, GrowingMemory, Limits};
use sseam_testkit::field::{self, Case, Seen, Tool, differences};

/// What somebody gathers of an answer.
#[derive(Debug, Default, PartialEq)]
struct Gathered {
    text: String,
    reasoning: String,
    wants_reasoning: bool,
    calls: Vec<Call>,
    open: Calls,
}

impl Gathered {
    fn take(&mut self, signal: &Signal<'_>) {
        self.calls.extend(self.open.take(signal));
        match signal {
            Signal::Text(piece) | Signal::Refusal(piece) => self.text += &piece.to_string(),
            Signal::Reasoning(piece) => {
                self.reasoning += &piece.to_string();
                if self.wants_reasoning {
                    self.text += &piece.to_string();
                }
            }
            _ => {}
        }
    }

    fn seen(self, outcome: &Outcome) -> Seen {
        let tool = |call: &Call, closed| Tool {
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            closed,
        };
        let closed = self.calls.iter().map(|call| tool(call, true));
        let open = self.open.open().iter().map(|call| tool(call, false));
        let told = outcome.seen;
        Seen {
            exit: outcome.exit_code(),
            tools: closed.chain(open).collect(),
            text: self.text,
            reasoning: self.reasoning,
            reason: outcome.reason().map(|reason| reason.name().to_owned()),
            open_calls: told.open_calls.into(),
            closed_calls: told.closed_calls.into(),
            input_tokens: told.usage.input,
            output_tokens: told.usage.output,
            empty: outcome.is_empty(),
            output: told.output,
            message: told.message.to_string(),
            code: told.code.to_string(),
            dialect: told.dialect.name().to_owned(),
        }
    }
}

fn gathered(case: &Case) -> Gathered {
    Gathered {
        wants_reasoning: case.wants_reasoning(),
        ..Gathered::default()
    }
}

fn turn(case: &Case) -> Turn {
    let dialect = case.dialect.parse().expect("a dialect");
    Turn::new(dialect).with_mode(match case.mode() {
        field::Mode::Default => Mode::Default,
        field::Mode::Strict => Mode::Strict,
        field::Mode::Lenient => Mode::Lenient,
    })
}

fn by_reader(case: &Case, size: usize) -> (Gathered, Outcome) {
    let reader = AnswerReader::new(case.stream.as_bytes(), turn(case));
    let mut reader = reader.with_buffer_size(size).with_reading_to_end();
    let mut gathered = gathered(case);
    while let Some(heard) = reader.next_heard().expect("a source that does not fail") {
        heard.signals.for_each(|signal| gathered.take(&signal));
    }
    (gathered, reader.outcome())
}

fn by_answer(case: &Case) -> (Gathered, Outcome) {
    let memory = GrowingMemory::new();
    let mut answer = Answer::growing(memory, Limits::LARGE, turn(case));
    let mut gathered = gathered(case);
    let mut input = case.stream.as_bytes();
    while let Some(heard) = answer.next(&mut input) {
        heard.signals.for_each(|signal| gathered.take(&signal));
    }
    answer.end(Close::Transport(TransportEnd::Clean));
    while let Some(heard) = answer.next(&mut &b""[..]) {
        heard.signals.for_each(|signal| gathered.take(&signal));
    }
    (gathered, answer.outcome())
}

#[test]
fn a_reader_is_right_and_says_what_the_answer_says() {
    let mut wrong = Vec::new();
    for case in field::all() {
        let whole = by_answer(case);
        for size in [1, 3, 16 * 1024] {
            assert_eq!(by_reader(case, size), whole, "{} by {size}", case.id);
        }
        let (gathered, outcome) = whole;
        let found = differences(&case.expect, &gathered.seen(&outcome));
        wrong.extend(found.iter().map(|it| format!("{}: {it}", case.id)));
    }
    assert!(field::all().len() >= 211);
    assert_eq!(wrong, Vec::<String>::new());
}
