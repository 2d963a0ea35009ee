//! No `Debug` and no error says what a stream says.

use std::fmt::Debug;

use sseam::{EventReader, Limits, OwnedEvent, ReadError};

/// The stream's content, of which no byte may be shown.
const SECRET: &str = "id: sec-ret\nevent: sec-ret\ndata: sec-ret\n\ndata: sec-ret\ndata: sec-ret";

/// Something is shown, and the content neither as text nor as numbers.
fn check(shown: &dyn Debug) {
    for text in [format!("{shown:?}"), format!("{shown:#?}")] {
        assert!(!text.is_empty());
        let flat = text.split_whitespace().collect::<String>();
        assert!(!flat.contains("sec-ret"), "{text}");
        assert!(!flat.contains("115,101,99"), "{text}");
    }
}

#[test]
fn readers_and_what_they_give() {
    for buffer_size in [1, 48, 1000] {
        let mut reader = EventReader::new(SECRET.as_bytes()).with_buffer_size(buffer_size);
        check(&reader);
        check(&reader.next_event().unwrap());
        check(&reader);
        check(&reader.events());
        check(&reader.clone().into_iter());
        check(&reader.clone().into_parts());
        check(&reader.next_event().unwrap_err());
        check(&reader.take_unfinished().unwrap());
        check(&reader.into_parts());
    }
}

#[test]
fn chunks_and_what_they_give() {
    let mut events = sseam::events(vec![SECRET.to_owned()]);
    check(&events);
    let event = events.next();
    assert!(matches!(event, Some(Ok(_))));
    check(&event);
    check(&events);
    check(&events.clone().into_parts().source);
    check(&events.into_parts());
    check(&OwnedEvent::new("sec-ret", "sec-ret", "sec-ret"));
}

#[test]
fn parsers_over_growing_memory() {
    let mut parser = sseam::parser();
    let mut input = SECRET.as_bytes();
    assert!(matches!(parser.next_event(&mut input), Ok(Some(_))));
    assert_eq!(parser.next_event(&mut input), Ok(None));
    check(&parser);
}

#[cfg(feature = "test-util")]
#[test]
fn cuts() {
    check(&sseam::every_cut(SECRET.as_bytes()));
}

#[test]
fn errors() {
    let limits = Limits {
        data_len_max: 3,
        ..Limits::LARGE
    };
    let error = EventReader::with_limits(SECRET.as_bytes(), limits)
        .next_event()
        .unwrap_err();
    check(&error);
    assert_eq!(
        error.to_string(),
        "data_len_max of 3 was passed at byte 36 of the stream"
    );
    assert!(matches!(error, ReadError::Parse(_)));
}
