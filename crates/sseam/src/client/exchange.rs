//! One request and its redirects: a checked request comes in, the head and the
//! body of an event stream go out.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sseam_llm::Timeout;
use ureq::http::header::{self, HeaderName};
use ureq::http::{self, HeaderMap, HeaderValue};
use ureq::unversioned::transport::{ConnectProxyConnector, Connector};
use ureq::{Agent, AsSendBody, Body, BodyReader, Proxy, RequestExt};

use super::checked::{Checked, LAST_EVENT_ID};
use super::clock::Clock;
use super::connect::{Dial, Names};
use super::control::{Control, Phase, earlier};
use super::detour::{ProxyError, RedirectError};
use super::failure::{ClientError, NotEventStream, RequestError, StatusError};
use super::head::Head;
use super::location::Location;
use super::transport::{BUFFER_LEN, Watch};

/// Redirects in a row that are followed.
const REDIRECTS_MAX: usize = 5;

/// Bytes that are read of a response which explains why there is no stream.
pub(crate) const ERROR_BODY_LEN_MAX: usize = 64 * 1024;

/// Bytes that are read of a response which is no event stream.
const FOREIGN_BODY_LEN_MAX: usize = 4 * 1024;

/// Not sent on to another origin.
static SECRET_HEADERS: [HeaderName; 6] = [
    header::AUTHORIZATION,
    header::COOKIE,
    header::PROXY_AUTHORIZATION,
    HeaderName::from_static("x-api-key"),
    HeaderName::from_static("api-key"),
    HeaderName::from_static("x-goog-api-key"),
];

/// True of one origin alone: another server would take it for its own name.
static ORIGIN_HEADERS: [HeaderName; 1] = [header::HOST];

/// Makes requests, one after the other.
pub(crate) struct Exchange {
    agent: Agent,
    control: Arc<Control>,
}

/// What a request led to.
pub(crate) enum Reply {
    /// An event stream.
    Stream(Head, BodyReader<'static>),
    /// 204: there is nothing, and nothing will come.
    NoContent(Head),
    /// 202 to a message of MCP that is answered by nothing else.
    Accepted(Head),
}

impl Exchange {
    #[cfg_attr(
        not(feature = "client-rustls"),
        expect(unused_variables, reason = "only TLS depends on what is asked for")
    )]
    pub(crate) fn new(request: &Checked, control: &Arc<Control>) -> Result<Self, RequestError> {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .allow_non_standard_methods(true)
            .proxy(None)
            .max_idle_connections(0)
            .input_buffer_size(BUFFER_LEN)
            .output_buffer_size(BUFFER_LEN)
            .max_response_header_size(BUFFER_LEN);
        #[cfg(feature = "client-rustls")]
        let config = config.tls_config(super::tls::config(request.certificates.as_deref())?);
        let control = Arc::clone(control);
        let (dial, watch, names) = (
            Dial {
                control: Arc::clone(&control),
            },
            Watch {
                control: Arc::clone(&control),
            },
            Names {
                control: Arc::clone(&control),
            },
        );
        let connector = ().chain(ConnectProxyConnector::default()).chain(dial);
        #[cfg(feature = "client-rustls")]
        let connector = connector.chain(ureq::unversioned::transport::RustlsConnector::default());
        Ok(Exchange {
            agent: Agent::with_parts(config.build(), connector.chain(watch), names),
            control,
        })
    }

    /// Sends the request, follows it, and checks what comes back.
    pub(crate) fn call(
        &self,
        request: &Checked,
        last_event_id: &[u8],
        clock: &mut Clock,
    ) -> Result<Reply, ClientError> {
        let mut headers = request.headers.clone();
        if let Some(id) = id_value(last_event_id) {
            headers.insert(LAST_EVENT_ID, id);
        }
        let mut location = request.location.clone();
        let mut redirects = 0;
        loop {
            let (head, body) = self.send(request, &location, &headers, clock)?;
            let Some(reference) = followed(&head, request)? else {
                return self.check(head, body, request, clock);
            };
            let status = head.status();
            let next = location.join(reference, status);
            let next = next.map_err(ClientError::Redirect)?;
            if redirects == REDIRECTS_MAX {
                return Err(ClientError::Redirect(RedirectError::TooMany { status }));
            }
            redirects += 1;
            if !next.is_same_origin(&location) {
                for name in SECRET_HEADERS.iter().chain(&ORIGIN_HEADERS) {
                    headers.remove(name);
                }
            }
            location = next;
        }
    }

    fn send(
        &self,
        request: &Checked,
        location: &Location,
        headers: &HeaderMap,
        clock: &mut Clock,
    ) -> Result<(Head, Body), ClientError> {
        let overall = clock.next_deadline();
        let connect = request
            .waits
            .connect
            .and_then(|time| Instant::now().checked_add(time));
        let until = earlier(connect, overall);
        let proxy = request.proxies.of(location);
        self.control
            .begin(until, request.waits.headers, overall, proxy.is_some());
        if self.control.is_cancelled() {
            return Err(ClientError::Cancelled);
        }
        let mut message = http::Request::new(());
        *message.method_mut() = request.method.clone();
        *message.uri_mut() = location.uri().clone();
        *message.headers_mut() = headers.clone();
        let response = match request.has_body() {
            true => self.run(message.map(|()| request.body.as_slice()), proxy),
            false => self.run(message, proxy),
        };
        match response {
            Ok(response) => {
                let (parts, body) = response.into_parts();
                Ok((Head::new(parts.status, parts.headers), body))
            }
            Err(error) => Err(self.error(&error, location, clock)),
        }
    }

    fn run(
        &self,
        message: http::Request<impl AsSendBody>,
        proxy: Option<&Proxy>,
    ) -> Result<http::Response<Body>, ureq::Error> {
        match proxy {
            None => self.agent.run(message),
            Some(proxy) => {
                let message = message.with_agent(&self.agent).configure();
                message.proxy(Some(proxy.clone())).build().run()
            }
        }
    }

    /// What an error of ureq means, given how far the connection had come.
    fn error(&self, error: &ureq::Error, location: &Location, clock: &mut Clock) -> ClientError {
        if self.control.is_cancelled() {
            return ClientError::Cancelled;
        }
        let phase = self.control.phase();
        let kind = match error {
            ureq::Error::Io(error) => error.kind(),
            _ => io::ErrorKind::InvalidData,
        };
        // An address that had its share of the time tells it in this way too. An
        // open connection does so when the system gave it up.
        let is_dial_timeout = phase == Phase::Dialing && kind == io::ErrorKind::TimedOut;
        if self.control.has_timed_out() || is_dial_timeout {
            return clock.timed_out(match phase {
                Phase::Open => Timeout::Headers,
                _ => Timeout::Connect,
            });
        }
        if self.control.is_at_proxy() {
            return ClientError::Proxy(match (error, phase) {
                (_, Phase::Tunneling) => ProxyError::Refused,
                (ureq::Error::HostNotFound, _) => ProxyError::Resolve,
                (_, Phase::Securing) if !is_broken(kind) => ProxyError::Tls(error.to_string()),
                _ => ProxyError::Connect(kind),
            });
        }
        match (error, phase) {
            (ureq::Error::HostNotFound, _) => ClientError::Resolve,
            (ureq::Error::LargeResponseHeader(..), Phase::Open) => ClientError::HeadTooLong,
            (_, Phase::Open) => ClientError::Transport(kind),
            // A connection that breaks while TLS is agreed on says nothing of TLS.
            (_, Phase::Securing) if is_broken(kind) => ClientError::Connect(kind),
            (_, Phase::Securing) if location.is_secure() => ClientError::Tls(error.to_string()),
            _ => ClientError::Connect(kind),
        }
    }

    fn check(
        &self,
        head: Head,
        body: Body,
        request: &Checked,
        clock: &Clock,
    ) -> Result<Reply, ClientError> {
        let time = request.waits.error_body;
        match head.status() {
            204 => Ok(Reply::NoContent(head)),
            202 if request.is_mcp() => Ok(Reply::Accepted(head)),
            200 => match head.unfit(&request.rules, request.is_mcp()) {
                None => Ok(Reply::Stream(head, body.into_reader())),
                Some(reason) => {
                    let (body, is_cut) =
                        self.explanation(body, FOREIGN_BODY_LEN_MAX, time, clock)?;
                    let error = NotEventStream {
                        head,
                        reason,
                        body,
                        is_cut,
                    };
                    Err(ClientError::NotEventStream(Box::new(error)))
                }
            },
            _ => {
                let (body, is_cut) = self.explanation(body, ERROR_BODY_LEN_MAX, time, clock)?;
                let retry_after = head.retry_after();
                let error = StatusError {
                    head,
                    body,
                    is_cut,
                    retry_after,
                };
                Err(ClientError::Status(Box::new(error)))
            }
        }
    }

    /// The first bytes of a body that is no stream, and whether there were more.
    /// A body that never ends must not take longer than its time.
    fn explanation(
        &self,
        body: Body,
        len_max: usize,
        time: Duration,
        clock: &Clock,
    ) -> Result<(Vec<u8>, bool), ClientError> {
        let until = Instant::now().checked_add(time);
        self.control
            .set_until(earlier(until, clock.next_deadline()));
        let mut bytes = Vec::new();
        // One more tells whether there were more.
        let outcome = body
            .into_reader()
            .take(len_max as u64 + 1)
            .read_to_end(&mut bytes);
        if self.control.is_cancelled() {
            return Err(ClientError::Cancelled);
        }
        let is_cut = outcome.is_err() || bytes.len() > len_max;
        bytes.truncate(len_max);
        Ok((bytes, is_cut))
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").finish_non_exhaustive()
    }
}

/// Whether a peer went away.
const fn is_broken(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof
    )
}

/// Where the response sends the request on to, if it does and may.
fn followed<'h>(head: &'h Head, request: &Checked) -> Result<Option<&'h [u8]>, ClientError> {
    let status = head.status();
    let (true, Some(reference)) = (
        matches!(status, 301 | 302 | 303 | 307 | 308),
        head.location(),
    ) else {
        return Ok(None);
    };
    let keeps_body = matches!(status, 307 | 308);
    if request.has_body() && !(keeps_body && request.rules.follows_post) {
        return Err(ClientError::Redirect(RedirectError::Refused { status }));
    }
    Ok(Some(reference))
}

/// Whether a request may tell the server to go on after this id.
pub(crate) fn can_resume_after(id: &[u8]) -> bool {
    id_value(id).is_some()
}

/// The id as a header, if it can be one: in UTF-8, as browsers send it. What is
/// a control character to somebody on the way might end the header there.
fn id_value(id: &[u8]) -> Option<HeaderValue> {
    let text = String::from_utf8_lossy(id);
    if text.is_empty() || text.chars().any(char::is_control) {
        return None;
    }
    let mut value = HeaderValue::from_bytes(text.as_bytes()).ok()?;
    value.set_sensitive(true);
    Some(value)
}
