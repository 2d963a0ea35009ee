//! The head of a response: status and headers come in, what the client asks of
//! them goes out.

use std::fmt;
use std::time::Duration;

use ureq::http::header::{self, HeaderName};
use ureq::http::{HeaderMap, HeaderValue, StatusCode};

use super::request::Rules;
use super::retry_after::retry_after;
use crate::unfit::Unfit;

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
        let encodings = self.headers.get_all(header::CONTENT_ENCODING).iter();
        let content_type = self.known(header::CONTENT_TYPE);
        // A server of MCP may answer with one document in place of a stream.
        let unfit = Unfit::of_headers(encodings.map(HeaderValue::as_bytes), content_type, is_mcp);
        unfit.filter(|unfit| match unfit {
            Unfit::ContentType => !rules.allows_any_content_type,
            Unfit::MissingContentType => {
                !rules.allows_any_content_type && !rules.allows_missing_content_type
            }
            _ => true,
        })
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
