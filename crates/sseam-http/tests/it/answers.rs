//! Ends of answers, and what is asked of their bodies.

use std::time::Duration;

use futures::StreamExt;
use futures::stream::FusedStream;
use http::Response;
use http_body_util::Full;
use sseam::llm::{Close, Dialect, Ending, Outcome, Timeout, Turn, Wants};
use sseam::{Limits, OwnedSignal};
use sseam_http::{AnswerStream, EXPLANATION_LEN_MAX, Told, answer, answer_of};

use crate::body::{Act, Broken, Script, data, poll_up_to, wait};

const CHAT: Turn = Turn::new(Dialect::OpenAiChat);
const TEXT: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";
const ERROR: &str = "{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Slow down\"}}";

fn last<B: http_body::Body + Unpin>(answer: AnswerStream<B>) -> Outcome {
    wait(answer.into_outcome())
}

#[test]
fn a_server_that_keeps_the_connection_open_is_not_waited_for() {
    let acts = [TEXT, STOP, DONE].map(data).into_iter();
    let body = Script::new(acts.chain([Act::Stall]));
    let log = body.log.clone();
    let mut answer = answer(body, CHAT);
    let told: Vec<Told> = poll_up_to(10, answer.by_ref().collect()).expect("it ends");
    let Some(Told::Outcome(outcome)) = told.last() else {
        panic!("the outcome is last");
    };
    assert!(outcome.is_completed());
    assert!(log.is_dropped.get(), "its connection is closed at once");
    assert!(answer.is_terminated());
    assert_eq!(answer.wants(), Wants::Nothing);
    assert!(wait(answer.next()).is_none());
}

#[test]
fn what_follows_the_end_at_once_counts() {
    let error = "data: {\"error\":{\"message\":\"late\"}}\n\n";
    let body = || Script::new([TEXT, STOP, DONE, error].map(data));
    assert_eq!(last(answer(body(), CHAT)).ending, Ending::Failed);
    // Not for ever, if it has no end.
    let noise = std::iter::repeat_n(data(": noise\n\n".repeat(1000)), 1000);
    let body = Script::new([TEXT, STOP, DONE].map(data).into_iter().chain(noise));
    let log = body.log.clone();
    assert!(last(answer(body, CHAT)).is_completed());
    assert!(log.polls.get() < 20, "{log:?}");
}

#[test]
fn a_wait_that_the_caller_ends() {
    let body = || Script::new([data(TEXT), data(STOP), Act::Stall]);
    let mut settled = answer(body(), CHAT);
    assert_eq!(settled.wants(), Wants::More);
    while poll_up_to(3, settled.next()).is_some() {}
    assert_eq!(
        settled.wants(),
        Wants::MoreUntilQuiet(Duration::from_secs(2))
    );
    settled.finish_with(Close::Settled);
    let Some(Told::Outcome(outcome)) = wait(settled.next()) else {
        panic!("the outcome is next");
    };
    assert!(outcome.is_completed());
    assert!(wait(settled.next()).is_none());

    let mut stalled = answer(Script::new([data(TEXT), Act::Stall]), CHAT);
    // What was received and not taken is still to be had.
    stalled.finish_with(Close::TimedOut(Timeout::Idle));
    stalled.finish_with(Close::Cancelled);
    assert_eq!(last(stalled).ending, Ending::TimedOut(Timeout::Idle));
}

#[test]
fn a_body_that_breaks_is_in_the_outcome_and_its_error_can_be_had() {
    let mut broken = answer(Script::new([data(TEXT), Act::Wait, Act::Fail]), CHAT);
    let told: Vec<Told> = wait(broken.by_ref().collect());
    assert!(told.contains(&Told::Signal(OwnedSignal::Text("Hi".into()))));
    let Some(Told::Outcome(outcome)) = told.last() else {
        panic!("the outcome is last");
    };
    assert_eq!(outcome.exit_code(), 20);
    assert_eq!(broken.body_error(), Some(&Broken));

    let late = Script::new([data(TEXT), data(STOP), data(DONE), Act::Fail]);
    let outcome = last(answer(late, CHAT));
    assert!(outcome.is_completed() && outcome.seen.late_fault);
}

#[test]
fn the_outcome_is_true_at_any_time() {
    let mut answer = answer(Script::new([data(TEXT), data(STOP), data(DONE)]), CHAT);
    assert!(wait(answer.next()).is_some());
    assert_eq!(answer.outcome().exit_code(), 130);
    while !matches!(
        wait(answer.next()),
        Some(Told::Signal(OwnedSignal::Terminal))
    ) {}
    assert!(answer.outcome().is_completed());
    assert!(last(answer).is_completed());
}

#[test]
fn what_was_received_is_heard_before_a_wait_is_ended() {
    let body = Script::new([data([TEXT, TEXT, STOP].concat()), Act::Stall]);
    let mut answer = answer(body, CHAT);
    assert!(wait(answer.next()).is_some());
    answer.finish_with(Close::Settled);
    let told: Vec<Told> = wait(answer.collect());
    let texts = told
        .iter()
        .filter(|told| matches!(told, Told::Signal(OwnedSignal::Text(_))));
    assert_eq!(texts.count(), 1);
    let Some(Told::Outcome(outcome)) = told.last() else {
        panic!("the outcome is last");
    };
    assert!(outcome.is_completed());
}

#[test]
fn a_body_without_events_lets_others_run() {
    let pings = std::iter::repeat_n(data(": ping\n\n"), 1000);
    let mut answer = answer(Script::new(pings), CHAT);
    assert!(poll_up_to(1, answer.next()).is_none());
    assert!(wait(answer.next()).is_some());
}

#[test]
fn a_refused_request_says_why() {
    let refused = |status: u16, body: &str, dialect| {
        let response = Response::builder().status(status);
        let body = Full::<bytes::Bytes>::from(body.to_owned());
        last(answer_of(response.body(body).unwrap(), Turn::new(dialect)))
    };
    let event = format!("event: error\ndata: {ERROR}\n\n");
    for dialect in [Dialect::Anthropic, Dialect::Auto, Dialect::Plain] {
        for body in [ERROR, &event] {
            let outcome = refused(429, body, dialect);
            assert_eq!(outcome.ending, Ending::FailedStatus(429), "{dialect}");
            assert_eq!(outcome.seen.code.to_string(), "rate_limit_error");
            assert_eq!(outcome.seen.message.to_string(), "Slow down");
            assert!(!outcome.seen.output);
        }
    }
    let html = refused(502, "<html>Bad gateway</html>", Dialect::Auto);
    assert_eq!(html.ending, Ending::FailedStatus(502));
    assert!(html.seen.message.is_empty());
    // Nothing of a refusal is a signal of an answer.
    let response = Response::builder().status(429);
    let body = Full::<bytes::Bytes>::from(ERROR);
    let answer = answer_of(response.body(body).unwrap(), CHAT);
    assert!(matches!(
        wait(answer.collect::<Vec<_>>())[..],
        [Told::Outcome(_)]
    ));
    let text = format!("{TEXT}{STOP}{DONE}");
    let outcome = refused(500, &text, Dialect::OpenAiChat);
    assert_eq!(outcome.ending, Ending::FailedStatus(500));
}

#[test]
fn a_response_of_another_kind_is_none() {
    let of_type = |content_type: &str, body: &str, dialect| {
        let response = Response::builder().header("content-type", content_type);
        let body = Full::<bytes::Bytes>::from(body.to_owned());
        last(answer_of(response.body(body).unwrap(), Turn::new(dialect)))
    };
    let json = of_type("application/json", ERROR, Dialect::Anthropic);
    assert_eq!(json.ending, Ending::NotEventStream);
    assert_eq!(json.seen.message.to_string(), "Slow down");
    let whole = format!("{TEXT}{STOP}{DONE}");
    let text = of_type("text/event-stream;charset=utf-8", &whole, CHAT.dialect());
    assert!(text.is_completed());

    let gzip = Response::builder()
        .header("content-type", "text/event-stream")
        .header("content-encoding", "gzip");
    let body = Full::<bytes::Bytes>::from(whole.clone());
    let outcome = last(answer_of(gzip.body(body).unwrap(), CHAT));
    assert_eq!(outcome.ending, Ending::NotEventStream);

    // Who forgets the content type may still send a stream.
    let body = Full::<bytes::Bytes>::from(whole);
    assert!(last(answer_of(Response::new(body), CHAT)).is_completed());
}

#[test]
fn an_explanation_is_not_read_for_ever() {
    let noise = std::iter::repeat_n(data("x".repeat(1000)), 10_000);
    let body = Script::new(noise);
    let log = body.log.clone();
    let response = Response::builder().status(500).body(body).unwrap();
    let outcome = last(answer_of(response, CHAT));
    assert_eq!(outcome.ending, Ending::FailedStatus(500));
    assert!(log.polls.get() <= EXPLANATION_LEN_MAX / 1000 + 2, "{log:?}");
}

#[test]
fn a_message_of_mcp_may_be_accepted_or_answered_by_a_document() {
    let turn = Turn::new(Dialect::Mcp2025);
    let accepted = Response::builder().status(202);
    let accepted = accepted.body(Full::<bytes::Bytes>::default()).unwrap();
    assert_eq!(last(answer_of(accepted, turn)).ending, Ending::Ended);

    let document = Response::builder().header("content-type", "application/json");
    let body = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;
    let document = document.body(Full::<bytes::Bytes>::from(body)).unwrap();
    assert!(last(answer_of(document, turn)).is_completed());
}

#[test]
fn calls_come_whole_and_after_the_signal_that_closes_them() {
    let stream = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1",
data: "function":{"name":"add","arguments":"{\"a\":"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

"#;
    for len in [1, 10, 1000] {
        let body = Script::of(stream.as_bytes().chunks(len));
        let mut answer = answer(body, CHAT);
        let told: Vec<Told> = wait(answer.by_ref().collect());
        let at = told.iter().position(|told| matches!(told, Told::Call(_)));
        let at = at.expect("there is a call");
        assert!(matches!(
            told[at - 1],
            Told::Signal(OwnedSignal::ToolClosed { .. })
        ));
        let Told::Call(call) = &told[at] else {
            panic!("it is a call");
        };
        assert_eq!((&*call.id, &*call.arguments), ("c1", "{\"a\":1}"));
        assert!(answer.open_calls().is_empty());
        assert!(answer.outcome().may_run_calls());
    }
}

#[test]
fn an_answer_is_read_as_strictly_as_is_wanted() {
    let body =
        || Script::of([&b"data: {\"choices\":[{\"delta\":{\"content\":\"\xFF\"}}]}\n\n"[..]]);
    let lossy: Vec<Told> = wait(answer(body(), CHAT).collect());
    assert!(lossy.contains(&Told::Signal(OwnedSignal::Text("\u{FFFD}".into()))));
    let strict = answer(body(), CHAT).with_strict_text();
    assert_eq!(last(strict).ending, Ending::InvalidText);

    let limits = Limits {
        data_len_max: 10,
        ..Limits::LARGE
    };
    let body = Script::new([data(TEXT), Act::Stall]);
    let log = body.log.clone();
    let outcome = last(answer(body, CHAT).with_limits(limits));
    assert_eq!(outcome.exit_code(), 22);
    assert_eq!(log.polls.get(), 1, "what is over is not read on");

    let mut settled = answer(Script::new([data(STOP), Act::Stall]), CHAT);
    settled = settled.with_settle(Duration::from_millis(5));
    while poll_up_to(3, settled.next()).is_some() {}
    assert_eq!(
        settled.wants(),
        Wants::MoreUntilQuiet(Duration::from_millis(5))
    );
}
