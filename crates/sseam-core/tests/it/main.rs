//! The core against vectors, cases, the oracle, and itself.

mod engines; // The ways of driving a parser.
mod bare; // The engine without a parser.
mod tokens; // The tokenizer alone, as an engine.
mod conformance; // Vectors, cases and random streams at every cut.
mod exhaustive; // Every short stream, cut in every way.
mod law1; // Random streams, cuts and limits, made small when they fail.
mod edges; // What a parser is like at a limit and after it.
mod limits; // Each limit at its value and one above.
mod hostile; // Streams without an end, and their memory.
mod linear; // Time over length and over cuts.
mod allocations; // None in the core.
mod encoder; // The way out and back.
mod connection; // Reset, resync, ids from elsewhere.
mod waiting; // Liveness and back-off on a virtual clock.
mod short_memory; // Memory that stops growing.
mod unfinished; // The event that the end of input threw away.
mod unfinished_line; // The ignored line that it threw away, and what `End` counts.
mod views; // Text, numbers, and nothing of the content in any `Debug`.
mod setup; // Limits, memory, statics; where the tokenizer is.
mod misuse; // Calls that no documentation allows.
mod long_lines; // Line ends at every distance.
