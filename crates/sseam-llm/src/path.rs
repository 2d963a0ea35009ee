//! Stage 1, one field of a JSON text by its path: for APIs that no dialect
//! knows, and for whoever wants one value and no parser.

use crate::fault::JsonError;
use crate::json::Json;
use crate::piece::Piece;
use crate::scan::whole_number;

/// A value, as a span of the JSON text that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value<'e> {
    raw: &'e [u8],
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl<'e> Value<'e> {
    /// As it is written.
    pub const fn raw(self) -> &'e [u8] {
        self.raw
    }

    /// What it is.
    pub const fn kind(self) -> ValueKind {
        match self.raw.first() {
            Some(b'"') => ValueKind::String,
            Some(b'{') => ValueKind::Object,
            Some(b'[') => ValueKind::Array,
            Some(b't' | b'f') => ValueKind::Bool,
            Some(b'n') => ValueKind::Null,
            _ => ValueKind::Number,
        }
    }

    /// The text of a string.
    pub fn string(self) -> Option<Piece<'e>> {
        Json::new(self.raw).string()
    }

    /// The text of a string; anything else as it is written.
    pub fn text(self) -> Piece<'e> {
        self.string().unwrap_or(Piece::verbatim(self.raw))
    }
}

/// Finds the value at `path` in a JSON text.
///
/// The path names keys, and indices in arrays, with dots between them; an empty
/// one is the whole value. Of equal keys the last counts. The time is linear in
/// the length of `json`, for each step of the path.
///
/// ```
/// use sseam_llm::find;
///
/// let json = br#"{"choices": [{"delta": {"content": "hi"}}]}"#;
/// assert_eq!(find(json, "choices.0.delta.content")?.unwrap().text(), "hi");
/// assert!(find(json, "choices.1")?.is_none());
/// # Ok::<(), sseam_llm::JsonError>(())
/// ```
///
/// # Errors
///
/// Bytes that are not one JSON value, wherever that shows.
pub fn find<'e>(json: &'e [u8], path: &str) -> Result<Option<Value<'e>>, JsonError> {
    let mut whole = Json::new(json);
    let mut value = Some(whole.value());
    whole.end()?;
    if !path.is_empty() {
        for step in path.as_bytes().split(|byte| *byte == b'.') {
            value = value.and_then(|span| member(span, step));
        }
    }
    Ok(value.map(|raw| Value { raw }))
}

/// The member or the element of a value that is known to be JSON.
fn member<'e>(span: &'e [u8], name: &[u8]) -> Option<&'e [u8]> {
    let mut found = None;
    let mut json = Json::new(span);
    if json.peek() == b'[' && json.enter_array() {
        let index = whole_number(name)?;
        let mut at = 0_u64;
        while json.element() {
            let element = json.value();
            if at == index {
                found = Some(element);
            }
            at += 1;
        }
        return found;
    }
    if json.enter_object() {
        while let Some(key) = json.key_piece() {
            let value = json.value();
            if key.is(name) {
                found = Some(value);
            }
        }
    }
    found
}

/// The data of an event of which it is not known whether it is JSON.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Payload<'e> {
    /// One JSON object or array.
    Json(Value<'e>),
    /// Anything else: text, also if it could be read as a JSON number or word.
    Text(Piece<'e>),
}

impl<'e> Payload<'e> {
    /// Tells JSON from text.
    ///
    /// ```
    /// use sseam_llm::Payload;
    ///
    /// assert!(matches!(Payload::of(b"{\"n\":1}"), Payload::Json(_)));
    /// assert!(matches!(Payload::of(b"42 files"), Payload::Text(_)));
    /// assert!(matches!(Payload::of(b"{\"n\":"), Payload::Text(_)));
    /// ```
    pub fn of(data: &'e [u8]) -> Self {
        match find(data, "") {
            Ok(Some(value)) if matches!(value.kind(), ValueKind::Object | ValueKind::Array) => {
                Payload::Json(value)
            }
            _ => Payload::Text(Piece::verbatim(data)),
        }
    }
}
