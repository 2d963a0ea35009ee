//! MCP over HTTP, both revisions.
//!
//! Rules:
//!
//! - Events are JSON-RPC messages, or lists of them. An object with `result` or
//!   `error` and without `method` is the answer and its end; an `error` fails
//!   it. There is no text; the result is the output.
//! - A body that is one JSON document is read as the answer.
//! - In the older revision a stream that ends without the answer, after some
//!   block told an id, expects the client to connect again: incomplete.
//! - An event of the type `ping` is a sign of life whatever it holds.

use super::answer::Answer;
use super::drive::Api;
use super::faults::{details, is_truthy};
use super::lines::Stream;
use super::words::{RECONNECT, STOP};
use serde_json::Value;
use std::slice;

/// MCP, of one revision.
#[derive(Debug)]
pub(super) struct Mcp {
    can_reconnect: bool,
}

impl Mcp {
    pub(super) fn new(can_reconnect: bool) -> Self {
        Self { can_reconnect }
    }
}

impl Api for Mcp {
    fn holds_output(&self, event_type: &str) -> bool {
        event_type != "ping"
    }

    fn output_keys(&self) -> &'static [&'static str] {
        &["jsonrpc", "result", "method"]
    }

    fn takes_lists(&self) -> bool {
        true
    }

    fn output(&mut self, _kind: &str, _value: &Value, _answer: &mut Answer) {}

    fn facts(&mut self, _kind: &str, value: &Value, answer: &mut Answer) {
        let is_response = value.get("method").is_none();
        if is_response && is_truthy(&value["error"]) {
            answer.fail(details(&value["error"]));
            answer.is_ended = true;
        } else if is_response && value.get("result").is_some() {
            answer.end_with(STOP);
            answer.has_output = true;
            answer.is_ended = true;
        }
    }

    fn document(&mut self, value: &Value, answer: &mut Answer) -> bool {
        let messages = value
            .as_array()
            .map_or(slice::from_ref(value), Vec::as_slice);
        messages
            .iter()
            .for_each(|message| self.facts("", message, answer));
        answer.is_ended
    }

    fn close(&mut self, stream: &Stream, answer: &mut Answer) {
        if self.can_reconnect && stream.has_id && !answer.is_ended {
            answer.end_with(RECONNECT);
        }
    }
}
