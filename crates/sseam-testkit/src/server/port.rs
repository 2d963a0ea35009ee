//! A loopback port that refuses, listens, or never answers.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, Type};

/// A port that is ours and where nobody listens: connections are refused.
pub(crate) struct ClosedPort {
    socket: Socket,
    address: SocketAddr,
}

impl ClosedPort {
    /// At `port`, or any for 0.
    pub(crate) fn bind(port: u16) -> io::Result<ClosedPort> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP))?;
        // Connections of the listener before may still be open.
        socket.set_reuse_address(true)?;
        socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)).into())?;
        let address = socket.local_addr()?.as_socket();
        let address = address.ok_or(io::ErrorKind::AddrNotAvailable)?;
        Ok(ClosedPort { socket, address })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn listen(self) -> io::Result<TcpListener> {
        self.socket.listen(128)?;
        Ok(self.socket.into())
    }
}

/// A port where a connection is neither accepted nor refused: its queue is
/// full, so that a client waits for the connection.
pub struct SilentPort {
    address: SocketAddr,
    /// Keep the queue full as long as they are.
    _queue: (Socket, Vec<TcpStream>),
}

impl SilentPort {
    /// Opens one.
    ///
    /// # Errors
    ///
    /// Those of the sockets, or [`io::ErrorKind::Unsupported`] where the system
    /// accepts connections however many wait.
    pub fn open() -> io::Result<SilentPort> {
        let ClosedPort { socket, address } = ClosedPort::bind(0)?;
        socket.listen(0)?;
        let mut waiting = Vec::new();
        while let Ok(stream) = TcpStream::connect_timeout(&address, FULL_AFTER) {
            waiting.push(stream);
            if waiting.len() > QUEUE_LEN_MAX {
                return Err(io::ErrorKind::Unsupported.into());
            }
        }
        Ok(SilentPort {
            address,
            _queue: (socket, waiting),
        })
    }

    /// Where it is.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

/// A connection over loopback that takes so long is waiting in vain.
const FULL_AFTER: Duration = Duration::from_millis(200);

/// Linux holds one connection, other systems a few.
const QUEUE_LEN_MAX: usize = 64;
