//! The crate from outside: vectors, dropped futures, HTTP, firmware's faults.

mod transport; // Sources that give bytes in chosen portions and fail on demand.
mod engines; // The readers as engines of the testkit.
mod conformance; // Vectors, cases and random streams through each reader.
mod cancel; // Futures that are dropped at every await.
mod behaviour; // What the readers promise besides events.
mod http; // Heads, bodies, requests.
mod write; // What goes out.
mod soak; // A hundred thousand events without a heap.
mod channel; // Owned events through queues.
