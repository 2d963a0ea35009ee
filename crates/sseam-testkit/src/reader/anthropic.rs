//! Anthropic Messages.
//!
//! Rules:
//!
//! - An event is what its `type` says, or else its SSE type.
//! - The end is `message_stop`, with or without a `stop_reason` before it; in
//!   lenient mode a known `stop_reason` is enough. `[DONE]` says nothing.
//! - A `content_block_start` opens a block of its own, whatever its index is;
//!   deltas belong to the latest block of their index. Text in it counts. A
//!   tool's `input` in it counts unless pieces of it follow. A piece without a
//!   start, or after its block's end, opens a call without a name.
//!   A start with the id of a call that is open continues that call.
//! - `message_start` may hold content and a `stop_reason`. Deltas that follow
//!   are muted for as many bytes of text, and of thoughts, as it held. If some
//!   were muted and they are not as many, a part was lost.
//! - `tool_use` is the client's to run, any other `…tool_use` the server's.
//! - A block's stop ends its call.
//! - A `message_start` after output is a splice.
//! - Tokens read from and written to a cache are parts of the input.

use super::Mode;
use super::answer::{Answer, Speech};
use super::calls::Call;
use super::drive::Api;
use super::faults::is_truthy;
use super::json::{arguments, filled, list, text};
use super::lines::Stream;
use serde_json::Value;

/// What has to be remembered between events.
#[derive(Debug, Default)]
pub(super) struct Anthropic {
    /// The call of each block that is one, by index; the latest last.
    blocks: Vec<(Option<u64>, Option<usize>)>,
    text: Mute,
    thoughts: Mute,
    has_known_finish: bool,
}

/// How much of what follows was said before, in bytes.
#[derive(Debug, Default)]
struct Mute {
    told: usize,
    repeated: usize,
}

impl Api for Anthropic {
    fn holds_output(&self, event_type: &str) -> bool {
        [
            "message",
            "message_start",
            "content_block_start",
            "content_block_delta",
            "message_delta",
        ]
        .contains(&event_type)
    }

    fn output_keys(&self) -> &'static [&'static str] {
        &["delta", "content_block", "usage"]
    }

    fn is_start(&mut self, kind: &str, _value: &Value, _answer: &Answer) -> bool {
        kind == "message_start"
    }

    fn output(&mut self, kind: &str, value: &Value, answer: &mut Answer) {
        match kind {
            "message_start" => self.message(&value["message"], answer),
            "content_block_start" => self.start(value, answer),
            "content_block_delta" => self.delta(value, answer),
            "content_block_stop" => {
                if let Some(call) = self.call(value["index"].as_u64()) {
                    answer.calls.end(call);
                }
                let index = value["index"].as_u64();
                self.blocks.retain(|block| block.0 != index);
            }
            _ => {}
        }
    }

    fn facts(&mut self, kind: &str, value: &Value, answer: &mut Answer) {
        for usage in [&value["message"]["usage"], &value["usage"]] {
            answer.usage.tell(usage, INPUT, &["output_tokens"]);
        }
        for reason in [
            &value["message"]["stop_reason"],
            &value["delta"]["stop_reason"],
        ] {
            let word = answer.finish(reason);
            self.has_known_finish |= word.is_some_and(|word| word.is_known);
        }
        if kind == "message_stop" {
            self.end(answer);
        }
    }

    fn close(&mut self, _stream: &Stream, answer: &mut Answer) {
        if answer.mode == Mode::Lenient && self.has_known_finish && !answer.is_over {
            self.end(answer);
        }
        answer.is_lost |= self.text.is_lost() || self.thoughts.is_lost();
    }
}

impl Anthropic {
    /// The content that stands whole in the start of the message.
    fn message(&mut self, message: &Value, answer: &mut Answer) {
        for block in list(&message["content"]) {
            if let Some(call) = open(block, answer) {
                answer.calls.of(call).is_whole = true;
            }
            self.text.told += text(block, &["text"]).len();
            self.thoughts.told += text(block, &["thinking"]).len();
            speak(block, answer);
        }
    }

    fn start(&mut self, value: &Value, answer: &mut Answer) {
        let block = &value["content_block"];
        let known = answer.calls.with_id(text(block, &["id"]));
        let known = known.filter(|at| !answer.calls.of(*at).is_closed);
        let call = known.or_else(|| open(block, answer));
        self.blocks.push((value["index"].as_u64(), call));
        speak(block, answer);
    }

    fn delta(&mut self, value: &Value, answer: &mut Answer) {
        let (index, delta) = (value["index"].as_u64(), &value["delta"]);
        match text(delta, &["type"]) {
            "text_delta" => {
                let new = self.text.unmuted(text(delta, &["text"]));
                answer.say(Speech::Text, new);
            }
            "thinking_delta" => {
                let new = self.thoughts.unmuted(text(delta, &["thinking"]));
                answer.say(Speech::Reasoning, new);
            }
            "input_json_delta" => {
                let call = self.call(index).unwrap_or_else(|| {
                    let call = answer.open(Call::default());
                    self.blocks.push((index, Some(call)));
                    call
                });
                answer.piece(call, text(delta, &["partial_json"]));
            }
            _ => {}
        }
    }

    fn call(&self, index: Option<u64>) -> Option<usize> {
        self.blocks.iter().rfind(|block| block.0 == index)?.1
    }

    fn end(&mut self, answer: &mut Answer) {
        if !std::mem::replace(&mut answer.is_ended, true) && answer.is_success() {
            answer.calls.end_all(false);
        }
    }
}

impl Mute {
    /// What of `text` was not said before.
    fn unmuted<'t>(&mut self, text: &'t str) -> &'t str {
        let muted = self.told.saturating_sub(self.repeated).min(text.len());
        if self.told > 0 {
            self.repeated += text.len();
        }
        let muted = (muted..=text.len()).find(|&at| text.is_char_boundary(at));
        &text[muted.unwrap_or(text.len())..]
    }

    fn is_lost(&self) -> bool {
        self.repeated > 0 && self.repeated != self.told
    }
}

/// The text, thoughts or unreadable thoughts of a block.
fn speak(block: &Value, answer: &mut Answer) {
    answer.say(Speech::Reasoning, text(block, &["thinking"]));
    answer.say(Speech::Text, text(block, &["text"]));
    answer.has_output |= text(block, &["type"]) == "redacted_thinking";
}

/// The call that a block is, if it is one.
fn open(block: &Value, answer: &mut Answer) -> Option<usize> {
    let kind = text(block, &["type"]);
    kind.ends_with("tool_use").then(|| {
        let name = match text(block, &["name"]) {
            "" => kind,
            name => name,
        };
        let input = &block["input"];
        let is_input = filled(input).is_some() || (!input.is_object() && is_truthy(input));
        answer.open(Call {
            id: text(block, &["id"]).to_owned(),
            name: name.to_owned(),
            is_servers: kind != "tool_use",
            start: if is_input {
                arguments(input)
            } else {
                String::new()
            },
            ..Call::default()
        })
    })
}

const INPUT: &[&str] = &[
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
];
