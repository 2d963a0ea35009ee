//! What the readers promise besides events: ends, errors, resets, losses, and
//! the faults that other people's firmware had.

use embedded_io::Error as _;
use sseam_core::{Error, Item, Limit, Limits, Overflow, SetupError};
use sseam_embedded_io::{EventReader, InPlaceReader, ReadError};
use sseam_testkit::cases;

use crate::transport::{Act, Overrun, Ring, Script};

type Reader = EventReader<Script, [u8; 16], [u8; 832]>;

fn reader(acts: impl IntoIterator<Item = Act>) -> Reader {
    EventReader::new(Script::new(acts), [0; 16], [0; 832], Limits::SMALL).unwrap()
}

fn give(bytes: &[u8]) -> Act {
    Act::Give(bytes.to_vec())
}

/// The data of the next event.
#[track_caller]
fn next(reader: &mut Reader) -> String {
    let event = reader.next_event().unwrap().expect("no event");
    event.data().to_str().unwrap().to_owned()
}

#[test]
fn an_error_of_the_transport_loses_nothing() {
    let mut reader = reader([give(b"data: a"), Act::Fail, give(b"b\n\n")]);
    assert_eq!(reader.next_event().unwrap_err(), ReadError::Source(Overrun));
    assert_eq!(next(&mut reader), "ab");
}

#[test]
fn after_an_overrun_no_event_is_made_of_two() {
    let mut reader = reader([
        give(b"data: a\nda"),
        Act::Fail,
        give(b"ta: c\n\nid: 9\ndata: d\n\n"),
    ]);
    assert_eq!(reader.next_event().unwrap_err(), ReadError::Source(Overrun));
    reader.resync();
    assert_eq!(next(&mut reader), "d");
    assert_eq!(
        (reader.counters().skipped, reader.counters().events),
        (1, 1)
    );
    assert_eq!(reader.last_event_id(), "9");
}

#[test]
fn truncation_is_told_once_and_the_rest_can_be_taken() {
    let mut reader = reader([give(b"data: a\n\ndata: cut")]);
    assert_eq!(next(&mut reader), "a");
    let Err(ReadError::Truncated(end)) = reader.next_event() else {
        panic!("not truncated")
    };
    assert!(end.line && !end.data);
    assert!(reader.next_event().unwrap().is_none());
    let event = reader.take_unfinished().unwrap();
    assert!(event.data() == "cut" && !event.is_complete());
    assert!(reader.take_unfinished().is_none());
    assert_eq!(reader.source().reads_after_end, 0);
}

/// E03: a transport that gives 0 in the middle is at its end; it is not asked
/// again and again.
#[test]
fn nothing_is_the_end() {
    let mut reader = reader([give(b"data: a\n"), give(b""), give(b"\n")]);
    assert!(matches!(reader.next_event(), Err(ReadError::Truncated(_))));
    for _ in 0..3 {
        assert!(reader.next_event().unwrap().is_none());
    }
    assert_eq!(reader.source().reads, 2);
}

#[test]
fn a_reset_keeps_id_and_retry() {
    let mut reader = reader([give(b"id: 7\nretry: 50\ndata: a\n\ndata: un")]);
    assert_eq!(next(&mut reader), "a");
    let old = reader.reset(Script::new([give(b"data: b\n\n")]));
    assert_eq!(old.reads, 2);
    let event = reader.next_event().unwrap().unwrap();
    assert_eq!(
        (event.data(), event.last_event_id()),
        ("b".into(), "7".into())
    );
    assert_eq!((reader.retry(), reader.counters().bytes), (Some(50), 9));
}

#[test]
fn parts_hold_all_that_was_read() {
    let mut reader = reader([give(b"data: a\n\nmore")]);
    assert_eq!(next(&mut reader), "a");
    let parts = reader.into_parts();
    assert_eq!(&parts.buffer[parts.unread], b"more");
    assert_eq!(parts.engine.counters().bytes, 9);
}

#[test]
fn memory_is_checked_when_it_is_lent() {
    let source = &b""[..];
    let error = EventReader::new(source, [0; 1], [0; 831], Limits::SMALL).unwrap_err();
    assert_eq!(
        error,
        SetupError::MemoryTooShort {
            wanted: 832,
            given: 831
        }
    );
    let error = EventReader::new(source, [0; 0], [0; 832], Limits::SMALL).unwrap_err();
    assert_eq!(
        error,
        SetupError::MemoryTooShort {
            wanted: 1,
            given: 0
        }
    );
}

/// E10: a type that does not fit must not be delivered under another one.
#[test]
fn an_event_with_too_long_a_type_is_dropped_whole() {
    let case = cases::layer("embedded")
        .find(|case| case.id == "E10")
        .unwrap();
    let stream = case.streams().remove(0);
    let limits = Limits {
        event_type_len_max: 16,
        overflow: Overflow::Skip,
        ..Limits::SMALL
    };
    let mut reader = EventReader::new(&stream[..], [0; 8], [0; 832], limits).unwrap();
    let Ok(Some(Item::Skipped(skipped))) = reader.next_item() else {
        panic!("not skipped")
    };
    assert_eq!(
        (skipped.limit(), skipped.event_type()),
        (Limit::EventType, None)
    );
    let event = reader.next_event().unwrap().unwrap();
    assert_eq!(
        (event.data(), event.last_event_id()),
        ("y".into(), "4".into())
    );

    let limits = Limits {
        overflow: Overflow::Stop,
        ..limits
    };
    let mut reader = EventReader::new(&stream[..], [0; 8], [0; 832], limits).unwrap();
    let error = reader.next_event().unwrap_err();
    let ReadError::Parse(Error::LimitPassed { limit, max, .. }) = error else {
        panic!("{error}")
    };
    assert_eq!((limit, max), (Limit::EventType, 16));
    assert_eq!(reader.next_event().unwrap_err(), error);
}

/// E01: short reads give their events at once, without a further read.
#[test]
fn an_event_needs_no_byte_behind_it() {
    let case = cases::layer("embedded")
        .find(|case| case.id == "E01")
        .unwrap();
    let stream = case.streams().remove(0);
    let mut reader = reader([
        give(&stream[..5]),
        give(&stream[5..11]),
        give(&stream[11..]),
    ]);
    let event = reader.next_event().unwrap().unwrap();
    assert_eq!(
        (event.event_type(), event.data()),
        ("put".into(), "{\"v\":1}".into())
    );
    assert_eq!(reader.source().reads, 3);
}

/// E06: what is on the stack is the caller's choice; the state is small.
#[test]
fn state_is_small() {
    type Lent<'m> = EventReader<(), &'m mut [u8], &'m mut [u8]>;
    let len = size_of::<Lent<'_>>();
    assert!(len <= 512, "{len} bytes on a 64-bit host");
}

#[test]
fn a_transport_that_claims_too_much_is_not_believed() {
    struct Liar;
    impl embedded_io::ErrorType for Liar {
        type Error = Overrun;
    }
    impl embedded_io::Read for Liar {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Overrun> {
            buffer.fill(b'\n');
            Ok(usize::MAX)
        }
    }
    let limits = Limits {
        bytes_max: 100,
        ..Limits::SMALL
    };
    let mut reader = EventReader::new(Liar, [0; 8], [0; 832], limits).unwrap();
    assert!(matches!(
        reader.next_event(),
        Err(ReadError::Parse(Error::LimitPassed { .. }))
    ));
}

#[test]
fn a_reader_in_place_owes_what_it_lent() {
    let ring = Ring::new(Script::new([give(b"data: a\n\ndata: b\n\nrest")]));
    let mut reader = InPlaceReader::new(ring, [0; 832], Limits::SMALL).unwrap();
    assert_eq!(reader.next_event().unwrap().unwrap().data(), "a");
    assert_eq!(reader.next_event().unwrap().unwrap().data(), "b");
    let mut ring = reader.into_source();
    assert_eq!(embedded_io::BufRead::fill_buf(&mut ring).unwrap(), b"rest");
}

/// The view is taken with a second `fill_buf`; if that fails, the event is
/// given by the next call.
#[test]
fn an_event_survives_an_error_before_it_was_lent() {
    let mut ring = Ring::new(Script::new([give(b"data: a\n\ndata: b\n\n")]));
    ring.fails_when_full = true;
    let mut reader = InPlaceReader::new(ring, [0; 832], Limits::SMALL).unwrap();
    assert_eq!(reader.next_event().unwrap_err(), ReadError::Source(Overrun));
    assert_eq!(reader.next_event().unwrap().unwrap().data(), "a");
    assert_eq!(reader.next_event().unwrap().unwrap().data(), "b");
}

#[test]
fn errors_speak() {
    let error: ReadError<Overrun> = ReadError::Source(Overrun);
    assert_eq!(error.to_string(), "the transport of the stream failed");
    assert_eq!(Overrun.kind(), embedded_io::ErrorKind::Other);
    assert!(std::error::Error::source(&error).is_some());
}
