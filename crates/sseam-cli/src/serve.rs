//! The command `serve`: a file, a recording or an upstream to responses, a line
//! for each request, and an exit code.

mod head; // Bytes of a connection -> a request.
mod plan; // A file and flags -> what is sent, and when.
mod play; // A plan -> a response.
mod upstream; // A request -> an API's answer, recorded.

use std::io::{ErrorKind, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use crate::Console;
use crate::args::ServeArgs;
use crate::escape;
use crate::exit::Exit;
use crate::generate;
use crate::get;
use crate::source::name;

use head::Request;
use plan::Plan;
use play::Played;
use upstream::{Asked, Upstream};

/// Where responses come from.
enum Source {
    Plan(Plan),
    Asked(Asked),
}

/// How many requests are answered, and how many were begun.
struct Requests {
    max: u64,
    /// <= `max`
    taken: AtomicU64,
}

/// What is said about a connection.
struct Line {
    text: String,
    /// It is about a request that was answered, as well as that went.
    is_answer: bool,
    /// Whether the client is still to be told that this was no HTTP.
    is_no_http: bool,
}

/// What answers requests.
enum Service {
    Plan(Plan),
    Upstream(Box<Upstream>),
}

impl Requests {
    /// The number of the next request, from 1; `None` if that is one too many.
    fn take(&self) -> Option<u64> {
        let next = |taken| (taken < self.max).then(|| taken + 1);
        let order = Ordering::Relaxed;
        let before = self.taken.fetch_update(order, order, next);
        before.ok().map(|before| before + 1)
    }
}

/// Runs the command, until it is ended or so many requests were answered.
pub(crate) fn serve(args: &ServeArgs, console: &mut Console<'_>) -> Exit {
    let source = match source(args) {
        Ok(source) => source,
        Err(message) => {
            say(console.stderr, &message);
            return Exit::Usage;
        }
    };
    let address = SocketAddr::new(args.listen, args.port);
    let bound = TcpListener::bind(address).and_then(|listener| {
        let address = listener.local_addr()?;
        Ok((listener, address))
    });
    let (listener, address) = match bound {
        Ok(bound) => bound,
        Err(error) => {
            say(
                console.stderr,
                &format!("cannot listen on {address}: {error}"),
            );
            return Exit::Failure;
        }
    };
    // Only now: a mistake in any flag leaves an old recording as it was.
    let service = match service(source, args) {
        Ok(service) => service,
        Err(message) => {
            say(console.stderr, &message);
            return Exit::Usage;
        }
    };
    let written = writeln!(console.stdout, "http://{address}/");
    match generate::written(written, console) {
        Exit::Clean => {}
        exit => return exit,
    }
    let (sender, lines) = mpsc::channel();
    let max = args.requests.map_or(u64::MAX, std::num::NonZeroU64::get);
    let requests = Requests {
        max,
        taken: AtomicU64::new(0),
    };
    thread::spawn(move || accept(&listener, &Arc::new((service, requests)), &sender));
    let mut answered = 0;
    for line in lines {
        say(console.stderr, &line.text);
        answered += u64::from(line.is_answer);
        if answered == max {
            break;
        }
    }
    Exit::Clean
}

/// What the flags ask for.
fn source(args: &ServeArgs) -> Result<Source, String> {
    let recorder = &args.recorder;
    let Some(base) = &recorder.upstream else {
        let file = args.file.as_deref().unwrap_or_else(|| "".as_ref());
        let plan = Plan::load(file, args);
        return plan
            .map(Source::Plan)
            .map_err(|error| format!("{}: {error}", name(file)));
    };
    Asked::new(base, recorder.cacert.as_deref()).map(Source::Asked)
}

/// The same with the recording, which it makes.
fn service(source: Source, args: &ServeArgs) -> Result<Service, String> {
    let recorder = &args.recorder;
    match (source, &recorder.record) {
        (Source::Plan(plan), _) => Ok(Service::Plan(plan)),
        (Source::Asked(asked), Some(path)) => {
            let upstream = Upstream::new(asked, get::recorder(path, recorder.force)?);
            Ok(Service::Upstream(Box::new(upstream)))
        }
        (Source::Asked(_), None) => Err("--upstream wants a --record".to_owned()),
    }
}

fn accept(listener: &TcpListener, service: &Arc<(Service, Requests)>, lines: &Sender<Line>) {
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // No descriptor is left, for one: a client that ends frees its own.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let (service, lines) = (Arc::clone(service), lines.clone());
        thread::spawn(move || converse(stream, &service, &lines));
    }
}

/// Serves one connection. What went wrong before its request is said before it
/// closes: whoever has seen it close finds it among the messages.
fn converse(mut stream: TcpStream, service: &(Service, Requests), lines: &Sender<Line>) {
    let Some(line) = answer(&mut stream, &service.0, &service.1) else {
        return;
    };
    let is_no_http = line.is_no_http;
    let _ = lines.send(line);
    if is_no_http {
        let _ = stream
            .write_all(BAD_REQUEST)
            .and_then(|()| play::finish(&mut stream));
    }
}

/// Answers the request of a connection; what is to be said about it.
fn answer(stream: &mut TcpStream, service: &Service, requests: &Requests) -> Option<Line> {
    let set_up = stream
        .set_nodelay(true)
        .and_then(|()| stream.set_read_timeout(Some(REQUEST_TIMEOUT)));
    let request = set_up.and_then(|()| head::read(stream));
    let request = match request {
        Ok(request) => request?,
        Err(error) => {
            return Some(Line {
                text: format!("no request: {error}"),
                is_answer: false,
                is_no_http: error.kind() == ErrorKind::InvalidData,
            });
        }
    };
    let number = requests.take()?;
    let Request { method, .. } = &request;
    let about = format!("{method} {}", request.path());
    let played = match service {
        Service::Plan(plan) => play::play(stream, plan, &request),
        Service::Upstream(upstream) => upstream.pass(stream, &request, number),
    };
    let result = played.as_ref().map(Played::to_string);
    let result = result.unwrap_or_else(ToString::to_string);
    Some(Line {
        text: escape::escaped(&format!("{about}: {result}")),
        is_answer: true,
        is_no_http: false,
    })
}

fn say(stderr: &mut dyn Write, message: &str) {
    let _ = writeln!(stderr, "sseam: {message}");
}

/// So long a request may take to come.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

const BAD_REQUEST: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
