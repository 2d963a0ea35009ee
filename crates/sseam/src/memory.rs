//! Event memory that grows on demand: how much is wanted in, bytes out.
//!
//! An idle stream holds next to nothing. A large event doubles the memory until
//! it fits, and the memory is given back once the event has been handed out.

use std::fmt;

use sseam_core::{Limits, Memory, Parser};

/// Event memory on the heap, empty until the first event that needs some.
///
/// Events that lie whole in a chunk never need it. It grows by doubling, as far
/// as the parser's limits or its own go, and gives back what is over
/// [`KEPT_LEN_MAX`] when a block has ended, so that an idle stream does not hold
/// its maximum.
///
/// ```
/// let mut parser = sseam::parser();
/// let mut input: &[u8] = b"data: whole in one chunk\n\n";
/// assert!(parser.next_event(&mut input)?.is_some());
/// assert_eq!(parser.memory().capacity(), 0);
/// # Ok::<(), sseam::Error>(())
/// ```
#[derive(Clone)]
pub struct GrowingMemory {
    /// Its length is at most `len_max`.
    bytes: Vec<u8>,
    len_max: usize,
}

/// A parser that takes memory from the heap as its events need it.
pub type GrowingParser = Parser<GrowingMemory>;

/// Bytes that a [`GrowingMemory`] keeps between events: 128 KiB.
///
/// Below it, a stream of events of one size costs no heap call after the first;
/// above it, a heap call is nothing beside the bytes of the event.
pub const KEPT_LEN_MAX: usize = 128 * 1024;

/// A parser over growing memory with [`Limits::LARGE`].
///
/// For other limits: `Parser::growing(GrowingMemory::new(), limits)`.
///
/// ```
/// let mut parser = sseam::parser();
/// for chunk in ["data: in two", " chunks\n\n"] {
///     let mut input = chunk.as_bytes();
///     while let Some(event) = parser.next_event(&mut input)? {
///         assert_eq!(event.data(), "in two chunks");
///     }
/// }
/// assert!(parser.finish().is_clean());
/// # Ok::<(), sseam::Error>(())
/// ```
pub const fn parser() -> GrowingParser {
    let limits = Limits::LARGE;
    Parser::growing(GrowingMemory::with_len_max(limits.memory_len()), limits)
}

impl GrowingMemory {
    /// Memory of no bytes, which grows as far as the heap goes.
    pub const fn new() -> Self {
        GrowingMemory::with_len_max(usize::MAX)
    }

    /// Memory of no bytes, which never holds more than `len_max` of them.
    ///
    /// With [`Limits::memory_len`] of the parser's limits it never fails and
    /// doubling does not overshoot. With less, a block that needs more is
    /// [`Error::MemoryTooShort`](crate::Error::MemoryTooShort).
    pub const fn with_len_max(len_max: usize) -> Self {
        GrowingMemory {
            bytes: Vec::new(),
            len_max,
        }
    }

    /// Bytes that it holds on the heap.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Makes it `len` bytes long, unless it is longer already; says `false` and
    /// changes nothing where the heap has no room.
    fn lengthen(&mut self, len: usize) -> bool {
        let more = len.saturating_sub(self.bytes.len());
        let has_room = self.bytes.try_reserve_exact(more).is_ok();
        if has_room {
            self.bytes.resize(self.bytes.len() + more, 0);
        }
        has_room
    }
}

/// Shows lengths, not content: logs must not leak what a stream says.
impl fmt::Debug for GrowingMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GrowingMemory({} bytes)", self.bytes.len())
    }
}

/// Memory of no bytes, which grows as far as the heap goes.
impl Default for GrowingMemory {
    fn default() -> Self {
        GrowingMemory::new()
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
        if len > self.len_max {
            return false;
        }
        let doubled = self.bytes.len().saturating_mul(2);
        // What the heap has not twice over, it may still have once.
        [doubled.clamp(len, self.len_max), len]
            .into_iter()
            .any(|new_len| self.lengthen(new_len))
    }

    #[inline]
    fn give_back(&mut self, held: usize) {
        if self.bytes.len() > KEPT_LEN_MAX && held <= KEPT_LEN_MAX {
            self.bytes.truncate(KEPT_LEN_MAX);
            self.bytes.shrink_to_fit();
        }
    }
}
