//! What is measured, behind one trait: chunks of a stream in, events out to a
//! sink that does nothing with them, or looks at every byte.

use std::hint::black_box;

use crate::digest::Digest;

/// Takes events as a parser gives them out.
pub trait Sink {
    /// Told once for each event; an empty type means `message`.
    fn event(&mut self, event_type: &[u8], data: &[u8]);
}

/// Does as little as can be done with an event that must not be optimised away.
#[derive(Debug, Default)]
pub struct Count {
    /// Events so far.
    pub events: u64,
}

impl Sink for Count {
    #[inline(always)]
    fn event(&mut self, _: &[u8], data: &[u8]) {
        self.events += 1;
        black_box(data);
    }
}

impl Sink for Digest {
    fn event(&mut self, event_type: &[u8], data: &[u8]) {
        self.add(event_type, data);
    }
}

/// A parser, or something that is measured beside parsers.
pub trait Contender: 'static {
    /// Its name in tables and on command lines, with its version. No commas.
    const NAME: &'static str;
    /// What it is.
    const KIND: Kind = Kind::Rival;
    /// Whether it looks at a long line again with each chunk: it is not given
    /// long lines in small chunks, which would take hours.
    const IS_QUADRATIC: bool = false;

    /// One for a new stream.
    fn new() -> Self;

    /// Takes one chunk. Chunks live for ever, for parsers that keep them.
    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink);
}

/// What a contender is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// sseam, with whole events, whose digest is checked.
    Own,
    /// A part of sseam that gives no events.
    Part,
    /// Another parser; its digest is checked.
    Rival,
    /// What nobody can go below.
    Floor,
}

impl Kind {
    /// Whether it gives out events, which can then be checked.
    pub const fn has_events(self) -> bool {
        matches!(self, Kind::Own | Kind::Rival)
    }

    /// Its name in what the programs print.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Own => "own",
            Kind::Part => "part",
            Kind::Rival => "rival",
            Kind::Floor => "floor",
        }
    }
}
