//! The course of a source, from connection to connection: what each end means,
//! whether another attempt is made, and what is told of it.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use sseam_core::{End, Items, Memory, Step};
use sseam_llm::{Close, Dialect, Ending, Reason, Signal, TransportEnd};

use super::clock::Clock;
use super::exchange::Answer;
use super::failure::{ClientError, Truncated};
use super::note::note;
use super::received::{Reconnected, Said};
use super::seen::{SeenItem, is_clean_end, nothing_pending};
use super::source::{Ended, EventSource};
use super::wire::Fault;
use crate::error::ReadError;

/// Longer than anybody waits, and short enough to be added to any time.
const WAIT_MAX: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// What a source does next.
///
/// ```text
/// New --> Open --body ends--> Closed --> Open ...
///           |                   |
///           v                   v
///         Ending ----------> Finished
/// ```
#[derive(Debug)]
pub(crate) enum Stage {
    /// It sends the first request.
    New,
    /// It sends a further request.
    Closed {
        /// What was waited before it.
        waited: Duration,
    },
    /// It reads the body.
    Open,
    /// The last body has ended, and what only its end lets one see is told.
    Ending {
        truncated: Truncated,
        is_error: bool,
        told: Told,
    },
    /// Nothing.
    Finished,
}

/// What of the end of the last body was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    Nothing,
    Body,
    Unfinished,
}

/// What a source came to. It borrows nothing: views are taken from it.
#[derive(Debug)]
pub(crate) enum Stepped {
    Item(Step),
    Body,
    Reconnected(Reconnected),
    End,
}

impl EventSource {
    /// Goes on until there is something to give. `announces` says whether the
    /// caller can tell of a further connection.
    pub(crate) fn advance(&mut self, announces: bool) -> Result<Stepped, ClientError> {
        self.settle();
        loop {
            if self.control.is_cancelled() && self.end.is_none() {
                return Err(self.fail(ClientError::Cancelled));
            }
            match self.stage {
                Stage::New => {
                    self.stream.source.clock = Clock::start(self.request.waits.stream);
                    self.connect(Duration::ZERO, announces)?;
                }
                Stage::Closed { waited } => {
                    if let Some(news) = self.connect(waited, announces)? {
                        return Ok(Stepped::Reconnected(news));
                    }
                }
                Stage::Open => {
                    if let Some(step) = self.step(announces)? {
                        return Ok(Stepped::Item(step));
                    }
                }
                Stage::Ending {
                    truncated,
                    is_error,
                    told,
                } => {
                    if let Some(stepped) = self.tell(truncated, is_error, told)? {
                        return Ok(stepped);
                    }
                }
                Stage::Finished => return Ok(Stepped::End),
            }
        }
    }

    /// Lets clock and back-off know what the last item was.
    pub(crate) fn settle(&mut self) {
        if let Some(retry) = self.stream.engine.retry() {
            self.backoff.set_retry(retry);
        }
        let seen = std::mem::take(&mut self.seen);
        self.marks.note(self.stream.last_event_id(), seen.is_event);
        let wire = &mut self.stream.source;
        let at = wire.mark.at;
        if seen.is_output {
            wire.clock.liveness.observe_output(at);
        } else if seen.is_progress {
            wire.clock.liveness.observe_progress(at);
        }
        if seen.is_event {
            wire.clock.events = wire.clock.events.saturating_add(1);
            self.backoff.observe_event();
            self.last_failure = None;
        }
        // An event that was left out may be the terminal too.
        if self.turn.is_terminal() {
            wire.drain(self.turn.is_over());
        }
    }

    /// Observes an item that is not handed out with its signals.
    pub(crate) fn take(&mut self, step: Step, mut take: impl FnMut(Signal<'_>)) {
        if let Some(item) = self.stream.item(step) {
            let said = Said::of(&item, &mut self.turn);
            self.seen = SeenItem::of(&item, &said, &self.turn);
            self.firsts.note(self.seen, self.stream.source.mark.at);
            said.for_each(&mut take);
        }
    }

    /// Makes a request; gives news where it is not the first connection.
    fn connect(
        &mut self,
        waited: Duration,
        announces: bool,
    ) -> Result<Option<Reconnected>, ClientError> {
        self.requests = self.requests.saturating_add(1);
        let id = self.stream.last_event_id().to_vec();
        let location = &self.request.location;
        note(format_args!("request {} to {location}", self.requests));
        self.stream.source.tell_request(self.requests);
        let clock = &mut self.stream.source.clock;
        match self.exchange.call(&self.request, &id, clock) {
            Ok(Answer::Stream(head, body)) => {
                self.past = self.counters();
                self.stream.restart();
                self.stream.source.open(&head, body);
                note(format_args!("status {}", head.status()));
                self.head = Some(head);
                self.connections = self.connections.saturating_add(1);
                self.stage = Stage::Open;
                Ok((self.connections > 1).then_some(Reconnected {
                    connection: self.connections,
                    is_resumable: !self.may_repeat_events(),
                    waited,
                }))
            }
            Ok(Answer::NoContent(head)) => {
                self.head = Some(head);
                self.finish(
                    nothing_pending(),
                    Close::Transport(TransportEnd::Clean),
                    false,
                );
                Ok(None)
            }
            Err(error) => self.recover(error, announces).map(|()| None),
        }
    }

    /// Reads on; `None` where the body has ended.
    fn step(&mut self, announces: bool) -> Result<Option<Step>, ClientError> {
        match self.stream.advance(Items::ALL) {
            Ok(Step::NeedInput) => {
                let end = nothing_pending();
                self.body_ended(end, TransportEnd::Clean, announces)?;
            }
            Ok(step) => return Ok(Some(step)),
            Err(ReadError::Truncated(end)) => {
                self.body_ended(end, TransportEnd::Clean, announces)?;
            }
            Err(ReadError::Source(Fault::Broken(transport))) => {
                let end = self.stream.engine.finish(self.stream.memory.bytes());
                self.body_ended(end, transport, announces)?;
            }
            Err(ReadError::Source(Fault::Client(error))) => self.recover(error, announces)?,
            Err(ReadError::Parse(error)) => self.recover(ClientError::Limit(error), announces)?,
        }
        Ok(None)
    }

    /// The body has ended, by itself or by a fault: is the answer over?
    fn body_ended(
        &mut self,
        end: End,
        transport: TransportEnd,
        announces: bool,
    ) -> Result<(), ClientError> {
        self.stream.source.close();
        let id = sseam_core::Text::new(self.stream.last_event_id());
        self.turn.observe_last_event_id(id);
        let wire = &self.stream.source;
        // It changes nothing where there were events.
        let _ = self.turn.observe_body(&wire.head, !wire.is_longer);
        let outcome = self.turn.finish_with(&end, Close::Transport(transport));
        let truncated = Truncated { end, transport };
        let is_clean = end.is_clean() && transport == TransportEnd::Clean;
        let is_good = match outcome.ending {
            Ending::Ended | Ending::LimitExceeded(_) => is_clean,
            Ending::Incomplete(_) => true,
            _ => false,
        };
        let is_short = match outcome.ending {
            _ if outcome.seen.terminal => false,
            Ending::Truncated(_) | Ending::Incomplete(Reason::Reconnect) => true,
            Ending::Ended | Ending::LimitExceeded(_) if is_clean => self.is_repeatable(),
            Ending::LimitExceeded(_) => true,
            _ => false,
        };
        if is_short && self.may_try_again() && !(is_good && self.request.has_body()) {
            return self.recover(ClientError::Truncated(truncated), announces);
        }
        let is_error = is_short && !is_good;
        let told = Told::Nothing;
        self.stage = Stage::Ending {
            truncated,
            is_error,
            told,
        };
        Ok(())
    }

    /// Tells what only the end of the last body lets one see, bit by bit.
    fn tell(
        &mut self,
        truncated: Truncated,
        is_error: bool,
        told: Told,
    ) -> Result<Option<Stepped>, ClientError> {
        let mut next = |told| {
            self.stage = Stage::Ending {
                truncated,
                is_error,
                told,
            }
        };
        match told {
            Told::Nothing => {
                next(Told::Body);
                let wire = &self.stream.source;
                let failure = self.turn.observe_body(&wire.head, !wire.is_longer);
                Ok(failure.map(|_| Stepped::Body))
            }
            Told::Body => {
                next(Told::Unfinished);
                let is_there = self.turn.wants_unfinished()
                    // Without memory for one byte more it stays unfinished.
                    && matches!(self.stream.unfinished(), Ok(Step::Event));
                Ok(is_there.then_some(Stepped::Item(Step::Event)))
            }
            Told::Unfinished => {
                let close = Close::Transport(truncated.transport);
                let outcome = self.turn.finish_with(&truncated.end, close);
                if is_error && !outcome.seen.terminal {
                    return Err(self.fail(ClientError::Truncated(truncated)));
                }
                self.finish(truncated.end, close, false);
                Ok(None)
            }
        }
    }

    /// Waits for another attempt, if there is to be one; else the source ends
    /// with this error.
    fn recover(&mut self, error: ClientError, announces: bool) -> Result<(), ClientError> {
        self.stream.source.close();
        let is_cancel = matches!(error, ClientError::Cancelled);
        if self.turn.is_terminal() && !is_cancel {
            // The answer is whole: what came after it is a note.
            self.finish(nothing_pending(), error.close(), false);
            return Ok(());
        }
        if !error.is_temporary() || !self.may_try_again() {
            return Err(self.fail(error));
        }
        let random = RandomState::new().build_hasher().finish() as u32;
        let Some(wait) = self.backoff.next_wait(random, error.retry_after()) else {
            let error = self.given_up(error);
            return Err(self.fail(error));
        };
        if self.may_repeat_events() && !announces && !self.request.rules.allows_repeats {
            return Err(self.fail(ClientError::Repeats));
        }
        let waited = wait.min(WAIT_MAX);
        let clock = &self.stream.source.clock;
        let then = clock.now().saturating_add(waited);
        if let Some(error) = clock.would_time_out(then) {
            return Err(self.fail(error));
        }
        note(format_args!("{error}; again in {} ms", waited.as_millis()));
        if !is_clean_end(&error) {
            self.last_failure = Some(error);
        }
        self.control.set_until(None);
        if self.control.pause(waited).is_err() {
            return Err(self.fail(ClientError::Cancelled));
        }
        self.stage = Stage::Closed { waited };
        Ok(())
    }

    /// The error that says that connecting again did not help. Clean ends do not
    /// hide an error that came before them.
    fn given_up(&mut self, error: ClientError) -> ClientError {
        let attempts = self.backoff.attempts();
        if attempts == 0 {
            return error;
        }
        let last = match self.last_failure.take() {
            Some(last) if is_clean_end(&error) => last,
            _ => error,
        };
        let last = Box::new(last);
        ClientError::GaveUp { attempts, last }
    }

    /// Ends the source with an error.
    pub(crate) fn fail(&mut self, error: ClientError) -> ClientError {
        self.settle();
        let end = match &error {
            ClientError::Truncated(truncated) => truncated.end,
            _ => nothing_pending(),
        };
        self.finish(end, error.close(), true);
        error
    }

    fn finish(&mut self, end: End, close: Close, is_error: bool) {
        self.stream.source.close();
        self.stage = Stage::Finished;
        let at = self.stream.source.clock.now();
        if self.end.is_none() {
            let outcome = self.turn.finish_with(&end, close);
            note(format_args!("ended after {} ms: {outcome}", at.as_millis()));
        }
        self.end.get_or_insert(Ended {
            end,
            close,
            at,
            is_error,
        });
    }

    /// Whether a clean end is a reason to ask again: if that is wanted, and no
    /// API says when an answer is over.
    const fn is_repeatable(&self) -> bool {
        let dialect = self.turn.dialect();
        self.request.delays.attempts_max > 0 && matches!(dialect, Dialect::Plain | Dialect::Custom)
    }

    /// Whether the request may be made again at all.
    fn may_try_again(&self) -> bool {
        let counters = self.counters();
        let is_fresh = counters.events == 0 && counters.skipped == 0;
        !self.request.has_body() || self.request.rules.retries_post && is_fresh
    }

    /// Whether the next connection may give events that were delivered already.
    fn may_repeat_events(&self) -> bool {
        self.marks.may_repeat(self.stream.last_event_id())
    }
}
