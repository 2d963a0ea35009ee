//! A tokio `AsyncRead` comes in, a body goes out: for pipes, files, and sockets
//! whose HTTP is undone elsewhere.

use std::fmt;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame};
use pin_project_lite::pin_project;
use tokio::io::{AsyncRead, ReadBuf};

/// Bytes that a [`ReadBody`] reads at a time, at most, unless told otherwise: 16 KiB.
pub const READ_LEN: usize = 16 * 1024;

/// With less room than this part of a buffer a new one is taken.
const ROOM_PART_MIN: usize = 4;

pin_project! {
    /// What an [`AsyncRead`] reads, as a body.
    ///
    /// Frames are slices of one buffer as long as it has room: reading costs two heap
    /// calls for each buffer. Reads that were interrupted are repeated. Each poll reads
    /// once, and a future that is dropped loses nothing.
    ///
    /// ```
    /// use sseam_http::{ReadBody, events};
    ///
    /// let pipe = &b"data: one\n\ndata: two\n\n"[..]; // Any `tokio::io::AsyncRead`.
    /// let mut events = events(ReadBody::new(pipe));
    /// # futures::executor::block_on(async {
    /// assert_eq!(events.next_event().await?.unwrap().data(), "one");
    /// # Ok::<(), sseam::ReadError>(())
    /// # })?;
    /// # Ok::<(), sseam::ReadError>(())
    /// ```
    pub struct ReadBody<R> {
        #[pin]
        read: R,
        // What the next read is given; all of it was written once.
        room: BytesMut,
        read_len: usize,
        has_ended: bool,
    }
}

impl<R> ReadBody<R> {
    /// What `read` gives, [`READ_LEN`] bytes at a time.
    pub fn new(read: R) -> Self {
        ReadBody {
            read,
            room: BytesMut::new(),
            read_len: READ_LEN,
            has_ended: false,
        }
    }

    /// The same, which reads at most `len` bytes at a time; 0 is taken for 1.
    #[must_use]
    pub fn with_read_len(mut self, len: usize) -> Self {
        self.read_len = len.max(1);
        self
    }

    /// What it reads from; it stands after the last frame.
    pub fn into_inner(self) -> R {
        self.read
    }
}

impl<R: AsyncRead> Body for ReadBody<R> {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let mut this = self.project();
        if *this.has_ended {
            return Poll::Ready(None);
        }
        if this.room.len() < this.read_len.div_ceil(ROOM_PART_MIN) {
            *this.room = BytesMut::zeroed(*this.read_len);
        }
        let len = loop {
            let mut buffer = ReadBuf::new(this.room);
            match ready!(this.read.as_mut().poll_read(context, &mut buffer)) {
                Ok(()) => break buffer.filled().len(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        };
        *this.has_ended = len == 0;
        let data = this.room.split_to(len).freeze();
        Poll::Ready((len > 0).then(|| Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        self.has_ended
    }
}

/// Shows figures, not content and not the source, which may be content.
impl<R> fmt::Debug for ReadBody<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadBody")
            .field("read_len", &self.read_len)
            .field("has_ended", &self.has_ended)
            .finish_non_exhaustive()
    }
}
