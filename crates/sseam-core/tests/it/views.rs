//! What a caller gets to see: text, numbers, names, and nothing of the content
//! in any `Debug`.

use std::fmt::{self, Debug, Display, Write as _};
use std::str::Utf8Chunk;

use proptest::prelude::*;
use sseam_core::{
    EncodeError, Encoder, Engine, Error, Event, Field, InvalidText, Item, Items, Limit, Limits,
    LineView, Overflow, Parser, SetupError, Skipped, Step, Text, Token, Tokenizer,
};

use crate::engines::{Grown, Owned};
use crate::law1::config;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn text_is_what_a_browser_shows(bytes in bytes()) {
        let text = Text::new(&bytes);
        prop_assert_eq!(text.to_string(), String::from_utf8_lossy(&bytes));
        let expected = std::str::from_utf8(&bytes).map_err(|error| error.valid_up_to());
        prop_assert_eq!(text.to_str().map_err(|error| error.offset), expected);
        let parts = |chunk: Utf8Chunk<'_>| [chunk.valid().as_bytes(), chunk.invalid()].concat();
        let chunks: Vec<u8> = text.chunks().flat_map(parts).collect();
        prop_assert_eq!(&chunks, &bytes);
        prop_assert_eq!((text.len(), text.is_empty()), (bytes.len(), bytes.is_empty()));
        prop_assert!(text == bytes[..] && text.as_bytes() == bytes && text.as_ref() == bytes);
    }

    /// Decoding each value is decoding the stream: a malformed sequence takes no
    /// line end, colon or space with it.
    #[test]
    fn decoding_values_equals_decoding_the_stream(value in bytes(), name in bytes()) {
        let lines = [&b"data: "[..], &value, b"\n", &name, b": x\nevent:", &value, b"\n\n"];
        let stream = lines.concat();
        let decoded = String::from_utf8_lossy(&stream).into_owned();
        prop_assert_eq!(shown(&stream), shown(decoded.as_bytes()));
    }
}

fn shown(stream: &[u8]) -> Vec<(String, String)> {
    let mut parser = Parser::growing(Grown::default(), Limits::LARGE);
    let (mut input, mut events) = (stream, Vec::new());
    while let Some(event) = parser.next_event(&mut input).expect("no limit is passed") {
        events.push((event.event_type().to_string(), event.data().to_string()));
    }
    events
}

/// Replacement characters per maximal subpart, as the Encoding standard's
/// decoder makes them.
#[test]
fn replacement_characters() {
    let cases: [(&[u8], usize); 10] = [
        (b"\xE2\x82", 1),
        (b"\xC0\x80", 2),
        (b"\xED\xA0\x80", 3),
        (b"\xF4\x90\x80\x80", 4),
        (b"\xF8\x88\x80\x80\x80", 5),
        (b"\xF0\x9F\x98", 1),
        (b"\xF0\x9F\x98\xF0\x9F\x98\x80", 1),
        (b"\xFF\xFE", 2),
        (b"\xE4\xBD\xE4\xBD\xA0", 1),
        (b"", 0),
    ];
    for (bytes, count) in cases {
        let text = Text::new(bytes).to_string();
        assert_eq!(text.matches('\u{FFFD}').count(), count, "{bytes:?}");
    }
}

#[test]
fn text_compares_with_strings_and_bytes() {
    let text = Text::from("ab");
    assert!(text == "ab" && text == *"ab" && text == b"ab"[..] && text == Text::new(b"ab"));
    assert!(text != "a" && text != *"b" && text != b"abc"[..] && text < Text::new(b"b"));
    assert_eq!(Text::default(), "");
    let error = Text::new(b"a\xFF").to_str().unwrap_err();
    assert_eq!(error, InvalidText { offset: 1 });
    assert_eq!(error.to_string(), "text is not valid UTF-8 at its byte 1");
}

/// Logs must not leak what a stream says, in text or as lists of numbers.
#[test]
fn no_view_shows_content_in_debug() {
    let stream = b"id: SECRET\nevent: SECRET\ndata: SECRET\n\n: SECRET\nSECRET\nretry: 7\n\
        data: SECRET SECRET SECRET\n\nevent: SECRET\ndata: SECRET";
    let limits = Limits {
        data_len_max: 9,
        comment_len_max: 9,
        overflow: Overflow::Skip,
        ..Limits::SMALL
    };
    let memory = Owned(vec![0; limits.memory_len()]);
    let mut parser = Parser::new(memory, limits).expect("memory of that length");
    let mut input = &stream[..];
    let mut kinds = Vec::new();
    while let Some(item) = parser.next_item(&mut input).expect("nothing stops") {
        is_discreet(&item);
        kinds.push(match item {
            Item::Event(event) => {
                is_discreet(&(event.data(), event.event_type(), event.last_event_id()));
                "event"
            }
            Item::Comment(line) => {
                is_discreet(&(line, line.prefix()));
                "comment"
            }
            Item::Ignored(line) => {
                is_discreet(&(line, line.prefix()));
                "ignored"
            }
            Item::Skipped(skipped) => {
                is_discreet(&(skipped.head(), skipped.event_type()));
                "skipped"
            }
            _ => "retry",
        });
    }
    assert_eq!(kinds, ["event", "comment", "ignored", "retry", "skipped"]);
    is_discreet(&parser);
    let end = parser.finish();
    is_discreet(&(
        end,
        parser.last_event_id(),
        parser.counters(),
        parser.retry(),
        parser.limits(),
    ));
    is_discreet(&parser.take_unfinished());
    is_discreet(&Encoder::event(b"SECRET", b"SECRET", Some(b"SECRET")));
    is_discreet(&Encoder::event(b"SECRET\0", b"SECRET", None));
    is_discreet(&Encoder::comment(b"SECRET"));
    let mut engine = Engine::new(Limits::SMALL);
    let mut memory = [0; Limits::SMALL.memory_len()];
    is_discreet(&engine.step(&mut memory, stream, Items::ALL));
    is_discreet(&engine);
    is_discreet(&Parser::<[u8; 1024]>::with_array(Limits::SMALL).set_last_event_id(b"SECRET\0"));
    is_discreet(&Text::new(b"\xFFSECRET").to_str());
    let mut tokenizer = Tokenizer::new();
    tokenizer.next_token(&mut &b"data: SECRET"[..]);
    is_discreet(&tokenizer);
}

#[track_caller]
fn is_discreet(view: &impl Debug) {
    for shown in [format!("{view:?}"), format!("{view:#?}")] {
        let numbers: String = shown.split_whitespace().collect();
        assert!(
            !shown.contains("SECRET") && !numbers.contains("83,69,67,82"),
            "{shown}"
        );
    }
}

/// Discreet is not mute: lengths and positions are what a log needs.
#[test]
fn debug_shows_lengths() {
    let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
    let event = parser
        .next_event(&mut &b"id: 12\ndata: abc\n\n"[..])
        .unwrap()
        .unwrap();
    let shown = format!("{event:?}");
    for part in [
        "Text(3 bytes)",
        "Text(7 bytes)",
        "Text(2 bytes)",
        "start: 0",
        "end: 18",
        "is_complete: true",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert_eq!(
        format!("{:?}", Encoder::comment(b"abc")),
        "Encoded(6 bytes left)"
    );
}

#[test]
fn an_end_says_what_was_pending() {
    let shown = |stream: &[u8]| {
        let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
        let mut input = stream;
        while let Ok(Some(_)) = parser.next_event(&mut input) {}
        let end = parser.finish();
        assert_eq!(end.is_clean(), !end.is_truncated());
        end.to_string()
    };
    assert_eq!(
        shown(b"data: a\n\n"),
        "stream of 9 bytes ended after a whole block"
    );
    let broken = "stream broke off at byte 7 inside a block, pending:";
    assert_eq!(shown(b"data: a"), format!("{broken} line"));
    assert_eq!(shown(b"data:a\n"), format!("{broken} data"));
    assert_eq!(
        shown(b"event:a\n"),
        format!("{} event", broken.replace('7', "8"))
    );
    assert_eq!(shown(b"id:a\nid"), format!("{broken} line id"));
}

/// An output that is full is not written to on and on.
#[test]
fn what_cannot_be_shown_is_an_error() {
    let end = {
        let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
        let pending = parser.next_event(&mut &b"event: a\nid: 1\ndata\ndata"[..]);
        assert!(matches!(pending, Ok(None)));
        parser.finish()
    };
    let text = Text::new(b"a\xFFb\xFFc");
    let limit = Error::LimitPassed {
        limit: Limit::Data,
        max: 7,
        offset: 8,
    };
    let shown: [&dyn Display; 6] = [
        &text,
        &end,
        &limit,
        &SetupError::IdTooLong { len: 2, max: 1 },
        &EncodeError::Id { at: 3 },
        &InvalidText { offset: 9 },
    ];
    for view in shown {
        let len = view.to_string().len();
        for room in 0..=len {
            let mut out = Full { room };
            assert_eq!(
                write!(out, "{view}").is_ok(),
                room == len,
                "{view} in {room} bytes"
            );
        }
    }
}

/// An output with room for so many bytes.
struct Full {
    room: usize,
}

impl fmt::Write for Full {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.room = self.room.checked_sub(text.len()).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// Half an event type or a refused line must not be taken for one.
#[test]
fn lines_tell_whether_they_are_whole() {
    let limits = Limits {
        comment_len_max: 3,
        ..Limits::SMALL
    };
    let mut parser = Parser::<[u8; 1024]>::with_array(limits);
    let mut input = &b":abc\n:abcd\n"[..];
    for (len, is_whole) in [(3, true), (4, false)] {
        let Ok(Some(Item::Comment(line))) = parser.next_item(&mut input) else {
            panic!("a comment");
        };
        assert_eq!((line.full_len(), line.is_whole()), (len, is_whole));
        assert_eq!(line.prefix(), "abc");
    }
}

#[test]
fn items_are_a_set() {
    let all = [
        Items::COMMENTS,
        Items::IGNORED,
        Items::RETRY,
        Items::SKIPPED,
    ];
    let union = all.into_iter().fold(Items::EVENTS, Items::with);
    assert_eq!(union, Items::ALL);
    for items in all {
        assert!(
            Items::ALL.contains(items) && items.contains(items) && items.contains(Items::EVENTS)
        );
        assert!(!Items::EVENTS.contains(items));
        let others = all.into_iter().filter(|other| *other != items);
        assert!(others.clone().all(|other| !items.contains(other)));
        assert!(!others.fold(Items::EVENTS, Items::with).contains(items));
    }
}

/// The engine stops for what is wanted, and counts the rest all the same.
#[test]
fn each_item_can_be_wanted_alone() {
    let stream = b": c\nx\nretry: 1\ndata: abc\n\ndata: a\n\n";
    let limits = Limits {
        data_len_max: 2,
        overflow: Overflow::Skip,
        ..Limits::SMALL
    };
    for (want, step) in [
        (Items::EVENTS, None),
        (Items::COMMENTS, Some(Step::Comment)),
        (Items::IGNORED, Some(Step::Ignored)),
        (Items::RETRY, Some(Step::Retry)),
        (Items::SKIPPED, Some(Step::Skipped)),
    ] {
        let mut engine = Engine::new(limits);
        let mut memory = vec![0; limits.memory_len()];
        let (mut rest, mut steps) = (&stream[..], Vec::new());
        while steps.last() != Some(&Step::NeedInput) {
            let (used, step) = engine.step(&mut memory, rest, want);
            rest = &rest[used..];
            steps.push(step);
        }
        let expected: Vec<_> = step
            .into_iter()
            .chain([Step::Event, Step::NeedInput])
            .collect();
        assert_eq!(steps, expected);
        let counters = engine.counters();
        assert_eq!(
            (counters.comments, counters.ignored_lines, counters.skipped),
            (1, 1, 1)
        );
        assert_eq!(engine.retry(), Some(1));
    }
}

#[test]
fn fields_have_the_names_of_the_standard() {
    for (field, name) in [
        (Field::Data, "data"),
        (Field::Event, "event"),
        (Field::Id, "id"),
        (Field::Retry, "retry"),
    ] {
        assert_eq!(field.name(), name.as_bytes());
        let line = [name, ":v\n"].concat();
        let token = Tokenizer::default().next_token(&mut line.as_bytes());
        assert_eq!(
            token,
            Some(Token::Value {
                field,
                bytes: b"v",
                ends_line: true
            })
        );
    }
}

/// Errors fit into what callers expect of errors.
#[test]
fn errors_are_errors() {
    fn is_error<E: std::error::Error + Send + Sync + Copy + 'static>(_: E) {}
    is_error(Error::Finished);
    is_error(Error::MemoryTooShort {
        wanted: 1,
        given: 0,
    });
    is_error(SetupError::IdByte { at: 0 });
    is_error(InvalidText { offset: 0 });
    is_error(Parser::<[u8; 1024]>::with_array(Limits::SMALL).finish());
    fn is_plain<T: Send + Sync + Unpin + Clone>() {}
    is_plain::<(
        Parser<[u8; 8]>,
        Engine,
        Tokenizer,
        Event<'_>,
        Item<'_>,
        Text<'_>,
    )>();
    assert_eq!(Limits::DEFAULT.value(Limit::Id), 1024);
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => prop::sample::select(PIECES).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 1..3),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| {
        let mut bytes = pieces.concat();
        // A value has no line ends, and what the texts share needs none.
        bytes.retain(|byte| !matches!(byte, b'\r' | b'\n'));
        bytes
    })
}

const PIECES: &[&[u8]] = &[
    b"a",
    b"\xC3\xA9",
    b"\xC3",
    b"\xE4\xBD\xA0",
    b"\xE4\xBD",
    b"\xE4",
    b"\xF0\x9F\x98\x80",
    b"\xF0\x9F\x98",
    b"\xF0\x9F",
    b"\xFF",
    b"\x80",
    b"\xED\xA0\x80",
    b"\xC0\x80",
    b"\xF4\x90\x80\x80",
    b":",
    b" ",
    b"\xEF\xBB\xBF",
];

#[test]
fn a_parser_shows_nothing_of_its_memory() {
    let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
    assert!(
        parser
            .next_event(&mut &b"data: secret"[..])
            .is_ok_and(|event| event.is_none())
    );
    let shown = format!("{parser:?}");
    // "s" is 115 as a byte of an array.
    assert!(
        shown.starts_with("Parser { engine") && !shown.contains("115"),
        "{shown}"
    );
}

/// Views that no parser lends say what they were made of.
#[test]
fn views_made_by_hand() {
    let event = Event::new(b"", b"a", b"7");
    assert!(event.event_type() == *"message" && event.data() == *"a");
    assert!(event.last_event_id() == *"7" && event.is_complete());
    assert_eq!((event.span().start, event.span().end), (0, 0));
    let line = LineView::new(b"err", 2);
    assert!(line.prefix() == *"err" && line.is_whole() && line.full_len() == 3);
    assert!(!LineView::new(b"err", 4).is_whole());
    let skipped = Skipped::new(Limit::Data, 512, 600, Some(b"big"), b"head");
    assert!(skipped.event_type().is_some_and(|name| name == *"big"));
    assert!(skipped.head() == *"head" && skipped.limit() == Limit::Data);
    assert_eq!((skipped.max(), skipped.bytes()), (512, 600));
    assert!(
        Skipped::new(Limit::EventType, 0, 1, None, b"")
            .event_type()
            .is_none()
    );
}
