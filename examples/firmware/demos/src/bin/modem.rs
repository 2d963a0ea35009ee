//! In: a modem on a UART that gives what it received in `+IPD` frames. Out: the
//! events of a streamed answer.
//!
//! The modem does TLS and TCP. The firmware asks it for a connection, sends a
//! request through it, and reads head, chunks and events from the frames: in 32
//! KB of RAM there is room for all of it and for the rest of an application.

#![no_std]
#![no_main]

use core::fmt;

use board::{Uart, entry, exit};
use demos::print_event;
use embedded_io::{ErrorKind, ErrorType, Read, Write};
use sseam_core::Limits;
use sseam_embedded_io::{EventReader, Outgoing, Request, Response, write};

const LIMITS: Limits = Limits {
    data_len_max: 1024,
    ..Limits::SMALL
};

const HEAD_BUFFER_LEN: usize = 64;
const BUFFER_LEN: usize = 128;

const JSON: &[u8] = b"{\"model\":\"small\",\"stream\":true}";

#[entry]
fn main() -> ! {
    let mut out = Uart::new();
    let painted = board::paint(6144);
    let outcome = run(&mut out);
    let stack = board::painted_over(&painted);
    match outcome {
        Ok(events) => {
            let _ = writeln!(
                out,
                "# {events} events, {stack} bytes of stack, {} of them event memory, {} buffers",
                LIMITS.memory_len(),
                HEAD_BUFFER_LEN + BUFFER_LEN
            );
            exit(true)
        }
        Err(error) => {
            let _ = writeln!(out, "# {error}");
            exit(false)
        }
    }
}

/// What can go wrong, as text for the log.
type Failure = &'static str;

#[inline(never)]
fn run(out: &mut Uart) -> Result<u64, Failure> {
    let mut modem = Modem::new(Uart::new());
    modem.command(b"AT+CIPSTART=\"SSL\",\"api.example\",443\r\n", b"OK\r\n")?;
    let request = Request {
        authorization: Some("Bearer 123"),
        ..Request::post("/v1/chat", "api.example", JSON)
    };
    let request = request.encode().map_err(|_| "the request is refused")?;
    let _ = write!(modem.uart, "AT+CIPSEND={}\r\n", request.byte_len());
    modem.wait_for(b"> ")?;
    write(&mut modem.uart, &mut Outgoing::new(request)).map_err(|_| "the modem takes nothing")?;
    modem.wait_for(b"SEND OK\r\n")?;

    let mut response = Response::new(modem, [0; HEAD_BUFFER_LEN]);
    response
        .event_stream()
        .map_err(|_| "the answer is no event stream")?;
    // Lent, not given: what is given is copied each time its owner is moved.
    let (mut buffer, mut memory) = ([0; BUFFER_LEN], [0; LIMITS.memory_len()]);
    let reader = EventReader::new(response, &mut buffer[..], &mut memory[..], LIMITS);
    let mut reader = reader.map_err(|_| "the memory is too short")?;
    while let Some(event) = reader.next_event().map_err(|_| "the stream broke off")? {
        print_event(out, &event);
    }
    Ok(reader.counters().events)
}

/// A modem that answers commands and gives received bytes in frames:
/// `\r\n+IPD,<length>:<bytes>`, and `\r\nCLOSED\r\n` at the end.
struct Modem {
    uart: Uart,
    /// Bytes of the frame that are still to come.
    left: usize,
    is_closed: bool,
}

#[derive(Debug)]
struct BadFrame;

impl fmt::Display for BadFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the modem sent something else than a frame")
    }
}

impl core::error::Error for BadFrame {}

impl embedded_io::Error for BadFrame {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidData
    }
}

impl Modem {
    fn new(uart: Uart) -> Modem {
        Modem {
            uart,
            left: 0,
            is_closed: false,
        }
    }

    fn command(&mut self, command: &[u8], answer: &[u8]) -> Result<(), Failure> {
        self.uart
            .write(command)
            .map_err(|_| "the modem takes no command")?;
        self.wait_for(answer)
    }

    /// Reads up to the end of `answer`. None of the answers here has a prefix
    /// that comes again inside of it, so that starting over loses nothing.
    fn wait_for(&mut self, answer: &[u8]) -> Result<(), Failure> {
        let mut matched = 0;
        for _ in 0..1000 {
            let byte = self.byte();
            matched = match answer.get(matched) {
                Some(&expected) if expected == byte => matched + 1,
                _ => usize::from(answer.first() == Some(&byte)),
            };
            if matched == answer.len() {
                return Ok(());
            }
        }
        Err("the modem does not answer")
    }

    fn byte(&mut self) -> u8 {
        let mut byte = [0];
        let _ = self.uart.read(&mut byte);
        byte[0]
    }

    /// Reads what stands before the bytes of a frame.
    fn next_frame(&mut self) -> Result<(), BadFrame> {
        let mut first = self.byte();
        while matches!(first, b'\r' | b'\n') {
            first = self.byte();
        }
        if first == b'C' {
            self.is_closed = true;
            return Ok(());
        }
        for expected in b"IPD," {
            if self.byte() != *expected {
                return Err(BadFrame);
            }
        }
        loop {
            match self.byte() {
                digit @ b'0'..=b'9' => {
                    let more = self.left.checked_mul(10).ok_or(BadFrame)?;
                    self.left = more + usize::from(digit - b'0');
                }
                b':' => return Ok(()),
                _ => return Err(BadFrame),
            }
        }
    }
}

impl ErrorType for Modem {
    type Error = BadFrame;
}

impl Read for Modem {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, BadFrame> {
        while self.left == 0 && !self.is_closed {
            self.next_frame()?;
        }
        let len = buffer.len().min(self.left);
        let room = buffer.get_mut(..len).unwrap_or_default();
        let len = self.uart.read(room).unwrap_or(0);
        self.left -= len;
        Ok(len)
    }
}
