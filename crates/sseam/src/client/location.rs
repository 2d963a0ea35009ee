//! The address of a request: text comes in, and what a redirect names beside it.

use std::fmt;

use ureq::http::Uri;
use ureq::http::uri::Authority;

use super::detour::RedirectError;
use super::failure::RequestError;

/// An absolute address of `http` or `https`, without user information and
/// without a fragment.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Location {
    uri: Uri,
}

impl Location {
    pub(crate) fn parse(url: &str) -> Result<Self, RequestError> {
        let (url, _) = url.split_once('#').unwrap_or((url, ""));
        let scheme = scheme(url).ok_or(RequestError::Url)?;
        if !["http", "https"]
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known))
        {
            return Err(RequestError::Scheme);
        }
        let uri: Uri = url.parse().map_err(|_| RequestError::Url)?;
        let authority = uri.authority().ok_or(RequestError::Url)?;
        if authority.as_str().contains('@') {
            return Err(RequestError::UserInformation);
        }
        if authority.host().is_empty() || !has_good_port(authority) {
            return Err(RequestError::Url);
        }
        Ok(Location { uri })
    }

    pub(crate) const fn uri(&self) -> &Uri {
        &self.uri
    }

    /// Where `Location: reference` leads from here; `status` came with it.
    pub(crate) fn join(&self, reference: &[u8], status: u16) -> Result<Self, RedirectError> {
        let reference = escaped(reference);
        let (reference, _) = reference.split_once('#').unwrap_or((&reference, ""));
        let url = match scheme(reference) {
            Some(_) => reference.to_owned(),
            None => self.resolve(reference),
        };
        Location::parse(&url).map_err(|error| match error {
            RequestError::Scheme => RedirectError::Scheme { status },
            _ => RedirectError::Location { status },
        })
    }

    /// Whether secrets that belong to one may be sent to the other.
    pub(crate) fn is_same_origin(&self, other: &Location) -> bool {
        self.origin_parts() == other.origin_parts()
    }

    fn origin_parts(&self) -> (Option<&str>, Option<String>, u16) {
        let host = self.uri.host().map(str::to_ascii_lowercase);
        (self.uri.scheme_str(), host, self.port())
    }

    fn port(&self) -> u16 {
        let default = if self.is_secure() { 443 } else { 80 };
        self.uri.port_u16().unwrap_or(default)
    }

    pub(crate) fn is_secure(&self) -> bool {
        self.uri.scheme_str() == Some("https")
    }

    /// The values of the query, as they are written.
    pub(crate) fn query_values(&self) -> impl Iterator<Item = &str> {
        let pairs = self.uri.query().unwrap_or_default().split('&');
        pairs.map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value))
    }

    /// A reference without a scheme: "Relative Resolution" of RFC 3986.
    fn resolve(&self, reference: &str) -> String {
        let scheme = self.uri.scheme_str().unwrap_or_default();
        if reference.starts_with("//") {
            return format!("{scheme}:{reference}");
        }
        let authority = self
            .uri
            .authority()
            .map_or("", |authority| authority.as_str());
        let (path, query) = match reference.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (reference, None),
        };
        let (path, query) = match path {
            "" => (self.uri.path().to_owned(), query.or(self.uri.query())),
            path => (without_dots(&merged(self.uri.path(), path)), query),
        };
        let query = query.map(|query| format!("?{query}")).unwrap_or_default();
        format!("{scheme}://{authority}{path}{query}")
    }
}

/// Shows the origin. The rest may hold secrets.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = self.uri.scheme_str().unwrap_or_default();
        let authority = self
            .uri
            .authority()
            .map_or("", |authority| authority.as_str());
        write!(f, "{scheme}://{authority}")
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Location({self}/…)")
    }
}

/// Whether what follows the host is nothing or the number of a port. What is
/// none counts as missing further on: the request would go to port 80 or 443,
/// and that would be another server.
pub(crate) fn has_good_port(authority: &Authority) -> bool {
    let text = authority.as_str();
    let (_, text) = text.rsplit_once('@').unwrap_or(("", text));
    let port = text.strip_prefix(authority.host()).unwrap_or(text);
    let is_number = |port: &str| {
        port.bytes().all(|byte| byte.is_ascii_digit())
            && (port.is_empty() || port.parse::<u16>().is_ok())
    };
    port.is_empty() || port.strip_prefix(':').is_some_and(is_number)
}

/// The scheme of a reference that has one.
fn scheme(reference: &str) -> Option<&str> {
    let (scheme, _) = reference.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    is_scheme.then_some(scheme)
}

/// A relative path beside the path it stands in.
fn merged(base: &str, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    let folder = base
        .rfind('/')
        .and_then(|end| base.get(..=end))
        .unwrap_or("/");
    format!("{folder}{path}")
}

/// The path without its `.` and `..`.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            segment => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

/// What a browser does with bytes that no address may hold.
fn escaped(reference: &[u8]) -> String {
    let mut text = String::new();
    for byte in reference.trim_ascii() {
        match byte {
            b'!'..=b'~' => text.push(char::from(*byte)),
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests;
