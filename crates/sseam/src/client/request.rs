//! What to ask for: a method, an address, headers and a body come in, an
//! [`EventSource`] goes out.

use std::fmt;
use std::time::Duration;

use sseam_core::{Delays, Limits, Timeouts};
use sseam_llm::{Dialect, SETTLE_DEFAULT, Turn};

use super::checked::Checked;
use super::failure::RequestError;
use super::location::Location;
use super::mark::{ConnectionStep, ReadBytes};
use super::source::EventSource;

/// A request for an event stream, and how to wait for it.
///
/// Methods take what they are given; [`open`](Self::open) checks it all. A header
/// of the caller's own takes the place of one that is sent by default: `Accept`,
/// `Cache-Control`, `Accept-Encoding`, `User-Agent`.
///
/// ```no_run
/// use std::time::Duration;
/// use sseam::client::Request;
/// use sseam::llm::Dialect;
///
/// let body = r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"Hi"}]}"#;
/// let mut source = Request::post("https://api.example.com/v1/chat/completions", body)
///     .header("Authorization", "Bearer …")
///     .header("Content-Type", "application/json")
///     .dialect(Dialect::OpenAiChat)
///     .first_output_timeout(Duration::from_secs(30))
///     .open()?;
/// while let Some(text) = source.next_text()? {
///     print!("{text}");
/// }
/// println!("\n{}", source.report());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Request {
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
    pub(crate) last_event_id: Vec<u8>,
    pub(crate) turn: Turn,
    pub(crate) is_strict: bool,
    pub(crate) settle: Duration,
    pub(crate) limits: Limits,
    pub(crate) waits: Waits,
    pub(crate) delays: Delays,
    pub(crate) rules: Rules,
    pub(crate) proxy: ProxyChoice,
    #[cfg(feature = "client-rustls")]
    pub(crate) certificates: Option<Vec<u8>>,
    pub(crate) on_read: Option<OnRead>,
    pub(crate) on_connection: Option<OnConnection>,
}

/// Through whom to connect.
pub(crate) enum ProxyChoice {
    None,
    Environment,
    Url(String),
}

/// Called with each read.
pub(crate) type OnRead = Box<dyn FnMut(ReadBytes<'_>) + Send>;

pub(crate) type OnConnection = Box<dyn FnMut(ConnectionStep) + Send>;

/// How long to wait for what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waits {
    pub(crate) connect: Option<Duration>,
    pub(crate) headers: Option<Duration>,
    pub(crate) stream: Timeouts,
    pub(crate) error_body: Duration,
}

/// What is allowed that is not by default.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rules {
    pub(crate) retries_post: bool,
    pub(crate) follows_post: bool,
    pub(crate) allows_missing_content_type: bool,
    pub(crate) allows_any_content_type: bool,
    pub(crate) allows_repeats: bool,
}

impl Request {
    /// A `GET` of a URL.
    pub fn get(url: impl Into<String>) -> Self {
        Request::new("GET", url)
    }

    /// A `POST` of a body to a URL. The content type is a header like any other.
    pub fn post(url: impl Into<String>, body: impl Into<Vec<u8>>) -> Self {
        Request::new("POST", url).body(body)
    }

    /// A request of any method.
    pub fn new(method: impl Into<String>, url: impl Into<String>) -> Self {
        Request {
            method: method.into(),
            url: url.into(),
            headers: Vec::new(),
            body: Vec::new(),
            last_event_id: Vec::new(),
            turn: Turn::new(Dialect::Plain),
            is_strict: false,
            settle: SETTLE_DEFAULT,
            limits: Limits::LARGE,
            waits: Waits {
                connect: Some(Duration::from_secs(5)),
                headers: Some(Duration::from_secs(60)),
                stream: Timeouts {
                    idle: Some(Duration::from_secs(60)),
                    ..Timeouts::NONE
                },
                error_body: Duration::from_secs(1),
            },
            delays: Delays::DEFAULT,
            rules: Rules::default(),
            proxy: ProxyChoice::None,
            #[cfg(feature = "client-rustls")]
            certificates: None,
            on_read: None,
            on_connection: None,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: impl AsRef<str>, value: impl AsRef<[u8]>) -> Self {
        self.headers
            .push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// What `POST`, `PUT` or `PATCH` sends.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Where an earlier stream stopped: its last event id.
    #[must_use]
    pub fn last_event_id(mut self, id: impl AsRef<[u8]>) -> Self {
        self.last_event_id = id.as_ref().to_owned();
        self
    }

    /// Whose events these are. Without it, [`Dialect::Plain`].
    #[must_use]
    pub const fn dialect(self, dialect: Dialect) -> Self {
        self.turn(Turn::new(dialect))
    }

    /// The same, with a mode, markers, or a choice.
    #[must_use]
    pub const fn turn(mut self, turn: Turn) -> Self {
        self.turn = turn;
        self
    }

    /// Stops at text that is not UTF-8, with
    /// [`Ending::InvalidText`](sseam_llm::Ending::InvalidText).
    #[must_use]
    pub const fn strict_text(mut self, is_strict: bool) -> Self {
        self.is_strict = is_strict;
        self
    }

    /// How long to wait for more once all choices of an answer have finished, where
    /// the API has an end of its own that may come or not: 2 s unless told. Then the
    /// connection is closed, and the answer is complete.
    #[must_use]
    pub const fn settle(mut self, time: Duration) -> Self {
        self.settle = time;
        self
    }

    /// What a stream may hold; [`Limits::LARGE`] unless told.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The longest wait for a connection, with the name, a proxy and TLS; 5 s
    /// unless told.
    #[must_use]
    pub fn connect_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.waits.connect = time.into();
        self
    }

    /// The longest wait from the connection to the head of the response; 60 s
    /// unless told.
    #[must_use]
    pub fn header_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.waits.headers = time.into();
        self
    }

    /// The longest wait from the start to the first output. In plain and custom
    /// dialects every event that has data is output.
    #[must_use]
    pub fn first_output_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.waits.stream.first_output = time.into();
        self
    }

    /// The longest wait for a byte, of whatever kind: 60 s unless told. The time
    /// in which the caller does not read does not count.
    #[must_use]
    pub fn idle_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.waits.stream.idle = time.into();
        self
    }

    /// The longest wait for anything that shows that the answer comes on.
    /// Comments and keep-alives do not.
    #[must_use]
    pub fn progress_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.waits.stream.progress = time.into();
        self
    }

    /// The longest time from the start to the end, with all attempts.
    #[must_use]
    pub fn total_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.waits.stream.total = time.into();
        self
    }

    /// How long to read the explanation of a response that is none of a stream;
    /// 1 s unless told.
    #[must_use]
    pub const fn error_body_timeout(mut self, time: Duration) -> Self {
        self.waits.error_body = time;
        self
    }

    /// Connects again where that may help: after a broken connection, a stream
    /// that ends too soon, a timeout but those of first output and total, the
    /// statuses 408, 429 and 5xx; and in the plain dialect after a clean end.
    /// Not unless told, and never for a method that has a body, unless
    /// [`retry_post`](Self::retry_post).
    #[must_use]
    pub const fn reconnect(mut self, delays: Delays) -> Self {
        self.delays = delays;
        self
    }

    /// Whether a request with a body may be repeated, as often as
    /// [`reconnect`](Self::reconnect) says, as long as no event was delivered.
    /// The server may have begun the work: it is then paid twice.
    #[must_use]
    pub const fn retry_post(mut self, allow: bool) -> Self {
        self.rules.retries_post = allow;
        self
    }

    /// Whether 307 and 308 send a request with a body on to another address.
    #[must_use]
    pub const fn follow_post(mut self, allow: bool) -> Self {
        self.rules.follows_post = allow;
        self
    }

    /// Whether a response without a content type may be an event stream.
    #[must_use]
    pub const fn allow_missing_content_type(mut self, allow: bool) -> Self {
        self.rules.allows_missing_content_type = allow;
        self
    }

    /// Whether a response of any content type, or of none, may be an event stream.
    /// What its bytes show to be something else is refused all the same.
    #[must_use]
    pub const fn allow_any_content_type(mut self, allow: bool) -> Self {
        self.rules.allows_any_content_type = allow;
        self
    }

    /// Whether readers that cannot announce a further connection may go on with
    /// one although it may repeat events.
    #[must_use]
    pub const fn allow_repeats(mut self, allow: bool) -> Self {
        self.rules.allows_repeats = allow;
        self
    }

    /// Connects through this proxy, by `CONNECT`. Its URL is `http`, or with TLS
    /// `https`, and may hold a user name and a password.
    #[must_use]
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.proxy = ProxyChoice::Url(url.into());
        self
    }

    /// Connects through the proxy that `http_proxy` or `https_proxy` names, by
    /// the scheme, or else `all_proxy`; but to the hosts that `no_proxy` names.
    /// Each of these variables counts in upper case too.
    #[must_use]
    pub fn proxy_from_env(mut self) -> Self {
        self.proxy = ProxyChoice::Environment;
        self
    }

    /// Trusts the certificates in this PEM text, and no others.
    #[cfg(feature = "client-rustls")]
    #[cfg_attr(docsrs, doc(cfg(feature = "client-rustls")))]
    #[must_use]
    pub fn root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.certificates = Some(pem.into());
        self
    }

    /// Calls `take` with the bytes of bodies as they arrive, before anything of
    /// them is parsed: for recordings. It holds up the stream while it runs.
    #[must_use]
    pub fn on_read(mut self, take: impl FnMut(ReadBytes<'_>) + Send + 'static) -> Self {
        self.on_read = Some(Box::new(take));
        self
    }

    /// Calls `take` with each request, and with the beginning and the end of each
    /// connection. The end of the last one is told when the source ends, by
    /// itself or by an error; not where the source is dropped before that. It
    /// holds up the stream while it runs.
    ///
    /// ```no_run
    /// use sseam::client::{ConnectionStep, Request};
    ///
    /// let mut source = Request::get("http://localhost:8080/events")
    ///     .on_connection(|step| {
    ///         if let ConnectionStep::Ended { connection, transport, .. } = step {
    ///             println!("connection {connection} ended: {transport:?}");
    ///         }
    ///     })
    ///     .open()?;
    /// while source.receive()?.is_some() {}
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn on_connection(mut self, take: impl FnMut(ConnectionStep) + Send + 'static) -> Self {
        self.on_connection = Some(Box::new(take));
        self
    }

    /// Checks the request. It is sent by the first read of the source, so that
    /// there can be a canceller before.
    ///
    /// # Errors
    ///
    /// [`RequestError`] says what is wrong with the request itself.
    pub fn open(self) -> Result<EventSource, RequestError> {
        EventSource::new(Checked::of(self)?)
    }
}

/// Shows what may be shown: the method, names and lengths.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("location", &Location::parse(&self.url))
            .field("headers", &names)
            .field("body_len", &self.body.len())
            .field("waits", &self.waits)
            .field("delays", &self.delays)
            .finish_non_exhaustive()
    }
}
