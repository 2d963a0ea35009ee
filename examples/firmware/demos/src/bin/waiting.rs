//! In: an event stream over a UART that falls silent now and then. Out: its
//! events, how long the firmware waits for more, and how long before it connects
//! again.
//!
//! `Liveness` and `Backoff` read no clock: they are asked beside `next_event`,
//! and the firmware sleeps until the deadline that they tell. Here the tick is a
//! timer that is asked in a loop; with an executor it would be its own clock.

#![no_std]
#![no_main]

use core::task::Poll;

use board::{Clock, Uart, entry, exit};
use core::time::Duration;
use embedded_io::{ReadReady, Write};
use sseam_core::{Backoff, Deadline, Delays, Item, Limits, Liveness, Timeouts};
use sseam_embedded_io::EventReader;

/// Short, since nobody wants to watch an emulator wait. On a network they are a
/// minute, and more.
const TIMEOUTS: Timeouts = Timeouts {
    idle: Some(Duration::from_millis(50)),
    progress: Some(Duration::from_millis(150)),
    ..Timeouts::NONE
};

const DELAYS: Delays = Delays {
    base: Duration::from_millis(500),
    floor: Duration::from_millis(5),
    ceiling: Duration::from_millis(40),
    attempts_max: 2,
};

type Reader<'m> = EventReader<Uart, &'m mut [u8], &'m mut [u8]>;

#[entry]
fn main() -> ! {
    let (mut out, mut clock) = (Uart::new(), Clock::start());
    let (mut buffer, mut memory) = ([0; 64], [0; Limits::SMALL.memory_len()]);
    let reader = EventReader::new(Uart::new(), &mut buffer[..], &mut memory[..], Limits::SMALL);
    let Ok(mut reader) = reader else { exit(false) };
    let mut liveness = Liveness::new(TIMEOUTS, clock.now());
    let mut backoff = Backoff::new(DELAYS);
    let mut random = 1;
    loop {
        let _ = writeln!(out, "connecting");
        liveness.opened(clock.now());
        let Some(deadline) = read(
            &mut reader,
            &mut out,
            &mut clock,
            &mut liveness,
            &mut backoff,
        ) else {
            exit(false)
        };
        liveness.closed();
        let _ = writeln!(out, "silent: {deadline:?}");
        let Some(wait) = backoff.next_wait(next(&mut random), None) else {
            break;
        };
        let (milliseconds, id) = (wait.as_millis(), reader.last_event_id());
        let _ = writeln!(out, "waiting {milliseconds} ms, then on from event {id}");
        let until = clock.now() + wait;
        while clock.now() < until {}
        reader.reset(Uart::new());
    }
    let _ = writeln!(out, "given up after {} attempts", backoff.attempts());
    exit(true)
}

/// Reads events until nothing comes any more; tells what was waited for in vain.
fn read(
    reader: &mut Reader<'_>,
    out: &mut Uart,
    clock: &mut Clock,
    liveness: &mut Liveness,
    backoff: &mut Backoff,
) -> Option<Deadline> {
    loop {
        let before = reader.counters().bytes;
        match reader.next_item_if_ready().ok()? {
            Poll::Ready(Some(Item::Event(event))) => {
                let _ = writeln!(out, "event: {}", event.data());
                backoff.observe_event();
                liveness.observe_output(clock.now());
            }
            Poll::Ready(Some(Item::Retry(milliseconds))) => backoff.set_retry(milliseconds),
            Poll::Ready(Some(_)) => {}
            Poll::Ready(None) => return None,
            Poll::Pending => {
                // Where a firmware would sleep, until a byte comes or until then.
                let deadline = liveness.next_deadline();
                let is_early = |now| deadline.is_none_or(|at| now < at);
                while is_early(clock.now()) && reader.source_mut().read_ready() == Ok(false) {}
            }
        }
        if reader.counters().bytes != before {
            liveness.observe_bytes(clock.now());
        }
        if let Some(deadline) = liveness.fired(clock.now()) {
            return Some(deadline);
        }
    }
}

/// A random number, for an example: a device takes its generator's.
fn next(random: &mut u32) -> u32 {
    *random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *random
}
