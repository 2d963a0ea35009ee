//! A request that was checked: what the caller gave comes in, what is sent goes
//! out.

use std::time::Duration;

use sseam_core::{Delays, Limits};
use sseam_llm::{Dialect, Turn};
use ureq::http::header::{self, HeaderName};
use ureq::http::{HeaderMap, HeaderValue, Method};

use super::failure::RequestError;
use super::location::Location;
use super::proxy::Proxies;
use super::request::{OnConnection, OnRead, ProxyChoice, Request, Rules, Waits};
use super::secrets;

/// A request that was checked.
pub(crate) struct Checked {
    pub(crate) method: Method,
    pub(crate) location: Location,
    pub(crate) headers: HeaderMap,
    /// Empty for methods that have none.
    pub(crate) body: Vec<u8>,
    pub(crate) last_event_id: Vec<u8>,
    pub(crate) turn: Turn,
    pub(crate) is_strict: bool,
    pub(crate) settle: Duration,
    pub(crate) limits: Limits,
    pub(crate) waits: Waits,
    pub(crate) delays: Delays,
    pub(crate) rules: Rules,
    pub(crate) proxies: Proxies,
    #[cfg(feature = "client-rustls")]
    pub(crate) certificates: Option<Vec<u8>>,
    pub(crate) on_read: Option<OnRead>,
    pub(crate) on_connection: Option<OnConnection>,
}

impl Checked {
    /// Looks at all that was given.
    pub(crate) fn of(request: Request) -> Result<Self, RequestError> {
        let location = Location::parse(&request.url)?;
        if location.is_secure() && !cfg!(feature = "client-rustls") {
            return Err(RequestError::NoTls);
        }
        let method: Method = request.method.parse().map_err(|_| RequestError::Method)?;
        if !request.body.is_empty() && !has_body(&method) {
            return Err(RequestError::Body);
        }
        let is_mcp = is_mcp(&request.turn);
        let (headers, named_id) = headers(&request.headers, is_mcp)?;
        let last_event_id = match request.last_event_id.is_empty() {
            true => named_id.unwrap_or_default(),
            false => request.last_event_id,
        };
        Ok(Checked {
            method,
            location,
            headers,
            body: request.body,
            last_event_id,
            turn: request.turn,
            is_strict: request.is_strict,
            settle: request.settle,
            limits: request.limits,
            waits: request.waits,
            delays: request.delays,
            rules: request.rules,
            proxies: match &request.proxy {
                ProxyChoice::None => Proxies::default(),
                ProxyChoice::Url(url) => Proxies::one(url)?,
                ProxyChoice::Environment => Proxies::of_variables(|name| std::env::var(name).ok())?,
            },
            #[cfg(feature = "client-rustls")]
            certificates: request.certificates,
            on_read: request.on_read,
            on_connection: request.on_connection,
        })
    }

    pub(crate) fn has_body(&self) -> bool {
        has_body(&self.method)
    }

    /// Whether the server is one of MCP.
    pub(crate) fn is_mcp(&self) -> bool {
        is_mcp(&self.turn)
    }

    /// `text` without the values that were given, whole or cut off at its end.
    pub(crate) fn redact(&self, text: &[u8], is_cut: bool) -> Vec<u8> {
        let of_header = |(name, value): (&HeaderName, &HeaderValue)| {
            // These are our own words where the caller has none.
            let is_default = DEFAULTS
                .iter()
                .chain(&[(header::ACCEPT, MCP_ACCEPT)])
                .any(|(other, default)| other == name && default.as_bytes() == value.as_bytes());
            if is_default {
                Vec::new()
            } else {
                secrets::of_header(name, value.as_bytes())
            }
        };
        let mut values: Vec<_> = self.headers.iter().flat_map(of_header).collect();
        values.extend(secrets::of_query(&self.location));
        values.extend(secrets::of_body(&self.body));
        values.push(self.last_event_id.clone());
        secrets::redact(text, values, is_cut)
    }
}

fn is_mcp(turn: &Turn) -> bool {
    matches!(turn.dialect(), Dialect::Mcp2025 | Dialect::Mcp2026)
}

fn has_body(method: &Method) -> bool {
    matches!(*method, Method::POST | Method::PUT | Method::PATCH)
}

/// The caller's headers, and ours where the caller has none of that name; and
/// the last event id, if it came as a header.
fn headers(
    given: &[(String, Vec<u8>)],
    is_mcp: bool,
) -> Result<(HeaderMap, Option<Vec<u8>>), RequestError> {
    let mut headers = HeaderMap::new();
    let mut id = None;
    for (name, value) in given {
        let name: HeaderName = name.parse().map_err(|_| RequestError::Header)?;
        let mut header = HeaderValue::from_bytes(value).map_err(|_| RequestError::Header)?;
        header.set_sensitive(true);
        // A length that is not the body's is waited for without end, on one of
        // the two sides; so is a server that never says 100.
        if FRAMING.contains(&name) {
            return Err(RequestError::Framing);
        }
        if name == LAST_EVENT_ID {
            // It changes with the stream, so that is where it is kept.
            id = Some(value.clone());
        } else {
            headers.append(name, header);
        }
    }
    if is_mcp && !headers.contains_key(header::ACCEPT) {
        headers.insert(header::ACCEPT, HeaderValue::from_static(MCP_ACCEPT));
    }
    for (name, value) in &DEFAULTS {
        if !headers.contains_key(name) {
            headers.insert(name.clone(), HeaderValue::from_static(value));
        }
    }
    Ok((headers, id))
}

pub(crate) const LAST_EVENT_ID: &str = "last-event-id";

/// What says how a body is sent, which only who sends it knows.
static FRAMING: [HeaderName; 3] = [
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::EXPECT,
];

/// What a server of MCP is to be asked for: it may answer with one document.
const MCP_ACCEPT: &str = "application/json, text/event-stream";

/// What is sent unless the caller has another value.
static DEFAULTS: [(HeaderName, &str); 4] = [
    (header::ACCEPT, "text/event-stream"),
    (header::ACCEPT_ENCODING, "identity"),
    (header::CACHE_CONTROL, "no-store"),
    (
        header::USER_AGENT,
        concat!("sseam/", env!("CARGO_PKG_VERSION")),
    ),
];
