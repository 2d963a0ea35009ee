//! A body comes in, a stream of its events goes out.
//!
//! The body is asked for a frame only when no further event is in the last one, so
//! at most one frame is held, and a consumer that is slow slows its server down.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::{FusedStream, Stream};
use http_body::Body;
use pin_project_lite::pin_project;
use sseam::{Counters, Error, Event, Item, Items, Limits, ReadError, SetupError, Step, Text};

use crate::frames::poll_chunk;
use crate::keep::{Keep, Owning};
use crate::pump::Pump;
use crate::sharing::Sharing;

/// Frames of a body that are taken in one poll, at most: 32.
///
/// A body that always has a frame, with no event in any, would otherwise keep its
/// task from ever letting others run.
pub const FRAMES_PER_POLL_MAX: u32 = 32;

/// The events of a body, owned.
///
/// Any body: of hyper, of axum, of reqwest by `http::Response::from`. The limits are
/// [`Limits::LARGE`] unless [changed](Events::with_limits). The response's head is
/// not looked at: [`events_of`](crate::events_of) does that.
///
/// ```
/// use futures::StreamExt;
/// use http_body_util::Full;
/// use sseam_http::events;
///
/// let body = Full::<bytes::Bytes>::from("data: one\n\nid: 7\ndata: two\n\ndata: cut");
/// let mut events = events(body);
/// let mut seen = Vec::new();
/// # futures::executor::block_on(async {
/// let error = loop {
///     match events.next().await {
///         Some(Ok(event)) => seen.push(event.into_data()),
///         Some(Err(error)) => break error,
///         None => panic!("the stream breaks off"),
///     }
/// };
/// assert_eq!(seen, [b"one", b"two"]);
/// assert!(error.truncated().is_some());
/// assert_eq!(events.last_event_id(), "7");
/// # });
/// ```
pub const fn events<B: Body>(body: B) -> Events<B> {
    Events::new(body, Owning)
}

/// The events of a body, which share its chunks.
///
/// Data that is longer than [`COPIED_LEN_MAX`](crate::COPIED_LEN_MAX) and lies whole
/// in one frame is a slice of that frame: no copy and no heap call for the event. What
/// is shorter is copied, as is what several frames or `data` lines make up.
///
/// ```
/// use futures::StreamExt;
/// use http_body_util::Full;
/// use sseam_http::bytes_events;
///
/// let frame = bytes::Bytes::from("data: a long event, or one that is sent on\n\n");
/// let mut events = bytes_events(Full::new(frame.clone())).with_copies_up_to(0);
/// # futures::executor::block_on(async {
/// let data = events.next().await.unwrap()?.into_data();
/// assert_eq!(data, "a long event, or one that is sent on");
/// assert_eq!(data.as_ptr(), frame[6..].as_ptr());
/// # Ok::<(), sseam::ReadError<std::convert::Infallible>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bytes_events<B: Body>(body: B) -> BytesEvents<B> {
    Events::new(body, Sharing::new())
}

/// A stream of [`BytesEvent`](crate::BytesEvent)s: see [`bytes_events`].
pub type BytesEvents<B> = Events<B, Sharing>;

pin_project! {
    /// The events of a body: a [`Stream`] of owned ones, or lent one by one.
    ///
    /// Made by [`events`], [`bytes_events`] and [`events_of`](crate::events_of). The
    /// body is asked for a frame when the last one holds no further event, and an
    /// event is given as soon as its blank line was received. Drop it to close the
    /// connection.
    ///
    /// # The end, and errors
    ///
    /// Every event before an error is given. A body that fails is
    /// [`ReadError::Source`], an end within an event [`ReadError::Truncated`], a
    /// passed limit [`ReadError::Parse`]. Each is said once. Then, as after a clean
    /// end, there is nothing more: the body is not asked again, the stream gives
    /// `None` and the lending readers `Ok(None)`, for ever.
    ///
    /// # Cancel safety
    ///
    /// What was received is kept in here, not in the futures: each of them may be
    /// dropped at any await, and nothing is lost.
    pub struct Events<B, K = Owning> {
        #[pin]
        body: B,
        pump: Pump,
        keep: K,
    }
}

impl<B: Body, K> Events<B, K> {
    const fn new(body: B, keep: K) -> Self {
        Events {
            body,
            pump: Pump::new(Limits::LARGE),
            keep,
        }
    }

    /// The same with other limits, before the first event: what was received or set
    /// before is forgotten.
    ///
    /// ```
    /// use futures::StreamExt;
    /// use sseam::Limits;
    ///
    /// let body = http_body_util::Full::<bytes::Bytes>::from("data: 1234\n\n");
    /// let limits = Limits { data_len_max: 3, ..Limits::LARGE };
    /// let mut events = sseam_http::events(body).with_limits(limits);
    /// # futures::executor::block_on(async {
    /// let error = events.next().await.unwrap().unwrap_err();
    /// assert_eq!(error.to_string(), "data_len_max of 3 was passed at byte 9 of the stream");
    /// assert!(events.next().await.is_none());
    /// # });
    /// ```
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.pump = Pump::new(limits);
        self
    }

    /// Sets the last event id that an earlier connection has left, before the first
    /// event.
    ///
    /// # Errors
    ///
    /// An id over its limit, or with CR, LF or NUL, changes nothing.
    pub fn set_last_event_id(&mut self, id: impl AsRef<[u8]>) -> Result<(), SetupError> {
        self.pump.parser.set_last_event_id(id.as_ref())
    }

    /// The last event id: what to send as `Last-Event-ID` when connecting anew.
    pub fn last_event_id(&self) -> Text<'_> {
        self.pump.parser.last_event_id()
    }

    /// The reconnection time in milliseconds, as the stream set it last.
    pub const fn retry(&self) -> Option<u64> {
        self.pump.parser.retry()
    }

    /// What was counted since the start.
    pub const fn counters(&self) -> Counters {
        self.pump.parser.counters()
    }

    /// The limits it was made with.
    pub const fn limits(&self) -> &Limits {
        self.pump.parser.limits()
    }

    /// The body. Frames that are taken from it, no event will hold.
    pub const fn body(&self) -> &B {
        &self.body
    }

    /// Takes it apart: the body, and the bytes of its last frame that were not
    /// parsed. A block that was not complete is dropped.
    pub fn into_parts(self) -> (B, Bytes) {
        let unread = self.pump.unread();
        (self.body, unread)
    }

    /// The event that the end threw away, once, after the end or an error of the
    /// body was told. `None` at any other time, and if that event has no data.
    ///
    /// It is as if a line end and a blank line followed, except that an unterminated
    /// line counts only if it is `data` and its colon has been seen. Its id is the
    /// committed one.
    ///
    /// # Errors
    ///
    /// [`Error::MemoryTooShort`] where memory could not grow by one byte.
    pub fn take_unfinished(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.pump.take_unfinished()
    }
}

impl<B: Body> Events<B> {
    /// The same events from here on, sharing the body's chunks: see [`bytes_events`].
    ///
    /// ```
    /// # use futures::StreamExt;
    /// # let response = http::Response::builder().header("content-type", "text/event-stream")
    /// #     .body(http_body_util::Full::<bytes::Bytes>::from("data: one\n\n"))?;
    /// let mut events = sseam_http::events_of(response)?.into_shared();
    /// # futures::executor::block_on(async {
    /// let data: bytes::Bytes = events.next().await.unwrap()?.into_data();
    /// assert_eq!(data, "one");
    /// # Ok::<(), sseam::ReadError<std::convert::Infallible>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_shared(self) -> BytesEvents<B> {
        Events {
            body: self.body,
            pump: self.pump,
            keep: Sharing::new(),
        }
    }
}

impl<B: Body> Events<B, Sharing> {
    /// The same, where data up to this many bytes is copied: 0 for none. See
    /// [`COPIED_LEN_MAX`](crate::COPIED_LEN_MAX).
    #[must_use]
    pub const fn with_copies_up_to(mut self, len: usize) -> Self {
        self.keep.set_copied_len_max(len);
        self
    }
}

impl<B: Body + Unpin, K> Events<B, K> {
    /// The next event, lent until the next call: without a copy where it lies whole
    /// in a frame, and without a heap call once the memory has grown to what the
    /// stream needs. `Ok(None)` is the end.
    ///
    /// ```
    /// let body = http_body_util::Full::<bytes::Bytes>::from("data: one\n\ndata: two\n\n");
    /// let mut events = sseam_http::events(body);
    /// # futures::executor::block_on(async {
    /// while let Some(event) = events.next_event().await? {
    ///     println!("{}: {}", event.event_type(), event.data());
    /// }
    /// # Ok::<(), sseam::ReadError<std::convert::Infallible>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`ReadError`] and [above](Self#the-end-and-errors).
    ///
    /// # Cancel safety
    ///
    /// Nothing is lost if the future is dropped before it is ready.
    pub async fn next_event(&mut self) -> Result<Option<Event<'_>>, ReadError<B::Error>> {
        Ok(match self.advance(Items::EVENTS).await? {
            Some(Item::Event(event)) => Some(event),
            _ => None,
        })
    }

    /// Like [`next_event`](Self::next_event), for everything a stream can say: also
    /// comments, ignored lines, reconnection times and skipped blocks.
    ///
    /// # Errors
    ///
    /// See [`ReadError`] and [above](Self#the-end-and-errors).
    ///
    /// # Cancel safety
    ///
    /// Nothing is lost if the future is dropped before it is ready.
    pub async fn next_item(&mut self) -> Result<Option<Item<'_>>, ReadError<B::Error>> {
        self.advance(Items::ALL).await
    }

    async fn advance(&mut self, want: Items) -> Result<Option<Item<'_>>, ReadError<B::Error>> {
        let step = poll_fn(|context| Pin::new(&mut *self).poll_step(context, want)).await?;
        Ok(step.and_then(|step| self.pump.item(step)))
    }

    fn poll_step(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        want: Items,
    ) -> Poll<Result<Option<Step>, ReadError<B::Error>>> {
        let this = self.project();
        poll_pumped(this.body, this.pump, context, |pump| {
            let step = pump.step(want)?;
            Ok((step != Step::NeedInput).then_some(step))
        })
    }
}

impl<B: Body, K: Keep> Stream for Events<B, K> {
    type Item = Result<K::Event, ReadError<B::Error>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.project();
        let keep = this.keep;
        poll_pumped(this.body, this.pump, context, |pump| pump.next(keep)).map(Result::transpose)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.pump.has_ended.then_some(0))
    }
}

impl<B: Body, K: Keep> FusedStream for Events<B, K> {
    fn is_terminated(&self) -> bool {
        self.pump.has_ended
    }
}

/// Goes on until `take` finds something in a chunk; `None` at the end.
#[inline]
fn poll_pumped<B: Body, T>(
    mut body: Pin<&mut B>,
    pump: &mut Pump,
    context: &mut Context<'_>,
    mut take: impl FnMut(&mut Pump) -> Result<Option<T>, Error>,
) -> Poll<Result<Option<T>, ReadError<B::Error>>> {
    if pump.has_ended {
        return Poll::Ready(Ok(None));
    }
    for _ in 0..FRAMES_PER_POLL_MAX {
        match take(pump) {
            Ok(None) => pump.drop_chunk(),
            Ok(found) => return Poll::Ready(Ok(found)),
            Err(error) => {
                pump.has_ended = true;
                return Poll::Ready(Err(ReadError::Parse(error)));
            }
        }
        match ready!(poll_chunk(body.as_mut(), context)) {
            Some(Ok(chunk)) => pump.set_chunk(chunk),
            Some(Err(error)) => {
                pump.finish();
                return Poll::Ready(Err(ReadError::Source(error)));
            }
            None => {
                let end = pump.finish();
                return Poll::Ready(match end.is_truncated() {
                    true => Err(ReadError::Truncated(end)),
                    false => Ok(None),
                });
            }
        }
    }
    context.waker().wake_by_ref();
    Poll::Pending
}

/// Shows figures, not content and not the body, which may be content.
impl<B, K> fmt::Debug for Events<B, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events")
            .field("counters", &self.pump.parser.counters())
            .field("memory", self.pump.parser.memory())
            .finish_non_exhaustive()
    }
}
