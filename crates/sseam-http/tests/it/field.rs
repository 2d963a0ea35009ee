//! Answers from the wild through bodies: what is right of each, at every cut, and
//! the same where they are watched only.

use std::cell::RefCell;
use std::rc::Rc;

use futures::StreamExt;
use http::Response;
use http_body_util::BodyExt;
use sseam::llm::{Dialect, Mode, Outcome, Turn};
use sseam::{Call, OwnedSignal};
use sseam_http::{Told, answer, answer_text, observe};
use sseam_testkit::field::{self, Case, Seen, Tool, differences};
use sseam_testkit::split::{self, Cut};

use crate::body::{Script, wait};

fn turn(case: &Case) -> Turn {
    let dialect: Dialect = case.dialect.parse().expect("a dialect");
    Turn::new(dialect).with_mode(match case.mode() {
        field::Mode::Default => Mode::Default,
        field::Mode::Strict => Mode::Strict,
        field::Mode::Lenient => Mode::Lenient,
    })
}

/// Everything that is told of a case, cut in this way.
fn told(case: &Case, cut: &Cut<'_>) -> Vec<Told> {
    let body = Script::of(cut.chunks.iter().copied());
    wait(answer(body, turn(case)).collect())
}

fn outcome(told: &[Told]) -> &Outcome {
    let Some(Told::Outcome(outcome)) = told.last() else {
        panic!("the outcome is last");
    };
    outcome
}

/// Every offset of all but the longest streams, and in pieces.
fn cuts(stream: &[u8]) -> impl Iterator<Item = Cut<'_>> {
    let pieces = [
        split::byte_by_byte(stream),
        split::with_empty_chunks(split::sized(stream, 3)),
        split::sized(stream, 7),
        split::random(stream, 1),
        split::with_empty_chunks(split::random(stream, 2)),
    ];
    let in_twos = split::positions(stream.len()).map(|at| split::in_two(stream, at));
    pieces.into_iter().chain(in_twos)
}

#[test]
fn answers_are_the_same_at_every_cut_and_right() {
    let mut wrong = Vec::new();
    for case in field::all() {
        let stream = case.stream.as_bytes();
        let whole = told(case, &split::whole(stream));
        for cut in cuts(stream) {
            assert!(told(case, &cut) == whole, "{}, {cut}", case.id);
        }
        let found = differences(&case.expect, &seen(case));
        wrong.extend(found.iter().map(|it| format!("{}: {it}", case.id)));
    }
    assert!(field::all().len() >= 211);
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_is_watched_comes_to_the_same_and_passes_untouched() {
    for case in field::all() {
        let stream = case.stream.as_bytes();
        let whole = told(case, &split::whole(stream));
        for cut in cuts(stream).take(8) {
            let seen = Rc::new(RefCell::new(Vec::new()));
            let observation = seen.clone();
            let body = Script::of(cut.chunks.iter().copied());
            let response = observe(Response::new(body), turn(case), move |it| {
                observation.borrow_mut().push(it);
            });
            let bytes = wait(response.into_body().collect()).unwrap().to_bytes();
            assert_eq!(bytes, stream, "{}, {cut}", case.id);
            let seen = seen.borrow();
            let [observation] = &seen[..] else {
                panic!("it is told once");
            };
            assert_eq!(observation.bytes, stream.len() as u64);
            assert_eq!(
                observation.result.as_ref(),
                Ok(outcome(&whole)),
                "{}, {cut}",
                case.id
            );
        }
    }
}

#[test]
fn text_is_that_of_the_signals() {
    for case in field::all() {
        let body = || Script::of(case.stream.as_bytes().chunks(11));
        let mut text = answer_text(body(), turn(case));
        let pieces: Vec<String> = wait(text.by_ref().collect());
        assert!(pieces.iter().all(|piece| !piece.is_empty()));
        let told: Vec<Told> = wait(answer(body(), turn(case)).collect());
        let signals = told.iter().filter_map(|told| match told {
            Told::Signal(signal) => signal.as_text(),
            _ => None,
        });
        assert_eq!(pieces.concat(), signals.collect::<String>(), "{}", case.id);
        assert_eq!(&text.outcome(), outcome(&told));
    }
}

/// In the testkit's words.
fn seen(case: &Case) -> Seen {
    let mut seen = Seen::default();
    let mut answer = answer(Script::of([case.stream.as_bytes()]), turn(case));
    let mut ending = None;
    while let Some(told) = wait(answer.next()) {
        match told {
            Told::Signal(OwnedSignal::Reasoning(text)) => {
                seen.reasoning += &text;
                if case.wants_reasoning() {
                    seen.text += &text;
                }
            }
            Told::Signal(signal) => seen.text += signal.as_text().unwrap_or_default(),
            Told::Call(call) => seen.tools.push(tool(&call, true)),
            Told::Outcome(outcome) => ending = Some(outcome),
            other => panic!("{other:?}"),
        }
    }
    let open = answer.open_calls().iter().map(|call| tool(call, false));
    seen.tools.extend(open);
    let outcome = ending.expect("the outcome is told");
    let it = outcome.seen;
    Seen {
        exit: outcome.exit_code(),
        reason: outcome.reason().map(|reason| reason.name().to_owned()),
        open_calls: it.open_calls.into(),
        closed_calls: it.closed_calls.into(),
        input_tokens: it.usage.input,
        output_tokens: it.usage.output,
        empty: outcome.is_empty(),
        output: it.output,
        message: it.message.to_string(),
        code: it.code.to_string(),
        dialect: it.dialect.name().to_owned(),
        ..seen
    }
}

fn tool(call: &Call, closed: bool) -> Tool {
    Tool {
        name: call.name.clone(),
        arguments: call.arguments.clone(),
        closed,
    }
}
