//! Requests come in, events come out, over connections that time out, can be
//! cancelled, and are made again where that is wanted.
//!
//! Blocking, on [ureq]. See [`Request`] for what can be asked for and
//! [`EventSource`] for reading; `docs/client.md` in the repository has the rules
//! in a table: what ends a stream, what is repeated, what is kept secret.
//!
//! ```no_run
//! use sseam::client::Request;
//!
//! let source = Request::get("http://localhost:8080/events").open()?;
//! for event in source {
//!     println!("{}", event?.data());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Secrets
//!
//! No `Debug`, `Display` or log line of this crate holds a header's value, a
//! path, a query, a body or an event. With the feature `log` it writes lines at
//! the level `debug` under the target `sseam::client`. ureq logs under the
//! targets `ureq` and `ureq_proto`: at the level `trace` it shows addresses with
//! their query and all bytes that pass, so leave that level off for them.
//!
//! [ureq]: https://docs.rs/ureq

// A request passes these top to bottom, and its answer comes back up.
mod note; // What may be logged.
mod detour; // What redirects and proxies fail with.
mod failure; // One variant per cause.
mod location; // A URL, and where redirects lead.
mod retry_after; // A header -> a time to wait.
mod head; // Status and headers of a response.
mod secrets; // A text -> the same without the request's values.
mod mark; // When bytes arrived.
mod proxy; // Through whom to connect.
mod request; // What to ask for, and how to wait for it.
mod checked; // The same, checked.
mod control; // Cancel and deadlines, shared with other threads.
mod clock; // The time of one source.
mod connect; // A name -> a connection.
mod transport; // A connection -> bytes, under deadlines.
#[cfg(feature = "client-rustls")]
mod tls; // What TLS trusts.
mod exchange; // A request and its redirects -> head and body.
mod wire; // A body -> chunks.
mod received; // What a read gives.
mod report; // What became of it.
mod seen; // What was seen of a stream.
mod source; // Chunks -> events; what a caller reads from.
mod course; // From connection to connection.
mod iter; // A source -> iterators.

pub use crate::unfit::Unfit;
pub use control::Canceller;
pub use detour::{ProxyError, RedirectError};
pub use failure::{ClientError, NotEventStream, RequestError, StatusError, TimedOut, Truncated};
pub use head::Head;
pub use iter::{Drain, SourceEvents};
pub use mark::{ConnectionStep, ReadBytes, ReadMark};
pub use received::{Received, Reconnected};
pub use report::Report;
pub use request::Request;
pub use source::{EventSource, ForEachError};
