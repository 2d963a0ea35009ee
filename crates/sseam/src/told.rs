//! A source of chunks and an answer: chunks come in one by one, what was heard goes
//! out. Both readers of answers are this with a source of their own.

use sseam_core::Limits;
use sseam_llm::{Answer, Heard, Next, Turn};

use crate::memory::GrowingMemory;
use crate::stream::{Holder, Source};

/// A source, an answer, and how far the answer is in the source's chunk.
#[derive(Debug, Clone)]
pub(crate) struct Told<S> {
    pub(crate) source: S,
    pub(crate) answer: Answer<GrowingMemory>,
    /// Where the last step began in the chunk; <= `used`
    viewed: usize,
    /// Bytes of the chunk that were taken; <= its length
    used: usize,
}

impl<S> Told<S> {
    pub(crate) const fn new(source: S, limits: Limits, turn: Turn) -> Self {
        let memory = GrowingMemory::with_len_max(Answer::memory_len(&limits));
        Told {
            source,
            answer: Answer::growing(memory, limits, turn),
            viewed: 0,
            used: 0,
        }
    }

    /// Begins a new connection; the chunk is the new one's, or empty.
    #[cfg(feature = "client")]
    pub(crate) fn reopen(&mut self) {
        self.answer.reopen();
        (self.viewed, self.used) = (0, 0);
    }
}

impl<S: Holder> Told<S> {
    /// Goes on in the chunk, and after the end of the answer in what only that
    /// tells; `NeedInput` where that is used up.
    pub(crate) fn step(&mut self) -> Next {
        let chunk = self.source.chunk().get(self.used..).unwrap_or_default();
        let (used, next) = self.answer.step(chunk);
        self.viewed = self.used;
        self.used += used;
        next
    }

    /// What the last step announced.
    pub(crate) fn heard(&self) -> Heard<'_> {
        self.answer.heard(self.viewed())
    }

    /// The item of it.
    #[cfg(feature = "client")]
    pub(crate) fn item(&self) -> Option<sseam_core::Item<'_>> {
        self.answer.item(self.viewed())
    }

    /// The chunk as it was lent to the last step.
    fn viewed(&self) -> &[u8] {
        self.source.chunk().get(self.viewed..).unwrap_or_default()
    }
}

impl<S: Source> Told<S> {
    /// Has the next chunk; says `false` at the end of input.
    pub(crate) fn fill(&mut self) -> Result<bool, S::Error> {
        (self.viewed, self.used) = (0, 0);
        self.source.fill()
    }
}
