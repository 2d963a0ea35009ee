//! Which API a stream is of.
//!
//! Rules:
//!
//! - The first event of a known shape decides, and the whole stream is read as
//!   that API, what came before it included. An unreadable event before it
//!   counts only if it had no type, or one of the API's own.
//! - `[DONE]` before that says nothing.
//! - What is recognised never completes by itself: without a known shape the
//!   answer failed if anything says so, and else is truncated.
//! - JSON-RPC is MCP only with MCP's methods or the shapes of its results; it
//!   is taken for the older revision. A `tool-…` type is Cohere's only with
//!   Cohere's message in it.

use super::answer::Answer;
use super::drive::{bare, error_value, told};
use super::faults;
use super::json::{Data, at, data, text};
use super::lines::{Piece, Stream};
use crate::field::Seen;
use serde_json::Value;

pub(super) fn read(stream: &Stream, mut answer: Answer) -> Seen {
    if stream.is_no_event_stream() {
        let seen = super::read_as("openai-chat", stream, answer);
        return Seen {
            dialect: "auto".to_owned(),
            ..seen
        };
    }
    for (at, piece) in stream.pieces.iter().enumerate() {
        match piece {
            Piece::Event(event_type, text) => match data(text) {
                Data::Json(value) => {
                    if let Some(dialect) = recognise(event_type, &value) {
                        return super::read_as(dialect, &known(stream, dialect, at), answer);
                    }
                    note(event_type, text, &value, &mut answer);
                }
                Data::Done | Data::SignOfLife => {}
                Data::Unreadable => note(event_type, text, &Value::Null, &mut answer),
            },
            Piece::Bare(_) => {}
        }
    }
    for piece in &stream.pieces {
        if let Piece::Bare(lines) = piece {
            let named = lines.iter().find_map(|line| error_value(line)).map(told);
            bare(lines)
                .or(named)
                .into_iter()
                .for_each(|fault| answer.fail(fault));
        }
    }
    Seen {
        dialect: "auto".to_owned(),
        ..answer.seen()
    }
}

/// The API that an event with this type and data is of.
fn recognise(event_type: &str, value: &Value) -> Option<&'static str> {
    if let Value::Array(values) = value {
        let dialect = values
            .iter()
            .find_map(|value| recognise(event_type, value))?;
        return (dialect == "mcp-2025").then_some(dialect);
    }
    let kind = match text(value, &["type"]) {
        "" => event_type,
        kind => kind,
    };
    let object = text(value, &["object"]);
    let inner = match value["response"].is_object() {
        true => &value["response"],
        false => value,
    };
    let interaction = text(value, &["event_type"]);
    match kind {
        _ if kind.starts_with("response.") => Some("openai-responses"),
        _ if ANTHROPIC.contains(&kind) => Some("anthropic"),
        _ if COHERE.contains(&kind) && is_coheres(value) => Some("cohere"),
        _ if interaction.starts_with("interaction.") || interaction.starts_with("step.") => {
            Some("gemini-interactions")
        }
        _ if value["jsonrpc"] == "2.0" => is_mcp(value).then_some("mcp-2025"),
        _ if value["choices"].is_array() || CHAT.contains(&object) => Some("openai-chat"),
        _ if inner["candidates"].is_array() || inner["promptFeedback"].is_object() => {
            Some("gemini")
        }
        _ => None,
    }
}

/// A failure in an event that is of no known shape.
fn note(event_type: &str, text: &str, value: &Value, answer: &mut Answer) {
    if event_type == "error" {
        answer.fail(told(text));
    } else if let Some(fault) = faults::find(value, &["jsonrpc"]) {
        answer.fail(fault);
    }
}

/// The stream without the unreadable events before the one that decided, as
/// far as they had types that are not the API's.
fn known(stream: &Stream, dialect: &str, decided: usize) -> Stream {
    let has_types = !["openai-chat", "gemini", "mcp-2025"].contains(&dialect);
    let is_kept = |(at, piece): &(usize, Piece)| match piece {
        Piece::Event(event_type, text) if *at < decided && data(text) == Data::Unreadable => {
            has_types || event_type == "message" || event_type == "error"
        }
        Piece::Event(_, text) if *at < decided => data(text) != Data::Done,
        _ => true,
    };
    let pieces = stream.pieces.iter().cloned().enumerate().filter(is_kept);
    Stream {
        pieces: pieces.map(|(_, piece)| piece).collect(),
        ..stream.clone()
    }
}

fn is_coheres(value: &Value) -> bool {
    let delta = &value["delta"];
    delta["message"].is_object() || delta["finish_reason"].is_string()
}

fn is_mcp(value: &Value) -> bool {
    let method = text(value, &["method"]);
    let result = &value["result"];
    let is_method = METHODS.iter().any(|known| method.starts_with(known)) || method == "ping";
    let is_list = |key: &&str| at(result, &[*key]).is_array();
    let is_object = |key: &&str| at(result, &[*key]).is_object();
    is_method
        || LISTS.iter().any(is_list)
        || OBJECTS.iter().any(is_object)
        || result["protocolVersion"].is_string()
}

const ANTHROPIC: &[&str] = &[
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
];

const COHERE: &[&str] = &[
    "message-start",
    "content-start",
    "content-delta",
    "tool-plan-delta",
    "tool-call-start",
    "tool-call-delta",
    "citation-start",
    "message-end",
];

const CHAT: &[&str] = &[
    "chat.completion.chunk",
    "chat.completion",
    "text_completion",
];

const METHODS: &[&str] = &[
    "notifications/",
    "sampling/",
    "roots/",
    "elicitation/",
    "tools/",
    "resources/",
    "prompts/",
    "logging/",
    "completion/",
    "initialize",
];

const LISTS: &[&str] = &[
    "content",
    "tools",
    "resources",
    "resourceTemplates",
    "prompts",
    "messages",
    "contents",
    "roots",
];

const OBJECTS: &[&str] = &["completion", "structuredContent"];
