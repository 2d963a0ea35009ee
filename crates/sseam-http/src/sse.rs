//! A stream of what is to be sent comes in, a body goes out: a frame for all that is
//! ready, and a comment where nothing was for a while.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Response};
use http_body::{Body, Frame};
use pin_project_lite::pin_project;
use sseam::EncodeError;

use crate::outgoing::Outgoing;

/// Bytes after which a frame takes nothing more, however much is ready: 16 KiB.
pub const FRAME_LEN_MAX: usize = 16 * 1024;

/// So much is asked of the heap for the first frame; later ones are as long as they
/// have been.
const FRAME_LEN: usize = 1024;

/// What a heartbeat is: a comment without a text, and a blank line.
const HEARTBEAT: &[u8] = b":\n\n";

/// A response that sends what `stream` gives: 200, its content type, `no-store`, and
/// a header that keeps nginx from holding it back.
///
/// The stream is polled when the connection has room; what is ready goes out in one
/// frame, up to [`FRAME_LEN_MAX`]. In axum a handler returns it by
/// `sse(stream).map(axum::body::Body::new)`.
///
/// ```
/// use futures::stream;
/// use http_body_util::BodyExt;
/// use sseam_http::{Outgoing, sse};
///
/// let stream = stream::iter(["one", "two"].map(|data| Ok::<_, ()>(Outgoing::event(data))));
/// let response = sse(stream);
/// assert_eq!(response.headers()["content-type"], "text/event-stream");
/// # futures::executor::block_on(async {
/// let bytes = response.into_body().collect().await.unwrap().to_bytes();
/// assert_eq!(bytes, "data: one\n\ndata: two\n\n");
/// # });
/// ```
pub fn sse<S, E>(stream: S) -> Response<SseBody<S, E>>
where
    S: Stream<Item = Result<Outgoing, E>>,
{
    let mut response = Response::new(SseBody::new(stream));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let buffering = HeaderName::from_static("x-accel-buffering");
    headers.insert(buffering, HeaderValue::from_static("no"));
    response
}

/// Why a body of events ends before its stream does. What came before it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SendError<E> {
    /// The stream failed.
    Source(E),
    /// A type or an id could have ended its line. Nothing of that event was sent.
    Encode(EncodeError),
}

impl<E> fmt::Display for SendError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SendError::Source(_) => f.write_str("the source of what is sent failed"),
            SendError::Encode(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for SendError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SendError::Source(error) => Some(error),
            // Its text is this error's own, so it is not told twice.
            SendError::Encode(_) => None,
        }
    }
}

pin_project! {
    /// What a stream gives, as a body: see [`sse`].
    ///
    /// An error of the stream, or of what it gives, ends the body, after all that came
    /// before it was sent: the connection breaks, and a reader sees that.
    pub struct SseBody<S, E, F = fn() -> Never, T = Never> {
        #[pin]
        stream: S,
        start_timer: Option<F>,
        #[pin]
        timer: Option<T>,
        frame: BytesMut,
        error: Option<SendError<E>>,
        has_ended: bool,
    }
}

/// A timer that nobody has started.
pub type Never = std::future::Pending<()>;

impl<S, E> SseBody<S, E> {
    /// A body without heartbeats.
    pub fn new(stream: S) -> Self {
        SseBody {
            stream,
            start_timer: None,
            timer: None,
            frame: BytesMut::new(),
            error: None,
            has_ended: false,
        }
    }

    /// The same, which sends an empty comment whenever a timer passes: it is started
    /// anew by each frame, so heartbeats are sent only where nothing else is.
    ///
    /// ```
    /// use std::time::Duration;
    /// use sseam_http::{Outgoing, sse};
    ///
    /// # fn response(stream: impl futures::Stream<Item = Result<Outgoing, ()>>) {
    /// let response = sse(stream).map(|body| {
    ///     body.with_heartbeat(|| tokio::time::sleep(Duration::from_secs(15)))
    /// });
    /// # }
    /// ```
    pub fn with_heartbeat<F, T>(self, start_timer: F) -> SseBody<S, E, F, T>
    where
        F: FnMut() -> T,
        T: Future<Output = ()>,
    {
        SseBody {
            stream: self.stream,
            start_timer: Some(start_timer),
            timer: None,
            frame: self.frame,
            error: self.error,
            has_ended: self.has_ended,
        }
    }
}

impl<S, E, F, T> SseBody<S, E, F, T> {
    /// The same, which begins with a reconnection time in milliseconds.
    #[must_use]
    pub fn with_retry(mut self, milliseconds: u64) -> Self {
        // Digits hold nothing that could be refused.
        let _ = Outgoing::retry(milliseconds).encode(&mut self.frame);
        self
    }
}

impl<S, E, F, T> Body for SseBody<S, E, F, T>
where
    S: Stream<Item = Result<Outgoing, E>>,
    F: FnMut() -> T,
    T: Future<Output = ()>,
{
    type Data = Bytes;
    type Error = SendError<E>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, SendError<E>>>> {
        self.as_mut().gather(context);
        let mut this = self.project();
        if !this.frame.is_empty() {
            this.timer
                .set(this.start_timer.as_mut().map(|start| start()));
            return Poll::Ready(Some(Ok(Frame::data(this.frame.split().freeze()))));
        }
        if let Some(error) = this.error.take() {
            return Poll::Ready(Some(Err(error)));
        }
        if *this.has_ended {
            return Poll::Ready(None);
        }
        if this.timer.is_none() {
            this.timer
                .set(this.start_timer.as_mut().map(|start| start()));
        }
        let Some(timer) = this.timer.as_mut().as_pin_mut() else {
            return Poll::Pending;
        };
        if timer.poll(context).is_pending() {
            return Poll::Pending;
        }
        // The next poll starts the next one.
        this.timer.set(None);
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(HEARTBEAT)))))
    }

    fn is_end_stream(&self) -> bool {
        self.has_ended && self.frame.is_empty() && self.error.is_none()
    }
}

impl<S, E, F, T> SseBody<S, E, F, T>
where
    S: Stream<Item = Result<Outgoing, E>>,
{
    /// Takes all that is ready, up to the length of a frame.
    fn gather(self: Pin<&mut Self>, context: &mut Context<'_>) {
        let mut this = self.project();
        while !*this.has_ended && this.frame.len() < FRAME_LEN_MAX {
            let error = match this.stream.as_mut().poll_next(context) {
                Poll::Pending => return,
                Poll::Ready(None) => None,
                Poll::Ready(Some(Err(error))) => Some(SendError::Source(error)),
                Poll::Ready(Some(Ok(outgoing))) => {
                    if this.frame.capacity() == 0 {
                        this.frame.reserve(FRAME_LEN);
                    }
                    match outgoing.encode(this.frame) {
                        Ok(()) => continue,
                        Err(error) => Some(SendError::Encode(error)),
                    }
                }
            };
            *this.error = error;
            *this.has_ended = true;
        }
    }
}

/// Shows figures, not what is sent.
impl<S, E, F, T> fmt::Debug for SseBody<S, E, F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SseBody")
            .field("frame_len", &self.frame.len())
            .field("has_ended", &self.has_ended)
            .finish_non_exhaustive()
    }
}
