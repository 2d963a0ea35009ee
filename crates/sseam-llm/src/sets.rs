//! Stage 2, what is open: keys in, membership out, in memory of fixed size.
//!
//! What does not fit is told to the caller: a turn that lost track of a call or
//! of a choice is never taken for complete.

/// Tool calls that may be open at once.
pub const OPEN_CALLS_MAX: usize = 32;

/// Choices that one answer may have; also candidates.
pub const CHOICES_MAX: usize = 128;

/// The tool calls that were opened and not closed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calls {
    keys: [u32; OPEN_CALLS_MAX],
    /// At most [`OPEN_CALLS_MAX`]; keys behind it are nobody's.
    len: u8,
    /// Bit `i`: arguments of the call at index `i` were seen.
    with_arguments: u32,
}

const _: () = assert!(OPEN_CALLS_MAX <= u32::BITS as usize);

impl Calls {
    pub(crate) const NONE: Calls = Calls {
        keys: [0; OPEN_CALLS_MAX],
        len: 0,
        with_arguments: 0,
    };

    pub(crate) const fn len(&self) -> u8 {
        self.len
    }

    pub(crate) fn contains(&self, key: u32) -> bool {
        self.index(key).is_some()
    }

    /// Whether there was room.
    pub(crate) fn open(&mut self, key: u32) -> bool {
        match self.keys.get_mut(usize::from(self.len)) {
            Some(place) => *place = key,
            None => return false,
        }
        self.with_arguments &= !(1 << (self.len & 31));
        self.len += 1;
        true
    }

    /// Whether it was open.
    pub(crate) fn close(&mut self, key: u32) -> bool {
        let Some(index) = self.index(key) else {
            return false;
        };
        self.len = self.len.saturating_sub(1);
        let last = usize::from(self.len);
        // The last one takes the place, in order of no importance.
        let (last_key, has) = (self.keys.get(last).copied(), self.has(last));
        if let (Some(last_key), Some(place)) = (last_key, self.keys.get_mut(index)) {
            *place = last_key;
            self.mark(index, has);
        }
        true
    }

    /// The one that was opened first among those at the front, if any is open.
    pub(crate) fn first(&self) -> Option<u32> {
        self.open_keys().iter().min().copied()
    }

    pub(crate) fn has_arguments(&self, key: u32) -> bool {
        self.index(key).is_some_and(|index| self.has(index))
    }

    pub(crate) fn note_arguments(&mut self, key: u32) {
        if let Some(index) = self.index(key) {
            self.mark(index, true);
        }
    }

    fn open_keys(&self) -> &[u32] {
        self.keys.get(..usize::from(self.len)).unwrap_or_default()
    }

    fn index(&self, key: u32) -> Option<usize> {
        self.open_keys().iter().position(|open| *open == key)
    }

    fn has(&self, index: usize) -> bool {
        self.with_arguments & (1 << (index & 31)) != 0
    }

    fn mark(&mut self, index: usize, has: bool) {
        let bit = 1 << (index & 31);
        self.with_arguments = self.with_arguments & !bit | if has { bit } else { 0 };
    }
}

/// The choices of an answer: which were seen, and which of those finished.
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
