//! The body of the connection that is open: bytes in, chunks for the parser
//! out, each wait under the deadline that comes first.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sseam_llm::{DRAIN_BYTES_MAX, DRAIN_MILLIS_MAX, Timeout, TransportEnd};
use ureq::BodyReader;

use super::clock::Clock;
use super::control::{Control, earlier};
use super::failure::ClientError;
use super::head::Head;
use super::mark::{ConnectionStep, ReadBytes, ReadMark};
use super::request::{OnConnection, OnRead};
use crate::reader::BUFFER_LEN;
use crate::stream::{Holder, Source};

/// Bytes that were received and are kept when a connection is closed, so that
/// they can be drained; no buffer on the way holds more.
const LEFT_LEN_MAX: usize = 1024 * 1024;

/// What the buffer holds where nothing was read: ureq drops what it had decoded
/// when the framing after it is at fault, and does not say how much that was. No
/// line ends with this byte, so no event is lost if data does.
const UNWRITTEN: u8 = 0xFF;

/// How long to wait for what may follow a terminal that nothing is known to
/// follow: late faults, and the end of the body.
const GRACE: Duration = Duration::from_millis(100);

/// Why there is no next chunk.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The source ends with this error, whatever the stream holds.
    Client(ClientError),
    /// The body broke off.
    Broken(TransportEnd),
}

/// Figures about the reads of all connections.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Times {
    pub(crate) first_byte: Option<Duration>,
    pub(crate) last_byte: Duration,
    pub(crate) longest_gap: Duration,
}

/// See the file's head.
pub(crate) struct Wire {
    control: Arc<Control>,
    pub(crate) clock: Clock,
    body: Option<BodyReader<'static>>,
    is_chunked: bool,
    /// The body broke off, and what came before that is handed out first.
    broken: Option<TransportEnd>,
    /// How the body ended, once that was seen.
    ending: Option<TransportEnd>,
    /// Its length is [`BUFFER_LEN`] or more; empty before the first read.
    /// Behind `end` it holds [`UNWRITTEN`].
    buffer: Vec<u8>,
    /// One past the last byte that was read; <= length of `buffer`
    end: usize,
    /// When the last wait ended.
    left_at: Duration,
    drain: Option<Drain>,
    /// Until when to wait for what may follow an answer whose choices have finished.
    settle_until: Option<Instant>,
    /// That time passed.
    pub(crate) has_settled: bool,
    pub(crate) mark: ReadMark,
    pub(crate) times: Times,
    /// The last chunk lacked its end.
    pub(crate) has_short_end: bool,
    on_read: Option<OnRead>,
    on_connection: Option<OnConnection>,
}

/// What may still be read after the terminal.
struct Drain {
    until: Option<Instant>,
    bytes: usize,
}

impl Wire {
    pub(crate) fn new(
        control: Arc<Control>,
        clock: Clock,
        (on_read, on_connection): (Option<OnRead>, Option<OnConnection>),
    ) -> Self {
        Wire {
            control,
            clock,
            body: None,
            is_chunked: false,
            broken: None,
            ending: None,
            buffer: Vec::new(),
            end: 0,
            left_at: Duration::ZERO,
            drain: None,
            settle_until: None,
            has_settled: false,
            mark: ReadMark::default(),
            times: Times::default(),
            has_short_end: false,
            on_read,
            on_connection,
        }
    }

    /// Goes on with a new connection.
    pub(crate) fn open(&mut self, head: &Head, body: BodyReader<'static>) {
        self.body = Some(body);
        self.is_chunked = head.is_chunked();
        self.broken = None;
        self.ending = None;
        self.buffer.clear();
        self.end = 0;
        self.drain = None;
        self.settle_until = None;
        self.has_settled = false;
        self.mark.connection += 1;
        self.left_at = self.clock.now();
        self.times.last_byte = self.left_at;
        self.clock.liveness.opened(self.left_at);
        self.tell(ConnectionStep::Opened {
            connection: self.mark.connection,
            at: self.left_at,
        });
    }

    /// A request is about to be made.
    pub(crate) fn tell_request(&mut self, request: u32) {
        let at = self.clock.now();
        self.tell(ConnectionStep::Requested { request, at });
    }

    fn tell(&mut self, step: ConnectionStep) {
        if let Some(take) = &mut self.on_connection {
            take(step);
        }
    }

    /// Closes the connection, and keeps what was received.
    pub(crate) fn close(&mut self) {
        self.clock.liveness.closed();
        let Some(body) = self.body.take() else {
            return;
        };
        self.control.read_no_more();
        let start = self.end;
        self.buffer.truncate(start);
        // What is decoded is kept; that the rest is missing is known.
        let _ = body.take(LEFT_LEN_MAX as u64).read_to_end(&mut self.buffer);
        self.end = self.buffer.len();
        if self.end > start {
            self.note(start);
        }
        self.tell(ConnectionStep::Ended {
            connection: self.mark.connection,
            at: self.clock.now(),
            transport: self.ending.or(self.broken),
        });
    }

    /// The terminal was seen: only so much more is read.
    pub(crate) fn drain(&mut self, is_over: bool) {
        let time = match is_over {
            true => GRACE,
            false => Duration::from_millis(DRAIN_MILLIS_MAX),
        };
        let until = Instant::now().checked_add(time);
        match &mut self.drain {
            Some(drain) => drain.until = earlier(drain.until, until),
            None => {
                let bytes = DRAIN_BYTES_MAX;
                self.drain = Some(Drain { until, bytes });
            }
        }
    }

    /// All choices have finished: waits for so long from now, or no more for that.
    pub(crate) fn settle(&mut self, quiet: Option<Duration>) {
        self.settle_until = quiet.and_then(|quiet| Instant::now().checked_add(quiet));
    }

    /// Whether such a wait is on.
    pub(crate) const fn is_settling(&self) -> bool {
        self.settle_until.is_some()
    }

    /// Whether what arrives now is more than was asked for.
    const fn is_drained(&self) -> bool {
        matches!(self.drain, Some(Drain { bytes: 0, .. }))
    }

    /// One read; `None` where its time was up.
    fn read(&mut self) -> Result<Option<usize>, Fault> {
        let now = self.clock.now();
        let drain_until = self.drain.as_ref().and_then(|drain| drain.until);
        if self.drain.is_none() && self.clock.liveness.fired(now).is_some() {
            return Err(Fault::Client(self.clock.timed_out(Timeout::Total)));
        }
        let until = match self.drain {
            Some(_) => drain_until,
            None => earlier(self.settle_until, self.clock.next_deadline()),
        };
        self.control.set_until(until);
        let room = match &self.drain {
            Some(drain) => drain.bytes.min(self.buffer.len()),
            None => self.buffer.len(),
        };
        let Some(body) = &mut self.body else {
            return Ok(Some(0));
        };
        let outcome = body.read(self.buffer.get_mut(..room).unwrap_or_default());
        if self.control.is_cancelled() {
            // A shut socket looks like the end of the body. What came is kept.
            self.end = outcome.unwrap_or(0).min(room);
            if self.end > 0 {
                self.note(0);
            }
            return Err(Fault::Client(ClientError::Cancelled));
        }
        match outcome {
            Ok(len) => Ok(Some(len.min(room))),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            Err(_) if self.control.has_timed_out() => Ok(None),
            Err(_) => {
                let fault = self.fault().unwrap_or(TransportEnd::Cut);
                let written = self.buffer.iter().rposition(|byte| *byte != UNWRITTEN);
                let Some(last) = written else {
                    return Err(Fault::Broken(fault));
                };
                self.broken = Some(fault);
                Ok(Some(last + 1))
            }
        }
    }

    /// How the transport failed, if it did.
    fn fault(&self) -> Option<TransportEnd> {
        Some(match self.control.fault()? {
            // TLS that ended without saying so.
            io::ErrorKind::UnexpectedEof => TransportEnd::Cut,
            _ => TransportEnd::Reset,
        })
    }

    /// The body's end was reached; whether it is one.
    fn ended(&mut self) -> Result<bool, Fault> {
        // A body with a length or chunks ends before its connection does.
        let has_own_end = self.is_chunked && self.control.has_ended();
        self.has_short_end |= has_own_end;
        match self.fault() {
            Some(fault) if !has_own_end => Err(Fault::Broken(fault)),
            _ => {
                self.ending = Some(TransportEnd::Clean);
                Ok(false)
            }
        }
    }

    /// Takes note of a read that filled the buffer from `start` to its end.
    fn note(&mut self, start: usize) {
        let bytes = self.buffer.get(start..self.end).unwrap_or_default();
        let now = self.clock.now();
        self.clock.liveness.observe_bytes(now);
        self.mark = ReadMark {
            number: self.mark.number + 1,
            at: now,
            ..self.mark
        };
        self.times.first_byte.get_or_insert(now);
        let gap = now.saturating_sub(self.times.last_byte);
        self.times.longest_gap = self.times.longest_gap.max(gap);
        self.times.last_byte = now;
        if let Some(drain) = &mut self.drain {
            drain.bytes = drain.bytes.saturating_sub(bytes.len());
        }
        if let Some(take) = &mut self.on_read {
            take(ReadBytes {
                bytes,
                mark: self.mark,
            });
        }
    }
}

impl Holder for Wire {
    #[inline]
    fn chunk(&self) -> &[u8] {
        self.buffer.get(..self.end).unwrap_or_default()
    }
}

impl Source for Wire {
    type Error = Fault;

    fn fill(&mut self) -> Result<bool, Fault> {
        let used = std::mem::take(&mut self.end);
        if let Some(fault) = self.broken.take() {
            self.ending = Some(fault);
            return Err(Fault::Broken(fault));
        }
        if self.body.is_none() || self.is_drained() {
            return Ok(false);
        }
        self.buffer.resize(BUFFER_LEN, UNWRITTEN);
        let used = self.buffer.get_mut(..used).unwrap_or_default();
        used.fill(UNWRITTEN);
        let entered_at = self.clock.now();
        let away = entered_at.saturating_sub(self.left_at);
        self.clock.liveness.put_off(away, entered_at);
        let outcome = loop {
            match self.read() {
                Ok(Some(0)) => break self.ended(),
                Ok(Some(len)) => {
                    self.end = len;
                    self.note(0);
                    break Ok(true);
                }
                // Nothing more came in the time after the terminal.
                Ok(None) if self.drain.is_some() => break Ok(false),
                Ok(None)
                    if self
                        .settle_until
                        .is_some_and(|until| Instant::now() >= until) =>
                {
                    self.has_settled = true;
                    break Ok(false);
                }
                Ok(None) => {
                    // Half a chunk's length is a byte too.
                    if let Some(at) = self.control.bytes_at() {
                        let at = self.clock.of(at);
                        self.clock.liveness.observe_bytes(at);
                    }
                }
                Err(fault) => break Err(fault),
            }
        };
        if let Err(Fault::Broken(fault)) = outcome {
            self.ending = Some(fault);
        }
        self.left_at = self.clock.now();
        outcome
    }
}
