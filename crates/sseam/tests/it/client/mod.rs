//! The client against scripted servers on loopback.
//!
//! Timers are short and their upper bounds generous: a busy machine is late, and
//! never early.

mod cancel; // A cancel in every state, over and over.
mod cases; // The client cases of the reports, one test each.
mod cuts; // A body that breaks off at each of its bytes.
mod ends; // How bodies end.
#[cfg(target_os = "linux")]
mod leaks; // What is left of sources that are gone.
mod proxy; // Behind a proxy.
mod retry; // When another request is made.
mod rules; // What is sent, followed, and taken for a stream.
mod secrets; // What must not be shown.
mod setup; // A case -> a server and a request.
mod steps; // What is told of requests and connections.
#[cfg(feature = "client-rustls")]
mod tls; // Whom it trusts, and how TLS ends.
