//! Faults of other people's clients: each case of the profile layer, with what
//! is right instead.

use sseam_core::{Limits, Parser};
use sseam_llm::{Close, Dialect, Ending, JsonFault, Mode, Signal, Timeout, Turn};
use sseam_testkit::cases;

use crate::run::{Report, is_linear, run};

/// The stream of a case; its events are held against the case's own.
#[track_caller]
fn case(id: &str, turn: Turn) -> Report {
    let case = cases::all().iter().find(|case| case.id == id).expect(id);
    let report = run(turn, &case.streams().concat());
    let events = case.events().map_or(0, <[_]>::len);
    // MCP answers with a document too, which is read as an event.
    let reads_documents = matches!(turn.dialect(), Dialect::Mcp2025 | Dialect::Mcp2026);
    let is_unfinished = usize::from(turn.wants_unfinished() || reads_documents);
    assert!(
        report.events >= events && report.events <= events + is_unfinished,
        "{id}"
    );
    report
}

fn chat() -> Turn {
    Turn::new(Dialect::OpenAiChat)
}

/// Every case has its test below.
#[test]
fn no_case_is_left_out() {
    let here = include_str!("cases.rs");
    for case in cases::layer("profile") {
        assert!(
            here.contains(&format!("\"{}\"", case.id)),
            "{}: {}",
            case.id,
            case.symptom
        );
    }
}

#[test]
fn done_is_no_json() {
    let report = case("A01", chat());
    assert_eq!(report.count("unreadable"), 0);
    assert_eq!(report.outcome.name(), "Completed");
    for dialect in [Dialect::Anthropic, Dialect::Auto] {
        let report = case("A02", Turn::new(dialect));
        assert_eq!(report.signals, ["terminal", "other"]);
        assert_eq!(report.outcome.name(), "Completed");
    }
}

#[test]
fn an_error_in_the_stream_is_a_failure_done_or_not() {
    let report = case("A04", chat());
    assert_eq!(report.text, "a");
    assert_eq!(
        report.errors,
        [("502".to_owned(), "upstream busy".to_owned())]
    );
    assert_eq!(report.outcome.ending, Ending::Failed);
}

#[test]
fn a_failed_response_is_terminal_at_once() {
    let report = case("A06", Turn::new(Dialect::OpenAiResponses));
    assert_eq!(report.signals, ["error", "terminal"]);
    assert_eq!(
        report.errors,
        [("server_error".to_owned(), "boom".to_owned())]
    );
    assert!(report.turn.is_terminal());
}

#[test]
fn a_field_named_error_and_a_bare_body_are_failures() {
    let report = case("A07", chat());
    assert_eq!(
        report.errors,
        [("400".to_owned(), "context too small".to_owned())]
    );
    assert_eq!(report.outcome.ending, Ending::Failed);
    for dialect in Dialect::ALL
        .iter()
        .filter(|dialect| dialect.name() != "custom")
    {
        let outcome = case("A08", Turn::new(*dialect)).outcome;
        match dialect {
            Dialect::Plain => assert_eq!(outcome.ending, Ending::NotEventStream),
            _ => assert_eq!(
                (outcome.ending, outcome.seen.code.as_str()),
                (Ending::Failed, "400")
            ),
        }
    }
}

#[test]
fn the_end_of_input_completes_nothing() {
    let report = case("A10", chat());
    assert_eq!(
        (report.text.as_str(), report.outcome.name()),
        ("The answer is", "Truncated")
    );
    assert!(report.outcome.recovery().output_seen);
    // Nor does it complete an answer that was ended by its choices alone.
    assert_eq!(case("A22", chat()).outcome.name(), "Completed");
    assert_eq!(
        case("A22", chat().with_mode(Mode::Strict)).outcome.name(),
        "Truncated"
    );
}

#[test]
fn usage_comes_after_the_finish() {
    let report = case("A12", chat());
    assert_eq!(report.signals, ["finish", "usage", "terminal"]);
    let usage = report.outcome.seen.usage;
    assert_eq!((usage.input, usage.output), (Some(5), Some(2)));
    assert_eq!(report.outcome.name(), "Completed");
}

#[test]
fn null_is_no_text_and_a_blank_is() {
    assert_eq!(case("A13", chat()).outcome.name(), "Truncated");
    let report = case("A13", chat().with_mode(Mode::Lenient));
    assert_eq!(
        (report.text.as_str(), report.outcome.name()),
        (" ", "Completed")
    );
}

#[test]
fn a_json_array_is_no_event_stream() {
    for dialect in [Dialect::Gemini, Dialect::Auto, Dialect::OpenAiChat] {
        assert_eq!(
            case("A15", Turn::new(dialect)).outcome.ending,
            Ending::NotEventStream
        );
    }
}

#[test]
fn a_ping_is_seen_and_is_no_progress() {
    let report = case("A16", Turn::new(Dialect::Anthropic));
    assert_eq!(report.signals, ["keep_alive", "terminal"]);
    assert_eq!(
        (report.text.as_str(), report.outcome.name()),
        ("", "Completed")
    );
    let ping = Signal::KeepAlive;
    assert!(!ping.is_progress());
}

#[test]
fn a_heartbeat_is_no_response() {
    for dialect in [Dialect::Mcp2025, Dialect::Mcp2026, Dialect::Auto] {
        let report = case("A18", Turn::new(dialect));
        assert_eq!(report.signals, ["other", "finish", "terminal"]);
        assert_eq!(report.outcome.name(), "Completed");
    }
    assert_eq!(
        case("P25", Turn::new(Dialect::Mcp2025)).signals[0],
        "keep_alive"
    );
}

#[test]
fn glued_frames_are_unreadable_and_the_stream_goes_on() {
    let report = case("A19", chat());
    assert_eq!(report.signals, ["unreadable", "terminal"]);
    assert_eq!(report.outcome.seen.unreadable, 1);
}

#[test]
fn silence_is_a_timeout_that_says_what_was_seen() {
    // A20 has no stream of its own, only its situation.
    let _ = cases::all()
        .iter()
        .find(|case| case.id == "A20")
        .expect("A20");
    let delta = b"data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n";
    let mut report = run(chat(), &delta.repeat(2));
    let end = sseam_core::End::at(0);
    let outcome = report
        .turn
        .finish_with(&end, Close::TimedOut(Timeout::Progress));
    assert_eq!(
        (report.reasoning.as_str(), outcome.exit_code()),
        ("hmhm", 21)
    );
    assert!(outcome.seen.output && !outcome.seen.terminal);
}

#[test]
fn an_error_before_all_else_saw_no_output() {
    for dialect in [Dialect::OpenAiChat, Dialect::Gemini, Dialect::Auto] {
        let report = case("A21", Turn::new(dialect));
        assert_eq!(
            report.errors,
            [("400".to_owned(), "invalid request".to_owned())]
        );
        assert_eq!(report.outcome.ending, Ending::Failed);
        assert!(!report.outcome.recovery().output_seen);
    }
}

#[test]
fn the_type_is_looked_up_in_the_json() {
    let report = case("P24", Turn::new(Dialect::OpenAiResponses));
    assert_eq!((report.events, report.count("unreadable")), (1, 0));
    assert_eq!(
        case("P24", Turn::new(Dialect::Auto)).turn.dialect(),
        Dialect::OpenAiResponses
    );
}

#[test]
fn many_deltas_cost_linear_time() {
    let _ = cases::all()
        .iter()
        .find(|case| case.id == "L16")
        .expect("L16");
    let run_over = |count: usize| {
        let delta = format!(
            "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n",
            "x".repeat(256)
        );
        let stream = delta.repeat(count);
        assert_eq!(run(chat(), stream.as_bytes()).text.len(), 256 * count);
    };
    assert!(is_linear(|| run_over(2000), || run_over(20_000)));
}

#[test]
fn a_bomb_of_brackets_is_too_deep() {
    let case = cases::all()
        .iter()
        .find(|case| case.id == "F11")
        .expect("F11");
    let stream = case.streams().concat();
    let mut memory = vec![0; Limits::DEFAULT.memory_len()];
    let mut parser = Parser::new(memory.as_mut_slice(), Limits::DEFAULT).unwrap();
    let mut input = stream.as_slice();
    let event = parser.next_event(&mut input).unwrap().unwrap();
    for dialect in Dialect::ALL {
        let mut turn = Turn::new(*dialect);
        let is_known = !matches!(dialect, Dialect::Plain | Dialect::Custom);
        let is_too_deep = turn.observe(&event).any(|signal| {
            matches!(signal, Signal::Unreadable(error) if error.fault == JsonFault::TooDeep)
        });
        assert_eq!(is_too_deep, is_known, "{dialect}");
    }
}
