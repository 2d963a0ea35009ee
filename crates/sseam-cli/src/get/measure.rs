//! Reads and items with their times to figures about a stream: how long it is
//! silent, how often it says that it lives, and whether something holds it up.

use std::time::Duration;

use serde::Serialize;

/// Takes figures while a stream is read, in constant memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Measure {
    read: Read,
    /// When the last byte came, or its connection began.
    last_byte_at: Duration,
    longest_gap: Duration,
    /// When the last keep-alive came.
    keep_alive_at: Option<Duration>,
    /// Times between keep-alives; at most [`INTERVALS_MAX`].
    intervals: Vec<Duration>,
    /// The read that brought the most events after a long silence.
    held_up: Option<Read>,
}

/// A read of the body.
#[derive(Debug, Clone, Copy, Default)]
struct Read {
    at: Duration,
    /// Nothing came for so long before it.
    silence: Duration,
    events: u64,
}

/// What is said of a stream in the end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Figures {
    pub(crate) requests: u32,
    pub(crate) connections: u32,
    pub(crate) reads: u64,
    pub(crate) elapsed_ms: u64,
    pub(crate) first_byte_ms: Option<u64>,
    pub(crate) first_text_ms: Option<u64>,
    pub(crate) longest_gap_ms: u64,
    /// The usual time between keep-alives.
    pub(crate) heartbeat_ms: Option<u64>,
    /// What `--idle-timeout` would not end such a stream by mistake.
    pub(crate) idle_timeout_ms: Option<u64>,
    /// Events that came in one read after a long silence.
    pub(crate) held_up_events: Option<u64>,
    /// How long that silence was.
    pub(crate) held_up_ms: Option<u64>,
    /// The connection broke after the end of the answer, which was whole.
    pub(crate) late_fault: bool,
    /// The last chunk lacked its end, which was accepted.
    pub(crate) short_end: bool,
}

impl Measure {
    /// A connection has begun: what was before it is no gap of the stream.
    pub(crate) const fn opened(&mut self, at: Duration) {
        self.last_byte_at = at;
    }

    /// The longest time from one byte to the next, within one connection.
    pub(crate) const fn longest_gap(&self) -> Duration {
        self.longest_gap
    }

    /// Bytes have come.
    pub(crate) fn read(&mut self, at: Duration) {
        let gap = at.saturating_sub(self.last_byte_at);
        self.longest_gap = self.longest_gap.max(gap);
        self.last_byte_at = at;
        self.read = Read {
            at,
            silence: at.saturating_sub(self.read.at),
            events: 0,
        };
    }

    /// An event was complete with the last read.
    pub(crate) fn event(&mut self) {
        self.read.events += 1;
        let Read {
            silence, events, ..
        } = self.read;
        let is_more = self.held_up.is_none_or(|most| most.events <= events);
        if silence >= SILENCE_MIN && events >= EVENTS_MIN && is_more {
            self.held_up = Some(self.read);
        }
    }

    /// A comment, or what an API sends in its place.
    pub(crate) fn keep_alive(&mut self) {
        let at = self.read.at;
        let before = self.keep_alive_at.replace(at);
        // Several in one read were held up, and say nothing.
        if let Some(before) = before.filter(|before| *before < at)
            && self.intervals.len() < INTERVALS_MAX
        {
            self.intervals.push(at - before);
        }
    }

    /// Adds what was measured here to `figures`.
    pub(crate) fn complete(&self, figures: Figures) -> Figures {
        let mut intervals = self.intervals.clone();
        intervals.sort_unstable();
        let heartbeat = intervals.get(intervals.len() / 2).copied();
        let longest_gap = Duration::from_millis(figures.longest_gap_ms);
        let silence = heartbeat.unwrap_or_default().max(longest_gap);
        let least = if heartbeat.is_some() { 1 } else { 10 };
        // Three keep-alives in a row are not lost by chance.
        let seconds = (silence * 3).as_millis().div_ceil(1000).max(least);
        let idle_timeout_ms = u64::try_from(seconds * 1000).ok();
        Figures {
            heartbeat_ms: heartbeat.map(milliseconds),
            idle_timeout_ms: idle_timeout_ms.filter(|_| figures.reads > 0),
            held_up_events: self.held_up.map(|read| read.events),
            held_up_ms: self.held_up.map(|read| milliseconds(read.silence)),
            ..figures
        }
    }
}

impl Figures {
    /// In one line for a person.
    pub(crate) fn text(&self) -> Option<String> {
        let first_byte = self.first_byte_ms?;
        let mut text = format!("first byte after {}", shown(first_byte));
        if let Some(first_text) = self.first_text_ms {
            text += &format!(", first text after {}", shown(first_text));
        }
        text += &format!(", longest gap {}", shown(self.longest_gap_ms));
        if let Some(heartbeat) = self.heartbeat_ms {
            text += &format!(", heartbeat every {}", shown(heartbeat));
        }
        text += &format!(", {} in all", shown(self.elapsed_ms));
        if self.requests > 1 {
            text += &format!(", {} requests", self.requests);
        }
        let is_silent = self.heartbeat_ms.is_some() || self.longest_gap_ms >= 1000;
        if let Some(idle) = self.idle_timeout_ms.filter(|_| is_silent) {
            text += &format!("; an --idle-timeout of {}s would do", idle / 1000);
        }
        Some(text)
    }

    /// What went wrong and did no harm.
    pub(crate) fn notes(&self) -> impl Iterator<Item = &'static str> {
        let notes = [
            (
                self.late_fault,
                "the connection broke after the end of the answer",
            ),
            (
                self.short_end,
                "the last chunk lacked its end; all of the body was there",
            ),
        ];
        notes
            .into_iter()
            .filter(|(is_so, _)| *is_so)
            .map(|(_, note)| note)
    }

    /// What somebody between should not do.
    pub(crate) fn warning(&self) -> Option<String> {
        let (events, silence) = (self.held_up_events?, shown(self.held_up_ms?));
        Some(format!(
            "{events} events came in one read after {silence} without any: the server, or a proxy \
             or a cache between, holds the stream up"
        ))
    }
}

/// As milliseconds, or as seconds with one digit.
fn shown(milliseconds: u64) -> String {
    match milliseconds {
        0..1000 => format!("{milliseconds} ms"),
        _ => format!("{}.{} s", milliseconds / 1000, milliseconds % 1000 / 100),
    }
}

pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// More say nothing new.
const INTERVALS_MAX: usize = 256;

/// A silence that a person notices.
const SILENCE_MIN: Duration = Duration::from_secs(2);

/// APIs begin with two to five events at once.
const EVENTS_MIN: u64 = 8;

#[cfg(test)]
mod tests;
