//! A response comes in and goes out, frame by frame as it is; on the side, once,
//! what became of the answer in it.
//!
//! The difficulty is to know the end, of which nobody tells a body. A server stops
//! asking for frames where it knows that there are none: after so many bytes as the
//! head promised, after trailers, after a frame with which the body says that it
//! has ended. Only what is dropped before any of these was cancelled.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderMap, Method, Response, header};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use sseam::Limits;
use sseam::llm::{Close, Outcome, TransportEnd, Turn};

use crate::judge::{CLEAN, Claim, Judge, claim};

/// Watches the answer in a response while it passes, and tells what became of it.
///
/// The frames of the body and its trailers are those of the response, in their order
/// and not copied; so are its head, `size_hint` and `is_end_stream`. `on_end` is called
/// once: at the end of the body, at its error, or when it is dropped before; within
/// the call that polls or drops it, so it must neither block nor panic. See [`Observation`].
///
/// ```
/// use http::Response;
/// use http_body_util::{BodyExt, Full};
/// use sseam::llm::{Dialect, Turn};
///
/// let upstream = Response::builder()
///     .header("content-type", "text/event-stream")
///     .body(Full::<bytes::Bytes>::from("data: {\"choices\":[{\"delta\":"))?;
/// let (sender, receiver) = std::sync::mpsc::channel();
/// let response = sseam_http::observe(upstream, Turn::new(Dialect::Auto), move |seen| {
///     let _ = sender.send(seen);
/// });
/// # futures::executor::block_on(async {
/// let bytes = response.into_body().collect().await?.to_bytes();
/// assert_eq!(bytes, "data: {\"choices\":[{\"delta\":");
/// # Ok::<(), std::convert::Infallible>(())
/// # })?;
/// let outcome = receiver.recv()?.result.unwrap();
/// assert_eq!(outcome.exit_code(), 20); // It broke off.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn observe<B, F>(response: Response<B>, turn: Turn, on_end: F) -> Response<Observed<B, F>>
where
    B: Body<Data = Bytes>,
    F: FnOnce(Observation),
{
    Observer::new(turn).observe(response, on_end)
}

/// What an observed response came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Observation {
    /// What became of the answer, or why that is not known.
    ///
    /// A response that was dropped before its end is
    /// [`Cancelled`](sseam::llm::Ending::Cancelled), unless the API's own end was
    /// seen. One of another status than 200 is
    /// [`FailedStatus`](sseam::llm::Ending::FailedStatus), and one of another content
    /// type [`NotEventStream`](sseam::llm::Ending::NotEventStream), with the code and
    /// the message that the first
    /// [`EXPLANATION_LEN_MAX`](crate::EXPLANATION_LEN_MAX) bytes tell.
    pub result: Result<Outcome, Unobservable>,
    /// Bytes of data that passed.
    pub bytes: u64,
}

/// Why nothing is known of an answer. It did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unobservable {
    /// The body is compressed. Ask the upstream for `identity`.
    ContentEncoding,
    /// There is no body: the response to a HEAD, 204, 205, 304, or one to which no
    /// answer was to come.
    NoBody,
}

impl fmt::Display for Unobservable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unobservable::ContentEncoding => "the content encoding is not identity",
            Unobservable::NoBody => "the response has no body",
        })
    }
}

impl std::error::Error for Unobservable {}

/// How responses are watched, where [`observe`] does not do.
#[derive(Debug, Clone, Copy)]
pub struct Observer {
    turn: Turn,
    limits: Limits,
    is_head: bool,
}

impl Observer {
    /// One with [`Limits::LARGE`].
    pub const fn new(turn: Turn) -> Self {
        Observer {
            turn,
            limits: Limits::LARGE,
            is_head: false,
        }
    }

    /// The same with other limits: what passes them passes on all the same, and the
    /// outcome says that it did not fit.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same, told the method of the request: the response to a HEAD may not be
    /// told by itself from one that broke off.
    #[must_use]
    pub fn with_method(mut self, method: &Method) -> Self {
        self.is_head = method == Method::HEAD;
        self
    }

    /// Watches a response: see [`observe`].
    pub fn observe<B, F>(self, response: Response<B>, on_end: F) -> Response<Observed<B, F>>
    where
        B: Body<Data = Bytes>,
        F: FnOnce(Observation),
    {
        let (head, body) = response.into_parts();
        let promised = promised(&head.headers);
        let is_empty = body.is_end_stream();
        let is_bodiless = self.is_head
            || matches!(head.status.as_u16(), 101 | 202 | 204 | 205 | 304)
            // The head speaks of bytes that the body knows not to come.
            || is_empty && promised.is_some_and(|len| len > 0);
        let watched = match claim(head.status, &head.headers, &self.turn) {
            _ if is_bodiless => Watched::Nothing(Unobservable::NoBody),
            Claim::Nothing => Watched::Nothing(Unobservable::NoBody),
            Claim::Encoded => Watched::Nothing(Unobservable::ContentEncoding),
            Claim::Stream => Watched::Body(Judge::of_stream(self.turn, self.limits)),
            Claim::Explanation(close) => Watched::Body(Judge::of_explanation(self.turn, close)),
        };
        let mut watcher = Watcher {
            watching: Some((watched, on_end)),
            bytes: 0,
            promised: body.size_hint().exact().or(promised),
        };
        if is_empty {
            watcher.end(CLEAN);
        }
        Response::from_parts(head, Observed { body, watcher })
    }
}

pin_project! {
    /// A body that is watched while it passes: see [`observe`].
    pub struct Observed<B, F: FnOnce(Observation)> {
        #[pin]
        body: B,
        watcher: Watcher<F>,
    }
}

impl<B, F> Body for Observed<B, F>
where
    B: Body<Data = Bytes>,
    F: FnOnce(Observation),
{
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let mut this = self.project();
        let frame = ready!(this.body.as_mut().poll_frame(context));
        match &frame {
            Some(Ok(frame)) => match frame.data_ref() {
                Some(data) => this.watcher.see(data, this.body.is_end_stream()),
                // Trailers come last, and nobody asks for what follows them.
                None => this.watcher.end(CLEAN),
            },
            Some(Err(_)) => this.watcher.end(Close::Transport(TransportEnd::Reset)),
            None => this.watcher.end_of_body(),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Shows figures, not the body.
impl<B, F: FnOnce(Observation)> fmt::Debug for Observed<B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observed")
            .field("bytes", &self.watcher.bytes)
            .field("is_told", &self.watcher.watching.is_none())
            .finish_non_exhaustive()
    }
}

/// What is watched, and whom to tell.
struct Watcher<F: FnOnce(Observation)> {
    /// `None` once it was told.
    watching: Option<(Watched, F)>,
    bytes: u64,
    /// How many bytes there are to be in all.
    promised: Option<u64>,
}

enum Watched {
    Body(Box<Judge>),
    /// Nothing can be seen, for this reason.
    Nothing(Unobservable),
}

impl<F: FnOnce(Observation)> Watcher<F> {
    /// Takes the data of a frame, which may be the last one.
    fn see(&mut self, data: &[u8], is_last: bool) {
        self.bytes = self.bytes.saturating_add(data.len() as u64);
        if let Some((Watched::Body(judge), _)) = &mut self.watching {
            judge.read(data);
        }
        if is_last || self.promised.is_some_and(|len| len <= self.bytes) {
            self.end(CLEAN);
        }
    }

    /// Takes the end that the body tells.
    fn end_of_body(&mut self) {
        let is_short = self.promised.is_some_and(|len| len > self.bytes);
        let transport = match is_short {
            true => TransportEnd::Cut,
            false => TransportEnd::Clean,
        };
        self.end(Close::Transport(transport));
    }

    /// Tells what was seen; once.
    fn end(&mut self, close: Close) {
        let Some((watched, on_end)) = self.watching.take() else {
            return;
        };
        let result = match watched {
            Watched::Body(mut judge) => {
                judge.end(close);
                Ok(judge.outcome())
            }
            Watched::Nothing(reason) => Err(reason),
        };
        on_end(Observation {
            result,
            bytes: self.bytes,
        });
    }
}

/// Whoever drops it before its end has cancelled it.
impl<F: FnOnce(Observation)> Drop for Watcher<F> {
    fn drop(&mut self) {
        self.end(Close::Cancelled);
    }
}

/// The length that the head tells.
fn promised(headers: &HeaderMap) -> Option<u64> {
    headers
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}
