//! Firmware that reads the answer of an AI API.
//!
//! In: a machine and its program. Out: a failure, or how much stack it took. The
//! recorded answers must give the text and the outcome that are kept for them,
//! and so must one whose largest events are many times the machine's memory.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::machine::{Guest, Machine};

/// Length of the request that the first and the last event repeat.
const LARGE_LEN: usize = 40 * 1024;

/// An answer, and what it must come to.
struct Answer {
    name: String,
    stream: Vec<u8>,
    text: String,
    outcome: String,
}

/// Sends answers; gives the deepest stack that the firmware has told of.
pub(crate) fn run(root: &Path, machine: &Machine, release: &Path) -> Result<u64> {
    let program = release.join("answer");
    let mut deepest = 0;
    for answer in recorded(root)?.into_iter().chain([large()]) {
        deepest = deepest.max(ask(machine, &program, b'k', &answer)?);
    }
    let stopped = Answer {
        text: String::new(),
        outcome: "LimitExceeded".to_string(),
        ..large()
    };
    ask(machine, &program, b's', &stopped)?;
    println!("{}: {deepest} bytes of stack at most", machine.name);
    Ok(deepest)
}

/// Sends one answer and compares what the firmware makes of it.
fn ask(machine: &Machine, program: &Path, order: u8, answer: &Answer) -> Result<u64> {
    let mut guest = Guest::start(machine, program, &[])?;
    if guest.line()?.as_deref() != Some("ready") {
        bail!("{}: the firmware is not ready", answer.name);
    }
    guest.send(&[order])?;
    let end = b"event: quit\ndata\n\n";
    // A guest that knows enough ends, and takes no more.
    guest.send(&[&answer.stream[..], end].concat()).ok();
    let mut lines = guest.finish()?;
    let told = lines.pop().unwrap_or_default();
    let expected = format!("# {}, ", answer.outcome);
    let stack = told
        .strip_prefix(&expected)
        .and_then(|rest| rest.strip_suffix(" bytes of stack"));
    let text = lines.join("\n");
    match stack {
        Some(stack) if text == answer.text => {
            println!("{}: {}: {told}", machine.name, answer.name);
            Ok(stack.parse()?)
        }
        _ => bail!(
            "{}: the firmware prints {text:?} and {told:?}, not {:?} and {:?}",
            answer.name,
            answer.text,
            answer.outcome
        ),
    }
}

/// The recorded answers of the API that the firmware is built for.
fn recorded(root: &Path) -> Result<Vec<Answer>> {
    let folder = root.join("examples/streams");
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let rows: Vec<Value> = serde_json::from_slice(&read("expected.json")?)?;
    let is_own = |row: &&Value| row["dialect"] == "openai-responses";
    let answer = |row: &Value| {
        let word = |key: &str| row[key].as_str().unwrap_or_default().to_string();
        Ok(Answer {
            name: word("file"),
            stream: read(&word("file"))?,
            text: word("text"),
            outcome: word("outcome"),
        })
    };
    rows.iter().filter(is_own).map(answer).collect()
}

/// An answer whose first and last events do not fit the memory.
fn large() -> Answer {
    let whole = |kind: &str, status: &str| {
        format!(
            "event: response.{kind}\ndata: {{\"type\":\"response.{kind}\",\"response\":\
             {{\"status\":\"{status}\",\"instructions\":\"{}\"}}}}\n\n",
            "x".repeat(LARGE_LEN)
        )
    };
    let delta = |text: &str| {
        format!(
            "event: response.output_text.delta\ndata: {{\"type\":\
             \"response.output_text.delta\",\"delta\":\"{text}\"}}\n\n"
        )
    };
    let stream = [
        whole("created", "in_progress"),
        delta("Hel"),
        delta("lo, "),
        delta(r"\ud83d"),
        delta(r"\ude80"),
        delta(" 世界"),
        whole("completed", "completed"),
    ];
    Answer {
        name: format!("events of {LARGE_LEN} bytes"),
        stream: stream.concat().into_bytes(),
        text: "Hello, 🚀 世界".to_string(),
        outcome: "Completed".to_string(),
    }
}
