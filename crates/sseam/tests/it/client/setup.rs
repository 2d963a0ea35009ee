//! Scripts and cases come in; servers, requests and what came of them go out.

use std::time::{Duration, Instant};

use sseam::client::{ClientError, EventSource, Received, Report, Request};
use sseam::llm::{Timeout, TransportEnd};
use sseam::{Delays, Item};
use sseam_testkit::cases::{self, Case};
use sseam_testkit::server::{Answer, Server};

pub(crate) fn millis(value: u64) -> Duration {
    Duration::from_millis(value)
}

/// A case, its server, and a request as the case asks for.
pub(crate) fn case(id: &str) -> (Server, Request) {
    let case = named(id);
    let server = Server::start(case.script().expect("a script"));
    let request = request(case, &server);
    (server, request)
}

pub(crate) fn named(id: &str) -> &'static Case {
    let mut all = cases::layer("client");
    all.find(|case| case.id == id)
        .unwrap_or_else(|| panic!("no case {id}"))
}

/// The request of a case to a server.
pub(crate) fn request(case: &Case, server: &Server) -> Request {
    let settings = case.client();
    let method = settings.method.as_deref().unwrap_or("GET");
    let mut request = Request::new(method, server.url("/events"));
    if method == "POST" {
        request = request.body("{}");
    }
    if let Some(time) = settings.idle_ms {
        request = request.idle_timeout(millis(time));
    }
    if let Some(time) = settings.progress_ms {
        request = request.progress_timeout(millis(time));
    }
    if let Some(time) = settings.header_ms {
        request = request.header_timeout(millis(time));
    }
    if let Some(time) = settings.error_body_ms {
        request = request.error_body_timeout(millis(time));
    }
    if let Some(id) = &settings.last_event_id {
        request = request.last_event_id(id);
    }
    for (name, value) in &settings.headers {
        request = request.header(name, value);
    }
    let mut delays = Delays::UNLIMITED;
    delays.base = millis(settings.base_ms.unwrap_or(20));
    delays.floor = millis(settings.floor_ms.unwrap_or(1));
    if let Some(attempts) = settings.max_attempts {
        delays.attempts_max = attempts.unwrap_or(u32::MAX);
    }
    if let Some(attempts) = settings.retry_before_first_event {
        delays.attempts_max = attempts;
        request = request.retry_post(true).reconnect(delays);
    }
    if settings.reconnect == Some(true) {
        request = request.reconnect(delays);
    }
    request
}

/// What a source gave, up to its end.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) data: Vec<String>,
    /// For each further connection, whether it is resumable, and how many events
    /// had been given before it.
    pub(crate) reconnected: Vec<(bool, usize)>,
    pub(crate) error: Option<ClientError>,
    pub(crate) report: Report,
    pub(crate) elapsed: Duration,
}

/// Reads a source until it ends, or until it has given `count` events.
pub(crate) fn read(source: &mut EventSource, count: usize) -> Run {
    let start = Instant::now();
    let (mut data, mut reconnected) = (Vec::new(), Vec::new());
    let mut error = None;
    while data.len() < count {
        match source.receive() {
            Ok(Some(Received::Item(Item::Event(event), _))) => data.push(event.data().to_string()),
            Ok(Some(Received::Reconnected(news))) => {
                reconnected.push((news.is_resumable, data.len()));
            }
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(failure) => {
                error = Some(failure);
                // It is said once, and nothing follows.
                assert!(matches!(source.receive(), Ok(None)));
                break;
            }
        }
    }
    let (report, elapsed) = (source.report(), start.elapsed());
    Run {
        data,
        reconnected,
        error,
        report,
        elapsed,
    }
}

/// Reads all that a request leads to.
pub(crate) fn run(request: Request) -> Run {
    read(&mut request.open().expect("a good request"), usize::MAX)
}

/// What one answer of a server leads to.
pub(crate) fn run_against(answer: Answer, change: impl FnOnce(Request) -> Request) -> Run {
    let server = Server::start(vec![answer]);
    let run = run(change(Request::get(server.url("/events"))));
    assert_eq!(server.complaints(), Vec::<String>::new());
    run
}

/// How the body ended, if that is what went wrong.
pub(crate) fn transport(run: &Run) -> Option<TransportEnd> {
    match &run.error {
        Some(ClientError::Truncated(truncated)) => Some(truncated.transport),
        _ => None,
    }
}

/// Which timeout it was, if it was one.
pub(crate) fn timeout(error: &Option<ClientError>) -> Option<Timeout> {
    match error {
        Some(ClientError::TimedOut(timed_out)) => Some(timed_out.timeout),
        _ => None,
    }
}

/// Asserts that a time is at least `low` and not absurdly more.
#[track_caller]
pub(crate) fn took(elapsed: Duration, low: u64) {
    // A timer of the system may be early by its own grain.
    assert!(
        elapsed + millis(2) >= millis(low),
        "{elapsed:?} is under {low} ms"
    );
    assert!(
        elapsed < millis(low + 2000),
        "{elapsed:?} is far over {low} ms"
    );
}
