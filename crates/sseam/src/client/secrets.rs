//! The values of a request, and what is left of a text without them.

use super::location::Location;

/// Shorter values would take half of any text with them.
const VALUE_LEN_MIN: usize = 3;

const STARS: &[u8] = b"***";

/// `text` with each of the values in it replaced by `***`; the longest first, so
/// that a value which is part of another one leaves nothing of that behind.
pub(crate) fn redact(text: &[u8], mut values: Vec<Vec<u8>>) -> Vec<u8> {
    values.retain(|value| value.len() >= VALUE_LEN_MIN);
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    values.dedup();
    let mut kept = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        match values
            .iter()
            .find_map(|value| rest.strip_prefix(value.as_slice()))
        {
            Some(after) => {
                kept.extend_from_slice(STARS);
                rest = after;
            }
            None => {
                kept.push(*first);
                rest = after;
            }
        }
    }
    kept
}

/// A header's value, and the words of it: the token of `Bearer token`.
pub(crate) fn of_header(value: &[u8]) -> Vec<Vec<u8>> {
    let mut values = vec![value.to_vec()];
    // The scheme of an `Authorization` says nothing.
    values.extend(words(value).skip(1));
    values
}

/// The values of a query, as they are written and as they are meant.
pub(crate) fn of_query(location: &Location) -> Vec<Vec<u8>> {
    let both = |value: &str| [value.as_bytes().to_vec(), decoded(value)];
    location.query_values().flat_map(both).collect()
}

/// The whole body, the strings of JSON but for its keys, the values of a form.
pub(crate) fn of_body(body: &[u8]) -> Vec<Vec<u8>> {
    let mut values = vec![body.to_vec()];
    if body.trim_ascii_start().starts_with(b"{") || body.trim_ascii_start().starts_with(b"[") {
        values.extend(strings(body));
    } else if let Ok(text) = std::str::from_utf8(body) {
        let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
        values.extend(pairs.flat_map(|(_, value)| [value.as_bytes().to_vec(), decoded(value)]));
    }
    values
}

/// The strings of a JSON text that are no keys, as written and as meant.
fn strings(json: &[u8]) -> Vec<Vec<u8>> {
    let mut values = Vec::new();
    let mut rest = json;
    while let Some(start) = rest.iter().position(|byte| *byte == b'"') {
        rest = rest.get(start..).unwrap_or_default();
        let Some(len) = string_len(rest) else {
            break;
        };
        let (string, after) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        let is_key = after.trim_ascii_start().starts_with(b":");
        if !is_key {
            values.push(string.get(1..len - 1).unwrap_or_default().to_vec());
            let meant = sseam_llm::find(string, "").ok().flatten();
            let meant = meant.and_then(|value| value.string());
            values.extend(meant.map(|piece| piece.to_string().into_bytes()));
        }
        rest = after;
    }
    values
}

/// Length of the string that `json` begins with, both quotes included.
fn string_len(json: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    let is_end = |byte: &u8| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    };
    json.iter().skip(1).position(is_end).map(|at| at + 2)
}

fn words(value: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    value
        .split(|byte| matches!(byte, b' ' | b',' | b';'))
        .map(<[u8]>::to_vec)
}

/// Without percent signs, and with spaces for plus signs.
fn decoded(value: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (first, byte) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            (first, _) => {
                bytes.push(if *first == b'+' { b' ' } else { *first });
                rest = after;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests;
