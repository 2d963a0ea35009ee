//! Stage 4, the general way: one token comes in and acts, be it a piece of a line.
//!
//! # Limits without a second look
//!
//! The tokenizer is let run first. Only where a line came out longer than its
//! limit is that token taken again up to the last byte allowed, so the limit
//! costs one comparison for each token, and the error names the same byte for
//! every cut.

use crate::block::{Halt, Lent, Value};
use crate::engine::{Engine, Step};
use crate::item::Items;
use crate::limits::Limit;
use crate::token::{Field, Kind, Piece};

impl Engine {
    /// Takes one piece of a line and lets it act. The cursor moves unless memory
    /// is short. `None` where there is nothing to tell yet.
    #[inline(never)]
    pub(crate) fn advance(
        &mut self,
        lent: &mut Lent<'_>,
        want: Items,
    ) -> Result<Option<Step>, Halt> {
        if self.cursor >= lent.window.len() {
            self.leave_window(lent, want)?;
            return Ok(Some(Step::NeedInput));
        }
        let before = self.tokenizer;
        let step = self.take_piece(lent, want);
        if matches!(step, Err(Halt::NeedMemory)) {
            self.tokenizer = before;
        }
        step
    }

    fn take_piece(&mut self, lent: &mut Lent<'_>, want: Items) -> Result<Option<Step>, Halt> {
        let (mut window, before) = (lent.window, self.tokenizer);
        loop {
            let piece = self.tokenizer.next_piece(window, self.cursor);
            let end = piece.map_or(window.len(), |piece| piece.end);
            let over = self.line_len_over();
            if over > 0 {
                // Never before the cursor, behind which all has been taken.
                let at = end.saturating_sub(over);
                if at > self.cursor {
                    self.tokenizer = before;
                    window = window.get(..at).unwrap_or_default();
                    continue;
                }
                self.pass(Limit::Line, self.cursor, 0)?;
            }
            let Some(piece) = piece else {
                self.cursor = end;
                return Ok(None);
            };
            let step = match piece.kind {
                Kind::Blank => self.blank(end, want)?,
                _ => self.act(lent, piece, want)?,
            };
            self.cursor = piece.next();
            return Ok(step);
        }
    }

    /// By how many bytes the line in progress is too long.
    fn line_len_over(&self) -> usize {
        if self.block.is_skipping() {
            return 0;
        }
        let max = self.limits.line_len_max as u64;
        let over = self.tokenizer.line_len().saturating_sub(max);
        usize::try_from(over).unwrap_or(usize::MAX)
    }

    /// Lets a piece of a line act. All that can fail for want of memory comes
    /// before anything has acted, so that the piece may be taken again.
    #[inline(never)]
    pub(crate) fn act(
        &mut self,
        lent: &mut Lent<'_>,
        piece: Piece,
        want: Items,
    ) -> Result<Option<Step>, Halt> {
        let is_item = piece.ends_line && self.may_be_wanted(lent.window, piece, want);
        if is_item {
            // The caller comes back with the rest of the chunk: what the block
            // holds in the part before it would be lost.
            self.park_block(lent)?;
            self.keep_line(lent, piece.end, matches!(piece.kind, Kind::Comment))?;
        }
        let told = match piece.kind {
            _ if self.block.is_lost() => Step::NeedInput,
            Kind::Value(field) => self.gather(lent, field, piece)?,
            Kind::Comment => Step::Comment,
            Kind::Ignored | Kind::Blank => Step::Ignored,
        };
        if !piece.ends_line {
            return Ok(None);
        }
        self.count_line(told, piece.end);
        let is_told = is_item && want.intersects(Items::told_by(told));
        Ok(is_told.then_some(told))
    }

    /// Counts a line that ended at this index and was not blank.
    #[inline(never)]
    fn count_line(&mut self, told: Step, line_end: usize) {
        let line_len = self.tokenizer.line_len_with_bom();
        self.counters.lines += 1;
        self.block
            .begin(self.counters.bytes + line_end as u64 - line_len);
        self.block.close_skipped(line_len);
        match told {
            Step::Comment => self.counters.comments += 1,
            Step::Ignored => self.counters.ignored_lines += 1,
            _ => {}
        }
        self.value = Value::EMPTY;
    }

    /// Whether a line that ends with this piece may be an item the caller wants.
    fn may_be_wanted(&self, window: &[u8], piece: Piece, want: Items) -> bool {
        let items = match piece.kind {
            _ if want == Items::EVENTS => return false,
            Kind::Comment => Items::COMMENTS,
            Kind::Ignored => Items::IGNORED,
            Kind::Value(Field::Retry) => Items::IGNORED.with(Items::RETRY),
            Kind::Value(Field::Id) if self.is_void_id(piece.bytes(window)) => Items::IGNORED,
            _ => return false,
        };
        want.intersects(items)
    }

    /// All that may be taken was taken: copies out of the chunk what an unfinished
    /// block needs from it.
    #[inline(never)]
    fn leave_window(&mut self, lent: &mut Lent<'_>, want: Items) -> Result<(), Halt> {
        self.park_block(lent)?;
        if !want.intersects(Items::LINES) {
            self.line_is_unseen = true;
        } else if self.tokenizer.may_be_ignored() {
            self.keep_line(lent, lent.window.len(), self.tokenizer.is_within_comment())?;
        }
        Ok(())
    }
}
