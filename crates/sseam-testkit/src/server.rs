//! A loopback server that does what a script says, faults included, and tells
//! what its clients did.
//!
//! Each connection gets the next [`Answer`] of the script; what comes after the
//! last one is told 410, so that a client that does not stop is seen to ask
//! again. The script of a case is [`Case::script`](crate::cases::Case::script).
//!
//! ```
//! use std::io::{Read, Write};
//! use std::net::TcpStream;
//! use sseam_testkit::server::{Answer, End, Server};
//!
//! let server = Server::start(vec![Answer::stream().send("data: a\n\n").end(End::Rst)]);
//! let mut client = TcpStream::connect(server.address()).unwrap();
//! client.write_all(b"GET /events HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
//! let mut response = Vec::new();
//! assert!(client.read_to_end(&mut response).is_err()); // the RST
//! assert_eq!(server.requests()[0].target, "/events");
//! ```

mod script; // JSON or calls -> what to do.
mod case; // A case -> its script.
mod record; // What a client did.
mod port; // A port that refuses, listens, or does not answer.
mod tls; // With TLS or without.
mod request; // Bytes -> a request.
mod shared; // What the threads share.
mod connection; // One connection -> its answer.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub use case::ClientSettings;
pub use port::SilentPort;
pub use record::{Closed, Connection, Request};
pub use script::{Answer, End, Framing, Step};

use port::ClosedPort;
use shared::Shared;
use tls::Tls;

/// What a server is to do.
#[derive(Clone)]
pub struct Script {
    answers: Vec<Answer>,
    is_looping: bool,
    tls: Tls,
}

/// A running server; it ends when it is dropped.
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    tls: Tls,
    acceptor: Option<JoinHandle<()>>,
}

impl Script {
    /// Each connection gets the next of `answers`.
    pub fn new(answers: Vec<Answer>) -> Script {
        Script {
            answers,
            is_looping: false,
            tls: Tls::Off,
        }
    }

    /// After the last answer comes the first again.
    #[must_use]
    pub fn looping(mut self) -> Script {
        self.is_looping = true;
        self
    }

    /// Over TLS, with a certificate of its own.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn tls(mut self) -> Script {
        self.tls = Tls::new();
        self
    }

    /// Starts it on a free port.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn start(self) -> Server {
        let port = ClosedPort::bind(0).expect("loopback has a free port");
        let (shared, address) = (Arc::new(Shared::default()), port.address());
        let tls = self.tls.clone();
        let is_open = self.answer(0).is_none_or(|answer| !answer.refuse);
        let acceptor = thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                if let Err(error) = accept(&shared, &self, port) {
                    shared.complain(format!("accepting: {error}"));
                }
            }
        });
        let server = Server {
            shared,
            address,
            tls,
            acceptor: Some(acceptor),
        };
        if is_open {
            server.shared.wait(SOON, |state| state.is_listening);
        }
        server
    }

    fn answer(&self, index: usize) -> Option<&Answer> {
        let len = self.answers.len();
        match self.is_looping && len > 0 {
            true => self.answers.get(index % len),
            false => self.answers.get(index),
        }
    }
}

impl Server {
    /// Starts a server without TLS.
    ///
    /// # Panics
    ///
    /// If loopback has no free port.
    pub fn start(answers: Vec<Answer>) -> Server {
        Script::new(answers).start()
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of `path`, which begins with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.tls.scheme(), self.address)
    }

    /// The certificate that a client must trust, if it speaks TLS.
    pub fn certificate_pem(&self) -> Option<&str> {
        self.tls.certificate_pem()
    }

    /// Ends the refusals that stand at this place of the script.
    ///
    /// The system refuses, and the server does not hear of it: only the client
    /// knows how often it tried.
    pub fn open(&self) {
        self.shared.change(|state| state.opened += 1);
        self.shared.wait(SOON, |state| state.is_listening);
    }

    /// All connections in the order in which they were accepted.
    pub fn connections(&self) -> Vec<Connection> {
        self.shared.state().connections.clone()
    }

    /// All requests that were read so far.
    pub fn requests(&self) -> Vec<Request> {
        let state = self.shared.state();
        let requests = state.connections.iter();
        requests
            .filter_map(|connection| connection.request.clone())
            .collect()
    }

    /// What was not as the script expects, in words.
    pub fn complaints(&self) -> Vec<String> {
        self.shared.state().complaints.clone()
    }

    /// How many connections neither side has ended.
    pub fn open_connections(&self) -> usize {
        self.shared.state().live
    }

    /// Waits until `is_so` of the connections; `false` after `longest`.
    pub fn wait(&self, longest: Duration, is_so: impl Fn(&[Connection]) -> bool) -> bool {
        self.shared.wait(longest, |state| is_so(&state.connections))
    }

    /// Waits until the client has closed a connection; how, if it has.
    pub fn wait_for_close(&self, index: usize, longest: Duration) -> Option<Closed> {
        let closed = |connections: &[Connection]| connections.get(index)?.closed;
        self.wait(longest, |connections| closed(connections).is_some());
        closed(&self.shared.state().connections)
    }

    /// Waits until so many requests were read; `false` after `longest`.
    pub fn wait_for_requests(&self, count: usize, longest: Duration) -> bool {
        self.wait(longest, |connections| {
            let read = connections
                .iter()
                .filter(|connection| connection.request.is_some());
            read.count() >= count
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.change(|state| state.is_stopping = true);
        // Wakes the thread that accepts.
        let _ = TcpStream::connect(self.address);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
        self.shared.wait(SOON, |state| state.live == 0);
    }
}

/// Accepts until the server is stopped.
fn accept(shared: &Arc<Shared>, script: &Script, port: ClosedPort) -> io::Result<()> {
    let address = port.address();
    let (mut port, mut listener) = (Some(port), None::<TcpListener>);
    let (mut next, mut opened) = (0, 0);
    while !shared.state().is_stopping {
        if script.answer(next).is_some_and(|answer| answer.refuse) {
            shared.change(|state| state.is_listening = false);
            drop(listener.take());
            let closed = match port.take() {
                Some(port) => port,
                None => ClosedPort::bind(address.port())?,
            };
            shared.wait(FOREVER, |state| state.is_stopping || state.opened > opened);
            opened += 1;
            while script.answer(next).is_some_and(|answer| answer.refuse) {
                next += 1;
            }
            port = Some(closed);
            continue;
        }
        let open = match (listener.take(), port.take()) {
            (Some(listener), _) => listener,
            (None, Some(port)) => port.listen()?,
            (None, None) => ClosedPort::bind(address.port())?.listen()?,
        };
        shared.change(|state| state.is_listening = true);
        let (stream, _) = open.accept()?;
        listener = Some(open);
        if shared.state().is_stopping {
            return Ok(());
        }
        let answer = script.answer(next).cloned();
        next += 1;
        play(shared, &script.tls, stream, answer.unwrap_or_else(gone));
    }
    Ok(())
}

/// Plays an answer in a thread of its own.
fn play(shared: &Arc<Shared>, tls: &Tls, stream: TcpStream, answer: Answer) {
    let (shared, tls) = (Arc::clone(shared), tls.clone());
    let index = shared.accepted();
    thread::spawn(move || {
        connection::serve(&shared, &tls, stream, index, &answer);
        shared.change(|state| {
            state.live -= 1;
            if let Some(connection) = state.connections.get_mut(index) {
                connection.ended.get_or_insert_with(Instant::now);
            }
        });
    });
}

/// What a client hears after the end of the script.
fn gone() -> Answer {
    Answer::status(410).send("the script is over")
}

/// Longer than any test.
const FOREVER: Duration = Duration::from_secs(3600);

/// Upper bound of what takes no time.
const SOON: Duration = Duration::from_secs(10);
