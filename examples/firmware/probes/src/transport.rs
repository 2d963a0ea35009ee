//! In: nothing. Out: a transport of which the compiler knows nothing: it may
//! give any number of bytes, fail, or make its caller wait.

use core::task::Poll;

use embedded_io::{BufRead, Error, ErrorKind, ErrorType, Read, ReadReady, Write};

use crate::{black_box, hidden};

/// What the transport of some board does; it may answer anything.
#[inline(never)]
fn transport_read(buffer: &mut [u8]) -> Result<usize, Failure> {
    buffer.fill(hidden(0));
    if transport_is_ready() {
        Ok(hidden(7))
    } else {
        Err(Failure)
    }
}

#[inline(never)]
fn transport_write(bytes: &[u8]) -> Result<usize, Failure> {
    black_box(bytes);
    if transport_is_ready() {
        Ok(hidden(7))
    } else {
        Err(Failure)
    }
}

#[inline(never)]
fn transport_lend() -> Result<&'static [u8], Failure> {
    if transport_is_ready() {
        Ok(hidden(&[0; 7]))
    } else {
        Err(Failure)
    }
}

#[inline(never)]
fn transport_is_ready() -> bool {
    hidden(true)
}

/// Why it failed.
#[derive(Clone, Copy)]
pub struct Failure;

impl core::fmt::Debug for Failure {
    fn fmt(&self, _: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        Ok(())
    }
}

impl core::fmt::Display for Failure {
    fn fmt(&self, _: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        Ok(())
    }
}

impl core::error::Error for Failure {}

impl Error for Failure {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

/// The transport of some board.
#[derive(Clone, Copy)]
pub struct Transport;

impl ErrorType for Transport {
    type Error = Failure;
}

impl Read for Transport {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        transport_read(buffer)
    }
}

impl ReadReady for Transport {
    fn read_ready(&mut self) -> Result<bool, Failure> {
        Ok(transport_is_ready())
    }
}

impl BufRead for Transport {
    fn fill_buf(&mut self) -> Result<&[u8], Failure> {
        transport_lend()
    }

    fn consume(&mut self, len: usize) {
        black_box(len);
    }
}

impl Write for Transport {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Failure> {
        transport_write(bytes)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        transport_write(&[]).map(|_| ())
    }
}

impl embedded_io_async::Read for Transport {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        wait().await;
        transport_read(buffer)
    }
}

impl embedded_io_async::BufRead for Transport {
    async fn fill_buf(&mut self) -> Result<&[u8], Failure> {
        wait().await;
        transport_lend()
    }

    fn consume(&mut self, len: usize) {
        black_box(len);
    }
}

impl embedded_io_async::Write for Transport {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Failure> {
        wait().await;
        transport_write(bytes)
    }

    async fn flush(&mut self) -> Result<(), Failure> {
        wait().await;
        Ok(())
    }
}

async fn wait() {
    core::future::poll_fn(|_| match transport_is_ready() {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}
