//! Stage 3, text that an API tells twice: how much of a part came in deltas in,
//! whether what repeats it is new, the same or more out.
//!
//! Responses repeats each text up to four times: in deltas, at the part's end, at
//! the item's end and in the response's. Gateways leave some of them out. Nothing
//! is stored but lengths: text is given out where nothing of its part was given
//! before, and passed over where just as much was. Anything else was lost.

use crate::calls::digest;
use crate::piece::Piece;
use crate::short::Short;
use crate::state::Kind;

/// Parts that are known at once; of older ones only the sum is known.
const PARTS_MAX: usize = if cfg!(target_os = "none") { 4 } else { 16 };

/// Which part of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartName {
    /// Of the item's id; 0 where the event has none.
    pub(crate) item: u32,
    /// The item's place in the output.
    pub(crate) index: u16,
    /// The part's place in the item, with [`SUMMARY`] for one of a summary.
    pub(crate) part: u16,
}

/// Marks the parts of an item's summary.
pub(crate) const SUMMARY: u16 = 1 << 15;

/// Mark reasoning and refusals beside a text of the same name.
const REASONING: u16 = 1 << 14;
const REFUSAL: u16 = 1 << 13;

impl PartName {
    pub(crate) const NONE: PartName = PartName {
        item: 0,
        index: 0,
        part: 0,
    };

    /// The name of a text of this kind.
    pub(crate) const fn of(self, kind: Kind) -> PartName {
        let mark = match kind {
            Kind::Reasoning => REASONING,
            Kind::Text => 0,
            Kind::Refusal => REFUSAL,
        };
        PartName {
            part: self.part | mark,
            ..self
        }
    }

    /// Whether both name the part of one item for certain.
    const fn is(self, other: PartName) -> bool {
        let is_index = self.item != 0 || self.index == other.index;
        self.item == other.item && is_index && self.part == other.part
    }

    /// Whether both stand in one place, whatever their items' ids: there are
    /// servers that give each event another.
    const fn is_beside(self, other: PartName) -> bool {
        self.index == other.index && self.part == other.part
    }
}

/// What a repetition comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Nothing of it was given before.
    New,
    /// All of it was given before.
    Same,
    /// More or less of it was.
    Differs,
}

/// The item that was at hand last: most events are of the same one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LastItem {
    id: Short<ITEM_ID_LEN_MAX>,
    number: u32,
}

/// Longer ids are looked at byte by byte each time.
const ITEM_ID_LEN_MAX: usize = 64;

impl LastItem {
    pub(crate) const NONE: LastItem = LastItem {
        id: Short::EMPTY,
        number: 0,
    };

    /// Its id, where that is short.
    #[inline]
    pub(crate) fn id(&self) -> &[u8] {
        self.id.as_bytes()
    }

    /// Its number.
    #[inline]
    pub(crate) const fn last_number(&self) -> u32 {
        self.number
    }

    /// A number for an id; never 0.
    #[inline]
    pub(crate) fn number(&mut self, id: Piece<'_>) -> u32 {
        if id.as_plain() == Some(self.id.as_bytes()) {
            return self.number;
        }
        let digest = digest(id);
        self.number = (digest ^ digest >> 32) as u32 | 1;
        self.id = Short::whole(id).unwrap_or(Short::EMPTY);
        self.number
    }
}

/// How much of each part was given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Repeats {
    parts: [(PartName, u32); PARTS_MAX],
    /// At most [`PARTS_MAX`].
    len: u8,
    /// Where the next part goes that finds no room.
    oldest: u8,
    has_forgotten: bool,
}

impl Repeats {
    pub(crate) const NOTHING: Repeats = Repeats {
        parts: [(PartName::NONE, 0); PARTS_MAX],
        len: 0,
        oldest: 0,
        has_forgotten: false,
    };

    /// Notes that so many bytes of a part were given.
    #[inline]
    pub(crate) fn note(&mut self, name: PartName, len: u32) {
        let known = self.known();
        let last = known.iter().rposition(|(part, _)| part.is(name));
        let at = last.unwrap_or_else(|| self.add(name));
        if let Some((_, given)) = self.parts.get_mut(at) {
            *given = given.saturating_add(len);
        }
    }

    /// What the whole of a part comes to.
    pub(crate) fn repeat(&mut self, name: PartName, len: u32) -> Repeat {
        let known = self.known().iter();
        let exact = known.clone().find(|(part, _)| part.is(name));
        let given = match exact {
            Some((_, given)) => *given,
            None => {
                let beside = known.filter(|(part, _)| part.is_beside(name));
                beside.fold(0, |sum: u32, (_, given)| sum.saturating_add(*given))
            }
        };
        match given {
            // It may be one of those that were forgotten.
            0 if self.has_forgotten => Repeat::Same,
            0 => {
                self.note(name, len);
                Repeat::New
            }
            given if given == len => Repeat::Same,
            _ => Repeat::Differs,
        }
    }

    fn known(&self) -> &[(PartName, u32)] {
        self.parts.get(..usize::from(self.len)).unwrap_or_default()
    }

    #[cold]
    fn add(&mut self, name: PartName) -> usize {
        let mut at = usize::from(self.len);
        if at < PARTS_MAX {
            self.len += 1;
        } else {
            self.has_forgotten = true;
            at = usize::from(self.oldest);
            self.oldest = (self.oldest + 1) % PARTS_MAX as u8;
        }
        if let Some(place) = self.parts.get_mut(at) {
            *place = (name, 0);
        }
        at
    }
}
