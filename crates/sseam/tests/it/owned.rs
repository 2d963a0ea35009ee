//! Events that outlive their reader, and their text.

use std::borrow::Cow;

use sseam::{EventReader, OwnedEvent, Text, TextExt};

fn first(stream: &[u8]) -> OwnedEvent {
    let mut events = EventReader::new(stream).into_iter();
    events.next().unwrap().unwrap()
}

#[test]
fn an_owned_event_says_what_the_lent_one_said() {
    let event = first(b": c\n\nid: 7\nevent: note\ndata: a\xFF\ndata\n\n");
    assert_eq!(event.event_type(), "note");
    assert_eq!(event.data().as_bytes(), b"a\xFF\n");
    assert_eq!(event.last_event_id(), "7");
    assert_eq!((event.span().start, event.span().end), (5, 38));
    assert!(event.is_complete());
    assert_eq!(event.into_data(), b"a\xFF\n");
}

#[test]
fn an_event_without_a_type_is_a_message() {
    assert_eq!(first(b"data\n\n").event_type(), "message");
    assert_eq!(OwnedEvent::new("", "", "").event_type(), "message");
}

#[test]
fn equal_bytes_in_other_fields_are_another_event() {
    let event = OwnedEvent::new("ab", "c", "d");
    assert_eq!(event, event.clone());
    assert_ne!(event, OwnedEvent::new("a", "c", "bd"));
    assert_ne!(event, OwnedEvent::new("b", "ca", "d"));
}

#[test]
fn an_unfinished_event_stays_unfinished() {
    let mut reader = EventReader::new("data: cut".as_bytes());
    assert!(reader.next_event().is_err());
    let event = reader.take_unfinished().unwrap().unwrap();
    assert!(!OwnedEvent::from(event).is_complete());
}

#[test]
fn lossy_text_is_borrowed_where_it_is_valid() {
    assert!(matches!(
        Text::from("\u{4F60}").to_string_lossy(),
        Cow::Borrowed("\u{4F60}")
    ));
    let broken: [&[u8]; 5] = [
        b"\xE4\xBD",
        b"\xE4\xBDx\xF0\x9F\x98",
        b"\xC0\xAF",
        b"\xED\xA0\x80",
        b"\xFF",
    ];
    for bytes in broken {
        let text = Text::new(bytes);
        assert_eq!(text.to_string_lossy(), text.to_string());
    }
}

#[cfg(feature = "serde")]
mod serde {
    use serde_test::{Configure, Token, assert_de_tokens, assert_ser_tokens};
    use sseam::{EventReader, OwnedEvent};

    use super::first;

    #[test]
    fn the_keys_are_event_data_and_id_in_this_order() {
        let event = first("id: 7\nevent: note\ndata: \"\u{4F60}\"\ndata: b\n\n".as_bytes());
        let json = serde_json::to_string(&event).unwrap();
        assert_eq!(
            json,
            "{\"event\":\"note\",\"data\":\"\\\"\u{4F60}\\\"\\nb\",\"id\":\"7\"}"
        );
    }

    #[test]
    fn an_event_comes_back() {
        let event = first(b"id: 7\nevent: note\ndata: a\ndata: b\n\n");
        let back: OwnedEvent =
            serde_json::from_value(serde_json::to_value(&event).unwrap()).unwrap();
        assert_eq!(back, OwnedEvent::new("note", "a\nb", "7"));
        assert_eq!((back.span().start, back.span().end), (0, 0));
    }

    #[test]
    fn text_that_is_not_utf_8_is_replaced_as_in_a_browser() {
        let json = serde_json::to_string(&first(b"data: \xE4\xBDx\xFF\n\n")).unwrap();
        assert_eq!(
            json,
            "{\"event\":\"message\",\"data\":\"\u{FFFD}x\u{FFFD}\",\"id\":\"\"}"
        );
    }

    #[test]
    fn an_unfinished_event_is_marked_and_stays_so() {
        let mut reader = EventReader::new("data: cut".as_bytes());
        assert!(reader.next_event().is_err());
        let event = OwnedEvent::from(reader.take_unfinished().unwrap().unwrap());
        let json = serde_json::to_string(&event).unwrap();
        assert!(
            json.ends_with(",\"id\":\"\",\"unfinished\":true}"),
            "{json}"
        );
        let back: OwnedEvent = serde_json::from_str(&json).unwrap();
        assert!(!back.is_complete());
    }

    #[test]
    fn formats_without_names_keep_every_key() {
        for is_complete in [true, false] {
            let json = format!("{{\"data\":\"a\",\"unfinished\":{}}}", !is_complete);
            let event: OwnedEvent = serde_json::from_str(&json).unwrap();
            let values = [
                Token::Str("message"),
                Token::Str("a"),
                Token::Str(""),
                Token::Bool(!is_complete),
            ];
            let mut written = vec![Token::Struct {
                name: "OwnedEvent",
                len: 4,
            }];
            for (key, value) in ["event", "data", "id", "unfinished"]
                .into_iter()
                .zip(values)
            {
                written.extend([Token::Str(key), value]);
            }
            written.push(Token::StructEnd);
            assert_ser_tokens(&event.clone().compact(), &written);

            let read = [
                &[Token::Seq { len: Some(4) }],
                &values[..],
                &[Token::SeqEnd],
            ]
            .concat();
            assert_de_tokens(&event.compact(), &read);
        }
    }

    #[test]
    fn type_and_id_may_be_missing_and_data_may_not() {
        let event: OwnedEvent = serde_json::from_str("{\"data\":\"a\"}").unwrap();
        assert_eq!(event, OwnedEvent::new("message", "a", ""));
        assert!(serde_json::from_str::<OwnedEvent>("{\"event\":\"a\"}").is_err());
    }
}
