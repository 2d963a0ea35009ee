//! What stands between a request and its answer, redirects and proxies, and why
//! one of them did not lead there.

use std::fmt;
use std::io;

/// A redirect that was not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RedirectError {
    /// More than 5 of them.
    TooMany {
        /// The status of the last.
        status: u16,
    },
    /// To a scheme other than `http` and `https`.
    Scheme {
        /// Its status.
        status: u16,
    },
    /// To what is no address, or holds a user name or a password.
    Location {
        /// Its status.
        status: u16,
    },
    /// Of a request with a body, which is not sent on unasked:
    /// [`follow_post`](crate::client::Request::follow_post) allows 307 and 308.
    Refused {
        /// Its status.
        status: u16,
    },
}

impl RedirectError {
    /// The status of the redirect that was not followed.
    pub const fn status(self) -> u16 {
        match self {
            RedirectError::TooMany { status }
            | RedirectError::Scheme { status }
            | RedirectError::Location { status }
            | RedirectError::Refused { status } => status,
        }
    }
}

impl fmt::Display for RedirectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RedirectError::TooMany { .. } => f.write_str("more than 5 redirects"),
            RedirectError::Scheme { .. } => f.write_str("a redirect to neither http nor https"),
            RedirectError::Location { .. } => f.write_str("a redirect to what is no address"),
            RedirectError::Refused { status } => {
                write!(f, "a redirect ({status}) of a request with a body")
            }
        }
    }
}

/// What went wrong with the proxy, before the host itself was spoken to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyError {
    /// The proxy's name has no address.
    Resolve,
    /// No connection to the proxy was made, or it broke.
    Connect(io::ErrorKind),
    /// TLS with the proxy was not agreed on.
    Tls(String),
    /// The proxy did not connect to the host: it refused, closed the connection,
    /// or spoke no HTTP.
    Refused,
}

impl ProxyError {
    /// Whether asking again may help.
    pub(crate) const fn is_temporary(&self) -> bool {
        !matches!(self, ProxyError::Tls(_))
    }
}

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProxyError::Resolve => f.write_str("the proxy's name has no address"),
            ProxyError::Connect(kind) => write!(f, "no connection to the proxy: {kind}"),
            ProxyError::Tls(detail) => write!(f, "no TLS with the proxy: {detail}"),
            ProxyError::Refused => f.write_str("the proxy did not connect"),
        }
    }
}
