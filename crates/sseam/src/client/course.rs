//! The course of a source, from connection to connection: what each end means,
//! whether another attempt is made, and what is told of it.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use sseam_llm::{Close, Dialect, Ending, Next, Reason, TransportEnd, Wants};

use super::clock::Clock;
use super::exchange::Reply;
use super::failure::{ClientError, NotEventStream, Truncated};
use super::note::note;
use super::received::Reconnected;
use super::seen::{SeenItem, is_clean_end};
use super::source::{Ended, EventSource};
use super::wire::Fault;
use crate::unfit::Unfit;

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
    Ending,
    /// Nothing.
    Finished,
}

/// What a source came to. It borrows nothing: views are taken from it.
#[derive(Debug)]
pub(crate) enum Stepped {
    /// The answer has it.
    Heard,
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
                    self.told.source.clock = Clock::start(self.request.waits.stream);
                    self.connect(Duration::ZERO, announces)?;
                }
                Stage::Closed { waited } => {
                    if let Some(news) = self.connect(waited, announces)? {
                        return Ok(Stepped::Reconnected(news));
                    }
                }
                Stage::Open => {
                    if self.step(announces)? {
                        return Ok(Stepped::Heard);
                    }
                }
                Stage::Ending => {
                    if self.told.step() == Next::Heard {
                        self.note_heard();
                        return Ok(Stepped::Heard);
                    }
                    self.part()?;
                }
                Stage::Finished => return Ok(Stepped::End),
            }
        }
    }

    /// Lets clock and back-off know what the last item was.
    pub(crate) fn settle(&mut self) {
        if let Some(retry) = self.told.answer.retry() {
            self.backoff.set_retry(retry);
        }
        let seen = std::mem::take(&mut self.seen);
        let id = self.told.answer.last_event_id();
        self.marks.note(id.as_bytes(), seen.is_event);
        let wire = &mut self.told.source;
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
        let turn = self.told.answer.turn();
        match self.told.answer.wants() {
            // An event that was left out may be the terminal too.
            _ if turn.is_terminal() => wire.drain(turn.is_over()),
            Wants::MoreUntilQuiet(quiet) => {
                // Comments do not put it off.
                if seen.is_event || !wire.is_settling() {
                    wire.settle(Some(quiet));
                }
            }
            _ => wire.settle(None),
        }
    }

    /// Takes note of what was heard, for clocks and figures.
    pub(crate) fn note_heard(&mut self) {
        let (item, turn) = (self.told.item(), self.told.answer.turn());
        // Where no API is known, nothing depends on what an event says.
        let is_plain = matches!(turn.dialect(), Dialect::Plain | Dialect::Custom);
        let signals = (!is_plain).then(|| self.told.heard().signals);
        self.seen = SeenItem::of(item.as_ref(), signals, turn);
        self.firsts.note(self.seen, self.told.source.mark.at);
    }

    /// Makes a request; gives news where it is not the first connection.
    fn connect(
        &mut self,
        waited: Duration,
        announces: bool,
    ) -> Result<Option<Reconnected>, ClientError> {
        self.requests = self.requests.saturating_add(1);
        let id = self.told.answer.last_event_id().as_bytes().to_vec();
        let location = &self.request.location;
        note(format_args!("request {} to {location}", self.requests));
        self.told.source.tell_request(self.requests);
        let clock = &mut self.told.source.clock;
        match self.exchange.call(&self.request, &id, clock) {
            Ok(Reply::Stream(head, body)) => {
                self.past = self.counters();
                self.told.reopen();
                self.told.source.open(&head, body);
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
            Ok(Reply::NoContent(head)) => {
                self.head = Some(head);
                self.finish(Close::Transport(TransportEnd::Clean), false);
                Ok(None)
            }
            Ok(Reply::Accepted(head)) => {
                self.head = Some(head);
                self.finish(Close::Transport(TransportEnd::Clean), false);
                self.end = self.end.map(|ended| Ended {
                    is_accepted: true,
                    ..ended
                });
                Ok(None)
            }
            Err(error) => self.recover(error, announces).map(|()| None),
        }
    }

    /// Reads on; says whether something was heard.
    fn step(&mut self, announces: bool) -> Result<bool, ClientError> {
        if self.told.step() == Next::Heard {
            self.note_heard();
            return Ok(true);
        }
        let answer = &self.told.answer;
        if let Some(error) = answer.error() {
            self.recover(ClientError::Limit(error), announces)?;
        } else if answer.wants() == Wants::Nothing && !answer.turn().is_terminal() {
            // It is no event stream, or its text is none.
            self.body_ended(TransportEnd::Clean, announces)?;
        } else {
            match self.told.fill() {
                Ok(true) => {}
                Ok(false) => self.body_ended(TransportEnd::Clean, announces)?,
                Err(Fault::Broken(transport)) => self.body_ended(transport, announces)?,
                Err(Fault::Client(error)) => self.recover(error, announces)?,
            }
        }
        Ok(false)
    }

    /// The body has ended, by itself or by a fault: is the answer over?
    fn body_ended(&mut self, transport: TransportEnd, announces: bool) -> Result<(), ClientError> {
        let wire = &mut self.told.source;
        wire.close();
        let close = match wire.has_settled {
            true => Close::Settled,
            false => Close::Transport(transport),
        };
        let (outcome, end) = self.outcome_of(close);
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
        let truncated = ClientError::Truncated(Truncated { end, transport });
        if is_short && self.may_try_again() && !(is_good && self.request.has_body()) {
            return self.recover(truncated, announces);
        }
        self.told.answer.end(close);
        self.parting = match outcome.ending {
            Ending::NotEventStream => self.no_event_stream(),
            _ => (is_short && !is_good).then_some(truncated),
        };
        self.stage = Stage::Ending;
        Ok(())
    }

    /// The error that says that the body is none, whatever the head says.
    fn no_event_stream(&self) -> Option<ClientError> {
        let answer = &self.told.answer;
        let error = NotEventStream {
            head: self.head.clone()?,
            reason: Unfit::Body(answer.foreign()?),
            body: answer.head().to_vec(),
            is_cut: answer.counters().bytes > answer.head().len() as u64,
        };
        Some(ClientError::NotEventStream(Box::new(error)))
    }

    /// Ends the source, as all that its end tells was told.
    fn part(&mut self) -> Result<(), ClientError> {
        match self.parting.take() {
            Some(error) => Err(self.fail(error)),
            None => {
                // The answer knows its end already.
                self.finish(Close::Transport(TransportEnd::Clean), false);
                Ok(())
            }
        }
    }

    /// Waits for another attempt, if there is to be one; else the source ends
    /// with this error.
    fn recover(&mut self, error: ClientError, announces: bool) -> Result<(), ClientError> {
        self.told.source.close();
        let is_cancel = matches!(error, ClientError::Cancelled);
        if self.told.answer.turn().is_terminal() && !is_cancel {
            // The answer is whole: what came after it is a note.
            self.finish(error.close(), false);
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
        let clock = &self.told.source.clock;
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
        self.finish(error.close(), true);
        error
    }

    fn finish(&mut self, close: Close, is_error: bool) {
        self.told.source.close();
        self.stage = Stage::Finished;
        let at = self.told.source.clock.now();
        if self.end.is_none() {
            let (outcome, _) = self.outcome_of(close);
            note(format_args!("ended after {} ms: {outcome}", at.as_millis()));
        }
        self.end.get_or_insert(Ended {
            close,
            at,
            is_error,
            is_accepted: false,
        });
    }

    /// Whether a clean end is a reason to ask again: if that is wanted, and no
    /// API says when an answer is over.
    const fn is_repeatable(&self) -> bool {
        let dialect = self.told.answer.turn().dialect();
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
        let id = self.told.answer.last_event_id();
        self.marks.may_repeat(id.as_bytes())
    }
}
