//! Limits and the memory that they ask for; parsers in statics and constants; the
//! tokenizer's own account of where it is.

use std::sync::Mutex;

use proptest::prelude::*;
use sseam_core::{Field, Limits, Overflow, Parser, Token, Tokenizer};

use crate::law1::config;

/// A static parser needs no run-time set-up.
static PARSER: Mutex<Parser<[u8; Limits::SMALL.memory_len()]>> =
    Mutex::new(Parser::with_array(Limits::SMALL));

#[test]
fn a_parser_can_be_a_static() {
    const FRESH: Parser<[u8; 1024]> = Parser::with_array(Limits::fit(1024));
    let mut of_a_constant = FRESH;
    let mut of_a_static = PARSER.lock().expect("no other test locks it");
    for (name, data) in [
        (
            "constant",
            of_a_constant.next_event(&mut &b"data: a\n\n"[..]).map(data),
        ),
        (
            "static",
            of_a_static.next_event(&mut &b"data: a\n\n"[..]).map(data),
        ),
    ] {
        assert_eq!(data, Ok(Some("a".to_owned())), "{name}");
    }
}

fn data(event: Option<sseam_core::Event<'_>>) -> Option<String> {
    event.map(|event| event.data().to_string())
}

#[test]
#[should_panic(expected = "the limits need a longer array")]
fn an_array_that_is_too_short_is_refused() {
    let _ = Parser::<[u8; Limits::SMALL.memory_len() - 1]>::with_array(Limits::SMALL);
}

#[test]
fn the_presets_are_what_the_documentation_says() {
    let (small, default, large) = (Limits::SMALL, Limits::DEFAULT, Limits::LARGE);
    let figures = |limits: &Limits| {
        (
            limits.data_len_max,
            limits.event_type_len_max,
            limits.id_len_max,
            limits.comment_len_max,
        )
    };
    assert_eq!(figures(&small), (512, 64, 64, 0));
    assert_eq!(figures(&default), (1 << 20, 256, 1024, 512));
    assert_eq!(figures(&large), (16 << 20, 256, 1024, 512));
    for limits in [small, default, large] {
        assert_eq!(
            (limits.line_len_max, limits.bytes_max),
            (usize::MAX, u64::MAX)
        );
        assert_eq!(
            (limits.events_max, limits.overflow),
            (u64::MAX, Overflow::Stop)
        );
    }
    assert_eq!(small.memory_len(), 512 + 2 * 64 + 3 * 64);
    assert_eq!(default.memory_len(), (1 << 20) + 2 * 256 + 3 * 1024 + 512);
}

#[test]
fn limits_without_bounds_need_more_memory_than_there_is() {
    let limits = Limits {
        data_len_max: usize::MAX,
        event_type_len_max: usize::MAX,
        id_len_max: usize::MAX,
        comment_len_max: usize::MAX,
        ..Limits::DEFAULT
    };
    assert_eq!(limits.memory_len(), usize::MAX);
    assert!(Parser::new([0; 64], limits).is_err());
}

proptest! {
    #![proptest_config(config())]

    /// No byte is left over, and none is missing.
    #[test]
    fn limits_that_fit_use_all_memory(len in prop_oneof![0..5_000_usize, any::<usize>()]) {
        let limits = Limits::fit(len);
        prop_assert_eq!(limits.memory_len(), len);
        prop_assert!(limits.data_len_max >= len / 2);
        let bounds = (limits.id_len_max, limits.event_type_len_max, limits.comment_len_max);
        let share = (len / 16).min(64);
        prop_assert_eq!(bounds, (share, share, 0));
        prop_assert_eq!((limits.line_len_max, limits.overflow), (usize::MAX, Overflow::Stop));
    }

    #[test]
    fn a_parser_fits_any_memory(len in 0..2_000_usize) {
        let mut memory = vec![0x55; len];
        let mut parser = Parser::fit(&mut memory);
        prop_assert_eq!(*parser.limits(), Limits::fit(len));
        // The data limit's worth of data, in two chunks so that it must be kept.
        let value = vec![b'x'; parser.limits().data_len_max];
        let found = parser.next_event(&mut &[b"data:", &value[..]].concat()[..]).map(data);
        prop_assert_eq!(found, Ok(None));
        let found = parser.next_event(&mut &b"\n\n"[..]).map(data);
        prop_assert_eq!(found, Ok(Some("x".repeat(value.len()))));
    }
}

/// Line end and byte-order mark do not count; a colon and a space do.
#[test]
fn the_tokenizer_knows_how_long_a_line_is() {
    let steps: [(&[u8], u64, bool, Option<Field>); 14] = [
        (b"\xEF", 0, true, None),
        (b"\xBB", 0, true, None),
        (b"\xBF", 0, false, None),
        (b"da", 2, true, None),
        (b"ta", 4, true, None),
        (b":", 5, true, Some(Field::Data)),
        (b" ", 6, true, Some(Field::Data)),
        (b"abc", 9, true, Some(Field::Data)),
        (b"\r", 9, false, None),
        (b"\n", 9, false, None),
        (b":", 1, true, None),
        (b"ab\n", 3, false, None),
        (b"id", 2, true, None),
        (b"x\n\n", 0, false, None),
    ];
    let mut tokenizer = Tokenizer::new();
    for (chunk, len, is_within, field) in steps {
        let mut input = chunk;
        while tokenizer.next_token(&mut input).is_some() {}
        let state = (
            tokenizer.line_len(),
            tokenizer.is_within_line(),
            tokenizer.field_in_progress(),
        );
        assert_eq!(state, (len, is_within, field), "after {chunk:?}");
    }
}

/// Bytes that only began like a byte-order mark count once that is known.
#[test]
fn a_mark_that_is_none_counts() {
    let mut tokenizer = Tokenizer::new();
    let mut input = &b"\xEF\xBB"[..];
    assert_eq!(tokenizer.next_token(&mut input), None);
    assert_eq!(
        (tokenizer.line_len(), tokenizer.is_within_line()),
        (0, true)
    );
    let mut input = &b"x\n"[..];
    let mut line = Vec::new();
    while let Some(Token::Ignored { bytes, .. }) = tokenizer.next_token(&mut input) {
        line.extend(bytes);
    }
    assert_eq!((line, tokenizer.line_len()), (b"\xEF\xBBx".to_vec(), 3));
}
