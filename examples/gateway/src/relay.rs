//! A request comes in and goes on to the upstream; its response goes out, watched,
//! as it is or as whole events only.
//!
//! A client that leaves drops the body of its response, and with it the upstream's:
//! that connection is closed at once, so that the upstream can stop its work.

use std::convert::Infallible;
use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use http::header::{ACCEPT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HOST};
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, Uri, Version};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use sseam_http::sseam::llm::Turn;
use sseam_http::sseam::{Limits, ReadError};
use sseam_http::{Events, Observer, Outgoing, events_of, sse, whole_events};

use crate::headers::strip;
use crate::metrics::Metrics;

/// The body of every response.
pub(crate) type AnyBody = UnsyncBoxBody<Bytes, Box<dyn Error + Send + Sync>>;

/// How responses pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Every byte as it came.
    Untouched,
    /// Whole events only, with heartbeats; one that breaks off ends in an `error`
    /// event. What is no event stream passes untouched.
    WholeEvents,
}

/// What relays requests to one upstream.
#[derive(Debug, Clone)]
pub struct Gateway {
    upstream: Authority,
    client: Client<HttpConnector, Incoming>,
    /// How responses pass.
    pub mode: Mode,
    /// What the answers are read as.
    pub turn: Turn,
    /// How much one event may hold.
    pub limits: Limits,
    /// How long a stream of whole events is silent before a heartbeat.
    pub heartbeat: Duration,
    /// What became of the answers.
    pub metrics: Metrics,
}

impl Gateway {
    /// A gateway to the upstream at this host and port, over plain HTTP.
    pub fn new(upstream: Authority, mode: Mode, turn: Turn) -> Self {
        let mut connector = HttpConnector::new();
        // Small events must not wait for each other.
        connector.set_nodelay(true);
        Gateway {
            upstream,
            client: Client::builder(TokioExecutor::new()).build(connector),
            mode,
            turn,
            limits: Limits::LARGE,
            heartbeat: Duration::from_secs(15),
            metrics: Metrics::default(),
        }
    }

    /// Answers a request; never with an error.
    pub(crate) async fn answer(self, request: Request<Incoming>) -> Response<AnyBody> {
        if request.uri().path() == "/metrics" {
            return plain(StatusCode::OK, self.metrics.text());
        }
        let method = request.method().clone();
        let observer = Observer::new(self.turn)
            .with_limits(self.limits)
            .with_method(&method);
        let Some(request) = self.onward(request) else {
            return plain(StatusCode::BAD_REQUEST, "no such path\n");
        };
        let mut response = match self.client.request(request).await {
            Ok(response) => response,
            Err(_) => {
                self.metrics.count("TransportFailed");
                return plain(StatusCode::BAD_GATEWAY, "the upstream does not answer\n");
            }
        };
        strip(response.headers_mut());
        self.metrics.begin();
        let metrics = self.metrics.clone();
        let observed = observer.observe(response, move |seen| metrics.end(&seen));
        if self.mode == Mode::Untouched {
            return observed.map(boxed);
        }
        let headers = observed.headers().clone();
        match events_of(observed) {
            Ok(events) => self.whole(events.with_limits(self.limits), headers),
            Err(rejected) => rejected.into_response().map(boxed),
        }
    }

    /// The request as it goes to the upstream.
    fn onward(&self, mut request: Request<Incoming>) -> Option<Request<Incoming>> {
        let path = request.uri().path_and_query().cloned();
        let path = path.unwrap_or_else(|| PathAndQuery::from_static("/"));
        *request.uri_mut() = Uri::builder()
            .scheme(Scheme::HTTP)
            .authority(self.upstream.clone())
            .path_and_query(path)
            .build()
            .ok()?;
        // Whatever the client speaks: what ends with the connection cannot be told
        // from what broke off.
        *request.version_mut() = Version::HTTP_11;
        let headers = request.headers_mut();
        strip(headers);
        // The client names the upstream's own.
        headers.remove(HOST);
        // What is compressed cannot be watched.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        Some(request)
    }

    /// The events of a response as one, with its headers.
    fn whole<B>(&self, events: Events<B>, mut headers: HeaderMap) -> Response<AnyBody>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
    {
        let events = whole_events(events.into_shared(), |error| Some(fault(&error)));
        let heartbeat = self.heartbeat;
        let mut response = sse(events.map(Ok::<_, Infallible>))
            .map(|body| body.with_heartbeat(move || tokio::time::sleep(heartbeat)))
            .map(boxed);
        // Events may take other bytes than they came in.
        headers.remove(CONTENT_LENGTH);
        headers.remove(CONTENT_TYPE);
        response.headers_mut().extend(headers);
        response
    }
}

/// What a client is told of a stream that broke off.
fn fault<E>(error: &ReadError<E>) -> Outgoing {
    let message = match error {
        ReadError::Source(_) => "the connection to the upstream broke",
        ReadError::Parse(_) => "the upstream sent more than is taken",
        _ => "the upstream broke off within an event",
    };
    let data = format!(r#"{{"error":{{"type":"upstream","message":"{message}"}}}}"#);
    Outgoing::event(data).with_type("error")
}

fn plain(status: StatusCode, text: impl Into<Bytes>) -> Response<AnyBody> {
    let mut response = Response::new(boxed(Full::new(text.into())));
    *response.status_mut() = status;
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, text);
    response
}

fn boxed<B>(body: B) -> AnyBody
where
    B: http_body::Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static,
{
    body.map_err(Into::into).boxed_unsync()
}
