//! The head of a response: status and headers come in, what the client asks of
//! them goes out.

use std::fmt;
use std::time::Duration;

use ureq::http::header::{self, HeaderName};
use ureq::http::{HeaderMap, StatusCode};

use super::failure::Unfit;
use super::request::Rules;
use super::retry_after::retry_after;

/// Status and headers of a response.
#[derive(Clone)]
pub struct Head {
    status: StatusCode,
    headers: HeaderMap,
}

impl Head {
    pub(crate) const fn new(status: StatusCode, headers: HeaderMap) -> Self {
        Head { status, headers }
    }

    /// The status.
    pub const fn status(&self) -> u16 {
        // A status code holds nothing else.
        self.status.as_u16()
    }

    /// The value of the first header of this name; names have no case.
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers.get(name).map(|value| value.as_bytes())
    }

    /// All headers, with names in lower case. Their values may be secrets.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let pairs = self.headers.iter();
        pairs.map(|(name, value)| (name.as_str(), value.as_bytes()))
    }

    /// What about it is not that of an event stream.
    pub(crate) fn unfit(&self, rules: &Rules, is_mcp: bool) -> Option<Unfit> {
        let encodings = self.headers.get_all(header::CONTENT_ENCODING);
        if !encodings.iter().all(|value| is_identity(value.as_bytes())) {
            return Some(Unfit::ContentEncoding);
        }
        match self.known(header::CONTENT_TYPE) {
            _ if rules.allows_any_content_type => None,
            Some(value) if is(value, "text/event-stream") => None,
            // A server of MCP may answer with one document in place of a stream.
            Some(value) if is_mcp && is(value, "application/json") => None,
            Some(_) => Some(Unfit::ContentType),
            None if rules.allows_missing_content_type => None,
            None => Some(Unfit::MissingContentType),
        }
    }

    /// Where a redirect leads.
    pub(crate) fn location(&self) -> Option<&[u8]> {
        self.known(header::LOCATION)
    }

    /// How long to wait before asking again.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let value = self.known(header::RETRY_AFTER)?;
        retry_after(value, self.known(header::DATE))
    }

    /// Whether the body comes in chunks, which have an end of their own.
    pub(crate) fn is_chunked(&self) -> bool {
        let codings = self
            .headers
            .get_all(header::TRANSFER_ENCODING)
            .iter()
            .next_back();
        codings.is_some_and(|value| {
            let mut codings = value.as_bytes().rsplit(|byte| *byte == b',');
            let last = codings.next().unwrap_or_default();
            last.trim_ascii().eq_ignore_ascii_case(b"chunked")
        })
    }

    fn known(&self, name: HeaderName) -> Option<&[u8]> {
        self.headers.get(name).map(|value| value.as_bytes())
    }
}

/// Shows names, not values.
impl fmt::Debug for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.keys().map(HeaderName::as_str).collect();
        f.debug_struct("Head")
            .field("status", &self.status.as_u16())
            .field("headers", &names)
            .finish()
    }
}

/// Whether a content type is this one, whatever its case and parameters.
fn is(value: &[u8], content_type: &str) -> bool {
    let essence = value.split(|byte| *byte == b';').next().unwrap_or_default();
    essence
        .trim_ascii()
        .eq_ignore_ascii_case(content_type.as_bytes())
}

fn is_identity(value: &[u8]) -> bool {
    let mut codings = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    codings.all(|coding| coding.is_empty() || coding.eq_ignore_ascii_case(b"identity"))
}
