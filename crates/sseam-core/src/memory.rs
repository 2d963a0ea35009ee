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

/// Widths of the slots: with width `n`, a slot is as long as its limit, but at
/// most 2^n - 1 bytes. One byte for each, where a length takes a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    id: u8,
    event_type: u8,
    comment: u8,
}

/// Keeps every offset below `usize::MAX`: six slots of this width and data of
/// at most `isize::MAX` bytes fit. No memory is as long as one such slot.
const WIDTH_MAX: u8 = usize::BITS as u8 - 5;

/// The first widening of a slot goes to this width, so that few follow.
const WIDTH_FIRST: u8 = 5;

impl Layout {
    pub(crate) const EMPTY: Layout = Layout {
        id: 0,
        event_type: 0,
        comment: 0,
    };

    /// Every slot as long as its limit.
    pub(crate) const FULL: Layout = Layout {
        id: WIDTH_MAX,
        event_type: WIDTH_MAX,
        comment: WIDTH_MAX,
    };

    /// This layout with one slot wide enough for `len` bytes.
    pub(crate) fn widened(self, slot: Slot, len: usize) -> Layout {
        let width = (usize::BITS - len.leading_zeros()) as u8;
        let width = width.clamp(WIDTH_FIRST, WIDTH_MAX);
        let mut wider = self;
        match slot {
            Slot(..3) => wider.id = width,
            Slot(3..5) => wider.event_type = width,
            Slot::COMMENT => wider.comment = width,
            _ => {}
        }
        wider
    }

    /// Offset of a slot, which is where the slot before it ends.
    #[cfg_attr(feature = "wide-scan", inline)]
    pub(crate) fn offset(self, limits: &Limits, slot: Slot) -> usize {
        let slot = usize::from(slot.0);
        let (ids, types, comments) = (
            slot.min(3),
            slot.saturating_sub(3).min(2),
            slot.saturating_sub(5),
        );
        ids * slot_len(self.id, limits.id_len_max)
            + types * slot_len(self.event_type, limits.event_type_len_max)
            + comments * slot_len(self.comment, limits.comment_len_max)
    }

    /// Where a slot ends; that of the data is bounded by its limit alone.
    #[inline]
    pub(crate) fn end(self, limits: &Limits, slot: Slot) -> usize {
        if slot.is_data() {
            return usize::MAX;
        }
        self.offset(limits, Slot(slot.0 + 1))
    }

    /// Moves what lies where `self` says to where `wider` says, last part first,
    /// so that nothing is overwritten before it was moved.
    pub(crate) fn rearrange(
        self,
        wider: Layout,
        limits: &Limits,
        memory: &mut [u8],
        data_len: usize,
    ) {
        let mut end = self.offset(limits, Slot::DATA).saturating_add(data_len);
        for slot in (0..=Slot::DATA.0).rev().map(Slot) {
            let from = self.offset(limits, slot);
            shift(
                memory,
                from,
                wider.offset(limits, slot),
                end.saturating_sub(from),
            );
            end = from;
        }
    }
}

#[inline]
fn slot_len(width: u8, max: usize) -> usize {
    max.min((1 << width) - 1)
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
