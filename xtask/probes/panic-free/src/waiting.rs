//! Beside a byte's way: how long a stream may be silent, and how long to wait
//! before connecting again, with every time and every state unknown.

use core::fmt::{Formatter, Result as Shown};
use core::time::Duration;

use sseam_core::{Backoff, Deadline, Delays, Liveness, Timeouts};

use crate::{debug, export};

export! {
    fn liveness_new(timeouts: Timeouts, now: Duration) -> Liveness = Liveness::new(timeouts, now);
    fn liveness_opened(liveness: &mut Liveness, now: Duration) -> () = liveness.opened(now);
    fn liveness_closed(liveness: &mut Liveness) -> () = liveness.closed();
    fn liveness_observe_bytes(liveness: &mut Liveness, now: Duration) -> () =
        liveness.observe_bytes(now);
    fn liveness_observe_progress(liveness: &mut Liveness, now: Duration) -> () =
        liveness.observe_progress(now);
    fn liveness_observe_output(liveness: &mut Liveness, now: Duration) -> () =
        liveness.observe_output(now);
    fn liveness_put_off(liveness: &mut Liveness, time: Duration, now: Duration) -> () =
        liveness.put_off(time, now);
    fn liveness_next_deadline(liveness: &Liveness) -> Option<Duration> =
        liveness.next_deadline();
    fn liveness_fired(liveness: &mut Liveness, now: Duration) -> Option<Deadline> =
        liveness.fired(now);
    fn liveness_timeouts(liveness: &Liveness) -> &Timeouts = liveness.timeouts();
}

export! {
    fn backoff_new(delays: Delays) -> Backoff = Backoff::new(delays);
    fn backoff_set_retry(backoff: &mut Backoff, milliseconds: u64) -> () =
        backoff.set_retry(milliseconds);
    fn backoff_observe_event(backoff: &mut Backoff) -> () = backoff.observe_event();
    fn backoff_next_wait(backoff: &mut Backoff, random: u32, retry_after: Option<Duration>)
        -> Option<Duration> = backoff.next_wait(random, retry_after);
    fn backoff_attempts(backoff: &Backoff) -> u32 = backoff.attempts();
    fn backoff_delays(backoff: &Backoff) -> &Delays = backoff.delays();
}

export! {
    fn deadline_debug(value: &Deadline, f: &mut Formatter<'_>) -> Shown = debug(value, f);
}
