//! Memory that stops growing: an error with its numbers comes out, nothing that
//! came before is lost, and no event is ever cut short.

use std::cell::Cell;

use sseam_core::{Counters, Engine, Error, Items, Limits, Memory, Parser, SetupError, Step};
use sseam_testkit::{self as kit, split};

use crate::engines::{self, Owned};

const STREAM: &[u8] =
    b"data: a\n\nevent: type\nid: 77\n: x\n\nevent: type\ndata: b\ndata: cc\n\ndata: d\n\n";

/// Every length at which it may stop, at every cut.
#[test]
fn memory_that_cannot_grow_is_an_error() {
    let mut failures = 0;
    for max in 0..200 {
        for cut in split::every(STREAM) {
            let limit = Cell::new(max);
            let mut parser = Parser::growing(Bounded::new(&limit), Limits::DEFAULT);
            let mut items = Vec::new();
            let outcome = feed(&mut parser, &cut.chunks, &mut items);
            let Err(error) = outcome else {
                assert_eq!(items.len(), 3);
                continue;
            };
            failures += 1;
            let Error::MemoryTooShort { wanted, given } = error else {
                panic!("{error}");
            };
            assert!(given <= max && max < wanted, "{given} {max} {wanted}");
            let shown = format!("event memory of {given} bytes cannot grow to {wanted} bytes");
            assert_eq!(error.to_string(), shown);
        }
    }
    assert!(failures > 1_000);
}

/// With the same rest of the chunk, and memory that may grow now, nothing is
/// lost and nothing comes twice.
#[test]
fn a_stream_goes_on_when_memory_grows_after_all() {
    for wants_items in [true, false] {
        let expected = grown_step_by_step(usize::MAX, wants_items);
        for max in 0..200 {
            assert_eq!(
                grown_step_by_step(max, wants_items),
                expected,
                "from {max} bytes on"
            );
        }
    }
}

fn grown_step_by_step(max: usize, wants_items: bool) -> (Vec<kit::Item>, Counters) {
    let limit = Cell::new(max);
    let mut parser = Parser::growing(Bounded::new(&limit), Limits::DEFAULT);
    let mut items = Vec::new();
    for chunk in STREAM.chunks(7) {
        let mut input = chunk;
        while let Err(error) = engines::drain(&mut parser, &mut input, wants_items, &mut items) {
            assert!(matches!(error, Error::MemoryTooShort { .. }), "{error}");
            limit.set(limit.get() + 1);
        }
    }
    (items, parser.counters())
}

#[test]
fn the_lf_of_an_unfinished_line_may_need_memory() {
    let stream = b"data: a\ndata:";
    let limit = Cell::new(1);
    let limits = Limits {
        data_len_max: 8,
        event_type_len_max: 0,
        id_len_max: 0,
        comment_len_max: 0,
        ..Limits::SMALL
    };
    let mut parser = Parser::growing(Bounded::new(&limit), limits);
    feed(&mut parser, &[stream], &mut Vec::new()).expect("a byte is enough");
    parser.finish();
    let error = Error::MemoryTooShort {
        wanted: 2,
        given: 1,
    };
    assert_eq!(parser.take_unfinished().err(), Some(error));
    assert_eq!(parser.take_unfinished().err(), Some(error));
    limit.set(2);
    let event = parser
        .take_unfinished()
        .expect("memory for it")
        .expect("there is data");
    assert_eq!(event.data(), "a\n");
}

#[test]
fn an_initial_id_needs_memory() {
    let limit = Cell::new(0);
    let mut parser = Parser::growing(Bounded::new(&limit), Limits::DEFAULT);
    let refused = parser.set_last_event_id(b"7");
    assert!(
        matches!(refused, Err(SetupError::MemoryTooShort { given: 0, .. })),
        "{refused:?}"
    );
    assert!(parser.last_event_id().is_empty());
    limit.set(usize::MAX);
    assert_eq!(parser.set_last_event_id(b"7"), Ok(()));
    assert_eq!(parser.last_event_id(), "7");
}

#[test]
fn a_parser_over_fixed_memory_refuses_less_than_its_limits_need() {
    for limits in [Limits::SMALL, Limits::fit(100), Limits::fit(0)] {
        let wanted = limits.memory_len();
        assert!(Parser::new(Owned(vec![0; wanted]), limits).is_ok());
        assert!(Parser::new(Owned(vec![0; wanted + 1]), limits).is_ok());
        let Some(given) = wanted.checked_sub(1) else {
            continue;
        };
        let error = SetupError::MemoryTooShort { wanted, given };
        assert_eq!(
            Parser::new(Owned(vec![0; given]), limits).err(),
            Some(error)
        );
        let shown = format!("the limits need {wanted} bytes of event memory, {given} were given");
        assert_eq!(error.to_string(), shown);
    }
}

/// Fixed memory cannot be what `growing` asks for, and says so.
#[test]
fn an_array_does_not_grow() {
    let mut parser = Parser::growing([0; 4], Limits::SMALL);
    let error = parser.next_event(&mut &b"data: abcde"[..]).err();
    assert_eq!(
        error,
        Some(Error::MemoryTooShort {
            wanted: 5,
            given: 4
        })
    );
    let mut parser = Parser::growing(Owned(vec![0; 4]), Limits::SMALL);
    let found = parser.next_event(&mut &b"data: abcde"[..]).err();
    assert_eq!(found, error);
    let mut memory = [0; 4];
    let mut parser = Parser::growing(&mut memory[..], Limits::SMALL);
    let error = parser.next_event(&mut &b"data: abcde"[..]).err();
    assert_eq!(
        error,
        Some(Error::MemoryTooShort {
            wanted: 5,
            given: 4
        })
    );
}

/// A caller of the engine who lends less than was asked is asked again.
#[test]
fn the_engine_asks_until_it_has_enough() {
    let mut engine = Engine::growing(Limits::DEFAULT);
    let (mut memory, chunk) = (Vec::new(), b"id: 1234\ndata: abc");
    let mut asked = 0;
    loop {
        let (used, step) = engine.step(&mut memory, chunk, Items::EVENTS);
        if step == Step::NeedInput {
            assert_eq!(used, chunk.len());
            break;
        }
        assert_eq!((used, step), (0, Step::NeedMemory));
        assert!(memory.len() < engine.memory_wanted());
        memory.push(0x55);
        engine.adopt_memory(&mut memory);
        asked += 1;
    }
    assert!(asked > 3 && memory.len() == engine.memory_held(), "{asked}");
    let (_, step) = engine.step(&mut memory, b"\n\n", Items::EVENTS);
    assert_eq!(
        (step, engine.event(&memory, b"\n\n").data().to_str()),
        (Step::Event, Ok("abc"))
    );
}

/// Feeds all chunks, for events, up to an error.
fn feed(
    parser: &mut Parser<Bounded<'_>>,
    chunks: &[&[u8]],
    items: &mut Vec<kit::Item>,
) -> Result<(), Error> {
    let feed_one = |chunk: &&[u8]| engines::drain(parser, &mut &**chunk, false, items);
    chunks.iter().try_for_each(feed_one)
}

/// A vector that grows up to a length, which may change.
#[derive(Debug)]
struct Bounded<'m> {
    bytes: Vec<u8>,
    len_max: &'m Cell<usize>,
}

impl<'m> Bounded<'m> {
    fn new(len_max: &'m Cell<usize>) -> Self {
        let bytes = Vec::new();
        Bounded { bytes, len_max }
    }
}

impl Memory for Bounded<'_> {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    fn grow(&mut self, len: usize) -> bool {
        let may = len <= self.len_max.get();
        if may {
            self.bytes.resize(len, 0x55);
        }
        may
    }
}
