//! Streams that never come to an end: ten megabytes of one line, a hundred
//! thousand lines of nothing. What goes out is how much memory they cost.
//!
//! The streams are made chunk by chunk, so that whatever is counted is what the
//! parser and its memory hold.

use std::iter;

use allocation_counter::measure;
use sseam_core::{Error, Limit, Limits, Memory, Overflow, Parser};

use crate::engines::{self, Grown, Owned};

/// How a line begins that goes on with `x` or digits for ever.
const ENDLESS_LINES: [&str; 10] = [
    "data:",
    "data",
    "event:",
    "event",
    "id:",
    "id:\0",
    "retry:",
    ":",
    "",
    "\u{feff}data:\u{feff}",
];

#[test]
fn endless_lines_stay_within_memory() {
    for head in ENDLESS_LINES {
        for fill in [b'x', b'1', 0xFF, b' ', b':', 0] {
            let chunk = [fill; 4096];
            let chunks =
                iter::once(head.as_bytes()).chain(iter::repeat_n(&chunk[..], STREAM_LEN / 4096));
            within_memory(chunks);
        }
    }
}

/// Each line alone is short.
#[test]
fn endless_events_stay_within_memory() {
    for line in [
        "data\n",
        "event:x\ndata:\n",
        "id:1\n",
        ":\n",
        "x\r\n",
        "retry:1\r",
        "id\0\n",
    ] {
        let chunk = line.repeat(4096 / line.len());
        within_memory(iter::repeat_n(chunk.as_bytes(), STREAM_LEN / 4096));
    }
}

#[test]
fn bare_data_lines_are_held_to_the_limit_of_data() {
    let lines = b"data\n".repeat(100_000);
    for (data_len_max, passes) in [(99_999, true), (99_998, false)] {
        let limits = Limits {
            data_len_max,
            ..Limits::DEFAULT
        };
        let mut parser = Parser::growing(Grown::default(), limits);
        let mut items = Vec::new();
        let chunks = lines.chunks(999).chain([&b"\n"[..]]);
        let outcome = chunks
            .map(|chunk| engines::drain(&mut parser, &mut &*chunk, true, &mut items))
            .find(Result::is_err);
        let error = Error::LimitPassed {
            limit: Limit::Data,
            max: data_len_max as u64,
            offset: lines.len() as u64 - 1,
        };
        assert_eq!(outcome, if passes { None } else { Some(Err(error)) });
        assert_eq!(
            parser.counters().lines,
            if passes { 100_001 } else { 99_999 }
        );
        assert_eq!(items.len(), usize::from(passes));
    }
}

/// An event that passed its limit is not stored to its end, and its memory is
/// given back when it is over.
#[test]
fn memory_that_grew_is_given_back() {
    let limits = Limits {
        overflow: Overflow::Skip,
        data_len_max: STREAM_LEN / 2,
        ..Limits::DEFAULT
    };
    let mut parser = Parser::growing(Grown::default(), limits);
    let mut items = Vec::new();
    let chunk = [b'x'; 4096];
    let huge = iter::once(&b"data:"[..]).chain(iter::repeat_n(&chunk[..], STREAM_LEN / 4096));
    for chunk in huge {
        engines::drain(&mut parser, &mut &*chunk, true, &mut items).expect("it is skipped");
    }
    assert!(parser.memory().bytes().len() >= limits.data_len_max);
    engines::drain(&mut parser, &mut &b"\n\n"[..], true, &mut items).expect("it is skipped");
    engines::drain(&mut parser, &mut &b""[..], true, &mut items).expect("it is skipped");
    assert_eq!(parser.memory().bytes().len(), 0);
    assert_eq!((items.len(), parser.counters().skipped), (1, 1));
}

/// Runs the chunks in both modes and in both kinds of memory.
fn within_memory<'c>(chunks: impl Iterator<Item = &'c [u8]> + Clone) {
    for overflow in [Overflow::Stop, Overflow::Skip] {
        let limits = Limits {
            overflow,
            ..Limits::SMALL
        };
        let memory = Owned(vec![0x55; limits.memory_len()]);
        let mut parser = Parser::new(memory, limits).expect("memory of that length");
        let counted = measure(|| run(&mut parser, chunks.clone()));
        assert_eq!(counted.count_total, 0, "fixed memory is all there is");

        let limits = Limits {
            overflow,
            data_len_max: 64 << 10,
            ..Limits::DEFAULT
        };
        let mut parser = Parser::growing(Grown::default(), limits);
        let counted = measure(|| run(&mut parser, chunks.clone()));
        let held = parser.memory().bytes().len();
        assert!(held <= limits.memory_len(), "{held} bytes are held");
        // A vector that grows keeps the old bytes until the new ones are there.
        let peak = counted.bytes_max as usize;
        assert!(peak <= 3 * limits.memory_len(), "{peak} bytes at the peak");
    }
}

/// Feeds all chunks, or those up to an error, which must stay.
fn run<'c, M: Memory>(parser: &mut Parser<M>, chunks: impl Iterator<Item = &'c [u8]>) {
    let (mut error, mut total) = (None, 0);
    for chunk in chunks {
        let mut input = chunk;
        total += chunk.len() as u64;
        error = error.or(loop {
            match parser.next_item(&mut input) {
                Ok(Some(_)) => {}
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        });
        match error {
            None => assert!(input.is_empty()),
            Some(error) => assert_eq!(parser.next_event(&mut input).err(), Some(error)),
        }
    }
    assert_eq!(error.is_some(), parser.counters().bytes < total);
    parser.finish();
}

/// Ten megabytes, and without optimization one.
const STREAM_LEN: usize = if cfg!(debug_assertions) {
    1 << 20
} else {
    10 << 20
};
