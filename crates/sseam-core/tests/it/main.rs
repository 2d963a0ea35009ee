//! The core against vectors, cases, the oracle, and itself.

mod engines; // The ways of driving the core.
mod tokens; // The tokenizer alone, as an engine.
mod conformance; // Vectors, cases and random streams at every cut.
mod exhaustive; // Every short stream, cut in every way.
mod law1; // Random streams, cuts and limits, made small when they fail.
mod edges; // What a parser is like at a limit and after it.
mod limits; // Each limit at its value and one above.
mod hostile; // Streams without an end, and their memory.
mod linear; // Time over length and over cuts.
mod allocations; // None in the core.
