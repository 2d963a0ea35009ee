//! The recorder: an application's request to the API that it is meant for, and
//! what that answers back to the application and into a recording.
//!
//! The bytes of the body pass untouched, each read in a chunk of its own. Of the
//! heads only what concerns one connection is changed, and the upstream is asked
//! for identity encoding, or the recording would show nothing.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ureq::http;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use super::head::Request;
use super::play::{Ending, Played, finish, is_departure, reason};
use crate::recording::{End, Head, Recorder};

/// Where requests are passed on to.
pub(crate) struct Asked {
    base: String,
    config: ureq::config::Config,
}

/// The same, and the recording.
pub(crate) struct Upstream {
    asked: Asked,
    recorder: Mutex<Recorder>,
}

/// Why there is none, in words.
type Refused = String;

impl Asked {
    /// Whether `base` can be one.
    ///
    /// # Errors
    ///
    /// What is wrong with it; never the address itself, which may hold a key.
    fn check(base: &str) -> Result<(), Refused> {
        let uri: http::Uri = base
            .parse()
            .map_err(|_| "--upstream is no address".to_owned())?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err("--upstream wants an http or https address".to_owned());
        }
        if uri.authority().is_some_and(|it| it.as_str().contains('@')) {
            return Err("--upstream holds user information; send it in a header".to_owned());
        }
        match uri.query() {
            Some(_) => Err("--upstream ends before the query".to_owned()),
            None => Ok(()),
        }
    }

    /// For a base URL, such as `https://api.example.com/v1`.
    ///
    /// # Errors
    ///
    /// What is wrong with the URL or the certificates.
    pub(crate) fn new(base: &str, cacert: Option<&Path>) -> Result<Asked, Refused> {
        Asked::check(base)?;
        let mut tls = TlsConfig::builder();
        if let Some(path) = cacert {
            tls = tls.root_certs(certificates(path)?);
        }
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .allow_non_standard_methods(true)
            .user_agent("")
            .accept("")
            .accept_encoding("identity")
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .max_idle_connections(0)
            .tls_config(tls.build())
            .build();
        Ok(Asked {
            base: base.trim_end_matches('/').to_owned(),
            config,
        })
    }
}

impl Upstream {
    pub(crate) const fn new(asked: Asked, recorder: Recorder) -> Upstream {
        let recorder = Mutex::new(recorder);
        Upstream { asked, recorder }
    }

    /// Passes a request on, and what is answered back.
    ///
    /// # Errors
    ///
    /// Those of the application's connection and of the recording.
    pub(crate) fn pass(
        &self,
        stream: &mut TcpStream,
        request: &Request,
        number: u64,
    ) -> io::Result<Played> {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let start = Instant::now();
        let agent = self.asked.config.new_agent();
        let watcher = Watcher::start(stream, agent.clone())?;
        let answered = self.ask(&agent, request);
        let mut response = match answered {
            Ok(response) => response,
            Err(_) if watcher.has_left() => return Ok(left(0)),
            Err(error) => return refuse(stream, &error),
        };
        let status = response.status().as_u16();
        let content_type = response.headers().get(http::header::CONTENT_TYPE);
        let head = Head {
            method: request.method.as_str().into(),
            path: request.path().into(),
            status,
            content_type: content_type.map(|it| String::from_utf8_lossy(it.as_bytes())),
        };
        self.recorder().head(number, start.elapsed(), head)?;
        let is_chunked = request.is_http_11
            && !response
                .headers()
                .contains_key(http::header::CONTENT_LENGTH)
            && request.method != "HEAD"
            && !matches!(status, 204 | 304);
        stream.write_all(&response_head(&response, is_chunked))?;
        let mut body = response.body_mut().as_reader();
        let copied = self.copy(stream, &mut body, is_chunked, (number, start), &watcher);
        let (sent, ending) = copied?;
        let end = match ending {
            Ending::Whole => End::Clean,
            Ending::Left => End::Left,
            _ => End::Cut,
        };
        self.recorder().end(number, start.elapsed(), end)?;
        if ending != Ending::Left {
            finish(stream)?;
        }
        Ok(Played {
            status,
            sent,
            resumed_at: None,
            ending,
        })
    }

    /// Copies the body; how many bytes, and how it ended.
    fn copy(
        &self,
        stream: &mut TcpStream,
        body: &mut impl Read,
        is_chunked: bool,
        (number, start): (u32, Instant),
        watcher: &Watcher,
    ) -> io::Result<(usize, Ending)> {
        let mut buffer = vec![0; BUFFER_LEN];
        let mut sent = 0;
        for read in 1.. {
            let len = body.read(&mut buffer);
            // A shutdown may look like an end.
            if watcher.has_left() {
                return Ok((sent, Ending::Left));
            }
            let bytes = match len {
                Ok(0) if is_chunked => {
                    stream.write_all(b"0\r\n\r\n")?;
                    return Ok((sent, Ending::Whole));
                }
                Ok(0) => return Ok((sent, Ending::Whole)),
                Ok(len) => buffer.get(..len).unwrap_or_default(),
                // The application gets no last chunk either.
                Err(_) => return Ok((sent, Ending::Cut)),
            };
            self.recorder().read(number, start.elapsed(), read, bytes)?;
            let size = format!("{:x}\r\n", bytes.len());
            let framed = match is_chunked {
                true => [size.as_bytes(), bytes, b"\r\n"].concat(),
                false => bytes.to_vec(),
            };
            match stream.write_all(&framed) {
                Err(error) if is_departure(&error) => return Ok((sent, Ending::Left)),
                result => result?,
            }
            sent += bytes.len();
        }
        Ok((sent, Ending::Whole))
    }

    fn ask(
        &self,
        agent: &ureq::Agent,
        request: &Request,
    ) -> Result<http::Response<ureq::Body>, String> {
        if !request.target.starts_with('/') {
            return Err("the target of the request is no path".to_owned());
        }
        let url = format!("{}{}", self.asked.base, request.target);
        let mut asked = http::Request::builder()
            .method(request.method.as_str())
            .uri(url);
        let connection = request.header("connection").unwrap_or_default();
        let connection = String::from_utf8_lossy(connection).to_ascii_lowercase();
        for (name, value) in &request.headers {
            let name = name.to_ascii_lowercase();
            let is_named = connection.split(',').any(|token| token.trim() == name);
            if !is_named && !OF_ONE_CONNECTION.contains(&name.as_str()) {
                asked = asked.header(name, value.as_slice());
            }
        }
        let has_body = ["content-length", "transfer-encoding"];
        let has_body = has_body.iter().any(|name| request.header(name).is_some());
        let answered = match has_body {
            true => asked
                .body(request.body.as_slice())
                .map(|asked| agent.run(asked)),
            false => asked.body(()).map(|asked| agent.run(asked)),
        };
        let answered = answered.map_err(|error| error.to_string())?;
        answered.map_err(|error| error.to_string())
    }

    fn recorder(&self) -> std::sync::MutexGuard<'_, Recorder> {
        // A thread that panicked left whole lines.
        self.recorder.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the upstream's connection as soon as the application has left: the API
/// would go on generating. A FIN is taken for that, though it may end one
/// direction only: while the API is silent, nothing else tells.
///
/// Without it the application's connection ends, whatever went wrong, and with
/// that the thread.
struct Watcher {
    has_left: Arc<AtomicBool>,
    stream: TcpStream,
}

impl Watcher {
    fn start(stream: &TcpStream, agent: ureq::Agent) -> io::Result<Watcher> {
        let has_left = Arc::new(AtomicBool::new(false));
        let (flag, kept) = (Arc::clone(&has_left), stream.try_clone()?);
        let mut stream = stream.try_clone()?;
        stream.set_read_timeout(None)?;
        thread::spawn(move || {
            let mut buffer = [0; 1024];
            while matches!(stream.read(&mut buffer), Ok(len) if len > 0) {}
            flag.store(true, Ordering::Release);
            agent.shutdown();
        });
        let stream = kept;
        Ok(Watcher { has_left, stream })
    }

    fn has_left(&self) -> bool {
        self.has_left.load(Ordering::Acquire)
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
}

/// Tells the application that the upstream could not be asked.
fn refuse(stream: &mut TcpStream, error: &str) -> io::Result<Played> {
    let body = format!("sseam: the upstream cannot be asked: {error}\n");
    let len = body.len();
    let head = "HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/plain\r\n";
    let response = format!("{head}content-length: {len}\r\nconnection: close\r\n\r\n{body}");
    stream.write_all(response.as_bytes())?;
    finish(stream)?;
    Ok(Played {
        status: 502,
        sent: len,
        resumed_at: None,
        ending: Ending::Whole,
    })
}

const fn left(sent: usize) -> Played {
    Played {
        status: 0,
        sent,
        resumed_at: None,
        ending: Ending::Left,
    }
}

fn response_head(response: &http::Response<ureq::Body>, is_chunked: bool) -> Vec<u8> {
    let status = response.status().as_u16();
    let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status)).into_bytes();
    for (name, value) in response.headers() {
        if !OF_ONE_CONNECTION.contains(&name.as_str()) || name == http::header::CONTENT_LENGTH {
            head.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
        }
    }
    if is_chunked {
        head.extend(b"transfer-encoding: chunked\r\n");
    }
    head.extend(b"connection: close\r\n\r\n");
    head
}

fn certificates(path: &Path) -> Result<RootCerts, Refused> {
    let name = crate::source::name(path);
    let pem = std::fs::read(path).map_err(|error| format!("{name}: cannot be read: {error}"))?;
    let certificate = |item: Result<PemItem<'static>, ureq::Error>| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    };
    let found: Vec<Certificate<'static>> = parse_pem(&pem).filter_map(certificate).collect();
    match found.is_empty() {
        true => Err(format!("{name}: holds no certificate in PEM")),
        false => Ok(RootCerts::from(found)),
    }
}

/// Headers that are not passed on: those of one connection, and what the other
/// connection says for itself.
const OF_ONE_CONNECTION: &[&str] = &[
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Larger than what a read gives.
const BUFFER_LEN: usize = 64 * 1024;
