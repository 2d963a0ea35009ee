//! The core against vectors, cases, the oracle, and itself.

mod engines; // The ways of driving the core.
mod tokens; // The tokenizer alone, as an engine.
mod conformance; // Vectors, cases and random streams at every cut.
mod exhaustive; // Every short stream, cut in every way.
mod law1; // Random streams, cuts and limits, made small when they fail.
