//! Reads an event stream from a socket: an address and a path come in, a line
//! for each event goes out, and the exit code says whether the stream was whole.
//!
//! ```text
//! cargo run -p sseam-examples --bin tcp -- 127.0.0.1:8080 /events
//! ```
//!
//! It speaks just enough HTTP/1.0 for a server on this machine; use an HTTP
//! client for everything else, and give its body to `EventReader` instead.

#![forbid(unsafe_code)]

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::ExitCode;
use std::time::Duration;

use sseam::{EventReader, ReadError};

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(address), Some(path)) = (args.next(), args.next()) else {
        eprintln!("usage: tcp ADDRESS PATH");
        return ExitCode::from(2);
    };
    match follow(&address, &path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tcp: {error}");
            let is_truncated = matches!(
                error.downcast_ref(),
                Some(ReadError::<io::Error>::Truncated(_))
            );
            ExitCode::from(if is_truncated { 20 } else { 40 })
        }
    }
}

fn follow(address: &str, path: &str) -> Result<(), Box<dyn Error>> {
    let mut reader = EventReader::new(open(address, path)?);
    while let Some(event) = reader.next_event()? {
        println!("{}: {}", event.event_type(), event.data());
    }
    Ok(())
}

/// Sends the request and takes the head of the response off the connection.
fn open(address: &str, path: &str) -> Result<impl Read, Box<dyn Error>> {
    let mut stream = TcpStream::connect(address)?;
    // Without it, a server that went away silently would be waited for for ever.
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    write!(
        stream,
        "GET {path} HTTP/1.0\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n"
    )?;

    let mut body = BufReader::new(stream);
    let mut line = String::new();
    body.by_ref().take(1024).read_line(&mut line)?;
    if line.split_whitespace().nth(1) != Some("200") {
        return Err(format!("the server answered {:?}", line.trim_end()).into());
    }
    while !line.trim_end().is_empty() {
        line.clear();
        body.by_ref().take(8192).read_line(&mut line)?;
    }
    Ok(body)
}
