//! Stage 5, the memory of an answer: an array, lent bytes, or memory that grows,
//! and the limits that it is read with.

use sseam_core::{End, Limits, Memory, Overflow, Parser, SetupError};

use super::{Answer, Document, Last, Phase, SETTLE_DEFAULT};
use crate::ends::{Close, TransportEnd};
use crate::inspect::Inspector;
use crate::turn::Turn;

/// Bytes of a line that is no event which are kept at least, whatever the limits
/// say: servers hide failures there.
pub const LINE_LEN_MIN: usize = 256;

/// These limits, with room for a failure in a line.
const fn with_lines(limits: Limits) -> Limits {
    let len = limits.comment_len_max;
    Limits {
        comment_len_max: if len < LINE_LEN_MIN {
            LINE_LEN_MIN
        } else {
            len
        },
        ..limits
    }
}

impl Answer<()> {
    /// Bytes of memory that an answer with these limits needs: those of
    /// [`Limits::memory_len`], with at least [`LINE_LEN_MIN`] for a line.
    pub const fn memory_len(limits: &Limits) -> usize {
        with_lines(*limits).memory_len()
    }
}

impl<const N: usize> Answer<[u8; N]> {
    /// An answer with memory of its own, which does not compile where that is too
    /// short for the limits: see [`Answer::memory_len`].
    pub const fn with_array(limits: Limits, turn: Turn) -> Self {
        Answer::of(Parser::with_array(with_lines(limits)), turn)
    }
}

impl<'m> Answer<&'m mut [u8]> {
    /// An answer with the limits that its memory allows; an event that does not fit
    /// stops it, or is left out.
    pub const fn fit(memory: &'m mut [u8], overflow: Overflow, turn: Turn) -> Self {
        let parser = Parser::fit_with_lines(memory, LINE_LEN_MIN, overflow);
        Answer::of(parser, turn)
    }
}

impl<M: Memory> Answer<M> {
    /// An answer with memory of a length that is only known at run time.
    ///
    /// # Errors
    ///
    /// [`SetupError::MemoryTooShort`] where it is shorter than
    /// [`Answer::memory_len`].
    pub fn new(memory: M, limits: Limits, turn: Turn) -> Result<Self, SetupError> {
        Ok(Answer::of(Parser::new(memory, with_lines(limits))?, turn))
    }

    /// An answer with memory that begins empty and grows on demand.
    pub const fn growing(memory: M, limits: Limits, turn: Turn) -> Self {
        Answer::of(Parser::growing(memory, with_lines(limits)), turn)
    }
}

impl<M> Answer<M> {
    const fn of(parser: Parser<M>, turn: Turn) -> Self {
        Answer {
            parser,
            turn,
            inspector: Inspector::new(),
            phase: Phase::Reading,
            last: Last::Nothing,
            looked: 0,
            document: Document::Unknown,
            settle: SETTLE_DEFAULT,
            is_strict: false,
            takes_unfinished: false,
            invalid_at: None,
            foreign: None,
            end: End::at(0),
            close: Close::Transport(TransportEnd::Clean),
        }
    }

    /// Stops at an event whose data is not UTF-8, with
    /// [`Ending::InvalidText`](crate::Ending::InvalidText). Without it each
    /// maximal subpart that is none reads as U+FFFD.
    #[must_use]
    pub const fn with_strict_text(mut self) -> Self {
        self.is_strict = true;
        self
    }

    /// Takes the event that the end of the stream cut too, as lenient mode does,
    /// without any other leniency.
    #[must_use]
    pub const fn with_unfinished_event(mut self) -> Self {
        self.takes_unfinished = true;
        self
    }

    /// How long to wait for more once all choices have finished: see
    /// [`Answer::wants`].
    #[must_use]
    pub const fn with_settle(mut self, settle: core::time::Duration) -> Self {
        self.settle = settle;
        self
    }
}
