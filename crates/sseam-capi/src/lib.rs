#![doc = include_str!("../README.md")]
#![no_std]

// From what a C caller sees to where it becomes the engine's.
mod version; // Which release, and which binary interface.
mod status; // The codes that functions return, and their names.
mod types; // The structs of the header: first their size, then their fields.
mod pointer; // The one place where pointers become references.
mod options; // The caller's options -> the engine's limits.
mod parser; // What a handle points at; its life in memory that the caller lends.
#[cfg(feature = "heap")]
mod heap; // Event memory that grows through the caller's allocator.
#[cfg(not(feature = "heap"))]
mod no_heap; // Event memory that cannot grow.
#[cfg(feature = "heap")]
mod hosted; // A parser on the heap; absent where there is none.
mod feed; // Bytes in, one item out; the callback form is a loop over it.
mod ending; // End of input, unfinished event, reset, what a reconnect needs.
mod text; // Broken UTF-8 -> text with U+FFFD.
mod encode; // The way back: event -> bytes.
mod liveness; // The caller's times -> until when to wait for a stream.
mod backoff; // Failures -> how long to wait before connecting again.
#[cfg(feature = "answer")]
mod answer; // An AI's answer: bytes in; its text, calls and outcome out.

#[cfg(feature = "answer")]
pub use answer::*;
pub use backoff::{
    Backoff, Delays, sseam_backoff_attempts, sseam_backoff_init, sseam_backoff_next_wait,
    sseam_backoff_observe_event, sseam_backoff_set_retry, sseam_delays_init_sized,
};
pub use encode::{sseam_encode_comment, sseam_encode_event, sseam_encode_retry};
pub use ending::*;
pub use feed::{ItemCallback, sseam_parser_feed, sseam_parser_feed_all};
#[cfg(feature = "heap")]
pub use heap::Allocator;
#[cfg(feature = "heap")]
pub use hosted::sseam_parser_new;
pub use liveness::*;
#[cfg(not(feature = "heap"))]
use no_heap as heap;
pub use options::*;
pub use parser::*;
pub use status::*;
pub use text::sseam_utf8_replace;
pub use types::*;
pub use version::*;
