//! A stream -> its events and the lines that are none; what is no stream.
//!
//! Rules:
//!
//! - Events are the standard's. A line that the end left unterminated is a
//!   line like others, but a block without its blank line is no event: it is
//!   kept apart for those who want it.
//! - Lines that the standard ignores may hold a failure, so they are kept.
//!   Those that no event stands between belong together: JSON may have many.
//! - A body without any event that begins as JSON, HTML, an HTTP head, the size
//!   of a chunk or gzip is no event stream.

use super::json::parse;
use crate::{Item, Setup, oracle};
use serde_json::Value;

/// A stream as the APIs read it.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    /// Events and ignored lines in their order.
    pub(super) pieces: Vec<Piece>,
    /// Type and data of the last event, if its blank line never came.
    pub(super) unfinished: Option<(String, String)>,
    /// Something stood after the last blank line.
    pub(super) is_pending: bool,
    /// Some block told an ID.
    pub(super) has_id: bool,
    /// The whole body.
    pub(super) body: Vec<u8>,
}

/// What a stream is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// Type and data.
    Event(String, String),
    /// Lines that are neither fields nor comments.
    Bare(Vec<String>),
}

impl Stream {
    pub(super) fn new(body: &[u8]) -> Self {
        let report = oracle::standard(body, &Setup::unlimited());
        // With its line end the last line says what it is; without a blank
        // line it dispatches nothing.
        let is_terminated = matches!(body.last(), None | Some(b'\r' | b'\n'));
        let terminated = [body, if is_terminated { b"" } else { b"\n" }].concat();
        let items = oracle::standard(&terminated, &Setup::unlimited()).items;
        Self {
            pieces: pieces(items),
            unfinished: report
                .unfinished
                .map(|event| (owned(&event.event_type), owned(&event.data))),
            is_pending: report.pending.is_some(),
            has_id: !report.last_event_id.is_empty(),
            body: body.to_vec(),
        }
    }

    /// Whether there is no event, and something else is plainly there.
    pub(super) fn is_no_event_stream(&self) -> bool {
        let is_event = |piece: &Piece| matches!(piece, Piece::Event(..));
        if self.pieces.iter().any(is_event) || self.unfinished.is_some() {
            return false;
        }
        let body = owned(&self.body);
        let body = body.trim_start_matches(['\u{FEFF}', ' ', '\t', '\r', '\n']);
        let first_line = body.lines().next().unwrap_or("");
        let is_chunk_size = body.contains("\r\n")
            && !first_line.is_empty()
            && first_line.bytes().all(|byte| byte.is_ascii_hexdigit());
        body.starts_with(['{', '[', '<'])
            || body.starts_with("HTTP/1.")
            || self.body.starts_with(b"\x1F\x8B")
            || is_chunk_size
    }

    /// The body as one JSON document.
    pub(super) fn document(&self) -> Option<Value> {
        parse(owned(&self.body).trim_start_matches('\u{FEFF}').trim())
    }
}

fn pieces(items: Vec<Item>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for item in items {
        match (item, pieces.last_mut()) {
            (
                Item::Event {
                    event_type, data, ..
                },
                _,
            ) => {
                pieces.push(Piece::Event(owned(&event_type), owned(&data)));
            }
            (Item::Ignored { prefix, .. }, Some(Piece::Bare(lines))) => lines.push(owned(&prefix)),
            (Item::Ignored { prefix, .. }, _) => pieces.push(Piece::Bare(vec![owned(&prefix)])),
            _ => {}
        }
    }
    pieces
}

fn owned(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
