//! What can go wrong with a request, one variant per cause. None shows a value
//! that the caller gave, or what a server said: bodies are had by accessors.

use std::fmt;
use std::io;
use std::time::Duration;

use sseam_core::{End, Error};
use sseam_llm::{Close, Excess, Timeout, TransportEnd};

use super::detour::{ProxyError, RedirectError};
use super::head::Head;
use crate::unfit::Unfit;

/// Why a request cannot be made as it stands. Nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestError {
    /// The URL is none, or has no host.
    Url,
    /// The URL's scheme is neither `http` nor `https`.
    Scheme,
    /// The URL holds a user name or a password: put them into a header.
    UserInformation,
    /// The URL is `https`, and this build has no TLS: feature `client-rustls`.
    NoTls,
    /// The method is none.
    Method,
    /// A body was given for a method that has none.
    Body,
    /// A header's name or value holds what none may hold.
    Header,
    /// A header was given that says how the body is sent: `Content-Length`,
    /// `Transfer-Encoding` or `Expect`. The client sets what is needed.
    Framing,
    /// The last event id holds CR, LF or NUL, or is longer than the limit.
    LastEventId,
    /// The proxy's URL is none, or of a kind that is not spoken to: SOCKS.
    Proxy,
    /// The certificates are not PEM, or are none.
    Certificates,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RequestError::Url => "the URL is not one",
            RequestError::Scheme => "the URL is neither http nor https",
            RequestError::UserInformation => {
                "the URL holds a user name or a password; send an Authorization header instead"
            }
            RequestError::NoTls => "https needs the feature client-rustls",
            RequestError::Method => "the method is not one",
            RequestError::Body => "this method has no body",
            RequestError::Header => "a header's name or value holds what none may hold",
            RequestError::Framing => {
                "Content-Length, Transfer-Encoding and Expect are the client's own to send"
            }
            RequestError::LastEventId => "no stream can have set this last event id",
            RequestError::Proxy => "the proxy is not one that is known",
            RequestError::Certificates => "no certificate was found in the PEM text",
        })
    }
}

impl std::error::Error for RequestError {}

/// Why a stream has no next event. Every event before it was delivered.
///
/// It is said once; afterwards the source has ended. No variant's `Display` or
/// `Debug` holds a header, a query, a body or an event.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The host's name has no address.
    Resolve,
    /// No connection was made.
    Connect(io::ErrorKind),
    /// The proxy was not reached, or did not connect.
    Proxy(ProxyError),
    /// TLS was not agreed on.
    Tls(String),
    /// The connection broke, or spoke no HTTP, before there was a response.
    Transport(io::ErrorKind),
    /// The response's status and headers take more than 64 KiB.
    HeadTooLong,
    /// Something was waited for in vain.
    TimedOut(TimedOut),
    /// The response has a status that is not 200.
    Status(Box<StatusError>),
    /// A redirect was not followed.
    Redirect(RedirectError),
    /// The response is no event stream.
    NotEventStream(Box<NotEventStream>),
    /// The stream ended before the answer did, or inside an event.
    Truncated(Truncated),
    /// The stream passed a limit, or memory could not grow.
    Limit(Error),
    /// A further connection may repeat events, which no id that is sent covers,
    /// and the caller's way of reading cannot announce that:
    /// see [`Received::Reconnected`](crate::client::Received::Reconnected).
    Repeats,
    /// It was cancelled.
    Cancelled,
    /// Connecting again did not help.
    GaveUp {
        /// Attempts since the last event.
        attempts: u32,
        /// Why the last one failed.
        last: Box<ClientError>,
    },
}

/// What was waited for in vain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimedOut {
    /// Which timeout it was.
    pub timeout: Timeout,
    /// Since the start.
    pub elapsed: Duration,
    /// Events that were delivered until then.
    pub events: u64,
}

/// How a stream broke off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Truncated {
    /// What of an unfinished event was thrown away.
    pub end: End,
    /// How the body ended.
    pub transport: TransportEnd,
}

/// A response whose status is not 200.
pub struct StatusError {
    pub(crate) head: Head,
    pub(crate) body: Vec<u8>,
    pub(crate) is_cut: bool,
    pub(crate) retry_after: Option<Duration>,
}

impl StatusError {
    /// The status.
    pub const fn status(&self) -> u16 {
        self.head.status()
    }

    /// Status and headers.
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// The first bytes of the body: at most 64 KiB, and what came within the
    /// [time for it](crate::client::Request::error_body_timeout).
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Whether there was more of it, or it did not end in time.
    pub const fn body_is_cut(&self) -> bool {
        self.is_cut
    }

    /// How long the server asks to wait, if it does.
    pub const fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Whether asking again later may help: 408, 429 and 5xx.
    pub(crate) const fn is_temporary(&self) -> bool {
        matches!(self.status(), 408 | 429 | 500..=599)
    }
}

impl fmt::Debug for StatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatusError")
            .field("head", &self.head)
            .field("body_len", &self.body.len())
            .field("retry_after", &self.retry_after)
            .finish()
    }
}

/// A response that is no event stream.
pub struct NotEventStream {
    pub(crate) head: Head,
    pub(crate) reason: Unfit,
    pub(crate) body: Vec<u8>,
    pub(crate) is_cut: bool,
}

impl NotEventStream {
    /// Status and headers.
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// What does not fit.
    pub const fn reason(&self) -> Unfit {
        self.reason
    }

    /// The first bytes of the body, at most 4 KiB.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Whether there was more of it, or it did not end in time.
    pub const fn body_is_cut(&self) -> bool {
        self.is_cut
    }
}

impl fmt::Debug for NotEventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotEventStream")
            .field("head", &self.head)
            .field("reason", &self.reason)
            .field("body_len", &self.body.len())
            .finish()
    }
}

impl ClientError {
    /// How the turn is told of it.
    pub(crate) fn close(&self) -> Close {
        match self {
            ClientError::Resolve
            | ClientError::Connect(_)
            | ClientError::Proxy(_)
            | ClientError::Tls(_)
            | ClientError::Transport(_)
            | ClientError::HeadTooLong => Close::NoResponse,
            ClientError::TimedOut(timed_out) => Close::TimedOut(timed_out.timeout),
            ClientError::Status(error) => Close::Status(error.status()),
            ClientError::Redirect(error) => Close::Status(error.status()),
            ClientError::NotEventStream(_) => Close::NotEventStream,
            ClientError::Truncated(truncated) => Close::Transport(truncated.transport),
            ClientError::Limit(Error::LimitPassed { limit, .. }) => {
                Close::Limit(Excess::Limit(*limit))
            }
            ClientError::Limit(_) => Close::Limit(Excess::Memory),
            ClientError::Repeats => Close::Transport(TransportEnd::Cut),
            ClientError::Cancelled => Close::Cancelled,
            ClientError::GaveUp { last, .. } => last.close(),
        }
    }

    /// Whether connecting again may help.
    pub(crate) fn is_temporary(&self) -> bool {
        match self {
            ClientError::Resolve
            | ClientError::Connect(_)
            | ClientError::Transport(_)
            | ClientError::Truncated(_) => true,
            ClientError::Proxy(error) => error.is_temporary(),
            ClientError::TimedOut(timed_out) => {
                !matches!(timed_out.timeout, Timeout::FirstOutput | Timeout::Total)
            }
            ClientError::Status(error) => error.is_temporary(),
            _ => false,
        }
    }

    /// How long the server asks to wait.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            ClientError::Status(error) => error.retry_after,
            _ => None,
        }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Resolve => f.write_str("the host's name has no address"),
            ClientError::Connect(kind) => write!(f, "no connection: {kind}"),
            ClientError::Proxy(error) => error.fmt(f),
            ClientError::Tls(detail) => write!(f, "no TLS: {detail}"),
            ClientError::Transport(kind) => write!(f, "no response: {kind}"),
            ClientError::HeadTooLong => {
                f.write_str("the status and headers of the response take more than 64 KiB")
            }
            ClientError::TimedOut(timed_out) => timed_out.fmt(f),
            ClientError::Status(error) => error.fmt(f),
            ClientError::Redirect(error) => error.fmt(f),
            ClientError::NotEventStream(error) => error.fmt(f),
            ClientError::Truncated(truncated) => truncated.fmt(f),
            ClientError::Limit(error) => error.fmt(f),
            ClientError::Repeats => {
                f.write_str("a further connection may repeat events, which had no id that is sent")
            }
            ClientError::Cancelled => f.write_str("cancelled"),
            ClientError::GaveUp { attempts, last } => {
                write!(
                    f,
                    "gave up after {attempts} attempts to connect again: {last}"
                )
            }
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ClientError::GaveUp { last, .. } => last.source(),
            _ => None,
        }
    }
}

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, elapsed) = (self.timeout.name(), self.elapsed.as_millis());
        let events = if self.events == 1 { "event" } else { "events" };
        write!(
            f,
            "timed out ({name}) after {elapsed} ms and {} {events}",
            self.events
        )
    }
}

impl fmt::Display for StatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (status, len) = (self.status(), self.body.len());
        write!(f, "HTTP status {status}, with {len} bytes of explanation")
    }
}

impl fmt::Display for NotEventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl fmt::Display for Truncated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.end.is_truncated() {
            true => "the stream broke off inside an event",
            false => "the stream ended before the answer did",
        })?;
        match self.transport {
            TransportEnd::Cut => f.write_str(", and the body was cut"),
            TransportEnd::Reset => f.write_str(", and the connection was reset"),
            _ => Ok(()),
        }
    }
}
