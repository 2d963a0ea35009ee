//! Client cases of the testkit through the command: settings to flags, scripts
//! to a server, and what the command makes of them.

use std::time::{Duration, Instant};

use sseam_cli::Exit::{
    self, Clean, FailedStatus, NotEventStream, TimedOut, TransportFailed, Truncated,
};
use sseam_testkit::cases::{self, Case};
use sseam_testkit::server::{ClientSettings, Server};

use crate::command::run;

/// What must come of a case.
struct Expected {
    exit: Exit,
    /// The data of the events, one on a line.
    events: &'static str,
    requests: usize,
    /// Part of what is said.
    says: &'static str,
    /// In milliseconds: it takes at least, and less than.
    time: (u64, u64),
}

const fn expected(
    exit: Exit,
    events: &'static str,
    requests: usize,
    says: &'static str,
    time: (u64, u64),
) -> Expected {
    Expected {
        exit,
        events,
        requests,
        says,
        time,
    }
}

/// A case, what must come of it, and flags beside the case's own settings.
type Row = (&'static str, Expected, &'static [&'static str]);

/// Those that a command can be held to. Where a case ends well and asks to
/// connect again, the script is over at last, and 410 ends it.
#[rustfmt::skip]
const TABLE: [Row; 23] = [
    ("C01", expected(TimedOut, "a\n", 1, "(idle) after ", (300, 8000)), &[]),
    ("C02", expected(TimedOut, "a\n", 1, "(progress) after", (500, 8000)), &[]),
    ("C03", expected(Clean, "a\nb\n", 1, "6 comments", (900, 9000)), &[]),
    ("C06", expected(TimedOut, "", 1, "(headers) after ", (300, 8000)), &[]),
    ("C10", expected(Truncated, "", 6, "gave up after 5 attempts", (600, 8000)), &[]),
    ("C11", expected(Truncated, "a\n", 1, "", QUICK), &[]),
    ("C12", expected(TransportFailed, "", 0, "gave up after 3", (525, 9000)), &["--reconnect=3"]),
    ("C13", expected(Clean, "a\n", 1, "", QUICK), &[]),
    ("C14", expected(Truncated, "half\n", 1, "reset", QUICK), &[]),
    ("C15", expected(FailedStatus, "", 1, "{\"error\":\"bad key\"}", QUICK), &[]),
    ("C16", expected(FailedStatus, "ok\n", 3, "410", (1000, 9000)), &[]),
    ("C17", expected(Clean, "", 1, "", QUICK), &[]),
    ("C18", expected(FailedStatus, "", 1, "model not found", QUICK), &[]),
    ("C19", expected(FailedStatus, "", 1, "{\"error\":", (900, 9000)), &[]),
    ("C21", expected(NotEventStream, "", 1, "service is being upgraded", QUICK), &[]),
    ("C24", expected(TimedOut, "a\nb\nc\n", 3, "(total)", QUICK), &["--max-time=1500ms"]),
    ("C25", expected(TimedOut, "x\n", 3, "(total)", QUICK), &["--max-time=1500ms"]),
    ("C26", expected(TimedOut, "a\nb\na\nb\nc\n", 2, "connection 2: the events before had no id",
                     QUICK), &["--max-time=1500ms"]),
    ("C28", expected(FailedStatus, "a\na\na\na\na\n", 6, "410", (375, 9000)), &[]),
    ("C30", expected(Truncated, "a\n", 1, "body was cut", QUICK), &[]),
    ("C32", expected(FailedStatus, "a\nb\n", 3, "410", (600, 8000)), &[]),
    ("C37", expected(Clean, "a\n", 2, "", QUICK), &[]),
    ("C39", expected(Clean, "a\n", 1, "", QUICK), &[]),
];

const QUICK: (u64, u64) = (0, 8000);

/// Cases of the library alone: dropped iterators, callbacks, all error kinds,
/// and 50 refusals, of which only the client knows the number.
const OF_THE_LIBRARY: [&str; 5] = ["C05", "C07", "C09", "C38", "C40"];

#[test]
fn client_cases() {
    let mut count = 0;
    for case in cases::layer("client") {
        match TABLE.iter().find(|(id, ..)| *id == case.id) {
            Some((_, expected, more)) => {
                check(case, expected, more);
                count += 1;
            }
            None => assert!(OF_THE_LIBRARY.contains(&&*case.id), "{}", case.id),
        }
    }
    assert_eq!(count, TABLE.len());
}

fn check(case: &Case, expected: &Expected, more: &[&str]) {
    let server = Server::start(case.script().expect("a script"));
    let mut args = vec!["get".to_owned(), server.url("/"), "--print=data".to_owned()];
    args.extend(flags(&case.client()));
    let given: Vec<&str> = args.iter().map(String::as_str).collect();
    let is_set = |flag: &&&str| {
        more.iter()
            .any(|it| it.split('=').next() == flag.split('=').next())
    };
    let given = given.iter().filter(|flag| !is_set(flag)).copied();
    let args: Vec<&str> = given.chain(more.iter().copied()).collect();
    let start = Instant::now();
    let ran = run(&args, b"");
    let elapsed = start.elapsed();
    let (id, stderr) = (&case.id, &ran.stderr);
    assert_eq!(ran.exit, expected.exit, "{id}: {stderr}");
    assert_eq!(ran.stdout, expected.events, "{id}: {stderr}");
    assert_eq!(server.requests().len(), expected.requests, "{id}: {stderr}");
    assert!(stderr.contains(expected.says), "{id}: {stderr}");
    let (least, most) = expected.time;
    assert!(elapsed >= Duration::from_millis(least), "{id}: {elapsed:?}");
    assert!(elapsed < Duration::from_millis(most), "{id}: {elapsed:?}");
    assert_eq!(server.complaints(), [""; 0], "{id}");
    assert!(server.wait(Duration::from_secs(5), |all| {
        all.iter()
            .all(|it| it.closed.is_some() || it.ended.is_some())
    }));
}

/// The flags that say what a case asks of the client.
fn flags(settings: &ClientSettings) -> Vec<String> {
    let ms = |flag: &str, value: Option<u64>| value.map(|ms| format!("{flag}={ms}ms"));
    let mut flags: Vec<String> = [
        ms("--idle-timeout", settings.idle_ms),
        ms("--progress-timeout", settings.progress_ms),
        ms("--header-timeout", settings.header_ms),
        // Short where the case has none: the command's own tests have the default.
        // The command refuses what is shorter still.
        ms("--reconnect-delay", settings.base_ms.max(Some(100))),
        settings
            .method
            .as_ref()
            .map(|method| format!("--request={method}")),
        settings
            .last_event_id
            .as_ref()
            .map(|id| format!("--last-event-id={id}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let attempts = match settings.max_attempts {
        Some(Some(count)) => count,
        _ => 9,
    };
    let is_on = settings.reconnect == Some(true);
    let before_first = settings.retry_before_first_event;
    if let Some(count) = before_first.or(is_on.then_some(attempts)) {
        flags.push(format!("--reconnect={count}"));
    }
    if before_first.is_some() {
        flags.push("--retry-post".to_owned());
    }
    let header = |(name, value)| format!("--header={name}: {value}");
    flags.extend(settings.headers.iter().map(header));
    flags
}
