//! Bodies that are watched while they pass: told once, and untouched.

use std::cell::RefCell;
use std::rc::Rc;

use http::{Method, Response};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use sseam::Limits;
use sseam::llm::{Dialect, Ending, TransportEnd, Turn};
use sseam_http::{Observation, Observer, Unobservable, observe};

use crate::body::{Act, Script, data, poll_up_to, wait};

const CHAT: Turn = Turn::new(Dialect::OpenAiChat);
const TEXT: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";
const WHOLE: [&str; 3] = [TEXT, STOP, DONE];

/// What was told, and that it was told once.
#[derive(Clone, Default)]
struct Told(Rc<RefCell<Vec<Observation>>>);

impl Told {
    fn take(&self) -> impl FnOnce(Observation) + use<> {
        let told = self.0.clone();
        move |observation| told.borrow_mut().push(observation)
    }

    fn is_none(&self) -> bool {
        self.0.borrow().is_empty()
    }

    #[track_caller]
    fn once(&self) -> Observation {
        let told = self.0.borrow();
        assert_eq!(told.len(), 1, "it is told once");
        told[0]
    }

    #[track_caller]
    fn ending(&self) -> Ending {
        self.once().result.expect("it was observed").ending
    }
}

fn whole() -> Script {
    Script::new(WHOLE.map(data))
}

fn stream<B>(body: B) -> Response<B> {
    let response = Response::builder().header("content-type", "text/event-stream");
    response.body(body).unwrap()
}

#[test]
fn frames_trailers_and_hints_pass_as_they_are() {
    let frames = WHOLE.map(bytes::Bytes::from);
    let acts = frames.clone().map(Act::Data).into_iter();
    let mut body = Script::new(acts.chain([Act::Trailers]));
    body.knows_end = true;
    let told = Told::default();
    let response = observe(stream(body), CHAT, told.take());
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    for expected in &frames {
        assert!(!body.is_end_stream());
        let data = wait(body.frame()).unwrap().unwrap().into_data().unwrap();
        assert_eq!(data.as_ptr(), expected.as_ptr(), "it is not copied");
        assert!(told.is_none());
    }
    let trailers = wait(body.frame())
        .unwrap()
        .unwrap()
        .into_trailers()
        .unwrap();
    assert_eq!(trailers["x-sum"], "7");
    // A server does not ask for what follows trailers.
    assert!(matches!(told.ending(), Ending::Completed(_)));
    assert!(body.is_end_stream());
    assert!(wait(body.frame()).is_none());
    drop(body);
    told.once();

    let mut sized = whole();
    sized.len = Some(10);
    let response = observe(stream(sized), CHAT, |_| {});
    assert_eq!(response.body().size_hint().exact(), Some(10));
}

#[test]
fn the_end_is_known_where_nobody_asks_for_it() {
    let len = WHOLE.concat().len() as u64;
    // By the length that the body knows.
    let mut sized = whole();
    sized.len = Some(len);
    // By what the body says of its last frame: END_STREAM.
    let mut knowing = whole();
    knowing.knows_end = true;
    // By the length that the head tells.
    let mut promised = stream(whole());
    let headers = promised.headers_mut();
    headers.insert("content-length", len.into());
    for response in [stream(sized), stream(knowing), promised] {
        let told = Told::default();
        let mut body = observe(response, CHAT, told.take()).into_body();
        for _ in WHOLE {
            assert!(told.is_none());
            assert!(wait(body.frame()).is_some());
        }
        assert!(matches!(told.ending(), Ending::Completed(_)));
        drop(body);
        told.once();
    }
}

#[test]
fn an_end_that_comes_too_soon() {
    let told = Told::default();
    let mut short = stream(Script::new([data(TEXT)]));
    short.headers_mut().insert("content-length", 500.into());
    wait(observe(short, CHAT, told.take()).into_body().collect()).unwrap();
    let Ending::Truncated(truncation) = told.ending() else {
        panic!("it broke off");
    };
    assert_eq!(truncation.transport, TransportEnd::Cut);
}

#[test]
fn an_error_passes_and_is_told() {
    let told = Told::default();
    let body = Script::new([data(TEXT), Act::Fail]);
    let mut body = observe(stream(body), CHAT, told.take()).into_body();
    assert!(wait(body.frame()).unwrap().is_ok());
    assert!(wait(body.frame()).unwrap().is_err());
    let Ending::Truncated(truncation) = told.ending() else {
        panic!("it broke off");
    };
    assert_eq!(truncation.transport, TransportEnd::Reset);
    drop(body);
    told.once();
}

#[test]
fn who_drops_it_before_its_end_has_cancelled() {
    let told = Told::default();
    let body = Script::new([data(TEXT), Act::Stall]);
    let mut body = observe(stream(body), CHAT, told.take()).into_body();
    assert!(wait(body.frame()).is_some());
    assert!(poll_up_to(3, body.frame()).is_none());
    assert!(told.is_none());
    drop(body);
    assert_eq!(told.once().result.unwrap().exit_code(), 130);

    // But for the answer's own end.
    let told = Told::default();
    let mut body = observe(stream(whole()), CHAT, told.take()).into_body();
    for _ in WHOLE {
        assert!(wait(body.frame()).is_some());
    }
    drop(body);
    assert!(matches!(told.ending(), Ending::Completed(_)));

    // Or before anything was asked of it.
    let told = Told::default();
    drop(observe(stream(whole()), CHAT, told.take()));
    assert_eq!(told.once().result.unwrap().exit_code(), 130);
}

#[test]
fn what_is_compressed_passes_and_is_not_observable() {
    let told = Told::default();
    let mut response = stream(Full::<bytes::Bytes>::from(
        &b"\x1F\x8B\x08 not looked at"[..],
    ));
    response
        .headers_mut()
        .insert("content-encoding", "gzip".parse().unwrap());
    let body = observe(response, CHAT, told.take()).into_body();
    let bytes = wait(body.collect()).unwrap().to_bytes();
    assert_eq!(bytes.len(), 17);
    assert_eq!(told.once().result, Err(Unobservable::ContentEncoding));
    assert_eq!(told.once().bytes, 17);
}

#[test]
fn a_refusal_is_told_with_its_message() {
    let error = "{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Slow down\"}}";
    for (status, ending) in [
        (429, Ending::FailedStatus(429)),
        (200, Ending::NotEventStream),
    ] {
        let told = Told::default();
        let response = Response::builder()
            .status(status)
            .header("content-type", "application/json")
            .body(Full::<bytes::Bytes>::from(error));
        let response = observe(
            response.unwrap(),
            Turn::new(Dialect::Anthropic),
            told.take(),
        );
        wait(response.into_body().collect()).unwrap();
        assert_eq!(told.ending(), ending);
        let seen = told.once().result.unwrap().seen;
        assert_eq!(seen.message.to_string(), "Slow down");
        assert_eq!(seen.code.to_string(), "rate_limit_error");
    }
}

#[test]
fn a_response_without_a_body_has_nothing_to_be_observed() {
    let empty = || Script::new([]);
    for status in [204, 205, 304] {
        let told = Told::default();
        let mut response = stream(empty());
        *response.status_mut() = status.try_into().unwrap();
        drop(observe(response, CHAT, told.take()));
        assert_eq!(told.once().result, Err(Unobservable::NoBody), "{status}");
    }
    // To a HEAD: the head speaks of a body that the connection does not bring.
    let told = Told::default();
    let mut body = empty();
    body.knows_end = true;
    let mut head = stream(body);
    head.headers_mut().insert("content-length", 500.into());
    let response = observe(head, CHAT, told.take());
    assert_eq!(told.once().result, Err(Unobservable::NoBody));
    drop(response);
    told.once();
    // Or does not speak of it.
    let told = Told::default();
    let observer = Observer::new(CHAT).with_method(&Method::HEAD);
    drop(observer.observe(stream(empty()), told.take()));
    assert_eq!(told.once().result, Err(Unobservable::NoBody));
}

#[test]
fn an_empty_body_where_there_was_to_be_one_broke_off() {
    let told = Told::default();
    let mut body = Script::new([]);
    body.knows_end = true;
    let response = observe(stream(body), CHAT, told.take());
    // A server that sees that there is no body does not ask for it.
    assert_eq!(told.once().result.unwrap().exit_code(), 20);
    drop(response);
}

#[test]
fn what_passes_a_limit_passes_on_all_the_same() {
    let told = Told::default();
    let limits = Limits {
        data_len_max: 10,
        ..Limits::LARGE
    };
    let observer = Observer::new(CHAT).with_limits(limits);
    let response = observer.observe(stream(whole()), told.take());
    let bytes = wait(response.into_body().collect()).unwrap().to_bytes();
    assert_eq!(bytes, WHOLE.concat());
    assert!(matches!(told.ending(), Ending::LimitExceeded(_)));
}
