//! A gateway between applications and an API that streams: requests come in and go
//! on to one upstream, its responses come back, untouched or as whole events only,
//! and what became of each answer is counted.

#![forbid(unsafe_code)]

// A request passes these top to bottom, and its response comes back up.
mod serve; // Connections -> requests, until the shutdown.
mod relay; // A request -> the upstream's response, as it is or as whole events.
mod headers; // What concerns one connection only is not sent on.
mod metrics; // What became of the answers -> figures.

pub use metrics::Metrics;
pub use relay::{Gateway, Mode};
pub use serve::serve;
