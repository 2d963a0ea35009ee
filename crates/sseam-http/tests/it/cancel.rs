//! Futures that are dropped at every await: nothing that was received may be lost.

use futures::StreamExt;
use sseam::llm::{Dialect, Turn};
use sseam_http::{Told, answer, bytes_events, events};

use crate::body::{Script, poll_up_to};

const STREAM: &[u8] =
    b"id: 1\ndata: one\n\n: ping\n\ndata: two\ndata: lines\n\nevent: x\ndata: 3\n\n";
const EVENTS: [&str; 3] = ["one", "two\nlines", "3"];

/// Takes with futures that live for `polls` polls, until one gives `None`.
fn gathered<T>(polls: usize, mut next: impl FnMut(usize) -> Option<Option<T>>) -> Vec<T> {
    let (mut seen, mut dropped) = (Vec::new(), 0);
    loop {
        match next(polls) {
            Some(Some(item)) => seen.push(item),
            Some(None) => break,
            None => dropped += 1,
        }
        assert!(dropped < 10_000, "no progress");
    }
    assert!(dropped > 0 || polls > 1);
    seen
}

fn each(mut check: impl FnMut(&'static [u8], usize, usize)) {
    for len in 1..STREAM.len() {
        for polls in 1..=3 {
            check(STREAM, len, polls);
        }
    }
}

#[test]
fn streams_lose_nothing_wherever_their_futures_are_dropped() {
    each(|stream, len, polls| {
        let mut owned = events(Script::slow(stream.chunks(len)));
        let seen = gathered(polls, |polls| poll_up_to(polls, owned.next()));
        let seen: Vec<_> = seen.into_iter().map(|it| it.unwrap().into_data()).collect();
        assert_eq!(
            seen,
            EVENTS.map(str::as_bytes),
            "{polls} polls, {len} bytes"
        );

        let mut shared = bytes_events(Script::slow(stream.chunks(len))).with_copies_up_to(0);
        let seen = gathered(polls, |polls| poll_up_to(polls, shared.next()));
        let seen: Vec<_> = seen.into_iter().map(|it| it.unwrap().into_data()).collect();
        assert_eq!(
            seen,
            EVENTS.map(str::as_bytes),
            "{polls} polls, {len} bytes"
        );
    });
}

#[test]
fn lent_events_are_not_lost_wherever_their_futures_are_dropped() {
    each(|stream, len, polls| {
        let mut lent = events(Script::slow(stream.chunks(len)));
        let seen = gathered(polls, |polls| {
            let next = async {
                let event = lent.next_event().await.unwrap();
                event.map(|event| event.data().to_string())
            };
            poll_up_to(polls, next)
        });
        assert_eq!(seen, EVENTS, "{polls} polls, {len} bytes");
    });
}

#[test]
fn answers_lose_nothing_wherever_their_futures_are_dropped() {
    let stream: &[u8] = b"data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n\
        data: {\"choices\":[{\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\n\n\
        data: [DONE]\n\n";
    for len in 1..stream.len() {
        for polls in 1..=3 {
            let turn = Turn::new(Dialect::OpenAiChat);
            let mut answer = answer(Script::slow(stream.chunks(len)), turn);
            let told = gathered(polls, |polls| poll_up_to(polls, answer.next()));
            let text: String = told
                .iter()
                .filter_map(|told| match told {
                    Told::Signal(signal) => signal.as_text(),
                    _ => None,
                })
                .collect();
            assert_eq!(text, "Hello", "{polls} polls, {len} bytes");
            let Some(Told::Outcome(outcome)) = told.last() else {
                panic!("the outcome is last");
            };
            assert!(outcome.is_completed());
        }
    }
}
