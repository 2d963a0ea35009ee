//! Errors, ends, fuses, and what is asked of the body.

use bytes::Bytes;
use futures::stream::FusedStream;
use futures::{Stream, StreamExt};
use http_body_util::{BodyExt, Full, StreamBody};
use sseam::{Limits, ReadError};
use sseam_http::{FRAMES_PER_POLL_MAX, bytes_events, events};

use crate::body::{Act, Broken, Script, data, poll_up_to, wait};

#[test]
fn the_end_is_told_once_and_the_body_is_not_asked_again() {
    // A script panics when it is asked on after its end.
    let mut clean = events(Script::of([&b"data: 1\n\n"[..]]));
    assert!(!clean.is_terminated());
    assert!(matches!(wait(clean.next()), Some(Ok(_))));
    for _ in 0..3 {
        assert!(wait(clean.next()).is_none());
        assert!(matches!(wait(clean.next_event()), Ok(None)));
    }
    assert!(clean.is_terminated());
    assert_eq!(clean.size_hint(), (0, Some(0)));

    let mut cut = events(Script::of([&b"data: 1\n\nid: 3\ndata: 2\n"[..]]));
    assert!(matches!(wait(cut.next()), Some(Ok(_))));
    let Some(Err(ReadError::Truncated(end))) = wait(cut.next()) else {
        panic!("it breaks off");
    };
    assert!(end.data && end.id && !end.line);
    assert!(wait(cut.next()).is_none());
    assert_eq!(cut.take_unfinished().unwrap().unwrap().data(), "2");
}

#[test]
fn events_before_an_error_of_the_body_are_given() {
    let acts = [data("data: 1\n\ndata: 2\n\ndata: 3"), Act::Wait, Act::Fail];
    let mut events = events(Script::new(acts));
    let seen: Vec<_> = wait(events.by_ref().collect());
    let data: Vec<_> = seen.iter().flatten().map(|event| event.data()).collect();
    assert_eq!(data, ["1", "2"]);
    assert!(matches!(seen[2], Err(ReadError::Source(Broken))));
    assert_eq!(seen.len(), 3);
    assert_eq!(events.take_unfinished().unwrap().unwrap().data(), "3");
}

#[test]
fn a_passed_limit_ends_the_stream_and_keeps_what_came_before() {
    let limits = Limits {
        data_len_max: 3,
        ..Limits::LARGE
    };
    for cut in [1, 5, 100] {
        let body = Script::of(b"data: 123\n\ndata: 1234\n\ndata: 5\n\n".chunks(cut));
        let mut events = events(body).with_limits(limits);
        assert_eq!(wait(events.next()).unwrap().unwrap().data(), "123");
        let error = wait(events.next()).unwrap().unwrap_err();
        let text = "data_len_max of 3 was passed at byte 20 of the stream";
        assert_eq!(error.to_string(), text);
        assert!(wait(events.next()).is_none());
    }
}

#[test]
fn a_frame_is_asked_for_only_when_the_last_one_is_used_up() {
    let chunks = [&b"data: 1\n\ndata: 2\n\ndata: 3\n\n"[..], b"data: 4\n\n"];
    let body = Script::of(chunks);
    let log = body.log.clone();
    let mut events = events(body);
    for (expected, polls) in [("1", 1), ("2", 1), ("3", 1), ("4", 2)] {
        assert_eq!(wait(events.next()).unwrap().unwrap().data(), expected);
        assert_eq!(log.polls.get(), polls);
    }
    drop(events);
    assert!(log.is_dropped.get());
}

#[test]
fn a_body_that_always_has_a_frame_lets_others_run() {
    let comments = std::iter::repeat_n(data(": ping\n\n"), 1000);
    let body = Script::new(comments.chain([data("data: 1\n\n")]));
    let log = body.log.clone();
    let mut events = events(body);
    assert!(poll_up_to(1, events.next()).is_none());
    assert_eq!(log.polls.get(), FRAMES_PER_POLL_MAX as usize);
    assert_eq!(wait(events.next()).unwrap().unwrap().data(), "1");
}

#[test]
fn trailers_and_empty_frames_are_no_end() {
    let acts = [data("da"), data(""), data("ta: 1\n\n"), Act::Trailers];
    let mut events = events(Script::new(acts));
    assert_eq!(wait(events.next()).unwrap().unwrap().data(), "1");
    assert!(wait(events.next()).is_none());
}

#[test]
fn what_was_not_parsed_can_be_had() {
    let body = Script::of([&b"data: 1\n\ndata: 2\n\n"[..]]);
    let mut events = events(body);
    assert!(wait(events.next()).is_some());
    let (_, unread) = events.into_parts();
    assert_eq!(unread, "data: 2\n\n");
}

#[test]
fn lent_and_owned_events_can_be_mixed() {
    let mut events = events(Script::slow(
        b"id: 7\ndata: 1\n\ndata: 2\n\ndata: 3\n\n".chunks(4),
    ));
    assert_eq!(wait(events.next_event()).unwrap().unwrap().data(), "1");
    assert_eq!(wait(events.next()).unwrap().unwrap().data(), "2");
    let third = wait(events.next_event()).unwrap().unwrap();
    assert_eq!(
        (third.data(), third.last_event_id()),
        ("3".into(), "7".into())
    );
}

#[test]
fn types_and_ids_of_shared_events_follow_the_stream() {
    let stream = "data: a\n\nevent: x\nid: 1\ndata: b\n\nevent: x\ndata: c\n\nid\ndata: d\n\n";
    let events = bytes_events(Full::<Bytes>::from(stream));
    let seen: Vec<_> = wait(events.map(Result::unwrap).collect());
    let told = |at: usize| {
        let event: &sseam_http::BytesEvent = &seen[at];
        [event.event_type(), event.data(), event.last_event_id()].map(|text| text.to_string())
    };
    assert_eq!(told(0), ["message", "a", ""]);
    assert_eq!(told(1), ["x", "b", "1"]);
    assert_eq!(told(2), ["x", "c", "1"]);
    assert_eq!(told(3), ["message", "d", ""]);
}

#[test]
fn a_body_of_several_buffers_in_one_frame_is_read_whole() {
    use bytes::Buf;
    let frame = (&b"data: a"[..]).chain(&b"b\n\n"[..]);
    let frames = futures::stream::iter([Ok::<_, Broken>(http_body::Frame::data(frame))]);
    let mut events = events(StreamBody::new(frames));
    assert_eq!(wait(events.next()).unwrap().unwrap().data(), "ab");
}

#[test]
fn a_boxed_body_and_one_that_cannot_be_moved_do() {
    let boxed = Full::<Bytes>::from("data: 1\n\n").boxed();
    assert_eq!(wait(events(boxed).next()).unwrap().unwrap().data(), "1");

    let pinned = futures::stream::once(async { Ok::<_, Broken>(Bytes::from("data: 2\n\n")) });
    let mut events = std::pin::pin!(events(sseam_http::chunks(pinned)));
    assert_eq!(wait(events.next()).unwrap().unwrap().data(), "2");
}
