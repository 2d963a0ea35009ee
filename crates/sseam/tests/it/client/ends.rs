//! How bodies end, and what that makes of an answer.

use std::time::Duration;

use sseam::client::{ClientError, Request, Unfit};
use sseam::llm::{Dialect, Ending, Foreign, Markers, Mode, Reason, TransportEnd, Turn};
use sseam_testkit::server::{Answer, End, Framing, Server};

use super::setup::{Run, millis, read, run_against, took, transport};

fn plain(answer: Answer) -> Run {
    run_against(answer, |request| request)
}

fn chat(answer: Answer) -> Run {
    run_against(answer, |request| request.dialect(Dialect::OpenAiChat))
}

const DONE: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\
    \"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

#[test]
fn an_end_of_the_connection_is_an_end_where_the_body_has_no_other() {
    let close = || Answer::stream().framing(Framing::Close).send("data: a\n\n");
    let run = plain(close());
    assert_eq!(
        (run.data.len(), run.report.outcome.ending),
        (1, Ending::Ended)
    );
    assert!(run.error.is_none());
    // An RST is none, although the bytes look the same.
    let run = plain(close().end(End::Rst));
    assert_eq!(
        (run.data.len(), transport(&run)),
        (1, Some(TransportEnd::Reset))
    );
    assert_eq!(run.report.outcome.exit_code(), 20);
}

#[test]
fn a_body_that_breaks_off_is_cut() {
    let begun = || Answer::stream().send("data: a\n\n").send("data: b");
    for (end, expected) in [
        (End::TruncateChunked, TransportEnd::Cut),
        (End::CutChunk, TransportEnd::Cut),
        (End::BadChunk, TransportEnd::Cut),
        (End::Rst, TransportEnd::Reset),
    ] {
        let run = plain(begun().end(end));
        assert_eq!(
            (run.data.len(), transport(&run)),
            (1, Some(expected)),
            "{end:?}"
        );
        let Some(ClientError::Truncated(truncated)) = run.error else {
            unreachable!()
        };
        assert!(truncated.end.line, "{end:?}: `data: b` was thrown away");
    }
    // So does one that is shorter than it says.
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 99\r\n\r\n";
    let short = Answer {
        raw_head: Some(head.to_owned()),
        ..Answer::stream().framing(Framing::Close)
    };
    let run = plain(short.send("data: a\n\n"));
    assert_eq!(
        (run.data.len(), transport(&run)),
        (1, Some(TransportEnd::Cut))
    );
}

#[test]
fn an_end_inside_an_event_is_one_even_if_the_body_is_whole() {
    let run = plain(Answer::stream().send("data: a\n\ndata: b\n"));
    assert_eq!(
        (run.data.len(), transport(&run)),
        (1, Some(TransportEnd::Clean))
    );
    assert_eq!(run.report.outcome.exit_code(), 20);
}

#[test]
fn a_last_chunk_without_its_end_is_accepted_and_noted() {
    let run = plain(Answer::stream().send("data: a\n\n").end(End::NoFinalCrlf));
    assert!(run.error.is_none());
    assert_eq!(run.report.outcome.ending, Ending::Ended);
    assert!(run.report.has_short_end);
    assert!(
        run.report
            .to_string()
            .ends_with("; the last chunk lacked its end")
    );
    let run = plain(Answer::stream().send("data: a\n\n"));
    assert!(!run.report.has_short_end);
}

#[test]
fn after_the_terminal_a_fault_is_a_note() {
    for end in [End::TruncateChunked, End::Rst, End::BadChunk] {
        let run = chat(Answer::stream().send(DONE).end(end));
        assert!(run.error.is_none(), "{end:?}: {run:?}");
        assert_eq!(run.report.outcome.ending, Ending::Completed(Reason::Stop));
        assert!(run.report.outcome.seen.late_fault, "{end:?}");
    }
    let run = chat(Answer::stream().send(DONE));
    assert!(!run.report.outcome.seen.late_fault);
}

#[test]
fn after_the_terminal_a_passed_limit_is_a_note() {
    let limits = sseam::Limits {
        data_len_max: 1000,
        ..sseam::Limits::LARGE
    };
    let long = format!("data: {}\n\n", "x".repeat(1001));
    let run = |stream: &str| {
        let answer = Answer::stream().send(stream).send(&long).end(End::Hold);
        run_against(answer, |request| {
            request.dialect(Dialect::OpenAiChat).limits(limits)
        })
    };
    let after = run(DONE);
    assert!(after.error.is_none(), "{after:?}");
    assert!(after.report.outcome.is_completed() && after.report.outcome.seen.late_fault);
    let before = run("data: {}\n\n");
    assert!(matches!(before.error, Some(ClientError::Limit(_))));
    assert_eq!(before.report.outcome.exit_code(), 22);
}

#[test]
fn a_connection_that_stays_open_after_the_terminal_is_closed() {
    let server = Server::start(vec![Answer::stream().send(DONE).end(End::Hold)]);
    let mut source = Request::get(server.url("/"))
        .dialect(Dialect::OpenAiChat)
        .open()
        .expect("a request");
    let run = read(&mut source, usize::MAX);
    assert!(run.error.is_none());
    assert!(run.report.outcome.is_completed());
    let sent = server.connections()[0].sent[0];
    let closed = server
        .wait_for_close(0, Duration::from_secs(5))
        .expect("a close");
    let time = closed.at.saturating_duration_since(sent);
    assert!(time < millis(250), "closed {time:?} after the marker");
}

#[test]
fn what_follows_the_terminal_within_its_time_counts() {
    let finish = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\
        \"finish_reason\":\"stop\"}]}\n\n";
    let usage =
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\n";
    let late = Answer::stream()
        .send(finish)
        .wait_ms(60)
        .send(usage)
        .wait_ms(60);
    let run = chat(
        late.send("data: {\"error\":{\"message\":\"no\"}}\n\n")
            .end(End::Hold),
    );
    assert_eq!(run.report.outcome.seen.usage.output, Some(4));
    assert_eq!(run.report.outcome.ending, Ending::Failed);
    // Neither for ever nor without measure.
    let slow = Answer::stream().send(finish).wait_ms(2000).send(usage);
    let run = run_against(slow, |request| {
        request.dialect(Dialect::OpenAiChat).settle(millis(300))
    });
    assert_eq!(run.report.outcome.seen.usage.output, None);
    assert!(run.report.outcome.is_completed());
    assert!(run.elapsed < millis(1500));
    let mut flood = Answer::stream().send(DONE);
    for _ in 0..100 {
        flood = flood.send(format!(": {}\n\n", "x".repeat(4000)));
    }
    let run = chat(flood.end(End::Hold));
    assert!(
        run.report.counters.bytes <= 64 * 1024 + 2 * 16 * 1024,
        "{run:?}"
    );
}

#[test]
fn an_answer_without_its_terminal_is_truncated() {
    let cut = DONE.find("data: [DONE]").expect("a marker");
    let stream = DONE[..cut].replace("\"stop\"", "null");
    let run = chat(Answer::stream().send(stream));
    assert_eq!(transport(&run), Some(TransportEnd::Clean));
    assert_eq!(run.report.outcome.exit_code(), 20);
}

#[test]
fn an_error_in_place_of_a_stream_is_the_answer() {
    let body = r#"{"error":{"message":"too long","code":"length"}}"#;
    let server = Server::start(vec![Answer::stream().send(body)]);
    let request = Request::get(server.url("/")).dialect(Dialect::Anthropic);
    let mut source = request.open().expect("a request");
    let Ok(Some(sseam::client::Received::Item(_, mut signals))) = source.receive() else {
        panic!("the error");
    };
    assert_eq!(signals.next().map(|signal| signal.name()), Some("error"));
    assert!(matches!(source.receive(), Ok(None)));
    assert_eq!(source.report().outcome.ending, Ending::Failed);
}

#[test]
fn the_lenient_take_what_has_no_blank_line() {
    let stream = DONE.trim_end();
    let turn = Turn::new(Dialect::OpenAiChat).with_mode(Mode::Lenient);
    let run = run_against(Answer::stream().send(stream), |request| request.turn(turn));
    assert!(run.error.is_none(), "{run:?}");
    assert_eq!(run.data.last().map(String::as_str), Some("[DONE]"));
    assert!(run.report.outcome.is_completed());
}

/// The one that a reader of no API in particular meets most.
#[test]
fn a_plain_server_with_a_marker_of_its_own() {
    let piece = "data: {\"content\":\"你\",\"finish\":false}\n\n";
    let answer = Answer::stream()
        .send(piece)
        .send(piece)
        .send("data: [DONE]\n\n")
        .end(End::Hold);
    let server = Server::start(vec![answer]);
    let markers = Markers::NONE.with_end_data("[DONE]").expect("room");
    let markers = markers.with_text_field("content").expect("room");
    let mut source = Request::get(server.url("/"))
        .turn(Turn::custom(markers))
        .open()
        .expect("one");
    let mut text = String::new();
    while let Some(piece) = source.next_text().expect("text") {
        text += piece;
    }
    assert_eq!(text, "你你");
    assert!(source.report().outcome.is_completed());
    let sent = *server.connections()[0].sent.last().expect("a marker");
    let closed = server
        .wait_for_close(0, Duration::from_secs(5))
        .expect("a close");
    let time = closed.at.saturating_duration_since(sent);
    assert!(time < millis(250), "closed {time:?} after the marker");
}

#[test]
fn figures() {
    let answer = Answer::stream()
        .wait_ms(50)
        .send(": x\n\n")
        .wait_ms(100)
        .send("data: a\n\n");
    let run = plain(answer);
    let report = run.report;
    took(report.first_byte.expect("a byte"), 50);
    took(report.first_event.expect("an event"), 150);
    assert_eq!(report.first_output, report.first_event);
    // A busy reader is late for the first byte, and the gap is shorter for it.
    took(report.longest_gap, 50);
    took(report.elapsed, 150);
    assert_eq!(
        (report.requests, report.connections, report.reads),
        (1, 1, 2)
    );
    assert_eq!((report.counters.events, report.counters.comments), (1, 1));
    assert!(!report.retry_is_safe);
}

/// Bytes of the framing are bytes: who sends them is alive.
#[test]
fn a_chunk_that_trickles_in_is_no_silence() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
        transfer-encoding: chunked\r\n\r\n";
    let raw = Answer {
        raw_head: Some(head.to_owned()),
        ..Answer::stream()
    };
    let mut answer = raw.framing(Framing::None);
    for piece in [
        "0",
        "0",
        "0",
        "9",
        "\r",
        "\n",
        "data: a\n\n",
        "\r\n",
        "0\r\n\r\n",
    ] {
        answer = answer.wait_ms(120).send(piece);
    }
    let run = run_against(answer, |request| request.idle_timeout(millis(400)));
    assert_eq!(run.data, ["a"], "{run:?}");
    assert!(run.error.is_none());
}

#[test]
fn an_event_that_was_left_out_may_be_the_terminal() {
    let stop = format!("event: message_stop\ndata: {}\n\n", "x".repeat(200));
    let limits = sseam::Limits {
        data_len_max: 100,
        overflow: sseam::Overflow::Skip,
        ..sseam::Limits::LARGE
    };
    let answer = Answer::stream().send(stop).end(End::Hold);
    let run = run_against(answer, |request| {
        request.dialect(Dialect::Anthropic).limits(limits)
    });
    assert!(run.error.is_none(), "{run:?}");
    assert!(run.report.outcome.seen.terminal);
    assert!(!run.report.retry_is_safe);
    assert!(run.elapsed < Duration::from_secs(2));
}

#[test]
fn a_timeout_counts_events_in_words() {
    for (body, expected) in [
        (": a\n\n", "0 events"),
        ("data: a\n\n", "1 event"),
        ("data: a\n\ndata: b\n\n", "2 events"),
    ] {
        let answer = Answer::stream().send(body).end(End::Hold);
        let run = run_against(answer, |request| request.idle_timeout(millis(50)));
        let text = run.error.map(|error| error.to_string()).unwrap_or_default();
        assert!(text.ends_with(&format!(" and {expected}")), "{text}");
    }
}

const FINISH: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\
    \"finish_reason\":\"stop\"}]}\n\n";

#[test]
fn an_answer_that_finished_settles() {
    let mut answer = Answer::stream().send(FINISH);
    // Comments show that the server lives, not that something follows.
    for _ in 0..20 {
        answer = answer.wait_ms(50).send(": alive\n\n");
    }
    let run = run_against(answer.end(End::Hold), |request| {
        request.dialect(Dialect::OpenAiChat).settle(millis(200))
    });
    assert!(run.error.is_none(), "{run:?}");
    assert_eq!(run.report.outcome.ending, Ending::Completed(Reason::Stop));
    took(run.elapsed, 200);
    assert!(run.elapsed < millis(900), "{:?}", run.elapsed);
    // What comes in that time counts, and begins it anew.
    let usage = "data: {\"choices\":[],\"usage\":{\"completion_tokens\":4}}\n\n";
    let more = Answer::stream()
        .send(FINISH)
        .wait_ms(150)
        .send(usage)
        .wait_ms(150)
        .send(usage)
        .end(End::Hold);
    let run = run_against(more, |request| {
        request
            .dialect(Dialect::OpenAiChat)
            .settle(millis(250))
            .idle_timeout(millis(2000))
    });
    assert_eq!(run.report.outcome.seen.usage.output, Some(4));
    assert!(run.report.outcome.is_completed(), "{run:?}");
}

#[test]
fn any_content_type_is_one_if_the_bytes_are() {
    let text = |body: &str| {
        Answer::status(200)
            .header("content-type", "text/plain")
            .send(body)
    };
    let any = |request: Request| request.allow_any_content_type(true);
    let run = run_against(text("data: a\n\n"), any);
    assert_eq!(run.data, ["a"]);
    assert!(run.error.is_none(), "{run:?}");
    let run = run_against(text("<!doctype html><html>no</html>"), any);
    let Some(ClientError::NotEventStream(error)) = &run.error else {
        panic!("{run:?}");
    };
    assert_eq!(error.reason(), Unfit::Body(Foreign::Html));
    assert!(error.body().starts_with(b"<!doctype"));
    assert_eq!(run.report.outcome.exit_code(), 31);
}

#[test]
fn a_page_is_no_stream_whatever_its_head_says() {
    let page = Answer::stream().send("<!doctype html>\n<html>no</html>\n");
    let run = plain(page);
    assert!(matches!(run.error, Some(ClientError::NotEventStream(_))));
    assert_eq!(run.report.outcome.ending, Ending::NotEventStream);
}

#[test]
fn mcp_may_answer_with_a_document_or_with_nothing() {
    let mcp = |request: Request| request.dialect(Dialect::Mcp2025);
    let body = "{\"jsonrpc\":\"2.0\",\"id\":1,\n\"result\":{\"content\":[]}}";
    let document = || {
        Answer::status(200)
            .header("content-type", "application/json")
            .send(body)
    };
    let server = Server::start(vec![document()]);
    let mut source = mcp(Request::get(server.url("/"))).open().expect("one");
    let run = read(&mut source, usize::MAX);
    assert!(run.error.is_none(), "{run:?}");
    assert_eq!(run.data, [body]);
    assert!(run.report.outcome.is_completed());
    let accept = "application/json, text/event-stream";
    assert_eq!(server.requests()[0].header("accept"), Some(accept));
    let run = run_against(Answer::status(202), mcp);
    assert!(run.error.is_none(), "{run:?}");
    assert_eq!(run.report.outcome.exit_code(), 0);
    // To anybody else neither is one.
    let run = plain(document());
    assert!(matches!(run.error, Some(ClientError::NotEventStream(_))));
    let run = plain(Answer::status(202));
    assert!(matches!(run.error, Some(ClientError::Status(_))));
}
