//! The core allocates nothing, whatever comes in: the allocations of this thread
//! are counted while vectors and hostile streams are parsed in fixed memory.

use std::fmt::{self, Write};
use std::hint::black_box;

use allocation_counter::measure;
use sseam_core::{Encoder, Limits, Overflow, Parser, Tokenizer};
use sseam_testkit::{self as kit, Setup, split, vectors};

use crate::engines;

/// The counter counts, or the other tests here would show nothing.
#[test]
fn the_counter_counts() {
    let counted = measure(|| drop(black_box(Box::new(1))));
    assert_eq!((counted.count_total, counted.count_current), (1, 0));
}

#[test]
fn no_vector_makes_the_parser_allocate() {
    let mut streams = 0;
    for vector in vectors::all() {
        let stream = vector.stream();
        let limits = Limits {
            overflow: Overflow::Skip,
            ..engines::limits(&Setup::stop(kit::Limits::NONE.clamped(stream.len())))
        };
        let mut memory = vec![0x55; limits.memory_len()];
        for cut in [split::whole(&stream), split::byte_by_byte(&stream)] {
            let counted = measure(|| parse(&mut memory, limits, &cut.chunks));
            assert_eq!(counted.count_total, 0, "{}, {cut}", vector.name);
        }
        streams += 1;
    }
    assert!(streams > 400);
}

/// Everything a parser can be asked.
fn parse(memory: &mut [u8], limits: Limits, chunks: &[&[u8]]) {
    let Ok(mut parser) = Parser::new(memory, limits) else {
        panic!("memory of that length was refused");
    };
    for wants_items in [true, false] {
        for chunk in chunks {
            let mut input: &[u8] = chunk;
            while wants_items && matches!(parser.next_item(&mut input), Ok(Some(_))) {}
            while let Ok(Some(event)) = parser.next_event(&mut input) {
                let shown = write!(Discard, "{} {event:?}", event.data());
                black_box(shown.is_ok() && event.data().to_str().is_ok());
            }
        }
        black_box((
            parser.finish(),
            parser.last_event_id(),
            parser.retry(),
            parser.counters(),
        ));
        black_box(parser.take_unfinished().is_ok());
        parser.reset();
        parser.resync();
        black_box(parser.set_last_event_id(b"").is_ok());
    }
}

#[test]
fn no_vector_makes_tokenizer_or_encoder_allocate() {
    for vector in vectors::all() {
        let stream = vector.stream();
        let mut wire = vec![0; 32 + 8 * stream.len()];
        let counted = measure(|| {
            let mut tokenizer = Tokenizer::new();
            for chunk in stream.chunks(3) {
                let mut input = chunk;
                while let Some(token) = tokenizer.next_token(&mut input) {
                    black_box(token);
                }
            }
            let event = Encoder::event(b"type", &stream, Some(b"id"));
            black_box(event.and_then(|event| event.write_to(&mut wire)).is_ok());
            black_box(Encoder::comment(&stream).write_to(&mut wire).is_ok());
            black_box(Encoder::retry(u64::MAX).write_to(&mut wire).is_ok());
            black_box(Encoder::event(&stream, b"", None).is_ok());
        });
        assert_eq!(counted.count_total, 0, "{}", vector.name);
    }
}

struct Discard;

impl Write for Discard {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        black_box(text);
        Ok(())
    }
}
