//! The ways of reading, as engines of the testkit: a stream in chunks comes in, a
//! report goes out.

use std::fmt::Debug;

use futures::StreamExt;
use http_body::Body;
use sseam::ReadError;
use sseam_http::{BytesEvent, Events, Keep, bytes_events, chunks, events};
use sseam_testkit as kit;

use crate::body::{Script, wait};
use crate::convert;

/// Owned events.
pub(crate) struct Owned;

/// Events that share their frames, if their data is longer than this.
pub(crate) struct Shared {
    pub(crate) copied_len_max: usize,
}

/// Items that are lent, from a body that waits before every frame.
pub(crate) struct Lent;

/// The same from a stream of chunks.
pub(crate) struct Chunks;

const EVENTS: kit::Capabilities = kit::Capabilities {
    items: false,
    item_details: false,
    ..kit::Capabilities::ALL
};

impl kit::Engine for Owned {
    fn name(&self) -> &str {
        "events"
    }

    fn capabilities(&self) -> kit::Capabilities {
        EVENTS
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let events = events(Script::of(chunks.iter().copied()));
        by_stream(events.with_limits(convert::limits(setup)), setup, |event| {
            convert::owned(&event)
        })
    }
}

impl kit::Engine for Shared {
    fn name(&self) -> &str {
        "bytes_events"
    }

    fn capabilities(&self) -> kit::Capabilities {
        EVENTS
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let events = bytes_events(Script::of(chunks.iter().copied()));
        let events = events.with_limits(convert::limits(setup));
        by_stream(events.with_copies_up_to(self.copied_len_max), setup, shared)
    }
}

impl kit::Engine for Lent {
    fn name(&self) -> &str {
        "Events, lending"
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        lent(events(Script::slow(chunks.iter().copied())), setup)
    }
}

impl kit::Engine for Chunks {
    fn name(&self) -> &str {
        "events of chunks, lending"
    }

    fn run(&self, setup: &kit::Setup, cut: &[&[u8]]) -> kit::Report {
        lent(events(chunks(Script::slow(cut.iter().copied()))), setup)
    }
}

fn shared(event: BytesEvent) -> kit::Item {
    kit::Item::Event {
        event_type: event.event_type().as_bytes().to_vec(),
        data: event.data().as_bytes().to_vec(),
        id: event.last_event_id().as_bytes().to_vec(),
        span: (event.span().start, event.span().end),
    }
}

/// Takes every event of the stream, and sees to it that nothing follows the last.
/// All of them are kept until then, so that what they share is seen not to change.
fn by_stream<B, K>(
    mut events: Events<B, K>,
    setup: &kit::Setup,
    convert: impl Fn(K::Event) -> kit::Item,
) -> kit::Report
where
    B: Body<Error: Debug> + Unpin,
    K: Keep + Unpin,
{
    let id = events.set_last_event_id(&setup.last_event_id);
    id.expect("the setup's id is within its limit");
    let mut report = kit::Report::default();
    let mut kept = Vec::new();
    while let Some(event) = wait(events.next()) {
        assert!(report.pending.is_none() && report.failure.is_none());
        match event {
            Ok(event) => kept.push(event),
            Err(error) => tell(&mut report, error),
        }
    }
    report.items = kept.into_iter().map(convert).collect();
    assert!(wait(events.next()).is_none(), "a stream stays at its end");
    end(&mut events, &mut report);
    report
}

pub(crate) fn lent<B>(events: Events<B>, setup: &kit::Setup) -> kit::Report
where
    B: Body<Error: Debug> + Unpin,
{
    let mut events = events.with_limits(convert::limits(setup));
    let id = events.set_last_event_id(&setup.last_event_id);
    id.expect("the setup's id is within its limit");
    let mut report = kit::Report::default();
    loop {
        let result = wait(async {
            match setup.want_items {
                true => events.next_item().await.map(|it| it.map(convert::item)),
                false => events.next_event().await.map(|it| it.map(convert::event)),
            }
        });
        match result {
            Ok(Some(item)) => report.items.push(item),
            Ok(None) => break,
            Err(error) => tell(&mut report, error),
        }
    }
    end(&mut events, &mut report);
    report
}

fn end<B: Body, K>(events: &mut Events<B, K>, report: &mut kit::Report) {
    report.counters = convert::counters(events.counters());
    report.retry = events.retry();
    report.last_event_id = events.last_event_id().as_bytes().to_vec();
    if report.failure.is_none() {
        let event = events.take_unfinished().expect("memory for one byte");
        report.unfinished = event.map(convert::unfinished);
        assert_eq!(events.take_unfinished(), Ok(None), "it is given once");
    }
}

pub(crate) fn tell<E: Debug>(report: &mut kit::Report, error: ReadError<E>) {
    assert!(report.pending.is_none(), "it is said once");
    match error {
        ReadError::Parse(error) => report.failure = Some(convert::failure(error)),
        ReadError::Truncated(end) => report.pending = convert::pending(end),
        error => panic!("{error:?}"),
    }
}

/// Bytes that are read, and not framed.
#[cfg(feature = "tokio")]
pub(crate) mod read {
    use sseam_http::{ReadBody, events};
    use sseam_testkit as kit;
    use tokio::io::{AsyncRead, ReadBuf};

    use std::io;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    /// Items that are lent, from what is read chunk by chunk.
    pub(crate) struct Read {
        pub(crate) read_len: usize,
    }

    /// Reads chunk by chunk, with an interrupt and a wait before each.
    struct Slow<'s> {
        chunks: Vec<&'s [u8]>,
        polls: u32,
    }

    impl AsyncRead for Slow<'_> {
        fn poll_read(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            self.polls += 1;
            match self.polls % 3 {
                1 => return Poll::Ready(Err(io::ErrorKind::Interrupted.into())),
                2 => {
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                _ => {}
            }
            let Some(chunk) = self.chunks.last_mut() else {
                return Poll::Ready(Ok(()));
            };
            let (head, rest) = chunk.split_at(chunk.len().min(buffer.remaining()));
            buffer.put_slice(head);
            *chunk = rest;
            if rest.is_empty() {
                self.chunks.pop();
            }
            Poll::Ready(Ok(()))
        }
    }

    impl kit::Engine for Read {
        fn name(&self) -> &str {
            "events of ReadBody, lending"
        }

        fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
            let chunks = chunks.iter().rev().copied();
            // A read of no bytes would be an end, so an empty chunk is none.
            let chunks = chunks.filter(|chunk| !chunk.is_empty()).collect();
            let body = ReadBody::new(Slow { chunks, polls: 0 });
            super::lent(events(body.with_read_len(self.read_len)), setup)
        }
    }
}

/// Bytes in a buffer that somebody else fills.
#[cfg(feature = "codec")]
pub(crate) mod codec {
    use bytes::BytesMut;
    use sseam_http::EventCodec;
    use sseam_testkit as kit;
    use tokio_util::codec::Decoder;

    use crate::convert;

    /// Events of the codec.
    pub(crate) struct Codec;

    impl kit::Engine for Codec {
        fn name(&self) -> &str {
            "EventCodec"
        }

        fn capabilities(&self) -> kit::Capabilities {
            kit::Capabilities {
                unfinished: false,
                ..super::EVENTS
            }
        }

        fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
            let mut codec = EventCodec::with_limits(convert::limits(setup));
            let id = codec.set_last_event_id(&setup.last_event_id);
            id.expect("the setup's id is within its limit");
            let mut report = kit::Report::default();
            let mut buffer = BytesMut::new();
            for (at, chunk) in chunks.iter().chain([&&b""[..]]).enumerate() {
                buffer.extend_from_slice(chunk);
                loop {
                    let decoded = match at == chunks.len() {
                        true => codec.decode_eof(&mut buffer),
                        false => codec.decode(&mut buffer),
                    };
                    match decoded {
                        Ok(Some(event)) => report.items.push(convert::owned(&event)),
                        Ok(None) => break,
                        Err(error) => super::tell(&mut report, error),
                    }
                    if report.failure.is_some() {
                        break;
                    }
                }
                if report.failure.is_some() {
                    break;
                }
                assert!(buffer.is_empty(), "it takes all that it is given");
            }
            report.counters = convert::counters(codec.counters());
            report.retry = codec.retry();
            report.last_event_id = codec.last_event_id().as_bytes().to_vec();
            report
        }
    }
}
