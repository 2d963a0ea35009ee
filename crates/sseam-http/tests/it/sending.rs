//! The way back: what is sent comes back as it was, and nothing is injected.

use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use http_body_util::Full;
use sseam::EncodeError;
use sseam_http::{Outgoing, events};

use crate::body::wait;

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
