//! A body comes in, its chunks go out, one for each frame; trailers and frames
//! without data are empty chunks, so that a caller can count them.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use http_body::Body;

/// The next frame as a chunk; `None` at the end. A body of `Bytes` is not copied.
pub(crate) fn poll_chunk<B: Body>(
    body: Pin<&mut B>,
    context: &mut Context<'_>,
) -> Poll<Option<Result<Bytes, B::Error>>> {
    let Some(frame) = ready!(body.poll_frame(context)) else {
        return Poll::Ready(None);
    };
    let chunk = frame.map(|frame| match frame.into_data() {
        Ok(mut data) => data.copy_to_bytes(data.remaining()),
        Err(_) => Bytes::new(),
    });
    Poll::Ready(Some(chunk))
}
