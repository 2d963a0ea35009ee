//! How long a stream may be silent: times come in, deadlines go out. Beside the
//! parser, not on a byte's way: it knows no bytes, only that some arrived.

use core::time::Duration;

/// How long to wait for what. `None` waits for ever.
///
/// ```
/// use core::time::Duration;
/// use sseam_core::Timeouts;
///
/// let timeouts = Timeouts { idle: Some(Duration::from_secs(60)), ..Timeouts::NONE };
/// assert_eq!(timeouts.total, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Timeouts {
    /// From the start to the first output.
    pub first_output: Option<Duration>,
    /// From one byte to the next, comments included.
    pub idle: Option<Duration>,
    /// From one thing that the caller calls progress to the next.
    pub progress: Option<Duration>,
    /// From the start to the end.
    pub total: Option<Duration>,
}

impl Timeouts {
    /// No timeout at all.
    pub const NONE: Timeouts = Timeouts {
        first_output: None,
        idle: None,
        progress: None,
        total: None,
    };
}

/// What was waited for in vain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Deadline {
    /// [`Timeouts::first_output`]
    FirstOutput,
    /// [`Timeouts::idle`]
    Idle,
    /// [`Timeouts::progress`]
    Progress,
    /// [`Timeouts::total`]
    Total,
}

/// Tells until when to wait for a stream.
///
/// It reads no clock: each call takes `now`, the time since any fixed moment, of
/// a clock that does not run backwards; an earlier `now` than the last one is
/// taken for the last one. It sleeps until [`next_deadline`](Self::next_deadline)
/// or until something arrives, and then says what happened. What counts as
/// progress and as output is the caller's business: a server that sends nothing
/// but comments is alive, and yet may never answer.
///
/// ```
/// use core::time::Duration;
/// use sseam_core::{Deadline, Liveness, Timeouts};
///
/// let seconds = Duration::from_secs;
/// let timeouts = Timeouts {
///     idle: Some(seconds(60)),
///     progress: Some(seconds(90)),
///     ..Timeouts::NONE
/// };
/// let mut liveness = Liveness::new(timeouts, seconds(0));
/// liveness.opened(seconds(1));
/// liveness.observe_progress(seconds(10));
/// assert_eq!(liveness.next_deadline(), Some(seconds(70)));
///
/// // A comment every half minute: not idle, but no progress either.
/// for now in [40, 70, 99] {
///     liveness.observe_bytes(seconds(now));
///     assert_eq!(liveness.fired(seconds(now)), None);
/// }
/// assert_eq!(liveness.next_deadline(), Some(seconds(100)));
/// assert_eq!(liveness.fired(seconds(100)), Some(Deadline::Progress));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Liveness {
    timeouts: Timeouts,
    started_at: Duration,
    /// `None` once there was some.
    awaits_output_since: Option<Duration>,
    connection: Connection,
    /// The latest `now`; no other time is later.
    now: Duration,
}

/// Whether bytes may be waited for.
///
/// ```text
/// Closed --opened--> Open --closed--> Closed
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Connection {
    /// No byte can arrive.
    Closed,
    /// Bytes can arrive.
    Open {
        byte_at: Duration,
        progress_at: Duration,
    },
}

impl Liveness {
    /// Starts to wait for the first output and for the end. There is no
    /// connection yet: see [`opened`](Self::opened).
    pub const fn new(timeouts: Timeouts, now: Duration) -> Self {
        Liveness {
            timeouts,
            started_at: now,
            awaits_output_since: Some(now),
            connection: Connection::Closed,
            now,
        }
    }

    /// A connection, the first or a further one, is there and may send: idle and
    /// progress begin.
    pub fn opened(&mut self, now: Duration) {
        let now = self.advance(now);
        self.connection = Connection::Open {
            byte_at: now,
            progress_at: now,
        };
    }

    /// The connection has ended: idle and progress rest until the next one.
    pub const fn closed(&mut self) {
        self.connection = Connection::Closed;
    }

    /// Bytes arrived, of whatever kind: a comment, half a line.
    pub fn observe_bytes(&mut self, now: Duration) {
        let now = self.advance(now);
        if let Connection::Open { byte_at, .. } = &mut self.connection {
            *byte_at = now;
        }
    }

    /// Something arrived that shows that the answer comes on.
    pub fn observe_progress(&mut self, now: Duration) {
        self.observe_bytes(now);
        if let Connection::Open { progress_at, .. } = &mut self.connection {
            *progress_at = self.now;
        }
    }

    /// Output arrived, which is progress too.
    pub fn observe_output(&mut self, now: Duration) {
        self.observe_progress(now);
        self.awaits_output_since = None;
    }

    /// Nobody was reading for `time` until `now`, because the reader had other
    /// things to do: what may have arrived then was not missed. All but the
    /// total time is put off.
    pub fn put_off(&mut self, time: Duration, now: Duration) {
        let now = self.advance(now);
        let later = |at: Duration| at.saturating_add(time).min(now);
        self.awaits_output_since = self.awaits_output_since.map(later);
        if let Connection::Open {
            byte_at,
            progress_at,
        } = &mut self.connection
        {
            (*byte_at, *progress_at) = (later(*byte_at), later(*progress_at));
        }
    }

    /// When to stop waiting, if nothing arrives before; `None` where nothing
    /// ends the wait.
    pub fn next_deadline(&self) -> Option<Duration> {
        self.earliest().map(|(_, at)| at)
    }

    /// What was waited for in vain, if a deadline has come. Of several the one
    /// that came first.
    pub fn fired(&mut self, now: Duration) -> Option<Deadline> {
        let now = self.advance(now);
        let (deadline, at) = self.earliest()?;
        (at <= now).then_some(deadline)
    }

    /// The timeouts that it was made with.
    pub const fn timeouts(&self) -> &Timeouts {
        &self.timeouts
    }

    /// Takes the time, unless it runs backwards.
    fn advance(&mut self, now: Duration) -> Duration {
        self.now = self.now.max(now);
        self.now
    }

    fn earliest(&self) -> Option<(Deadline, Duration)> {
        let (byte_at, progress_at) = match self.connection {
            Connection::Closed => (None, None),
            Connection::Open {
                byte_at,
                progress_at,
            } => (Some(byte_at), Some(progress_at)),
        };
        let Timeouts {
            first_output,
            idle,
            progress,
            total,
        } = self.timeouts;
        let all = [
            (
                Deadline::FirstOutput,
                self.awaits_output_since,
                first_output,
            ),
            (Deadline::Idle, byte_at, idle),
            (Deadline::Progress, progress_at, progress),
            (Deadline::Total, Some(self.started_at), total),
        ];
        let mut earliest: Option<(Deadline, Duration)> = None;
        for (deadline, since, timeout) in all {
            let (Some(since), Some(timeout)) = (since, timeout) else {
                continue;
            };
            let at = since.saturating_add(timeout);
            if earliest.is_none_or(|(_, first)| at < first) {
                earliest = Some((deadline, at));
            }
        }
        earliest
    }
}
