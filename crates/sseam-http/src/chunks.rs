//! A stream of chunks comes in, a body goes out: for clients that give their bytes
//! as a stream, as all do in a browser.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

/// The chunks of a stream as a body.
///
/// For the `bytes_stream` of a client, of whose chunks no other body is to be had.
/// It is as cancel-safe as the stream is.
///
/// ```
/// use bytes::Bytes;
/// use futures::{StreamExt, stream};
/// use sseam_http::{chunks, events};
///
/// let stream = stream::iter(["data: on", "e\n\n"].map(Ok::<_, std::io::Error>));
/// let mut events = events(chunks(stream));
/// # futures::executor::block_on(async {
/// assert_eq!(events.next().await.unwrap()?.data(), "one");
/// # Ok::<(), sseam::ReadError>(())
/// # })?;
/// # Ok::<(), sseam::ReadError>(())
/// ```
pub const fn chunks<S>(stream: S) -> ChunkBody<S> {
    ChunkBody { stream }
}

pin_project! {
    /// A stream of chunks as a body: see [`chunks`].
    pub struct ChunkBody<S> {
        #[pin]
        stream: S,
    }
}

impl<S> ChunkBody<S> {
    /// The stream within.
    pub fn into_inner(self) -> S {
        self.stream
    }
}

impl<S, C, E> Body for ChunkBody<S>
where
    S: Stream<Item = Result<C, E>>,
    C: Into<Bytes>,
{
    type Data = Bytes;
    type Error = E;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, E>>> {
        let chunk = ready!(self.project().stream.poll_next(context));
        Poll::Ready(chunk.map(|chunk| chunk.map(|chunk| Frame::data(chunk.into()))))
    }

    // How many chunks there are says nothing of their bytes.
    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

/// Shows no chunk.
impl<S> fmt::Debug for ChunkBody<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkBody").finish_non_exhaustive()
    }
}
