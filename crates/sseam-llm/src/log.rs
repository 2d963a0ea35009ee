//! Stage 3, what was decided while an event was folded: what the state said in;
//! the same again, for the signals that a caller reads later, out.
//!
//! An event is folded at once, and its signals are read from the event once more.
//! What then cannot be read from it, since the state has gone on, stands here in
//! the order in which it was decided: which call a piece belongs to, whether that
//! was opened, what was closed, what repeats what was said before.

/// Decisions about one event that are kept. An event of more is one of more calls
/// than can be kept track of: its answer is never complete.
const LOG_LEN_MAX: usize = if cfg!(target_os = "none") { 24 } else { 96 };

/// The decisions about the last event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Log {
    entries: [u32; LOG_LEN_MAX],
    /// At most [`LOG_LEN_MAX`].
    len: u8,
}

/// One decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// No, or no more.
    No,
    /// Yes.
    Yes,
    /// It is about the call with this key, which was known.
    Known(u32),
    /// The call with this key was opened, or closed.
    Now(u32),
}

/// A key takes the other bits.
const TAG_BITS: u32 = 2;

impl Log {
    pub(crate) const EMPTY: Log = Log {
        entries: [0; LOG_LEN_MAX],
        len: 0,
    };

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether it is first of all about a call that was known.
    pub(crate) fn begins_with_known(&self) -> bool {
        matches!(self.at(&mut 0), Entry::Known(_))
    }

    /// Whether there was room.
    pub(crate) fn push(&mut self, entry: Entry) -> bool {
        let Some(place) = self.entries.get_mut(usize::from(self.len)) else {
            return false;
        };
        *place = match entry {
            Entry::No => 0,
            Entry::Yes => 1,
            Entry::Known(key) => key << TAG_BITS | 2,
            Entry::Now(key) => key << TAG_BITS | 3,
        };
        self.len += 1;
        true
    }

    /// What was decided at a place; no more where nothing was.
    pub(crate) fn at(&self, at: &mut u8) -> Entry {
        let is_there = *at < self.len;
        let entry = self.entries.get(usize::from(*at)).filter(|_| is_there);
        *at = at.saturating_add(1);
        match entry.copied().unwrap_or(0) {
            0 => Entry::No,
            1 => Entry::Yes,
            entry if entry & 1 == 0 => Entry::Known(entry >> TAG_BITS),
            entry => Entry::Now(entry >> TAG_BITS),
        }
    }
}
