//! The way back: what is sent comes back as it was, and nothing is injected.

use std::cell::Cell;
use std::rc::Rc;
use std::task::Poll;

use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use http_body::Body;
use http_body_util::{BodyExt, Full};
use sseam::{EncodeError, OwnedEvent};
use sseam_http::{FRAME_LEN_MAX, Outgoing, SendError, SseBody, bytes_events, events, whole_events};
use sseam_testkit::{generate, vectors};

use crate::body::{Broken, Script, poll_up_to, wait};

#[test]
fn what_is_sent_comes_back() {
    let mut wire = BytesMut::new();
    let event = Outgoing::event("one\ntwo\r\nthree").with_type("note");
    let sent = [
        Outgoing::retry(1500),
        Outgoing::comment("ping\ndata: not data"),
        event.with_id("7"),
        Outgoing::event(" leading space"),
        Outgoing::event("").with_id(""),
    ];
    for outgoing in &sent {
        outgoing.encode(&mut wire).unwrap();
    }
    let mut events = events(Full::<Bytes>::from(wire.freeze()));
    let seen: Vec<_> = wait(events.by_ref().map(Result::unwrap).collect());
    let told = |at: usize| {
        let event: &sseam::OwnedEvent = &seen[at];
        [event.event_type(), event.data(), event.last_event_id()].map(|text| text.to_string())
    };
    assert_eq!(seen.len(), 3);
    assert_eq!(told(0), ["note", "one\ntwo\nthree", "7"]);
    assert_eq!(told(1), ["message", " leading space", "7"]);
    assert_eq!(told(2), ["message", "", ""]);
    assert_eq!(events.retry(), Some(1500));
}

#[test]
fn what_could_end_its_line_is_refused_and_nothing_is_sent() {
    let mut wire = BytesMut::from(&b"before"[..]);
    let outgoing = Outgoing::event("x").with_id("1\ndata: injected");
    assert_eq!(outgoing.encode(&mut wire), Err(EncodeError::Id { at: 1 }));
    let outgoing = Outgoing::event("x").with_type("a\r");
    assert_eq!(
        outgoing.encode(&mut wire),
        Err(EncodeError::EventType { at: 1 })
    );
    assert_eq!(wire, "before");
}

/// A stream of what is to be sent, of which a test decides when it is ready.
type Sent = Result<Outgoing, Broken>;

fn frames<B: Body<Data = Bytes> + Unpin>(body: &mut B) -> Vec<String> {
    let mut seen = Vec::new();
    while let Some(Some(Ok(frame))) = poll_up_to(1, body.frame()) {
        let data = frame.into_data().unwrap();
        seen.push(String::from_utf8(data.to_vec()).unwrap());
    }
    seen
}

#[test]
fn what_is_ready_goes_out_in_one_frame_of_bounded_length() {
    let event = Outgoing::event("x".repeat(1000));
    let (sender, stream) = futures::channel::mpsc::unbounded::<Sent>();
    let mut body = SseBody::new(stream).with_retry(5);
    assert_eq!(frames(&mut body), ["retry: 5\n\n"]);
    sender.unbounded_send(Ok(Outgoing::event("1"))).unwrap();
    sender.unbounded_send(Ok(Outgoing::event("2"))).unwrap();
    assert_eq!(frames(&mut body), ["data: 1\n\ndata: 2\n\n"]);
    for _ in 0..100 {
        sender.unbounded_send(Ok(event.clone())).unwrap();
    }
    let seen = frames(&mut body);
    assert!(seen.iter().all(|frame| frame.len() < FRAME_LEN_MAX + 1100));
    assert_eq!(seen.concat().len(), 100 * 1008);
    assert!(seen.len() >= 6);
    assert!(!body.is_end_stream());
    drop(sender);
    assert!(wait(body.frame()).is_none());
    assert!(body.is_end_stream());
}

#[test]
fn an_error_comes_after_what_came_before_it() {
    let refused = Outgoing::event("x").with_id("\n");
    for (last, expected) in [
        (Err(Broken), SendError::Source(Broken)),
        (Ok(refused), SendError::Encode(EncodeError::Id { at: 0 })),
    ] {
        let sent = [Ok(Outgoing::event("1")), last, Ok(Outgoing::event("2"))];
        let mut body = SseBody::new(futures::stream::iter(sent));
        let first = wait(body.frame()).unwrap().unwrap().into_data().unwrap();
        assert_eq!(first, "data: 1\n\n");
        assert!(!body.is_end_stream());
        assert_eq!(wait(body.frame()).unwrap().unwrap_err(), expected);
        assert!(body.is_end_stream());
        assert!(wait(body.frame()).is_none());
    }
}

#[test]
fn a_heartbeat_is_sent_where_nothing_else_is() {
    let ticks = Rc::new(Cell::new(0));
    let started = Rc::new(Cell::new(0));
    let (sender, stream) = futures::channel::mpsc::unbounded::<Sent>();
    let start_timer = || {
        started.set(started.get() + 1);
        let ticks = ticks.clone();
        std::future::poll_fn(move |_| match ticks.get() {
            0 => Poll::Pending,
            left => {
                ticks.set(left - 1);
                Poll::Ready(())
            }
        })
    };
    let mut body = SseBody::new(stream).with_heartbeat(start_timer);
    assert!(frames(&mut body).is_empty());
    assert_eq!(started.get(), 1);
    ticks.set(2);
    assert_eq!(frames(&mut body), [":\n\n", ":\n\n"]);
    // Each frame starts the timer anew.
    let before = started.get();
    sender.unbounded_send(Ok(Outgoing::event("1"))).unwrap();
    assert_eq!(frames(&mut body), ["data: 1\n\n"]);
    assert_eq!(started.get(), before + 1);
    drop(sender);
    assert!(wait(body.frame()).is_none());
}

#[test]
fn a_stream_that_breaks_off_is_relayed_up_to_its_last_whole_event() {
    let stream = b"id: 7\nevent: x\ndata: 1\n\ndata: 2\n\ndata: 3\n: no blank line\n";
    for len in 1..=stream.len() {
        let upstream = bytes_events(Script::of(stream.chunks(len)));
        let told = Cell::new(0);
        let events = whole_events(upstream, |error| {
            told.set(told.get() + 1);
            assert!(error.truncated().is_some());
            Some(Outgoing::event("broke off").with_type("error"))
        });
        let body = SseBody::new(events.map(Ok::<_, Broken>));
        let bytes = wait(body.collect()).unwrap().to_bytes();
        let whole = "event: x\nid: 7\ndata: 1\n\ndata: 2\n\nevent: error\ndata: broke off\n\n";
        assert_eq!(bytes, whole, "{len}");
        assert_eq!(told.get(), 1);
    }
}

/// The events of a stream in chunks, as they are told.
fn told(body: impl Body<Data = Bytes> + Unpin) -> Vec<[Vec<u8>; 3]> {
    let events = wait(events(body).collect::<Vec<_>>());
    let told = |event: OwnedEvent| {
        [event.event_type(), event.data(), event.last_event_id()].map(|it| it.as_bytes().to_vec())
    };
    events
        .into_iter()
        .filter_map(Result::ok)
        .map(told)
        .collect()
}

#[test]
fn a_relay_gives_the_same_events() {
    let vectors = vectors::all().map(|vector| vector.stream());
    let random = (0..300).map(|seed| generate::stream(&mut generate::Rng::new(seed), 120));
    let mut relayed = 0;
    for stream in vectors.chain(random) {
        let mut expected = told(Script::of([&stream[..]]));
        // A type with a NUL cannot be sent, and ends the relay.
        let end = expected.iter().position(|event| event[0].contains(&0));
        expected.truncate(end.unwrap_or(expected.len()));
        for len in [1, 5, 1000] {
            let upstream = bytes_events(Script::of(stream.chunks(len)));
            let whole = whole_events(upstream, |_| None);
            let seen = told(SseBody::new(whole.map(Ok::<_, Broken>)));
            assert_eq!(seen, expected, "{:?}", String::from_utf8_lossy(&stream));
            relayed += seen.len();
        }
    }
    assert!(relayed > 1_000, "{relayed}");
}

#[test]
#[cfg(feature = "codec")]
fn a_codec_reads_what_a_codec_writes() {
    use futures::{SinkExt, executor::block_on};
    use sseam::ReadError;
    use sseam_http::{CodecError, EventCodec};
    use tokio_util::codec::{FramedRead, FramedWrite};

    let mut wire = Vec::new();
    let mut sink = FramedWrite::new(&mut wire, EventCodec::new());
    block_on(async {
        sink.send(Outgoing::event("one").with_id("1"))
            .await
            .unwrap();
        sink.send(Outgoing::comment("ping")).await.unwrap();
        sink.send(Outgoing::event("two")).await.unwrap();
        let refused = sink.send(Outgoing::event("x").with_id("\n")).await;
        assert!(matches!(refused, Err(CodecError::Encode(_))));
    });
    wire.extend_from_slice(b"data: cut");
    let mut events = FramedRead::with_capacity(&wire[..], EventCodec::new(), 5);
    let seen: Vec<_> = block_on(events.by_ref().collect());
    let data: Vec<_> = seen.iter().flatten().map(|event| event.data()).collect();
    assert_eq!(data, ["one", "two"]);
    assert!(matches!(seen[2], Err(ReadError::Truncated(_))));
    assert_eq!(seen.len(), 3);
    assert_eq!(events.decoder().last_event_id(), "1");
}

#[test]
#[cfg(feature = "codec")]
fn a_passed_limit_of_a_codec_stays() {
    use sseam::{Limits, ReadError};
    use sseam_http::EventCodec;
    use tokio_util::codec::Decoder;

    let limits = Limits {
        data_len_max: 3,
        ..Limits::LARGE
    };
    let mut codec = EventCodec::with_limits(limits);
    let mut buffer = BytesMut::from(&b"data: 123\n\ndata: 1234\n\n"[..]);
    assert_eq!(codec.decode(&mut buffer).unwrap().unwrap().data(), "123");
    for _ in 0..2 {
        let error = codec.decode(&mut buffer).unwrap_err();
        assert!(matches!(error, ReadError::Parse(_)));
    }
}

#[test]
#[cfg(feature = "tokio")]
fn a_source_that_fails_is_told_once() {
    use sseam::ReadError;
    use sseam_http::ReadBody;

    let mut source = tokio_source();
    let mut events = events(ReadBody::new(&mut source));
    assert_eq!(wait(events.next()).unwrap().unwrap().data(), "1");
    let Some(Err(ReadError::Source(error))) = wait(events.next()) else {
        panic!("the source fails");
    };
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    assert!(wait(events.next()).is_none());
}

/// An event, and then a fault.
#[cfg(feature = "tokio")]
fn tokio_source() -> impl tokio::io::AsyncRead + Unpin {
    use tokio::io::{AsyncRead, ReadBuf};

    struct Broken(bool);
    impl AsyncRead for Broken {
        fn poll_read(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> std::task::Poll<std::io::Result<()>> {
            if std::mem::replace(&mut self.0, true) {
                let error = std::io::ErrorKind::ConnectionReset;
                return std::task::Poll::Ready(Err(error.into()));
            }
            buffer.put_slice(b"data: 1\n\n");
            std::task::Poll::Ready(Ok(()))
        }
    }
    Broken(false)
}
