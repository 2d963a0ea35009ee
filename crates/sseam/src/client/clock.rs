//! The time of one source, from its start: moments in, deadlines and the errors
//! of those that passed out.

use std::time::{Duration, Instant};

use sseam_core::{Deadline, Liveness, Timeouts};
use sseam_llm::Timeout;

use super::failure::{ClientError, TimedOut};

/// A clock that starts with the first read of a source.
#[derive(Debug)]
pub(crate) struct Clock {
    start: Instant,
    pub(crate) liveness: Liveness,
    /// Events that were delivered, for errors to tell.
    pub(crate) events: u64,
}

impl Clock {
    pub(crate) fn start(timeouts: Timeouts) -> Self {
        Clock {
            start: Instant::now(),
            liveness: Liveness::new(timeouts, Duration::ZERO),
            events: 0,
        }
    }

    pub(crate) fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// The time of a moment.
    pub(crate) fn of(&self, moment: Instant) -> Duration {
        moment.saturating_duration_since(self.start)
    }

    /// The moment of a time; `None` if it is so late that it never comes.
    pub(crate) fn moment(&self, time: Duration) -> Option<Instant> {
        self.start.checked_add(time)
    }

    /// When the next wait must end, if nothing arrives.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        self.liveness
            .next_deadline()
            .and_then(|time| self.moment(time))
    }

    /// The error of the deadline that has come by now, or else of `waited_for`.
    pub(crate) fn timed_out(&mut self, waited_for: Timeout) -> ClientError {
        let now = self.now();
        let fired = self.liveness.fired(now).map(timeout);
        self.error(fired.unwrap_or(waited_for))
    }

    /// The error of a deadline that comes before `time`, so that it need not be
    /// waited for.
    pub(crate) fn would_time_out(&self, time: Duration) -> Option<ClientError> {
        let mut then = self.liveness;
        then.fired(time)
            .map(|deadline| self.error(timeout(deadline)))
    }

    fn error(&self, timeout: Timeout) -> ClientError {
        ClientError::TimedOut(TimedOut {
            timeout,
            elapsed: self.now(),
            events: self.events,
        })
    }
}

const fn timeout(deadline: Deadline) -> Timeout {
    match deadline {
        Deadline::FirstOutput => Timeout::FirstOutput,
        Deadline::Idle => Timeout::Idle,
        Deadline::Progress => Timeout::Progress,
        _ => Timeout::Total,
    }
}
