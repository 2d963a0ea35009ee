//! Events of an upstream come in, the same events to be sent on go out, whole ones
//! only: of a stream that breaks off nothing passes beyond the last blank line.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::{FusedStream, Stream};
use http_body::Body;
use pin_project_lite::pin_project;
use sseam::ReadError;

use crate::events::BytesEvents;
use crate::outgoing::Outgoing;
use crate::sharing::BytesEvent;

/// The events of an upstream, to be sent on by [`sse`](crate::sse), and whatever its
/// owner wants to say at an end that is none.
///
/// Data passes without a copy as far as [`bytes_events`](crate::bytes_events) says.
/// An event keeps its type; its id is sent where it changes, so that a reader has the
/// same last event id after each event. Comments and reconnection times stay behind.
/// A type that holds a NUL, which a stream may have and nobody may send, ends the body
/// with [`SendError::Encode`](crate::SendError::Encode).
/// `on_fault` is called once, where the upstream ends with an error: what it gives is
/// sent last. The stream itself never fails.
///
/// ```
/// use futures::StreamExt;
/// use http_body_util::{BodyExt, Full};
/// use sseam_http::{Outgoing, bytes_events, sse, whole_events};
///
/// let upstream = Full::<bytes::Bytes>::from("id: 7\ndata: one\n\n: ping\n\ndata: cut o");
/// let events = whole_events(bytes_events(upstream), |error| {
///     Some(Outgoing::event(error.to_string()).with_type("error"))
/// });
/// let response = sse(events.map(Ok::<_, std::convert::Infallible>));
/// # futures::executor::block_on(async {
/// let bytes = response.into_body().collect().await.unwrap().to_bytes();
/// assert!(bytes.starts_with(b"id: 7\ndata: one\n\nevent: error\ndata: stream broke off"));
/// # });
/// ```
pub const fn whole_events<B, F>(events: BytesEvents<B>, on_fault: F) -> WholeEvents<B, F>
where
    B: Body,
    F: FnOnce(ReadError<B::Error>) -> Option<Outgoing>,
{
    WholeEvents {
        events,
        id: Bytes::new(),
        on_fault: Some(on_fault),
    }
}

pin_project! {
    /// The events of an upstream, to be sent on: see [`whole_events`].
    pub struct WholeEvents<B, F> {
        #[pin]
        events: BytesEvents<B>,
        // The last event id that was sent.
        id: Bytes,
        on_fault: Option<F>,
    }
}

impl<B, F> WholeEvents<B, F> {
    /// The events that they are made of: ids, counters, the body.
    pub const fn events(&self) -> &BytesEvents<B> {
        &self.events
    }
}

impl<B, F> Stream for WholeEvents<B, F>
where
    B: Body,
    F: FnOnce(ReadError<B::Error>) -> Option<Outgoing>,
{
    type Item = Outgoing;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        let this = self.project();
        Poll::Ready(match ready!(this.events.poll_next(context)) {
            Some(Ok(event)) => Some(outgoing(event, this.id)),
            Some(Err(error)) => this.on_fault.take().and_then(|on_fault| on_fault(error)),
            None => None,
        })
    }
}

impl<B, F> FusedStream for WholeEvents<B, F>
where
    B: Body,
    F: FnOnce(ReadError<B::Error>) -> Option<Outgoing>,
{
    fn is_terminated(&self) -> bool {
        self.events.is_terminated()
    }
}

/// The event as it is sent, after an event with this id.
fn outgoing(event: BytesEvent, id: &mut Bytes) -> Outgoing {
    let (event_type, new_id) = (event.type_bytes().clone(), event.id_bytes().clone());
    let mut outgoing = Outgoing::event(event.into_data());
    if event_type != "message" {
        outgoing = outgoing.with_type(event_type);
    }
    if new_id != *id {
        outgoing = outgoing.with_id(new_id.clone());
        *id = new_id;
    }
    outgoing
}

/// Shows figures, not content.
impl<B, F> fmt::Debug for WholeEvents<B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WholeEvents")
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}
