//! A transport that holds an answer: first its head, then its body as
//! `embedded_io::Read`, without the framing.
//!
//! The head is read through a buffer of the caller's. What of the body was read
//! with it is given before the transport is read again, and a body is read
//! straight into the buffer of whoever asks for it.

use core::fmt;

use embedded_io::{ErrorKind, ErrorType, Read};
use embedded_io_async::Read as AsyncRead;

use crate::chunked::ChunkedError;
use crate::framing::{BodyError, Framing};
use crate::head::{HeadDecoder, HeadError, NotEventStream, ResponseHead};

/// Longest head that is read, in bytes.
const HEAD_LEN_MAX: u32 = 16 * 1024;

/// An answer over a blocking transport.
///
/// ```
/// use sseam_core::Limits;
/// use sseam_embedded_io::{EventReader, Response};
///
/// let socket: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
///     Transfer-Encoding: chunked\r\n\r\na\r\ndata: hi\n\n\r\n0\r\n\r\n";
/// let mut response = Response::new(socket, [0; 64]);
/// assert_eq!(response.event_stream()?.status, 200);
/// let mut reader = EventReader::new(response, [0; 64], [0; 832], Limits::SMALL)?;
/// assert_eq!(reader.next_event()?.unwrap().data(), "hi");
/// assert!(reader.next_event()?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Response<R, B> {
    source: R,
    inner: Inner<B>,
}

/// An answer over the transport of a task.
///
/// # Cancel safety
///
/// A future may be dropped at any await: what was read is kept, as far as the
/// transport's own `read` loses nothing.
#[derive(Debug)]
pub struct AsyncResponse<R, B> {
    source: R,
    inner: Inner<B>,
}

/// Where in the answer the transport is.
#[derive(Debug)]
struct Inner<B> {
    decoder: HeadDecoder,
    /// Set with the head.
    framing: Option<Framing>,
    buffer: B,
    /// Bytes of the buffer that were read with the head and are body; start <=
    /// end <= its length.
    start: usize,
    end: usize,
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Inner<B> {
    const fn new(buffer: B) -> Self {
        let decoder = HeadDecoder::new(HEAD_LEN_MAX);
        Inner {
            decoder,
            framing: None,
            buffer,
            start: 0,
            end: 0,
        }
    }

    /// The head, if it has come; otherwise more is to be read into the buffer.
    fn head<E>(&mut self) -> Result<Option<ResponseHead>, ResponseError<E>> {
        let mut input = self
            .buffer
            .as_ref()
            .get(self.start..self.end)
            .unwrap_or_default();
        let head = self
            .decoder
            .decode(&mut input)
            .map_err(ResponseError::Head)?;
        self.start = self.end - input.len();
        if let Some(head) = head {
            self.framing.get_or_insert_with(|| head.framing());
        }
        Ok(head)
    }

    /// Takes in that `len` bytes of the head were read.
    fn received<E>(&mut self, len: usize) -> Result<(), ResponseError<E>> {
        (self.start, self.end) = (0, len.min(self.buffer.as_ref().len()));
        if self.end == 0 {
            return Err(ResponseError::Body(BodyError::Cut));
        }
        Ok(())
    }

    /// Copies into `out` what was read with the head, at most as much as fits.
    fn take_left(&mut self, out: &mut [u8]) -> usize {
        let left = self
            .buffer
            .as_ref()
            .get(self.start..self.end)
            .unwrap_or_default();
        let len = left.len().min(out.len());
        for (place, byte) in out.iter_mut().zip(left) {
            *place = *byte;
        }
        self.start += len;
        len
    }

    /// What `len` bytes at the front of `out` come to: a length of the body; 0
    /// at its end; `None` if they were framing alone.
    fn body<E>(&mut self, out: &mut [u8], len: usize) -> Result<Option<usize>, ResponseError<E>> {
        let framing = self.framing.get_or_insert(Framing::UntilClose);
        if len == 0 && !framing.may_end() {
            return Err(ResponseError::Body(BodyError::Cut));
        }
        let body = framing.strip(out, len).map_err(BodyError::Chunked)?;
        Ok((body > 0 || len == 0 || framing.is_done()).then_some(body))
    }

    fn is_done(&self) -> bool {
        self.framing.is_some_and(|framing| framing.is_done())
    }
}

impl<R: Read, B: AsRef<[u8]> + AsMut<[u8]>> Response<R, B> {
    /// An answer that begins with the next byte of `source`.
    ///
    /// `buffer` is for reading the head, a few dozen bytes at least so that few
    /// reads are needed.
    pub const fn new(source: R, buffer: B) -> Self {
        Response {
            source,
            inner: Inner::new(buffer),
        }
    }

    /// The head, which is read first if it has not been.
    ///
    /// # Errors
    ///
    /// See [`ResponseError`]. After an error of the transport it may be called
    /// again.
    pub fn head(&mut self) -> Result<ResponseHead, ResponseError<R::Error>> {
        loop {
            if let Some(head) = self.inner.head()? {
                return Ok(head);
            }
            let len = self
                .source
                .read(self.inner.buffer.as_mut())
                .map_err(BodyError::Source)?;
            self.inner.received(len)?;
        }
    }

    /// The head of an answer that is an event stream.
    ///
    /// # Errors
    ///
    /// Also [`ResponseError::NotEventStream`]; the body can be read all the
    /// same, to be shown.
    pub fn event_stream(&mut self) -> Result<ResponseHead, ResponseError<R::Error>> {
        let head = self.head()?;
        head.check().map_err(ResponseError::NotEventStream)?;
        Ok(head)
    }

    /// Gives back the transport. Bytes that were read and not given are lost.
    pub fn into_source(self) -> R {
        self.source
    }
}

impl<R: ErrorType, B> ErrorType for Response<R, B> {
    type Error = ResponseError<R::Error>;
}

/// The body, without its framing.
impl<R: Read, B: AsRef<[u8]> + AsMut<[u8]>> Read for Response<R, B> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize, Self::Error> {
        self.head()?;
        while !self.inner.is_done() && !buf.is_empty() {
            let mut len = self.inner.take_left(buf);
            if len == 0 {
                len = self.source.read(buf).map_err(BodyError::Source)?;
            }
            if let Some(body) = self.inner.body(buf, len)? {
                return Ok(body);
            }
        }
        Ok(0)
    }
}

impl<R: AsyncRead, B: AsRef<[u8]> + AsMut<[u8]>> AsyncResponse<R, B> {
    /// An answer that begins with the next byte of `source`; see
    /// [`Response::new`].
    pub const fn new(source: R, buffer: B) -> Self {
        AsyncResponse {
            source,
            inner: Inner::new(buffer),
        }
    }

    /// The head, which is read first if it has not been. Cancel safe.
    ///
    /// # Errors
    ///
    /// See [`ResponseError`]. After an error of the transport it may be called
    /// again.
    pub async fn head(&mut self) -> Result<ResponseHead, ResponseError<R::Error>> {
        loop {
            if let Some(head) = self.inner.head()? {
                return Ok(head);
            }
            let buffer = self.inner.buffer.as_mut();
            let len = self.source.read(buffer).await.map_err(BodyError::Source)?;
            self.inner.received(len)?;
        }
    }

    /// The head of an answer that is an event stream. Cancel safe.
    ///
    /// # Errors
    ///
    /// Also [`ResponseError::NotEventStream`]; the body can be read all the
    /// same, to be shown.
    pub async fn event_stream(&mut self) -> Result<ResponseHead, ResponseError<R::Error>> {
        let head = self.head().await?;
        head.check().map_err(ResponseError::NotEventStream)?;
        Ok(head)
    }

    /// Gives back the transport. Bytes that were read and not given are lost.
    pub fn into_source(self) -> R {
        self.source
    }
}

impl<R: ErrorType, B> ErrorType for AsyncResponse<R, B> {
    type Error = ResponseError<R::Error>;
}

/// The body, without its framing. Cancel safe.
impl<R: AsyncRead, B: AsRef<[u8]> + AsMut<[u8]>> AsyncRead for AsyncResponse<R, B> {
    async fn read(&mut self, buf: &mut [u8]) -> Result<usize, Self::Error> {
        self.head().await?;
        while !self.inner.is_done() && !buf.is_empty() {
            let mut len = self.inner.take_left(buf);
            if len == 0 {
                len = self.source.read(buf).await.map_err(BodyError::Source)?;
            }
            if let Some(body) = self.inner.body(buf, len)? {
                return Ok(body);
            }
        }
        Ok(0)
    }
}

/// Why an answer could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ResponseError<E> {
    /// The head is wrong.
    Head(HeadError),
    /// The answer is no event stream.
    NotEventStream(NotEventStream),
    /// The transport failed, or the body's framing is wrong, or the connection
    /// ended before the answer did.
    Body(BodyError<E>),
}

impl<E> From<BodyError<E>> for ResponseError<E> {
    fn from(error: BodyError<E>) -> Self {
        ResponseError::Body(error)
    }
}

impl<E> From<ChunkedError> for ResponseError<E> {
    fn from(error: ChunkedError) -> Self {
        ResponseError::Body(BodyError::Chunked(error))
    }
}

impl<E> fmt::Display for ResponseError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResponseError::Head(error) => error.fmt(f),
            ResponseError::NotEventStream(error) => error.fmt(f),
            ResponseError::Body(error) => error.fmt(f),
        }
    }
}

/// Without a source: a transport's error need not live for ever.
impl<E: core::error::Error> core::error::Error for ResponseError<E> {}

impl<E: embedded_io::Error> embedded_io::Error for ResponseError<E> {
    fn kind(&self) -> ErrorKind {
        match self {
            ResponseError::Body(BodyError::Source(error)) => error.kind(),
            ResponseError::Body(BodyError::Cut) => ErrorKind::ConnectionAborted,
            _ => ErrorKind::InvalidData,
        }
    }
}
