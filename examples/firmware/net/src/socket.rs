//! In: a TCP socket of smoltcp and the network below it. Out: `embedded_io`'s
//! `Read` and `Write`, which run the network while they wait.

use embedded_io::{ErrorKind, ErrorType, Read, Write};
use smoltcp::iface::{Interface, SocketHandle, SocketSet};
use smoltcp::socket::tcp;

use crate::clock;
use crate::mac::Mac;

pub(crate) struct Socket<'a> {
    pub(crate) interface: Interface,
    pub(crate) mac: Mac,
    pub(crate) sockets: SocketSet<'a>,
    pub(crate) handle: SocketHandle,
}

impl<'a> Socket<'a> {
    fn poll(&mut self) -> &mut tcp::Socket<'a> {
        self.interface
            .poll(clock::now(), &mut self.mac, &mut self.sockets);
        self.sockets.get_mut(self.handle)
    }
}

impl ErrorType for Socket<'_> {
    type Error = ErrorKind;
}

impl Read for Socket<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        loop {
            let socket = self.poll();
            if socket.can_recv() {
                return socket
                    .recv_slice(buffer)
                    .map_err(|_| ErrorKind::ConnectionReset);
            }
            if !socket.may_recv() {
                return Ok(0);
            }
        }
    }
}

impl Write for Socket<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        loop {
            let socket = self.poll();
            if socket.can_send() {
                return socket
                    .send_slice(bytes)
                    .map_err(|_| ErrorKind::ConnectionReset);
            }
            if !socket.is_active() {
                return Err(ErrorKind::ConnectionRefused);
            }
        }
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        self.poll();
        Ok(())
    }
}
