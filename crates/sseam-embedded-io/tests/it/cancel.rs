//! Futures that are dropped at every await: nothing that was read may be lost.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_io_async::Read;
use sseam_core::{Encoder, Limits};
use sseam_embedded_io::{
    AsyncEventReader, AsyncInPlaceReader, AsyncResponse, Outgoing, ReadError, write_async,
};

use crate::transport::{Act, Ring, Script, Sink};

const STREAM: &[u8] =
    b"id: 1\ndata: one\n\n: ping\n\ndata: two\ndata: lines\n\nevent: x\ndata: 3\n\n";
const EVENTS: [&str; 3] = ["one", "two\nlines", "3"];

/// Polls at most `polls` times, then drops the future.
fn poll_up_to<T>(polls: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..polls {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return Some(result);
        }
    }
    None
}

/// Every portion length of the stream, with two waits before each portion.
fn scripts() -> impl Iterator<Item = Script> {
    (1..STREAM.len()).map(|len| {
        let give = |chunk: &[u8]| [Act::Wait, Act::Wait, Act::Give(chunk.to_vec())];
        Script::new(STREAM.chunks(len).flat_map(give).chain([Act::Wait]))
    })
}

#[test]
fn a_reader_loses_nothing_wherever_its_futures_are_dropped() {
    for script in scripts() {
        for (polls, buffer_len) in [(1, 1), (1, 5), (1, 64), (2, 5), (3, 5), (3, 64)] {
            let (buffer, memory) = (vec![0; buffer_len], [0; 832]);
            let reader = AsyncEventReader::new(script.clone(), buffer, memory, Limits::SMALL);
            let mut reader = reader.unwrap();
            let (mut seen, mut dropped) = (Vec::new(), 0);
            while seen.len() < EVENTS.len() {
                let call = async {
                    let event = reader
                        .next_event()
                        .await
                        .unwrap()
                        .expect("the end comes later");
                    event.data().to_str().unwrap().to_owned()
                };
                match poll_up_to(polls, call) {
                    Some(data) => seen.push(data),
                    None => dropped += 1,
                }
                assert!(dropped < 10_000, "no progress");
            }
            assert_eq!(seen, EVENTS, "{polls} polls, {buffer_len} bytes");
            assert!(dropped > 0 || polls > 1);
        }
    }
}

#[test]
fn a_reader_in_place_loses_nothing_wherever_its_futures_are_dropped() {
    for script in scripts() {
        for polls in 1..4 {
            let ring = Ring::new(script.clone());
            let mut reader = AsyncInPlaceReader::new(ring, [0; 832], Limits::SMALL).unwrap();
            let (mut seen, mut dropped) = (Vec::new(), 0);
            while seen.len() < EVENTS.len() {
                let call = async {
                    let event = reader
                        .next_event()
                        .await
                        .unwrap()
                        .expect("the end comes later");
                    event.data().to_str().unwrap().to_owned()
                };
                match poll_up_to(polls, call) {
                    Some(data) => seen.push(data),
                    None => dropped += 1,
                }
                assert!(dropped < 10_000, "no progress");
            }
            assert_eq!(seen, EVENTS, "{polls} polls");
        }
    }
}

/// Between a step and the view of it: the second `fill_buf` waits and is dropped.
#[test]
fn an_event_that_was_complete_survives_a_drop() {
    let script = Script::new([Act::Give(b"data: a\n\ndata: b\n\n".to_vec()), Act::Wait]);
    let mut reader = AsyncInPlaceReader::new(Ring::new(script), [0; 832], Limits::SMALL).unwrap();
    assert!(poll_up_to(1, reader.next_event()).is_none());
    // It was dispatched, and is not lost.
    assert_eq!(reader.counters().events, 1);
    let event = poll_up_to(1, reader.next_event())
        .unwrap()
        .unwrap()
        .unwrap();
    assert_eq!(event.data(), "a");
    let event = poll_up_to(9, reader.next_event())
        .unwrap()
        .unwrap()
        .unwrap();
    assert_eq!(event.data(), "b");
}

#[test]
fn a_response_loses_nothing_wherever_its_futures_are_dropped() {
    let answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: \
        chunked\r\n\r\n4\r\ndata\r\n9;x=y\r\n: one\n\nda\r\n7\r\nta: 2\n\n\r\n0\r\nt: 1\r\n\r\n";
    for len in 1..answer.len() {
        let give = |chunk: &[u8]| [Act::Wait, Act::Give(chunk.to_vec())];
        let script = Script::new(answer.chunks(len).flat_map(give));
        let mut response = AsyncResponse::new(script, [0; 16]);
        let (mut body, mut room) = (Vec::new(), [0; 5]);
        for _ in 0..1000 {
            match poll_up_to(1, response.read(&mut room)) {
                Some(Ok(0)) => break,
                Some(result) => body.extend_from_slice(&room[..result.unwrap()]),
                None => {}
            }
        }
        assert_eq!(body, b"data: one\n\ndata: 2\n\n", "portions of {len}");
    }
}

#[test]
fn a_write_goes_on_where_it_was_dropped() {
    let block = Encoder::event(b"note", b"two\nlines", Some(b"7")).unwrap();
    for most in 1..8 {
        let mut sink = Sink {
            most,
            waits: true,
            ..Sink::default()
        };
        let mut outgoing = Outgoing::new(block);
        let mut dropped = 0;
        while poll_up_to(1, write_async(&mut sink, &mut outgoing)).is_none() {
            dropped += 1;
        }
        assert!(outgoing.is_done() && dropped > 4);
        assert_eq!(
            sink.taken,
            b"event: note\nid: 7\ndata: two\ndata: lines\n\n"
        );
    }
}

/// A fast stream without events must not starve the tasks beside it.
#[test]
fn one_read_for_each_poll() {
    let comments = (0..50).map(|_| Act::Give(b": ping\n".to_vec()));
    let script = Script::new(comments.chain([Act::Give(b"data\n\n".to_vec())]));
    let mut reader = AsyncEventReader::new(script, [0; 64], [0; 832], Limits::SMALL).unwrap();
    for polls in 1..=50 {
        assert!(poll_up_to(1, reader.next_event()).is_none());
        assert_eq!(reader.source().reads, polls);
    }
    assert!(poll_up_to(1, reader.next_event()).is_some());
}

/// What a task holds besides the reader; the figure is for 64-bit hosts.
#[test]
fn futures_are_small() {
    let mut reader = AsyncEventReader::new(&b""[..], [0; 64], [0; 832], Limits::SMALL).unwrap();
    let len = size_of_val(&reader.next_event());
    assert!(len <= 128, "{len} bytes");
    let mut reader = AsyncInPlaceReader::new(&b""[..], [0; 832], Limits::SMALL).unwrap();
    let len = size_of_val(&reader.next_event());
    assert!(len <= 128, "{len} bytes");
}

#[test]
fn errors_pass_through_a_task() {
    let acts = [
        Act::Give(b"data: a\n".to_vec()),
        Act::Fail,
        Act::Give(b"\n".to_vec()),
    ];
    let script = Script::new(acts);
    let mut reader = AsyncEventReader::new(script, [0; 64], [0; 832], Limits::SMALL).unwrap();
    let error = poll_up_to(9, reader.next_event()).unwrap().unwrap_err();
    assert!(matches!(error, ReadError::Source(_)));
    assert_eq!(
        poll_up_to(9, reader.next_event())
            .unwrap()
            .unwrap()
            .unwrap()
            .data(),
        "a"
    );
}
