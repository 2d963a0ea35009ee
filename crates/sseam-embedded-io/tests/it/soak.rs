//! A hundred thousand events, and not one call of an allocator: nothing that
//! could break a small heap up, or find it full.

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use allocation_counter::measure;
use embedded_io::{ErrorType, Read};
use sseam_core::{Limits, Overflow};
use sseam_embedded_io::{AsyncEventReader, EventReader};

const EVENTS: u64 = 100_000;

/// Of the two events in each of these blocks the second is too large.
const BLOCK: &[u8] =
    b": ping\nid: 7\nevent: delta\ndata: a\ndata: b\n\ndata: 0123456789abcdef\n\nretry: 9\nno\n";

const LIMITS: Limits = Limits {
    data_len_max: 8,
    overflow: Overflow::Skip,
    ..Limits::SMALL
};

/// So many blocks, in reads of changing lengths.
struct Blocks {
    left: u64,
    at: usize,
    read_len: usize,
}

impl Blocks {
    const ALL: Blocks = Blocks {
        left: EVENTS,
        at: 0,
        read_len: 1,
    };
}

impl ErrorType for Blocks {
    type Error = Infallible;
}

impl Read for Blocks {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        if self.left == 0 {
            return Ok(0);
        }
        self.read_len = self.read_len % 64 + 1;
        let rest = &BLOCK[self.at..];
        let len = rest.len().min(buffer.len()).min(self.read_len);
        buffer[..len].copy_from_slice(&rest[..len]);
        self.at += len;
        if self.at == BLOCK.len() {
            (self.at, self.left) = (0, self.left - 1);
        }
        Ok(len)
    }
}

impl embedded_io_async::Read for Blocks {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        Read::read(self, buffer)
    }
}

/// Runs a future without an executor, which might allocate.
fn run<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return result;
        }
    }
}

/// E08: a heap in pieces cannot hurt what has no heap.
#[test]
fn a_hundred_thousand_events_without_an_allocation() {
    let counted = measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(counted.count_total, 1, "the counter counts");
    let counted = measure(|| {
        let reader = EventReader::new(Blocks::ALL, [0; 48], [0; 832], LIMITS);
        let mut reader = reader.expect("enough memory");
        while let Some(event) = reader.next_event().expect("no error") {
            assert_eq!(event.data(), "a\nb");
        }
        let counters = reader.counters();
        assert_eq!((counters.events, counters.skipped), (EVENTS, EVENTS));
    });
    assert_eq!(counted.count_total, 0);
    let counted = measure(|| {
        let reader = AsyncEventReader::new(Blocks::ALL, [0; 48], [0; 832], LIMITS);
        let mut reader = reader.expect("enough memory");
        while let Some(event) = run(reader.next_event()).expect("no error") {
            assert_eq!(event.data(), "a\nb");
        }
        let counters = reader.counters();
        assert_eq!((counters.events, counters.skipped), (EVENTS, EVENTS));
    });
    assert_eq!(counted.count_total, 0);
}
