//! A checked request comes in; its events go out, over as many connections as
//! it takes, and in the end what became of it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sseam_core::{Backoff, Counters, End, Event, Item, Text};
use sseam_llm::{Answer, Close, Dialect, Ending, Heard, Outcome, Turn};

use super::checked::Checked;
use super::clock::Clock;
use super::control::{Canceller, Control};
use super::course::{Stage, Stepped};
use super::exchange::Exchange;
use super::failure::{ClientError, RequestError};
use super::head::Head;
use super::iter::{Drain, SourceEvents};
use super::mark::ReadMark;
use super::received::Received;
use super::report::Report;
use super::seen::{Firsts, Marks, SeenItem, sum};
use super::wire::Wire;
use crate::answer::push_text;
use crate::memory::GrowingMemory;
use crate::told::Told;

/// Reads the events that a request is answered with.
///
/// Made by [`Request::open`](crate::client::Request::open). The first read sends
/// the request; each read waits, on the caller's thread, until there is something
/// to give. Waits end early by a timeout or by a [`Canceller`], each with an
/// error of its own. Dropping the source closes the connection, and so a server
/// that generates an answer can stop.
///
/// ```no_run
/// use sseam::client::{Received, Request};
///
/// let mut source = Request::get("http://localhost:8080/events").open()?;
/// while let Some(received) = source.receive()? {
///     match received {
///         Received::Item(item, _) => println!("{item:?}"),
///         Received::Reconnected(news) => println!("connection {}", news.connection),
///         _ => {}
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # The end
///
/// An error is said once; after it, and at a good end, reads give `Ok(None)` and
/// [`report`](Self::report) tells what became of the answer. A good end is the
/// terminal event of the dialect, 204, or in the plain dialect the clean end of
/// the body. After the terminal, reading goes on for at most 64 KiB and 250 ms,
/// since usage and late errors may follow. Errors are about requests and streams;
/// what an answer says of itself, that it was refused or failed or is incomplete,
/// is in the report alone.
pub struct EventSource {
    pub(crate) request: Checked,
    pub(crate) control: Arc<Control>,
    pub(crate) exchange: Exchange,
    pub(crate) told: Told<Wire>,
    pub(crate) backoff: Backoff,
    pub(crate) stage: Stage,
    /// What it ends with, once all that its end tells was told.
    pub(crate) parting: Option<ClientError>,
    pub(crate) head: Option<Head>,
    /// What the last item was, until the clock is told of it.
    pub(crate) seen: SeenItem,
    /// What another request would get again.
    pub(crate) marks: Marks,
    /// The text of the last event; its memory is used again.
    text: String,
    pub(crate) requests: u32,
    pub(crate) connections: u32,
    /// What earlier connections have sent.
    pub(crate) past: Counters,
    pub(crate) firsts: Firsts,
    /// Why the last attempt failed, since the last event.
    pub(crate) last_failure: Option<ClientError>,
    /// How it ended, and when.
    pub(crate) end: Option<Ended>,
}

/// How a source ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) close: Close,
    pub(crate) at: Duration,
    pub(crate) is_error: bool,
    /// A message was accepted that is answered by nothing else.
    pub(crate) is_accepted: bool,
}

impl EventSource {
    pub(crate) fn new(mut request: Checked) -> Result<Self, RequestError> {
        let control = Arc::new(Control::new());
        let exchange = Exchange::new(&request, &control)?;
        let clock = Clock::start(request.waits.stream);
        let takers = (request.on_read.take(), request.on_connection.take());
        let wire = Wire::new(Arc::clone(&control), clock, takers);
        let mut told = Told::new(wire, request.limits, request.turn);
        told.answer = told.answer.with_settle(request.settle);
        if request.is_strict {
            told.answer = told.answer.with_strict_text();
        }
        if !request.last_event_id.is_empty() {
            let id = told.answer.set_last_event_id(&request.last_event_id);
            id.map_err(|_| RequestError::LastEventId)?;
        }
        let marks = Marks::new(told.answer.last_event_id().as_bytes());
        Ok(EventSource {
            backoff: Backoff::new(request.delays),
            request,
            control,
            exchange,
            told,
            stage: Stage::New,
            parting: None,
            head: None,
            seen: SeenItem::default(),
            marks,
            text: String::new(),
            requests: 0,
            connections: 0,
            past: Counters::default(),
            firsts: Firsts::default(),
            last_failure: None,
            end: None,
        })
    }

    /// What ends it from another thread. Any number may be had, at any time.
    pub fn canceller(&self) -> Canceller {
        Canceller::new(Arc::clone(&self.control))
    }

    /// The next item of the stream with what it says, or news of the connection.
    ///
    /// # Errors
    ///
    /// See [`ClientError`]. Every item before it was given; it is said once.
    pub fn receive(&mut self) -> Result<Option<Received<'_>>, ClientError> {
        match self.advance(true)? {
            Stepped::Heard => {}
            Stepped::Reconnected(news) => return Ok(Some(Received::Reconnected(news))),
            Stepped::End => return Ok(None),
        }
        let Heard { item, signals } = self.told.heard();
        Ok(Some(match item {
            Some(item) => Received::Item(item, signals),
            None => Received::End(signals),
        }))
    }

    /// The next event, lent until the next call.
    ///
    /// # Errors
    ///
    /// See [`ClientError`]. Every event before it was given; it is said once.
    /// [`ClientError::Repeats`] where only [`receive`](Self::receive) could go on.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, ClientError> {
        loop {
            match self.advance(false)? {
                Stepped::Heard if self.seen.is_event => break,
                Stepped::End => return Ok(None),
                Stepped::Heard | Stepped::Reconnected(_) => {}
            }
        }
        Ok(match self.told.item() {
            Some(Item::Event(event)) => Some(event),
            _ => None,
        })
    }

    /// The text of the next event that has some, output and refusal; `None` at
    /// the end.
    ///
    /// # Errors
    ///
    /// See [`next_event`](Self::next_event).
    pub fn next_text(&mut self) -> Result<Option<&str>, ClientError> {
        self.text.clear();
        while self.text.is_empty() {
            match self.advance(false)? {
                Stepped::Heard => push_text(&mut self.text, self.told.heard().signals),
                Stepped::End => return Ok(None),
                Stepped::Reconnected(_) => {}
            }
        }
        Ok(Some(&self.text))
    }

    /// An iterator of owned events that leaves the source to the caller; `for`
    /// over the source itself takes it. It ends after an error.
    pub const fn events(&mut self) -> SourceEvents<&mut EventSource> {
        SourceEvents::new(self)
    }

    /// Hands everything to `take`, up to the end.
    ///
    /// ```no_run
    /// use sseam::client::{ForEachError, Received, Request};
    ///
    /// let source = Request::get("http://localhost:8080/events").open()?;
    /// let outcome = source.for_each(|received| match received {
    ///     Received::Item(item, _) if format!("{item:?}").contains("Skipped") => Err("too large"),
    ///     _ => Ok(()),
    /// });
    /// if let Err(ForEachError::Callback { error, mut source }) = outcome {
    ///     // The connection is closed; what came after the failing item is left.
    ///     println!("{error}, and {} events more", source.drain().count());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What `take` fails with ends the stream: the connection is closed at once,
    /// and the source comes back, positioned after the failing item. So it does
    /// with an error of the stream.
    pub fn for_each<E>(
        mut self,
        mut take: impl FnMut(Received<'_>) -> Result<(), E>,
    ) -> Result<Report, ForEachError<E>> {
        loop {
            let error = match self.receive() {
                Ok(Some(received)) => match take(received) {
                    Ok(()) => continue,
                    Err(error) => error,
                },
                Ok(None) => return Ok(self.report()),
                Err(error) => {
                    let source = Box::new(self);
                    return Err(ForEachError::Client { error, source });
                }
            };
            // The source is the caller's again, and the server need not go on.
            let _ = self.fail(ClientError::Cancelled);
            let source = Box::new(self);
            return Err(ForEachError::Callback { error, source });
        }
    }

    /// The complete events that were received and not given yet, without waiting
    /// for more: after a cancel, or while the stream goes on.
    pub fn drain(&mut self) -> Drain<'_> {
        if self.control.is_cancelled() && self.end.is_none() {
            let _ = self.fail(ClientError::Cancelled);
        }
        Drain::new(self)
    }

    /// What became of it. Before the end it is as if the caller had cancelled,
    /// unless the terminal was seen.
    pub fn report(&mut self) -> Report {
        let counters = self.counters();
        let wire = &self.told.source;
        let (mark, times, has_short_end) = (wire.mark, wire.times, wire.has_short_end);
        let elapsed = self.end.map_or_else(|| wire.clock.now(), |ended| ended.at);
        Report {
            outcome: self.outcome(),
            counters,
            requests: self.requests,
            connections: self.connections,
            reads: mark.number,
            elapsed,
            first_byte: times.first_byte,
            first_event: self.firsts.event,
            first_output: self.firsts.output,
            longest_gap: times.longest_gap,
            retry_is_safe: counters.events == 0 && counters.skipped == 0,
            has_short_end,
        }
    }

    fn outcome(&self) -> Outcome {
        let Some(ended) = self.end else {
            return self.told.answer.clone().outcome();
        };
        let (mut outcome, _) = self.outcome_of(ended.close);
        if ended.is_accepted {
            outcome.ending = Ending::Ended;
        } else if ended.is_error && outcome.ending == Ending::Ended {
            // Nothing but clean ends, and still it was given up: to a turn of no
            // dialect a clean end is a good one. Any other turn says what it is.
            outcome.ending = Turn::new(Dialect::Auto).finish(&End::at(0)).ending;
        }
        outcome
    }

    /// What the answer comes to if it ends like this, and what that throws away of
    /// the stream. What is still unread of the chunk does not count.
    pub(crate) fn outcome_of(&self, close: Close) -> (Outcome, End) {
        // Another connection may go on with the answer itself.
        let mut answer = self.told.answer.clone();
        answer.end(close);
        (answer.outcome(), *answer.stream_end())
    }

    /// Status and headers of the last response that was a stream or 204.
    pub const fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// The read that completed what was given last.
    pub const fn last_read(&self) -> ReadMark {
        self.told.source.mark
    }

    /// The last event id: where another request would go on.
    pub fn last_event_id(&self) -> Text<'_> {
        self.told.answer.last_event_id()
    }

    /// What all connections together have sent.
    pub const fn counters(&self) -> Counters {
        sum(self.past, self.told.answer.counters())
    }

    /// The answer as it stands.
    pub const fn answer(&self) -> &Answer<GrowingMemory> {
        &self.told.answer
    }

    /// `text` with each value that the request was given in a header, the query
    /// or the body replaced by `***`, also where it is escaped as in JSON or in a
    /// URL: for explanations of servers, which like to repeat what they were
    /// sent. Values of one or two bytes stay.
    pub fn redact(&self, text: &[u8]) -> Vec<u8> {
        self.request.redact(text, false)
    }

    /// As [`redact`](Self::redact), for a text that may have been cut off in the
    /// middle of a value: an end of 3 bytes or more that is the start of one is
    /// replaced too.
    pub fn redact_cut(&self, text: &[u8]) -> Vec<u8> {
        self.request.redact(text, true)
    }
}

/// Why [`EventSource::for_each`] ended before the end.
#[derive(Debug)]
#[non_exhaustive]
pub enum ForEachError<E> {
    /// The callback failed.
    Callback {
        /// With this.
        error: E,
        /// The source, closed, after the item at which it failed.
        source: Box<EventSource>,
    },
    /// The stream failed.
    Client {
        /// With this.
        error: ClientError,
        /// The source, after its end.
        source: Box<EventSource>,
    },
}

impl<E: fmt::Display> fmt::Display for ForEachError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ForEachError::Callback { error, .. } => error.fmt(f),
            ForEachError::Client { error, .. } => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for ForEachError<E> {}

/// Shows figures, nothing of the request or the stream.
impl fmt::Debug for EventSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventSource")
            .field("location", &self.request.location)
            .field("stage", &self.stage)
            .field("counters", &self.counters())
            .field("requests", &self.requests)
            .finish_non_exhaustive()
    }
}
