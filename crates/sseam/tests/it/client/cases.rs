//! The client cases of `testdata/cases`, one test each.

use std::time::{Duration, Instant};

use sseam::Delays;
use sseam::client::{ClientError, ForEachError, Received, Request, Unfit};
use sseam::llm::{Ending, Timeout, TransportEnd};
use sseam_testkit::server::{Answer, End, Script, Server};

use super::setup::{case, millis, named, read, request, run, run_against, timeout, took};

const SOON: Duration = Duration::from_secs(5);

#[test]
fn every_client_case_is_a_test() {
    let tests = include_str!("cases.rs");
    for case in sseam_testkit::cases::layer("client") {
        let name = format!("fn {}_", case.id.to_lowercase());
        assert!(tests.contains(&name), "no test of {}", case.id);
    }
}

#[test]
fn c01_silence_is_an_idle_timeout() {
    let (server, request) = case("C01");
    let run = run(request);
    assert_eq!(run.data, ["a"]);
    assert_eq!(timeout(&run.error), Some(Timeout::Idle));
    let Some(ClientError::TimedOut(timed_out)) = run.error else {
        unreachable!()
    };
    assert_eq!(timed_out.events, 1);
    took(timed_out.elapsed, 300);
    assert_eq!(run.report.outcome.exit_code(), 21);
    assert!(server.wait_for_close(0, SOON).is_some());
}

#[test]
fn c02_comments_are_no_progress() {
    let (_server, request) = case("C02");
    let run = run(request);
    assert_eq!(run.data, ["a"]);
    assert_eq!(timeout(&run.error), Some(Timeout::Progress));
    took(run.elapsed, 500);
    // The last comment came at 500 ms: it would have put that off to a second.
    assert!(run.elapsed < millis(950), "{:?}", run.elapsed);
}

#[test]
fn c03_comments_are_life() {
    let (_server, request) = case("C03");
    let run = run(request);
    assert_eq!(run.data, ["a", "b"]);
    assert!(run.error.is_none());
    assert_eq!(run.report.outcome.ending, Ending::Ended);
}

#[test]
fn c05_each_kind_of_failure_has_its_own_error() {
    let codes = |answer: Answer, change: fn(Request) -> Request| {
        let run = run_against(answer, change);
        (
            run.error.map(|error| name(&error)),
            run.report.outcome.exit_code(),
        )
    };
    let same = |request| request;
    let stream = || Answer::stream().send("data: a\n\n");
    assert_eq!(codes(stream().end(End::Cut), same), (Some("Truncated"), 20));
    assert_eq!(codes(stream().end(End::Rst), same), (Some("Truncated"), 20));
    assert_eq!(codes(Answer::status(500), same), (Some("Status"), 30));
    let plain = Answer::status(200).header("content-type", "text/plain");
    assert_eq!(codes(plain, same), (Some("NotEventStream"), 31));
    let reset = Answer {
        reset: true,
        ..Answer::stream()
    };
    assert_eq!(codes(reset, same), (Some("Transport"), 40));
    let garbage = Answer {
        raw_head: Some("HELLO\r\n\r\n".to_owned()),
        ..Answer::stream()
    };
    assert_eq!(codes(garbage, same), (Some("Transport"), 40));
    let idle = |request: Request| request.idle_timeout(millis(50));
    assert_eq!(codes(stream().end(End::Hold), idle), (Some("TimedOut"), 21));
    let small = |request: Request| {
        request.limits(sseam::Limits {
            data_len_max: 0,
            ..sseam::Limits::LARGE
        })
    };
    assert_eq!(codes(stream(), small), (Some("Limit"), 22));
    let refused = Server::start(vec![Answer::refuse()]);
    let refused = run(Request::get(refused.url("/")));
    assert!(matches!(
        refused.error,
        Some(ClientError::Connect(std::io::ErrorKind::ConnectionRefused))
    ));
    assert_eq!(refused.report.outcome.exit_code(), 40);
    let unknown = run(Request::get("http://no-such-host.invalid/"));
    assert!(
        matches!(unknown.error, Some(ClientError::Resolve)),
        "{unknown:?}"
    );
}

fn name(error: &ClientError) -> &'static str {
    match error {
        ClientError::Resolve => "Resolve",
        ClientError::Connect(_) => "Connect",
        ClientError::Transport(_) => "Transport",
        ClientError::TimedOut(_) => "TimedOut",
        ClientError::Status(_) => "Status",
        ClientError::NotEventStream(_) => "NotEventStream",
        ClientError::Truncated(_) => "Truncated",
        ClientError::Limit(_) => "Limit",
        _ => "another",
    }
}

#[test]
fn c06_no_head_is_a_header_timeout() {
    let (_server, request) = case("C06");
    let run = run(request);
    assert_eq!(timeout(&run.error), Some(Timeout::Headers));
    took(run.elapsed, 300);
}

#[test]
fn c07_the_server_sees_the_end_at_once() {
    let within = |server: &Server, since: Instant| {
        let closed = server.wait_for_close(0, SOON).expect("a close");
        let late = closed.at.saturating_duration_since(since);
        assert!(late < millis(100), "closed after {late:?}");
    };
    let (server, request) = case("C07");
    let mut source = request.open().expect("a request");
    assert_eq!(read(&mut source, 1).data, ["a"]);
    let start = Instant::now();
    source.canceller().cancel();
    within(&server, start);
    assert!(matches!(source.receive(), Err(ClientError::Cancelled)));

    let (server, request) = case("C07");
    let mut source = request.open().expect("a request");
    assert_eq!(read(&mut source, 1).data, ["a"]);
    let start = Instant::now();
    drop(source);
    within(&server, start);

    let (server, request) = case("C07");
    let mut start = None;
    let outcome = request.open().expect("a request").for_each(|received| {
        assert!(matches!(received, Received::Item(..)));
        start = Some(Instant::now());
        Err("enough")
    });
    let Err(ForEachError::Callback { error, source }) = outcome else {
        panic!("the callback's error comes back");
    };
    within(&server, start.expect("a callback"));
    // Also while the source is kept.
    drop(source);
    assert_eq!(error, "enough");
}

#[test]
fn c09_cancel_ends_a_back_off() {
    let (server, request) = case("C09");
    let mut source = request.open().expect("a request");
    let canceller = source.canceller();
    let thread = std::thread::spawn(move || {
        server.wait_for_close(0, SOON);
        std::thread::sleep(millis(50));
        let start = Instant::now();
        canceller.cancel();
        (start, server.requests().len())
    });
    let run = read(&mut source, usize::MAX);
    let end = Instant::now();
    let (start, requests) = thread.join().expect("a cancel");
    assert!(matches!(run.error, Some(ClientError::Cancelled)));
    assert!(end.saturating_duration_since(start) < millis(100));
    assert_eq!((run.data.len(), requests), (1, 1));
    assert_eq!(run.report.outcome.exit_code(), 130);
}

#[test]
fn c10_empty_streams_are_no_success() {
    let (server, request) = case("C10");
    let run = run(request);
    let Some(ClientError::GaveUp { attempts, last }) = &run.error else {
        panic!("{run:?}");
    };
    assert_eq!(*attempts, 5);
    assert!(matches!(**last, ClientError::Truncated(_)));
    assert_eq!(run.report.outcome.exit_code(), 20);
    assert_eq!(run.report.requests, 6);
    let times: Vec<_> = server
        .connections()
        .iter()
        .map(|one| one.accepted)
        .collect();
    let gaps: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps.len(), 5);
    // 20, 40, 80, 160, 320 ms, each within a quarter.
    for (gap, low) in gaps.iter().zip([15, 30, 60, 120, 240]) {
        took(*gap, low);
    }
}

#[test]
fn c11_one_fault_is_one_error() {
    let (server, request) = case("C11");
    let run = run(request);
    assert_eq!(run.data, ["a"]);
    assert!(
        matches!(run.error, Some(ClientError::Truncated(_))),
        "{run:?}"
    );
    assert!(server.wait_for_close(0, SOON).is_some());
    assert_eq!(server.connections().len(), 1);
}

#[test]
fn c12_delays_double() {
    let (server, request) = case("C12");
    let delays = Delays {
        base: millis(100),
        attempts_max: 3,
        ..Delays::DEFAULT
    };
    let run = run(request.reconnect(delays));
    assert!(matches!(
        run.error,
        Some(ClientError::GaveUp { attempts: 3, .. })
    ));
    assert_eq!(run.report.requests, 4);
    // 100 + 200 + 400 ms, each within a quarter.
    took(run.elapsed, 525);
    drop(server);
}

#[test]
fn c13_a_post_is_sent_once() {
    let (server, request) = case("C13");
    let run = run(request);
    assert_eq!(run.data, ["a"]);
    assert!(run.error.is_none());
    std::thread::sleep(millis(100));
    assert_eq!(server.requests().len(), 1);
    assert_eq!(server.requests()[0].method, "POST");
    // Faults do not make it two either.
    let broken = Server::start(vec![
        Answer::status(503),
        Answer::stream().send("data: a\n\n"),
    ]);
    let run = super::setup::run(request_post(&broken).reconnect(Delays::UNLIMITED));
    assert!(matches!(run.error, Some(ClientError::Status(_))));
    assert_eq!(broken.requests().len(), 1);
}

fn request_post(server: &Server) -> Request {
    Request::post(server.url("/"), "{}")
}

#[test]
fn c14_after_output_nothing_is_repeated() {
    let (server, request) = case("C14");
    let run = run(request);
    assert_eq!(run.data, ["half"]);
    let Some(ClientError::Truncated(truncated)) = &run.error else {
        panic!("{run:?}");
    };
    assert_eq!(truncated.transport, TransportEnd::Reset);
    assert!(!run.report.retry_is_safe);
    assert_eq!(server.requests().len(), 1);
    // Before the first event it is, as it was asked for.
    let nothing = || Answer::stream().end(End::Rst);
    let server = Server::start(vec![
        nothing(),
        nothing(),
        Answer::stream().send("data: a\n\n"),
    ]);
    let request = super::setup::request(named("C14"), &server);
    let run = super::setup::run(request);
    assert_eq!(run.data, ["a"], "{run:?}");
    assert!(run.error.is_none());
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.body == b"{}")
    );
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn c15_a_permanent_status_ends_it() {
    for status in [401, 400, 403, 404, 410] {
        let mut script = named("C15").script().expect("a script");
        script[0].status = status;
        let server = Server::start(script);
        let run = run(request(named("C15"), &server));
        let Some(ClientError::Status(error)) = &run.error else {
            panic!("{run:?}");
        };
        assert_eq!(error.status(), status);
        assert_eq!(error.body(), br#"{"error":"bad key"}"#);
        assert!(!error.body_is_cut());
        assert_eq!(run.report.outcome.ending, Ending::FailedStatus(status));
        std::thread::sleep(millis(50));
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn c16_retry_after_is_waited_for() {
    for status in [429, 408, 503, 500] {
        let mut script = named("C16").script().expect("a script");
        script[0].status = status;
        let server = Server::start(script);
        let mut source = request(named("C16"), &server).open().expect("a request");
        assert_eq!(read(&mut source, 1).data, ["ok"]);
        let times: Vec<_> = server
            .connections()
            .iter()
            .map(|one| one.accepted)
            .collect();
        took(times[1] - times[0], 1000);
    }
}

#[test]
fn c17_no_content_ends_it() {
    let (server, request) = case("C17");
    let run = run(request);
    assert!(run.error.is_none(), "{run:?}");
    assert_eq!(run.report.outcome.exit_code(), 0);
    std::thread::sleep(millis(100));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn c18_the_explanation_is_kept() {
    let (_server, request) = case("C18");
    let run = run(request);
    let Some(ClientError::Status(error)) = &run.error else {
        panic!("{run:?}");
    };
    assert_eq!(error.status(), 400);
    assert_eq!(
        error.head().header("Content-Type"),
        Some(&b"application/json"[..])
    );
    assert_eq!(error.body(), br#"{"error":{"message":"model not found"}}"#);
    // At most 64 KiB of it.
    for (len, is_cut) in [(65_536, false), (65_537, true)] {
        let long = Answer::status(400).send("x".repeat(len));
        let run = run_against(long, |request| request);
        let Some(ClientError::Status(error)) = &run.error else {
            panic!("{run:?}");
        };
        assert_eq!((error.body().len(), error.body_is_cut()), (65_536, is_cut));
    }
}

#[test]
fn c19_an_explanation_without_end_takes_its_time_and_no_more() {
    let (server, request) = case("C19");
    let run = run(request);
    let Some(ClientError::Status(error)) = &run.error else {
        panic!("{run:?}");
    };
    assert_eq!((error.status(), error.body()), (404, &br#"{"error":"#[..]));
    assert!(error.body_is_cut());
    took(run.elapsed, 300);
    assert!(server.wait_for_close(0, SOON).is_some());
}

#[test]
fn c21_text_is_no_stream() {
    let (_server, request) = case("C21");
    let run = run(request);
    let Some(ClientError::NotEventStream(error)) = &run.error else {
        panic!("{run:?}");
    };
    assert_eq!(error.reason(), Unfit::ContentType);
    assert_eq!(error.body(), b"service is being upgraded");
    assert_eq!(run.report.outcome.exit_code(), 31);
}

#[test]
fn c24_the_last_id_is_sent_every_time() {
    let (server, request) = case("C24");
    let mut source = request.open().expect("a request");
    let run = read(&mut source, 3);
    assert_eq!(run.data, ["a", "b", "c"]);
    assert_eq!(run.reconnected, [(true, 1), (true, 2)]);
    let ids = |server: &Server| -> Vec<Option<String>> {
        let requests = server.requests();
        let id = |request: &sseam_testkit::server::Request| {
            request.header("last-event-id").map(str::to_owned)
        };
        requests.iter().map(id).collect()
    };
    assert_eq!(
        ids(&server),
        [None, Some("1".to_owned()), Some("2".to_owned())]
    );
    assert_eq!(server.complaints(), Vec::<String>::new());
}

#[test]
fn c25_an_id_outlives_empty_streams() {
    let (server, request) = case("C25");
    let mut source = request.open().expect("a request");
    assert_eq!(read(&mut source, 1).data, ["x"]);
    assert_eq!(source.last_event_id(), "e2");
    assert_eq!(server.requests().len(), 3);
    assert_eq!(server.complaints(), Vec::<String>::new());
}

#[test]
fn c26_events_without_ids_are_not_repeated_in_silence() {
    let (server, request) = case("C26");
    let mut source = request.open().expect("a request");
    let run = read(&mut source, 5);
    assert_eq!(run.data, ["a", "b", "a", "b", "c"]);
    assert_eq!(
        run.reconnected,
        [(false, 2)],
        "before the first repeated event"
    );
    drop((server, source));
    // Who cannot be told is not given them at all.
    let (server, request) = case("C26");
    let source = request.open().expect("a request");
    let events: Vec<_> = source.into_iter().collect();
    assert_eq!(events.len(), 3);
    assert!(matches!(events[2], Err(ClientError::Repeats)));
    assert_eq!(server.requests().len(), 1);
    // Unless it is all the same to them.
    let (_server, request) = case("C26");
    let source = request.allow_repeats(true).open().expect("a request");
    assert_eq!(source.into_iter().take(5).filter(Result::is_ok).count(), 5);
}

#[test]
fn c28_retry_zero_is_no_hot_loop() {
    let (server, request) = case("C28");
    let mut source = request.open().expect("a request");
    assert_eq!(read(&mut source, 5).data.len(), 5);
    let times: Vec<_> = server
        .connections()
        .iter()
        .map(|one| one.accepted)
        .collect();
    for pair in times.windows(2) {
        took(pair[1] - pair[0], 100);
    }
}

#[test]
fn c30_a_missing_last_chunk_is_no_end() {
    let (_server, request) = case("C30");
    let run = run(request);
    assert_eq!(run.data, ["a"]);
    let Some(ClientError::Truncated(truncated)) = &run.error else {
        panic!("{run:?}");
    };
    assert_eq!(truncated.transport, TransportEnd::Cut);
    assert_eq!(run.report.outcome.exit_code(), 20);
}

#[test]
fn c32_a_dead_link_is_left_and_resumed() {
    let (server, request) = case("C32");
    let mut source = request.open().expect("a request");
    let run = read(&mut source, 2);
    assert_eq!(run.data, ["a", "b"]);
    assert_eq!(run.reconnected, [(true, 1)]);
    took(run.elapsed, 300);
    assert_eq!(server.complaints(), Vec::<String>::new());
}

#[test]
fn c37_redirects_are_followed_and_secrets_left_behind() {
    let (server, request) = case("C37");
    let run = run(request.header("Authorization", "Bearer secret"));
    assert_eq!(run.data, ["a"]);
    let targets: Vec<_> = server
        .requests()
        .into_iter()
        .map(|one| one.target)
        .collect();
    assert_eq!(targets, ["/events", "/v2/stream"]);
    assert!(server.requests()[1].header("authorization").is_some());
}

#[test]
fn c38_without_a_limit_it_goes_on() {
    let mut script = named("C38").script().expect("a script");
    assert_eq!(script.len(), 50);
    script.push(Answer::stream().send("data: at last\n\n").end(End::Hold));
    let server = Server::start(script);
    let mut delays = Delays::UNLIMITED;
    (delays.base, delays.floor, delays.ceiling) = (millis(1), millis(1), millis(4));
    let request = Request::get(server.url("/")).reconnect(delays);
    let opener = std::thread::spawn(move || {
        // The system refuses, so that only the client can count: a time in which
        // a slow machine makes fifty attempts, and a fast one three hundred.
        std::thread::sleep(millis(1200));
        server.open();
        server
    });
    let mut source = request.open().expect("a request");
    let run = read(&mut source, 1);
    drop(opener.join());
    assert_eq!(run.data, ["at last"]);
    assert!(run.report.requests > 50, "{}", run.report.requests);
    // None, and a number of them.
    let refused = Server::start(vec![Answer::refuse()]);
    for attempts_max in [0, 1, 3] {
        let delays = Delays {
            attempts_max,
            ..delays
        };
        let run = super::setup::run(Request::get(refused.url("/")).reconnect(delays));
        assert_eq!(run.report.requests, attempts_max + 1);
        let is_given_up = matches!(run.error, Some(ClientError::GaveUp { .. }));
        assert_eq!(is_given_up, attempts_max > 0);
        assert_eq!(run.report.outcome.exit_code(), 40);
    }
}

#[test]
fn c39_a_callers_accept_wins() {
    let (server, request) = case("C39");
    assert_eq!(run(request).data, ["a"]);
    assert_eq!(server.complaints(), Vec::<String>::new());
    let server = Server::start(vec![Answer::stream()]);
    run(Request::get(server.url("/")));
    let request = &server.requests()[0];
    assert_eq!(request.header("accept"), Some("text/event-stream"));
    assert_eq!(request.header("cache-control"), Some("no-store"));
    assert_eq!(request.header("accept-encoding"), Some("identity"));
}

#[test]
fn c40_each_timeout_fires_alone() {
    let off = |server: &Server| {
        let request = Request::get(server.url("/"));
        request
            .connect_timeout(None)
            .header_timeout(None)
            .idle_timeout(None)
    };
    let hold = || Answer::stream().send(": alive\n\n").end(End::Hold);
    type Each = (fn(Request) -> Request, Answer, Timeout);
    let each: [Each; 5] = [
        (
            |request| request.header_timeout(millis(150)),
            Answer::accept_only(),
            Timeout::Headers,
        ),
        (
            |request| request.idle_timeout(millis(150)),
            hold(),
            Timeout::Idle,
        ),
        (
            |request| request.progress_timeout(millis(150)),
            hold(),
            Timeout::Progress,
        ),
        (
            |request| request.first_output_timeout(millis(150)),
            hold(),
            Timeout::FirstOutput,
        ),
        (
            |request| request.total_timeout(millis(150)),
            hold(),
            Timeout::Total,
        ),
    ];
    for (change, answer, expected) in each {
        let server = Server::start(vec![answer]);
        let run = run(change(off(&server)));
        assert_eq!(timeout(&run.error), Some(expected));
        took(run.elapsed, 150);
    }
    let silent = sseam_testkit::server::SilentPort::open().expect("a port that is silent");
    let url = format!("http://{}/", silent.address());
    let run = run(Request::get(url).connect_timeout(millis(150)));
    assert_eq!(timeout(&run.error), Some(Timeout::Connect));
    took(run.elapsed, 150);
    // TLS that is not answered is no connection either.
    let server = Script::new(vec![Answer::silent()]).start();
    let url = server.url("/").replace("http:", "https:");
    if cfg!(feature = "client-rustls") {
        let run = super::setup::run(Request::get(url).connect_timeout(millis(150)));
        assert_eq!(timeout(&run.error), Some(Timeout::Connect));
    }
}
