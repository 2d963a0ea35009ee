//! Where rivals read from that want to be handed a stream: the next chunk in,
//! the same chunk out when it is polled, and "pending" after that.

use std::cell::Cell;
use std::convert::Infallible;
use std::pin::Pin;
use std::rc::Rc;
use std::str::Utf8Error;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use futures_core::Stream;
use http_body::{Body, Frame};

/// Both ends of a place for one chunk.
#[derive(Clone, Default)]
pub struct Source(Rc<Cell<Option<Bytes>>>);

impl Source {
    /// Puts a chunk there, without copying it.
    pub fn put(&self, chunk: &'static [u8]) {
        self.0.set(Some(Bytes::from_static(chunk)));
    }

    fn poll(&self) -> Poll<Bytes> {
        self.0.take().map_or(Poll::Pending, Poll::Ready)
    }
}

impl Stream for Source {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll().map(|chunk| Some(Ok(chunk)))
    }
}

impl Body for Source {
    type Data = Bytes;
    type Error = Utf8Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Utf8Error>>> {
        self.poll().map(|chunk| Some(Ok(Frame::data(chunk))))
    }
}

/// The next item of a stream, or `None` while it is pending.
#[inline]
pub fn next<S: Stream>(stream: Pin<&mut S>) -> Option<S::Item> {
    match stream.poll_next(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(item) => item,
        Poll::Pending => None,
    }
}
