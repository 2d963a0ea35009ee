//! Event memory that grows on demand: how much is wanted in, bytes out.
//!
//! An idle stream holds next to nothing. A large event doubles the memory until
//! it fits, and the memory is given back once the event has been handed out.

use sseam_core::Memory;

/// Event memory on the heap, empty until the first event that needs some.
///
/// Events that lie whole in a chunk never need it. It grows by doubling, as far
/// as the parser's limits go, and gives back what is over [`KEPT_LEN_MAX`] when
/// a block has ended, so that an idle stream does not hold its maximum.
///
/// ```
/// use sseam::{GrowingMemory, Limits, Parser};
///
/// let mut parser = Parser::growing(GrowingMemory::new(), Limits::LARGE);
/// let mut input: &[u8] = b"data: whole in one chunk\n\n";
/// assert!(parser.next_event(&mut input)?.is_some());
/// assert_eq!(parser.memory().capacity(), 0);
/// # Ok::<(), sseam::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct GrowingMemory {
    bytes: Vec<u8>,
}

/// Bytes that a [`GrowingMemory`] keeps between events.
///
/// Below it, a stream of events of one size costs no heap call after the first;
/// above it, a heap call is nothing beside the bytes of the event.
pub const KEPT_LEN_MAX: usize = 128 * 1024;

impl GrowingMemory {
    /// Memory of no bytes.
    pub const fn new() -> Self {
        GrowingMemory { bytes: Vec::new() }
    }

    /// Bytes that it holds on the heap.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }
}

impl Memory for GrowingMemory {
    #[inline]
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[inline]
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    fn grow(&mut self, len: usize) -> bool {
        let more = len.saturating_sub(self.bytes.len());
        // `try_reserve` doubles; `resize` within the capacity cannot fail.
        if self.bytes.try_reserve(more).is_err() {
            return false;
        }
        self.bytes.resize(self.bytes.capacity(), 0);
        true
    }

    #[inline]
    fn give_back(&mut self, held: usize) {
        if self.bytes.len() > KEPT_LEN_MAX && held <= KEPT_LEN_MAX {
            self.bytes.truncate(KEPT_LEN_MAX);
            self.bytes.shrink_to_fit();
        }
    }
}
