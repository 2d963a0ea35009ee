//! Whether an answer is whole, judged a second time: from all events at once and
//! whole JSON values, with nothing in common with the turn. In doubt it says yes.
//!
//! The fuzz target `turn` includes this file too.

use std::collections::BTreeMap;

use serde_json::Value;
use sseam_core::Event;
use sseam_llm::{Dialect, Mode};

/// An event as the judge sees it.
#[derive(Clone)]
pub(crate) struct Seen {
    event_type: String,
    data: String,
    /// Nothing if the data is no JSON.
    json: Option<Value>,
}

impl Seen {
    pub(crate) fn of(event: &Event<'_>) -> Self {
        let data = event.data().to_string();
        Seen {
            event_type: event.event_type().to_string(),
            json: serde_json::from_str(&without_halves(&data)).ok(),
            data,
        }
    }

    /// The JSON's type, or the event's where that has none.
    fn kind(&self, key: &str) -> &str {
        let Some(json) = &self.json else {
            return "";
        };
        let kind = json[key].as_str().unwrap_or_default();
        if kind.is_empty() {
            &self.event_type
        } else {
            kind
        }
    }

    fn json(&self) -> &Value {
        self.json.as_ref().unwrap_or(&Value::Null)
    }

    /// The event's JSON-RPC messages.
    fn messages(&self) -> Vec<&Value> {
        match self.json() {
            Value::Array(all) => all.iter().collect(),
            one => vec![one],
        }
    }
}

/// Lone halves of pairs, which `serde_json` refuses, made into U+FFFD; whole
/// pairs with them, since nothing here depends on them.
fn without_halves(json: &str) -> String {
    let mut text = json.to_owned();
    let lower = json.to_ascii_lowercase();
    for (at, _) in lower.match_indices("\\ud") {
        let digits = lower.get(at + 2..at + 6).unwrap_or_default();
        if digits >= "d800" && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            text.replace_range(at + 2..at + 6, "fffd");
        }
    }
    text
}

/// Whether these events hold the terminal of an answer.
pub(crate) fn has_terminal(dialect: Dialect, mode: Mode, events: &[Seen]) -> bool {
    let is_lenient = mode == Mode::Lenient;
    let any = |is: &dyn Fn(&Seen) -> bool| events.iter().any(is);
    match dialect {
        Dialect::OpenAiResponses => any(&|event| {
            let ends = ["completed", "incomplete", "failed", "cancelled"];
            ends.iter()
                .any(|end| event.kind("type") == format!("response.{end}"))
        }),
        // A choice that starts after the others finished comes too late.
        Dialect::OpenAiChat => (0..=events.len()).any(|len| {
            let (before, _) = events.split_at(len);
            let is_done_mark = |event: &Seen| event.data.trim_start().starts_with("[DONE]");
            let is_done = before.iter().any(is_done_mark);
            let (seen, finished) = choices(before, "choices", "finish_reason");
            let is_all = finished > 0 && seen == finished;
            match mode {
                Mode::Strict => is_done && is_all,
                Mode::Lenient => is_done || finished > 0,
                _ => is_all || is_done && finished == 0,
            }
        }),
        Dialect::Anthropic => {
            let has_reason = |event: &Seen| event.json()["delta"]["stop_reason"].is_string();
            any(&|event| event.kind("type") == "message_stop") || is_lenient && any(&has_reason)
        }
        Dialect::Gemini => {
            let (seen, finished) = choices(events, "candidates", "finishReason");
            let is_blocked =
                any(&|event| event.json()["promptFeedback"]["blockReason"].is_string());
            is_blocked || finished > 0 && (seen == finished || is_lenient)
        }
        Dialect::GeminiInteractions => {
            any(&|event| event.kind("event_type") == "interaction.completed")
        }
        Dialect::Cohere => any(&|event| event.kind("type") == "message-end"),
        Dialect::Mcp2025 | Dialect::Mcp2026 => any(&|event| {
            event.messages().iter().any(|message| {
                let has = |key| message.get(key).is_some();
                !has("method") && (has("result") || has("error"))
            })
        }),
        Dialect::Custom => any(&|event| event.event_type == "done"),
        _ => false,
    }
}

/// How many choices were seen, and how many of them finished.
fn choices(events: &[Seen], list: &str, reason: &str) -> (usize, usize) {
    let mut seen = BTreeMap::new();
    for event in events {
        let all = event.json()[list].as_array();
        for (at, choice) in all.into_iter().flatten().enumerate() {
            let finish = choice[reason].as_str().unwrap_or_default();
            let is_finished = !finish.is_empty() && finish != "FINISH_REASON_UNSPECIFIED";
            let index = match choice.get("index") {
                Some(index) => index.as_u64().unwrap_or(0),
                None => at as u64,
            };
            *seen.entry(index).or_insert(false) |= is_finished;
        }
    }
    let finished = seen.values().filter(|finished| **finished).count();
    (seen.len(), finished)
}
