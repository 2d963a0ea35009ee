//! Whether an answer is whole, judged a second time: from all events at once and
//! whole JSON values, with nothing in common with the turn. In doubt it says yes.
//!
//! The fuzz target `answer` includes this file too.

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
        Dialect::OpenAiChat => {
            let is_done = |event: &Seen| event.data.trim_start().starts_with("[DONE]");
            let (seen, finished) = choices(events, "choices", "finish_reason");
            let is_void = goes_on_after_a_finish(events);
            let ends_with_done = (0..events.len()).any(|at| {
                let (before, rest) = events.split_at(at);
                let (seen, finished) = choices(before, "choices", "finish_reason");
                let is_all = finished > 0 && seen == finished;
                let counts = match mode {
                    Mode::Strict => is_all,
                    Mode::Lenient => true,
                    _ => is_all || finished == 0,
                };
                counts && rest.first().is_some_and(is_done)
            });
            let by_finishes = match mode {
                Mode::Strict => false,
                Mode::Lenient => finished > 0,
                _ => finished > 0 && seen == finished,
            };
            ends_with_done || by_finishes && !is_void
        }
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

/// Whether output of a choice follows a finish of that choice.
fn goes_on_after_a_finish(events: &[Seen]) -> bool {
    let mut finished = Vec::new();
    for event in events {
        let all = event.json()["choices"].as_array();
        for (at, choice) in all.into_iter().flatten().enumerate() {
            let index = choice["index"].as_u64().unwrap_or(at as u64);
            let delta = &choice["delta"];
            let is_text = |key| {
                delta[key]
                    .as_str()
                    .is_some_and(|text: &str| !text.is_empty())
            };
            let has_calls = delta["tool_calls"].is_array();
            let has_output = ["content", "reasoning", "reasoning_content", "refusal"]
                .into_iter()
                .any(is_text);
            if finished.contains(&index) && (has_output || has_calls) {
                return true;
            }
            if !choice["finish_reason"]
                .as_str()
                .unwrap_or_default()
                .is_empty()
            {
                finished.push(index);
            }
        }
    }
    false
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
