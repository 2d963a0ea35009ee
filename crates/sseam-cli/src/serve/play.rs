//! A plan and a connection to a response, and how it ended.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use socket2::SockRef;
use sseam::{Encoder, WriteBlock};

use super::head::Request;
use super::plan::{FaultKind, Plan};

/// How a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Whole,
    Cut,
    Dropped,
    /// The client closed the connection.
    Left,
    /// Nothing follows the client's last event id.
    NothingLeft,
}

/// What became of one request.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) status: u16,
    /// Bytes of the body without heartbeats.
    pub(crate) sent: usize,
    /// Where it began, if the client resumed.
    pub(crate) resumed_at: Option<usize>,
    pub(crate) ending: Ending,
}

/// A response in the making.
struct Player<'p> {
    stream: &'p mut TcpStream,
    plan: &'p Plan,
    is_chunked: bool,
    /// Index of the body: what was sent ends there.
    offset: usize,
    /// When something was sent last.
    last: Instant,
}

/// Answers a request.
///
/// # Errors
///
/// Those of the connection, but not that the client has left.
pub(crate) fn play(stream: &mut TcpStream, plan: &Plan, request: &Request) -> io::Result<Played> {
    let id = request.header("last-event-id").unwrap_or_default();
    let resumed_at = plan.resume(id);
    let mut played = Played {
        status: plan.status,
        sent: 0,
        resumed_at,
        ending: Ending::NothingLeft,
    };
    let start = resumed_at.unwrap_or(0);
    if resumed_at.is_some() && start == plan.body.len() && plan.fault.is_none() {
        played.status = 204;
        stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")?;
        return finish(stream).map(|()| played);
    }
    let is_bodiless = request.method == "HEAD" || matches!(plan.status, 204 | 304);
    let mut player = Player {
        stream,
        plan,
        is_chunked: plan.is_chunked && request.is_http_11 && !is_bodiless,
        offset: start,
        last: Instant::now(),
    };
    let result = player.respond(is_bodiless);
    played.sent = player.offset - start;
    played.ending = match result {
        Err(error) if is_departure(&error) => Ending::Left,
        result => result?,
    };
    Ok(played)
}

impl Player<'_> {
    fn respond(&mut self, is_bodiless: bool) -> io::Result<Ending> {
        let head = self.head();
        self.stream.write_all(head.as_bytes())?;
        if is_bodiless {
            return finish(self.stream).map(|()| Ending::Whole);
        }
        let plan = self.plan;
        let begin = self.offset;
        let pieces = plan.pieces.iter().filter(|piece| piece.end > begin);
        let mut first = None;
        let start = Instant::now();
        for piece in pieces {
            // A client that resumes does not wait for what it has.
            let first = *first.get_or_insert(if begin == 0 { Duration::ZERO } else { piece.at });
            if !self.wait_until(start + piece.at.saturating_sub(first))? {
                return Ok(Ending::Left);
            }
            let end = plan
                .fault
                .map_or(piece.end, |fault| piece.end.min(fault.at));
            self.send(end)?;
            if plan.fault.is_some_and(|fault| fault.at <= end) {
                break;
            }
        }
        match plan.fault {
            Some(fault) => self.fail(fault.kind),
            None => {
                if self.is_chunked {
                    self.stream.write_all(b"0\r\n\r\n")?;
                }
                finish(self.stream).map(|()| Ending::Whole)
            }
        }
    }

    fn head(&self) -> String {
        let Plan {
            status,
            content_type,
            headers,
            ..
        } = self.plan;
        let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(*status));
        head += &format!("content-type: {content_type}\r\ncache-control: no-store\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if self.is_chunked {
            head += "transfer-encoding: chunked\r\n";
        }
        head + "connection: close\r\n\r\n"
    }

    /// Sends the body up to `end`.
    fn send(&mut self, end: usize) -> io::Result<()> {
        let bytes = self.plan.body.get(self.offset..end).unwrap_or_default();
        if !bytes.is_empty() {
            self.write(bytes)?;
            self.offset = end;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.last = Instant::now();
        if !self.is_chunked {
            return self.stream.write_all(bytes);
        }
        // One write, so that it is one segment where it can be.
        let size = format!("{:x}\r\n", bytes.len());
        self.stream
            .write_all(&[size.as_bytes(), bytes, b"\r\n"].concat())
    }

    fn fail(&mut self, kind: FaultKind) -> io::Result<Ending> {
        match kind {
            FaultKind::Cut => finish(self.stream).map(|()| Ending::Cut),
            FaultKind::Drop => {
                // With the last handle the connection ends, and so with an RST.
                SockRef::from(&*self.stream).set_linger(Some(Duration::ZERO))?;
                Ok(Ending::Dropped)
            }
            FaultKind::Stall => {
                let forever = Instant::now() + Duration::from_secs(365 * 24 * 3600);
                self.wait_until(forever).map(|_| Ending::Left)
            }
        }
    }

    /// Waits, with heartbeats; `false` if the client has left.
    fn wait_until(&mut self, then: Instant) -> io::Result<bool> {
        loop {
            let now = Instant::now();
            if now >= then {
                return Ok(true);
            }
            let beat = self.heartbeat().map(|every| self.last + every);
            if beat.is_some_and(|beat| beat <= now) {
                let mut comment = Vec::new();
                comment.write_block(Encoder::comment(b"heartbeat"))?;
                self.write(&comment)?;
                continue;
            }
            let next = beat.map_or(then, |beat| beat.min(then));
            if !is_open_after(self.stream, next - now)? {
                return Ok(false);
            }
        }
    }

    /// The time between heartbeats, where one may stand.
    fn heartbeat(&self) -> Option<Duration> {
        let is_between =
            self.offset == 0 || self.plan.block_ends.binary_search(&self.offset).is_ok();
        self.plan.heartbeat.filter(|_| is_between)
    }
}

/// Waits for `duration`; whether the client is still there.
pub(crate) fn is_open_after(stream: &mut TcpStream, duration: Duration) -> io::Result<bool> {
    // None at all would mean to wait for ever.
    let duration = duration.max(Duration::from_millis(1));
    stream.set_read_timeout(Some(duration))?;
    match stream.read(&mut [0; 1024]) {
        Ok(0) => Ok(false),
        Ok(_) => Ok(true),
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(true),
            _ => Err(error),
        },
    }
}

/// Ends a connection so that the client gets all that was sent: a socket that is
/// closed with bytes unread resets the connection.
pub(crate) fn finish(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let until = Instant::now() + LINGER;
    while Instant::now() < until && is_open_after(stream, LINGER)? {}
    Ok(())
}

/// Whether it says that the client has left.
pub(crate) fn is_departure(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::BrokenPipe
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::NotConnected
    )
}

/// The words of the statuses that are worth some.
pub(crate) fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        _ => "Status",
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Played { status, sent, .. } = self;
        write!(f, "{status}, {sent} bytes")?;
        if let Some(at) = self.resumed_at {
            write!(f, " from byte {at} on")?;
        }
        f.write_str(match self.ending {
            Ending::Whole => ", whole",
            Ending::Cut => ", then cut",
            Ending::Dropped => ", then reset",
            Ending::Left => ", then the client left",
            Ending::NothingLeft => ", nothing is left",
        })
    }
}

/// So long a client may take to close after the end.
const LINGER: Duration = Duration::from_secs(2);
