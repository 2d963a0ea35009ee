#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

// A byte passes these top to bottom.
mod limits; // Stage 0: the bounds that every stage obeys.
mod error; // Stage 0: one variant per cause.
mod counters; // Stage 0: what was counted, and where.
mod text; // Stage 0: what an event's bytes look like to a reader.
mod scan; // Stage 1: bytes -> line ends. The only hot loop.
mod token; // Stage 2: what lines are cut into.
mod tokenizer; // Stage 2: chunk -> pieces of values, comments, blank lines.
#[cfg(feature = "wide-scan")]
mod line; // Stage 2, fast lane: a whole line -> its kind and value, at one look.
mod memory; // Stage 3: where things lie in the lent memory.
mod item; // Stage 3: what is announced, as views.
mod block; // Stage 3: what was gathered since the last blank line.
mod gather; // Stage 3: pieces of values -> data, type, id, retry.
mod keep; // Stage 3: chunk -> memory, for what the next chunk goes on with.
mod dispatch; // Stage 3: blank line -> event; the dispatch rule.
mod engine; // Stage 4: chunk -> steps; the state of a stream.
mod views; // Stage 4: what a step announced, as the caller sees it.
mod general; // Stage 4: one token acts; limits of lines.
#[cfg(feature = "wide-scan")]
mod lane; // Stage 4, fast lane: whole lines act at once.
#[cfg(feature = "wide-scan")]
mod cut; // Stage 4, fast lane: a value that chunks cut, appended piece by piece.
#[cfg(feature = "wide-scan")]
mod whole; // Stage 4, fast lane: a whole event, handed out at once.
mod ending; // Stage 4: end of stream, reset, resync.
mod parser; // Stage 5: an engine and its memory -> events for the caller.
mod encode; // The way back: event -> bytes.
mod liveness; // Beside the way: how long a stream may be silent.
mod backoff; // Beside the way: how long to wait before connecting again.
#[cfg(feature = "defmt")]
mod log; // What may be logged of an event: lengths, never content.
#[cfg(feature = "heapless")]
mod owned; // An event -> a copy that can be sent to another task.

pub use backoff::{Backoff, Delays};
pub use counters::{Counters, Span};
pub use encode::{EncodeError, Encoded, Encoder};
pub use engine::{Engine, Step};
pub use error::{Error, SetupError};
pub use item::{End, Event, Item, Items, LineView, Skipped};
pub use limits::{Limit, Limits, Overflow};
pub use liveness::{Deadline, Liveness, Timeouts};
#[cfg(feature = "heapless")]
pub use owned::{OwnedEvent, TooLong};
pub use parser::{Memory, Parser};
pub use text::{InvalidText, Text};
pub use token::{Field, Token};
pub use tokenizer::Tokenizer;
#[cfg(feature = "wide-scan")]
pub use whole::WholeEvent;
