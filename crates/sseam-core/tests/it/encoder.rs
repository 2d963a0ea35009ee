//! The way out and back: what is encoded is parsed again, and nothing that a
//! value holds can make a line or an event of its own.

use proptest::prelude::*;
use sseam_core::{EncodeError, Encoded, Encoder, Item, Limits, Parser};

use crate::engines::Grown;
use crate::law1::config;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn parsing_gives_the_event_back(
        event_type in value_without_line_ends(),
        data in text(),
        id in prop::option::of(value_without_line_ends()),
        read_len in 1..40_usize,
    ) {
        let encoded = Encoder::event(&event_type, &data, id.as_deref()).unwrap();
        let wire = bytes_of(encoded);
        let mut parser = Parser::growing(Grown::default(), Limits::LARGE);
        parser.set_last_event_id(b"before").unwrap();
        let mut events = 0;
        for chunk in wire.chunks(read_len) {
            let mut input = chunk;
            while let Some(event) = parser.next_event(&mut input).unwrap() {
                let name = if event_type.is_empty() { b"message" } else { &event_type[..] };
                prop_assert_eq!(event.event_type().as_bytes(), name);
                prop_assert_eq!(event.data().as_bytes(), &with_lf(&data)[..]);
                let id = id.as_deref().unwrap_or(b"before");
                prop_assert_eq!(event.last_event_id().as_bytes(), id);
                prop_assert_eq!(event.span().start, 0);
                prop_assert_eq!(event.span().end, wire.len() as u64);
                events += 1;
            }
        }
        prop_assert_eq!(events, 1);
        prop_assert!(parser.finish().is_clean());
        prop_assert_eq!(parser.counters().ignored_lines + parser.counters().comments, 0);
    }

    #[test]
    fn a_comment_stays_one_whatever_it_says(text in text()) {
        let wire = [&b"data: a\n"[..], &bytes_of(Encoder::comment(&text)), b"data: b\n\n"].concat();
        let mut parser = Parser::growing(Grown::default(), Limits::LARGE);
        let (mut lines, mut input) = (Vec::new(), &wire[..]);
        while let Some(item) = parser.next_item(&mut input).unwrap() {
            match item {
                Item::Comment(line) => lines.push(line.prefix().as_bytes().to_vec()),
                Item::Event(event) => prop_assert_eq!(event.data(), "a\nb"),
                other => prop_assert!(false, "{:?}", other),
            }
        }
        let normal = with_lf(&text);
        let split = normal.split(|&byte| byte == b'\n');
        let expected: Vec<_> = split.map(|line| [b" ", line].concat()).collect();
        prop_assert_eq!(lines, expected);
        prop_assert_eq!(parser.counters().events, 1);
    }

    #[test]
    fn a_retry_comes_back(milliseconds in any::<u64>()) {
        let wire = bytes_of(Encoder::retry(milliseconds));
        let line = format!("retry: {milliseconds}\n");
        prop_assert_eq!(&wire, line.as_bytes());
        let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
        let item = parser.next_item(&mut &wire[..]).unwrap();
        prop_assert_eq!(item, Some(Item::Retry(milliseconds)));
    }
}

#[test]
fn retries_at_both_ends_of_their_range() {
    for milliseconds in [0, 9, 10, 99, 100, u64::MAX - 1, u64::MAX] {
        let line = format!("retry: {milliseconds}\n");
        assert_eq!(bytes_of(Encoder::retry(milliseconds)), line.as_bytes());
    }
}

/// The wire form, to the letter.
#[test]
fn events_on_the_wire() {
    let cases: [(&str, &str, Option<&str>, &str); 9] = [
        ("", "", None, "data: \n\n"),
        ("", "a", None, "data: a\n\n"),
        ("", " a", None, "data:  a\n\n"),
        ("t", "a", Some("1"), "event: t\nid: 1\ndata: a\n\n"),
        (" t", "a", Some(" 1"), "event:  t\nid:  1\ndata: a\n\n"),
        ("t", "a", Some(""), "event: t\nid: \ndata: a\n\n"),
        (
            "",
            "a\nb\rc\r\nd\n\re",
            None,
            "data: a\ndata: b\ndata: c\ndata: d\ndata: \ndata: e\n\n",
        ),
        ("", "\n", None, "data: \ndata: \n\n"),
        ("", "a\r\n", None, "data: a\ndata: \n\n"),
    ];
    for (event_type, data, id, wire) in cases {
        let id = id.map(str::as_bytes);
        let encoded = Encoder::event(event_type.as_bytes(), data.as_bytes(), id).unwrap();
        assert_eq!(String::from_utf8_lossy(&bytes_of(encoded)), wire);
    }
}

#[test]
fn an_id_or_type_that_would_inject_is_refused() {
    for byte in ["\r", "\n", "\r\n", "\0"] {
        for head in ["", "a", "1234567"] {
            let value = format!("{head}{byte}\ndata: injected\n\n");
            let at = head.len();
            let refused = Encoder::event(value.as_bytes(), b"", None).err();
            assert_eq!(refused, Some(EncodeError::EventType { at }));
            let refused = Encoder::event(b"t", b"", Some(value.as_bytes())).err();
            assert_eq!(refused, Some(EncodeError::Id { at }));
            // The type is looked at first.
            let refused = Encoder::event(value.as_bytes(), b"", Some(value.as_bytes())).err();
            assert_eq!(refused, Some(EncodeError::EventType { at }));
        }
    }
}

#[test]
fn data_that_would_inject_is_one_event() {
    let attacks = [
        "x\n\ndata: injected\n\n",
        "x\r\rdata: injected\r\r",
        "x\r\n\r\nevent: injected\r\ndata: injected\r\n\r\n",
        "x\nid: injected\nretry: 1\n",
        "x\0\n\n\0",
        "\u{feff}\n\n\u{feff}data: injected",
        "\n\n\n",
        ":\n:",
    ];
    for attack in attacks {
        let encoded = Encoder::event(b"", attack.as_bytes(), None).unwrap();
        let wire = [
            bytes_of(encoded),
            bytes_of(Encoder::comment(attack.as_bytes())),
        ]
        .concat();
        let mut parser = Parser::growing(Grown::default(), Limits::LARGE);
        let mut input = &wire[..];
        let event = parser.next_event(&mut input).unwrap().unwrap();
        assert_eq!(event.data().as_bytes(), with_lf(attack.as_bytes()));
        assert!(matches!(parser.next_event(&mut input), Ok(None)));
        let state = (
            parser.retry(),
            parser.last_event_id().len(),
            parser.counters().events,
        );
        assert_eq!((state, parser.finish().is_clean()), ((None, 0, 1), true));
    }
}

#[test]
fn a_slice_that_is_too_short_is_left_alone() {
    for encoded in samples() {
        let wire = bytes_of(encoded);
        assert_eq!(encoded.byte_len(), wire.len());
        for given in 0..wire.len() {
            let mut out = vec![0xAA; given];
            let wanted = wire.len();
            let error = EncodeError::OutputTooShort { wanted, given };
            assert_eq!(encoded.write_to(&mut out), Err(error));
            assert!(out.iter().all(|&byte| byte == 0xAA));
        }
        for spare in 0..3 {
            let mut out = vec![0xAA; wire.len() + spare];
            assert_eq!(encoded.write_to(&mut out), Ok(wire.len()));
            assert_eq!(out, [&wire[..], &[0xAA; 3][..spare]].concat());
        }
    }
}

/// Where a write stops, the block goes on later from there.
#[test]
fn a_block_goes_on_after_every_piece() {
    for encoded in samples() {
        let wire = bytes_of(encoded);
        let mut rest = encoded;
        let mut sent = Vec::new();
        loop {
            let mut later = vec![0; wire.len() - sent.len()];
            assert_eq!(rest.byte_len(), later.len());
            assert_eq!(rest.write_to(&mut later), Ok(later.len()));
            assert_eq!([&sent[..], &later].concat(), wire);
            match rest.next_piece() {
                Some(piece) => sent.extend(piece),
                None => break,
            }
        }
        assert_eq!(sent, wire);
        assert!(rest.next_piece().is_none(), "the end is the end");
        assert_eq!((rest.byte_len(), rest.write_to(&mut [])), (0, Ok(0)));
    }
}

/// Comments and a `retry` line may stand inside of an event and change nothing.
#[test]
fn comments_and_retries_make_no_event_and_end_none() {
    let mut wire = b"event: t\n".to_vec();
    wire.extend(bytes_of(Encoder::comment(b"one\ntwo")));
    wire.extend(bytes_of(Encoder::retry(7)));
    wire.extend(bytes_of(Encoder::event(b"", b"a", None).unwrap()));
    let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
    let event = parser.next_event(&mut &wire[..]).unwrap().unwrap();
    assert_eq!(
        (event.event_type().to_str(), event.data().to_str()),
        (Ok("t"), Ok("a"))
    );
    assert_eq!((parser.retry(), parser.counters().comments), (Some(7), 2));
}

#[test]
fn errors_say_what_and_where() {
    let shown = [
        (
            EncodeError::EventType { at: 3 },
            "the event type has a CR, LF or NUL at index 3",
        ),
        (
            EncodeError::Id { at: 4 },
            "the id has a CR, LF or NUL at index 4",
        ),
        (
            EncodeError::OutputTooShort {
                wanted: 9,
                given: 8,
            },
            "the block has 9 bytes, the output room for 8",
        ),
    ];
    for (error, text) in shown {
        assert_eq!(error.to_string(), text);
    }
}

fn samples() -> Vec<Encoded<'static>> {
    vec![
        Encoder::event(b"", b"", None).unwrap(),
        Encoder::event(b"", b"a\nb\r\nc\r", Some(b"")).unwrap(),
        Encoder::event(b"note", b"two\nlines", Some(b"7")).unwrap(),
        Encoder::event(b"note", b"\n\n", None).unwrap(),
        Encoder::comment(b""),
        Encoder::comment(b"one\r\rthree"),
        Encoder::retry(0),
        Encoder::retry(u64::MAX),
    ]
}

fn bytes_of(mut encoded: Encoded<'_>) -> Vec<u8> {
    let mut wire = Vec::new();
    while let Some(piece) = encoded.next_piece() {
        wire.extend(piece);
    }
    wire
}

/// CR and CRLF become LF.
fn with_lf(text: &[u8]) -> Vec<u8> {
    let mut normal = Vec::new();
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        normal.push(if *byte == b'\r' { b'\n' } else { *byte });
        rest = match rest {
            [b'\r', b'\n', tail @ ..] => tail,
            _ => tail,
        };
    }
    normal
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ];
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

fn value_without_line_ends() -> impl Strategy<Value = Vec<u8>> {
    text().prop_map(|mut text| {
        text.retain(|byte| !matches!(byte, b'\r' | b'\n' | 0));
        text
    })
}

const PIECES: &[&[u8]] = &[
    b"\r",
    b"\n",
    b"\r\n",
    b"\n\n",
    b"\r\r",
    b" ",
    b":",
    b"\0",
    b"data: x",
    b"event: x",
    b"id: 1",
    b"retry: 1",
    b"\xEF\xBB\xBF",
    b"\xFF",
    b"\xE4\xBD\xA0",
    b"x",
];
