//! Which responses are event streams, and what is had of the others.

use bytes::Bytes;
use futures::StreamExt;
use http::Response;
use http_body_util::Full;
use sseam::Unfit;
use sseam_http::{Rejection, events_of};

use crate::body::wait;

fn response(status: u16, headers: &[(&str, &str)]) -> Response<Full<Bytes>> {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body("data: 1\n\n".into()).unwrap()
}

fn reason(status: u16, headers: &[(&str, &str)]) -> Option<Rejection> {
    let events = events_of(response(status, headers));
    events.err().map(|rejected| rejected.reason())
}

const STREAM: (&str, &str) = ("content-type", "text/event-stream");

#[test]
fn status_type_and_encoding_are_checked() {
    assert_eq!(reason(200, &[STREAM]), None);
    let odd = ("content-type", "Text/Event-Stream ; charset=UTF-8");
    assert_eq!(
        reason(200, &[odd, ("content-encoding", "Identity, none")]),
        None
    );

    let unfit = |unfit| Some(Rejection::Unfit(unfit));
    let encoded = [
        STREAM,
        ("content-encoding", "identity"),
        ("content-encoding", "br"),
    ];
    assert_eq!(reason(200, &encoded), unfit(Unfit::ContentEncoding));
    let json = [("content-type", "application/json")];
    assert_eq!(reason(200, &json), unfit(Unfit::ContentType));
    assert_eq!(reason(200, &[]), unfit(Unfit::MissingContentType));

    assert_eq!(reason(204, &[]), Some(Rejection::NoContent));
    for status in [201, 206, 304, 401, 429, 503] {
        assert_eq!(reason(status, &[STREAM]), Some(Rejection::Status(status)));
    }
}

#[test]
fn a_rejected_response_is_still_whole() {
    let rejected = events_of(response(200, &[])).unwrap_err();
    assert_eq!(rejected.to_string(), "there is no content type");
    assert_eq!(rejected.response().status(), 200);
    let mut events = rejected.into_events();
    assert_eq!(wait(events.next()).unwrap().unwrap().data(), "1");

    let rejected = events_of(response(429, &[("retry-after", "3")])).unwrap_err();
    assert_eq!(rejected.to_string(), "HTTP status 429");
    assert_eq!(rejected.into_response().headers()["retry-after"], "3");
}
