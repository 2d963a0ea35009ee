//! What the heap is asked for while a stream is read: counted, not assumed.

use std::io::{self, ErrorKind, Read};

use allocation_counter::{AllocationInfo, measure};
use sseam::{
    BUFFER_LEN, Error, EventReader, GrowingMemory, KEPT_LEN_MAX, Limits, Memory, Parser, ReadError,
};

/// Events of every shape: whole in the buffer, across two reads, joined, with
/// types, ids, comments; 101 bytes, which divides no buffer.
const MIXED: &str = "data: {\"delta\":\"x\"}\n\nevent: note\nid: 12\ndata: a\ndata: b\n\n: ping\n\n\
                     id\r\nretry: 5\r\ndata: \u{4F60}\u{597D}\r\n\r\n";

#[test]
fn a_lent_event_costs_no_heap_call_once_the_memory_is_warm() {
    for buffer_size in [1, 7, 100, 4096, BUFFER_LEN] {
        let mut reader = EventReader::new(Endless::new(MIXED)).with_buffer_size(buffer_size);
        take_events(&mut reader, 1000);
        let info = measure(|| take_events(&mut reader, 10_000));
        assert_eq!(info.count_total, 0, "{info:?}");
        assert!(reader.memory().capacity() <= 1024);
    }
}

#[test]
fn items_cost_no_heap_call_either() {
    let mut reader = EventReader::new(Endless::new(MIXED)).with_buffer_size(7);
    let mut take_items = |count: u32| {
        for _ in 0..count {
            assert!(matches!(reader.next_item(), Ok(Some(_))));
        }
    };
    take_items(1000);
    assert_eq!(measure(|| take_items(10_000)).count_total, 0);
}

#[test]
fn large_events_of_one_size_cost_no_heap_call_once_the_memory_is_warm() {
    let event = format!("data: {}\n\n", "x".repeat(100_000));
    let mut reader = EventReader::new(Endless::new(event));
    take_events(&mut reader, 3);
    assert_eq!(measure(|| take_events(&mut reader, 50)).count_total, 0);
}

#[test]
fn an_owned_event_costs_one_heap_call() {
    let mut reader = EventReader::new(Endless::new(MIXED));
    take_events(&mut reader, 1000);
    let info = measure(|| assert!(reader.events().take(500).all(|event| event.is_ok())));
    assert_eq!(info.count_total, 500, "{info:?}");
}

#[test]
fn chunks_whose_events_are_whole_cost_no_heap_call() {
    let chunks = vec![MIXED; 100];
    let mut events = sseam::events(chunks);
    while events.counters().events < 30 {
        assert!(matches!(events.next_event(), Ok(Some(_))));
    }
    let info = measure(|| while matches!(events.next_event(), Ok(Some(_))) {});
    assert_eq!(events.counters().events, 300);
    // The iterator gives its own vector back at its end, and takes none.
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn an_idle_reader_gives_the_memory_of_a_large_event_back() {
    let data = "x".repeat(Limits::LARGE.data_len_max);
    let event = format!("data: {data}\n\n");
    let source = event.as_bytes().chain(Blocked);
    let mut reader = EventReader::new(source);
    let info = measure(|| {
        let event = reader.next_event().unwrap().unwrap();
        assert_eq!(event.data().len(), data.len());
        assert!(matches!(reader.next_event(), Err(ReadError::Source(_))));
    });
    assert_eq!(reader.memory().capacity(), KEPT_LEN_MAX);
    assert!(
        info.bytes_current <= (KEPT_LEN_MAX + BUFFER_LEN) as i64,
        "{info:?}"
    );
    check_peak(&info, &Limits::LARGE);
}

#[test]
fn a_reset_gives_the_memory_of_an_unfinished_event_back() {
    let source = |text: &str| io::Cursor::new(text.to_owned());
    let mut reader = EventReader::new(source(&format!("data: {}", "x".repeat(1 << 20))));
    assert!(matches!(reader.next_event(), Err(ReadError::Truncated(_))));
    assert!(reader.memory().capacity() >= 1 << 20);
    reader.reset(source(""));
    assert_eq!(reader.memory().capacity(), KEPT_LEN_MAX);
}

#[test]
fn a_reader_that_has_read_nothing_holds_nothing() {
    let info = measure(|| {
        let reader = EventReader::new(io::empty());
        std::hint::black_box(&reader);
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn hostile_streams_stay_within_the_limits_memory() {
    let limits = Limits {
        data_len_max: 64 * 1024,
        ..Limits::LARGE
    };
    let endless = [
        ("data: ", "x"),
        ("", "data\n"),
        ("", "data: event\nevent: data\n"),
        ("id: ", "x"),
        ("event: ", "x"),
    ];
    for (start, repeated) in endless {
        let source = start.as_bytes().chain(Endless::new(repeated));
        let info = measure(|| {
            let mut reader = EventReader::with_limits(source, limits);
            let error = reader.next_event().unwrap_err();
            assert!(matches!(error, ReadError::Parse(Error::LimitPassed { .. })));
        });
        check_peak(&info, &limits);
    }
}

#[test]
fn endless_lines_without_effect_take_constant_memory() {
    let limits = Limits {
        bytes_max: 10_000_000,
        ..Limits::LARGE
    };
    for repeated in [":", "x", ": ping\n", "unknown: x\n"] {
        let info = measure(|| {
            let mut reader = EventReader::with_limits(Endless::new(repeated), limits);
            while let Ok(Some(_)) = reader.next_item() {}
            assert_eq!(reader.counters().bytes, limits.bytes_max);
        });
        assert!(info.bytes_max <= (BUFFER_LEN + 2048) as u64, "{info:?}");
    }
}

#[test]
fn memory_at_its_own_limit_fails_cleanly() {
    let mut parser = Parser::growing(GrowingMemory::with_len_max(10), Limits::LARGE);
    let mut input: &[u8] = b"data: 12345\ndata: 6789";
    assert_eq!(parser.next_event(&mut input), Ok(None));
    let mut input: &[u8] = b"0\n\n";
    let lack = Error::MemoryTooShort {
        wanted: 11,
        given: 10,
    };
    for _ in 0..2 {
        assert_eq!(parser.next_event(&mut input), Err(lack));
        assert_eq!(input, b"0\n\n", "nothing was taken");
    }
    parser.reset();
    let mut input: &[u8] = b"data: whole in its chunk, so of any length\n\n";
    assert!(matches!(parser.next_event(&mut input), Ok(Some(_))));
}

#[test]
fn growth_doubles_up_to_the_limit_and_no_further() {
    let mut memory = GrowingMemory::with_len_max(100);
    assert!(memory.grow(30) && memory.bytes().len() == 30);
    memory.bytes_mut().fill(7);
    assert!(memory.grow(31) && memory.bytes().len() == 60);
    assert!(memory.grow(61) && memory.bytes().len() == 100);
    assert!(memory.grow(100) && memory.bytes().len() == 100);
    assert!(!memory.grow(101) && memory.bytes().len() == 100);
    assert_eq!(memory.bytes()[..30], [7; 30]);
    assert!(
        !GrowingMemory::new().grow(usize::MAX),
        "no heap is that large"
    );
}

#[test]
fn memory_is_given_back_only_above_what_is_kept() {
    assert_eq!(KEPT_LEN_MAX, 131_072, "the documentation speaks of it");
    let mut memory = GrowingMemory::new();
    assert_eq!(format!("{memory:?}"), "GrowingMemory(0 bytes)");
    assert!(memory.grow(KEPT_LEN_MAX));
    memory.give_back(0);
    assert_eq!(memory.capacity(), KEPT_LEN_MAX);
    assert!(memory.grow(KEPT_LEN_MAX + 1));
    let grown = memory.capacity();
    memory.give_back(KEPT_LEN_MAX + 1);
    assert_eq!(memory.capacity(), grown);
    memory.give_back(KEPT_LEN_MAX);
    assert_eq!(memory.capacity(), KEPT_LEN_MAX);
}

fn take_events<R: Read>(reader: &mut EventReader<R>, count: u32) {
    for _ in 0..count {
        assert!(matches!(reader.next_event(), Ok(Some(_))));
    }
}

/// While memory grows, the old may stand beside the new.
fn check_peak(info: &AllocationInfo, limits: &Limits) {
    let peak = 2 * limits.memory_len() + BUFFER_LEN;
    assert!(info.bytes_max <= peak as u64, "{info:?}");
}

/// The same bytes for ever.
struct Endless {
    bytes: Vec<u8>,
    /// Index of the next byte; < length of `bytes`
    at: usize,
}

impl Endless {
    fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Endless {
            bytes: bytes.into(),
            at: 0,
        }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut rest = &mut *buffer;
        while !rest.is_empty() {
            let len = rest.len().min(self.bytes.len() - self.at);
            let (room, after) = rest.split_at_mut(len);
            room.copy_from_slice(&self.bytes[self.at..self.at + len]);
            self.at = (self.at + len) % self.bytes.len();
            rest = after;
        }
        Ok(buffer.len())
    }
}

/// Nothing yet, for ever.
struct Blocked;

impl Read for Blocked {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::WouldBlock.into())
    }
}
