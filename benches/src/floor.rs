//! Floors: what any parser of these bytes must do at least. Chunks in, nothing
//! out.

use std::hint::black_box;

use crate::contender::{Contender, Kind, Sink};

/// Copies each chunk.
pub struct Copy(Vec<u8>);

impl Contender for Copy {
    const NAME: &'static str = "floor: memcpy";
    const KIND: Kind = Kind::Floor;

    fn new() -> Self {
        Copy(Vec::new())
    }

    fn feed(&mut self, chunk: &'static [u8], _: &mut impl Sink) {
        self.0.clear();
        self.0.extend_from_slice(chunk);
        black_box(self.0.as_slice());
    }
}

/// Finds every line end with `memchr2` and does nothing else.
pub struct LineEnds;

impl Contender for LineEnds {
    const NAME: &'static str = "floor: line ends";
    const KIND: Kind = Kind::Floor;

    fn new() -> Self {
        LineEnds
    }

    fn feed(&mut self, chunk: &'static [u8], _: &mut impl Sink) {
        find_line_ends(chunk);
    }
}

/// The same, and whether the chunk is UTF-8.
pub struct LineEndsUtf8;

impl Contender for LineEndsUtf8 {
    const NAME: &'static str = "floor: line ends + UTF-8";
    const KIND: Kind = Kind::Floor;

    fn new() -> Self {
        LineEndsUtf8
    }

    fn feed(&mut self, chunk: &'static [u8], _: &mut impl Sink) {
        find_line_ends(chunk);
        black_box(std::str::from_utf8(whole_characters(chunk)).is_ok());
    }
}

/// The same with simdutf8.
pub struct LineEndsSimd;

impl Contender for LineEndsSimd {
    const NAME: &'static str = "floor: line ends + simdutf8";
    const KIND: Kind = Kind::Floor;

    fn new() -> Self {
        LineEndsSimd
    }

    fn feed(&mut self, chunk: &'static [u8], _: &mut impl Sink) {
        find_line_ends(chunk);
        black_box(simdutf8::basic::from_utf8(whole_characters(chunk)).is_ok());
    }
}

#[inline(always)]
fn find_line_ends(mut chunk: &[u8]) {
    let mut lines = 0_usize;
    while let Some(at) = memchr::memchr2(b'\n', b'\r', chunk) {
        lines += 1;
        chunk = &chunk[at + 1..];
    }
    black_box(lines);
}

/// The chunk without the parts of characters that were cut at its ends.
fn whole_characters(chunk: &[u8]) -> &[u8] {
    let is_start = |byte: &&u8| !matches!(byte, 0x80..0xC0);
    let start = chunk
        .iter()
        .take(3)
        .take_while(|byte| !is_start(byte))
        .count();
    let rest = &chunk[start..];
    let last = rest.iter().rev().take(4).position(|byte| is_start(&byte));
    match last {
        Some(at) if rest[rest.len() - 1 - at] >= 0xC0 => &rest[..rest.len() - 1 - at],
        _ => rest,
    }
}
