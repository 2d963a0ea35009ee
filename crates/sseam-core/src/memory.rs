//! Stage 3, where things lie in the event memory: regions in, offsets out.
//!
//! ```text
//! | id | id | id | type | type | comment | data ------------> |
//! ```
//!
//! Three id slots, because the committed id, the ID buffer and an id that is
//! still arriving are three things: a value with a NUL must leave the buffer
//! untouched even when the NUL comes chunks later. Two type slots for the same
//! reason. Roles move from slot to slot; bytes do not.
//!
//! In memory that the caller lends whole, every slot has the length of its
//! limit. In memory that grows, slots begin empty and are widened when a value
//! needs it, so that a thousand idle streams do not hold a thousand maxima.

use crate::limits::Limits;

/// A part of the event memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    Id,
    EventType,
    Comment,
    Data,
}

/// Lengths of the slots; each at most its limit and at most [`SLOT_LEN_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) id: usize,
    pub(crate) event_type: usize,
    pub(crate) comment: usize,
}

/// Keeps every offset below `usize::MAX`: six slots of this length and data of
/// at most `isize::MAX` bytes fit. No memory is as long as one such slot.
const SLOT_LEN_MAX: usize = usize::MAX / 16;

/// The first widening of a slot goes to this length, so that few follow.
const SLOT_LEN_FIRST: usize = 32;

impl Layout {
    pub(crate) const EMPTY: Layout = Layout {
        id: 0,
        event_type: 0,
        comment: 0,
    };

    /// Every slot as long as its limit.
    pub(crate) const fn full(limits: &Limits) -> Layout {
        Layout {
            id: at_most(limits.id_len_max, SLOT_LEN_MAX),
            event_type: at_most(limits.event_type_len_max, SLOT_LEN_MAX),
            comment: at_most(limits.comment_len_max, SLOT_LEN_MAX),
        }
    }

    /// This layout with one slot wide enough for `len` bytes.
    pub(crate) fn widened(self, region: Region, len: usize, limits: &Limits) -> Layout {
        let full = Layout::full(limits);
        let wide = len
            .checked_next_power_of_two()
            .unwrap_or(len)
            .max(SLOT_LEN_FIRST);
        match region {
            Region::Id => Layout {
                id: wide.min(full.id),
                ..self
            },
            Region::EventType => Layout {
                event_type: wide.min(full.event_type),
                ..self
            },
            Region::Comment => Layout {
                comment: wide.min(full.comment),
                ..self
            },
            Region::Data => self,
        }
    }

    /// Length of one slot; that of the data is bounded by its limit alone.
    #[inline]
    pub(crate) const fn slot_len(&self, region: Region) -> usize {
        match region {
            Region::Id => self.id,
            Region::EventType => self.event_type,
            Region::Comment => self.comment,
            Region::Data => usize::MAX,
        }
    }

    /// Offset of a slot; `slot` is below 3 for ids, below 2 for types, else 0.
    #[inline]
    pub(crate) const fn offset(&self, region: Region, slot: u8) -> usize {
        let types_at = 3 * self.id;
        let comment_at = types_at + 2 * self.event_type;
        match region {
            Region::Id => slot as usize * self.id,
            Region::EventType => types_at + slot as usize * self.event_type,
            Region::Comment => comment_at,
            Region::Data => comment_at + self.comment,
        }
    }

    /// Moves what lies where `self` says to where `wider` says, last part first,
    /// so that nothing is overwritten before it was moved.
    pub(crate) fn rearrange(&self, wider: &Layout, memory: &mut [u8], data_len: usize) {
        let slots = [
            (Region::Data, 0, data_len),
            (Region::Comment, 0, self.comment),
            (Region::EventType, 1, self.event_type),
            (Region::EventType, 0, self.event_type),
            (Region::Id, 2, self.id),
            (Region::Id, 1, self.id),
            (Region::Id, 0, self.id),
        ];
        for (region, slot, len) in slots {
            shift(
                memory,
                self.offset(region, slot),
                wider.offset(region, slot),
                len,
            );
        }
    }
}

/// Moves `len` bytes up; does nothing where they do not lie within `memory`.
fn shift(memory: &mut [u8], from: usize, to: usize, len: usize) {
    let (Some(rest), Some(by)) = (memory.get_mut(from..), to.checked_sub(from)) else {
        return;
    };
    // In the words of `copy_within`'s own assertion, which is then left out.
    if rest.len().checked_sub(len).is_some_and(|last| by <= last) {
        rest.copy_within(..len, by);
    }
}

/// Copies `bytes` into `memory` at `at`, or leaves it as it was and says so.
#[inline]
pub(crate) fn put(memory: &mut [u8], at: usize, bytes: &[u8]) -> bool {
    let room = memory
        .get_mut(at..)
        .and_then(|rest| rest.get_mut(..bytes.len()));
    match room {
        Some(room) => room.copy_from_slice(bytes),
        None => return false,
    }
    true
}

/// `len` bytes at `at`, or nothing where memory or chunk is not the one the
/// engine was given before.
#[inline]
pub(crate) fn slice(bytes: &[u8], at: usize, len: usize) -> &[u8] {
    bytes
        .get(at..)
        .and_then(|rest| rest.get(..len))
        .unwrap_or_default()
}

const fn at_most(len: usize, max: usize) -> usize {
    if len < max { len } else { max }
}
