//! The driver: ways of ending, what it wants, what it was not shown, bodies that
//! are no event stream, text that is none, memory, and connections after another.

use core::time::Duration;

use sseam_core::{End, Limits, Overflow, Parser};
use sseam_llm::{
    Answer, Close, Dialect, Ending, Excess, Foreign, Mode, Reason, RequestId, SETTLE_DEFAULT,
    Signal, Timeout, TransportEnd, Turn, Wants,
};

use crate::field::CLEAN;

const HELLO: &str = r#"{"choices":[{"index":0,"delta":{"content":"hello"}}]}"#;
const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

fn events(data: &[&str]) -> Vec<u8> {
    data.iter()
        .flat_map(|data| format!("data: {data}\n\n").into_bytes())
        .collect()
}

fn chat() -> Turn {
    Turn::new(Dialect::OpenAiChat)
}

fn answer(turn: Turn) -> Answer<[u8; 4096]> {
    Answer::with_array(
        Limits {
            data_len_max: 2048,
            ..Limits::SMALL
        },
        turn,
    )
}

fn ending(turn: Turn, stream: &[u8], close: Close) -> Ending {
    let mut answer = answer(turn);
    answer.feed(stream, |_| {});
    answer.end(close);
    answer.outcome().ending
}

#[test]
fn every_way_of_ending_after_the_last_finish() {
    let stream = events(&[HELLO, STOP]);
    let of = |close| ending(chat(), &stream, close);
    let done = Ending::Completed(Reason::Stop);
    for end in [TransportEnd::Clean, TransportEnd::Cut, TransportEnd::Reset] {
        assert_eq!(of(Close::Transport(end)), done, "{end:?}");
    }
    assert_eq!(of(Close::Settled), done);
    assert_eq!(of(Close::TimedOut(Timeout::Idle)), done);
    assert_eq!(of(Close::TimedOut(Timeout::Progress)), done);
    assert_eq!(
        of(Close::TimedOut(Timeout::Total)),
        Ending::TimedOut(Timeout::Total)
    );
    assert_eq!(
        of(Close::Cancelled).clone(),
        ending(chat(), b"", Close::Cancelled)
    );
    assert_eq!(of(Close::NoResponse), Ending::TransportFailed);
    // Output behind a finish: only `[DONE]` ends it.
    let stream = events(&[HELLO, STOP, HELLO, STOP]);
    let is_truncated = |close| matches!(ending(chat(), &stream, close), Ending::Truncated(_));
    assert!(is_truncated(CLEAN) && is_truncated(Close::Settled));
    let stream = events(&[HELLO, STOP, HELLO, STOP, "[DONE]"]);
    for close in [CLEAN, Close::Cancelled, Close::TimedOut(Timeout::Total)] {
        assert_eq!(ending(chat(), &stream, close), done);
    }
}

#[test]
fn gemini_ends_cleanly_or_settles() {
    let part = r#"{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}"#;
    let stream = events(&[part]);
    let of = |close| ending(Turn::new(Dialect::Gemini), &stream, close);
    assert_eq!(of(CLEAN), Ending::Completed(Reason::Stop));
    assert_eq!(of(Close::Settled), Ending::Completed(Reason::Stop));
    let cut = of(Close::Transport(TransportEnd::Cut));
    assert!(matches!(cut, Ending::Truncated(_)), "{cut:?}");
    // What was pending may have been more.
    let pending = [stream.as_slice(), b"data: {"].concat();
    let cut = ending(Turn::new(Dialect::Gemini), &pending, CLEAN);
    assert!(matches!(cut, Ending::Truncated(_)), "{cut:?}");
}

#[test]
fn a_source_is_told_whether_to_read_on() {
    let mut answer = answer(chat());
    assert_eq!(answer.wants(), Wants::More);
    answer.feed(&events(&[HELLO]), |_| {});
    assert_eq!(answer.wants(), Wants::More);
    answer.feed(&events(&[STOP]), |_| {});
    assert_eq!(answer.wants(), Wants::MoreUntilQuiet(SETTLE_DEFAULT));
    answer.feed(&events(&[HELLO]), |_| {});
    assert_eq!(answer.wants(), Wants::More, "its finishes prove nothing");
    answer.feed(&events(&["[DONE]"]), |_| {});
    assert_eq!(answer.wants(), Wants::Nothing);
    let mut patient = self::answer(chat()).with_settle(Duration::from_secs(9));
    patient.feed(&events(&[STOP]), |_| {});
    assert_eq!(
        patient.wants(),
        Wants::MoreUntilQuiet(Duration::from_secs(9))
    );
    // Azure tells in a second event why the first one said "failed".
    let mut azure = self::answer(Turn::new(Dialect::OpenAiResponses));
    azure.feed(&events(&[r#"{"type":"response.failed"}"#]), |_| {});
    assert_eq!(
        azure.wants(),
        Wants::MoreUntilQuiet(Duration::from_millis(250))
    );
}

/// Whoever asks for events alone misses the line in which the server failed, and
/// must not be told that all is there.
#[test]
fn a_naive_loop_gets_nothing_completed() {
    let naive = |stream: &[u8], limits: Limits| {
        let mut memory = vec![0; limits.memory_len()];
        let mut parser = Parser::new(memory.as_mut_slice(), limits).expect("memory");
        let mut turn = chat();
        let mut input = stream;
        while let Some(event) = parser.next_event(&mut input).expect("no limit") {
            let _ = turn.observe(&event);
        }
        turn.finish(&parser.finish())
    };
    let whole = events(&[HELLO, STOP, "[DONE]"]);
    assert_eq!(naive(&whole, Limits::DEFAULT).exit_code(), 0);
    for line in [
        "error: {\"code\":500}\n",
        "{\"error\":\"no\"}\n",
        "what: is this\n",
        "{",
    ] {
        for at in [0, whole.len()] {
            let (head, tail) = whole.split_at(at);
            let stream = [head, line.as_bytes(), tail].concat();
            let outcome = naive(&stream, Limits::DEFAULT);
            assert_eq!(
                outcome.ending,
                Ending::Incomplete(Reason::Lost),
                "{line} {at}"
            );
            assert!(outcome.seen.lost);
        }
    }
    let skips = Limits {
        data_len_max: 64,
        overflow: Overflow::Skip,
        ..Limits::DEFAULT
    };
    let long = format!(
        r#"{{"choices":[{{"delta":{{"content":"{}"}}}}]}}"#,
        "x".repeat(99)
    );
    let stream = events(&[HELLO, &long, STOP, "[DONE]"]);
    assert_eq!(
        naive(&stream, skips).ending,
        Ending::Incomplete(Reason::Lost)
    );
}

#[test]
fn the_driver_shows_it_all() {
    let whole = events(&[HELLO, STOP, "[DONE]"]);
    let with = |line: &str| [whole.as_slice(), line.as_bytes()].concat();
    assert_eq!(
        ending(chat(), &with("error: {\"code\":500}\n"), CLEAN),
        Ending::Failed
    );
    assert_eq!(
        ending(chat(), &with("error: {\"code\":500}"), CLEAN),
        Ending::Failed
    );
    assert_eq!(
        ending(chat(), &with("{\"error\":\"no\"}"), CLEAN),
        Ending::Failed
    );
    let good = Ending::Completed(Reason::Stop);
    for line in [
        "error:\n",
        "error: null\n",
        "foo: bar\n",
        "{\"status\":\"ok\"}\n",
        "id: a\0b\n",
    ] {
        assert_eq!(ending(chat(), &with(line), CLEAN), good, "{line:?}");
    }
    // Events whose field has a wrong name, or none, were output.
    let lost = Ending::Incomplete(Reason::Lost);
    for line in [
        format!("data : {HELLO}\n\n"),
        format!("Data: {HELLO}\n\n"),
        format!("{HELLO}\n"),
    ] {
        let stream = [line.as_bytes(), &whole].concat();
        assert_eq!(ending(chat(), &stream, CLEAN), lost, "{line:?}");
    }
}

#[test]
fn bodies_that_are_no_event_stream() {
    let cases: &[(&[u8], Foreign)] = &[
        (b"HTTP/1.1 200 OK\r\n\r\n", Foreign::HttpHead),
        (b"\x1F\x8B\x08\0\0", Foreign::Gzip),
        (b"<!doctype html><p>no", Foreign::Html),
        (b"{\"a\":1}\n{\"a\":2}\n", Foreign::Ndjson),
        (b"[{\"a\":1}]", Foreign::JsonArray),
        (
            b"{\"choices\":[{\"message\":{\"content\":\"a\"}}]}",
            Foreign::JsonAnswer,
        ),
        (
            b"9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n",
            Foreign::ChunkSizes,
        ),
    ];
    for (body, foreign) in cases {
        for dialect in [Dialect::OpenAiChat, Dialect::Auto, Dialect::Plain] {
            for len in 1..=body.len() {
                let mut answer = answer(Turn::new(dialect));
                body.chunks(len)
                    .for_each(|chunk| answer.feed(chunk, |_| {}));
                answer.end(CLEAN);
                assert_eq!(answer.foreign(), Some(*foreign), "{dialect} by {len}");
                let outcome = answer.outcome();
                assert_eq!(
                    outcome.ending,
                    Ending::NotEventStream,
                    "{foreign:?} {dialect}"
                );
            }
        }
    }
    let error = b"{\"error\":{\"code\":429,\"message\":\"slow down\"}}";
    assert_eq!(ending(chat(), error, CLEAN), Ending::Failed);
    assert_eq!(
        ending(Turn::new(Dialect::Plain), error, CLEAN),
        Ending::NotEventStream
    );
}

#[test]
fn text_that_is_no_utf8_stops_who_asked_for_it() {
    let bad = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xFFb\"}}]}\n\n";
    let stream = [bad.as_slice(), &events(&[STOP, "[DONE]"])].concat();
    let mut text = String::new();
    let mut lossy = answer(chat());
    lossy.feed(&stream, |part| text += part);
    lossy.end(CLEAN);
    assert_eq!(
        (text.as_str(), lossy.outcome().exit_code()),
        ("a\u{FFFD}b", 0)
    );
    let mut strict = answer(chat()).with_strict_text();
    strict.feed(&stream, |_| {});
    strict.end(CLEAN);
    assert_eq!(strict.outcome().ending, Ending::InvalidText);
    let place = strict.invalid_at().expect("a place");
    assert_eq!((place.event, place.offset, place.byte), (1, 0, 34));
}

#[test]
fn what_is_too_much_is_an_outcome() {
    let long = format!(
        r#"{{"choices":[{{"delta":{{"content":"{}"}}}}]}}"#,
        "x".repeat(4000)
    );
    let stream = events(&[HELLO, STOP, &long, "[DONE]"]);
    let of = ending(chat(), &stream, CLEAN);
    assert!(
        matches!(of, Ending::LimitExceeded(Excess::Limit(_))),
        "{of:?}"
    );
    let mut lent = [0; 700];
    let mut answer = Answer::fit(&mut lent, Overflow::Stop, chat());
    answer.feed(&stream, |_| {});
    assert_eq!(answer.wants(), Wants::Nothing);
    assert!(matches!(answer.outcome().ending, Ending::LimitExceeded(_)));
    let short = Answer::new([0_u8; 16], Limits::SMALL, chat());
    assert!(short.is_err());
}

/// The same errors count for every cut of the bytes behind the API's own end.
#[test]
fn so_much_is_read_behind_the_end() {
    for (padding, is_failed) in [(65_000, true), (66_000, false)] {
        let mut stream = events(&[HELLO, STOP, "[DONE]"]);
        stream.extend(std::iter::repeat_n(b':', 1));
        stream.extend(std::iter::repeat_n(b'x', padding));
        stream.extend(b"\n\ndata: {\"error\":\"late\"}\n\n");
        for len in [1, 7, 4096, stream.len()] {
            let mut answer = answer(chat());
            stream
                .chunks(len)
                .for_each(|chunk| answer.feed(chunk, |_| {}));
            answer.end(CLEAN);
            assert_eq!(
                answer.outcome().ending == Ending::Failed,
                is_failed,
                "{len}"
            );
        }
    }
}

#[test]
fn at_any_time_the_outcome_is_true() {
    let stream = events(&[HELLO, STOP, "[DONE]"]);
    let mut answer = answer(chat());
    for chunk in stream.chunks(5) {
        let mut fork = answer.clone();
        let early = fork.outcome();
        assert_eq!(early.is_completed(), fork.turn().is_terminal());
        answer.feed(chunk, |_| {});
    }
    assert!(answer.outcome().is_completed(), "the end need not be told");
    answer.end(Close::Cancelled);
    answer.end(CLEAN);
    assert!(answer.outcome().is_completed());
}

#[test]
fn a_call_that_only_the_end_closes() {
    let call = r#"{"choices":[{"delta":{"tool_calls":[
        {"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]}}]}"#;
    let call = call.replace('\n', "");
    let call = call.as_str();
    let finish = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
    let mut answer = answer(chat());
    answer.feed(&events(&[call, finish]), |_| {});
    answer.end(CLEAN);
    let mut closed = 0;
    while let Some(heard) = answer.next(&mut &b""[..]) {
        let signals = heard.signals;
        closed += signals
            .filter(|signal| matches!(signal, Signal::ToolClosed { .. }))
            .count();
    }
    assert_eq!((closed, answer.outcome().seen.closed_calls), (1, 1));
    // Who does not listen is told the same in the end.
    let mut deaf = self::answer(chat());
    deaf.feed(&events(&[call, finish]), |_| {});
    deaf.end(CLEAN);
    assert_eq!(deaf.outcome().seen.closed_calls, 1);
    assert!(deaf.outcome().may_run_calls());
}

#[test]
fn an_answer_over_two_connections() {
    let turn = Turn::new(Dialect::Mcp2025).with_request_id(RequestId::Number(3));
    let mut answer = answer(turn.expect("a short id"));
    answer.feed(b"id: 7\ndata:\n\n", |_| {});
    answer.end(CLEAN);
    let outcome = answer.outcome();
    assert_eq!(outcome.ending, Ending::Incomplete(Reason::Reconnect));
    answer.reopen();
    assert_eq!(
        (answer.last_event_id().as_bytes(), answer.wants()),
        (&b"7"[..], Wants::More)
    );
    answer.feed(
        b"data: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}\n\n",
        |_| {},
    );
    answer.end(CLEAN);
    assert!(answer.outcome().is_completed());
    answer.reopen();
    assert_eq!(answer.wants(), Wants::Nothing, "it is over");
}

#[test]
fn mcp_may_answer_with_a_document() {
    let pretty = b"{\r\n  \"jsonrpc\": \"2.0\",\n\n  \"id\": 1,\n  \"result\": {\"tools\": []}\n}";
    for body in [
        &pretty[..],
        b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}]\n",
    ] {
        for len in 1..=body.len() {
            let mut answer = answer(Turn::new(Dialect::Mcp2026));
            body.chunks(len)
                .for_each(|chunk| answer.feed(chunk, |_| {}));
            answer.end(CLEAN);
            assert_eq!(answer.outcome().exit_code(), 0, "by {len}");
        }
    }
    let cut = ending(
        Turn::new(Dialect::Mcp2025),
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"res",
        CLEAN,
    );
    assert!(matches!(cut, Ending::Truncated(_)), "{cut:?}");
    let error = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}";
    assert_eq!(
        ending(Turn::new(Dialect::Mcp2025), error, CLEAN),
        Ending::Failed
    );
}

#[test]
fn plain_and_custom_promise_what_they_know() {
    let plain = |stream: &[u8]| ending(Turn::new(Dialect::Plain), stream, CLEAN);
    assert_eq!(plain(b"data: a\n\n"), Ending::Ended);
    assert_eq!(plain(b"what\n\ndata: {\n\n"), Ending::Ended);
    assert!(matches!(plain(b"data: a\n"), Ending::Truncated(_)));
    let markers = sseam_llm::Markers::NONE
        .with_end_data("bye")
        .expect("short");
    let custom = |stream: &[u8]| ending(Turn::custom(markers), stream, CLEAN);
    assert_eq!(
        custom(b"data: a\n\ndata: bye\n\n"),
        Ending::Completed(Reason::Stop)
    );
    assert!(matches!(custom(b"data: a\n\n"), Ending::Truncated(_)));
}

#[test]
fn a_lenient_end_takes_what_was_cut() {
    let stream = [
        events(&[HELLO]),
        b"data: ".to_vec(),
        STOP.as_bytes().to_vec(),
    ]
    .concat();
    let lenient = chat().with_mode(Mode::Lenient);
    assert_eq!(
        ending(lenient, &stream, CLEAN),
        Ending::Completed(Reason::Stop)
    );
    assert!(matches!(
        ending(chat(), &stream, CLEAN),
        Ending::Truncated(_)
    ));
    // An event that is cut in the middle is cut, and not unreadable.
    let mut cut = answer(lenient);
    cut.feed(stream.get(..stream.len() - 9).expect("long"), |_| {});
    cut.end(CLEAN);
    let outcome = cut.outcome();
    assert_eq!((outcome.exit_code(), outcome.seen.unreadable), (20, 0));
    assert_eq!(*cut.stream_end(), {
        let mut end = End::at(cut.stream_end().offset);
        (end.line, end.data) = (true, false);
        end
    });
}
