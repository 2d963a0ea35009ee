//! Stage 2, an event of an API that is not known yet: its shape in, a dialect
//! out.

use crate::dialect::Dialect;
use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::unit::{WORD_LEN_MAX, lookup, word, word_or};

/// The API that sends an event of this shape, if one is known; `has_id` tells
/// whether the stream sends ids.
pub(crate) fn recognise(data: &[u8], event_type: &[u8], has_id: bool) -> Option<Dialect> {
    let mut json = Json::new(data);
    let mut kind = Piece::EMPTY;
    let mut dialect = None;
    if json.peek() == b'[' && json.enter_array() {
        // Of arrays only those of MCP's messages are events.
        while json.element() {
            let is_message = is_mcp(json.value());
            dialect = dialect.or(is_message.then(|| mcp(has_id)));
        }
    } else if json.enter_object() {
        members!(json,
            b"choices" => {
                let is_list = json.value().first() == Some(&b'[');
                dialect = dialect.or(is_list.then_some(Dialect::OpenAiChat));
            },
            b"candidates" | b"promptFeedback" | b"usageMetadata" => {
                json.skip();
                dialect = dialect.or(Some(Dialect::Gemini));
            },
            b"response" => {
                let api = is_gemini(json.value()).then_some(Dialect::Gemini);
                dialect = dialect.or(api);
            },
            b"jsonrpc" => {
                json.skip();
                dialect = dialect.or(is_mcp(data).then(|| mcp(has_id)));
            },
            b"type" | b"event_type" => kind = json.text(),
        );
    }
    json.end().ok()?;
    let mut buffer = [0; WORD_LEN_MAX];
    let kind = word_or(kind, event_type, &mut buffer);
    of_type(kind).or(dialect)
}

/// Whether data is JSON, of whatever shape.
pub(crate) fn check(data: &[u8]) -> Result<(), JsonError> {
    let mut json = Json::new(data);
    json.skip();
    json.end()
}

/// Whether a value has what a response of Gemini has.
fn is_gemini(value: &[u8]) -> bool {
    let mut json = Json::new(value);
    let mut is_it = false;
    if json.enter_object() {
        members!(json, b"candidates" | b"promptFeedback" | b"usageMetadata" => {
            is_it = true;
            json.skip();
        });
    }
    is_it
}

/// The dialect that has events of this type.
pub(crate) fn of_type(kind: &[u8]) -> Option<Dialect> {
    let has_prefix = |prefix: &str| kind.starts_with(prefix.as_bytes());
    let of_prefix = PREFIXES.iter().find(|(prefix, _)| has_prefix(prefix));
    lookup(kind, TYPES).or(of_prefix.map(|(_, dialect)| *dialect))
}

const TYPES: &[(&str, Dialect)] = &[
    ("keepalive", Dialect::OpenAiResponses),
    ("message_start", Dialect::Anthropic),
    ("message_delta", Dialect::Anthropic),
    ("message_stop", Dialect::Anthropic),
    ("message-start", Dialect::Cohere),
    ("message-end", Dialect::Cohere),
    ("step.start", Dialect::GeminiInteractions),
    ("step.delta", Dialect::GeminiInteractions),
    ("step.stop", Dialect::GeminiInteractions),
];

const PREFIXES: &[(&str, Dialect)] = &[
    ("response.", Dialect::OpenAiResponses),
    ("interaction.", Dialect::GeminiInteractions),
    ("content_block_", Dialect::Anthropic),
    ("content-", Dialect::Cohere),
    ("tool-call-", Dialect::Cohere),
    ("tool-plan-", Dialect::Cohere),
    ("citation-", Dialect::Cohere),
];

/// The two revisions differ in that the older one sends ids.
fn mcp(has_id: bool) -> Dialect {
    match has_id {
        true => Dialect::Mcp2025,
        false => Dialect::Mcp2026,
    }
}

/// Whether a JSON-RPC message is one of MCP: others speak JSON-RPC too. Its
/// methods and the shapes of its results tell.
fn is_mcp(message: &[u8]) -> bool {
    let mut json = Json::new(message);
    let (mut method, mut result): (_, &[u8]) = (Piece::EMPTY, &[]);
    let mut is_rpc = false;
    if json.enter_object() {
        members!(json,
            b"jsonrpc" => {
                is_rpc = true;
                json.skip();
            },
            b"method" => method = json.text(),
            b"result" => result = json.value(),
        );
    }
    let mut buffer = [0; WORD_LEN_MAX];
    let method = word(method, &mut buffer);
    let has_method = METHODS.iter().any(|name| match name.ends_with('/') {
        true => method.starts_with(name.as_bytes()),
        false => method == name.as_bytes(),
    });
    is_rpc && (has_method || has_result(result))
}

fn has_result(result: &[u8]) -> bool {
    let mut json = Json::new(result);
    // Nothing at all is the answer to a ping, and to requests that only act.
    let mut has_it = crate::unit::is_empty_object(Piece::verbatim(result)) && !result.is_empty();
    if json.enter_object() {
        while let Some(key) = json.key_piece() {
            has_it |= RESULTS.iter().any(|name| key == *name);
            json.skip();
        }
    }
    has_it
}

/// MCP's methods; of those that end so, all that begin so.
const METHODS: &[&str] = &[
    "notifications/",
    "tools/",
    "resources/",
    "prompts/",
    "sampling/",
    "roots/",
    "logging/",
    "completion/",
    "elicitation/",
    "subscriptions/",
    "initialize",
    "ping",
];

/// What MCP's results have.
const RESULTS: &[&str] = &[
    "content",
    "structuredContent",
    "isError",
    "tools",
    "resources",
    "resourceTemplates",
    "prompts",
    "contents",
    "messages",
    "completion",
    "roots",
    "protocolVersion",
    "serverInfo",
];
