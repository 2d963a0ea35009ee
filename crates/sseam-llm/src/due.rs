//! Stage 2, what of an event is still to be said, in the order in which it is said.

/// What is still to be said, the lowest bit first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Due(u32);

impl Due {
    pub(crate) const NOTHING: Due = Due(0);
    /// Whose answer it is: id and model, and whether a second one begins.
    pub(crate) const SENDER: Due = Due(1);
    /// A second answer begins.
    pub(crate) const SPLICE: Due = Due(1 << 1);
    /// A whole message in the place of a delta: a piece, or a repetition.
    pub(crate) const MESSAGE: Due = Due(1 << 2);
    pub(crate) const REASONING: Due = Due(1 << 3);
    pub(crate) const TEXT: Due = Due(1 << 4);
    pub(crate) const REFUSAL: Due = Due(1 << 5);
    /// Output that has no signal of its own.
    pub(crate) const MEDIA: Due = Due(1 << 6);
    /// A call, which is opened unless it is open.
    pub(crate) const CALL: Due = Due(1 << 7);
    pub(crate) const ARGUMENTS: Due = Due(1 << 8);
    /// Arguments as paths and values.
    pub(crate) const PARTIAL: Due = Due(1 << 9);
    pub(crate) const CLOSE: Due = Due(1 << 10);
    /// Further parts or calls of this choice.
    pub(crate) const INNER: Due = Due(1 << 11);
    pub(crate) const OTHER_CHOICE: Due = Due(1 << 12);
    pub(crate) const FINISH: Due = Due(1 << 13);
    /// Further choices, candidates or items.
    pub(crate) const OUTER: Due = Due(1 << 14);
    /// A finish of all that stands in the event.
    pub(crate) const LAST_FINISH: Due = Due(1 << 15);
    pub(crate) const USAGE: Due = Due(1 << 16);
    pub(crate) const ERROR: Due = Due(1 << 17);
    /// `[DONE]`: the answer is over if its choices are.
    pub(crate) const DONE: Due = Due(1 << 18);
    pub(crate) const TERMINAL: Due = Due(1 << 19);
    pub(crate) const KEEP_ALIVE: Due = Due(1 << 20);
    pub(crate) const UNREADABLE: Due = Due(1 << 21);

    /// The first thing that is due, alone.
    #[inline]
    pub(crate) const fn first(self) -> Due {
        Due(self.0 & self.0.wrapping_neg())
    }

    #[inline]
    pub(crate) const fn is_nothing(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) const fn has(self, other: Due) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn and(self, other: Due) -> Due {
        Due(self.0 | other.0)
    }

    #[inline]
    pub(crate) fn add(&mut self, other: Due) {
        self.0 |= other.0;
    }

    #[inline]
    pub(crate) fn add_if(&mut self, condition: bool, other: Due) {
        if condition {
            self.add(other);
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, other: Due) {
        self.0 &= !other.0;
    }
}
