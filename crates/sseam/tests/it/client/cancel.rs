//! A cancel in every state, over and over: how long it takes to be heard.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use sseam::Delays;
use sseam::client::{ClientError, EventSource, Request};
use sseam_testkit::server::{Answer, Connection, End, Script, Server, SilentPort};

use super::setup::{millis, read};

/// So often in each state.
const RUNS: usize = 200;

/// Ninety-nine of a hundred cancels are heard by then.
const HEARD_AFTER: Duration = Duration::from_millis(100);

/// Cancels `RUNS` sources, each some milliseconds after it began to wait, and
/// asserts how long it takes until the read comes back.
fn check(name: &str, open: impl Fn() -> EventSource, wait: impl Fn(usize)) {
    let mut times: Vec<Duration> = (0..RUNS).map(|run| one(open(), run, &wait)).collect();
    times.sort();
    let p99 = times[RUNS * 99 / 100 - 1];
    println!(
        "cancel while {name}: median {:?}, p99 {p99:?}",
        times[RUNS / 2]
    );
    assert!(p99 < HEARD_AFTER, "{name}: p99 {p99:?}");
}

/// Cancels once `wait` says that the source has come to the state, and a bit.
fn one(mut source: EventSource, run: usize, wait: &impl Fn(usize)) -> Duration {
    let canceller = source.canceller();
    let thread = thread::spawn(move || {
        let run = read(&mut source, usize::MAX);
        let end = Instant::now();
        // The socket is closed by now, or this is no end.
        drop(source);
        assert!(matches!(run.error, Some(ClientError::Cancelled)), "{run:?}");
        end
    });
    wait(run);
    // Another moment of the wait each time.
    thread::sleep(millis(2) + Duration::from_micros(run as u64 * 37 % 4000));
    let start = Instant::now();
    canceller.cancel();
    let end = thread.join().expect("a source that was cancelled");
    end.saturating_duration_since(start)
}

/// Waits until so much of the connection with the run's number is done.
fn until(server: &Server, is_so: fn(&Connection) -> bool) -> impl Fn(usize) {
    move |run| {
        let has_come = server.wait(millis(5000), |all| all.get(run).is_some_and(is_so));
        assert!(has_come, "connection {run} did not come so far");
    }
}

fn is_asked(connection: &Connection) -> bool {
    connection.request.is_some()
}

fn is_sent(connection: &Connection) -> bool {
    !connection.sent.is_empty()
}

/// For states that no server sees.
fn a_while(_: usize) {
    thread::sleep(millis(5));
}

/// A server that answers each connection in the same way.
fn server(answer: Answer, has_tls: bool) -> Server {
    let script = Script::new(vec![answer]).looping();
    if has_tls {
        script.tls().start()
    } else {
        script.start()
    }
}

fn get(server: &Server) -> Request {
    let request = Request::get(server.url("/"));
    #[cfg(feature = "client-rustls")]
    if let Some(pem) = server.certificate_pem() {
        return request.root_certificates(pem);
    }
    request
}

fn open(request: Request) -> EventSource {
    request.open().expect("a good request")
}

const KINDS: &[bool] = if cfg!(feature = "client-rustls") {
    &[false, true]
} else {
    &[false]
};

fn words(state: &str, has_tls: bool) -> String {
    let kind = if has_tls { "TLS" } else { "plain" };
    format!("{state} ({kind})")
}

#[test]
fn while_connecting() {
    let silent = SilentPort::open().expect("a port that is silent");
    for has_tls in KINDS {
        let scheme = if *has_tls { "https" } else { "http" };
        let url = |address: SocketAddr| format!("{scheme}://{address}/");
        let connect = || open(Request::get(url(silent.address())));
        check(&words("connecting", *has_tls), connect, a_while);
    }
}

#[cfg(feature = "client-rustls")]
#[test]
fn while_securing() {
    let server = server(Answer::silent(), false);
    let url = server.url("/").replace("http:", "https:");
    check(
        "securing (TLS)",
        || open(Request::get(&url)),
        until(&server, |_| true),
    );
}

#[test]
fn while_waiting_for_the_head() {
    for has_tls in KINDS {
        let server = server(Answer::accept_only(), *has_tls);
        let name = words("waiting for the head", *has_tls);
        check(&name, || open(get(&server)), until(&server, is_asked));
    }
}

#[test]
fn while_reading() {
    for has_tls in KINDS {
        let server = server(
            Answer::stream().send("data: a\n\n").end(End::Hold),
            *has_tls,
        );
        let name = words("reading", *has_tls);
        check(&name, || open(get(&server)), until(&server, is_sent));
    }
}

#[test]
fn while_reading_to_the_end_of_the_connection() {
    let stream = Answer::stream().framing(sseam_testkit::server::Framing::Close);
    let server = server(stream.send("data: a\n\n").end(End::Hold), false);
    check(
        "reading (close-delimited)",
        || open(get(&server)),
        until(&server, is_sent),
    );
}

#[test]
fn while_an_explanation_is_read() {
    let answer = Answer::status(404).send("because").end(End::Hold);
    let server = server(answer, false);
    let patient = |request: Request| request.error_body_timeout(Duration::from_secs(60));
    let name = "reading an explanation";
    check(
        name,
        || open(patient(get(&server))),
        until(&server, is_sent),
    );
}

#[test]
fn while_backing_off() {
    for has_tls in KINDS {
        let answer = Answer::stream().send("retry: 60000\ndata: a\n\n");
        let server = server(answer, *has_tls);
        let again = |request: Request| request.reconnect(Delays::UNLIMITED);
        let is_over = |connection: &Connection| connection.ended.is_some();
        let name = words("backing off", *has_tls);
        check(&name, || open(again(get(&server))), until(&server, is_over));
    }
}

#[test]
fn a_cancel_before_the_first_read_sends_nothing() {
    let server = server(Answer::stream(), false);
    let mut source = open(get(&server));
    source.canceller().cancel();
    assert!(matches!(source.receive(), Err(ClientError::Cancelled)));
    assert!(matches!(source.receive(), Ok(None)));
    assert!(server.connections().is_empty());
    assert_eq!(source.report().outcome.exit_code(), 130);
}

#[test]
fn a_cancel_after_the_end_changes_nothing() {
    let server = server(Answer::stream().send("data: a\n\n"), false);
    let mut source = open(get(&server));
    let before = read(&mut source, usize::MAX).report;
    source.canceller().cancel();
    assert!(matches!(source.receive(), Ok(None)));
    assert_eq!(source.report(), before);
}

#[test]
fn what_was_received_is_drained() {
    let events: String = (0..500).map(|index| format!("data: {index}\n\n")).collect();
    let server = server(
        Answer::stream()
            .send(&events)
            .send("data: cut")
            .end(End::Hold),
        false,
    );
    let recorded = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&recorded);
    let request = get(&server).on_read(move |read| {
        record
            .lock()
            .expect("a record")
            .extend_from_slice(read.bytes);
    });
    let mut source = open(request);
    let first = read(&mut source, 3).data;
    assert_eq!(first, ["0", "1", "2"]);
    // Without a cancel too, and without waiting.
    let some: Vec<_> = source
        .drain()
        .take(2)
        .map(|event| event.data().to_string())
        .collect();
    assert_eq!(some, ["3", "4"]);
    source.canceller().cancel();
    assert!(matches!(source.receive(), Err(ClientError::Cancelled)));
    let rest: Vec<_> = source
        .drain()
        .map(|event| event.data().to_string())
        .collect();
    assert_eq!(rest.first().map(String::as_str), Some("5"));
    assert_eq!(
        rest.last().map(String::as_str),
        Some("499"),
        "up to the last that is whole"
    );
    assert_eq!(rest.len(), 495);
    assert_eq!(source.drain().count(), 0);
    // A recording has all that events were made of.
    assert!(
        recorded
            .lock()
            .expect("a record")
            .starts_with(events.as_bytes())
    );
    let report = source.report();
    assert_eq!(
        (report.counters.events, report.outcome.exit_code()),
        (500, 130)
    );
}

#[test]
fn a_callbacks_error_comes_back_with_the_rest() {
    let server = server(
        Answer::stream()
            .send("data: 1\n\ndata: 2\n\ndata: 3\n\n")
            .end(End::Hold),
        false,
    );
    let mut seen = 0;
    let outcome = open(get(&server)).for_each(|_| {
        seen += 1;
        if seen == 2 { Err("stop") } else { Ok(()) }
    });
    let Err(sseam::client::ForEachError::Callback { error, mut source }) = outcome else {
        panic!("the callback's error");
    };
    assert_eq!(error, "stop");
    let rest: Vec<_> = source
        .drain()
        .map(|event| event.data().to_string())
        .collect();
    assert_eq!(rest, ["3"]);
    assert!(matches!(source.receive(), Ok(None)));
}
