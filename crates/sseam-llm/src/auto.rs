//! Stage 2, an event of an API that is not known yet: its shape in, a dialect
//! out.

use crate::dialect::Dialect;
use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::unit::{Failure, WORD_LEN_MAX, lookup, word_or};

/// What an event's shape says.
pub(crate) struct Shape<'e> {
    pub(crate) dialect: Option<Dialect>,
    pub(crate) failure: Option<Failure<'e>>,
}

/// Looks at an event's shape; `has_id` tells whether the stream sends ids.
pub(crate) fn recognise<'e>(
    data: &'e [u8],
    event_type: &[u8],
    has_id: bool,
) -> Result<Shape<'e>, JsonError> {
    let mut json = Json::new(data);
    let mut kind = Piece::EMPTY;
    let mut failure = None;
    let mut dialect = None;
    if json.peek() == b'[' && json.enter_array() {
        // Of arrays only those of JSON-RPC messages are events.
        while json.element() {
            let is_message = json.enter_object() && has_json_rpc(&mut json);
            dialect = dialect.or(is_message.then(|| mcp(has_id)));
        }
    } else if json.enter_object() {
        let mut found = |json: &mut Json<'_>, api| {
            json.skip();
            dialect = dialect.or(Some(api));
        };
        members!(json,
            b"choices" => found(&mut json, Dialect::OpenAiChat),
            b"candidates" | b"promptFeedback" | b"usageMetadata" => {
                found(&mut json, Dialect::Gemini)
            },
            b"jsonrpc" => found(&mut json, mcp(has_id)),
            b"type" | b"event_type" => kind = json.text(),
            b"error" => failure = Failure::read(&mut json),
        );
    }
    json.end()?;
    let mut buffer = [0; WORD_LEN_MAX];
    let kind = word_or(kind, event_type, &mut buffer);
    let dialect = of_type(kind).or(dialect);
    Ok(Shape { dialect, failure })
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
    ("tool-", Dialect::Cohere),
    ("citation-", Dialect::Cohere),
];

/// The two revisions differ in that the older one sends ids.
fn mcp(has_id: bool) -> Dialect {
    match has_id {
        true => Dialect::Mcp2025,
        false => Dialect::Mcp2026,
    }
}

/// Walks through an object that was entered.
fn has_json_rpc(json: &mut Json<'_>) -> bool {
    let mut has_it = false;
    members!(json, b"jsonrpc" => {
        has_it = true;
        json.skip();
    });
    has_it
}
