//! Stage 1, bytes to line ends: a slice in, the index of its first CR or LF out.
//!
//! This is the only loop over all bytes of a stream. It remembers nothing: the
//! tokenizer never asks about a byte twice.

/// Index of the first CR or LF.
///
/// No other character ends a line: not VT or FF, not U+0085, not U+2028.
#[inline]
pub(crate) fn line_end(bytes: &[u8]) -> Option<usize> {
    memchr::memchr2(b'\n', b'\r', bytes)
}

/// Index of the first NUL, which makes an `id` line void.
#[inline]
pub(crate) fn nul(bytes: &[u8]) -> Option<usize> {
    memchr::memchr(0, bytes)
}
