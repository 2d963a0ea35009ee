//! The data of an event -> JSON, or what else it is.
//!
//! Rules:
//!
//! - Nothing but white space is a sign of life, in every API.
//! - `[DONE]` is the end mark of OpenAI's relatives.
//! - What begins with `{` or `[` has to be JSON; if it is not, or is deeper
//!   than can be read, it is unreadable.
//! - What begins with the name of a field and a colon was framed twice and is
//!   unreadable.
//! - Other text that is no JSON is a sign of life if it is a short word: at
//!   most 32 bytes of ASCII letters, digits, blanks and `-_:.+`. Else it is
//!   unreadable.
//! - Half a surrogate pair is fine: proxies cut pairs in two, and the halves
//!   are joined again where the text is.

use serde_json::{Map, Value};

/// What an event's data is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Data {
    /// Nothing, or a word that only shows that somebody is there.
    SignOfLife,
    /// `[DONE]`.
    Done,
    /// JSON of any kind.
    Json(Value),
    /// Something that may have been a part of the answer.
    Unreadable,
}

pub(super) fn data(text: &str) -> Data {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let is_framed_twice = FIELD_NAMES.iter().any(|name| text.starts_with(name));
    match parse(text) {
        _ if text.is_empty() => Data::SignOfLife,
        _ if text == "[DONE]" => Data::Done,
        Some(value) => Data::Json(value),
        None if !text.starts_with(['{', '[']) && !is_framed_twice && is_short_word(text) => {
            Data::SignOfLife
        }
        None => Data::Unreadable,
    }
}

/// JSON with halves of surrogate pairs, which stand as characters of a private
/// plane until [`joined`] sees them.
pub(super) fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&without_halves(text)))
        .ok()
}

/// The text with its halves of pairs joined, and U+FFFD for those left alone.
pub(super) fn joined(text: &str) -> String {
    let units = text.chars().flat_map(|character| {
        let number = character as u32;
        match number.checked_sub(HALVES) {
            Some(half) if half < 0x800 => vec![0xD800 + half as u16],
            _ => character.encode_utf16(&mut [0; 2]).to_vec(),
        }
    });
    char::decode_utf16(units)
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The string at a path of keys, or "".
pub(super) fn text<'v>(value: &'v Value, path: &[&str]) -> &'v str {
    at(value, path).as_str().unwrap_or("")
}

/// The value at a path of keys, or null.
pub(super) fn at<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    path.iter().fold(value, |value, key| &value[*key])
}

/// The elements of a list, or none.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The object, if it has anything in it.
pub(super) fn filled(value: &Value) -> Option<&Map<String, Value>> {
    value.as_object().filter(|object| !object.is_empty())
}

/// Arguments as text: a string as it is, an object as its JSON.
pub(super) fn arguments(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn is_short_word(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" -_:.+".contains(&byte);
    text.len() <= 32 && text.bytes().all(is_plain)
}

fn without_halves(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match (surrogate(rest), rest.get(6..).and_then(surrogate)) {
            (Some(high @ ..0xDC00), Some(low @ 0xDC00..)) => {
                out.extend(char::decode_utf16([high, low]).flatten());
                12
            }
            (Some(half), _) => {
                out.extend(char::from_u32(HALVES + u32::from(half) - 0xD800));
                6
            }
            // The backslash and what it escapes, were it a backslash too.
            (None, _) => rest
                .char_indices()
                .nth(2)
                .map_or(rest.len(), |(end, _)| end),
        };
        if surrogate(rest).is_none() {
            out.push_str(&rest[..taken]);
        }
        rest = &rest[taken..];
    }
    out + rest
}

/// The number of an escape such as `\ud83d` that `text` begins with.
fn surrogate(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let number = u16::from_str_radix(digits, 16).ok()?;
    (0xD800..0xE000).contains(&number).then_some(number)
}

const FIELD_NAMES: &[&str] = &["data:", "event:", "id:", "retry:"];

/// Where the 2048 halves stand for the time being.
const HALVES: u32 = 0x10_F000;
