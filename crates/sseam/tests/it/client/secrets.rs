//! What must not be shown: no `Debug`, no `Display`, no log line holds it,
//! whatever goes wrong.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once};

use sseam::client::{ClientError, Request};
use sseam::llm::Dialect;
use sseam_testkit::server::{Answer, End, Server};

use super::setup::millis;

/// In every place where a request or a stream can hold something.
const SECRET: &str = "hunter2";

/// Lines that hold the secret.
static LEAKS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Lines of ours, and of ureq.
static LINES: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Takes all lines of ours, and those of ureq that the documentation does not
/// tell to leave off.
struct Logger;

impl log::Log for Logger {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= log::Level::Debug || metadata.target().starts_with("sseam")
    }

    fn log(&self, record: &log::Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let index = usize::from(!record.target().starts_with("sseam"));
        LINES[index].fetch_add(1, Ordering::Relaxed);
        let line = format!("{}: {}", record.target(), record.args());
        if line.contains(SECRET)
            && let Ok(mut leaks) = LEAKS.lock()
        {
            leaks.push(line);
        }
    }

    fn flush(&self) {}
}

fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Logger).expect("no other logger");
        log::set_max_level(log::LevelFilter::Trace);
    });
}

#[track_caller]
fn check(what: &str, shown: &str) {
    assert!(!shown.contains(SECRET), "{what}: {shown}");
}

/// A request that is full of it.
fn request(server: &Server) -> Request {
    let url = server.url(&format!("/{SECRET}/path?key={SECRET}"));
    Request::post(url, format!("{{\"prompt\":\"{SECRET}\"}}"))
        .header("Authorization", format!("Bearer {SECRET}"))
        .header("X-Other", SECRET)
        .last_event_id(SECRET)
        .idle_timeout(millis(200))
        .follow_post(true)
        .dialect(Dialect::Custom)
}

#[test]
fn nothing_is_shown_whatever_happens() {
    listen();
    let event = format!("event: {SECRET}\nid: {SECRET}\ndata: {SECRET}\n\n: {SECRET}\n{SECRET}\n");
    let stream = || Answer::stream().header("x-echo", SECRET).send(&event);
    let to = |location: String| Answer::status(307).header("location", &location);
    let scripts = vec![
        vec![stream()],
        vec![stream().end(End::Rst)],
        vec![stream().end(End::TruncateChunked)],
        vec![stream().end(End::BadChunk)],
        vec![stream().end(End::Hold)],
        vec![stream().send(format!("data: {SECRET}"))],
        vec![Answer::status(401).header("x-echo", SECRET).send(SECRET)],
        vec![
            Answer::status(500)
                .header("retry-after", SECRET)
                .send(SECRET),
        ],
        vec![
            Answer::status(200)
                .header("content-type", "text/plain")
                .send(SECRET),
        ],
        vec![stream().header("content-encoding", "gzip")],
        vec![to(format!("/{SECRET}?{SECRET}")), stream()],
        vec![to(format!("ftp://{SECRET}/"))],
        vec![to(format!("http://{SECRET}:{SECRET}@localhost/"))],
        vec![to(format!("//nowhere.invalid/{SECRET}"))],
        vec![Answer {
            raw_head: Some(format!("{SECRET}\r\n\r\n")),
            ..Answer::stream()
        }],
        vec![Answer {
            reset: true,
            ..Answer::stream()
        }],
    ];
    for (index, script) in scripts.into_iter().enumerate() {
        let server = Server::start(script);
        let request = request(&server).on_read(|read| check("a read", &format!("{read:?}")));
        check("a request", &format!("{request:?}"));
        let mut source = request.open().expect("a request");
        loop {
            check("a source", &format!("{source:?} {:?}", source.canceller()));
            match source.receive() {
                Ok(Some(received)) => check("received", &format!("{received:?}")),
                Ok(None) => break,
                Err(error) => {
                    check("an error", &format!("{index}: {error} {error:?}"));
                    check(
                        "its source",
                        &format!("{:?}", std::error::Error::source(&error)),
                    );
                }
            }
        }
        let report = source.report();
        check(
            "a report",
            &format!("{report} {:?} {:?}", report.counters, source.head()),
        );
        check("a drain", &format!("{:?}", source.drain()));
    }
    check_lines();
}

#[test]
fn what_is_wrong_with_a_request_is_said_without_it() {
    for url in [
        format!("http://me:{SECRET}@a/"),
        format!("ftp://{SECRET}/"),
        SECRET.to_owned(),
        format!("http://a/ {SECRET}"),
    ] {
        let request = Request::get(url).header("a", SECRET);
        check("a request", &format!("{request:?}"));
        let error = request.open().expect_err("no request");
        check("its error", &format!("{error} {error:?}"));
    }
}

#[test]
fn a_host_that_is_not_there() {
    listen();
    let url = format!("http://127.0.0.1:9/{SECRET}?{SECRET}");
    let mut source = Request::get(url)
        .header("cookie", SECRET)
        .open()
        .expect("a request");
    let error = source.receive().expect_err("nobody listens");
    assert!(matches!(error, ClientError::Connect(_)));
    check("an error", &format!("{error} {error:?}"));
    check_lines();
}

#[track_caller]
fn check_lines() {
    let leaks = LEAKS.lock().expect("no panic with the lock");
    assert!(leaks.is_empty(), "{leaks:#?}");
    // Lines came at all.
    assert!(LINES[1].load(Ordering::Relaxed) > 0);
    let ours = LINES[0].load(Ordering::Relaxed);
    assert_eq!(ours > 0, cfg!(feature = "log"));
}

#[test]
fn what_servers_repeat_can_be_made_unreadable() {
    let echo = format!("bad key {SECRET} in {{\"prompt\":\"{SECRET}\"}} at /x?key={SECRET}");
    let server = Server::start(vec![Answer::status(400).send(&echo)]);
    let mut source = request(&server).open().expect("a request");
    let Err(ClientError::Status(error)) = source.receive() else {
        panic!("a status");
    };
    assert_eq!(error.body(), echo.as_bytes());
    let shown = source.redact(error.body());
    assert_eq!(
        String::from_utf8_lossy(&shown),
        "bad key *** in *** at /x?key=***"
    );
    // Our own words are no secrets.
    let kept = source.redact(b"no text/event-stream, no identity, no no-store");
    assert_eq!(kept, b"no text/event-stream, no identity, no no-store");
}

/// What is left of what a server says that stalls in the middle of it.
#[test]
fn what_was_cut_off_inside_a_value_is_made_unreadable_too() {
    for status in [401, 200] {
        let stalls = Answer::status(status)
            .header("content-type", "text/plain")
            .send("bad key hun")
            .end(End::Hold);
        let server = Server::start(vec![stalls]);
        let request = request(&server).error_body_timeout(millis(100));
        let mut source = request.open().expect("a request");
        let (body, is_cut) = match source.receive() {
            Err(ClientError::Status(error)) => (error.body().to_vec(), error.body_is_cut()),
            Err(ClientError::NotEventStream(error)) => (error.body().to_vec(), error.body_is_cut()),
            other => panic!("{other:?}"),
        };
        assert!(is_cut);
        assert_eq!(source.redact_cut(&body), b"bad key ***");
    }
}
