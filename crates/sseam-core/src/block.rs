//! Stage 3, the state of a block: what was gathered since the last blank line.

use crate::limits::Limit;
use crate::memory::Region;
use crate::token::Field;

/// Why a token could not act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Memory is short by what `Lack` says; nothing was changed that acting
    /// again would change twice.
    NeedMemory,
    /// A limit was passed by the byte at this index of the chunk.
    Over { limit: Limit, at: usize },
}

/// Which region has to hold how many bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lack {
    pub(crate) region: Region,
    pub(crate) len: usize,
}

impl Lack {
    pub(crate) const NONE: Lack = Lack {
        region: Region::Data,
        len: 0,
    };
}

/// A piece of the value of a field, and where it begins in the chunk.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'c> {
    pub(crate) field: Field,
    pub(crate) bytes: &'c [u8],
    pub(crate) at: usize,
    pub(crate) ends_line: bool,
}

/// Where gathered bytes lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Whole in the chunk, from this index.
    Chunk(usize),
    /// In the event memory, at the front of their slot.
    Memory,
}

/// One slot of ids and how much of it is the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Id {
    /// < 3
    pub(crate) slot: u8,
    /// <= the slot's length
    pub(crate) len: usize,
}

/// The standard's last event ID and its last event ID buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ids {
    /// What the last blank line set; told with events and on reconnecting.
    pub(crate) committed: Id,
    /// What the last `id` line set; committed at the next blank line.
    pub(crate) buffer: Id,
}

impl Ids {
    pub(crate) const EMPTY: Ids = Ids {
        committed: Id { slot: 0, len: 0 },
        buffer: Id { slot: 0, len: 0 },
    };

    /// The slot that neither of them uses: there a value may still turn out void.
    pub(crate) fn free_slot(&self) -> u8 {
        let is_used = |slot| slot == self.committed.slot || slot == self.buffer.slot;
        if !is_used(0) {
            0
        } else if !is_used(1) {
            1
        } else {
            2
        }
    }
}

/// What the value in progress will do at its line's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It sets its field.
    Acts,
    /// Nothing, and the line counts as ignored: an id with a NUL.
    Refused,
    /// Nothing, as it is too long and its event is skipped.
    Dropped,
}

/// The value of the line in progress.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value {
    /// The number that the digits of `retry` make so far; `None` if they make
    /// none, or one above `u64::MAX`.
    pub(crate) number: Option<u64>,
    /// Bytes of the value seen so far, of an id those before its NUL.
    pub(crate) len: usize,
    pub(crate) fate: Fate,
}

impl Value {
    /// The line goes on without effect, and is not counted as ignored.
    pub(crate) fn drop_it(&mut self) {
        self.fate = Fate::Dropped;
    }

    pub(crate) const EMPTY: Value = Value {
        number: Some(0),
        len: 0,
        fate: Fate::Acts,
    };
}

/// Why a block will be skipped at its blank line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skip {
    /// It will not.
    No,
    /// It passed a limit; `bytes` counts what the limit counts. `is_open` while
    /// the value or the line that passed it goes on.
    Over {
        limit: Limit,
        bytes: u64,
        is_open: bool,
    },
    /// Bytes of it were lost: nothing in it can be believed.
    Lost,
}

/// The block in progress: what was gathered since the last blank line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    /// Offset in the stream of its first line, once a line of it has ended.
    pub(crate) start: u64,
    pub(crate) skip: Skip,
    pub(crate) data: Place,
    /// <= `data_len_max`
    pub(crate) data_len: usize,
    pub(crate) event_type: Place,
    /// <= `event_type_len_max`
    pub(crate) type_len: usize,
    /// The slot of the type, < 2; a value in progress uses the other one.
    pub(crate) type_slot: u8,
    /// The last `event` value was too long, in a block that is skipped.
    pub(crate) type_is_unknown: bool,
    /// A `data` line has ended: the data buffer is not the empty string.
    pub(crate) has_data: bool,
    /// A line has ended, so that `start` is known.
    pub(crate) has_line: bool,
}

impl Block {
    pub(crate) const EMPTY: Block = Block {
        start: 0,
        skip: Skip::No,
        data: Place::Memory,
        data_len: 0,
        event_type: Place::Memory,
        type_len: 0,
        type_slot: 0,
        type_is_unknown: false,
        has_data: false,
        has_line: false,
    };

    /// Forgets the block. Where its bytes lay does not matter any more: of no
    /// bytes, every place is the same.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.skip = Skip::No;
        self.data_len = 0;
        self.type_len = 0;
        self.type_is_unknown = false;
        self.has_data = false;
        self.has_line = false;
    }

    pub(crate) const fn is_skipping(&self) -> bool {
        !matches!(self.skip, Skip::No)
    }

    /// Whether bytes of it were lost, so that no line of it can be believed.
    pub(crate) const fn is_lost(&self) -> bool {
        matches!(self.skip, Skip::Lost)
    }

    pub(crate) const fn skip_limit(&self) -> Option<Limit> {
        match self.skip {
            Skip::Over { limit, .. } => Some(limit),
            Skip::No | Skip::Lost => None,
        }
    }

    pub(crate) const fn skip_bytes(&self) -> u64 {
        match self.skip {
            Skip::Over { bytes, .. } => bytes,
            Skip::No | Skip::Lost => 0,
        }
    }

    /// Whether the event type buffer is not empty.
    pub(crate) const fn has_type(&self) -> bool {
        self.type_len > 0 || self.type_is_unknown
    }

    pub(crate) fn lose(&mut self) {
        *self = Block {
            skip: Skip::Lost,
            ..Block::EMPTY
        };
    }

    pub(crate) const fn data_len_in_memory(&self) -> usize {
        match self.data {
            Place::Memory => self.data_len,
            Place::Chunk(_) => 0,
        }
    }

    /// The first line of the block is known to begin at `start`.
    #[inline(always)]
    pub(crate) fn begin(&mut self, start: u64) {
        if !self.has_line {
            self.has_line = true;
            self.start = start;
        }
    }

    /// Adds to the count that a skipped block reports, if it is of this limit.
    pub(crate) fn count_skipped(&mut self, of: Limit, more: usize) {
        if let Skip::Over {
            limit,
            bytes,
            is_open,
        } = &mut self.skip
        {
            let counts = *limit == of && (*is_open || of == Limit::Data);
            *bytes += if counts { more as u64 } else { 0 };
        }
    }

    /// The line ends that passed a limit, if it was one.
    pub(crate) fn close_skipped(&mut self, line_len: u64) {
        if let Skip::Over {
            limit,
            bytes,
            is_open,
        } = &mut self.skip
        {
            if *is_open && *limit == Limit::Line {
                *bytes = line_len;
            }
            *is_open = false;
        }
    }
}
