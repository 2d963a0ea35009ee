//! A TCP connection as ureq drives it: bytes of HTTP or TLS in and out, under
//! the deadlines of [`Control`].
//!
//! ureq's own timeouts are all off. They cannot know what is progress, and a
//! deadline that moves while a read waits is ours to move. [`Watched`] stands
//! outermost, behind TLS, and notes how a connection ended: on a body that only
//! the end of the connection delimits, ureq takes a reset for that end.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use ureq::Error;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, Transport,
};

use super::control::{Control, Phase, Stop};

/// Bytes of each buffer of a connection; a response's head has to fit in it.
pub(crate) const BUFFER_LEN: usize = 64 * 1024;

/// A socket.
pub(crate) struct Socket {
    stream: Arc<TcpStream>,
    buffers: LazyBuffers,
    control: Arc<Control>,
}

impl Socket {
    pub(crate) fn new(stream: Arc<TcpStream>, control: Arc<Control>) -> Self {
        let buffers = LazyBuffers::new(BUFFER_LEN, BUFFER_LEN);
        Socket {
            stream,
            buffers,
            control,
        }
    }

    /// Does `act` on the socket until it succeeds, fails, or must stop. The
    /// socket's own timeout only bounds one try: some systems wake too early.
    fn wait<T>(
        &mut self,
        set_timeout: fn(&TcpStream, Option<Duration>) -> io::Result<()>,
        mut act: impl FnMut(&mut &TcpStream, &mut LazyBuffers) -> io::Result<T>,
    ) -> Result<T, Error> {
        loop {
            let left = self.control.remaining().map_err(stopped)?;
            set_timeout(&self.stream, left)?;
            let outcome = act(&mut &*self.stream, &mut self.buffers);
            match outcome {
                Err(error) if is_to_be_repeated(&error) => {}
                outcome => return outcome.map_err(Error::Io),
            }
        }
    }
}

impl Transport for Socket {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, _: NextTimeout) -> Result<(), Error> {
        let mut sent = 0;
        while sent < amount {
            let len = self.wait(TcpStream::set_write_timeout, |stream, buffers| {
                let output = buffers.output().get(sent..amount).unwrap_or_default();
                stream.write(output)
            })?;
            if len == 0 {
                return Err(io::Error::from(io::ErrorKind::WriteZero).into());
            }
            sent += len;
        }
        Ok(())
    }

    fn await_input(&mut self, _: NextTimeout) -> Result<bool, Error> {
        if self.control.is_read_no_more() {
            return Err(stopped(Stop::Cancelled));
        }
        let len = self.wait(TcpStream::set_read_timeout, |stream, buffers| {
            stream.read(buffers.input_append_buf())
        })?;
        self.buffers.input_appended(len);
        if len > 0 {
            self.control.note_bytes();
        }
        Ok(len > 0)
    }

    /// A connection serves one request: whoever streams, streams to the end.
    fn is_open(&mut self) -> bool {
        false
    }
}

impl fmt::Debug for Socket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Socket").finish_non_exhaustive()
    }
}

/// The error by which a stop passes through ureq.
pub(crate) fn stopped(stop: Stop) -> Error {
    let kind = match stop {
        // Any kind that ureq does not take for the end of a body.
        Stop::Cancelled => io::ErrorKind::Other,
        Stop::TimedOut => io::ErrorKind::TimedOut,
    };
    Error::Io(io::Error::from(kind))
}

/// What the system says when a socket's own timeout passed, or a signal came.
/// Only on Windows is that "timed out"; elsewhere so ends a connection whose
/// other end answers no more, and that is told once: a further read finds what
/// looks like a clean end.
fn is_to_be_repeated(error: &io::Error) -> bool {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => true,
        io::ErrorKind::TimedOut => cfg!(windows),
        _ => false,
    }
}

/// The outermost connector: the connection is ready for requests.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) control: Arc<Control>,
}

impl<In: Transport> Connector<In> for Watch {
    type Out = Watched<In>;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, Error> {
        // The connection to a proxy is made in the same way, and without one.
        if self.control.has_proxy() && details.config.proxy().is_none() {
            self.control.enter(Phase::Tunneling);
        } else {
            self.control.opened();
        }
        let watched = |transport| Watched {
            transport,
            control: Arc::clone(&self.control),
        };
        Ok(chained.map(watched))
    }
}

/// A transport whose end is noted, and which does nothing after a stop. No wait
/// passes it by, be it for TLS.
#[derive(Debug)]
pub(crate) struct Watched<T> {
    transport: T,
    control: Arc<Control>,
}

impl<T: Transport> Transport for Watched<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.transport.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        // A request that lacks the body it announces comes here for ever, with
        // nothing to send, and so never to a wait.
        self.control.remaining().map_err(stopped)?;
        self.transport.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        // A read into no room gives no byte, and that is not the end.
        if self.transport.buffers().input_append_buf().is_empty() {
            return Err(Error::LargeResponseHeader(BUFFER_LEN + 1, BUFFER_LEN));
        }
        let outcome = self.transport.await_input(timeout);
        match &outcome {
            Ok(true) => {}
            Ok(false) => self.control.note_end(None),
            Err(_) if self.control.remaining().is_err() => {}
            Err(_) if self.control.is_read_no_more() => {}
            Err(Error::Io(error)) => self.control.note_end(Some(error.kind())),
            Err(_) => self.control.note_end(Some(io::ErrorKind::InvalidData)),
        }
        outcome
    }

    fn is_open(&mut self) -> bool {
        self.transport.is_open()
    }

    fn is_tls(&self) -> bool {
        self.transport.is_tls()
    }
}

#[cfg(test)]
mod tests;
