//! What a read of a source gives: an item and what it says, or news of the
//! connection.

use std::time::Duration;

use sseam_core::Item;
use sseam_llm::{Signal, Signals, Turn};

/// What a read of a source gives. It borrows the source until the next read.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are items; a box would be one for each"
)]
#[non_exhaustive]
pub enum Received<'s> {
    /// An item of the stream, and what it says in its dialect.
    Item(Item<'s>, Said<'s>),
    /// The body is no event stream but an API's error: the failure that it is.
    Body(Signal<'s>),
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

/// The signals of one item, in their order. Reading them changes nothing.
#[derive(Debug, Clone)]
pub struct Said<'s>(Kind<'s>);

#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are of events; a box would be one for each"
)]
enum Kind<'s> {
    Many(Signals<'s>),
    One(Option<Signal<'s>>),
}

impl<'s> Said<'s> {
    /// Lets the turn take the item.
    pub(crate) fn of(item: &Item<'s>, turn: &mut Turn) -> Self {
        Said(match item {
            Item::Event(event) => Kind::Many(turn.observe(event)),
            Item::Skipped(skipped) => Kind::Many(turn.observe_skipped(skipped)),
            Item::Ignored(line) => Kind::One(turn.observe_ignored(line)),
            _ => Kind::One(None),
        })
    }
}

impl<'s> Iterator for Said<'s> {
    type Item = Signal<'s>;

    fn next(&mut self) -> Option<Signal<'s>> {
        match &mut self.0 {
            Kind::Many(signals) => signals.next(),
            Kind::One(signal) => signal.take(),
        }
    }
}
