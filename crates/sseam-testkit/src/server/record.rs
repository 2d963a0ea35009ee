//! What a client did, with times.

use std::collections::BTreeMap;
use std::time::Instant;

/// One connection, as far as it has come.
#[derive(Clone, Debug)]
pub struct Connection {
    /// When it was accepted.
    pub accepted: Instant,
    /// What was asked, once it was read.
    pub request: Option<Request>,
    /// When the head was sent.
    pub head_sent: Option<Instant>,
    /// When each [`Step::Send`](super::Step::Send) was handed to the system.
    pub sent: Vec<Instant>,
    /// When the client ended the connection, while it was watched.
    pub closed: Option<Closed>,
    /// When the server was done with it.
    pub ended: Option<Instant>,
}

/// How the client ended a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed {
    /// When the server saw it.
    pub at: Instant,
    /// With an RST rather than a FIN.
    pub is_reset: bool,
}

/// What a client asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The path and query, or whatever stood in their place.
    pub target: String,
    /// The headers in their order, with lower-case names. A value is text where
    /// it can be.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// The first value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// What is missing of `expected`, in words.
    pub(crate) fn mismatches(&self, expected: &BTreeMap<String, String>) -> Vec<String> {
        let differs = |(name, value): (&String, &String)| {
            let found = self.header(name).unwrap_or("");
            (found != value).then(|| format!("{name}: {found:?}, expected {value:?}"))
        };
        expected.iter().filter_map(differs).collect()
    }
}
