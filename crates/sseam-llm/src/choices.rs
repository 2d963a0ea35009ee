//! Stage 3, the choices of an answer: numbers in, which were seen and which of
//! them finished out, in memory of fixed size.

/// Choices that one answer may have; also candidates. An answer with more is
/// never complete.
pub const CHOICES_MAX: usize = 128;

/// Which choices were seen, and which of those finished.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choices {
    seen: [u32; CHOICES_MAX / 32],
    /// A subset of `seen`.
    finished: [u32; CHOICES_MAX / 32],
}

impl Choices {
    pub(crate) const NONE: Choices = Choices {
        seen: [0; CHOICES_MAX / 32],
        finished: [0; CHOICES_MAX / 32],
    };

    /// Whether there was room.
    pub(crate) fn see(&mut self, choice: u32) -> bool {
        set(&mut self.seen, choice)
    }

    /// Whether there was room.
    pub(crate) fn finish(&mut self, choice: u32) -> bool {
        set(&mut self.seen, choice) && set(&mut self.finished, choice)
    }

    #[inline]
    pub(crate) fn is_finished(&self, choice: u32) -> bool {
        let word = self.finished.get(choice as usize / 32);
        word.is_some_and(|word| word & 1 << (choice % 32) != 0)
    }

    pub(crate) fn has_finished(&self) -> bool {
        self.finished.iter().any(|word| *word != 0)
    }

    /// Whether every choice that was seen has finished, and at least `expected`.
    pub(crate) fn all_finished(&self, expected: u32) -> bool {
        let finished: u32 = self.finished.iter().map(|word| word.count_ones()).sum();
        self.seen == self.finished && finished >= expected.max(1)
    }
}

fn set(words: &mut [u32; CHOICES_MAX / 32], choice: u32) -> bool {
    match words.get_mut(choice as usize / 32) {
        Some(word) => *word |= 1 << (choice % 32),
        None => return false,
    }
    true
}
