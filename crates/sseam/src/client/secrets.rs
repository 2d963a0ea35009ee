//! The values of a request, and what is left of a text without them.

use ureq::http::header::{self, HeaderName};

use super::location::Location;

/// Shorter values would take half of any text with them.
const VALUE_LEN_MIN: usize = 3;

const STARS: &[u8] = b"***";

/// `text` with each of the values in it replaced by `***`; the longest first, so
/// that a value which is part of another one leaves nothing of that behind. Of a
/// text that was cut off the end goes too if it is the start of a value.
pub(crate) fn redact(text: &[u8], mut values: Vec<Vec<u8>>, is_cut: bool) -> Vec<u8> {
    values.retain(|value| value.len() >= VALUE_LEN_MIN);
    values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    values.dedup();
    let mut kept = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        match values.iter().find_map(|value| spelled(value, rest, is_cut)) {
            Some(len) => {
                kept.extend_from_slice(STARS);
                rest = rest.get(len..).unwrap_or_default();
            }
            None => {
                kept.push(*first);
                rest = after;
            }
        }
    }
    kept
}

/// Length of the start of `text` that is `value`: as it is, or with any of its
/// characters escaped as in JSON or in a URL, since servers repeat what they were
/// sent inside of such.
fn spelled(value: &[u8], text: &[u8], is_cut: bool) -> Option<usize> {
    if text.starts_with(value) {
        return Some(value.len());
    }
    let (mut wanted, mut rest) = (value, text);
    while let Some((first, others)) = wanted.split_first() {
        let escaped = Escaped::at_start(rest);
        let decoded = escaped.and_then(|(escaped, len)| {
            let wanted = wanted.strip_prefix(escaped.bytes())?;
            Some((wanted, rest.get(len..)?))
        });
        (wanted, rest) = match (decoded, rest.split_first()) {
            (Some(next), _) => next,
            (None, Some((byte, after))) if byte == first => (others, after),
            _ if is_cut && may_go_on(rest) && value.len() - wanted.len() >= VALUE_LEN_MIN => {
                return Some(text.len());
            }
            _ => return None,
        };
    }
    Some(text.len() - rest.len())
}

/// Whether this is nothing, or the start of an escape.
fn may_go_on(rest: &[u8]) -> bool {
    match rest {
        [b'\\', b'u', hex @ ..] => hex.len() < 4,
        [b'\\', others @ ..] => others.is_empty(),
        [b'%', hex @ ..] => hex.len() < 2,
        rest => rest.is_empty(),
    }
}

/// What an escape stands for.
struct Escaped {
    bytes: [u8; 4],
    len: usize,
}

impl Escaped {
    /// The escape that `text` begins with, and its length.
    fn at_start(text: &[u8]) -> Option<(Self, usize)> {
        let byte = |byte: u8, len| Some((Escaped::from(char::from(byte)), len));
        match text {
            [b'%', ..] => {
                let bytes = [u8::try_from(hex(text, 1, 2)?).ok()?, 0, 0, 0];
                Some((Escaped { bytes, len: 1 }, 3))
            }
            [b'\\', b'u', ..] => {
                let first = hex(text, 2, 4)?;
                if let Some(char) = char::from_u32(first) {
                    return Some((Escaped::from(char), 6));
                }
                // Two units of UTF-16 where one does not do.
                let low = text.get(6..8).filter(|mark| *mark == b"\\u");
                let units = [first, low.and_then(|_| hex(text, 8, 4))?];
                let units = units.map(|unit| u16::try_from(unit).unwrap_or_default());
                let char = char::decode_utf16(units).next()?.ok()?;
                Some((Escaped::from(char), 12))
            }
            [b'\\', b'n', ..] => byte(b'\n', 2), // tidy: JSON's
            [b'\\', b'r', ..] => byte(b'\r', 2), // tidy: JSON's
            [b'\\', b't', ..] => byte(b'\t', 2),
            [b'\\', b'b', ..] => byte(8, 2),
            [b'\\', b'f', ..] => byte(12, 2),
            [b'\\', it @ (b'"' | b'\\' | b'/'), ..] => byte(*it, 2),
            _ => None,
        }
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

impl From<char> for Escaped {
    fn from(char: char) -> Self {
        let mut bytes = [0; 4];
        let len = char.encode_utf8(&mut bytes).len();
        Escaped { bytes, len }
    }
}

/// The number that `len` digits at `start` are.
fn hex(text: &[u8], start: usize, len: usize) -> Option<u32> {
    let digits = text.get(start..start + len)?;
    digits.iter().try_fold(0, |number, digit| {
        Some(number * 16 + char::from(*digit).to_digit(16)?)
    })
}

/// A header's value, the words of it, and what follows an equals sign in them:
/// the token of `Bearer token`, the value of each cookie.
pub(crate) fn of_header(name: &HeaderName, value: &[u8]) -> Vec<Vec<u8>> {
    let mut values = vec![value.to_vec()];
    let has_scheme = [header::AUTHORIZATION, header::PROXY_AUTHORIZATION].contains(name);
    let space = value.iter().position(|byte| *byte == b' ');
    // The scheme says nothing.
    let start = space.filter(|_| has_scheme).unwrap_or_default();
    for word in words(value.get(start..).unwrap_or_default()) {
        values.push(word.to_vec());
        // What pads base64 may be left off.
        values.push(without_padding(word).to_vec());
        let given = word.iter().position(|byte| *byte == b'=');
        let given = given.and_then(|at| word.get(at + 1..));
        values.extend(given.map(|given| unquoted(given).to_vec()));
    }
    values
}

/// The values of a query, as they are written and as they are meant.
pub(crate) fn of_query(location: &Location) -> Vec<Vec<u8>> {
    let both = |value: &str| [value.as_bytes().to_vec(), decoded(value)];
    location.query_values().flat_map(both).collect()
}

/// The whole body and its lines, the strings and numbers of JSON but for its keys
/// and its own words, the values of a form.
pub(crate) fn of_body(body: &[u8]) -> Vec<Vec<u8>> {
    let mut values = vec![body.to_vec()];
    let lines = body.split(|byte| matches!(byte, b'\n' | b'\r')); // tidy: a request's
    values.extend(lines.map(|line| line.trim_ascii().to_vec()));
    if let Some(b'{' | b'[' | b'"') = body.trim_ascii_start().first() {
        values.extend(scalars(body));
    } else if let Ok(text) = std::str::from_utf8(body) {
        let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
        values.extend(pairs.flat_map(|(_, value)| [value.as_bytes().to_vec(), decoded(value)]));
    }
    values
}

/// The strings of a JSON text that are no keys, as written and as meant, and the
/// numbers.
fn scalars(json: &[u8]) -> Vec<Vec<u8>> {
    let mut values = Vec::new();
    let mut rest = json;
    loop {
        let start = rest.iter().position(|byte| *byte == b'"');
        let (between, from_quote) = rest.split_at(start.unwrap_or(rest.len()));
        values.extend(numbers(between));
        let Some(len) = string_len(from_quote) else {
            // Nothing, or a string without its end.
            values.extend(from_quote.get(1..).map(<[u8]>::to_vec));
            return values;
        };
        let (string, after) = from_quote.split_at_checked(len).unwrap_or_default();
        let is_key = after.trim_ascii_start().starts_with(b":");
        if !is_key {
            values.push(string.get(1..len - 1).unwrap_or_default().to_vec());
            let meant = sseam_llm::find(string, "").ok().flatten();
            let meant = meant.and_then(|value| value.string());
            values.extend(meant.map(|piece| piece.to_string().into_bytes()));
        }
        rest = after;
    }
}

/// The numbers between two strings, without their signs.
fn numbers(between: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let is_in_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    between
        .split(move |byte| !is_in_number(byte))
        .map(|number| number.strip_prefix(b"-").unwrap_or(number))
        .filter(|number| number.first().is_some_and(u8::is_ascii_digit))
        .map(<[u8]>::to_vec)
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

fn words(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value
        .split(|byte| matches!(byte, b' ' | b'\t' | b',' | b';'))
        .map(unquoted)
}

fn unquoted(word: &[u8]) -> &[u8] {
    let word = word.strip_prefix(b"\"").unwrap_or(word);
    word.strip_suffix(b"\"").unwrap_or(word)
}

fn without_padding(word: &[u8]) -> &[u8] {
    let len = word.iter().rposition(|byte| *byte != b'=');
    word.get(..len.map_or(0, |last| last + 1))
        .unwrap_or_default()
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
