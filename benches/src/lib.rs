//! What measures sseam, and what it is measured beside: corpora and parsers in,
//! counts and times out.

#![forbid(unsafe_code)]

pub mod digest; // Count and hash of events.
pub mod corpus; // The streams, with their expected digests.
pub mod pins; // That they are the streams of last time.
pub mod contender; // Parsers behind one trait.
pub mod entry; // The ways in which they are driven.
pub mod own; // sseam's parsers.
pub mod encoder; // sseam's encoder.
pub mod floor; // What nobody can go below.
mod count; // Instructions.
mod time; // Wall-clock.
mod streams; // Delay, long lines, many streams.
pub mod heap; // Heap calls and bytes.
pub mod command; // The command line of the measuring programs.

use entry::Entry;

/// sseam and the floors: all that needs nobody else's parser.
pub const OWN: &[Entry] = &[
    Entry::of::<own::Core>(),
    Entry::of::<own::CoreText>(),
    Entry::of::<own::CoreSimd>(),
    Entry::of::<own::CoreTokens>(),
    encoder::ENTRY,
    Entry::of::<own::Growing>(),
    Entry::of::<own::Owned>(),
    Entry::of::<own::Reader>(),
    Entry::of::<floor::Copy>(),
    Entry::of::<floor::LineEnds>(),
    Entry::of::<floor::LineEndsUtf8>(),
    Entry::of::<floor::LineEndsSimd>(),
];
