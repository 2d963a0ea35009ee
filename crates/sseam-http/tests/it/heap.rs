//! What the heap is asked for while events go out: counted, not assumed.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use allocation_counter::{AllocationInfo, measure};
use bytes::Bytes;
use futures::StreamExt;
use http_body::{Body, Frame};
use sseam_http::{BytesEvent, COPIED_LEN_MAX, bytes_events, events};

use crate::body::wait;

/// The same frame for ever, which costs nothing to make.
struct Endless(Bytes);

impl Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(Some(Ok(Frame::data(self.0.clone()))))
    }
}

/// Two frames by turns.
struct Turns([Bytes; 2]);

impl Body for Turns {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.swap(0, 1);
        Poll::Ready(Some(Ok(Frame::data(self.0[1].clone()))))
    }
}

/// A frame of 16 events whose data has this length.
fn frame(data_len: usize) -> Bytes {
    let event = format!("event: delta\ndata: {}\n\n", "x".repeat(data_len));
    Bytes::from(event.repeat(16))
}

/// What 10,000 events ask for, once the memory is warm.
fn asked(mut next: impl FnMut()) -> AllocationInfo {
    (0..1_000).for_each(|_| next());
    measure(|| (0..10_000).for_each(|_| next()))
}

#[test]
fn a_shared_event_costs_no_heap_call_and_no_copy() {
    let frame = frame(COPIED_LEN_MAX + 1);
    let mut events = bytes_events(Endless(frame.clone()));
    let is_within = |event: &BytesEvent| {
        let data = event.data_bytes().as_ptr_range();
        let frame = frame.as_ptr_range();
        frame.start <= data.start && data.end <= frame.end
    };
    let info = asked(|| {
        let event = wait(events.next()).unwrap().unwrap();
        assert!(is_within(&event));
    });
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn short_data_is_copied_and_costs_two_heap_calls_for_many_events() {
    let mut events = bytes_events(Endless(frame(64)));
    let info = asked(|| drop(wait(events.next()).unwrap().unwrap()));
    // 64 events in each block of 4096 bytes.
    assert!(info.count_total <= 2 * 10_000_u64.div_ceil(64), "{info:?}");

    // A kept event keeps a block alive, and not the frame.
    let large = Bytes::from(format!("data: short\n\n: {}\n\n", "x".repeat(1 << 20)));
    let info = measure(|| {
        let event = wait(bytes_events(Endless(large)).next()).unwrap().unwrap();
        assert_eq!(event.data(), "short");
        std::mem::forget(event);
    });
    assert!(info.bytes_current < 8 * 1024, "{info:?}");
}

#[test]
fn data_that_frames_cut_costs_one_heap_call() {
    let frames = frame(2000);
    let edge = frames.len() / 2 + 500;
    let turns = [frames.slice(..edge), frames.slice(edge..)];
    let mut events = bytes_events(Turns(turns));
    let info = asked(|| drop(wait(events.next()).unwrap().unwrap()));
    // One in sixteen.
    assert_eq!(info.count_total, 10_000 / 16, "{info:?}");
}

#[test]
fn a_lent_event_costs_no_heap_call_and_an_owned_one_costs_one() {
    let mut lent = events(Endless(frame(20)));
    let info = asked(|| assert!(wait(lent.next_event()).unwrap().is_some()));
    assert_eq!(info.count_total, 0, "{info:?}");

    let mut owned = events(Endless(frame(20)));
    let info = asked(|| assert!(wait(owned.next()).is_some()));
    assert_eq!(info.count_total, 10_000, "{info:?}");
}

#[test]
fn an_idle_stream_keeps_no_frame_alive() {
    use crate::body::{Act, Script, poll_up_to};
    let frame = Bytes::from(vec![b'\n'; 1 << 20]);
    let info = measure(|| {
        let body = Script::new([Act::Data(Bytes::copy_from_slice(&frame)), Act::Stall]);
        let mut events = events(body);
        assert!(poll_up_to(10, events.next()).is_none());
        std::mem::forget(events);
    });
    assert!(info.bytes_current < 4096, "{info:?}");
}
