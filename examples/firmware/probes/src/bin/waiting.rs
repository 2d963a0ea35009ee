//! In: times. Out: what it costs to know how long to wait, for a stream that is
//! silent and before a new connection.

#![no_std]
#![no_main]

use core::time::Duration;

use probes::black_box;
use sseam_core::{Backoff, Delays, Liveness, Timeouts};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(timeouts: &Timeouts, delays: &Delays, now: Duration, random: u32) {
    let mut liveness = Liveness::new(*timeouts, black_box(now));
    liveness.opened(black_box(now));
    liveness.observe_bytes(black_box(now));
    liveness.observe_progress(black_box(now));
    liveness.observe_output(black_box(now));
    liveness.put_off(black_box(now), black_box(now));
    black_box((
        liveness.next_deadline(),
        liveness.fired(black_box(now)),
        liveness.timeouts(),
    ));
    liveness.closed();

    let mut backoff = Backoff::new(*delays);
    backoff.set_retry(u64::from(random));
    black_box(backoff.next_wait(random, Some(now)));
    backoff.observe_event();
    black_box((backoff.attempts(), backoff.delays()));
}
