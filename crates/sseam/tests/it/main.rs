//! The readers against vectors, cases and the oracle, and at their edges.

mod convert; // What the readers give, in the testkit's words.
mod sources; // A `Read` that does as it is told.
mod engines;
mod field; // The ways of reading, as engines of the testkit.
mod conformance; // Vectors, cases and random streams at every cut.
mod reader; // Errors, ends, buffers, parts.
mod chunks; // The same for iterators of chunks.
mod memory; // What the heap is asked for.
mod owned; // Events that outlive their reader, and their text.
mod answer; // Answers of AI APIs.
mod write; // The way back.
mod logs; // No `Debug` and no error says what a stream says.
#[cfg(feature = "test-util")]
mod cuts; // The iterator over every cut.
#[cfg(feature = "client")]
mod client; // Requests over loopback, with every fault of a script.
