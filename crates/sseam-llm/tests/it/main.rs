//! Tests of the crate through its public API.

mod run; // Bytes of a stream -> everything a turn says about it.
mod examples; // The example streams, against their expected values.
mod judge; // Whether an answer is whole, judged a second time.
mod truncation; // The example streams, cut at every byte.
mod rules; // The folding rules, one by one.
mod cases; // Faults of other people's clients.
mod json; // JSON against serde_json, and hostile JSON.
mod features; // Builds that leave APIs out.
mod field; // Answers from the wild, against their right verdicts.
mod answer; // The driver, from bytes to an outcome.
mod memory; // No heap, and events that do not fit.
mod panic_free; // No panic is reachable.
