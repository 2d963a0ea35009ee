//! A body comes in, the text of the answer in it goes out, and then its outcome.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};
use http_body::Body;
use pin_project_lite::pin_project;
use sseam::OwnedSignal;
use sseam::llm::{Outcome, Turn};

use crate::answer::{AnswerStream, Told, answer};

/// The text of an answer in a body, output and refusal.
///
/// ```
/// use futures::StreamExt;
/// use http_body_util::Full;
/// use sseam::llm::{Dialect, Turn};
///
/// let body = Full::<bytes::Bytes>::from(
///     "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n\
///      data: {\"choices\":[{\"delta\":{\"content\":\"lo\"}}]}\n\n",
/// );
/// let mut text = sseam_http::answer_text(body, Turn::new(Dialect::Auto));
/// # futures::executor::block_on(async {
/// let mut whole = String::new();
/// while let Some(piece) = text.next().await {
///     whole += &piece;
/// }
/// assert_eq!(whole, "Hello");
/// assert!(!text.outcome().is_completed()); // Its end did not come.
/// # });
/// ```
pub fn answer_text<B: Body>(body: B, turn: Turn) -> AnswerText<B> {
    answer(body, turn).into_text()
}

pin_project! {
    /// The text of an answer: a [`Stream`] of pieces that are never empty.
    ///
    /// Made by [`answer_text`] and [`AnswerStream::into_text`], which says more on
    /// its end; ask for the [`outcome`](AnswerText::outcome) then. A future of the
    /// next piece may be dropped, and nothing is lost.
    pub struct AnswerText<B: Body> {
        #[pin]
        answer: AnswerStream<B>,
    }
}

impl<B: Body> AnswerStream<B> {
    /// Its text alone, and the outcome.
    pub const fn into_text(self) -> AnswerText<B> {
        AnswerText { answer: self }
    }
}

impl<B: Body> AnswerText<B> {
    /// What became of the answer. Before its end it is as if the caller had
    /// cancelled, unless the API's own end was seen.
    pub fn outcome(&mut self) -> Outcome {
        self.answer.outcome()
    }

    /// The answer that it is the text of.
    pub const fn answer(&self) -> &AnswerStream<B> {
        &self.answer
    }

    /// The same, to end it by [`AnswerStream::finish_with`].
    pub const fn answer_mut(&mut self) -> &mut AnswerStream<B> {
        &mut self.answer
    }
}

impl<B: Body> Stream for AnswerText<B> {
    type Item = String;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<String>> {
        let mut answer = self.project().answer;
        loop {
            match ready!(answer.as_mut().poll_next(context)) {
                Some(Told::Signal(OwnedSignal::Text(text) | OwnedSignal::Refusal(text)))
                    if !text.is_empty() =>
                {
                    return Poll::Ready(Some(text));
                }
                Some(_) => {}
                None => return Poll::Ready(None),
            }
        }
    }
}

impl<B: Body> FusedStream for AnswerText<B> {
    fn is_terminated(&self) -> bool {
        self.answer.is_terminated()
    }
}

/// Shows figures, not content.
impl<B: Body> fmt::Debug for AnswerText<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerText")
            .field("answer", &self.answer)
            .finish()
    }
}
