//! Pieces to a transport: events, comments and requests come in, `write` is
//! called until all of it is out.
//!
//! The traits' own `write_all` panics where a transport takes no byte; here
//! that is an error.

use core::fmt;

use embedded_io::Write;
use embedded_io_async::Write as AsyncWrite;
use sseam_core::{EncodeError, Encoder};

use crate::pieces::{Outgoing, Pieces};

/// Sends what is left of `outgoing`.
///
/// # Errors
///
/// After an error the same `outgoing` may be tried again: it goes on with the
/// first byte that the transport did not take.
pub fn write<W: Write, P: Pieces>(
    to: &mut W,
    outgoing: &mut Outgoing<P>,
) -> Result<(), WriteError<W::Error>> {
    loop {
        let mut rest = outgoing.ahead();
        let Some(piece) = rest.next_piece() else {
            return Ok(());
        };
        let (piece_len, unsent) = (
            piece.len(),
            piece.get(outgoing.sent()..).unwrap_or_default(),
        );
        let len = match unsent {
            [] => 0,
            unsent => taken(to.write(unsent).map_err(WriteError::Sink)?)?,
        };
        outgoing.advance(len, piece_len, rest);
    }
}

/// Sends what is left of `outgoing`, in a task.
///
/// Cancel safe as far as the transport's `write` is: `outgoing` knows what was
/// sent, so a dropped future is gone on with by handing it the same value.
///
/// # Errors
///
/// After an error the same `outgoing` may be tried again.
pub async fn write_async<W: AsyncWrite, P: Pieces>(
    to: &mut W,
    outgoing: &mut Outgoing<P>,
) -> Result<(), WriteError<W::Error>> {
    loop {
        let mut rest = outgoing.ahead();
        let Some(piece) = rest.next_piece() else {
            return Ok(());
        };
        let (piece_len, unsent) = (
            piece.len(),
            piece.get(outgoing.sent()..).unwrap_or_default(),
        );
        let len = match unsent {
            [] => 0,
            unsent => taken(to.write(unsent).await.map_err(WriteError::Sink)?)?,
        };
        outgoing.advance(len, piece_len, rest);
    }
}

/// A transport that takes nothing would be asked for ever.
fn taken<E>(len: usize) -> Result<usize, WriteError<E>> {
    if len == 0 {
        return Err(WriteError::TookNothing);
    }
    Ok(len)
}

/// Sends events over a blocking transport, for firmware that serves a stream.
///
/// ```
/// use sseam_embedded_io::EventWriter;
///
/// let mut wire = [0; 64];
/// let mut writer = EventWriter::new(&mut wire[..]);
/// writer.event(b"reading", b"21.5", Some(b"7"))?;
/// writer.comment(b"")?;
/// assert!(wire.starts_with(b"event: reading\nid: 7\ndata: 21.5\n\n: \n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EventWriter<W> {
    sink: W,
}

impl<W: Write> EventWriter<W> {
    /// A writer to `sink`.
    pub const fn new(sink: W) -> Self {
        EventWriter { sink }
    }

    /// Sends an event; see [`Encoder::event`] for what its parts mean.
    ///
    /// # Errors
    ///
    /// A type or id with CR, LF or NUL sends nothing. After an error of the
    /// transport a part of the block may have been sent.
    pub fn event(
        &mut self,
        event_type: &[u8],
        data: &[u8],
        id: Option<&[u8]>,
    ) -> Result<(), WriteError<W::Error>> {
        let block = Encoder::event(event_type, data, id).map_err(WriteError::Encode)?;
        write(&mut self.sink, &mut Outgoing::new(block))
    }

    /// Sends a comment, which keeps a connection alive and is no event.
    ///
    /// # Errors
    ///
    /// Those of the transport.
    pub fn comment(&mut self, text: &[u8]) -> Result<(), WriteError<W::Error>> {
        write(&mut self.sink, &mut Outgoing::new(Encoder::comment(text)))
    }

    /// Tells the client how long to wait before it connects anew.
    ///
    /// # Errors
    ///
    /// Those of the transport.
    pub fn retry(&mut self, milliseconds: u64) -> Result<(), WriteError<W::Error>> {
        write(
            &mut self.sink,
            &mut Outgoing::new(Encoder::retry(milliseconds)),
        )
    }

    /// Waits until everything is out.
    ///
    /// # Errors
    ///
    /// Those of the transport.
    pub fn flush(&mut self) -> Result<(), WriteError<W::Error>> {
        self.sink.flush().map_err(WriteError::Sink)
    }

    /// Gives back the transport.
    pub fn into_sink(self) -> W {
        self.sink
    }
}

/// Sends events over the transport of a task.
///
/// # Cancel safety
///
/// A future that is dropped in the middle of a block leaves a part of it on the
/// wire. Where that can happen, encode the block yourself and use
/// [`write_async`], whose place is kept outside of the future.
#[derive(Debug)]
pub struct AsyncEventWriter<W> {
    sink: W,
}

impl<W: AsyncWrite> AsyncEventWriter<W> {
    /// A writer to `sink`.
    pub const fn new(sink: W) -> Self {
        AsyncEventWriter { sink }
    }

    /// Sends an event; see [`Encoder::event`] for what its parts mean.
    ///
    /// # Errors
    ///
    /// A type or id with CR, LF or NUL sends nothing. After an error of the
    /// transport a part of the block may have been sent.
    pub async fn event(
        &mut self,
        event_type: &[u8],
        data: &[u8],
        id: Option<&[u8]>,
    ) -> Result<(), WriteError<W::Error>> {
        let block = Encoder::event(event_type, data, id).map_err(WriteError::Encode)?;
        write_async(&mut self.sink, &mut Outgoing::new(block)).await
    }

    /// Sends a comment, which keeps a connection alive and is no event.
    ///
    /// # Errors
    ///
    /// Those of the transport.
    pub async fn comment(&mut self, text: &[u8]) -> Result<(), WriteError<W::Error>> {
        write_async(&mut self.sink, &mut Outgoing::new(Encoder::comment(text))).await
    }

    /// Tells the client how long to wait before it connects anew.
    ///
    /// # Errors
    ///
    /// Those of the transport.
    pub async fn retry(&mut self, milliseconds: u64) -> Result<(), WriteError<W::Error>> {
        write_async(
            &mut self.sink,
            &mut Outgoing::new(Encoder::retry(milliseconds)),
        )
        .await
    }

    /// Waits until everything is out.
    ///
    /// # Errors
    ///
    /// Those of the transport.
    pub async fn flush(&mut self) -> Result<(), WriteError<W::Error>> {
        self.sink.flush().await.map_err(WriteError::Sink)
    }

    /// Gives back the transport.
    pub fn into_sink(self) -> W {
        self.sink
    }
}

/// Why something was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum WriteError<E> {
    /// The transport failed.
    Sink(E),
    /// The transport took none of the bytes, without saying why.
    TookNothing,
    /// The type or the id of the event cannot be sent. Nothing was.
    Encode(EncodeError),
}

impl<E> fmt::Display for WriteError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Sink(_) => f.write_str("the transport failed"),
            WriteError::TookNothing => f.write_str("the transport took none of the bytes"),
            WriteError::Encode(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for WriteError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            WriteError::Sink(error) => Some(error),
            WriteError::TookNothing | WriteError::Encode(_) => None,
        }
    }
}
