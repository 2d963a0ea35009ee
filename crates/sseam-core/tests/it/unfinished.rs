//! The event that the end of input threw away, for a caller who asks: streams
//! that break off come in, and what is given for each.

use sseam_core::{Limits, Overflow, Parser, Span};
use sseam_testkit::split;

use crate::engines;

/// Streams, and the data of their unfinished event.
const CASES: &[(&str, Option<&str>)] = &[
    ("", None),
    ("\n", None),
    ("data: a\n\n", None),
    // A line counts once its colon was seen.
    ("d", None),
    ("data", None),
    ("data:", Some("")),
    ("data: ", Some("")),
    ("data:  ", Some(" ")),
    ("data: a", Some("a")),
    ("data: a\r", Some("a")),
    ("data: a\n", Some("a")),
    ("data\n", Some("")),
    ("data\ndata", Some("")),
    ("data: a\ndata", Some("a")),
    ("data: a\ndata:", Some("a\n")),
    ("data: a\ndata: ", Some("a\n")),
    ("data: a\ndata: b", Some("a\nb")),
    ("data:\ndata:\ndata:", Some("\n\n")),
    ("data: a\n\ndata: b", Some("b")),
    // Another line in progress counts for nothing.
    ("data: a\nevent: t", Some("a")),
    ("data: a\nid: 1", Some("a")),
    ("data: a\n: x", Some("a")),
    ("data: a\nunknown", Some("a")),
    ("event: t\n", None),
    ("event: t\nid: 1\n", None),
    ("event: data:", None),
    (": data: a", None),
    ("\u{feff}data: a", Some("a")),
    ("\u{feff}\u{feff}data: a", None),
];

#[test]
fn unfinished_events() {
    for &(stream, expected) in CASES {
        for cut in split::every(stream.as_bytes()) {
            let mut parser = fed(Limits::SMALL, &cut.chunks);
            assert!(
                matches!(parser.take_unfinished(), Ok(None)),
                "before the end"
            );
            let end = parser.finish();
            let event = parser.take_unfinished().expect("memory of fixed length");
            let data = event.map(|event| event.data().to_string());
            assert_eq!(data.as_deref(), expected, "{stream:?} {cut}");
            assert!(expected.is_none() || end.is_truncated());
            assert!(
                matches!(parser.take_unfinished(), Ok(None)),
                "it is given once"
            );
            assert_eq!(parser.finish(), end);
        }
    }
}

/// Its type is what an `event` line set; its id is the committed one, and its
/// own is never committed.
#[test]
fn an_unfinished_event_has_its_type_and_not_its_id() {
    let stream = b"id: 1\n\nid: 2\nevent: t\ndata: a\nevent: u";
    for cut in split::every(stream) {
        let mut parser = fed(Limits::SMALL, &cut.chunks);
        let end = parser.finish();
        assert_eq!(
            (end.line, end.data, end.event, end.id),
            (true, true, true, true)
        );
        let event = parser.take_unfinished().unwrap().unwrap();
        assert_eq!(
            (event.event_type().to_str(), event.data().to_str()),
            (Ok("t"), Ok("a"))
        );
        assert_eq!(event.last_event_id(), "1");
        assert_eq!(event.span(), Span { start: 7, end: 38 });
        assert!(!event.is_complete());
        assert_eq!(
            (parser.last_event_id().to_str(), parser.counters().events),
            (Ok("1"), 0)
        );
        parser.reset();
        assert_eq!(parser.last_event_id(), "1");
        assert!(parser.finish().is_clean());
        assert!(matches!(parser.take_unfinished(), Ok(None)));
    }
}

#[test]
fn an_unfinished_event_of_one_line_has_a_span() {
    for (stream, start) in [
        (&b"data: a"[..], 0),
        (b"\xEF\xBB\xBFdata:", 3),
        (b"\n\ndata: a", 2),
    ] {
        for cut in split::every(stream) {
            let mut parser = fed(Limits::SMALL, &cut.chunks);
            parser.finish();
            let span = parser.take_unfinished().unwrap().unwrap().span();
            assert_eq!(
                span,
                Span {
                    start,
                    end: stream.len() as u64
                },
                "{cut}"
            );
        }
    }
}

#[test]
fn nothing_is_unfinished_after_a_limit() {
    for overflow in [Overflow::Stop, Overflow::Skip] {
        let limits = Limits {
            data_len_max: 2,
            overflow,
            ..Limits::SMALL
        };
        for stream in [
            &b"data: abc"[..],
            b"data: abc\n",
            b"data: abc\ndata: a",
            b"data\ndata\ndata\ndata",
        ] {
            for cut in split::every(stream) {
                let mut parser = fed(limits, &cut.chunks);
                parser.finish();
                let found = parser.take_unfinished().map(|event| event.is_some());
                // The last line of the last stream has no end that would count.
                let is_given = stream.ends_with(b"\ndata");
                assert_eq!(found, Ok(is_given), "{stream:?} {cut}");
            }
        }
    }
}

/// A line that was begun brings its LF with it, if only the limit has room.
#[test]
fn an_unfinished_event_is_held_to_the_limit_of_data() {
    for (data_len_max, expected) in [(2, None), (3, Some("ab\n"))] {
        let limits = Limits {
            data_len_max,
            ..Limits::SMALL
        };
        for cut in split::every(b"data: ab\ndata:") {
            let mut parser = fed(limits, &cut.chunks);
            parser.finish();
            let event = parser.take_unfinished().expect("memory of fixed length");
            assert_eq!(
                event.map(|event| event.data().to_string()).as_deref(),
                expected,
                "{cut}"
            );
        }
    }
}

/// Feeds all chunks, up to an error.
fn fed(limits: Limits, chunks: &[&[u8]]) -> Parser<[u8; 1024]> {
    let mut parser = Parser::with_array(limits);
    let mut items = Vec::new();
    let _ = chunks
        .iter()
        .try_for_each(|chunk| engines::drain(&mut parser, &mut &**chunk, false, &mut items));
    parser
}
