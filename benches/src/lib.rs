//! What measures sseam, and what it is measured beside: corpora and parsers in,
//! counts and times out.

#![forbid(unsafe_code)]

pub mod digest; // Count and hash of events.
pub mod corpus; // The streams, with their expected digests.
pub mod contender; // Parsers behind one trait.
pub mod own; // sseam's.
pub mod floor; // What nobody can go below.
pub mod command; // The command line of the measuring programs.

use contender::Entry;

/// sseam and the floors: all that needs nobody else's parser.
pub const OWN: &[Entry] = &[
    Entry::of::<own::Core>(),
    Entry::of::<own::CoreText>(),
    Entry::of::<own::CoreGrowing>(),
    Entry::of::<floor::LineEnds>(),
];
