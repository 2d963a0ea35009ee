//! A body that does as it is told: steps come in, frames go out.

use std::cell::Cell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use futures::Stream;
use http::HeaderMap;
use http_body::{Body, Frame, SizeHint};

/// What one poll comes to.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Nothing yet; the next poll goes on.
    Wait,
    /// Nothing, for ever: a server that keeps its connection open.
    Stall,
    /// A frame of data.
    Data(Bytes),
    /// A frame of trailers.
    Trailers,
    /// The connection breaks.
    Fail,
}

/// The error of a body that was told to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken;

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("broken")
    }
}

impl std::error::Error for Broken {}

/// What somebody did to a body.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) polls: Cell<usize>,
    pub(crate) is_dropped: Cell<bool>,
}

/// Does what it is told step by step, and panics when it is asked on after its end.
#[derive(Debug, Default)]
pub(crate) struct Script {
    acts: VecDeque<Act>,
    /// The length that it knows, if it does.
    pub(crate) len: Option<u64>,
    /// Whether it knows of its last frame that it is the last.
    pub(crate) knows_end: bool,
    has_ended: bool,
    pub(crate) log: Rc<Log>,
}

impl Script {
    pub(crate) fn new(acts: impl IntoIterator<Item = Act>) -> Self {
        let mut script = Script::default();
        script.acts.extend(acts);
        script
    }

    /// The chunks, each as a frame.
    pub(crate) fn of<'s>(chunks: impl IntoIterator<Item = &'s [u8]>) -> Self {
        Script::new(chunks.into_iter().map(data))
    }

    /// The chunks, with two waits before each of them and one before the end.
    pub(crate) fn slow<'s>(chunks: impl IntoIterator<Item = &'s [u8]>) -> Self {
        let slow = |chunk| [Act::Wait, Act::Wait, data(chunk)];
        Script::new(chunks.into_iter().flat_map(slow).chain([Act::Wait]))
    }
}

pub(crate) fn data(bytes: impl AsRef<[u8]>) -> Act {
    Act::Data(Bytes::copy_from_slice(bytes.as_ref()))
}

impl Body for Script {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        assert!(!self.has_ended, "asked on after its end");
        self.log.polls.set(self.log.polls.get() + 1);
        if let Some(Act::Stall) = self.acts.front() {
            return Poll::Pending;
        }
        let frame = match self.acts.pop_front() {
            Some(Act::Wait | Act::Stall) => {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            Some(Act::Data(bytes)) => {
                if let Some(len) = &mut self.len {
                    *len = len.saturating_sub(bytes.len() as u64);
                }
                Some(Ok(Frame::data(bytes)))
            }
            Some(Act::Trailers) => {
                let mut trailers = HeaderMap::new();
                trailers.insert("x-sum", http::HeaderValue::from_static("7"));
                Some(Ok(Frame::trailers(trailers)))
            }
            Some(Act::Fail) => Some(Err(Broken)),
            None => None,
        };
        self.has_ended = !matches!(frame, Some(Ok(_)));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.knows_end && self.acts.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        self.len
            .map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        self.log.is_dropped.set(true);
    }
}

/// The same as a stream of chunks; trailers are none.
impl Stream for Script {
    type Item = Result<Bytes, Broken>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let frame = self.poll_frame(context);
        frame.map(|frame| frame.map(|frame| frame.map(|it| it.into_data().unwrap_or_default())))
    }
}

/// Polls at most `polls` times, then drops the future.
pub(crate) fn poll_up_to<T>(polls: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..polls {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return Some(result);
        }
    }
    None
}

/// Polls until it is ready, which must not take for ever.
#[track_caller]
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    poll_up_to(1_000_000, future).expect("it gets ready")
}
