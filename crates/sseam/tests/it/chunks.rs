//! Events out of iterators of chunks, at their edges.

use sseam::{Limits, ReadError, events, events_with_limits, try_events};

/// What a loop over the events sees.
fn looped<E: std::fmt::Debug>(
    events: impl Iterator<Item = Result<sseam::OwnedEvent, ReadError<E>>>,
) -> Vec<String> {
    let told = |event| match event {
        Ok(event) => sseam::OwnedEvent::data(&event).to_string(),
        Err(ReadError::Source(error)) => format!("{error:?}"),
        Err(error) => ReadError::to_string(&error),
    };
    events.map(told).collect()
}

#[test]
fn chunks_may_be_of_any_kind() {
    let texts = ["data: 1\n\nda", "", "ta: 2\n\n"];
    assert_eq!(looped(events(texts)), ["1", "2"]);
    assert_eq!(looped(events(texts.map(String::from))), ["1", "2"]);
    assert_eq!(looped(events(texts.map(Vec::from))), ["1", "2"]);
    assert_eq!(
        looped(events(&texts.map(Box::<str>::from).map(String::from))),
        ["1", "2"]
    );
    assert_eq!(looped(events(b"data: 1\n\n".chunks(2))), ["1"]);
}

#[test]
fn no_chunks_and_empty_chunks_are_a_clean_end() {
    assert!(looped(events(Vec::<&str>::new())).is_empty());
    assert!(looped(events(["", "", ""])).is_empty());
}

#[test]
fn an_error_comes_after_the_events_before_it_and_ends_the_loop() {
    let chunks = [
        Ok("data: 1\n\ndata: 2\n\nda"),
        Err("reset"),
        Ok("ta: 3\n\n"),
    ];
    assert_eq!(looped(try_events(chunks)), ["1", "2", "\"reset\""]);
}

#[test]
fn lending_goes_on_after_an_error_of_the_source() {
    let chunks = [Ok("da"), Err("late"), Ok("ta: 3\n\n")];
    let mut events = try_events(chunks);
    assert_eq!(events.next_event(), Err(ReadError::Source("late")));
    let event = events.next_event().unwrap().unwrap();
    assert_eq!(event.data(), "3");
    assert_eq!(events.next_event(), Ok(None));
}

#[test]
fn a_loop_that_has_failed_stays_at_its_end_until_a_reset() {
    let first = vec![Ok("id: 7\n\n"), Err("late"), Ok("data: 1\n\n")];
    let mut events = try_events(first);
    assert!(matches!(
        events.next(),
        Some(Err(ReadError::Source("late")))
    ));
    assert!(events.next().is_none() && events.next().is_none());
    events.reset(vec![Ok("data: 2\n\n")].into_iter());
    assert!(matches!(events.next(), Some(Ok(event)) if event.last_event_id() == "7"));
    assert!(events.next().is_none());
}

#[test]
fn a_truncated_end_is_said_once_and_its_event_given_to_who_asks() {
    let mut events = events(["data: 1\n\nda", "ta: cut"]);
    assert_eq!(events.by_ref().filter(Result::is_ok).count(), 1);
    assert!(events.next().is_none());
    let event = events.take_unfinished().unwrap().unwrap();
    assert_eq!(event.data(), "cut");
    assert_eq!(events.take_unfinished(), Ok(None));
}

#[test]
fn limits_hold() {
    let limits = Limits {
        data_len_max: 3,
        ..Limits::LARGE
    };
    let seen = looped(events_with_limits(
        ["data: 123\n\n", "data: 12", "34"],
        limits,
    ));
    assert_eq!(
        seen,
        [
            "123",
            "data_len_max of 3 was passed at byte 20 of the stream"
        ]
    );
}

#[test]
fn parts_lose_no_byte() {
    let stream = "data: 1\n\ndata: 22\rdata\r\r: c\n\ndata: z\n\n";
    for len in 1..=stream.len() {
        for taken in 0..4 {
            let mut events = events(stream.as_bytes().chunks(len));
            events.by_ref().take(taken).for_each(drop);
            let parsed = events.counters().bytes as usize;
            let parts = events.into_parts();
            let rest: Vec<&[u8]> = parts.source.into_inner().collect();
            let whole = [&stream.as_bytes()[..parsed], &parts.unread, &rest.concat()].concat();
            assert_eq!(
                whole,
                stream.as_bytes(),
                "{taken} events in chunks of {len}"
            );
        }
    }
}
