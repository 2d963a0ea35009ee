//! Stage 2, a body's first bytes to what it is, if it is no event stream.
//!
//! Every byte sequence is an event stream to the parser: what it does not know
//! it ignores. Who is sent an HTML page wants to hear that it is one, not that
//! it has no events. So a body is called foreign where that is certain from its
//! bytes (compressed data, an HTTP head, chunk sizes), or where its first bytes
//! look so and it has ended without an event. What looks like JSON must besides
//! have had nothing but lines that the parser ignores.
//!
//! Bytes come in as they are fed to the parser, and the verdict falls at the
//! same byte for every cut. Nearly every body is an event stream, and shows it
//! by its first line; from then on nothing is looked at.
//!
//! Why the lines are told by a tokenizer of its own, and not by the counters of
//! the parser beside it: those count no blank lines, no line that has not ended,
//! and a field that is refused as an ignored line. It stops at the first line
//! that it knows, so a stream pays for one line and JSON for all of it.

use core::fmt;

use sseam_core::{Token, Tokenizer};

use crate::chunked::Chunked;
use crate::foreign::Foreign;
use crate::json::Json;
use crate::piece::put;

/// Looks at a body beside the parser until it is sure.
#[derive(Clone, Copy)]
pub(crate) struct Inspector {
    /// The first bytes.
    head: [u8; HEAD_LEN_MAX],
    /// How many bytes came, as far as it matters; at most [`HEAD_LEN_MAX`] + 1.
    seen: usize,
    chunked: Chunked,
    lines: Lines,
}

/// What the lines so far were.
///
/// ```text
/// Ignored --a field or a comment--> Known
/// ```
#[derive(Clone, Copy)]
enum Lines {
    /// Nothing but blank lines and ones that the parser ignores.
    Ignored(Tokenizer, Shape),
    /// A line that only an event stream has.
    Known,
}

/// The beginnings and ends that tell NDJSON from one document.
#[derive(Clone, Copy)]
struct Shape {
    /// How many lines that are not blank have ended; at most 2.
    line_count: u8,
    /// The last byte of the first line that is no space; 0 if there is none.
    first_last: u8,
    /// The first byte of the second line that is no space.
    second_first: Option<u8>,
}

impl Inspector {
    /// At the first byte of a body.
    pub(crate) const fn new() -> Inspector {
        Inspector {
            head: [0; HEAD_LEN_MAX],
            seen: 0,
            chunked: Chunked::new(),
            lines: Lines::Ignored(Tokenizer::new(), Shape::NONE),
        }
    }

    /// Looks at the next bytes; gives how many of them there are up to the byte
    /// that makes it certain, and what it is. What follows that byte is neither
    /// for the parser nor to be looked at.
    #[inline]
    pub(crate) fn look(&mut self, bytes: &[u8]) -> Option<(usize, Foreign)> {
        if self.has_known_line() && self.chunked.is_broken() {
            return None;
        }
        self.look_closer(bytes)
    }

    /// What a body was that has ended, after so many events and so many that were
    /// left out.
    pub(crate) fn verdict(&self, events: u64, skipped: u64) -> Option<Foreign> {
        if events > 0 || skipped > 0 {
            return None;
        }
        markup(self.kept()).or_else(|| match &self.lines {
            Lines::Ignored(_, shape) => json(self.kept(), shape),
            Lines::Known => {
                let is_cut = self.chunked.is_within_first_chunk();
                is_cut.then_some(Foreign::ChunkSizes)
            }
        })
    }

    /// The first bytes of the body, as long as all of its lines were ignored.
    pub(crate) fn head(&self) -> &[u8] {
        match self.lines {
            Lines::Ignored(..) => self.kept(),
            Lines::Known => &[],
        }
    }

    /// Whether a line was a field or a comment.
    pub(crate) const fn has_known_line(&self) -> bool {
        matches!(self.lines, Lines::Known)
    }

    #[cold]
    fn look_closer(&mut self, bytes: &[u8]) -> Option<(usize, Foreign)> {
        let before = self.seen;
        put(&mut self.head, before, bytes);
        self.see(before, bytes.len());
        let found = match certain(self.kept()) {
            // Had it been certain before, there would have been no more bytes.
            Some((len, foreign)) => Some((len.saturating_sub(before), foreign)),
            None => {
                let proof = self.chunked.follow(bytes);
                proof.map(|len| (len, Foreign::ChunkSizes))
            }
        };
        let len = found.map_or(bytes.len(), |(len, _)| len);
        self.see(before, len);
        self.lines.follow(bytes.get(..len).unwrap_or(bytes));
        found
    }

    fn see(&mut self, before: usize, len: usize) {
        self.seen = before.saturating_add(len).min(HEAD_LEN_MAX + 1);
    }

    fn kept(&self) -> &[u8] {
        self.head.get(..self.seen).unwrap_or(&self.head)
    }
}

impl Lines {
    fn follow(&mut self, bytes: &[u8]) {
        let Lines::Ignored(tokenizer, shape) = self else {
            return;
        };
        let mut input = bytes;
        while let Some(token) = tokenizer.next_token(&mut input) {
            match token {
                Token::Ignored { bytes, ends_line } => shape.take(bytes, ends_line),
                Token::Blank => {}
                Token::Value { .. } | Token::Comment { .. } => {
                    *self = Lines::Known;
                    return;
                }
            }
        }
    }
}

impl Shape {
    const NONE: Shape = Shape {
        line_count: 0,
        first_last: 0,
        second_first: None,
    };

    fn take(&mut self, bytes: &[u8], ends_line: bool) {
        let text = bytes.trim_ascii();
        match (self.line_count, text) {
            (0, [.., last]) => self.first_last = *last,
            (1, [first, ..]) => {
                self.second_first.get_or_insert(*first);
            }
            _ => {}
        }
        self.line_count = (self.line_count + u8::from(ends_line)).min(2);
    }

    fn is_ndjson(&self) -> bool {
        self.first_last == b'}' && self.second_first == Some(b'{')
    }
}

/// Shows figures, not the first bytes.
impl fmt::Debug for Inspector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Inspector({} bytes)", self.kept().len())
    }
}

/// What `head` is for certain, and how many bytes it took to know.
fn certain(head: &[u8]) -> Option<(usize, Foreign)> {
    match head {
        [0x1F, 0x8B, 8, ..] => Some((3, Foreign::Gzip)),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some((4, Foreign::Zstd)),
        _ => status_line_len(head).map(|len| (len, Foreign::HttpHead)),
    }
}

/// How many bytes `HTTP/1.1 200` or `HTTP/2 200` takes, if that begins `head`.
fn status_line_len(head: &[u8]) -> Option<usize> {
    let digit = u8::is_ascii_digit;
    let status = match head.strip_prefix(b"HTTP/")? {
        [major, b'.', minor, b' ', rest @ ..] if digit(major) && digit(minor) => rest,
        [major, b' ', rest @ ..] if digit(major) => rest,
        _ => return None,
    };
    let (status, rest) = status.split_first_chunk::<3>()?;
    let is_status = status.iter().all(digit);
    is_status.then_some(head.len() - rest.len())
}

/// Text that is none of ours whatever its lines look like: a page may well hold
/// a line that begins with a colon, as style sheets do.
fn markup(head: &[u8]) -> Option<Foreign> {
    if matches!(head, [0xFF, 0xFE, _, 0, ..] | [0xFE, 0xFF, 0, _, ..]) {
        return Some(Foreign::Utf16);
    }
    let text = ink(head);
    let begins = |(prefix, _): &&(&[u8], Foreign)| {
        let start = text.get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    MARKUP.iter().find(begins).map(|(_, foreign)| *foreign)
}

/// JSON of some kind, of which all lines were ignored.
fn json(head: &[u8], shape: &Shape) -> Option<Foreign> {
    let text = ink(head);
    let (first, rest) = text.split_first()?;
    match (first, rest.trim_ascii_start().first()?) {
        (b'[', b'{' | b'[' | b'"' | b']') => Some(Foreign::JsonArray),
        (b'{', b'"' | b'}') if shape.is_ndjson() => Some(Foreign::Ndjson),
        (b'{', b'"' | b'}') => Some(object(text)),
        _ => None,
    }
}

/// What an object is by its members, as far as they stand in `text`.
fn object(text: &[u8]) -> Foreign {
    let mut json = Json::new(text);
    let mut foreign = Foreign::Json;
    if !json.enter_object() {
        return foreign;
    }
    while let Some(key) = json.key_piece() {
        let first = json.peek();
        let value = json.remaining();
        let is = |&(name, start): &(&str, &[u8])| key == name && value.starts_with(start);
        // OpenAI Responses has `"error": null` in every answer.
        let is_error = key == "error" && !matches!(first, b'n' | b'f' | b'0');
        if is_error || is(&ERROR_TYPE) {
            return Foreign::JsonError;
        }
        if ANSWER_MEMBERS.iter().any(is) {
            foreign = Foreign::JsonAnswer;
        }
        json.skip();
    }
    foreign
}

/// `bytes` from the first that is neither a byte-order mark nor a space.
fn ink(bytes: &[u8]) -> &[u8] {
    bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .trim_ascii_start()
}

/// How documents begin that are no JSON, in any case.
const MARKUP: &[(&[u8], Foreign)] = &[
    (b"<!doctype html", Foreign::Html),
    (b"<html", Foreign::Html),
    (b"<?xml", Foreign::Xml),
];

/// What an error has that is not in a member `error` alone.
const ERROR_TYPE: (&str, &[u8]) = ("type", b"\"error\"");

/// What answers of AI APIs have, one or the other: a member, and how its value
/// begins. As a string, a `message` is what an error says.
const ANSWER_MEMBERS: &[(&str, &[u8])] = &[
    ("object", b"\"chat.completion\""),
    ("object", b"\"text_completion\""),
    ("object", b"\"response\""),
    ("object", b"\"interaction\""),
    ("type", b"\"message\""),
    ("choices", b"["),
    ("candidates", b"["),
    ("output", b"["),
    ("content", b"["),
    ("message", b"{"),
];

/// More than any of the signs needs, spaces before it included.
const HEAD_LEN_MAX: usize = 256;

#[cfg(test)]
mod tests;
