//! Stage 4, the general way: one token comes in and acts, be it a piece of a line.
//!
//! # Limits without a second look
//!
//! The tokenizer is let run first. Only where a line came out longer than its
//! limit is that token taken again up to the last byte allowed, so the limit
//! costs one comparison for each token, and the error names the same byte for
//! every cut.

use crate::block::{Halt, Piece};
use crate::engine::{Engine, Step};
use crate::item::Items;
use crate::limits::Limit;
use crate::token::{Field, Token};

impl Engine {
    /// All that may be taken was taken.
    #[inline(never)]
    pub(crate) fn leave_window(
        &mut self,
        memory: &mut [u8],
        window: &[u8],
        chunk_len: usize,
    ) -> Step {
        if window.len() < chunk_len {
            return self.halt(Halt::Over {
                limit: Limit::Bytes,
                at: window.len(),
            });
        }
        match self.park(memory, window) {
            Ok(()) => Step::NeedInput,
            Err(halt) => self.halt(halt),
        }
    }

    /// The general way: one token, be it a piece of a line.
    #[inline(never)]
    pub(crate) fn take_token(
        &mut self,
        memory: &mut [u8],
        window: &[u8],
        want: Items,
    ) -> Option<Step> {
        match self.advance(memory, window, want) {
            Ok(step) => step,
            Err(halt) => Some(self.halt(halt)),
        }
    }

    /// Takes one token and lets it act. The cursor moves unless memory is short.
    fn advance(
        &mut self,
        memory: &mut [u8],
        window: &[u8],
        want: Items,
    ) -> Result<Option<Step>, Halt> {
        let before = self.tokenizer;
        let mut input = window.get(self.cursor..).unwrap_or_default();
        let mut token = self.tokenizer.next_token(&mut input);
        let mut end = window.len() - input.len();
        if self.tokenizer.line_len() > self.limits.line_len_max as u64 && !self.block.is_skipping()
        {
            let at = self.first_byte_over(token, end);
            if at == self.cursor {
                self.pass(Limit::Line, at, 0)?;
            } else {
                self.tokenizer = before;
                input = window.get(self.cursor..at).unwrap_or_default();
                token = self.tokenizer.next_token(&mut input);
                end = at - input.len();
            }
        }
        let Some(token) = token else {
            self.cursor = end;
            return Ok(None);
        };
        let step = self.act(memory, window, token, end, want);
        match step {
            Err(Halt::NeedMemory) => self.tokenizer = before,
            Err(Halt::Over { .. }) => {}
            Ok(_) => self.cursor = end,
        }
        step
    }

    /// Index of the first byte by which the line in progress is too long; never
    /// before the cursor, behind which everything has been taken.
    fn first_byte_over(&self, token: Option<Token<'_>>, end: usize) -> usize {
        let ends_line = matches!(
            token,
            Some(
                Token::Value {
                    ends_line: true,
                    ..
                } | Token::Comment {
                    ends_line: true,
                    ..
                } | Token::Ignored {
                    ends_line: true,
                    ..
                }
            )
        );
        let over = self.tokenizer.line_len() - self.limits.line_len_max as u64;
        let over = usize::try_from(over).unwrap_or(usize::MAX);
        let content_end = end - usize::from(ends_line);
        content_end.saturating_sub(over).max(self.cursor)
    }

    /// Lets a token act. All that can fail for want of memory comes before
    /// anything has acted, so that the token may be taken again.
    fn act(
        &mut self,
        memory: &mut [u8],
        window: &[u8],
        token: Token<'_>,
        end: usize,
        want: Items,
    ) -> Result<Option<Step>, Halt> {
        let (bytes, ends_line) = match token {
            Token::Value {
                bytes, ends_line, ..
            }
            | Token::Comment { bytes, ends_line }
            | Token::Ignored { bytes, ends_line } => (bytes, ends_line),
            Token::Blank => return self.blank(end, want),
        };
        let line_end = end - usize::from(ends_line);
        let is_item = ends_line && self.may_be_wanted(token, want);
        if is_item {
            // The caller comes back with the rest of the chunk: what the block
            // holds in the part before it would be lost.
            self.park_block(memory, window)?;
            self.keep_line(
                memory,
                window,
                line_end,
                matches!(token, Token::Comment { .. }),
            )?;
        }
        let told = match token {
            Token::Value { field, .. } => {
                let piece = Piece {
                    field,
                    bytes,
                    at: line_end - bytes.len(),
                    ends_line,
                };
                self.gather(memory, window, piece)?
            }
            Token::Comment { .. } => Step::Comment,
            _ => self.keep_rejected(memory, bytes)?,
        };
        if !ends_line {
            return Ok(None);
        }
        let told = if self.block.is_lost() {
            Step::NeedInput
        } else {
            told
        };
        let line_end_offset = self.counters.bytes + line_end as u64;
        self.count_line(told, line_end_offset - self.tokenizer.line_len());
        self.block.close_skipped(self.tokenizer.line_len());
        self.line_end = line_end;
        self.line_is_comment = matches!(told, Step::Comment);
        let is_wanted = match told {
            Step::Comment => want.contains(Items::COMMENTS),
            Step::Ignored => want.contains(Items::IGNORED),
            Step::Retry => want.contains(Items::RETRY),
            _ => false,
        };
        Ok((is_item && is_wanted).then_some(told))
    }

    /// Whether the line that ends with this token may be an item the caller wants.
    fn may_be_wanted(&self, token: Token<'_>, want: Items) -> bool {
        let items = match token {
            Token::Comment { .. } => Items::COMMENTS,
            Token::Ignored { .. } => Items::IGNORED,
            Token::Value {
                field: Field::Retry,
                ..
            } => Items::IGNORED.with(Items::RETRY),
            Token::Value {
                field: Field::Id,
                bytes,
                ..
            } if self.is_void_id(bytes) => Items::IGNORED,
            _ => return false,
        };
        want.intersects(items)
    }

    /// Copies out of the chunk what an unfinished block needs from it.
    fn park(&mut self, memory: &mut [u8], window: &[u8]) -> Result<(), Halt> {
        self.park_block(memory, window)?;
        if self.tokenizer.may_be_ignored() {
            let is_comment = self.tokenizer.is_within_comment();
            self.keep_line(memory, window, window.len(), is_comment)?;
        }
        Ok(())
    }
}
