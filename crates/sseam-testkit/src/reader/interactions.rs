//! Gemini Interactions.
//!
//! Rules:
//!
//! - An event is what its `event_type` says, or else its SSE type.
//! - The end is `interaction.completed`, which is what its status says. A
//!   status in an update is a finish reason, and no end but in lenient mode.
//!   `[DONE]` says nothing.
//! - A step whose type ends in `_call` is a call, named by its type where it
//!   has no name; only `function_call` is the client's to run. Its arguments
//!   come whole in the start or in pieces, as text or as an object. The step's
//!   stop ends it. A piece without a start opens a call. A start with the id of
//!   a call that is open continues it.
//! - A `thought_summary` is reasoning. Images, sound and other data are output.
//! - A second `interaction.created` after output is a splice.
//! - Thoughts are parts of the output.

use super::Mode;
use super::answer::{Answer, Speech};
use super::calls::Call;
use super::drive::Api;
use super::faults::{details, is_truthy};
use super::json::{arguments, filled, text};
use super::lines::Stream;
use super::words::STOP;
use serde_json::Value;

/// What has to be remembered between events.
#[derive(Debug, Default)]
pub(super) struct Interactions {
    /// The call of each step that is one, by index; the latest last.
    steps: Vec<(Option<u64>, usize)>,
    has_known_finish: bool,
}

impl Api for Interactions {
    fn kind(&self, event_type: &str, value: &Value) -> String {
        match text(value, &["event_type"]) {
            "" => event_type.to_owned(),
            kind => kind.to_owned(),
        }
    }

    fn holds_output(&self, event_type: &str) -> bool {
        [
            "message",
            "step.start",
            "step.delta",
            "interaction.completed",
        ]
        .contains(&event_type)
    }

    fn output_keys(&self) -> &'static [&'static str] {
        &["interaction", "step", "delta"]
    }

    fn is_start(&mut self, kind: &str, _value: &Value, _answer: &Answer) -> bool {
        kind == "interaction.created"
    }

    fn output(&mut self, kind: &str, value: &Value, answer: &mut Answer) {
        let index = value["index"].as_u64();
        match kind {
            "step.start" => {
                let step = &value["step"];
                self.steps.retain(|step| step.0 != index);
                if text(step, &["type"]).ends_with("_call") {
                    let known = answer.calls.with_id(text(step, &["id"]));
                    let known = known.filter(|at| !answer.calls.of(*at).is_closed);
                    let call = known.unwrap_or_else(|| open(step, answer));
                    answer.calls.of(call).start = match filled(&step["arguments"]) {
                        Some(_) => arguments(&step["arguments"]),
                        None => text(step, &["arguments"]).to_owned(),
                    };
                    self.steps.push((index, call));
                }
            }
            "step.delta" => self.delta(index, &value["delta"], answer),
            "step.stop" => {
                if let Some(call) = self.call(index) {
                    answer.calls.end(call);
                }
                self.steps.retain(|step| step.0 != index);
            }
            _ => {}
        }
    }

    fn facts(&mut self, kind: &str, value: &Value, answer: &mut Answer) {
        let interaction = &value["interaction"];
        answer.usage.tell(
            &interaction["usage"],
            &["total_input_tokens"],
            &["total_output_tokens", "total_thought_tokens"],
        );
        if is_truthy(&interaction["error"]) {
            answer.fail(details(&interaction["error"]));
        }
        let update = match kind {
            "interaction.status_update" => &value["status"],
            _ => &Value::Null,
        };
        for status in [&interaction["status"], update] {
            let is_running = status == "in_progress" || status == "queued";
            if !is_running && let Some(word) = answer.finish(status) {
                self.has_known_finish |= word.is_known;
            }
        }
        if kind == "interaction.completed" {
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

impl Interactions {
    fn delta(&mut self, index: Option<u64>, delta: &Value, answer: &mut Answer) {
        let kind = text(delta, &["type"]);
        match kind {
            "text" => answer.say(Speech::Text, text(delta, &["text"])),
            "thought_summary" => {
                answer.say(Speech::Reasoning, text(delta, &["content", "text"]));
            }
            _ if kind == "arguments_delta" || kind.ends_with("_call") => {
                let call = self.call(index).unwrap_or_else(|| {
                    let call = open(delta, answer);
                    self.steps.push((index, call));
                    call
                });
                for key in ["arguments", "partial_arguments"] {
                    answer.piece(call, &arguments(&delta[key]));
                }
            }
            _ => answer.has_output |= is_truthy(&delta["data"]) || is_truthy(&delta["uri"]),
        }
    }

    fn call(&self, index: Option<u64>) -> Option<usize> {
        self.steps
            .iter()
            .rfind(|step| step.0 == index)
            .map(|step| step.1)
    }
}

fn open(step: &Value, answer: &mut Answer) -> usize {
    let kind = text(step, &["type"]);
    let is_call = kind.ends_with("_call");
    let name = match text(step, &["name"]) {
        "" if is_call => kind,
        name => name,
    };
    answer.open(Call {
        id: text(step, &["id"]).to_owned(),
        name: name.to_owned(),
        is_servers: is_call && kind != "function_call",
        ..Call::default()
    })
}

fn end(answer: &mut Answer) {
    if !std::mem::replace(&mut answer.is_ended, true) && answer.is_success() {
        answer.calls.end_all(false);
    }
}
