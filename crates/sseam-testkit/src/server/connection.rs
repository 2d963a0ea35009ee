//! One accepted connection and one answer to what becomes of them.
//!
//! Two threads: one plays the script, and one reads what else comes, so that the
//! moment is known at which the client closes. Over TLS it reads below TLS: once
//! a request is whole, nothing that a client sends still matters.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use socket2::SockRef;

use super::record::Closed;
use super::request;
use super::script::{Answer, End, Framing, Step};
use super::shared::Shared;
use super::tls::{Tls, Wire};

/// Plays `answer` on `stream`, which is the connection `index`.
pub(crate) fn serve(
    shared: &Arc<Shared>,
    tls: &Tls,
    stream: TcpStream,
    index: usize,
    answer: &Answer,
) {
    let result = play(shared, tls, stream, index, answer);
    if let Err(error) = result
        && error.kind() == io::ErrorKind::InvalidData
    {
        shared.complain(format!("connection {index}: {error}"));
    }
}

/// Broken pipes and resets are what the client did, and end the script.
fn play(
    shared: &Arc<Shared>,
    tls: &Tls,
    stream: TcpStream,
    index: usize,
    answer: &Answer,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let tcp = stream.try_clone()?;
    let mut wire = tls.accept(stream)?;
    if !answer.silent {
        let Some(request) = request::read(&mut wire)? else {
            shared.update(index, |connection| connection.closed = Some(closed(false)));
            return Ok(());
        };
        for mismatch in request.mismatches(&answer.expect_request) {
            shared.complain(format!("request {index}: {mismatch}"));
        }
        shared.update(index, |connection| connection.request = Some(request));
    }
    let watcher = watch(shared, &tcp, index)?;
    let result = respond(shared, &mut wire, &tcp, index, answer);
    // From here on an end is our own.
    shared.update(index, |connection| connection.ended = Some(Instant::now()));
    // A FIN before an RST would be an end; to read no more wakes the watcher.
    let is_reset = matches!(result, Ok(How::Reset));
    let _ = tcp.shutdown(if is_reset {
        Shutdown::Read
    } else {
        Shutdown::Both
    });
    let _ = watcher.join();
    result.map(|_| ())
}

/// How the server leaves a connection.
enum How {
    Closed,
    Reset,
}

/// Reads until the client closes.
fn watch(
    shared: &Arc<Shared>,
    tcp: &TcpStream,
    index: usize,
) -> io::Result<thread::JoinHandle<()>> {
    let (shared, mut tcp) = (Arc::clone(shared), tcp.try_clone()?);
    Ok(thread::spawn(move || {
        let mut buffer = [0; 1024];
        let end = loop {
            match tcp.read(&mut buffer) {
                Ok(0) => break closed(false),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break closed(true),
            }
        };
        shared.update(index, |connection| {
            // Our own shutdown looks like the client's.
            if connection.ended.is_none() && connection.closed.is_none() {
                connection.closed = Some(end);
            }
        });
    }))
}

fn closed(is_reset: bool) -> Closed {
    Closed {
        at: Instant::now(),
        is_reset,
    }
}

fn respond(
    shared: &Shared,
    wire: &mut Wire,
    tcp: &TcpStream,
    index: usize,
    answer: &Answer,
) -> io::Result<How> {
    if answer.reset {
        return reset(tcp);
    }
    if answer.silent || answer.accept_only {
        let longest = if answer.silent { FOREVER } else { answer.wait };
        shared.wait_for_close(index, longest);
        return Ok(How::Closed);
    }
    if !shared.sleep(index, answer.wait) {
        return Ok(How::Closed);
    }
    wire.write_all(&head(answer))?;
    shared.update(index, |connection| {
        connection.head_sent = Some(Instant::now())
    });
    for step in &answer.body {
        match step {
            Step::Send(bytes) => {
                wire.write_all(&framed(bytes, framing(answer)))?;
                shared.update(index, |connection| connection.sent.push(Instant::now()));
            }
            Step::Wait(duration) => {
                if !shared.sleep(index, *duration) {
                    return Ok(How::Closed);
                }
            }
            Step::End(how) => return end(shared, wire, tcp, index, framing(answer), *how),
        }
    }
    end(shared, wire, tcp, index, framing(answer), End::Clean)
}

fn head(answer: &Answer) -> Vec<u8> {
    if let Some(raw) = &answer.raw_head {
        return raw.clone().into_bytes();
    }
    let mut head = format!("HTTP/1.1 {} Scripted\r\n", answer.status);
    for (name, value) in &answer.headers {
        head += &format!("{name}: {value}\r\n");
    }
    if framing(answer) == Framing::Chunked {
        head += "transfer-encoding: chunked\r\n";
    }
    head += "connection: close\r\n\r\n";
    head.into_bytes()
}

/// The framing of its body, if a response of that status has one.
fn framing(answer: &Answer) -> Framing {
    match answer.status {
        100..200 | 204 | 304 => Framing::None,
        _ => answer.framing,
    }
}

fn framed(bytes: &[u8], framing: Framing) -> Vec<u8> {
    match framing {
        Framing::Chunked => [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat(),
        Framing::Close | Framing::None => bytes.to_vec(),
    }
}

fn end(
    shared: &Shared,
    wire: &mut Wire,
    tcp: &TcpStream,
    index: usize,
    framing: Framing,
    how: End,
) -> io::Result<How> {
    match how {
        End::Clean if framing == Framing::Chunked => wire.write_all(b"0\r\n\r\n")?,
        End::NoFinalCrlf => wire.write_all(b"0\r\n")?,
        End::BadChunk => wire.write_all(b"zz\r\n")?,
        End::CutChunk => wire.write_all(b"40\r\ndata: cut")?,
        End::Clean | End::TruncateChunked | End::Cut => {}
        End::Rst => return reset(tcp),
        End::Hold => {
            shared.wait_for_close(index, FOREVER);
            return Ok(How::Closed);
        }
        End::Blackhole => {
            shared.wait_for_stop();
            return Ok(How::Closed);
        }
    }
    if how != End::Cut {
        wire.close_notify()?;
    }
    tcp.shutdown(Shutdown::Write)?;
    // A socket that is closed with bytes unread sends RST, and the client would
    // lose what it has not read yet: its own FIN is waited for.
    shared.wait_for_close(index, LINGER);
    Ok(How::Closed)
}

/// The RST comes when the last handle is closed.
fn reset(tcp: &TcpStream) -> io::Result<How> {
    SockRef::from(tcp).set_linger(Some(Duration::ZERO))?;
    Ok(How::Reset)
}

/// Longer than any test.
const FOREVER: Duration = Duration::from_secs(3600);

/// So long a client may take to close after the end.
const LINGER: Duration = Duration::from_secs(5);
