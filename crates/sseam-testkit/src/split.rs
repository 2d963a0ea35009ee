//! A stream -> its chunks, in every way that has broken somebody's parser.

use std::fmt::{self, Display, Formatter};

use crate::generate::Rng;

/// One way of cutting one stream.
#[derive(Clone, Debug)]
pub struct Cut<'s> {
    /// For messages, and to make the same cut again.
    pub how: How,
    /// Whether an empty chunk stands before, between and after the others.
    pub has_empty_chunks: bool,
    /// In order; together they are the stream.
    pub chunks: Vec<&'s [u8]>,
}

/// How a stream was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// Not at all.
    Whole,
    /// Into chunks of this many bytes; the last may be shorter.
    Sized(usize),
    /// In two at this offset.
    InTwo(usize),
    /// At these offsets; equal ones make empty chunks.
    Offsets(Vec<usize>),
    /// At places drawn from this seed.
    Random(u64),
}

/// One chunk.
pub fn whole(stream: &[u8]) -> Cut<'_> {
    Cut {
        how: How::Whole,
        has_empty_chunks: false,
        chunks: vec![stream],
    }
}

/// Chunks of one byte.
pub fn byte_by_byte(stream: &[u8]) -> Cut<'_> {
    sized(stream, 1)
}

/// Chunks of `size` bytes; the last may be shorter.
///
/// # Panics
///
/// If `size` is 0.
pub fn sized(stream: &[u8], size: usize) -> Cut<'_> {
    let chunks = stream.chunks(size).collect();
    Cut {
        how: How::Sized(size),
        has_empty_chunks: false,
        chunks,
    }
}

/// Two chunks; one is empty if the cut is at either end.
///
/// # Panics
///
/// If `at` is beyond the stream.
pub fn in_two(stream: &[u8], at: usize) -> Cut<'_> {
    let (head, tail) = stream.split_at(at);
    Cut {
        how: How::InTwo(at),
        has_empty_chunks: false,
        chunks: vec![head, tail],
    }
}

/// Cut at each of `offsets`, which rise; equal ones make empty chunks.
///
/// # Panics
///
/// If an offset is beyond the stream or below the one before it.
pub fn at_offsets<'s>(stream: &'s [u8], offsets: &[usize]) -> Cut<'s> {
    let mut chunks = Vec::with_capacity(offsets.len() + 1);
    let mut start = 0;
    for &end in offsets.iter().chain([&stream.len()]) {
        chunks.push(&stream[start..end]);
        start = end;
    }
    Cut {
        how: How::Offsets(offsets.to_vec()),
        has_empty_chunks: false,
        chunks,
    }
}

/// Cut at random places: mostly small chunks, some empty, some long.
pub fn random(stream: &[u8], seed: u64) -> Cut<'_> {
    let mut rng = Rng::new(seed);
    let mut chunks = Vec::new();
    let mut rest = stream;
    while !rest.is_empty() {
        let len = if rng.one_in(8) {
            rng.below(rest.len() + 1)
        } else {
            rng.below(6)
        };
        let (chunk, tail) = rest.split_at(len.min(rest.len()));
        chunks.push(chunk);
        rest = tail;
    }
    Cut {
        how: How::Random(seed),
        has_empty_chunks: false,
        chunks,
    }
}

/// The same cut with an empty chunk before, between and after the others.
pub fn with_empty_chunks(cut: Cut<'_>) -> Cut<'_> {
    let mut chunks: Vec<&[u8]> = vec![&[]];
    for chunk in cut.chunks {
        chunks.extend([chunk, &[]]);
    }
    Cut {
        how: cut.how,
        has_empty_chunks: true,
        chunks,
    }
}

/// The cuts that every stream is run at: whole, byte by byte, in sizes that
/// are no power of two, at random places, with empty chunks in between, and in
/// two at every offset (at a sample of them if the stream is long).
pub fn every(stream: &[u8]) -> impl Iterator<Item = Cut<'_>> {
    let fixed = [
        whole(stream),
        with_empty_chunks(whole(stream)),
        byte_by_byte(stream),
        with_empty_chunks(byte_by_byte(stream)),
        sized(stream, 2),
        sized(stream, 3),
        sized(stream, 7),
        sized(stream, 1000),
        random(stream, 1),
        with_empty_chunks(random(stream, 2)),
    ];
    let in_twos = positions(stream.len()).map(|at| {
        let cut = in_two(stream, at);
        if at % 2 == 0 {
            cut
        } else {
            with_empty_chunks(cut)
        }
    });
    fixed.into_iter().chain(in_twos)
}

/// Every offset of a stream, or a sample of a long one's: all of the first and
/// last few, where field names and line ends are, and some between.
pub fn positions(stream_len: usize) -> impl Iterator<Item = usize> {
    let is_long = stream_len > LONG_LEN_MIN;
    let step = if is_long { stream_len / 24 } else { 1 };
    (0..=stream_len).filter(move |at| {
        let is_near_an_end = *at < 16 || stream_len - at < 16;
        !is_long || is_near_an_end || at % step == 0
    })
}

/// For messages.
impl Display for Cut<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.how {
            How::Whole => write!(f, "whole")?,
            How::Sized(1) => write!(f, "byte by byte")?,
            How::Sized(size) => write!(f, "in chunks of {size}")?,
            How::InTwo(at) => write!(f, "cut at {at}")?,
            How::Offsets(offsets) => write!(f, "cut at {offsets:?}")?,
            How::Random(seed) => write!(f, "cut at random with seed {seed}")?,
        }
        f.write_str(if self.has_empty_chunks {
            ", with empty chunks"
        } else {
            ""
        })
    }
}

/// Cutting a stream in two at every offset costs its length squared.
const LONG_LEN_MIN: usize = 4096;
