//! The command as an engine of the testkit: a stream in chunks comes in, and
//! the report is read off the lines, the messages, the summary and the exit
//! code.

use serde_json::Value;
use sseam::Limits;
use sseam_cli::Exit;
use sseam_testkit as kit;

use crate::command::{Chunks, Ran, Terminals, run_from};

/// `sseam replay -`, each read giving one chunk.
pub(crate) struct Reads;

/// `sseam replay - --chunk-size N`, for cuts into equal chunks.
pub(crate) struct ChunkSize;

/// What a comment or an ignored line keeps: not for the user to choose.
const COMMENT_LEN_MAX: usize = 512;

const LIMITS: [kit::Limit; 6] = [
    kit::Limit::Bytes,
    kit::Limit::Line,
    kit::Limit::Data,
    kit::Limit::EventType,
    kit::Limit::Id,
    kit::Limit::Events,
];

const CAPABILITIES: kit::Capabilities = kit::Capabilities {
    raw_bytes: false,
    spans: false,
    item_details: false,
    // The command leaves out a last character that was cut: see `ends.rs`.
    unfinished: false,
    ..kit::Capabilities::ALL
};

impl kit::Engine for Reads {
    fn name(&self) -> &str {
        "sseam replay"
    }

    fn capabilities(&self) -> kit::Capabilities {
        CAPABILITIES
    }

    fn supports(&self, setup: &kit::Setup, stream_len: usize) -> bool {
        supports(setup, stream_len)
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        report(setup, chunks, &[])
    }
}

impl kit::Engine for ChunkSize {
    fn name(&self) -> &str {
        "sseam replay --chunk-size"
    }

    fn capabilities(&self) -> kit::Capabilities {
        CAPABILITIES
    }

    fn supports(&self, setup: &kit::Setup, stream_len: usize) -> bool {
        supports(setup, stream_len)
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let size = chunks.first().map_or(1, |chunk| chunk.len());
        let whole = chunks.concat();
        report(setup, &[&whole], &["--chunk-size", &size.to_string()])
    }
}

fn supports(setup: &kit::Setup, stream_len: usize) -> bool {
    let is_kept_alike = setup.limits.comment == COMMENT_LEN_MAX
        || (setup.limits.comment >= stream_len && stream_len <= COMMENT_LEN_MAX);
    let has_argument = std::str::from_utf8(&setup.last_event_id).is_ok();
    has_argument && (is_kept_alike || !setup.want_items)
}

fn report(setup: &kit::Setup, chunks: &[&[u8]], more: &[&str]) -> kit::Report {
    let mut args: Vec<String> = ["replay", "-", "--lossy", "--summary", "json"]
        .map(str::to_owned)
        .to_vec();
    args.extend(more.iter().map(|arg| (*arg).to_owned()));
    let stream_len = chunks.iter().map(|chunk| chunk.len()).sum();
    args.extend(flags(setup, stream_len));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let ran = run_from(&args, &mut Chunks::new(chunks), Terminals::default());
    let mut report = state(&ran.summary());
    report.items = ran.json_lines().iter().map(item).collect();
    report.failure = failure(&ran);
    check_exit(&ran, &report);
    report
}

/// The flags that a setup asks for. A limit that is off is left out where the
/// command's own, of which that of types is the least, cannot be passed: most of
/// the time of a test goes into flags.
fn flags(setup: &kit::Setup, stream_len: usize) -> Vec<String> {
    let mut flags = Vec::new();
    let is_long = stream_len > Limits::LARGE.event_type_len_max;
    for limit in LIMITS {
        let max = setup.limits.max_of(limit);
        if max < u64::MAX || is_long {
            flags.push(format!("--max-{}={max}", word(limit)));
        }
    }
    if let (false, Ok(id)) = (
        setup.last_event_id.is_empty(),
        std::str::from_utf8(&setup.last_event_id),
    ) {
        flags.push(format!("--last-event-id={id}"));
    }
    if setup.want_items {
        flags.push("--print=items".to_owned());
    }
    if setup.overflow == kit::Overflow::Skip {
        flags.push("--overflow=skip".to_owned());
    }
    flags
}

fn item(line: &Value) -> kit::Item {
    let bytes = |value: &Value| value.as_str().map(|text| text.as_bytes().to_vec());
    let required = |value: &Value| bytes(value).expect("a string");
    let object = line.as_object().expect("an object");
    match object.keys().next().map(String::as_str) {
        Some("comment") => kit::Item::Comment {
            prefix: required(&line["comment"]),
            len: 0,
        },
        Some("ignored") => kit::Item::Ignored {
            prefix: required(&line["ignored"]),
            len: 0,
        },
        Some("retry") => kit::Item::Retry(line["retry"].as_u64().expect("a number")),
        Some("skipped") => kit::Item::Skipped {
            limit: limit(line["skipped"]["limit"].as_str().expect("a name")),
            max: line["skipped"]["max"].as_u64().expect("a number"),
            bytes: line["skipped"]["bytes"].as_u64().expect("a number"),
            span: (0, 0),
            event_type: bytes(&line["skipped"]["event"]),
            head: Vec::new(),
        },
        _ => kit::Item::Event {
            event_type: required(&line["event"]),
            data: required(&line["data"]),
            id: required(&line["id"]),
            span: (0, 0),
        },
    }
}

fn word(limit: kit::Limit) -> &'static str {
    match limit {
        kit::Limit::Bytes => "total",
        kit::Limit::Line => "line",
        kit::Limit::Data => "data",
        kit::Limit::EventType => "type",
        kit::Limit::Id => "id",
        kit::Limit::Events => "events",
    }
}

fn limit(name: &str) -> kit::Limit {
    let mut found = LIMITS.into_iter().filter(|limit| word(*limit) == name);
    found.next().expect("the name of a limit")
}

/// What the summary says.
fn state(summary: &Value) -> kit::Report {
    let count = |key: &str| summary[key].as_u64().expect("a count");
    let is_pending = |name: &str| {
        let names = summary["pending"].as_array().into_iter().flatten();
        names.into_iter().any(|pending| pending == name)
    };
    let pending = kit::Pending {
        line: is_pending("line"),
        data: is_pending("data"),
        event: is_pending("event"),
        id: is_pending("id"),
    };
    let last_event_id = summary["last_event_id"].as_str().expect("a string");
    assert_eq!(summary["truncated"], pending.if_any().is_some());
    kit::Report {
        counters: kit::Counters {
            bytes: count("bytes"),
            lines: count("lines"),
            events: count("events"),
            comments: count("comments"),
            ignored_lines: count("ignored_lines"),
            skipped: count("skipped"),
        },
        retry: summary["retry"].as_u64(),
        last_event_id: last_event_id.as_bytes().to_vec(),
        pending: pending.if_any(),
        ..kit::Report::default()
    }
}

/// What the message says about the limit that was passed.
fn failure(ran: &Ran) -> Option<kit::Failure> {
    let messages = ran.messages();
    let message = messages.iter().find(|line| line.contains("the limit of"))?;
    let after = |words: &str| {
        let (_, rest) = message.split_once(words).expect("the words");
        let end = rest.find([' ', ';', ',']).unwrap_or(rest.len());
        rest[..end].to_owned()
    };
    Some(kit::Failure {
        limit: limit(&after("raise --max-")),
        max: after("the limit of ").parse().expect("a number"),
        offset: after("at byte ").parse().expect("a number"),
    })
}

/// The exit code follows from the rest.
fn check_exit(ran: &Ran, report: &kit::Report) {
    let kit::Counters {
        events, skipped, ..
    } = report.counters;
    let expected = match (&report.failure, &report.pending) {
        (Some(_), _) => Exit::LimitExceeded,
        (None, Some(_)) => Exit::Truncated,
        (None, None) => Exit::Clean,
    };
    let is_foreign = ran.exit == Exit::NotEventStream
        && expected != Exit::LimitExceeded
        && (events, skipped) == (0, 0);
    assert!(ran.exit == expected || is_foreign, "{ran:?}");
}
