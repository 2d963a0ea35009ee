//! What a read of a source gives: an item and what it says, or news of the
//! connection.

use std::time::Duration;

use sseam_core::Item;
use sseam_llm::Signals;

/// What a read of a source gives. It borrows the source until the next read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Received<'s> {
    /// An item of the stream, and what it says in its dialect.
    Item(Item<'s>, Signals<'s>),
    /// What only the end of the answer says: the calls that it closes.
    End(Signals<'s>),
    /// A further connection was made. Told before the first item of it.
    Reconnected(Reconnected),
}

/// A further connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reconnected {
    /// Which it is, from 2.
    pub connection: u32,
    /// Whether it goes on after the last event that was delivered. Where not,
    /// events may come again: those since the last event id changed, or all if
    /// none is sent.
    pub is_resumable: bool,
    /// How long the source had waited before it.
    pub waited: Duration,
}
