//! The core against vectors, cases, the oracle, and itself.

mod engines; // The ways of driving the core.
mod conformance; // Vectors, cases and random streams at every cut.
