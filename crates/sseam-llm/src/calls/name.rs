//! Stage 2, how an event names a call: an id, an index, or neither, in; numbers that
//! take no more room than they must out.

use crate::piece::Piece;

/// A number for an id, 64 bits of FNV-1a; never 0.
pub(crate) fn digest(id: Piece<'_>) -> u64 {
    let mut digest = 0xCBF2_9CE4_8422_2325_u64;
    for part in id.parts() {
        for byte in part.bytes() {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
    digest | 1
}

/// The same; 0 for no id.
pub(super) fn digest_of(id: Piece<'_>) -> u64 {
    match id.is_empty() {
        true => 0,
        false => digest(id),
    }
}

/// How an event names a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name<'e> {
    pub(crate) id: Piece<'e>,
    pub(crate) index: Option<u32>,
    /// An id that is not known is that of another call, whatever its index.
    pub(crate) id_opens: bool,
    /// The event begins a call, whatever else has its index.
    pub(crate) is_start: bool,
    /// The event repeats calls that were closed.
    pub(crate) is_repeat: bool,
    /// The id is that of an item, which is the same one whenever it comes; other
    /// servers give one id to several calls.
    pub(crate) is_item: bool,
}

impl Name<'_> {
    pub(crate) const NONE: Name<'static> = Name {
        id: Piece::EMPTY,
        index: None,
        id_opens: false,
        is_start: false,
        is_repeat: false,
        is_item: false,
    };

    /// The number of an item's other id; 0 where it has none.
    pub(super) fn other_digest(&self, call_id: Piece<'_>) -> u64 {
        match self.is_item {
            true => digest_of(call_id),
            false => 0,
        }
    }
}
