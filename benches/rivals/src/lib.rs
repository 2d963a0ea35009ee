//! The other parsers for Rust, each behind the trait that sseam is measured
//! through: chunks in, events out.

#![forbid(unsafe_code)]

pub mod source; // Where a rival that reads from a stream reads from.
pub mod decoders; // Rivals that are called with bytes.
pub mod streams; // Rivals that are polled.
pub mod bodies; // What sseam gives of a body that is polled.

use sseam_benches::entry::Entry;

/// The rivals, the faster ones first; and before them what of sseam needs their
/// dependencies.
pub const RIVALS: &[Entry] = &[
    Entry::of::<bodies::Shared>(),
    Entry::of::<bodies::Owned>(),
    Entry::of::<decoders::SseCore>(),
    Entry::of::<streams::SseStream>(),
    Entry::of::<streams::Sseer>(),
    Entry::of::<decoders::SseParse>(),
    Entry::of::<decoders::TokioSseCodec>(),
    Entry::of::<streams::HttpBody>(),
    Entry::of::<decoders::Russe>(),
    Entry::of::<decoders::SseCodec>(),
    Entry::of::<streams::EventsourceStream>(),
];
