//! Stage 3, the state of a block: what was gathered since the last blank line.

use crate::limits::Limit;
use crate::memory::Slot;

/// Why a piece of a line could not act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Memory is short by what `Lack` says; nothing was changed that acting
    /// again would change twice.
    NeedMemory,
    /// A limit was passed: see [`Engine::fail`](crate::Engine).
    Failed,
}

/// What the caller lends to one step.
pub(crate) struct Lent<'a> {
    /// The event memory.
    pub(crate) memory: &'a mut [u8],
    /// The chunk, as far as the limit of all bytes allows.
    pub(crate) window: &'a [u8],
}

/// Which slot has to hold how many bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lack {
    pub(crate) len: usize,
    pub(crate) slot: Slot,
}

impl Lack {
    pub(crate) const NONE: Lack = Lack {
        slot: Slot::DATA,
        len: 0,
    };
}

/// Where gathered bytes lie: whole in the chunk from an index, or at the front
/// of their slot of the event memory. One word, where an `Option` takes two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(usize);

impl Place {
    /// No index, as no chunk is that long.
    pub(crate) const MEMORY: Place = Place(usize::MAX);

    pub(crate) const fn chunk(at: usize) -> Place {
        Place(at)
    }

    #[inline(always)]
    pub(crate) const fn index_in_chunk(self) -> Option<usize> {
        if self.0 == usize::MAX {
            None
        } else {
            Some(self.0)
        }
    }
}

/// The standard's last event ID and its last event ID buffer: which slots they
/// lie in and how long they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ids {
    /// What the last blank line set; told with events and on reconnecting.
    pub(crate) committed_len: usize,
    /// What the last `id` line set; committed at the next blank line.
    pub(crate) buffer_len: usize,
    pub(crate) committed_slot: Slot,
    pub(crate) buffer_slot: Slot,
    /// Neither of the two: there a value may still turn out void.
    pub(crate) free_slot: Slot,
}

impl Ids {
    pub(crate) const EMPTY: Ids = Ids {
        committed_len: 0,
        buffer_len: 0,
        committed_slot: Slot::ID,
        buffer_slot: Slot::ID,
        free_slot: Slot::OTHER_ID,
    };

    /// What was gathered in the free slot becomes the last event ID buffer.
    #[inline]
    pub(crate) const fn buffer(&mut self, len: usize) {
        self.buffer_slot = self.free_slot;
        self.buffer_len = len;
        self.free_slot = self.committed_slot.third_id(self.free_slot);
    }

    /// "Set the last event ID string of the event source to the value of the
    /// last event ID buffer. The buffer does not get reset".
    #[inline(always)]
    pub(crate) const fn commit(&mut self) {
        self.committed_len = self.buffer_len;
        self.committed_slot = self.buffer_slot;
    }

    /// Forgets an id that no blank line followed.
    pub(crate) const fn revert(&mut self) {
        self.buffer_len = self.committed_len;
        self.buffer_slot = self.committed_slot;
    }
}

/// What the value in progress will do at its line's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It sets its field.
    Acts,
    /// Nothing, and the line counts as ignored: an id with a NUL, or a `retry`
    /// that is no number up to `u64::MAX`.
    Refused,
    /// Nothing, as it is too long and its event is skipped.
    Dropped,
}

/// The value of the line in progress.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value {
    /// The number that the digits of `retry` make so far.
    pub(crate) number: u64,
    /// Bytes of the value seen so far, of an id those before its NUL; of a
    /// further `data` line, the LF before it as well.
    pub(crate) len: usize,
    pub(crate) fate: Fate,
}

impl Value {
    pub(crate) const EMPTY: Value = Value {
        number: 0,
        len: 0,
        fate: Fate::Acts,
    };
}

/// Why a block will be skipped at its blank line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skip {
    /// It will not.
    No,
    /// It passed a limit. `is_open` while the value or the line that passed it
    /// goes on.
    Over { limit: Limit, is_open: bool },
    /// Bytes of it were lost: nothing in it can be believed.
    Lost,
}

/// The block in progress: what was gathered since the last blank line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    /// Offset in the stream of its first line, once a line of it has ended.
    pub(crate) start: u64,
    /// What the limit counts that a skipped block has passed.
    pub(crate) skipped_len: u64,
    pub(crate) data: Place,
    /// <= `data_len_max`
    pub(crate) data_len: usize,
    pub(crate) event_type: Place,
    /// <= `event_type_len_max`
    pub(crate) type_len: usize,
    pub(crate) skip: Skip,
    /// The slot of the type; a value in progress uses the other one.
    pub(crate) type_slot: Slot,
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
        skipped_len: 0,
        data: Place::MEMORY,
        data_len: 0,
        event_type: Place::MEMORY,
        type_len: 0,
        skip: Skip::No,
        type_slot: Slot::EVENT_TYPE,
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

    /// Whether the event type buffer is not empty.
    pub(crate) const fn has_type(&self) -> bool {
        self.type_len > 0 || self.type_is_unknown
    }

    pub(crate) fn lose(&mut self) {
        self.clear();
        self.skip = Skip::Lost;
    }

    pub(crate) const fn data_len_in_memory(&self) -> usize {
        match self.data.index_in_chunk() {
            None => self.data_len,
            Some(_) => 0,
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
        if let Skip::Over { limit, is_open } = self.skip
            && limit == of
            && (is_open || of == Limit::Data)
        {
            self.skipped_len += more as u64;
        }
    }

    /// The line ends that passed a limit, if it was one.
    pub(crate) fn close_skipped(&mut self, line_len: u64) {
        if let Skip::Over { limit, is_open } = &mut self.skip {
            if *is_open && *limit == Limit::Line {
                self.skipped_len = line_len;
            }
            *is_open = false;
        }
    }
}
