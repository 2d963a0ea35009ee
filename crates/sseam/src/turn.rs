//! Any `Read` of an AI API's stream comes in, its text goes out, and at the end
//! what became of the answer.

use std::fmt;
use std::io::{self, Read};

use sseam_core::{End, Error, Item, Limits};
use sseam_llm::{Close, Excess, Outcome, Signal, TransportEnd, Turn};

use crate::error::ReadError;
use crate::reader::EventReader;

/// Reads the text of an answer, and then its outcome.
///
/// Errors of the stream are part of the outcome: a stream that breaks off, an
/// event over a limit, an error of the server in the middle. Only those of the
/// source are errors here.
///
/// ```
/// use sseam::TurnReader;
/// use sseam::llm::{Dialect, Turn};
///
/// let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n\
///     data: {\"choices\":[{\"delta\":{\"content\":\"lo\"}}]}\n\n\
///     data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
///     data: [DONE]\n\n";
/// let mut reader = TurnReader::new(stream.as_bytes(), Turn::new(Dialect::Auto));
/// let mut answer = String::new();
/// while let Some(text) = reader.next_text()? {
///     answer += text;
/// }
/// assert_eq!(answer, "Hello");
/// assert!(reader.finish().is_completed());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # After the terminal
///
/// Reading goes on until the input ends or nothing is known to follow
/// ([`Turn::is_over`]); then what was already read is still taken, since late
/// errors count, and the source is not read again: some servers keep the
/// connection open.
pub struct TurnReader<R> {
    reader: EventReader<Gate<R>>,
    turn: Turn,
    /// The text of the last event; its memory is used again.
    text: String,
    end: Option<Ended>,
}

/// How the reading ended.
#[derive(Clone, Copy)]
struct Ended {
    end: End,
    close: Close,
}

/// A source that can be closed, and keeps its first bytes.
struct Gate<R> {
    source: R,
    is_closed: bool,
    /// The first bytes; at most [`HEAD_LEN_MAX`].
    head: Vec<u8>,
    /// There were more.
    is_longer: bool,
}

impl<R: Read> TurnReader<R> {
    /// A reader with [`Limits::LARGE`].
    pub fn new(source: R, turn: Turn) -> Self {
        TurnReader::with_limits(source, turn, Limits::LARGE)
    }

    /// A reader with other limits. With [`Overflow::Skip`](crate::Overflow::Skip)
    /// a large event whose type says all does not end the reading.
    pub fn with_limits(source: R, turn: Turn, limits: Limits) -> Self {
        let gate = Gate {
            source,
            is_closed: false,
            head: Vec::new(),
            is_longer: false,
        };
        TurnReader {
            reader: EventReader::with_limits(gate, limits),
            turn,
            text: String::new(),
            end: None,
        }
    }

    /// The same reader, which reads at most `len` bytes at a time.
    #[must_use]
    pub fn with_buffer_size(mut self, len: usize) -> Self {
        self.reader = self.reader.with_buffer_size(len);
        self
    }

    /// The text of the next event that has some, output and refusal; `None` at
    /// the end.
    ///
    /// # Errors
    ///
    /// Those of the source. Nothing is lost: call again where it may go on.
    pub fn next_text(&mut self) -> io::Result<Option<&str>> {
        loop {
            self.text.clear();
            let mut text = std::mem::take(&mut self.text);
            let has_more = self.next_signals(|signal| {
                if let Signal::Text(piece) | Signal::Refusal(piece) = signal {
                    piece.parts().for_each(|part| text.push_str(&part));
                }
            });
            self.text = text;
            if !self.text.is_empty() {
                return Ok(Some(&self.text));
            }
            if !has_more? {
                return Ok(None);
            }
        }
    }

    /// Hands the signals of the next item of the stream to `take`; gives whether
    /// there was one.
    ///
    /// # Errors
    ///
    /// Those of the source. Nothing is lost: call again where it may go on.
    pub fn next_signals(&mut self, take: impl FnMut(Signal<'_>)) -> io::Result<bool> {
        if self.end.is_some() {
            return Ok(false);
        }
        if self.turn.is_over() {
            self.reader.source_mut().is_closed = true;
        }
        let (turn, close) = (&mut self.turn, Close::Transport(TransportEnd::Clean));
        match self.reader.next_item() {
            Ok(Some(item)) => {
                observe(turn, &item, take);
                return Ok(true);
            }
            Ok(None) => self.end(clean(&self.reader), close, take),
            Err(ReadError::Truncated(end)) => self.end(end, close, take),
            Err(ReadError::Parse(error)) => {
                let close = Close::Limit(excess(error));
                self.end(clean(&self.reader), close, take);
            }
            Err(ReadError::Source(error)) => return Err(error),
        }
        Ok(false)
    }

    /// What became of the answer. Before the end it is as if the caller had
    /// cancelled, unless the terminal was seen.
    pub fn finish(&mut self) -> Outcome {
        match self.end {
            Some(Ended { end, close }) => self.turn.finish_with(&end, close),
            None => self.finish_with(Close::Cancelled),
        }
    }

    /// What became of the answer, where the caller knows better how the reading
    /// ended: a timeout, a reset.
    pub fn finish_with(&mut self, close: Close) -> Outcome {
        let end = match self.end {
            Some(ended) => ended.end,
            None => clean(&self.reader),
        };
        self.turn.finish_with(&end, close)
    }

    /// The turn as it stands.
    pub const fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Where the bytes come from.
    pub const fn source(&self) -> &R {
        &self.reader.source().source
    }

    /// Notes the end, and what only the end lets one see.
    fn end(&mut self, end: End, close: Close, mut take: impl FnMut(Signal<'_>)) {
        self.end = Some(Ended { end, close });
        self.turn.observe_last_event_id(self.reader.last_event_id());
        let counters = self.reader.counters();
        if counters.events == 0 && counters.skipped == 0 {
            let Gate {
                head, is_longer, ..
            } = self.reader.source();
            let failure = self.turn.observe_body(head, !is_longer);
            failure.into_iter().for_each(&mut take);
        }
        if !self.turn.wants_unfinished() {
            return;
        }
        // Without memory for one byte more the event stays unfinished.
        if let Ok(Some(event)) = self.reader.take_unfinished() {
            self.turn.observe(&event).for_each(&mut take);
        }
    }
}

impl<R: Read> Read for Gate<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(0);
        }
        let len = self.source.read(buffer)?;
        let bytes = buffer.get(..len).unwrap_or_default();
        let room = HEAD_LEN_MAX - self.head.len();
        self.is_longer |= bytes.len() > room;
        self.head.extend(bytes.iter().take(room));
        Ok(len)
    }
}

/// Shows figures, not content and not the source, which may be content.
impl<R> fmt::Debug for TurnReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnReader")
            .field("reader", &self.reader)
            .field("turn", &self.turn)
            .finish_non_exhaustive()
    }
}

fn observe(turn: &mut Turn, item: &Item<'_>, mut take: impl FnMut(Signal<'_>)) {
    match item {
        Item::Event(event) => turn.observe(event).for_each(take),
        Item::Skipped(skipped) => turn.observe_skipped(skipped).for_each(take),
        Item::Ignored(line) => {
            if let Some(signal) = turn.observe_ignored(line) {
                take(signal);
            }
        }
        _ => {}
    }
}

/// An end that threw nothing away, or none yet.
fn clean<R>(reader: &EventReader<R>) -> End {
    End::at(reader.counters().bytes)
}

fn excess(error: Error) -> Excess {
    match error {
        Error::LimitPassed { limit, .. } => Excess::Limit(limit),
        _ => Excess::Memory,
    }
}

/// Longer than the errors that servers send in place of a stream.
const HEAD_LEN_MAX: usize = 4096;
