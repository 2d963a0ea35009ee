//! First bytes to what the input is, if it is no event stream.
//!
//! Every byte sequence is an event stream to the parser: what it does not know
//! it ignores. A person who replays an HTML page wants to hear that it is one,
//! not that it has no events. So an input is called foreign where that is
//! certain from its bytes (compressed data, an HTTP head, chunk sizes), or where
//! its first bytes look so and it has ended without an event. What looks like
//! JSON must besides have had nothing but lines that the parser ignores.
//!
//! Bytes come in as they are fed to the parser, and the verdict falls at the
//! same byte for every cut.

use sseam::{Counters, Token, Tokenizer};

use crate::chunked::Chunked;

/// Something that is no event stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Foreign {
    HttpHead,
    ChunkSizes,
    Gzip,
    Zstd,
    Utf16,
    Html,
    Xml,
    Ndjson,
    JsonArray,
    JsonError,
    Json,
}

impl Foreign {
    /// What it is, with its article.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Foreign::HttpHead => "an HTTP response with its head",
            Foreign::ChunkSizes => "an HTTP body with its chunk sizes left in",
            Foreign::Gzip => "gzip data",
            Foreign::Zstd => "zstd data",
            Foreign::Utf16 => "UTF-16 text",
            Foreign::Html => "an HTML page",
            Foreign::Xml => "an XML document",
            Foreign::Ndjson => "NDJSON, one JSON value per line",
            Foreign::JsonArray => "a JSON array",
            Foreign::JsonError => "a JSON error body",
            Foreign::Json => "a JSON document",
        }
    }

    /// What to do about it.
    pub(crate) const fn advice(self) -> &'static str {
        match self {
            Foreign::HttpHead => "save the body alone, with `curl -N` and without `-i`",
            Foreign::ChunkSizes => "save the decoded body, with `curl -N` and without `--raw`",
            Foreign::Gzip => {
                "decompress it first, with `gunzip -c`, or ask with `curl --compressed`"
            }
            Foreign::Zstd => {
                "decompress it first, with `zstd -dc`, or ask with `curl --compressed`"
            }
            Foreign::Utf16 => "save the bytes as they come, with `curl -o` and not with `>`",
            Foreign::Html => "check the address, the proxy and the login: a page came back",
            Foreign::Xml => "check the address and the login: the server sent a document",
            Foreign::Ndjson => {
                "ask for `text/event-stream`; its lines are JSON as they are, without sseam"
            }
            Foreign::JsonArray => {
                "ask for a stream; for Gemini add `alt=sse` to the query of the address"
            }
            Foreign::JsonError => "the request failed: the reason is in the body",
            Foreign::Json => "ask for a stream, mostly with `\"stream\": true` in the request",
        }
    }
}

/// Looks at the input beside the parser until it is sure.
#[derive(Debug, Clone)]
pub(crate) struct Inspector {
    /// The first bytes; at most [`HEAD_LEN_MAX`].
    head: Vec<u8>,
    chunked: Chunked,
    lines: Lines,
}

/// What the lines so far were.
#[derive(Debug, Clone, Copy)]
enum Lines {
    /// Nothing but blank lines and ones that the parser ignores.
    Ignored(Tokenizer, Shape),
    /// A line that only an event stream has: a field or a comment.
    Known,
}

/// The beginnings and ends that tell NDJSON from one document.
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    /// How many lines that are not blank have ended.
    line_count: u64,
    /// The first byte of the second line that is no space.
    second_first: Option<u8>,
    /// The last byte of the first line that is no space.
    first_last: Option<u8>,
}

impl Inspector {
    pub(crate) const fn new() -> Inspector {
        Inspector {
            head: Vec::new(),
            chunked: Chunked::new(),
            lines: Lines::Ignored(
                Tokenizer::new(),
                Shape {
                    line_count: 0,
                    second_first: None,
                    first_last: None,
                },
            ),
        }
    }

    /// Looks at the next bytes; gives how many of them there are up to the byte
    /// that makes it certain, and what it is.
    pub(crate) fn look(&mut self, bytes: &[u8]) -> Option<(usize, Foreign)> {
        self.lines.follow(bytes);
        let proof = self.chunked.follow(bytes);
        let seen = self.head.len();
        let room = HEAD_LEN_MAX.saturating_sub(seen);
        self.head.extend(bytes.iter().take(room));
        if room > 0
            && let Some((len, foreign)) = certain(&self.head)
        {
            // Had it been certain before, there would have been no more bytes.
            return Some((len.saturating_sub(seen), foreign));
        }
        proof.map(|len| (len, Foreign::ChunkSizes))
    }

    /// What an input was that has ended.
    pub(crate) fn verdict(&self, counters: &Counters) -> Option<Foreign> {
        if counters.events > 0 || counters.skipped > 0 {
            return None;
        }
        let is_known = matches!(self.lines, Lines::Known);
        let is_cut_chunk = self.chunked.is_within_first_chunk() && is_known;
        markup(&self.head)
            .or(is_cut_chunk.then_some(Foreign::ChunkSizes))
            .or_else(|| json(&self.head, &self.lines))
    }

    /// The first bytes of the input.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Whether a line was a field or a comment.
    pub(crate) const fn has_known_line(&self) -> bool {
        matches!(self.lines, Lines::Known)
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
    fn take(&mut self, bytes: &[u8], ends_line: bool) {
        let is_ink = |byte: &&u8| !byte.is_ascii_whitespace();
        match self.line_count {
            0 => self.first_last = bytes.iter().rfind(is_ink).copied().or(self.first_last),
            1 => self.second_first = self.second_first.or(bytes.iter().find(is_ink).copied()),
            _ => {}
        }
        self.line_count = self.line_count.saturating_add(u64::from(ends_line));
    }
}

/// What `head` is for certain, and how many bytes it took to know.
fn certain(head: &[u8]) -> Option<(usize, Foreign)> {
    let (gzip, zstd) = (b"\x1F\x8B\x08", b"\x28\xB5\x2F\xFD");
    if head.starts_with(gzip) {
        return Some((gzip.len(), Foreign::Gzip));
    }
    if head.starts_with(zstd) {
        return Some((zstd.len(), Foreign::Zstd));
    }
    status_line_len(head).map(|len| (len, Foreign::HttpHead))
}

/// How many bytes `HTTP/1.1 200` or `HTTP/2 200` takes, if that begins `head`.
fn status_line_len(head: &[u8]) -> Option<usize> {
    let rest = head.strip_prefix(b"HTTP/")?;
    let (version, rest) = rest.split_at_checked(rest.iter().position(|byte| *byte == b' ')?)?;
    let is_version = matches!(version, [major, b'.', minor]
        if major.is_ascii_digit() && minor.is_ascii_digit())
        || matches!(version, [major] if major.is_ascii_digit());
    let is_status = rest.get(1..4)?.iter().all(u8::is_ascii_digit);
    (is_version && is_status).then_some(head.len() - rest.len() + 4)
}

/// Text that is none of ours whatever its lines look like: a page may well hold
/// a line that begins with a colon, as style sheets do.
fn markup(head: &[u8]) -> Option<Foreign> {
    if matches!(head, [0xFF, 0xFE, _, 0, ..] | [0xFE, 0xFF, 0, _, ..]) {
        return Some(Foreign::Utf16);
    }
    let text = ink(head);
    let begins_with = |prefix: &[u8]| {
        text.get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    if begins_with(b"<!doctype html") || begins_with(b"<html") {
        return Some(Foreign::Html);
    }
    begins_with(b"<?xml").then_some(Foreign::Xml)
}

/// JSON of some kind, if nothing but ignored lines followed.
fn json(head: &[u8], lines: &Lines) -> Option<Foreign> {
    let Lines::Ignored(_, shape) = lines else {
        return None;
    };
    let (&first, rest) = ink(head).split_first()?;
    let second = ink(rest).first();
    match (first, second) {
        (b'[', Some(b'{' | b'[' | b'"' | b']')) => Some(Foreign::JsonArray),
        (b'{', Some(b'"' | b'}')) => {
            let is_ndjson = shape.first_last == Some(b'}') && shape.second_first == Some(b'{');
            let has_error = head.windows(ERROR_KEY.len()).any(|part| part == ERROR_KEY);
            Some(match (is_ndjson, has_error) {
                (true, _) => Foreign::Ndjson,
                (false, true) => Foreign::JsonError,
                (false, false) => Foreign::Json,
            })
        }
        _ => None,
    }
}

/// `bytes` from the first that is neither a byte-order mark nor a space.
fn ink(bytes: &[u8]) -> &[u8] {
    bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .trim_ascii_start()
}

/// What error bodies call their reason, or the value of their `type`.
const ERROR_KEY: &[u8] = b"\"error\"";

/// More than any of the signs needs, spaces before it included.
const HEAD_LEN_MAX: usize = 512;
