//! Stage 5, who holds the event memory: an array, lent bytes, or memory that grows.

/// The event memory of a [`Parser`](crate::Parser).
///
/// Arrays and lent slices have their length for ever. A memory that can grow
/// says so by implementing [`Memory::grow`].
pub trait Memory {
    /// Whether it may ever be longer than it is. Where it may not, a firmware is
    /// spared the code that rearranges what lies in it.
    const GROWS: bool = true;

    /// All of it.
    fn bytes(&self) -> &[u8];

    /// All of it, to be written.
    fn bytes_mut(&mut self) -> &mut [u8];

    /// Makes it at least `len` bytes long and keeps what it holds, or says
    /// `false` and changes nothing.
    fn grow(&mut self, len: usize) -> bool {
        let _ = len;
        false
    }

    /// Told between two reads that only the first `held` bytes are in use.
    fn give_back(&mut self, held: usize) {
        let _ = held;
    }
}

impl<const N: usize> Memory for [u8; N] {
    const GROWS: bool = false;

    fn bytes(&self) -> &[u8] {
        self
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self
    }
}

impl Memory for &mut [u8] {
    const GROWS: bool = false;

    fn bytes(&self) -> &[u8] {
        self
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self
    }
}
