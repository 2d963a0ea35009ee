//! A body comes in, what the answer in it says goes out, one thing after the other,
//! and at last what became of it.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use futures_core::{FusedStream, Stream};
use http::Response;
use http_body::Body;
use pin_project_lite::pin_project;
use sseam::llm::{Answer, Close, DRAIN_BYTES_MAX, Dialect, Outcome, TransportEnd, Turn, Wants};
use sseam::{Call, Calls, Counters, GrowingMemory, Limits, OwnedSignal};

use crate::events::FRAMES_PER_POLL_MAX;
use crate::frames::poll_chunk;
use crate::judge::{CLEAN, Claim, Judge, claim};

/// What a stream of an answer gives.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Told {
    /// An event said this.
    Signal(OwnedSignal),
    /// A tool call is closed and whole. Run it once the outcome
    /// [says so](Outcome::may_run_calls).
    Call(Call),
    /// What became of the answer: the last thing that is told.
    Outcome(Box<Outcome>),
}

/// The answer of an AI API in a body: its signals, and at the end its outcome.
///
/// The head of the response is not looked at; [`answer_of`] does that. The limits
/// are [`Limits::LARGE`].
///
/// ```
/// use futures::StreamExt;
/// use http_body_util::Full;
/// use sseam::llm::{Dialect, Turn};
/// use sseam_http::{Told, answer};
///
/// let body = Full::<bytes::Bytes>::from(
///     "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n\
///      data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
///      data: [DONE]\n\n",
/// );
/// let mut answer = answer(body, Turn::new(Dialect::Auto));
/// # futures::executor::block_on(async {
/// while let Some(told) = answer.next().await {
///     match told {
///         Told::Signal(signal) => print!("{}", signal.as_text().unwrap_or_default()),
///         Told::Call(call) => println!("{}({})", call.name, call.arguments),
///         Told::Outcome(outcome) => assert!(outcome.is_completed()),
///         _ => {}
///     }
/// }
/// # });
/// ```
pub fn answer<B: Body>(body: B, turn: Turn) -> AnswerStream<B> {
    AnswerStream::new(Some(body), Judge::of_stream(turn, Limits::LARGE))
}

/// The answer of an AI API that a response brings, or why it brings none.
///
/// Status, content type and encoding are checked as [`events_of`](crate::events_of)
/// checks them, but for a content type that is missing. There is no error: a response
/// of another status ends in [`FailedStatus`](sseam::llm::Ending::FailedStatus), one
/// that is no event stream in [`NotEventStream`](sseam::llm::Ending::NotEventStream),
/// each with the code and the message that its body tells, of which at most
/// [`EXPLANATION_LEN_MAX`](crate::EXPLANATION_LEN_MAX) bytes are read. Such a server
/// may take its time: put a timeout around it and call
/// [`finish_with`](AnswerStream::finish_with).
///
/// ```
/// use http::Response;
/// use http_body_util::Full;
/// use sseam::llm::{Dialect, Ending, Turn};
///
/// let response = Response::builder().status(429).body(Full::<bytes::Bytes>::from(
///     r#"{"error":{"type":"rate_limit_error","message":"Slow down"}}"#,
/// ))?;
/// let answer = sseam_http::answer_of(response, Turn::new(Dialect::Anthropic));
/// # futures::executor::block_on(async {
/// let outcome = answer.into_outcome().await;
/// assert_eq!(outcome.ending, Ending::FailedStatus(429));
/// assert_eq!(outcome.seen.message.to_string(), "Slow down");
/// # });
/// # Ok::<(), http::Error>(())
/// ```
pub fn answer_of<B: Body>(response: Response<B>, turn: Turn) -> AnswerStream<B> {
    let is_mcp = matches!(turn.dialect(), Dialect::Mcp2025 | Dialect::Mcp2026);
    let claim = claim(response.status(), response.headers(), &turn);
    let judge = match claim {
        _ if is_mcp && response.status().as_u16() == 202 => Judge::of_accepted(turn),
        Claim::Stream | Claim::Nothing => Judge::of_stream(turn, Limits::LARGE),
        Claim::Encoded => Judge::of_explanation(turn, Close::NotEventStream),
        Claim::Explanation(close) => Judge::of_explanation(turn, close),
    };
    AnswerStream::new(Some(response.into_body()), judge)
}

pin_project! {
    /// What an answer says: a [`Stream`] of [`Told`], the outcome last.
    ///
    /// Made by [`answer`] and [`answer_of`]. Errors of the stream and of the body are
    /// part of the outcome; that of the body is kept in
    /// [`body_error`](AnswerStream::body_error). What was heard before them is given.
    /// The body is dropped as soon as nothing more is wanted of it, and so its
    /// connection is closed. After the outcome the stream gives `None`, for ever.
    ///
    /// # After the API's own end
    ///
    /// What follows at once still counts, for at most
    /// [`DRAIN_BYTES_MAX`] bytes; once the body has nothing ready the outcome is told,
    /// since some servers keep the connection open.
    ///
    /// An answer whose choices have all finished may still go on. No clock is read
    /// here: put a timeout of what [`wants`](AnswerStream::wants) says around the next
    /// item, and end it with [`Close::Settled`] when that passes.
    ///
    /// ```
    /// use std::time::Duration;
    /// use futures::StreamExt;
    /// use sseam::llm::{Close, Timeout, Wants};
    /// use sseam_http::{AnswerStream, Told};
    ///
    /// # use sseam::llm::{Dialect, Turn};
    /// # fn show(_: Told) {}
    /// # async fn print<B: http_body::Body + Unpin>(mut answer: AnswerStream<B>) {
    /// loop {
    ///     let (quiet, close) = match answer.wants() {
    ///         Wants::MoreUntilQuiet(quiet) => (quiet, Close::Settled),
    ///         _ => (Duration::from_secs(60), Close::TimedOut(Timeout::Idle)),
    ///     };
    ///     match tokio::time::timeout(quiet, answer.next()).await {
    ///         Ok(Some(told)) => show(told),
    ///         Ok(None) => break,
    ///         Err(_) => answer.finish_with(close),
    ///     }
    /// }
    /// # }
    /// # let body = http_body_util::Full::<bytes::Bytes>::from(": hi\n\n");
    /// # let answer = sseam_http::answer(body, Turn::new(Dialect::Plain));
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    /// # runtime.block_on(print(answer));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// What was received is kept in here: a future of the next item may be dropped,
    /// and nothing is lost.
    pub struct AnswerStream<B: Body> {
        // None once nothing more is wanted of it.
        #[pin]
        body: Option<B>,
        judge: Box<Judge>,
        // What of the last frame was not heard yet.
        unheard: Bytes,
        // What of an event was not given yet.
        told: VecDeque<Told>,
        calls: Calls,
        // Bytes that came after the API's own end.
        drained: usize,
        has_ended: bool,
        body_error: Option<B::Error>,
    }
}

impl<B: Body> AnswerStream<B> {
    fn new(body: Option<B>, judge: Box<Judge>) -> Self {
        AnswerStream {
            body,
            judge,
            unheard: Bytes::new(),
            told: VecDeque::new(),
            calls: Calls::new(),
            drained: 0,
            has_ended: false,
            body_error: None,
        }
    }

    /// The same with other limits than [`Limits::LARGE`], before the first item. What
    /// passes them ends the answer, or is left out, and the outcome says so.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.judge.set_limits(limits);
        self
    }

    /// The same, which stops at text that is not UTF-8: see
    /// [`Answer::with_strict_text`].
    #[must_use]
    pub fn with_strict_text(mut self) -> Self {
        self.judge.change(Answer::with_strict_text);
        self
    }

    /// The same, which wants to wait so long once all choices have finished: see
    /// [`wants`](AnswerStream::wants).
    #[must_use]
    pub fn with_settle(mut self, settle: Duration) -> Self {
        self.judge.change(|answer| answer.with_settle(settle));
        self
    }

    /// What is wanted of the body next, and for how long to wait for it.
    pub fn wants(&self) -> Wants {
        match self.has_ended {
            true => Wants::Nothing,
            false => self.judge.wants(),
        }
    }

    /// The answer as it stands: last event id, counters, dialect. Of a response that
    /// is no event stream, what its body was read as.
    pub const fn answer(&self) -> &Answer<GrowingMemory> {
        self.judge.answer()
    }

    /// What was counted of the body.
    pub const fn counters(&self) -> Counters {
        self.judge.counters()
    }

    /// What became of the answer, as far as it was given. Before its end it is as if
    /// the caller had cancelled, unless the API's own end was seen.
    pub fn outcome(&mut self) -> Outcome {
        self.judge.outcome()
    }

    /// Tool calls that are not closed, as far as they came: to be shown, never to be
    /// run.
    pub fn open_calls(&self) -> &[Call] {
        self.calls.open()
    }

    /// The error that the body ended with, if it did.
    pub const fn body_error(&self) -> Option<&B::Error> {
        self.body_error.as_ref()
    }

    /// Ends it for a reason that the caller knows: a wait that was too long. What was
    /// heard until then, and the outcome, are still to be had. After the end it
    /// changes nothing.
    pub fn finish_with(&mut self, close: Close)
    where
        B: Unpin,
    {
        Pin::new(self).end(close);
    }

    /// Reads it to its end, for the outcome alone.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the answer, and closes its connection.
    pub async fn into_outcome(self) -> Outcome {
        let mut answer = std::pin::pin!(self);
        poll_fn(|context| {
            while ready!(answer.as_mut().poll_next(context)).is_some() {}
            Poll::Ready(answer.as_mut().project().judge.outcome())
        })
        .await
    }

    /// Takes a chunk, of which nothing is heard yet.
    fn set_chunk(self: Pin<&mut Self>, chunk: Bytes) {
        let this = self.project();
        if !this.judge.is_answer() {
            return this.judge.read(&chunk);
        }
        if this.judge.is_terminal() {
            *this.drained = this.drained.saturating_add(chunk.len());
        }
        *this.unheard = chunk;
    }

    /// Goes on in the chunk until something is heard, and queues that; `false` where
    /// it is used up.
    fn hear(self: Pin<&mut Self>) -> bool {
        let this = self.project();
        if !this.judge.is_answer() {
            return false;
        }
        let mut input = &this.unheard[..];
        let heard = this.judge.next(&mut input);
        let unheard_len = input.len();
        let Some(heard) = heard else {
            // An idle answer keeps no frame alive.
            *this.unheard = Bytes::new();
            return false;
        };
        take(heard.signals, this.calls, this.told);
        this.unheard.advance(this.unheard.len() - unheard_len);
        true
    }

    /// Takes the end: once; the body is not read again. What came before is heard.
    fn end(mut self: Pin<&mut Self>, close: Close) {
        if self.has_ended {
            return;
        }
        while self.as_mut().hear() {}
        self.as_mut().project().judge.end(close);
        // What only the end tells.
        while self.as_mut().hear() {}
        let mut this = self.project();
        *this.has_ended = true;
        this.body.set(None);
        let outcome = this.judge.outcome();
        this.told.push_back(Told::Outcome(Box::new(outcome)));
    }

    /// Reads a frame, or finds that it is over; says whether to go on at once.
    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let is_terminal = self.judge.is_terminal();
        let wants_nothing = self.wants() == Wants::Nothing;
        if wants_nothing && (!is_terminal || self.drained > DRAIN_BYTES_MAX) {
            self.end(CLEAN);
            return Poll::Ready(());
        }
        let body = self.as_mut().project().body.as_pin_mut();
        match body.map(|body| poll_chunk(body, context)) {
            Some(Poll::Pending) if !wants_nothing => return Poll::Pending,
            Some(Poll::Ready(Some(Ok(chunk)))) => self.set_chunk(chunk),
            Some(Poll::Ready(Some(Err(error)))) => {
                *self.as_mut().project().body_error = Some(error);
                self.end(Close::Transport(TransportEnd::Reset));
            }
            None | Some(Poll::Pending | Poll::Ready(None)) => self.end(CLEAN),
        }
        Poll::Ready(())
    }
}

impl<B: Body> Stream for AnswerStream<B> {
    type Item = Told;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Told>> {
        for _ in 0..FRAMES_PER_POLL_MAX {
            loop {
                if let Some(told) = self.as_mut().project().told.pop_front() {
                    return Poll::Ready(Some(told));
                }
                if self.has_ended {
                    return Poll::Ready(None);
                }
                if !self.as_mut().hear() {
                    break;
                }
            }
            if self.as_mut().poll_frame(context).is_pending() {
                return Poll::Pending;
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.told.len();
        (len, self.has_ended.then_some(len))
    }
}

impl<B: Body> FusedStream for AnswerStream<B> {
    fn is_terminated(&self) -> bool {
        self.has_ended && self.told.is_empty()
    }
}

/// Shows figures, not content and not the body, which may be content.
impl<B: Body> fmt::Debug for AnswerStream<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerStream")
            .field("judge", &self.judge)
            .field("has_ended", &self.has_ended)
            .finish_non_exhaustive()
    }
}

/// Queues signals, and after each that closes a call the call.
fn take<'a>(
    signals: impl Iterator<Item = sseam::llm::Signal<'a>>,
    calls: &mut Calls,
    told: &mut VecDeque<Told>,
) {
    for signal in signals {
        let call = calls.take(&signal);
        told.push_back(Told::Signal(OwnedSignal::from(signal)));
        told.extend(call.map(Told::Call));
    }
}
