//! When another request is made, and when it is enough.

use std::time::{Duration, SystemTime};

use sseam::Delays;
use sseam::client::{ClientError, Request};
use sseam::llm::{Dialect, Ending, Timeout, TransportEnd};
use sseam_testkit::server::{Answer, End, Server};

use super::setup::{millis, read, run, timeout, took};

fn quick(attempts_max: u32) -> Delays {
    Delays {
        base: millis(1),
        floor: millis(1),
        attempts_max,
        ..Delays::DEFAULT
    }
}

fn get(server: &Server, attempts_max: u32) -> Request {
    Request::get(server.url("/")).reconnect(quick(attempts_max))
}

fn stream(data: &str) -> Answer {
    Answer::stream().send(format!("data: {data}\n\n"))
}

#[test]
fn n_attempts_are_n_and_one_requests() {
    for attempts_max in [0, 1, 2, 5] {
        let server = Server::start(vec![Answer::status(503); 9]);
        let run = run(get(&server, attempts_max));
        assert_eq!(server.requests().len() as u32, attempts_max + 1);
        assert_eq!(run.report.requests, attempts_max + 1);
        assert_eq!(run.report.outcome.ending, Ending::FailedStatus(503));
        match run.error {
            Some(ClientError::Status(_)) => assert_eq!(attempts_max, 0),
            Some(ClientError::GaveUp { attempts, last }) => {
                assert_eq!(attempts, attempts_max);
                assert!(matches!(*last, ClientError::Status(_)));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_event_makes_the_count_begin_again() {
    let fault = || Answer::status(500);
    // A further connection after an event is the first attempt.
    let script = [
        fault(),
        fault(),
        stream("a"),
        fault(),
        stream("b"),
        fault(),
        fault(),
    ];
    let server = Server::start(script.to_vec());
    let run = run(get(&server, 2).allow_repeats(true));
    assert_eq!(run.data, ["a", "b"]);
    assert_eq!(run.report.requests, 7);
    let Some(ClientError::GaveUp { attempts: 2, last }) = run.error else {
        panic!("{:?}", run.error);
    };
    assert!(matches!(*last, ClientError::Status(_)));
}

#[test]
fn what_is_permanent_is_not_tried_again() {
    let not_stream = || Answer::status(200).header("content-type", "text/html");
    for answer in [
        Answer::status(400),
        Answer::status(501 - 90),
        not_stream(),
        Answer::status(201),
    ] {
        let server = Server::start(vec![answer, stream("a")]);
        let run = run(get(&server, 5));
        assert!(run.error.is_some());
        assert_eq!(server.requests().len(), 1);
    }
    for answer in [
        stream("a").end(End::Hold),
        stream("a").send("data: 12345678"),
    ] {
        let server = Server::start(vec![answer, stream("b")]);
        let limits = sseam::Limits {
            data_len_max: 0,
            ..sseam::Limits::LARGE
        };
        let run = run(get(&server, 5).limits(limits));
        assert!(matches!(run.error, Some(ClientError::Limit(_))));
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn what_may_pass_is_tried_again() {
    for fault in [
        Answer::status(408),
        Answer::status(429),
        Answer::status(500),
        Answer::status(599),
        Answer {
            reset: true,
            ..Answer::stream()
        },
        Answer::stream().end(End::Rst),
        Answer::stream().end(End::TruncateChunked),
        Answer::stream().send("data: cut"),
    ] {
        let server = Server::start(vec![fault.clone(), stream("a"), Answer::status(204)]);
        let run = run(get(&server, 1));
        assert_eq!(run.data, ["a"], "{fault:?}: {run:?}");
        assert!(run.error.is_none());
        assert_eq!(run.report.outcome.exit_code(), 0);
    }
}

#[test]
fn the_last_error_counts_and_not_a_clean_end_after_it() {
    let empty = Answer::stream;
    let code = |script: Vec<Answer>| {
        let server = Server::start(script);
        let run = run(get(&server, 2));
        assert!(
            matches!(run.error, Some(ClientError::GaveUp { .. })),
            "{run:?}"
        );
        run.report.outcome.exit_code()
    };
    assert_eq!(code(vec![empty(), empty(), empty()]), 20);
    assert_eq!(code(vec![Answer::status(503), empty(), empty()]), 30);
    assert_eq!(code(vec![empty(), Answer::status(503), empty()]), 30);
    assert_eq!(code(vec![empty(), empty(), Answer::status(503)]), 30);
    // After an event, what was before it is forgotten.
    let server = Server::start(vec![
        Answer::status(503),
        Answer::stream().send("id: 1\ndata: a\n\n"),
        empty(),
        empty(),
    ]);
    let run = run(get(&server, 2));
    assert_eq!(run.data, ["a"]);
    assert_eq!(run.report.outcome.exit_code(), 20);
}

#[test]
fn an_answer_that_is_over_is_not_asked_for_again() {
    let done = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\
        \"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let server = Server::start(vec![Answer::stream().send(done), stream("again")]);
    let run = run(get(&server, 5).dialect(Dialect::OpenAiChat));
    assert!(run.error.is_none());
    assert!(run.report.outcome.is_completed());
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn retry_after_may_be_a_date() {
    let date = SystemTime::now() + Duration::from_secs(2);
    let seconds = date
        .duration_since(SystemTime::UNIX_EPOCH)
        .expect("after 1970")
        .as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // All the days of 2026 to 2099 by counting them.
    let mut year = 1970;
    let mut day = days;
    let is_leap = |year: u64| year.is_multiple_of(4);
    while day >= if is_leap(year) { 366 } else { 365 } {
        day -= if is_leap(year) { 366 } else { 365 };
        year += 1;
    }
    let lengths = [
        31,
        if is_leap(year) { 29 } else { 28 },
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let names = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
    let date = format!(
        "Mon, {:02} {} {year} {hours:02}:{minutes:02}:{seconds:02} GMT",
        day + 1,
        names[month]
    );
    let fault = Answer::status(503).header("retry-after", &date);
    let server = Server::start(vec![fault, stream("a")]);
    let mut source = get(&server, 1).open().expect("a request");
    assert_eq!(read(&mut source, 1).data, ["a"]);
    let times: Vec<_> = server
        .connections()
        .iter()
        .map(|one| one.accepted)
        .collect();
    took(times[1] - times[0], 900);
}

#[test]
fn a_wait_beyond_the_total_time_is_not_begun() {
    let fault = Answer::status(429).header("retry-after", "3600");
    let server = Server::start(vec![fault, stream("a")]);
    let run = run(get(&server, 5).total_timeout(Duration::from_secs(30)));
    assert_eq!(timeout(&run.error), Some(Timeout::Total));
    assert!(run.elapsed < Duration::from_secs(5));
    assert_eq!(run.report.outcome.exit_code(), 21);
}

#[test]
fn the_total_time_is_that_of_all_attempts() {
    let server = Server::start(vec![Answer::stream().end(End::Hold); 9]);
    let request = get(&server, u32::MAX)
        .idle_timeout(millis(120))
        .total_timeout(millis(500));
    let run = run(request);
    assert_eq!(timeout(&run.error), Some(Timeout::Total));
    took(run.elapsed, 450);
    assert!(run.report.requests > 2);
}

#[test]
fn a_timeout_of_progress_is_worth_another_try_and_one_of_output_is_not() {
    let hold = || Answer::stream().send(": alive\n\n").end(End::Hold);
    let server = Server::start(vec![hold(), stream("a").end(End::Hold)]);
    let mut source = get(&server, 1)
        .progress_timeout(millis(100))
        .open()
        .expect("a request");
    assert_eq!(read(&mut source, 1).data, ["a"]);
    let server = Server::start(vec![hold(), stream("a")]);
    let run = run(get(&server, 1).first_output_timeout(millis(100)));
    assert_eq!(timeout(&run.error), Some(Timeout::FirstOutput));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_reader_that_was_busy_does_not_time_out() {
    let late = Answer::stream()
        .send("data: a\n\n")
        .wait_ms(50)
        .send("data: b\n\n")
        .end(End::Hold);
    let server = Server::start(vec![late]);
    let request = Request::get(server.url("/"))
        .idle_timeout(millis(200))
        .progress_timeout(millis(200));
    let mut source = request.open().expect("a request");
    assert_eq!(read(&mut source, 1).data, ["a"]);
    std::thread::sleep(millis(400));
    assert_eq!(read(&mut source, 1).data, ["b"]);
    let run = read(&mut source, 1);
    assert_eq!(timeout(&run.error), Some(Timeout::Idle));
    took(run.elapsed, 195);
}

#[test]
fn a_post_may_be_repeated_before_its_first_event_if_asked() {
    let post = |server: &Server| {
        let request = Request::post(server.url("/"), "body").reconnect(quick(3));
        run(request.retry_post(true))
    };
    let server = Server::start(vec![
        Answer::status(503),
        Answer::stream().end(End::Rst),
        stream("a"),
    ]);
    let run = post(&server);
    assert_eq!((run.data.len(), server.requests().len()), (1, 3));
    // A stream that ended well and empty is an answer.
    let server = Server::start(vec![Answer::stream(), stream("a")]);
    let run = post(&server);
    assert_eq!((run.data.len(), server.requests().len()), (0, 1));
    assert!(run.error.is_none());
    assert!(run.report.retry_is_safe);
    let server = Server::start(vec![stream("a").end(End::TruncateChunked), stream("b")]);
    let run = post(&server);
    assert_eq!((run.data.len(), server.requests().len()), (1, 1));
    let Some(ClientError::Truncated(truncated)) = run.error else {
        panic!("cut");
    };
    assert_eq!(truncated.transport, TransportEnd::Cut);
}

#[test]
fn an_event_that_was_left_out_is_no_reason_to_stop() {
    let limits = sseam::Limits {
        data_len_max: 3,
        overflow: sseam::Overflow::Skip,
        ..sseam::Limits::LARGE
    };
    let server = Server::start(vec![stream("too long"), stream("b"), Answer::status(204)]);
    let run = run(get(&server, 1).limits(limits));
    assert_eq!(run.data, ["b"], "{run:?}");
    assert_eq!(server.requests().len(), 3);
    // It was none that was delivered, so the count goes on.
    let server = Server::start(vec![stream("too long"); 5]);
    let run = super::setup::run(get(&server, 2).limits(limits));
    assert_eq!(server.requests().len(), 3);
    assert!(matches!(
        run.error,
        Some(ClientError::GaveUp { attempts: 2, .. })
    ));
    assert_eq!(run.report.outcome.exit_code(), 22);
}

/// What a stream leads to that comes three times, with the number of the
/// connection for each `#`, read in both ways: which connections were announced
/// as going on, and how `next_event` ends.
#[track_caller]
fn check_repeats(body: &str, change: impl Fn(Request) -> Request, resumable: bool) {
    let script = || {
        let answer = |number| Answer::stream().send(body.replace('#', number));
        let last = Answer::status(204);
        Server::start(vec![answer("1"), answer("2"), answer("3"), last])
    };
    let server = script();
    let run = run(change(get(&server, 5)));
    let each: Vec<_> = run.reconnected.iter().map(|(is, _)| *is).collect();
    assert_eq!(each, [resumable; 2], "{body:?}: {run:?}");
    let server = script();
    let mut source = change(get(&server, 5)).open().expect("a request");
    let error = loop {
        match source.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    let is_repeats = matches!(error, Some(ClientError::Repeats));
    assert_eq!(is_repeats, !resumable, "{body:?}: {error:?}");
    assert_eq!(server.requests().len(), if resumable { 4 } else { 1 });
}

#[test]
fn events_that_would_come_again_are_announced() {
    let plain = |request| request;
    check_repeats("id: #\ndata: a\n\n", plain, true);
    check_repeats("data: a\n\n", plain, false);
    // The id of the request says where they began, and not where they are.
    let from = |request: Request| request.last_event_id("5");
    check_repeats("data: a\n\n", from, false);
    check_repeats("id: 6#\ndata: a\n\n", from, true);
    let named = |request: Request| request.header("Last-Event-ID", "5");
    check_repeats("data: a\n\n", named, false);
    // After the last id there are events without one.
    check_repeats("id: #\ndata: a\n\ndata: b\n\n", plain, false);
    check_repeats("data: a\n\nid: 2#\ndata: b\n\n", plain, true);
    check_repeats("data: a\n\nid: 2#\n\n", plain, true);
    check_repeats("id: #\ndata: a\n\nid\ndata: b\n\n", plain, false);
    // One id for all says of none of them that it is past.
    check_repeats("id: 1\ndata: a\n\nid: 1\ndata: b\n\n", plain, false);
    // An id that is not sent is none.
    check_repeats("id: #\u{1}\ndata: a\n\n", plain, false);
    check_repeats("id: #\u{85}\ndata: a\n\n", plain, false);
}

#[test]
fn without_events_nothing_comes_again() {
    let server = Server::start(vec![
        Answer::stream().send(": a\n\n"),
        Answer::stream().send("retry: 1\n\n"),
        Answer::status(204),
    ]);
    let run = run(get(&server, 5).last_event_id("5"));
    assert_eq!(run.reconnected, [(true, 0)], "{run:?}");
}
