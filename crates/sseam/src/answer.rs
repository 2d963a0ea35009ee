//! Any `Read` of an AI API's stream comes in, its text goes out, and at the end
//! what became of the answer.

use std::fmt;
use std::io::{self, Read};

use sseam_core::Limits;
use sseam_llm::{Answer, Close, Heard, Next, Outcome, Signal, TransportEnd, Turn, Wants};

use crate::memory::GrowingMemory;
use crate::reader::Buffered;
use crate::told::Told;

/// Reads an answer: its text, or all that it says, and then its outcome.
///
/// Errors of the stream are part of the outcome: a stream that breaks off, an
/// event over a limit, an error of the server in the middle, a body that is no
/// event stream. Only those of the source are errors here.
///
/// ```
/// use sseam::AnswerReader;
/// use sseam::llm::{Dialect, Turn};
///
/// let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n\
///     data: {\"choices\":[{\"delta\":{\"content\":\"lo\"}}]}\n\n\
///     data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
///     data: [DONE]\n\n";
/// let mut reader = AnswerReader::new(stream.as_bytes(), Turn::new(Dialect::Auto));
/// let mut answer = String::new();
/// while let Some(text) = reader.next_text()? {
///     answer += text;
/// }
/// assert_eq!(answer, "Hello");
/// assert!(reader.outcome().is_completed());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # After the API's own end
///
/// Reading goes on until the input ends or nothing is known to follow; then what
/// was already read is still taken, since late errors count, and the source is not
/// read again: some servers keep the connection open. What came in a later read is
/// then not seen; [`with_reading_to_end`](AnswerReader::with_reading_to_end) is for
/// files, where nothing keeps one waiting. An answer whose choices have
/// all finished may still go on: give the source a read timeout of what
/// [`wants`](AnswerReader::wants) says, and call
/// [`finish_with`](AnswerReader::finish_with) with [`Close::Settled`] when that
/// passes.
pub struct AnswerReader<R> {
    told: Told<Buffered<R>>,
    /// The text of the last event; its memory is used again.
    text: String,
    reads_to_end: bool,
}

impl<R: Read> AnswerReader<R> {
    /// A reader with [`Limits::LARGE`].
    pub const fn new(source: R, turn: Turn) -> Self {
        AnswerReader::with_limits(source, turn, Limits::LARGE)
    }

    /// A reader with other limits. With [`Overflow::Skip`](crate::Overflow::Skip)
    /// a large event whose type says all does not end the reading.
    pub const fn with_limits(source: R, turn: Turn, limits: Limits) -> Self {
        AnswerReader {
            told: Told::new(Buffered::new(source), limits, turn),
            text: String::new(),
            reads_to_end: false,
        }
    }

    /// The same reader, which reads at most `len` bytes at a time; 0 is taken for 1.
    #[must_use]
    pub fn with_buffer_size(mut self, len: usize) -> Self {
        self.told.source.read_len_max = len.max(1);
        self
    }

    /// The same reader, which stops at text that is not UTF-8: see
    /// [`Answer::with_strict_text`].
    #[must_use]
    pub fn with_strict_text(mut self) -> Self {
        self.told.answer = self.told.answer.with_strict_text();
        self
    }

    /// The same reader, which reads its source to the end of input, also after the
    /// API's own end: an error within 64 KiB of that counts however it was read.
    #[must_use]
    pub fn with_reading_to_end(mut self) -> Self {
        self.reads_to_end = true;
        self
    }

    /// The text of the next event that has some, output and refusal; `None` at
    /// the end.
    ///
    /// # Errors
    ///
    /// Those of the source. Nothing is lost: call again where it may go on.
    pub fn next_text(&mut self) -> io::Result<Option<&str>> {
        self.text.clear();
        while self.text.is_empty() && self.advance()? {
            push_text(&mut self.text, self.told.heard().signals);
        }
        Ok((!self.text.is_empty()).then_some(self.text.as_str()))
    }

    /// The next item of the stream and what it says; `None` at the end.
    ///
    /// # Errors
    ///
    /// Those of the source. Nothing is lost: call again where it may go on.
    pub fn next_heard(&mut self) -> io::Result<Option<Heard<'_>>> {
        Ok(self.advance()?.then(|| self.told.heard()))
    }

    /// What became of the answer. Before the end it is as if the caller had
    /// cancelled, unless the API's own end was seen.
    pub fn outcome(&mut self) -> Outcome {
        self.told.answer.outcome()
    }

    /// What became of the answer, where the caller knows how the reading ended: a
    /// timeout, a reset, a wait for more that was in vain. The source is not read
    /// again. After an end that was read it changes nothing.
    pub fn finish_with(&mut self, close: Close) -> Outcome {
        self.told.answer.end(close);
        self.told.answer.outcome()
    }

    /// What the source is to do next.
    pub fn wants(&self) -> Wants {
        self.told.answer.wants()
    }

    /// The answer as it stands.
    pub const fn answer(&self) -> &Answer<GrowingMemory> {
        &self.told.answer
    }

    /// Where the bytes come from.
    pub const fn source(&self) -> &R {
        &self.told.source.read
    }

    /// The same, to set a timeout. Bytes that are read here are not seen by the
    /// answer.
    pub const fn source_mut(&mut self) -> &mut R {
        &mut self.told.source.read
    }

    /// Goes on until something was heard; says `false` at the end.
    fn advance(&mut self) -> io::Result<bool> {
        loop {
            if self.told.step() == Next::Heard {
                return Ok(true);
            }
            if self.told.answer.is_ended() {
                return Ok(false);
            }
            let is_enough = self.told.answer.wants() == Wants::Nothing && !self.reads_to_end;
            if is_enough || !self.told.fill()? {
                self.told.answer.end(Close::Transport(TransportEnd::Clean));
            }
        }
    }
}

/// Appends the text of some signals, output and refusal.
pub(crate) fn push_text<'a>(text: &mut String, signals: impl Iterator<Item = Signal<'a>>) {
    for signal in signals {
        if let Signal::Text(piece) | Signal::Refusal(piece) = signal {
            piece.parts().for_each(|part| text.push_str(&part));
        }
    }
}

/// Shows figures, not content and not the source, which may be content.
impl<R> fmt::Debug for AnswerReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerReader")
            .field("answer", &self.told.answer)
            .finish_non_exhaustive()
    }
}
