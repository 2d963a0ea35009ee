//! The crate from outside: vectors, dropped futures, HTTP, firmware's faults.

mod transport; // Sources that give bytes in chosen portions and fail on demand.
mod engines; // The readers as engines of the testkit.
mod conformance; // Vectors, cases and random streams through each reader.
