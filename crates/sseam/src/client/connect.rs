//! A name to a connection: every wait on the way ends within 25 ms of a cancel.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use socket2::{Domain, Protocol, Type};
use ureq::Error;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{ConnectionDetails, Connector, Either, NextTimeout, Transport};

use super::control::{Control, Phase, Stop};
use super::transport::{Socket, stopped};

/// The longest a wait goes without asking whether it was cancelled.
const SLICE: Duration = Duration::from_millis(10);

/// The first look at a connection that is being made; each later one waits twice
/// as long as the one before, up to [`SLICE`].
const FIRST_SLICE: Duration = Duration::from_micros(100);

/// How many addresses of a name are tried; ureq has room for no more.
const ADDRESSES_MAX: usize = 16;

/// Names to addresses.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) control: Arc<Control>,
}

impl Resolver for Names {
    fn resolve(&self, uri: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        self.control.enter(Phase::Resolving);
        let host = uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let default_port = if uri.scheme_str() == Some("https") {
            443
        } else {
            80
        };
        let port = uri.port_u16().unwrap_or(default_port);
        let mut resolved = self.empty();
        let addresses = match host.parse::<IpAddr>() {
            Ok(address) => vec![SocketAddr::new(address, port)],
            Err(_) => look_up(&self.control, host.to_owned(), port)?,
        };
        for address in addresses.into_iter().take(ADDRESSES_MAX) {
            resolved.push(address);
        }
        if resolved.is_empty() {
            return Err(Error::HostNotFound);
        }
        Ok(resolved)
    }
}

/// Asks the system, on a thread of its own: that call cannot be cut short, and
/// must not hold up a cancel. The thread ends when the system has answered.
fn look_up(control: &Control, host: String, port: u16) -> Result<Vec<SocketAddr>, Error> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let ask = move || {
        let addresses = (host.as_str(), port).to_socket_addrs();
        // Nobody waits for it any more where this fails.
        let _ = sender.send(addresses.map(Iterator::collect));
    };
    thread::Builder::new()
        .name("sseam-resolve".to_owned())
        .spawn(ask)?;
    loop {
        let left = control.remaining().map_err(stopped)?;
        match receiver.recv_timeout(left.map_or(SLICE, |left| left.min(SLICE))) {
            Ok(addresses) => return addresses.map_err(|_| Error::HostNotFound),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(Error::HostNotFound),
        }
    }
}

/// Addresses to a connection: the first that answers.
pub(crate) struct Dial {
    pub(crate) control: Arc<Control>,
}

impl<In: Transport> Connector<In> for Dial {
    type Out = Either<In, Socket>;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, Error> {
        if let Some(transport) = chained {
            // A proxy has connected us to the host.
            self.control.tunneled();
            self.control.enter(Phase::Securing);
            return Ok(Some(Either::A(transport)));
        }
        self.control.enter(Phase::Dialing);
        let stream = Arc::new(dial(&self.control, &details.addrs)?);
        self.control.register(&stream).map_err(stopped)?;
        self.control.enter(Phase::Securing);
        Ok(Some(Either::B(Socket::new(
            stream,
            Arc::clone(&self.control),
        ))))
    }
}

impl fmt::Debug for Dial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dial")
    }
}

/// Tries one address after the other. Each gets an equal share of the time that
/// is left, so that one which is dead does not take it all.
fn dial(control: &Control, addresses: &[SocketAddr]) -> Result<TcpStream, Error> {
    let mut last = Error::HostNotFound;
    for (index, address) in addresses.iter().enumerate() {
        let share = |left: Duration| {
            let count = u32::try_from(addresses.len() - index).unwrap_or(u32::MAX);
            left.checked_div(count).unwrap_or(left)
        };
        let share = control.remaining().map_err(stopped)?.map(share);
        match dial_one(control, *address, share) {
            Ok(stream) => return Ok(stream),
            Err(Failure::Stop(stop)) => return Err(stopped(stop)),
            Err(Failure::Io(error)) => last = Error::Io(error),
        }
    }
    Err(last)
}

/// Why an address was not connected to.
enum Failure {
    Stop(Stop),
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

fn dial_one(
    control: &Control,
    address: SocketAddr,
    mut left: Option<Duration>,
) -> Result<TcpStream, Failure> {
    let socket = socket2::Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    socket.set_nonblocking(true)?;
    match socket.connect(&address.into()) {
        Err(error) if !is_in_progress(&error) => return Err(error.into()),
        _ => {}
    }
    let mut slice = FIRST_SLICE;
    loop {
        if let Some(error) = socket.take_error()? {
            return Err(error.into());
        }
        // A socket has a peer once it is connected, and not before: on every
        // system, without a call that only some of them have.
        if socket.peer_addr().is_ok() {
            break;
        }
        if left.is_some_and(|left| left.is_zero()) {
            return Err(io::Error::from(io::ErrorKind::TimedOut).into());
        }
        slice = left.map_or(slice, |left| left.min(slice));
        control.pause(slice).map_err(Failure::Stop)?;
        left = left.map(|left| left.saturating_sub(slice));
        slice = slice.saturating_mul(2).min(SLICE);
    }
    socket.set_nonblocking(false)?;
    // Requests are small and are answered: nothing is gained by waiting.
    let _ = socket.set_tcp_nodelay(true);
    Ok(socket.into())
}

/// Whether a connection is on its way.
fn is_in_progress(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::EINPROGRESS) {
        return true;
    }
    error.kind() == io::ErrorKind::WouldBlock
}

#[cfg(test)]
mod tests;
