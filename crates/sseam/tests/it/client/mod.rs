//! The client against scripted servers on loopback.
//!
//! Timers are short and their upper bounds generous: a busy machine is late, and
//! never early.

mod cases; // The client cases of the reports, one test each.
mod setup; // A case -> a server and a request.
