//! How long to wait before the next connection: failures and what servers ask
//! for come in, waits go out. Beside the parser, not on a byte's way.

use core::time::Duration;

/// How a [`Backoff`] grows, and where it ends.
///
/// The core counts in whole milliseconds; what is finer is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Delays {
    /// The first wait, until the server sets another by `retry`.
    pub base: Duration,
    /// No wait is shorter, whatever the server asks for.
    pub floor: Duration,
    /// No wait is longer, unless `Retry-After` asks for more. A ceiling below
    /// the floor is taken for the floor.
    pub ceiling: Duration,
    /// Attempts in a row without a delivered event, after which it gives up: 0
    /// makes none, `u32::MAX` never gives up.
    pub attempts_max: u32,
}

impl Delays {
    /// 500 ms, doubled up to 30 s, at least 100 ms; no attempt unless told.
    pub const DEFAULT: Delays = Delays {
        base: Duration::from_millis(500),
        floor: Duration::from_millis(100),
        ceiling: Duration::from_secs(30),
        attempts_max: 0,
    };

    /// Never gives up.
    pub const UNLIMITED: Delays = Delays {
        attempts_max: u32::MAX,
        ..Delays::DEFAULT
    };
}

/// Tells how long to wait before connecting again, or that enough was tried.
///
/// Each attempt doubles the wait; chance takes away or adds up to a quarter, so
/// that clients which lost one server do not come back together. Only a
/// delivered event begins anew: a server that accepts connections and sends
/// nothing, or nothing but comments, is not well.
///
/// ```
/// use core::time::Duration;
/// use sseam_core::{Backoff, Delays};
///
/// let mut backoff = Backoff::new(Delays { attempts_max: 3, ..Delays::DEFAULT });
/// let middle = u32::MAX / 2; // take a random number instead
/// let mut waits = Vec::new();
/// while let Some(wait) = backoff.next_wait(middle, None) {
///     waits.push(wait.as_millis());
/// }
/// assert_eq!(waits, [499, 999, 1999]);
/// assert_eq!(backoff.attempts(), 3);
///
/// backoff.observe_event();
/// backoff.set_retry(2000);
/// let asked = Some(Duration::from_secs(60)); // Retry-After
/// assert_eq!(backoff.next_wait(middle, asked), asked);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Backoff {
    delays: Delays,
    /// The server's own base, in milliseconds.
    retry: Option<u64>,
    /// Since the last delivered event; <= `delays.attempts_max`
    attempts: u32,
}

impl Backoff {
    /// A back-off of which nothing was asked yet.
    pub const fn new(delays: Delays) -> Self {
        Backoff {
            delays,
            retry: None,
            attempts: 0,
        }
    }

    /// The server set the reconnection time by a `retry` line, in milliseconds.
    /// It takes the place of the base, within floor and ceiling.
    pub const fn set_retry(&mut self, milliseconds: u64) {
        self.retry = Some(milliseconds);
    }

    /// An event was delivered: attempts count from zero again.
    pub const fn observe_event(&mut self) {
        self.attempts = 0;
    }

    /// How long to wait before the next attempt, which is counted; `None` where
    /// no more are to be made.
    ///
    /// `random` is any number, all of them as likely as each other, new for each
    /// call. `retry_after` is what the last response asked for, which the wait
    /// never falls short of.
    pub fn next_wait(&mut self, random: u32, retry_after: Option<Duration>) -> Option<Duration> {
        let Delays { attempts_max, .. } = self.delays;
        if self.attempts >= attempts_max && attempts_max != u32::MAX {
            return None;
        }
        let wait = self.wait(random);
        self.attempts = self.attempts.saturating_add(1);
        Some(wait.max(retry_after.unwrap_or(Duration::ZERO)))
    }

    /// Attempts since the last delivered event.
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The delays that it was made with.
    pub const fn delays(&self) -> &Delays {
        &self.delays
    }

    fn wait(&self, random: u32) -> Duration {
        let floor = milliseconds(self.delays.floor);
        let ceiling = milliseconds(self.delays.ceiling).max(floor);
        let base = self.retry.unwrap_or(milliseconds(self.delays.base));
        let factor = 1_u64.checked_shl(self.attempts).unwrap_or(u64::MAX);
        // The floor comes first: a base of zero would stay zero for ever.
        let wait = base.max(floor).saturating_mul(factor).min(ceiling);
        let jittered = (wait - wait / 4).saturating_add(share(wait / 2, random));
        Duration::from_millis(jittered.min(ceiling).max(floor))
    }
}

/// The whole milliseconds of a time.
fn milliseconds(time: Duration) -> u64 {
    let whole = time.as_secs().saturating_mul(1000);
    whole.saturating_add(u64::from(time.subsec_millis()))
}

/// From 0 to `span`, as `random` is from 0 to its maximum. Spans of more than
/// 49 days are taken for 49 days, so that the product fits.
fn share(span: u64, random: u32) -> u64 {
    let span = span.min(u64::from(u32::MAX));
    (span * u64::from(random)) >> 32
}
