//! Cohere v2.
//!
//! Rules:
//!
//! - An event is what its `type` says, or else its SSE type.
//! - The end is `message-end`, with a `finish_reason` and perhaps an `error`;
//!   it may fail the answer itself. `[DONE]` says nothing.
//! - Text and thinking stand in `delta.message.content`, of the delta and of
//!   the start. A tool plan is reasoning.
//! - A `tool-call-start` with a new id, or at an index that has ended, opens
//!   a call; `tool-call-end` ends it. A piece without a start opens a call.
//! - A second `message-start` after output is a splice.
//! - Of the numbers, `tokens` count; `billed_units` only where there are none.

use super::Mode;
use super::answer::{Answer, Speech};
use super::calls::Call;
use super::drive::Api;
use super::faults::{details, is_truthy};
use super::json::{arguments, at, text};
use super::lines::Stream;
use super::words::STOP;
use serde_json::Value;

/// What has to be remembered between events.
#[derive(Debug, Default)]
pub(super) struct Cohere {
    /// The call of each index that is open; the latest last.
    calls: Vec<(Option<u64>, usize)>,
    has_known_finish: bool,
}

impl Api for Cohere {
    fn holds_output(&self, event_type: &str) -> bool {
        [
            "message",
            "content-start",
            "content-delta",
            "tool-plan-delta",
            "tool-call-start",
            "tool-call-delta",
            "message-end",
        ]
        .contains(&event_type)
    }

    fn output_keys(&self) -> &'static [&'static str] {
        &["delta"]
    }

    fn is_start(&mut self, kind: &str, _value: &Value, _answer: &Answer) -> bool {
        kind == "message-start"
    }

    fn output(&mut self, kind: &str, value: &Value, answer: &mut Answer) {
        let index = value["index"].as_u64();
        let message = at(value, &["delta", "message"]);
        match kind {
            "content-start" | "content-delta" => {
                answer.say(Speech::Reasoning, text(message, &["content", "thinking"]));
                answer.say(Speech::Text, text(message, &["content", "text"]));
            }
            "tool-plan-delta" => answer.say(Speech::Reasoning, text(message, &["tool_plan"])),
            "tool-call-start" | "tool-call-delta" => {
                self.call(
                    index,
                    kind == "tool-call-start",
                    &message["tool_calls"],
                    answer,
                );
            }
            "tool-call-end" => {
                let ended = self.calls.iter().rfind(|call| call.0 == index);
                ended.iter().for_each(|call| answer.calls.end(call.1));
                self.calls.retain(|call| call.0 != index);
            }
            _ => {}
        }
    }

    fn facts(&mut self, kind: &str, value: &Value, answer: &mut Answer) {
        let delta = &value["delta"];
        let usage = &delta["usage"];
        let told = match is_truthy(&usage["tokens"]) {
            true => &usage["tokens"],
            false => &usage["billed_units"],
        };
        answer
            .usage
            .tell(told, &["input_tokens"], &["output_tokens"]);
        if is_truthy(&delta["error"]) {
            answer.fail(details(&delta["error"]));
        }
        let word = answer.finish(&delta["finish_reason"]);
        self.has_known_finish |= word.is_some_and(|word| word.is_known);
        if kind == "message-end" {
            if answer.ending.is_none() {
                answer.end_with(STOP);
            }
            end(answer);
        }
    }

    fn close(&mut self, _stream: &Stream, answer: &mut Answer) {
        if answer.mode == Mode::Lenient && self.has_known_finish && !answer.is_over {
            end(answer);
        }
    }
}

impl Cohere {
    fn call(&mut self, index: Option<u64>, is_start: bool, told: &Value, answer: &mut Answer) {
        let id = text(told, &["id"]);
        let open = self
            .calls
            .iter()
            .rfind(|call| call.0 == index)
            .map(|call| call.1);
        let open = open.filter(|call| {
            let is_same = id.is_empty() || answer.calls.of(*call).id == id;
            is_same || !is_start
        });
        let call = open.unwrap_or_else(|| {
            let call = answer.open(Call {
                id: id.to_owned(),
                index,
                name: text(told, &["function", "name"]).to_owned(),
                ..Call::default()
            });
            self.calls.push((index, call));
            call
        });
        answer.piece(call, &arguments(&told["function"]["arguments"]));
    }
}

fn end(answer: &mut Answer) {
    if !std::mem::replace(&mut answer.is_ended, true) && answer.is_success() {
        answer.calls.end_all(false);
    }
}
