//! Stage 5, text for a display: pieces as they come in, fewer and larger ones
//! out. The caller has the clock; nothing is ever lost, the tail included.

use core::time::Duration;

use crate::piece::put;

/// Gathers text until there is enough of it, or it has waited long enough.
///
/// `N` is the memory in bytes; what does not fit is given out earlier.
///
/// ```
/// use core::time::Duration;
/// use sseam_llm::TextBatch;
///
/// let mut batch = TextBatch::<64>::new(Duration::from_millis(50), 5);
/// let mut shown = Vec::new();
/// for (at, piece) in [(0, "Hel"), (10, "lo, "), (20, "世"), (100, "界!")] {
///     let now = Duration::from_millis(at);
///     let mut rest = piece;
///     while let Some(text) = batch.push(&mut rest, now) {
///         shown.push(text.to_owned());
///     }
/// }
/// shown.extend(batch.finish().map(str::to_owned));
/// assert_eq!(shown, ["Hello", ", 世", "界!"]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct TextBatch<const N: usize> {
    bytes: [u8; N],
    /// At most `N`; the bytes before it are UTF-8.
    len: usize,
    /// Characters in those bytes; at most `characters_max`.
    characters: usize,
    characters_max: usize,
    wait_max: Duration,
    /// When the first of the bytes came; nothing where there are none.
    since: Option<Duration>,
    /// The bytes were given out with the last call, and are free.
    is_given: bool,
}

impl<const N: usize> TextBatch<N> {
    /// Text is given out once it has waited for `wait_max`, or has
    /// `characters_max` characters (at least one).
    ///
    /// # Panics
    ///
    /// Does not compile for an `N` that holds no character: less than 4.
    pub const fn new(wait_max: Duration, characters_max: usize) -> Self {
        const { assert!(N >= 4, "a batch must hold the longest character") };
        TextBatch {
            bytes: [0; N],
            len: 0,
            characters: 0,
            characters_max: if characters_max == 0 {
                1
            } else {
                characters_max
            },
            wait_max,
            since: None,
            is_given: false,
        }
    }

    /// Takes text off the front of `text` until a batch is due, and gives that.
    ///
    /// Call it until it gives nothing: then all of the text was taken. `now` is
    /// the time since any fixed moment and never goes back.
    pub fn push(&mut self, text: &mut &str, now: Duration) -> Option<&str> {
        self.settle();
        if self.is_late(now) && !text.is_empty() {
            return self.give();
        }
        let room = N - self.len.min(N);
        let characters = self.characters_max.saturating_sub(self.characters);
        let (count, len) = fitting(text, characters, room);
        let (head, rest) = text.split_at_checked(len).unwrap_or((text, ""));
        *text = rest;
        self.len += put(&mut self.bytes, self.len, head.as_bytes());
        self.characters += count;
        if len > 0 && self.since.is_none() {
            self.since = Some(now);
        }
        let is_full = self.characters >= self.characters_max || !text.is_empty();
        if is_full { self.give() } else { None }
    }

    /// Gives what has waited long enough.
    pub fn poll(&mut self, now: Duration) -> Option<&str> {
        self.settle();
        if self.is_late(now) { self.give() } else { None }
    }

    /// Gives the rest, at the end or before something that must not overtake it.
    pub fn finish(&mut self) -> Option<&str> {
        self.settle();
        self.give()
    }

    /// When to call [`poll`](TextBatch::poll) at the latest; nothing while there
    /// is no text.
    pub fn deadline(&self) -> Option<Duration> {
        let since = self.since.filter(|_| !self.is_given)?;
        Some(since.saturating_add(self.wait_max))
    }

    fn is_late(&self, now: Duration) -> bool {
        self.deadline().is_some_and(|deadline| now >= deadline)
    }

    fn give(&mut self) -> Option<&str> {
        if self.len == 0 {
            return None;
        }
        self.is_given = true;
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        Some(core::str::from_utf8(bytes).unwrap_or_default())
    }

    /// Frees what the last call gave out.
    fn settle(&mut self) {
        if self.is_given {
            self.is_given = false;
            (self.len, self.characters) = (0, 0);
            self.since = None;
        }
    }
}

/// How many characters and bytes at the front of `text` fit.
fn fitting(text: &str, characters: usize, bytes: usize) -> (usize, usize) {
    let (mut count, mut len) = (0, 0);
    for character in text.chars().take(characters) {
        if len + character.len_utf8() > bytes {
            break;
        }
        count += 1;
        len += character.len_utf8();
    }
    (count, len)
}
