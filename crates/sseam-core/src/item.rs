//! What the engine announces, as the caller sees it: views of chunk and memory.

use core::fmt;

use crate::counters::Span;
use crate::engine::Step;
use crate::limits::Limit;
use crate::text::Text;

/// An event of the stream.
///
/// It borrows the parser and the chunk: where its one `data` line lay whole in
/// the chunk, its bytes are the chunk's own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Event<'a> {
    pub(crate) event_type: &'a [u8],
    pub(crate) data: &'a [u8],
    pub(crate) id: &'a [u8],
    pub(crate) span: Span,
    pub(crate) is_complete: bool,
}

impl<'a> Event<'a> {
    /// An event that no parser lends: one that was kept, or that came another way.
    ///
    /// It is complete and stood nowhere: its span is 0 to 0.
    #[inline]
    pub const fn new(event_type: &'a [u8], data: &'a [u8], last_event_id: &'a [u8]) -> Self {
        Event {
            event_type,
            data,
            id: last_event_id,
            span: Span { start: 0, end: 0 },
            is_complete: true,
        }
    }

    /// The event's type: `message` where the stream names none or an empty one.
    #[inline]
    pub const fn event_type(&self) -> Text<'a> {
        if self.event_type.is_empty() {
            Text::new(b"message")
        } else {
            Text::new(self.event_type)
        }
    }

    /// The values of its `data` lines, joined by LF.
    #[inline]
    pub const fn data(&self) -> Text<'a> {
        Text::new(self.data)
    }

    /// The last event id at its dispatch, be it set by an earlier event; empty
    /// where no id was ever set or the last one was reset.
    #[inline]
    pub const fn last_event_id(&self) -> Text<'a> {
        Text::new(self.id)
    }

    /// Where its block stood in the stream.
    #[inline]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Whether its blank line arrived. False only from `take_unfinished`.
    #[inline]
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }
}

/// Shows lengths, not content: logs must not leak what a stream says.
impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("event_type", &self.event_type())
            .field("data", &self.data())
            .field("last_event_id", &self.last_event_id())
            .field("span", &self.span)
            .field("is_complete", &self.is_complete)
            .finish()
    }
}

/// A comment or an ignored line: its length and its first bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LineView<'a> {
    pub(crate) prefix: &'a [u8],
    pub(crate) len: u64,
}

impl<'a> LineView<'a> {
    /// A line that no parser lends: its first bytes, and its whole length, which
    /// is never less than they are.
    #[inline]
    pub const fn new(prefix: &'a [u8], full_len: u64) -> Self {
        let kept = prefix.len() as u64;
        let len = if full_len < kept { kept } else { full_len };
        LineView { prefix, len }
    }

    /// Its first `comment_len_max` bytes, the same for every cut. Of a comment,
    /// the text after the colon as it came; of an ignored line, the whole line.
    #[inline]
    pub const fn prefix(&self) -> Text<'a> {
        Text::new(self.prefix)
    }

    /// Its whole length in bytes, which may be more than was kept.
    #[inline]
    pub const fn full_len(&self) -> u64 {
        self.len
    }

    /// Whether all of it was kept.
    #[inline]
    pub const fn is_whole(&self) -> bool {
        self.prefix.len() as u64 == self.len
    }
}

/// Shows lengths, not content.
impl fmt::Debug for LineView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LineView({} of {} bytes)", self.prefix.len(), self.len)
    }
}

/// A block that passed a limit and was left out, up to its blank line.
///
/// Its id is committed, so that a resume goes past it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Skipped<'a> {
    pub(crate) limit: Limit,
    pub(crate) max: u64,
    pub(crate) bytes: u64,
    pub(crate) span: Span,
    pub(crate) event_type: Option<&'a [u8]>,
    pub(crate) head: &'a [u8],
}

impl<'a> Skipped<'a> {
    /// A block that no parser lends: the limit that it passed, with its value and
    /// what it counted; its type, if that is known; and the beginning of its data.
    ///
    /// It stood nowhere: its span is 0 to 0.
    pub const fn new(
        limit: Limit,
        max: u64,
        bytes: u64,
        event_type: Option<&'a [u8]>,
        head: &'a [u8],
    ) -> Self {
        Skipped {
            limit,
            max,
            bytes,
            span: Span { start: 0, end: 0 },
            event_type,
            head,
        }
    }

    /// The first limit that the block passed.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// The value of that limit.
    pub const fn max(&self) -> u64 {
        self.max
    }

    /// What the bytes counted by that limit came to in the end: all data of the
    /// block, or the value or the line that was too long.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Where the block stood in the stream.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The type that the event would have had; `None` if that was too long.
    pub fn event_type(&self) -> Option<Text<'a>> {
        self.event_type
            .map(|name| Text::new(if name.is_empty() { b"message" } else { name }))
    }

    /// The data gathered before the limit was passed. Never an event's data.
    pub const fn head(&self) -> Text<'a> {
        Text::new(self.head)
    }
}

/// Shows lengths, not content.
impl fmt::Debug for Skipped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Skipped")
            .field("limit", &self.limit)
            .field("max", &self.max)
            .field("bytes", &self.bytes)
            .field("span", &self.span)
            .field("event_type", &self.event_type())
            .field("head", &self.head())
            .finish()
    }
}

/// Everything a stream can say, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item<'a> {
    /// An event was dispatched.
    Event(Event<'a>),
    /// A comment line ended.
    Comment(LineView<'a>),
    /// A line without effect ended: an unknown field, a refused `retry` value,
    /// an id with a NUL.
    Ignored(LineView<'a>),
    /// A `retry` line set the reconnection time, in milliseconds.
    Retry(u64),
    /// A block was left out because it passed a limit.
    Skipped(Skipped<'a>),
}

/// Which items besides events the engine stops for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Items(u8);

impl Items {
    /// Events alone.
    pub const EVENTS: Items = Items(0);
    /// Comments.
    pub const COMMENTS: Items = Items(1);
    /// Ignored lines.
    pub const IGNORED: Items = Items(2);
    /// Reconnection times.
    pub const RETRY: Items = Items(4);
    /// Skipped blocks.
    pub const SKIPPED: Items = Items(8);
    /// Everything.
    pub const ALL: Items = Items(15);
    /// Those that show a line.
    pub(crate) const LINES: Items = Items::COMMENTS.with(Items::IGNORED);

    /// These and those.
    pub const fn with(self, other: Items) -> Items {
        Items(self.0 | other.0)
    }

    /// Whether all of `other` are among these.
    pub const fn contains(self, other: Items) -> bool {
        self.0 & other.0 == other.0
    }

    /// What the end of a line has told.
    pub(crate) const fn told_by(step: Step) -> Items {
        match step {
            Step::Comment => Items::COMMENTS,
            Step::Ignored => Items::IGNORED,
            Step::Retry => Items::RETRY,
            _ => Items::EVENTS,
        }
    }

    /// Whether any of `other` is among these.
    pub(crate) const fn intersects(self, other: Items) -> bool {
        self.0 & other.0 != 0
    }
}

/// What the end of input threw away.
///
/// The standard: "Once the end of the file is reached, any pending data must be
/// discarded. (If the file ends in the middle of an event, before the final
/// empty line, the incomplete event is not dispatched.)"
///
/// It also says how much a stream told that is no event, so that whoever judges
/// an answer can tell that a caller did not show it every item.
///
/// ```
/// use sseam_core::{Limits, Parser};
///
/// let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
/// let mut input = &b"{\n\"error\": \"overloaded\"\n}"[..];
/// assert!(parser.next_event(&mut input)?.is_none());
/// let end = parser.finish();
/// assert!(end.is_truncated());
/// assert_eq!((end.ignored, end.skipped), (3, 0));
/// # Ok::<(), sseam_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct End {
    /// A line had begun and not ended, be it a comment, a part of a byte-order
    /// mark or the first byte of a character.
    pub line: bool,
    /// At least one `data` line had ended.
    pub data: bool,
    /// An event type had been set.
    pub event: bool,
    /// An id had been set that differs from the last event id.
    pub id: bool,
    /// Bytes of the stream.
    pub offset: u64,
    /// Lines without effect since the stream began, the one included that the
    /// end of input left unterminated: see
    /// [`unfinished_line`](crate::Engine::unfinished_line).
    pub ignored: u64,
    /// Blocks left out since the stream began, because they passed a limit or
    /// lost bytes; of the latter no item tells.
    pub skipped: u64,
}

impl End {
    /// The end of a stream of so many bytes that no parser saw: nothing was
    /// pending, ignored or skipped, until the fields say otherwise.
    ///
    /// ```
    /// use sseam_core::End;
    ///
    /// let mut end = End::at(42);
    /// assert!(end.is_clean());
    /// end.data = true;
    /// assert!(end.is_truncated());
    /// ```
    #[inline]
    pub const fn at(offset: u64) -> End {
        End {
            line: false,
            data: false,
            event: false,
            id: false,
            offset,
            ignored: 0,
            skipped: 0,
        }
    }

    /// Whether nothing was pending. What was ignored or skipped before does not
    /// matter here.
    pub const fn is_clean(&self) -> bool {
        !self.is_truncated()
    }

    /// Whether something was pending: the stream broke off inside a block.
    pub const fn is_truncated(&self) -> bool {
        self.line || self.data || self.event || self.id
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_clean() {
            return write!(
                f,
                "stream of {} bytes ended after a whole block",
                self.offset
            );
        }
        write!(
            f,
            "stream broke off at byte {} inside a block, pending:",
            self.offset
        )?;
        let pending = [
            (self.line, " line"),
            (self.data, " data"),
            (self.event, " event"),
            (self.id, " id"),
        ];
        for (_, name) in pending.iter().filter(|(is_pending, _)| *is_pending) {
            f.write_str(name)?;
        }
        Ok(())
    }
}

impl core::error::Error for End {}
