//! In: an HTTP server on the other side of an emulated network. Out: the events
//! that it streams.
//!
//! The socket of smoltcp becomes an `embedded_io::Read` that runs the network
//! while it waits. Everything above it is what any transport gets: head, chunks,
//! events.

#![no_std]
#![no_main]

mod clock; // Milliseconds since the start.
mod mac; // The Ethernet controller.
mod socket; // A TCP connection as `Read` and `Write`.

use board::{Uart, entry, exit};
use demos::print_event;
use embedded_io::Write;
use smoltcp::iface::{Config, Interface, SocketSet, SocketStorage};
use smoltcp::socket::tcp;
use smoltcp::wire::{EthernetAddress, IpAddress, IpCidr, Ipv4Address};
use sseam_core::Limits;
use sseam_embedded_io::{EventReader, Outgoing, Request, Response, write};

use mac::Mac;
use socket::Socket;

/// Where the emulator forwards to the one server that can be reached.
const SERVER: (Ipv4Address, u16) = (Ipv4Address::new(10, 0, 2, 100), 8080);

const LIMITS: Limits = Limits {
    data_len_max: 1024,
    ..Limits::SMALL
};

#[entry]
fn main() -> ! {
    let mut out = Uart::new();
    match run(&mut out) {
        Ok(events) => {
            let _ = writeln!(out, "# {events} events");
            exit(true)
        }
        Err(error) => {
            let _ = writeln!(out, "# {error}");
            exit(false)
        }
    }
}

fn run(out: &mut Uart) -> Result<u64, &'static str> {
    clock::start();
    let mut mac = Mac::start();
    let address = EthernetAddress([2, 0, 0, 0, 0, 1]);
    let mut interface = Interface::new(Config::new(address.into()), &mut mac, clock::now());
    interface.update_ip_addrs(|addresses| {
        let _ = addresses.push(IpCidr::new(IpAddress::v4(10, 0, 2, 15), 24));
    });
    let (mut received, mut sent) = ([0; 4096], [0; 512]);
    let mut storage = [SocketStorage::EMPTY; 1];
    let mut sockets = SocketSet::new(&mut storage[..]);
    let buffers = (
        tcp::SocketBuffer::new(&mut received[..]),
        tcp::SocketBuffer::new(&mut sent[..]),
    );
    let handle = sockets.add(tcp::Socket::new(buffers.0, buffers.1));
    let connecting = sockets.get_mut::<tcp::Socket<'_>>(handle);
    connecting
        .connect(interface.context(), SERVER, 49152)
        .map_err(|_| "no connection")?;

    let mut socket = Socket {
        interface,
        mac,
        sockets,
        handle,
    };
    let request = Request::get("/events", "server.test")
        .encode()
        .map_err(|_| "bad request")?;
    write(&mut socket, &mut Outgoing::new(request)).map_err(|_| "the request was not sent")?;
    let mut response = Response::new(socket, [0; 64]);
    response
        .event_stream()
        .map_err(|_| "the answer is no event stream")?;
    let reader = EventReader::new(response, [0; 256], [0; LIMITS.memory_len()], LIMITS);
    let mut reader = reader.map_err(|_| "the memory is too short")?;
    while let Some(event) = reader.next_event().map_err(|_| "the stream broke off")? {
        print_event(out, &event);
    }
    Ok(reader.counters().events)
}
