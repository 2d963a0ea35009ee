//! What a whole stream means, said as naively as possible.
//!
//! Three files, to be read beside the standard: `line` splits a whole stream
//! into lines and a line into field name and value; `standard` is the standard
//! word for word and knows no limits; `limited` adds limits and both overflow
//! modes. None of them knows chunks, saves memory, or shares code with a
//! parser. Without limits the last two must agree, which is a test of both.
//!
//! Text stays bytes. The standard decodes the stream first, but CR, LF, colon,
//! space and NUL are never part of a multi-byte sequence, well-formed or not,
//! so decoding each value afterwards gives the same text.

mod line;
mod limited;
mod standard;

pub use limited::limited;
pub use standard::standard;

use crate::{Engine, Report, Setup};

/// The oracle as an engine: it sees through every way of cutting.
#[derive(Clone, Copy, Debug)]
pub struct Oracle;

impl Engine for Oracle {
    fn name(&self) -> &str {
        "oracle"
    }

    fn run(&self, setup: &Setup, chunks: &[&[u8]]) -> Report {
        limited(&chunks.concat(), setup)
    }
}
