//! The rules that fold signals into an outcome, one by one.

use sseam_core::{End, Limits, Overflow};
use sseam_llm::{
    CancelledBy, Close, Cursor, Dialect, Ending, Excess, Markers, Mode, Outcome, Reason, RequestId,
    Resubscribe, Timeout, TransportEnd, Turn,
};

use crate::run::{Report, run, run_with};

const CLEAN: End = End::at(0);

/// Events with this data each.
fn stream(data: &[&str]) -> Vec<u8> {
    data.iter()
        .flat_map(|data| format!("data: {data}\n\n").into_bytes())
        .collect()
}

fn chat(mode: Mode, data: &[&str]) -> Report {
    run(
        Turn::new(Dialect::OpenAiChat).with_mode(mode),
        &stream(data),
    )
}

fn name(report: Report) -> &'static str {
    report.outcome.name()
}

#[test]
fn chat_terminals_by_mode() {
    let a = r#"{"choices":[{"index":0,"delta":{"content":"a"}}]}"#;
    let b = r#"{"choices":[{"index":1,"delta":{"content":"b"}}]}"#;
    let (stop_0, stop_1) = (
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
        r#"{"choices":[{"index":1,"delta":{},"finish_reason":"stop"}]}"#,
    );
    let done = "[DONE]";
    for (data, [default, strict, lenient]) in [
        (&[][..], [20, 20, 20]),
        (&[a], [20, 20, 20]),
        (&[done], [0, 20, 0]),
        (&[a, done], [0, 20, 0]),
        (&[a, stop_0], [0, 20, 0]),
        (&[a, stop_0, done], [0, 0, 0]),
        (&[a, b, stop_0], [20, 20, 0]),
        (&[a, b, stop_0, done], [20, 20, 0]),
        (&[a, b, stop_0, stop_1], [0, 20, 0]),
        (&[a, b, stop_0, stop_1, done], [0, 0, 0]),
    ] {
        for (mode, code) in [
            (Mode::Default, default),
            (Mode::Strict, strict),
            (Mode::Lenient, lenient),
        ] {
            assert_eq!(
                chat(mode, data).outcome.exit_code(),
                code,
                "{mode:?} {data:?}"
            );
        }
    }
}

#[test]
fn who_asked_for_choices_waits_for_them() {
    let data = [
        r#"{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
        r#"{"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"stop"}]}"#,
    ];
    let turn = Turn::new(Dialect::OpenAiChat);
    let two = turn.with_expected_choices(2);
    assert_eq!(name(run(two, &stream(&data[..1]))), "Truncated");
    assert_eq!(name(run(two, &stream(&[data[0], "[DONE]"]))), "Truncated");
    assert_eq!(name(run(two, &stream(&data))), "Completed");
    let second = run(turn.with_choice(1), &stream(&data));
    assert_eq!(
        (second.text.as_str(), second.outcome.name()),
        ("b", "Completed")
    );
    // Otherwise a late choice comes too late.
    assert!(run(turn, &stream(&data[..1])).turn.is_finished());
}

#[test]
fn an_empty_reason_ends_nothing_and_null_undoes_nothing() {
    let empty = r#"{"choices":[{"delta":{"content":"a"},"finish_reason":""}]}"#;
    let stop = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    let null = r#"{"choices":[{"delta":{},"finish_reason":null}]}"#;
    assert_eq!(name(chat(Mode::Lenient, &[empty])), "Truncated");
    assert_eq!(name(chat(Mode::Default, &[empty, stop, null])), "Completed");
}

#[test]
fn the_worst_news_counts_in_any_order() {
    let refusal = r#"{"choices":[{"delta":{"refusal":"no"}}]}"#;
    let length = r#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#;
    let stop = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    let error = r#"{"error":{"message":"x","code":"bad"}}"#;
    for (data, expected) in [
        (&[refusal, length, stop, error][..], "Failed"),
        (&[error, stop, "[DONE]"], "Failed"),
        (&[error], "Failed"),
        (&[stop, error], "Failed"),
        (&[refusal, length], "Refused"),
        (&[refusal, stop, "[DONE]"], "Refused"),
        (&[length, stop], "Incomplete"),
        (&[stop, length], "Incomplete"),
        (&[refusal], "Truncated"),
    ] {
        assert_eq!(name(chat(Mode::Default, data)), expected, "{data:?}");
    }
    let seen = chat(Mode::Default, &[refusal]).outcome.seen;
    assert_eq!(seen.reason, Some(Reason::ModelRefused));
}

#[test]
fn chat_reasons() {
    for (word, expected) in [
        ("stop", Ending::Completed(Reason::Stop)),
        ("tool_calls", Ending::Completed(Reason::ToolCalls)),
        ("function_call", Ending::Completed(Reason::ToolCalls)),
        ("whatever", Ending::Completed(Reason::Other)),
        ("length", Ending::Incomplete(Reason::MaxOutput)),
        ("content_filter", Ending::Incomplete(Reason::ContentFilter)),
        ("error", Ending::Failed),
        ("insufficient_system_resource", Ending::Failed),
        ("network_error", Ending::Failed),
        ("abort", Ending::Cancelled(CancelledBy::Server)),
        ("sensitive", Ending::Incomplete(Reason::ContentFilter)),
        ("model_length", Ending::Incomplete(Reason::ContextWindow)),
    ] {
        let data = format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":"{word}"}}]}}"#);
        assert_eq!(
            chat(Mode::Default, &[&data, "[DONE]"]).outcome.ending,
            expected,
            "{word}"
        );
    }
}

#[test]
fn a_call_cut_by_the_budget_stays_open() {
    let function = r#"{"name":"f","arguments":"{\"a"}"#;
    let call = format!(
        r#"{{"choices":[{{"delta":{{"tool_calls":[{{"id":"c","function":{function}}}]}}}}]}}"#
    );
    for (word, open, closed) in [("length", 1, 0), ("tool_calls", 1, 0), ("stop", 1, 0)] {
        let finish = format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":"{word}"}}]}}"#);
        let seen = chat(Mode::Default, &[&call, &finish]).outcome.seen;
        assert_eq!(
            (seen.open_calls, seen.closed_calls),
            (open, closed),
            "{word}"
        );
    }
}

#[test]
fn calls_and_choices_in_one_event() {
    let report = run(
        Turn::new(Dialect::OpenAiChat).with_choice(1),
        &stream(&[r#"{"usage":{"prompt_tokens":1},"choices":[
            {"finish_reason":"stop","delta":{"content":"no"},"index":0},
            {"delta":{"tool_calls":[
                {"index":0,"id":"c0","function":{"name":"f","arguments":"1"}},
                {"index":1,"id":"c1","function":{"name":"g"}},
                {"index":0,"function":{"arguments":"2"}},
                {"index":1,"function":{"arguments":"3"}}],
                "content":"yes"},"index":1,"finish_reason":"tool_calls"}]}"#
            .replace('\n', "\ndata: ")
            .as_str()]),
    );
    let expected = [
        "other_choice",
        "finish",
        "text",
        "tool_opened",
        "tool_arguments",
        "tool_opened",
        "tool_arguments",
        "tool_arguments",
        "finish",
        "usage",
        // Only the end of the stream says that no more comes.
        "tool_closed",
        "tool_closed",
    ];
    assert_eq!(report.signals, expected);
    assert_eq!(report.text, "yes");
    let arguments: Vec<&str> = report
        .calls
        .iter()
        .map(|call| call.arguments.as_str())
        .collect();
    assert_eq!(arguments, ["12", "3"]);
}

#[test]
fn dropping_signals_changes_no_outcome() {
    let limits = Limits {
        data_len_max: 65536,
        ..Limits::DEFAULT
    };
    for example in crate::examples::all() {
        let stream = example.stream();
        let report = run(example.turn(), &stream);
        let mut memory = vec![0; limits.memory_len()];
        let mut parser = sseam_core::Parser::new(memory.as_mut_slice(), limits).unwrap();
        let mut turn = example.turn();
        let mut input = stream.as_slice();
        while let Some(item) = parser.next_item(&mut input).unwrap() {
            let _ = turn.observe_item(&item);
        }
        assert_eq!(
            turn.finish(&parser.finish()),
            report.outcome,
            "{}",
            example.file
        );
    }
}

#[test]
fn a_finish_is_provisional() {
    let stop = r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#;
    let late = r#"{"choices":[{"delta":{"content":"b"}}]}"#;
    let report = chat(Mode::Default, &[stop, late, "[DONE]"]);
    assert_eq!(
        (report.text.as_str(), report.outcome.name()),
        ("ab", "Completed")
    );
    // Output after a finish shows that this server's finishes prove nothing.
    assert_eq!(name(chat(Mode::Default, &[stop])), "Completed");
    assert_eq!(name(chat(Mode::Default, &[stop, late])), "Truncated");
    assert_eq!(name(chat(Mode::Default, &[stop, late, stop])), "Truncated");
    assert_eq!(name(chat(Mode::Lenient, &[stop, late, stop])), "Truncated");
    let filtered = r#"{"choices":[{"finish_reason":"content_filter"}]}"#;
    assert_eq!(name(chat(Mode::Default, &[stop, filtered])), "Incomplete");
}

#[test]
fn what_follows_the_api_s_own_end_does_not_count() {
    let stop = r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#;
    let late = r#"{"choices":[{"delta":{"content":"b"}}]}"#;
    let report = chat(Mode::Default, &[stop, "[DONE]", late]);
    assert_eq!(
        (report.text.as_str(), report.outcome.name()),
        ("a", "Completed")
    );
    // A late call is none that anybody may run, and a late refusal is late text.
    let call = r#"{"choices":[{"delta":{"tool_calls":[{"id":"c"}],"refusal":"no"}}]}"#;
    let report = chat(Mode::Default, &[stop, "[DONE]", call]);
    assert_eq!((report.calls.len(), report.outcome.seen.open_calls), (0, 0));
    assert_eq!(
        (report.refusal.as_str(), report.outcome.name()),
        ("", "Completed")
    );
}

#[test]
fn a_fault_after_the_terminal_is_a_note() {
    let stop = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    let mut turn = chat(Mode::Default, &[stop]).turn;
    let outcome = turn.finish_with(&CLEAN, Close::Transport(TransportEnd::Reset));
    assert_eq!(outcome.ending, Ending::Completed(Reason::Stop));
    assert!(outcome.seen.late_fault);
    let outcome = turn.finish_with(&CLEAN, Close::TimedOut(Timeout::Idle));
    assert_eq!(outcome.exit_code(), 0);
}

#[test]
fn every_close_has_its_exit_code() {
    let mut turn = Turn::new(Dialect::Anthropic);
    let mut code = |close| turn.finish_with(&CLEAN, close).exit_code();
    assert_eq!(code(Close::Transport(TransportEnd::Clean)), 20);
    assert_eq!(code(Close::Transport(TransportEnd::Cut)), 20);
    assert_eq!(code(Close::TimedOut(Timeout::Total)), 21);
    assert_eq!(code(Close::Limit(Excess::Memory)), 22);
    assert_eq!(code(Close::InvalidText), 23);
    assert_eq!(code(Close::Status(503)), 30);
    assert_eq!(code(Close::NotEventStream), 31);
    assert_eq!(code(Close::NoResponse), 40);
    assert_eq!(code(Close::Cancelled), 130);
    let mut turn = Turn::new(Dialect::OpenAiResponses);
    turn = run(turn, &stream(&[r#"{"type":"response.cancelled"}"#])).turn;
    let outcome = turn.finish(&CLEAN);
    assert_eq!(outcome.ending, Ending::Cancelled(CancelledBy::Server));
    assert_eq!(outcome.exit_code(), 12);
}

#[test]
fn responses_ends_and_calls() {
    let of = |data: &[&str]| run(Turn::new(Dialect::OpenAiResponses), &stream(data));
    let ending = |data: &str| of(&[data]).outcome.ending;
    let incomplete = |reason: &str| {
        format!(
            r#"{{"type":"response.incomplete","response":{{"incomplete_details":
data: {{"reason":"{reason}"}}}}}}"#
        )
    };
    assert_eq!(
        ending(&incomplete("max_output_tokens")),
        Ending::Incomplete(Reason::MaxOutput)
    );
    assert_eq!(
        ending(&incomplete("steered")),
        Ending::Incomplete(Reason::Unfinished)
    );
    assert_eq!(
        ending(r#"{"type":"error","code":"x","message":"y"}"#),
        Ending::Failed
    );
    // What the response says of itself outweighs the name of its event.
    let failed = r#"{"type":"response.completed","response":{"status":"failed"}}"#;
    assert_eq!(ending(failed), Ending::Failed);
    let item = |kind: &str, more: &str| {
        format!(
            r#"{{"type":"response.output_item.{kind}","output_index":3,"item":
data: {{"type":"function_call","call_id":"c","name":"f","arguments":"{more}"}}}}"#
        )
    };
    let (added, done) = (item("added", ""), item("done", "{}"));
    let arguments =
        r#"{"type":"response.function_call_arguments.done","output_index":3,"arguments":"{}"}"#;
    let completed = r#"{"type":"response.completed"}"#;
    // Some servers send no deltas, some no items, some no end of arguments.
    for data in [
        &[added.as_str(), arguments, &done, completed][..],
        &[&added, &done, completed],
        &[&added, arguments, completed],
        &[&done, completed],
        &[arguments, &done, completed],
    ] {
        let report = of(data);
        assert_eq!(report.calls.len(), 1, "{data:?}");
        assert_eq!(
            (report.calls[0].arguments.as_str(), report.calls[0].closed),
            ("{}", true)
        );
        assert_eq!(
            (
                report.outcome.seen.closed_calls,
                report.outcome.seen.open_calls
            ),
            (1, 0)
        );
    }
}

/// An item is known by its id where its events and its end disagree on its place.
#[test]
fn what_repeats_an_item_is_found_by_its_id() {
    const TYPE: &str = "response.output_text.delta";
    const ITEM: &str = r#""item_id":"msg_1""#;
    const DELTA: &str = r#""content_index":0,"delta":"#;
    const OUTPUT: &str = concat!(
        r#""status":"completed","output":[{"id":"msg_1","type":"message","#,
        r#""content":[{"type":"output_text","text":"#
    );
    let delta = |index: u32, text: &str| {
        format!(r#"{{"type":"{TYPE}","output_index":{index},{ITEM},{DELTA}"{text}"}}"#)
    };
    let end = |text: &str| {
        format!(r#"{{"type":"response.completed","response":{{{OUTPUT}"{text}"}}]}}]}}}}"#)
    };
    let read = |whole: &str| {
        let data = [delta(1, "Dry. "), delta(0, "Pay."), end(whole)];
        let data: Vec<&str> = data.iter().map(String::as_str).collect();
        run(Turn::new(Dialect::OpenAiResponses), &stream(&data))
    };
    for (whole, ending) in [
        ("Dry. Pay.", Ending::Completed(Reason::Stop)),
        ("Dry. Pay half.", Ending::Incomplete(Reason::Lost)),
    ] {
        let report = read(whole);
        assert_eq!(report.text, "Dry. Pay.", "{whole}");
        assert_eq!(report.outcome.ending, ending, "{whole}");
    }
}

#[test]
fn a_jump_in_the_numbers_is_a_gap() {
    let of = |numbers: &[u64]| {
        let data: Vec<String> = numbers
            .iter()
            .map(|n| format!(r#"{{"type":"response.in_progress","sequence_number":{n}}}"#))
            .collect();
        let data: Vec<&str> = data.iter().map(String::as_str).collect();
        run(Turn::new(Dialect::OpenAiResponses), &stream(&data)).outcome
    };
    assert!(!of(&[0, 1, 2]).seen.gap);
    assert!(!of(&[7, 8]).seen.gap);
    assert!(of(&[0, 2]).seen.gap);
    assert_eq!(of(&[0, 2]).cursor, Cursor::Sequence(2));
}

#[test]
fn anthropic_reasons() {
    for (word, expected) in [
        ("end_turn", Ending::Completed(Reason::Stop)),
        ("stop_sequence", Ending::Completed(Reason::StopSequence)),
        ("tool_use", Ending::Completed(Reason::ToolCalls)),
        ("max_tokens", Ending::Incomplete(Reason::MaxOutput)),
        (
            "model_context_window_exceeded",
            Ending::Incomplete(Reason::ContextWindow),
        ),
        ("pause_turn", Ending::Incomplete(Reason::Paused)),
        ("refusal", Ending::Refused(Reason::ModelRefused)),
    ] {
        let delta = format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"{word}"}}}}"#);
        let data = [delta.as_str(), r#"{"type":"message_stop"}"#];
        let of = |mode, data| run(Turn::new(Dialect::Anthropic).with_mode(mode), &stream(data));
        assert_eq!(of(Mode::Default, &data).outcome.ending, expected, "{word}");
        assert_eq!(
            of(Mode::Lenient, &data[..1]).outcome.ending,
            expected,
            "{word}"
        );
        assert_eq!(
            of(Mode::Default, &data[..1]).outcome.exit_code(),
            20,
            "{word}"
        );
    }
}

#[test]
fn gemini_reasons() {
    let of = |data: &[&str]| run(Turn::new(Dialect::Gemini), &stream(data)).outcome;
    for (word, code) in [
        ("STOP", 0),
        ("NEW_REASON", 0),
        ("MAX_TOKENS", 10),
        ("SAFETY", 11),
        ("RECITATION", 11),
        ("IMAGE_SAFETY", 11),
        ("MALFORMED_FUNCTION_CALL", 12),
        ("OTHER", 12),
        ("FINISH_REASON_UNSPECIFIED", 20),
    ] {
        let data = format!(r#"{{"candidates":[{{"finishReason":"{word}"}}]}}"#);
        assert_eq!(of(&[&data]).exit_code(), code, "{word}");
    }
    // A reason in each chunk is no terminal: text still counts.
    let chunk = r#"{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}"#;
    let report = run(Turn::new(Dialect::Gemini), &stream(&[chunk, chunk]));
    assert_eq!(
        (report.text.as_str(), report.outcome.name()),
        ("aa", "Completed")
    );
}

#[test]
fn interactions_states() {
    let of = |status: &str| {
        let data = format!(
            r#"{{"event_type":"interaction.completed","interaction":{{"status":"{status}"}}}}"#
        );
        run(Turn::new(Dialect::GeminiInteractions), &stream(&[&data])).outcome
    };
    assert_eq!(of("completed").ending, Ending::Completed(Reason::Stop));
    assert_eq!(
        of("requires_action").ending,
        Ending::Completed(Reason::ToolCalls)
    );
    assert_eq!(of("incomplete").exit_code(), 10);
    assert_eq!(of("budget_exceeded").exit_code(), 10);
    assert_eq!(of("failed").ending, Ending::Failed);
    assert_eq!(
        of("cancelled").ending,
        Ending::Cancelled(CancelledBy::Server)
    );
    let begun = r#"{"event_type":"interaction.created","event_id":"e1"}"#;
    let outcome = run(Turn::new(Dialect::GeminiInteractions), &stream(&[begun])).outcome;
    assert_eq!(outcome.exit_code(), 20);
    let resubscribe = outcome.recovery().resubscribe;
    assert!(matches!(resubscribe, Resubscribe::From(Cursor::EventId(id)) if id.as_str() == "e1"));
}

#[test]
fn mcp_waits_for_its_own_response() {
    let response = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
    let turn = Turn::new(Dialect::Mcp2026);
    let seven = turn.with_request_id(RequestId::Number(7)).unwrap();
    let text = turn.with_request_id(RequestId::Text("r\n")).unwrap();
    for (turn, id, is_ours) in [
        (turn, "1", true),
        (seven, "7", true),
        (seven, "8", false),
        (seven, "\"7\"", false),
        (text, "\"r\\n\"", true),
        (text, "\"r\"", false),
    ] {
        let name = name(run(turn, &stream(&[&response(id)])));
        assert_eq!(name == "Completed", is_ours, "{id}");
    }
    let minimum = turn.with_request_id(RequestId::Number(i64::MIN)).unwrap();
    let data = response(&i64::MIN.to_string());
    assert_eq!(name(run(minimum, &stream(&[&data]))), "Completed");
    let batch = format!("[{},{}]", response("6"), response("7"));
    assert_eq!(name(run(seven, &stream(&[&batch]))), "Completed");
    let method = r#"{"jsonrpc":"2.0","id":7,"method":"x","result":{}}"#;
    assert_eq!(name(run(seven, &stream(&[method]))), "Truncated");
    let error = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"x"}}"#;
    let outcome = run(seven, &stream(&[error])).outcome;
    assert_eq!(
        (outcome.name(), outcome.seen.code.as_str()),
        ("Failed", "-32000")
    );
    let tool = r#"{"jsonrpc":"2.0","id":7,"result":{"isError":true}}"#;
    let outcome = run(seven, &stream(&[tool])).outcome;
    assert!(outcome.is_completed() && outcome.seen.tool_error);
}

#[test]
fn custom_markers() {
    let none = Markers::NONE;
    let ends = [
        (none.with_end_data("END").unwrap(), "data: END\n\n"),
        (none.with_end_event("bye").unwrap(), "event: bye\ndata:\n\n"),
        (
            none.with_end_field("a.0.b", "x").unwrap(),
            "data: {\"a\":[{\"b\":\"\\u0078\"}]}\n\n",
        ),
        (
            none.with_end_field("ok", "true").unwrap(),
            "data: {\"ok\":true}\n\n",
        ),
    ];
    for (markers, end) in ends {
        let text = "data: one\n\n";
        let report = run(Turn::custom(markers), [text, end].concat().as_bytes());
        assert_eq!(
            (report.text.as_str(), report.outcome.name()),
            ("one\n", "Completed"),
            "{end}"
        );
        assert_eq!(
            name(run(Turn::custom(markers), text.as_bytes())),
            "Truncated",
            "{end}"
        );
    }
    assert_eq!(name(run(Turn::custom(none), b"data: one\n\n")), "Ended");
    let error = none.with_error_event("oops").unwrap();
    let report = run(Turn::custom(error), b"event: oops\ndata: why\n\n");
    assert_eq!(report.errors, [(String::new(), "why".to_owned())]);
    assert_eq!(report.outcome.ending, Ending::Failed);
    assert!(none.with_end_data(&"x".repeat(190)).is_ok());
    let full = none.with_end_data(&"x".repeat(191));
    assert_eq!(full.unwrap_err().wanted, 193);
}

#[test]
fn what_is_skipped_is_known_by_its_type_alone() {
    let limits = Limits {
        overflow: Overflow::Skip,
        comment_len_max: 64,
        ..Limits::SMALL
    };
    let long = "x".repeat(600);
    let of = |dialect, events: &[(&str, &str)]| -> Outcome {
        let stream: String = events
            .iter()
            .map(|(kind, data)| format!("event: {kind}\ndata: {data}\n\n"))
            .collect();
        run_with(limits, Turn::new(dialect), &[stream.as_bytes()]).outcome
    };
    let responses = Dialect::OpenAiResponses;
    assert_eq!(
        of(responses, &[("response.completed", &long)]).exit_code(),
        0
    );
    assert_eq!(
        of(responses, &[("response.incomplete", &long)]).exit_code(),
        10
    );
    assert_eq!(of(responses, &[("response.failed", &long)]).exit_code(), 12);
    assert_eq!(of(responses, &[("error", &long)]).exit_code(), 12);
    assert_eq!(
        of(responses, &[("response.created", &long)]).exit_code(),
        22
    );
    assert_eq!(
        of(Dialect::Auto, &[("response.completed", &long)]).exit_code(),
        0
    );
    // Lost text is never taken for a whole answer.
    let delta = ("response.output_text.delta", long.as_str());
    assert_eq!(
        of(responses, &[delta, ("response.completed", "{}")]).exit_code(),
        22
    );
    let stop = ("message_stop", "{}");
    assert_eq!(
        of(Dialect::Anthropic, &[("message_start", &long), stop]).exit_code(),
        0
    );
    assert_eq!(
        of(Dialect::Anthropic, &[("message_delta", &long), stop]).exit_code(),
        22
    );
    assert_eq!(
        of(Dialect::Cohere, &[("message-end", &long)]).exit_code(),
        22
    );
    let chat = |first: &str| {
        let stop = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
        of(
            Dialect::OpenAiChat,
            &[("message", first), ("message", stop)],
        )
        .exit_code()
    };
    assert_eq!(chat(&format!(r#"{{"choices":[],"x":"{long}"}}"#)), 0);
    assert_eq!(
        chat(&format!(
            r#"{{"x":1,"choices":[{{"delta":{{"content":"{long}"}}}}]}}"#
        )),
        22
    );
    assert_eq!(chat(&format!(r#"{{"x":"{long}","choices":[]}}"#)), 22);
}

#[test]
fn more_calls_than_fit_are_never_complete() {
    let of = |count: usize| {
        let calls: Vec<String> = (0..count)
            .map(|n| {
                format!(
                    r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{n},"id":"c"}}]}}}}]}}"#
                )
            })
            .collect();
        let mut data: Vec<&str> = calls.iter().map(String::as_str).collect();
        data.push(r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#);
        chat(Mode::Default, &data).outcome.ending
    };
    assert_eq!(
        of(sseam_llm::OPEN_CALLS_MAX),
        Ending::Completed(Reason::ToolCalls)
    );
    assert_eq!(
        of(sseam_llm::OPEN_CALLS_MAX + 1),
        Ending::LimitExceeded(Excess::Tracked)
    );
    let choice = |index: usize| {
        let data = format!(r#"{{"choices":[{{"index":{index},"finish_reason":"stop"}}]}}"#);
        chat(Mode::Default, &[&data]).outcome.exit_code()
    };
    assert_eq!(choice(sseam_llm::CHOICES_MAX - 1), 0);
    assert_ne!(choice(sseam_llm::CHOICES_MAX), 0);
}

#[test]
fn unframed_bodies() {
    let of = |dialect, body: &str| name(run(Turn::new(dialect), body.as_bytes()));
    let gemini = Dialect::Gemini;
    let error = "{\n \"error\": {\n \"code\": 503,\n \"message\": \"a } \\\" b\"\n }\n}\n";
    assert_eq!(of(gemini, error), "Failed");
    assert_eq!(of(gemini, "{\"error\":\"no\"}\n"), "Failed");
    for falsy in ["null", "\"\"", "{}", "false", "0"] {
        assert_eq!(
            of(gemini, &format!("{{\"error\":{falsy}}}\n")),
            "NotEventStream",
            "{falsy}"
        );
    }
    assert_eq!(of(gemini, "{\"a\":{\"error\":1}}\n"), "NotEventStream");
    assert_eq!(of(gemini, "{\"a\":1}\n{\"a\":2}\n"), "NotEventStream");
    assert_eq!(of(gemini, "[\n{\"error\":1}\n]\n"), "NotEventStream");
    // Of a document that was cut no more is known than that it is one.
    assert_eq!(of(gemini, "{\n\"error\": {\n"), "NotEventStream");
    // After events it is an error all the same, and no other JSON matters.
    let event = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n\n";
    assert_eq!(of(gemini, &[event, error].concat()), "Failed");
    assert_eq!(of(gemini, &[event, "{\"a\":1}\n"].concat()), "Truncated");
    assert_eq!(of(Dialect::Plain, error), "NotEventStream");
    // A line that was not kept whole ends the look, not what was seen.
    let limits = Limits {
        comment_len_max: 40,
        ..Limits::DEFAULT
    };
    let long = format!(
        "{{\"error\":{{\"code\":7,\"message\":\"{}\"}}}}\n",
        "x".repeat(99)
    );
    let report = run_with(limits, Turn::new(gemini), &[long.as_bytes()]);
    assert_eq!(
        (report.outcome.name(), report.outcome.seen.code.as_str()),
        ("Failed", "7")
    );
}

#[test]
fn empty_data_and_unknown_things_are_no_errors() {
    for dialect in Dialect::ALL {
        let report = run(
            Turn::new(*dialect),
            b"data:\n\ndata: \n\n: c\n\nfoo: bar\n\n",
        );
        assert_eq!(report.signals, ["keep_alive", "keep_alive"], "{dialect}");
        assert_eq!(
            (report.text.as_str(), report.progress),
            ("", 0),
            "{dialect}"
        );
        let unknown = br#"data: {"type":"new.thing","choices":[],"candidates":[]}

data: {}

data: 1

"#;
        let report = run(Turn::new(*dialect), unknown);
        let is_known = !matches!(dialect, Dialect::Plain | Dialect::Custom);
        assert_eq!(
            report.count("unreadable") + report.count("error"),
            0,
            "{dialect}"
        );
        assert!(
            !is_known || report.signals == ["other", "other", "keep_alive"],
            "{dialect}: {:?}",
            report.signals
        );
    }
}

#[test]
fn recovery_keeps_three_questions_apart() {
    let created = |background: &str| {
        format!(r#"{{"type":"response.created","sequence_number":0,"response":{{{background}}}}}"#)
    };
    let of = |background: &str| {
        let delta = r#"{"type":"response.output_text.delta","delta":"a","sequence_number":1}"#;
        let data = [created(background), delta.to_owned()];
        let data: Vec<&str> = data.iter().map(String::as_str).collect();
        run(Turn::new(Dialect::OpenAiResponses), &stream(&data))
            .outcome
            .recovery()
    };
    let cursor = Cursor::Sequence(1);
    assert_eq!(
        of(r#""background":true"#).resubscribe,
        Resubscribe::From(cursor)
    );
    assert_eq!(
        of(r#""background":false"#).resubscribe,
        Resubscribe::Impossible
    );
    assert_eq!(of("").resubscribe, Resubscribe::Perhaps(cursor));
    assert!(of("").output_seen);
    let done = chat(
        Mode::Default,
        &[r#"{"choices":[{"finish_reason":"stop"}]}"#],
    )
    .outcome;
    assert_eq!(done.recovery().resubscribe, Resubscribe::NotNeeded);
    assert!(!done.recovery().output_seen);
    let cut = run(Turn::new(Dialect::Plain), b"id: 7\ndata: a\n\ndata").outcome;
    let resubscribe = cut.recovery().resubscribe;
    assert!(
        matches!(resubscribe, Resubscribe::Perhaps(Cursor::LastEventId(id)) if id.as_str() == "7")
    );
}

#[test]
fn duplicate_keys_the_last_wins() {
    for (data, text) in [
        (
            r#"{"choices":[{"delta":{"content":"a","content":"b"}}]}"#,
            "b",
        ),
        (
            r#"{"choices":[{"delta":{"content":"a"},"delta":{"content":"b"}}]}"#,
            "b",
        ),
        (r#"{"choices":[{"delta":{"content":"a"},"delta":{}}]}"#, ""),
        (
            r#"{"choices":[{"delta":{"content":"a"}}],"choices":[]}"#,
            "",
        ),
        (
            r#"{"choices":[{"delta":{"content":"a"}}],"choices":null}"#,
            "",
        ),
        (
            r#"{"choices":[{"delta":{"content":"a","content":null}}]}"#,
            "",
        ),
        (
            r#"{"choices":[{"delta":{"content":"a"}},{}],"choices":[{"delta":{"content":"b"}}]}"#,
            "b",
        ),
        (r#"{"\u0063hoices":[{"delta":{"conten\u0074":"c"}}]}"#, "c"),
    ] {
        assert_eq!(chat(Mode::Default, &[data]).text, text, "{data}");
    }
    let twice = r#"{"choices":[{"delta":{"tool_calls":[{"id":"x"}],"tool_calls":[]}}]}"#;
    assert_eq!(chat(Mode::Default, &[twice]).calls, []);
    let undone = r#"{"choices":[{"finish_reason":"stop","finish_reason":null}]}"#;
    assert_eq!(name(chat(Mode::Lenient, &[undone])), "Truncated");
}

#[test]
fn fields_stand_in_any_order_and_on_any_line() {
    let data = r#"{"delta":"a",
data: "obfuscation":"xx",
data: "type":
data: "response.output_text.delta"}"#;
    let report = run(Turn::new(Dialect::OpenAiResponses), &stream(&[data]));
    assert_eq!(report.text, "a");
}

#[test]
fn after_the_terminal_is_over_or_not() {
    let stop = r#"{"choices":[{"finish_reason":"stop"}]}"#;
    let of = |data: &[&str]| {
        let turn = chat(Mode::Default, data).turn;
        (turn.is_finished(), turn.is_terminal(), turn.is_over())
    };
    assert_eq!(of(&[]), (false, false, false));
    assert_eq!(of(&[stop]), (true, false, false));
    assert_eq!(of(&[stop, "[DONE]"]), (false, true, true));
    let responses = |data: &str| {
        let turn = run(Turn::new(Dialect::OpenAiResponses), &stream(&[data])).turn;
        (turn.is_terminal(), turn.is_over())
    };
    assert_eq!(responses(r#"{"type":"response.completed"}"#), (true, true));
    assert_eq!(responses(r#"{"type":"response.failed"}"#), (true, false));
    let failed = r#"{"type":"response.failed","response":{"error":{"code":"x"}}}"#;
    assert_eq!(responses(failed), (true, true));
}

#[test]
fn a_body_without_a_line_end() {
    let of = |body: &str| {
        run(Turn::new(Dialect::Auto), body.as_bytes())
            .outcome
            .name()
    };
    assert_eq!(of(r#"{"error":"no"}"#), "Failed");
    assert_eq!(of("\u{FEFF}\n {\"error\":{\"code\":1}}"), "Failed");
    // The server had begun to say that it failed.
    assert_eq!(of(r#"{"error":{"code":1,"mess"#), "Failed");
    assert_eq!(of(r#"{"a":1}"#), "NotEventStream");
    assert_eq!(of("[{}]"), "NotEventStream");
    assert_eq!(of("data: {\"error\":1}"), "Truncated");
}

/// Each dialect names its sources, and when they were looked at last.
#[test]
fn every_dialect_has_its_sources() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/dialects.md");
    let docs = std::fs::read_to_string(docs).expect("docs/dialects.md");
    let (_, sources) = docs.split_once("## Sources").expect("sources");
    for dialect in Dialect::ALL {
        let names = |line: &&str| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            let is_named = |cell: &str| cell.split(", ").any(|name| name == dialect.name());
            cells.next().is_some_and(is_named)
        };
        let row = sources
            .lines()
            .find(names)
            .unwrap_or_else(|| panic!("{dialect}"));
        let date = row.rsplit('|').nth(1).map(str::trim).unwrap_or_default();
        let is_date = date.len() == 7 && date.starts_with("20") && date.as_bytes()[4] == b'-';
        assert!(is_date, "{dialect}: {date}");
    }
}
