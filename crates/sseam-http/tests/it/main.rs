//! Bodies made of frames, and real ones: events, answers, and what passes by.

mod body; // A body that does as it is told.
#[path = "../../../sseam/tests/it/convert.rs"]
mod convert; // What readers give, in the testkit's words.
mod engines; // The ways of reading, as engines of the testkit.
mod conformance; // Vectors, cases and random streams at every cut.
mod events; // Errors, ends, fuses, what is asked of the body.
mod cancel; // Futures that are dropped at every await.
mod heap; // What the heap is asked for.
mod responses; // Which responses are event streams.
mod field; // Answers from the wild, at every cut.
mod answers; // Ends of answers, and what is asked of their bodies.
mod observed; // Bodies that are watched while they pass.
mod sending; // The way back.
mod loopback; // A server and a client of hyper.
mod logs; // No `Debug` and no error says what a stream says.
