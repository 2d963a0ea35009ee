//! Stage 4, the general way: one token comes in and acts, be it a piece of a line.
//!
//! # Limits without a second look
//!
//! The tokenizer is let run first. Only where a line came out longer than its
//! limit is the piece shortened to the last byte allowed, and the rest taken
//! again, so the limit costs one comparison for each piece, and the error names
//! the same byte for every cut.

use crate::block::{Halt, Lent, Value};
use crate::engine::{Engine, Phase, Step};
use crate::item::Items;
use crate::limits::Limit;
use crate::token::{Field, Kind, Piece};

impl Engine {
    /// Takes one piece of a line and lets it act. The cursor moves unless memory
    /// is short. `None` where there is nothing to tell yet.
    pub(crate) fn advance(
        &mut self,
        lent: &mut Lent<'_>,
        want: Items,
    ) -> Result<Option<Step>, Halt> {
        let piece = self.tokenizer.next_piece(lent.window, self.cursor);
        let mut piece = piece.unwrap_or(Piece::nothing(lent.window.len()));
        let over = self.line_len_over();
        if over > 0 && over < piece.len() {
            // What is taken again begins with the first byte over.
            self.tokenizer.give_back(piece.kind, over);
            piece.end -= over;
            piece.ends_line = false;
        } else if over > 0 {
            // Never before the cursor, behind which all has been taken.
            let at = piece.end.saturating_sub(over).max(self.cursor);
            self.pass(Limit::Line, at, 0)?;
        }
        self.cursor = piece.next();
        if piece.begin == lent.window.len() {
            self.leave_window(lent, want)?;
            return Ok(Some(Step::NeedInput));
        }
        let step = match piece.kind {
            Kind::Blank => self.blank(piece.end, want),
            _ => self.act(lent, &piece, want),
        };
        if matches!(step, Err(Halt::NeedMemory)) {
            self.tokenizer.give_back(piece.kind, piece.len());
            self.cursor = piece.begin;
        }
        step
    }

    /// By how many bytes the line in progress is too long.
    fn line_len_over(&self) -> usize {
        let (len, max) = (self.tokenizer.line_len(), self.limits.line_len_max as u64);
        if len <= max || self.block.is_skipping() {
            return 0;
        }
        usize::try_from(len - max).unwrap_or(usize::MAX)
    }

    /// Lets a piece of a line act. All that can fail for want of memory comes
    /// before anything has acted, so that the piece may be taken again.
    #[cfg_attr(not(feature = "wide-scan"), inline(always))]
    pub(crate) fn act(
        &mut self,
        lent: &mut Lent<'_>,
        piece: &Piece,
        want: Items,
    ) -> Result<Option<Step>, Halt> {
        let is_comment = matches!(piece.kind, Kind::Comment);
        let is_item = piece.ends_line && self.may_be_wanted(lent.window, piece, want);
        if is_item {
            // The caller comes back with the rest of the chunk: what the block
            // holds in the part before it would be lost.
            self.park_block(lent)?;
            self.keep_line(lent, piece.end, is_comment)?;
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
        if !is_item || !want.intersects(Items::told_by(told)) {
            return Ok(None);
        }
        if !matches!(told, Step::Retry) {
            self.phase = Phase::Line { is_comment };
        }
        Ok(Some(told))
    }

    /// Counts a line that ended at this index and was not blank.
    fn count_line(&mut self, told: Step, line_end: usize) {
        let line_len = self.tokenizer.line_len_with_bom();
        self.counters.lines += 1;
        self.block.begin(self.line_start(line_end));
        self.block.close_skipped(line_len);
        match told {
            Step::Comment => self.counters.comments += 1,
            Step::Ignored => self.counters.ignored_lines += 1,
            _ => {}
        }
        self.value = Value::EMPTY;
    }

    /// Whether a line that ends with this piece may be an item the caller wants.
    fn may_be_wanted(&self, window: &[u8], piece: &Piece, want: Items) -> bool {
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
