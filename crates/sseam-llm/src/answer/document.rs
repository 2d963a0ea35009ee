//! Stage 5, a body that is one JSON document: its bytes in, the data of one event
//! out. MCP allows it in the place of a stream.

use sseam_core::Memory;

use super::{Answer, Document, Last, Next, Phase};
use crate::dialect::Dialect;

/// What makes a line of a document one of data, and what ends it.
const DOCUMENT_FIELD: &[u8] = b"data:";
pub(super) const DOCUMENT_END: &[u8] = b"\n\n";

impl<M: Memory> Answer<M> {
    /// Whether a body's first bytes are those of a document where one is allowed.
    pub(super) fn document_of(&self, chunk: &[u8]) -> Document {
        let is_mcp = matches!(self.turn.dialect(), Dialect::Mcp2025 | Dialect::Mcp2026);
        match chunk.first() {
            Some(b'{' | b'[') if is_mcp => Document::Yes {
                is_line_start: true,
            },
            _ => Document::No,
        }
    }

    /// Takes a line of a document, or a piece of one, as one of data; gives its
    /// length.
    pub(super) fn read_document_line(&mut self, chunk: &[u8]) -> usize {
        if let Document::Yes {
            is_line_start: true,
        } = self.document
        {
            self.parse(DOCUMENT_FIELD);
        }
        let end = chunk.iter().position(|byte| *byte == b'\n'); // tidy: a document's lines.
        let line = match end {
            Some(end) => chunk.get(..=end).unwrap_or(chunk),
            None => chunk,
        };
        self.parse(line);
        self.document = Document::Yes {
            is_line_start: end.is_some(),
        };
        line.len()
    }

    pub(super) fn tell_document(&mut self) -> Next {
        self.phase = Phase::Reading;
        let mut next = Next::NeedInput;
        let mut rest = DOCUMENT_END;
        while !rest.is_empty() && next == Next::NeedInput && self.phase == Phase::Reading {
            let (used, heard) = self.parse(rest);
            rest = rest.get(used..).unwrap_or_default();
            next = heard;
        }
        if let Last::Item(step) = self.last {
            self.last = Last::ItemAtEnd(step);
        }
        next
    }
}
