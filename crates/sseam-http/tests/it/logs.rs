//! No `Debug` and no error says what a stream says.

use futures::StreamExt;
use http::Response;
use sseam::llm::{Dialect, Turn};
use sseam::{Limits, OwnedSignal};
use sseam_http::{Outgoing, answer, bytes_events, events, events_of, observe};

use crate::body::{Script, wait};

const STREAM: &str = concat!(
    "event: secret\nid: secret\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"secret\"}}]}\n\n",
    ": secret\n\ndata: secret",
);

fn body() -> Script {
    Script::of([STREAM.as_bytes()])
}

#[track_caller]
fn check(shown: &impl std::fmt::Debug) {
    let shown = format!("{shown:?} {shown:#?}");
    assert!(!shown.contains("secret"), "{shown}");
}

#[test]
fn nothing_shows_content() {
    let mut owned = events(body());
    check(&wait(owned.next()));
    check(&wait(owned.next()));
    check(&owned);
    let mut shared = bytes_events(body());
    check(&wait(shared.next()));
    check(&shared);
    let limits = Limits {
        data_len_max: 3,
        ..Limits::LARGE
    };
    let error = wait(events(body()).with_limits(limits).next()).unwrap();
    check(&error);
    assert!(!error.unwrap_err().to_string().contains("secret"));

    let mut answer = answer(body(), Turn::new(Dialect::OpenAiChat));
    let mut texts = 0;
    while let Some(told) = wait(answer.next()) {
        texts += usize::from(matches!(
            told,
            sseam_http::Told::Signal(OwnedSignal::Text(_))
        ));
        check(&told);
        check(&answer);
    }
    assert_eq!(texts, 1);

    let response = Response::builder().header("x-secret", "secret");
    let rejected = events_of(response.body("secret".to_owned()).unwrap()).unwrap_err();
    check(&rejected);
    let response = Response::new(http_body_util::Full::<bytes::Bytes>::from("secret"));
    check(observe(response, Turn::new(Dialect::Auto), |_| {}).body());
    check(
        &Outgoing::event("secret")
            .with_type("secret")
            .with_id("secret"),
    );
    check(&Outgoing::comment("secret"));
}
