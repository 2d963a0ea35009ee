//! OpenAI Responses.
//!
//! Rules:
//!
//! - An event is what its `type` says, or else its SSE type.
//! - The end is `response.completed`, `.incomplete`, `.failed`, `.cancelled`,
//!   or `response.done`, which is what the response's `status` says. A status
//!   or `incomplete_details` that says worse than the event's name counts too.
//!   `[DONE]` says nothing, and a finish alone is no end in any mode.
//! - Items whose type ends in `_call` are calls, named by their type where they
//!   have no name. The client runs functions, custom tools, local shells,
//!   computers, patches, shells without a container, and tool searches whose
//!   `execution` is "client"; the server runs all others.
//! - A call is ended by its item's `done`, alone or in the response's output,
//!   unless its status is `incomplete`; the `done` of its arguments is only a
//!   repeat. Text that is repeated is held against the pieces; structured
//!   arguments (action, operation) count where no pieces came.
//! - A second `response.created` after output is a splice.

use super::answer::Answer;
use super::calls::{Call, Form};
use super::drive::Api;
use super::faults::{details, is_truthy};
use super::items::{Items, PartKey};
use super::json::{self, arguments, at, list, text};
use super::lines::Stream;
use super::words::{CANCELLED, FAILED, STOP, UNFINISHED, plain};
use serde_json::Value;

/// What has to be remembered between events.
#[derive(Debug, Default)]
pub(super) struct Responses {
    items: Items,
}

impl Api for Responses {
    fn holds_output(&self, event_type: &str) -> bool {
        let name = event_type.strip_prefix("response.").unwrap_or(event_type);
        event_type == "message" || OUTPUT.contains(&name)
    }

    fn output_keys(&self) -> &'static [&'static str] {
        &["response", "item", "part", "delta", "output", "item_id"]
    }

    fn is_start(&mut self, kind: &str, _value: &Value, _answer: &Answer) -> bool {
        kind == "response.created"
    }

    fn output(&mut self, kind: &str, value: &Value, answer: &mut Answer) {
        let Some(name) = kind.strip_prefix("response.") else {
            return;
        };
        let index = value["output_index"].as_u64();
        let id = text(value, &["item_id"]);
        match name {
            "output_item.added" => self.item(&value["item"], index, false, answer),
            "output_item.done" => self.item(&value["item"], index, true, answer),
            "content_part.done" => {
                let number = value["content_index"].as_u64().unwrap_or(0);
                self.items
                    .of(id, index)
                    .content(number, &value["part"], answer);
            }
            "image_generation_call.partial_image" => {
                answer.has_output |= is_truthy(&value["partial_image_b64"]);
            }
            "audio.delta" | "audio.transcript.delta" => {
                answer.has_output |= is_truthy(&value["delta"]);
            }
            _ if TERMINALS.contains(&name) => {
                for (at, item) in (0..).zip(list(&value["response"]["output"])) {
                    self.item(item, Some(at), true, answer);
                }
            }
            _ => self.part(name, value, answer),
        }
    }

    fn facts(&mut self, kind: &str, value: &Value, answer: &mut Answer) {
        let response = &value["response"];
        answer
            .usage
            .tell(&response["usage"], &["input_tokens"], &["output_tokens"]);
        let Some(name) = kind
            .strip_prefix("response.")
            .filter(|name| TERMINALS.contains(name))
        else {
            return;
        };
        match name {
            "failed" => answer.end_with(FAILED),
            "cancelled" => answer.end_with(CANCELLED),
            "incomplete" => answer.end_with(UNFINISHED),
            _ => {}
        }
        if is_truthy(&response["error"]) {
            answer.fail(details(&response["error"]));
        }
        for reason in [
            &response["status"],
            at(response, &["incomplete_details", "reason"]),
        ] {
            if let Some(word) = super::words::word(reason)
                && word.is_known
            {
                answer.end_with(word.ending);
            }
        }
        if is_truthy(&response["incomplete_details"]) {
            answer.end_with(UNFINISHED);
        }
        if answer.ending.is_none() {
            answer.end_with(STOP);
        }
        if !answer.is_ended {
            answer.is_ended = true;
            if answer.is_success() {
                answer.calls.end_all(false);
            }
        }
    }

    fn close(&mut self, _stream: &Stream, _answer: &mut Answer) {}
}

impl Responses {
    /// An item, added or done.
    fn item(&mut self, value: &Value, index: Option<u64>, is_done: bool, answer: &mut Answer) {
        let kind = text(value, &["type"]);
        let item = self.items.of(text(value, &["id"]), index);
        if !kind.ends_with("_call") {
            if is_done {
                item.texts(value, answer);
            }
            return;
        }
        let call = *item
            .call
            .get_or_insert_with(|| answer.open(Call::default()));
        let told = answer.calls.of(call);
        name(told, kind, value);
        let (form, field) = form(kind);
        told.form = form;
        let whole = field
            .map(|field| arguments(&value[field]))
            .unwrap_or_default();
        let whole = if whole == "{}" && !is_done {
            String::new()
        } else {
            whole
        };
        let is_text = field.is_some_and(|field| value[field].is_string());
        match is_done {
            true => self::whole(call, &whole, is_text, answer),
            false => told.start = whole,
        }
        if is_done {
            let is_incomplete = plain(text(value, &["status"])) == "incomplete";
            answer.calls.of(call).is_cut |= is_incomplete;
            answer.calls.end(call);
        }
    }

    /// A delta of something, or its `done`.
    fn part(&mut self, name: &str, value: &Value, answer: &mut Answer) {
        let Some((of, step)) = name
            .rsplit_once('.')
            .filter(|it| ["delta", "done"].contains(&it.1))
        else {
            return;
        };
        let is_delta = step == "delta";
        let item = self
            .items
            .of(text(value, &["item_id"]), value["output_index"].as_u64());
        let number = |key: &str| value[key].as_u64().unwrap_or(0);
        let (key, field) = match of {
            "output_text" => (PartKey::Content(number("content_index"), false), "text"),
            "refusal" => (PartKey::Content(number("content_index"), true), "refusal"),
            "reasoning_text" => (PartKey::Thought(number("content_index")), "text"),
            "reasoning_summary_text" => (PartKey::Summary(number("summary_index")), "text"),
            "reasoning_summary_part" => {
                let key = PartKey::Summary(number("summary_index"));
                return item.whole(key, text(value, &["part", "text"]), answer);
            }
            _ => {
                let Some(&(_, field, form, is_servers)) = CALLS.iter().find(|call| call.0 == of)
                else {
                    return;
                };
                let call = *item.call.get_or_insert_with(|| {
                    answer.open(Call {
                        form,
                        is_servers,
                        ..Call::default()
                    })
                });
                if field == "command" {
                    let key = PartKey::Command(number("command_index"));
                    return command(call, item.part(key), value, is_delta, answer);
                }
                let told = arguments(&value[if is_delta { "delta" } else { field }]);
                match is_delta {
                    true => answer.piece(call, &told),
                    false => whole(call, &told, true, answer),
                }
                return;
            }
        };
        match is_delta {
            true => item.delta(key, text(value, &["delta"]), answer),
            false => item.whole(key, text(value, &[field]), answer),
        }
    }
}

/// Names a call, and says who runs it.
fn name(call: &mut Call, kind: &str, value: &Value) {
    let name = text(value, &["name"]);
    if call.name.is_empty() || call.name.ends_with("_call") {
        call.name = if name.is_empty() { kind } else { name }.to_owned();
    }
    call.id = text(value, &["id"]).to_owned();
    let environment = text(value, &["environment", "type"]);
    call.is_servers = match kind {
        "shell_call" => !environment.is_empty() && environment != "local",
        "tool_search_call" => text(value, &["execution"]) != "client",
        _ => !CLIENTS.contains(&kind),
    };
}

/// What an item's arguments are, and where they stand.
fn form(kind: &str) -> (Form, Option<&'static str>) {
    match kind {
        "function_call" | "mcp_call" => (Form::Json, Some("arguments")),
        "custom_tool_call" => (Form::Free, Some("input")),
        "code_interpreter_call" => (Form::Free, Some("code")),
        "apply_patch_call" => (Form::Free, Some("operation")),
        "tool_search_call" => (Form::Free, Some("arguments")),
        "file_search_call" => (Form::Free, Some("queries")),
        "image_generation_call" => (Form::Free, None),
        _ => (Form::Free, Some("action")),
    }
}

/// A call's whole arguments, which may repeat its pieces.
fn whole(call: usize, whole: &str, is_text: bool, answer: &mut Answer) {
    let given = answer.calls.of(call).pieces.clone();
    if given.is_empty() {
        answer.piece(call, whole);
    } else if is_text {
        let was_lost = std::mem::take(&mut answer.is_lost);
        answer.repeat(&given, whole);
        answer.calls.of(call).is_cut |= answer.is_lost;
        answer.is_lost |= was_lost;
    }
}

/// A shell's command, of which there may be several in one call.
fn command(call: usize, given: &mut String, value: &Value, is_delta: bool, answer: &mut Answer) {
    let new = match is_delta {
        true => json::text(value, &["delta"]).to_owned(),
        false => answer.repeat(given, json::text(value, &["command"])),
    };
    if given.is_empty() && !new.is_empty() && !answer.calls.of(call).pieces.is_empty() {
        answer.piece(call, "\n");
    }
    answer.piece(call, &new);
    given.push_str(&new);
}

const TERMINALS: &[&str] = &["completed", "done", "incomplete", "failed", "cancelled"];

const CLIENTS: &[&str] = &[
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "computer_call",
    "apply_patch_call",
];

/// Events of calls, the field of their `done`, their form, and whether the
/// server runs them.
const CALLS: &[(&str, &str, Form, bool)] = &[
    ("function_call_arguments", "arguments", Form::Json, false),
    ("custom_tool_call_input", "input", Form::Free, false),
    ("mcp_call_arguments", "arguments", Form::Json, true),
    ("code_interpreter_call_code", "code", Form::Free, true),
    ("shell_call_command", "command", Form::Free, false),
    ("apply_patch_call_operation_diff", "diff", Form::Free, false),
];

/// Types, without `response.`, that hold output or the only reason.
const OUTPUT: &[&str] = &[
    "output_text.delta",
    "output_text.done",
    "refusal.delta",
    "refusal.done",
    "reasoning_text.delta",
    "reasoning_text.done",
    "reasoning_summary_text.delta",
    "reasoning_summary_text.done",
    "reasoning_summary_part.added",
    "reasoning_summary_part.done",
    "content_part.added",
    "content_part.done",
    "output_item.added",
    "output_item.done",
    "function_call_arguments.delta",
    "function_call_arguments.done",
    "custom_tool_call_input.delta",
    "custom_tool_call_input.done",
    "mcp_call_arguments.delta",
    "mcp_call_arguments.done",
    "code_interpreter_call_code.delta",
    "code_interpreter_call_code.done",
    "shell_call_command.added",
    "shell_call_command.delta",
    "shell_call_command.done",
    "apply_patch_call_operation_diff.delta",
    "apply_patch_call_operation_diff.done",
    "image_generation_call.partial_image",
    "audio.delta",
    "audio.transcript.delta",
    "completed",
    "done",
    "incomplete",
    "failed",
    "cancelled",
];
