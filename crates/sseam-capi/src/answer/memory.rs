//! The event memory of an answer: bytes that the caller lends, or memory of its
//! allocator that grows on demand.

use core::slice;

use sseam_core::Memory;

use crate::heap::Heap;
#[cfg(feature = "heap")]
use crate::heap::{MEMORY_LEN_FIRST, is_much};
#[cfg(feature = "heap")]
use crate::parser::nowhere;

/// Memory that the driver of an answer reads events in.
///
/// It has no destructor: [`Block::free`] ends it.
pub(crate) struct Block {
    /// Valid for `len` bytes, which have all been written.
    at: *mut u8,
    len: usize,
    /// Where it grows, and how far.
    heap: Option<(Heap, usize)>,
}

impl Block {
    /// # Safety
    ///
    /// These bytes are the block's alone until it is given up, and were written.
    pub(crate) unsafe fn lent(at: *mut u8, len: usize) -> Block {
        Block {
            at,
            len,
            heap: None,
        }
    }

    /// Memory that begins with none, and has `max` bytes at most.
    #[cfg(feature = "heap")]
    pub(crate) const fn growing(heap: Heap, max: usize) -> Block {
        Block {
            at: nowhere(),
            len: 0,
            heap: Some((heap, max)),
        }
    }

    /// Gives back what came from an allocator; the block is not to be used again.
    pub(crate) fn free(&self) {
        if let Some((heap, _)) = self.heap {
            // SAFETY: the memory came from this allocator with this length.
            unsafe { heap.free(self.at, self.len) };
        }
    }

    /// Makes it `len` > 0 bytes long, or leaves it as it is.
    #[cfg(feature = "heap")]
    fn resize(&mut self, len: usize) -> bool {
        let Some((heap, _)) = self.heap.filter(|_| len <= isize::MAX as usize) else {
            return false;
        };
        // SAFETY: the memory came from this allocator with this length. Its code may
        // call the library: the answer is marked busy, see `Answer::change`.
        let new = unsafe { heap.resize(self.at, self.len, len) };
        if new.is_null() {
            return false;
        }
        if let Some(more) = len.checked_sub(self.len) {
            // What is lent to the engine must have been written.
            // SAFETY: `new` has `len` bytes, of which the first are old.
            unsafe { new.add(self.len).write_bytes(0, more) };
        }
        (self.at, self.len) = (new, len);
        true
    }
}

impl Memory for Block {
    const GROWS: bool = cfg!(feature = "heap");

    fn bytes(&self) -> &[u8] {
        // SAFETY: the field's promise; the borrow of `self` keeps writers away.
        unsafe { slice::from_raw_parts(self.at, self.len) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: the field's promise; the borrow of `self` keeps others away.
        unsafe { slice::from_raw_parts_mut(self.at, self.len) }
    }

    #[cfg(feature = "heap")]
    fn grow(&mut self, len: usize) -> bool {
        let max = self.heap.map_or(0, |(_, max)| max);
        let twice = self.len.saturating_mul(2).max(MEMORY_LEN_FIRST).min(max);
        self.resize(twice.max(len)) || self.resize(len)
    }

    #[cfg(feature = "heap")]
    fn give_back(&mut self, held: usize) {
        // A quarter, not a half, or an event that grows would have its memory taken
        // and given anew at every chunk. Where it cannot be shorter, it stays.
        if is_much(self.len) && held <= self.len / 4 {
            let _ = self.resize(held.max(MEMORY_LEN_FIRST));
        }
    }
}
