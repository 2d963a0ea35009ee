//! A reader at its edges: errors, ends, resets, buffers, parts.

use std::io::{self, ErrorKind, Read};

use sseam::{BUFFER_LEN, Error, EventReader, Item, Limit, Limits, Overflow, ReadError, SetupError};

use crate::sources::{Script, Told};

fn bytes(text: &str) -> Told<'_> {
    Told::Bytes(text.as_bytes())
}

/// The data of the next event, or how the reader ended.
fn next<R: Read>(reader: &mut EventReader<R>) -> String {
    match reader.next_event() {
        Ok(Some(event)) => event.data().to_string(),
        Ok(None) => "end".to_owned(),
        Err(ReadError::Source(error)) => format!("{:?}", error.kind()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn an_error_comes_after_the_events_before_it_and_loses_nothing() {
    let mut reader = EventReader::new(Script::new([
        bytes("data: 1\n\ndata: 2\n\nda"),
        Told::Error(ErrorKind::ConnectionReset),
        Told::Error(ErrorKind::TimedOut),
        bytes("ta: 3\n\n"),
    ]));
    let all: Vec<String> = (0..7).map(|_| next(&mut reader)).collect();
    assert_eq!(
        all,
        ["1", "2", "ConnectionReset", "TimedOut", "3", "end", "end"]
    );
}

#[test]
fn interrupted_reads_are_repeated_and_not_told() {
    let interrupted = Told::Error(ErrorKind::Interrupted);
    let mut reader = EventReader::new(Script::new([
        interrupted,
        bytes("data: 1\n"),
        interrupted,
        interrupted,
        bytes("\n"),
        interrupted,
    ]));
    assert_eq!([next(&mut reader), next(&mut reader)], ["1", "end"]);
}

#[test]
fn iterators_end_after_an_error_and_the_reader_may_go_on() {
    let script = Script::new([
        bytes("data: 1\n\n"),
        Told::Error(ErrorKind::TimedOut),
        bytes("data: 2\n\n"),
    ]);
    let mut events = EventReader::new(script).into_iter();
    assert!(matches!(events.next(), Some(Ok(_))));
    assert!(matches!(events.next(), Some(Err(ReadError::Source(_)))));
    assert!(events.next().is_none() && events.next().is_none());

    let mut reader = events.into_reader();
    let mut events = reader.events();
    assert!(matches!(events.next(), Some(Ok(event)) if event.data() == "2"));
    assert!(events.next().is_none());
    assert_eq!(reader.counters().events, 2);
}

#[test]
fn a_truncated_end_is_said_once() {
    let source = "data: 1\n\nid: 7\nevent: cut\ndata: 2\nda";
    let mut reader = EventReader::new(source.as_bytes());
    assert_eq!(next(&mut reader), "1");
    assert_eq!(reader.take_unfinished(), Ok(None), "there is no end yet");
    let Err(ReadError::Truncated(end)) = reader.next_event() else {
        panic!("the stream breaks off");
    };
    assert!(end.line && end.data && end.event && end.id);
    assert_eq!(end.offset, source.len() as u64);
    assert_eq!(next(&mut reader), "end");

    let event = reader.take_unfinished().unwrap().unwrap();
    assert_eq!(
        (event.event_type(), event.data()),
        ("cut".into(), "2".into())
    );
    assert_eq!(event.last_event_id(), "");
    assert!(!event.is_complete());
    assert_eq!(next(&mut reader), "end");
    assert_eq!(reader.last_event_id(), "");
}

#[test]
fn an_end_is_not_asked_for_again() {
    let mut reader = EventReader::new(Script::default());
    assert_eq!([next(&mut reader), next(&mut reader)], ["end", "end"]);
    assert_eq!(reader.source().reads, 1);
}

#[test]
fn an_event_is_given_before_more_is_read() {
    let mut reader = EventReader::new(Script::new([bytes("data: 1\n\ndata: 2\n\n")]));
    assert_eq!([next(&mut reader), next(&mut reader)], ["1", "2"]);
    assert_eq!(reader.source().reads, 1);
    assert_eq!(next(&mut reader), "end");
    assert_eq!(reader.source().reads, 2);
}

#[test]
fn a_passed_limit_stays_until_a_reset() {
    let limits = Limits {
        data_len_max: 2,
        ..Limits::LARGE
    };
    let source = "id: 7\ndata: ab\n\nid: 8\ndata: abc\n\ndata: c\n\n";
    let mut reader = EventReader::with_limits(source.as_bytes(), limits);
    assert_eq!(next(&mut reader), "ab");
    for _ in 0..3 {
        let Err(ReadError::Parse(error)) = reader.next_event() else {
            panic!("the limit is passed");
        };
        let expected = Error::LimitPassed {
            limit: Limit::Data,
            max: 2,
            offset: 30,
        };
        assert_eq!(error, expected);
    }
    let rest = reader.reset("data: d\n\n".as_bytes());
    assert!(rest.is_empty(), "the old source is given back as it stands");
    assert_eq!(next(&mut reader), "d");
    assert_eq!(reader.last_event_id(), "7");
    assert_eq!(reader.limits().data_len_max, 2);
    assert_eq!(reader.counters().events, 1);
}

#[test]
fn a_reset_drops_what_was_read_and_keeps_what_a_reconnect_needs() {
    let mut reader = EventReader::new("retry: 9\nid: 7\ndata: 1\n\ndata: old\n".as_bytes());
    assert_eq!(next(&mut reader), "1");
    reader.reset("\u{FEFF}data: new\n\n".as_bytes());
    assert_eq!([next(&mut reader), next(&mut reader)], ["new", "end"]);
    assert_eq!(reader.retry(), Some(9));
    assert_eq!(reader.last_event_id(), "7");

    reader.reset("data: cut".as_bytes());
    assert!(next(&mut reader).starts_with("stream broke off at byte 9"));
    reader.reset("data: after a truncated end\n\n".as_bytes());
    assert_eq!(next(&mut reader), "after a truncated end");
}

#[test]
fn an_initial_id_is_there_before_the_first_event() {
    let mut reader = EventReader::new("data\n\n".as_bytes());
    reader.set_last_event_id("42").unwrap();
    let event = reader.next_event().unwrap().unwrap();
    assert_eq!(event.last_event_id(), "42");
    assert_eq!(
        reader.set_last_event_id("4\n2"),
        Err(SetupError::IdByte { at: 1 })
    );
    let len = reader.limits().id_len_max;
    assert!(reader.set_last_event_id(vec![b'x'; len]).is_ok());
    assert_eq!(
        reader.set_last_event_id(vec![b'x'; len + 1]),
        Err(SetupError::IdTooLong {
            len: len + 1,
            max: len
        })
    );
    assert_eq!(reader.last_event_id().len(), len);
}

#[test]
fn items_are_given_in_the_order_of_the_stream() {
    let limits = Limits {
        data_len_max: 4,
        overflow: Overflow::Skip,
        ..Limits::LARGE
    };
    let source = ": ping\nunknown\nretry: 5\ndata: long\ndata: er\n\ndata: ok\n\n";
    let mut reader = EventReader::with_limits(source.as_bytes(), limits).with_buffer_size(3);
    let mut seen = Vec::new();
    while let Some(item) = reader.next_item().unwrap() {
        seen.push(match item {
            Item::Event(event) => format!("event {}", event.data()),
            Item::Comment(line) => format!("comment{}", line.prefix()),
            Item::Ignored(line) => format!("ignored {}", line.prefix()),
            Item::Retry(milliseconds) => format!("retry {milliseconds}"),
            Item::Skipped(skipped) => format!("skipped {} {}", skipped.bytes(), skipped.head()),
            _ => panic!("an item of another kind"),
        });
    }
    let expected = [
        "comment ping",
        "ignored unknown",
        "retry 5",
        "skipped 7 long",
        "event ok",
    ];
    assert_eq!(seen, expected);
}

/// After every number of events, whatever the buffer's size: what was parsed,
/// what was read, and what is left in the source are the stream.
#[test]
fn parts_lose_no_byte() {
    let stream = b"data: 1\n\nid: x\r\n\r\ndata: 22\rdata\r\r: c\n\nevent: y\ndata: z\n\n\xEF\xBB";
    for buffer_size in 1..=stream.len() + 1 {
        for taken in 0..6 {
            let mut reader = EventReader::new(&stream[..]).with_buffer_size(buffer_size);
            for _ in 0..taken {
                next(&mut reader);
            }
            let parsed = reader.counters().bytes as usize;
            let parts = reader.into_parts();
            let whole = [&stream[..parsed], &parts.unread, parts.source].concat();
            assert_eq!(whole, stream, "{taken} events with {buffer_size} bytes");
        }
    }
}

#[test]
fn a_reader_put_together_again_goes_on_within_the_block() {
    let stream = "id: 7\nevent: note\ndata: first\ndata: second\n\n";
    let script = |text| Script::new([bytes(text), Told::Error(ErrorKind::WouldBlock)]);
    for cut in 1..stream.len() {
        let (head, tail) = stream.split_at(cut);
        let mut reader = EventReader::new(script(head));
        assert_eq!(next(&mut reader), "WouldBlock");
        let mut parts = reader.into_parts();
        assert!(parts.unread.is_empty());
        parts.source = script(tail);
        let mut reader = EventReader::from_parts(parts);
        let event = reader.next_event().unwrap().unwrap();
        assert_eq!(event.event_type(), "note");
        assert_eq!(event.data(), "first\nsecond");
        assert_eq!(event.last_event_id(), "7");
        assert_eq!(event.span().end, stream.len() as u64);
    }
}

#[test]
fn a_reader_put_together_again_begins_with_what_was_unread() {
    let stream = "data: 1\n\ndata: 2\n\ndata: 3\n\n";
    for buffer_size in 1..stream.len() {
        let mut reader = EventReader::new(stream.as_bytes()).with_buffer_size(buffer_size);
        for data in ["1", "2", "3", "end"] {
            assert_eq!(next(&mut reader), data, "with {buffer_size} bytes");
            reader = EventReader::from_parts(reader.into_parts()).with_buffer_size(buffer_size);
        }
    }
}

#[test]
fn a_buffer_size_bounds_each_read() {
    for (asked, wanted) in [(0, 1), (1, 1), (7, 7), (BUFFER_LEN, BUFFER_LEN)] {
        let mut room = Vec::new();
        let source = Rooms(&mut room);
        let mut reader = EventReader::new(source).with_buffer_size(asked);
        assert_eq!(next(&mut reader), "end");
        assert_eq!(room, [wanted]);
    }
    let mut room = Vec::new();
    assert_eq!(next(&mut EventReader::new(Rooms(&mut room))), "end");
    assert_eq!(room, [BUFFER_LEN]);
}

#[test]
fn another_buffer_size_keeps_what_was_read() {
    let mut reader = EventReader::new("data: 1\n\ndata: 2\n\ndata: 3\n\n".as_bytes());
    assert_eq!(next(&mut reader), "1");
    let mut reader = reader.with_buffer_size(1);
    assert_eq!(
        [next(&mut reader), next(&mut reader), next(&mut reader)],
        ["2", "3", "end"]
    );
}

#[test]
fn a_buffer_that_the_heap_has_no_room_for_is_an_error() {
    let reader = EventReader::new("data: 1\n\n".as_bytes());
    let mut reader = reader.with_buffer_size(usize::MAX);
    assert_eq!(next(&mut reader), "OutOfMemory");
    let mut reader = reader.with_buffer_size(8);
    assert_eq!(next(&mut reader), "1");
}

#[test]
fn a_source_that_claims_more_than_its_room_does_no_harm() {
    let mut reader = EventReader::new(Liar).with_buffer_size(9);
    assert_eq!(next(&mut reader), "x");
    assert_eq!(next(&mut reader), "x");
    assert_eq!(reader.counters().bytes, 18);
}

#[test]
fn errors_become_io_errors_of_a_fitting_kind() {
    let limits = Limits {
        bytes_max: 3,
        ..Limits::LARGE
    };
    let error = EventReader::with_limits("data".as_bytes(), limits)
        .next_event()
        .unwrap_err();
    assert_eq!(error.truncated(), None);
    assert_eq!(io::Error::from(error).kind(), ErrorKind::InvalidData);

    let error = EventReader::new("data".as_bytes())
        .next_event()
        .unwrap_err();
    assert_eq!(error.truncated().map(|end| end.offset), Some(4));
    assert_eq!(io::Error::from(error).kind(), ErrorKind::UnexpectedEof);

    let source = Script::new([Told::Error(ErrorKind::TimedOut)]);
    let error = EventReader::new(source).next_event().unwrap_err();
    assert_eq!(error.to_string(), "the source of the stream failed");
    let source = std::error::Error::source(&error).expect("the source's error is the cause");
    assert_eq!(
        source.to_string(),
        io::Error::from(ErrorKind::TimedOut).to_string()
    );
    assert_eq!(io::Error::from(error).kind(), ErrorKind::TimedOut);

    let lack = Error::MemoryTooShort {
        wanted: 2,
        given: 1,
    };
    let error: ReadError = lack.into();
    assert_eq!(error.to_string(), lack.to_string());
    assert_eq!(io::Error::from(error).kind(), ErrorKind::OutOfMemory);
}

/// Notes the room of each read, and has ended.
struct Rooms<'r>(&'r mut Vec<usize>);

impl Read for Rooms<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.push(buffer.len());
        Ok(0)
    }
}

/// Fills its room with an event of 9 bytes and claims more.
struct Liar;

impl Read for Liar {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.copy_from_slice(b"data: x\n\n");
        Ok(usize::MAX)
    }
}
