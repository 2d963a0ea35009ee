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

/// A part of the event memory. Two types and three ids differ in their roles
/// alone, which the engine keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot(u8);

impl Slot {
    pub(crate) const ID: Slot = Slot(0);
    pub(crate) const OTHER_ID: Slot = Slot(1);
    pub(crate) const EVENT_TYPE: Slot = Slot(3);
    pub(crate) const COMMENT: Slot = Slot(5);
    pub(crate) const DATA: Slot = Slot(6);

    /// The id slot that is neither of two different ones.
    #[inline(always)]
    pub(crate) const fn third_id(self, other: Slot) -> Slot {
        Slot(3 - self.0 - other.0)
    }

    /// The other one of the two slots for types.
    #[inline(always)]
    pub(crate) const fn other_type(self) -> Slot {
        Slot(7 - self.0)
    }

    #[inline(always)]
    pub(crate) const fn is_data(self) -> bool {
        self.0 == Slot::DATA.0
    }
}

/// Lengths of the slots; each at most its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    id: u32,
    event_type: u32,
    comment: u32,
}

/// Keeps every offset below `usize::MAX`: six slots of this length and data of
/// at most `isize::MAX` bytes fit. No memory is as long as one such slot.
const SLOT_LEN_MAX: u32 = u32::MAX / 16;

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
            id: slot_len(limits.id_len_max),
            event_type: slot_len(limits.event_type_len_max),
            comment: slot_len(limits.comment_len_max),
        }
    }

    /// This layout with one slot wide enough for `len` bytes.
    pub(crate) fn widened(self, limits: &Limits, slot: Slot, len: usize) -> Layout {
        let full = Layout::full(limits);
        let wide = len.checked_next_power_of_two().unwrap_or(len);
        let wide = slot_len(wide.max(SLOT_LEN_FIRST));
        let mut wider = self;
        match slot {
            Slot(..3) => wider.id = wide.min(full.id),
            Slot(3..5) => wider.event_type = wide.min(full.event_type),
            Slot::COMMENT => wider.comment = wide.min(full.comment),
            _ => {}
        }
        wider
    }

    /// Length of a slot; that of the data is bounded by the memory alone.
    #[inline]
    pub(crate) const fn len(self, slot: Slot) -> usize {
        match slot.0 {
            ..3 => self.id as usize,
            3..5 => self.event_type as usize,
            5 => self.comment as usize,
            _ => usize::MAX,
        }
    }

    /// Offset of a slot, which is where the slot before it ends.
    #[inline]
    pub(crate) fn offset(self, slot: Slot) -> usize {
        let (ids, types, comments) = match slot.0 {
            slot @ ..3 => (slot, 0, 0),
            slot @ 3..5 => (3, slot - 3, 0),
            5 => (3, 2, 0),
            _ => (3_u8, 2_u8, 1_u8),
        };
        usize::from(ids) * self.id as usize
            + usize::from(types) * self.event_type as usize
            + usize::from(comments) * self.comment as usize
    }

    /// Moves what lies where `self` says to where `wider` says, last part first,
    /// so that nothing is overwritten before it was moved.
    pub(crate) fn rearrange(self, wider: Layout, memory: &mut [u8], data_len: usize) {
        let mut end = self.offset(Slot::DATA).saturating_add(data_len);
        for slot in (0..=Slot::DATA.0).rev().map(Slot) {
            let from = self.offset(slot);
            shift(memory, from, wider.offset(slot), end.saturating_sub(from));
            end = from;
        }
    }
}

const fn slot_len(len: usize) -> u32 {
    if len < SLOT_LEN_MAX as usize {
        len as u32
    } else {
        SLOT_LEN_MAX
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

/// Copies `bytes` into `memory` at `at`, or leaves it as it was.
#[cfg(feature = "wide-scan")]
#[inline]
pub(crate) fn put(memory: &mut [u8], at: usize, bytes: &[u8]) {
    let room = memory
        .get_mut(at..)
        .and_then(|rest| rest.get_mut(..bytes.len()));
    if let Some(room) = room {
        room.copy_from_slice(bytes);
    }
}

/// Copies `bytes`, which hold no CR, into `memory` at `at`, as far as there is
/// room.
///
/// That no CR may be among them makes no difference but that the compiler does
/// not see a copy here: it would call `memcpy`, which takes 730 bytes of flash.
#[cfg(not(feature = "wide-scan"))]
pub(crate) fn put(memory: &mut [u8], at: usize, bytes: &[u8]) {
    for (place, &byte) in memory
        .get_mut(at..)
        .unwrap_or_default()
        .iter_mut()
        .zip(bytes)
    {
        if byte == b'\r' {
            break;
        }
        *place = byte;
    }
}

/// `len` bytes at `at`, or nothing where memory or chunk is not the one the
/// engine was given before.
#[cfg_attr(feature = "wide-scan", inline)]
#[cfg_attr(not(feature = "wide-scan"), inline(never))]
pub(crate) fn slice(bytes: &[u8], at: usize, len: usize) -> &[u8] {
    bytes
        .get(at..)
        .and_then(|rest| rest.get(..len))
        .unwrap_or_default()
}
