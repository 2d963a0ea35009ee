//! How far a long input has been read: one line on a terminal, rewritten in
//! place, from the first second on.

use std::io::Write;
use std::time::{Duration, Instant};

/// Decides when there is something to show, and takes it back at the end.
#[derive(Debug)]
pub(crate) struct Progress {
    is_on: bool,
    next: Instant,
    is_shown: bool,
    len: Option<u64>,
}

impl Progress {
    /// For an input of `len` bytes, `None` if that is unknown.
    pub(crate) fn new(is_on: bool, len: Option<u64>) -> Progress {
        Progress {
            is_on,
            next: Instant::now() + FIRST_AFTER,
            is_shown: false,
            len,
        }
    }

    /// Shows how far it is, if it is time to.
    pub(crate) fn show(&mut self, out: &mut dyn Write, bytes: u64, events: u64) {
        if !self.is_on {
            return;
        }
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + AGAIN_AFTER;
        self.is_shown = true;
        let line = line(bytes, self.len, events);
        // What cannot be shown is no reason to stop.
        let _ = write!(out, "\r{line}{CLEAR_REST}").and_then(|()| out.flush());
    }

    /// Clears the line before anything else is written there.
    pub(crate) fn clear(&mut self, out: &mut dyn Write) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(out, "\r{CLEAR_REST}").and_then(|()| out.flush());
        }
    }
}

fn line(bytes: u64, len: Option<u64>, events: u64) -> String {
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    // A file may have grown since it was opened.
    let share = len
        .filter(|len| *len > 0)
        .map(|len| bytes.min(len) as f64 / len as f64);
    match (share, len) {
        (Some(share), Some(len)) => format!(
            "sseam: {:.0} %, {:.1} of {:.1} MiB, {events} events",
            share * 100.0,
            mib(bytes),
            mib(len)
        ),
        _ => format!("sseam: {:.1} MiB, {events} events", mib(bytes)),
    }
}

/// An input that is read by then needs no progress.
const FIRST_AFTER: Duration = Duration::from_secs(1);

/// Often enough to look alive, too rare to cost anything.
const AGAIN_AFTER: Duration = Duration::from_millis(200);

/// Erases from the cursor to the end of the line.
const CLEAR_REST: &str = "\x1B[K";
