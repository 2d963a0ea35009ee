//! The common currency: what a run is asked ([`Setup`]), what it gave
//! ([`Report`]).
//!
//! Everything is owned and compared by value, so that a report from Rust, from
//! C, or from a command's output can stand beside the oracle's. The text form
//! is in `render`.

/// The bounds of a run; the largest value of a type means "no limit".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of any line, without its line end and the byte-order mark.
    pub line: usize,
    /// Bytes of an event's data: values and the LFs that join them.
    pub data: usize,
    /// Bytes of the value of an `event` line.
    pub event_type: usize,
    /// Bytes of the value of an `id` line, up to its first NUL.
    pub id: usize,
    /// Bytes kept of a comment or an ignored line. It refuses nothing.
    pub comment: usize,
    /// Bytes of the whole stream.
    pub bytes: u64,
    /// Events of the whole stream.
    pub events: u64,
}

impl Limits {
    /// Everything passes, and everything is kept.
    pub const NONE: Self = Self {
        line: usize::MAX,
        data: usize::MAX,
        event_type: usize::MAX,
        id: usize::MAX,
        comment: usize::MAX,
        bytes: u64::MAX,
        events: u64::MAX,
    };

    /// The design's preset for microcontrollers.
    pub const SMALL: Self = Self {
        data: 512,
        event_type: 64,
        id: 64,
        comment: 0,
        ..Self::NONE
    };

    /// The design's preset for the core.
    pub const DEFAULT: Self = Self {
        data: 1 << 20,
        event_type: 256,
        id: 1024,
        comment: 512,
        ..Self::NONE
    };

    /// The design's preset for readers on a host.
    pub const LARGE: Self = Self {
        data: 16 << 20,
        ..Self::DEFAULT
    };

    /// The same bounds with none that needs more memory than `stream_len`
    /// bytes, for an engine that must lend its memory before it starts.
    ///
    /// Nothing in a stream is longer than the stream, so the outcome is equal.
    /// An initial last event ID may be longer: add its length.
    pub fn clamped(self, stream_len: usize) -> Self {
        Self {
            data: self.data.min(stream_len),
            event_type: self.event_type.min(stream_len),
            id: self.id.min(stream_len),
            comment: self.comment.min(stream_len),
            ..self
        }
    }

    /// The number behind `limit`.
    pub fn max_of(&self, limit: Limit) -> u64 {
        match limit {
            Limit::Bytes => self.bytes,
            Limit::Line => self.line as u64,
            Limit::Data => self.data as u64,
            Limit::EventType => self.event_type as u64,
            Limit::Id => self.id as u64,
            Limit::Events => self.events,
        }
    }
}

/// Which bound was passed. In the order in which one byte is held against them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// [`Limits::bytes`].
    Bytes,
    /// [`Limits::line`].
    Line,
    /// [`Limits::data`].
    Data,
    /// [`Limits::event_type`].
    EventType,
    /// [`Limits::id`].
    Id,
    /// [`Limits::events`].
    Events,
}

/// What happens to a block that passes a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// The run ends with a [`Failure`].
    Stop,
    /// The block becomes an [`Item::Skipped`]; the totals still stop.
    Skip,
}

/// What a run is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The bounds.
    pub limits: Limits,
    /// What passing one of them means.
    pub overflow: Overflow,
    /// The last event ID that an earlier connection left; at most
    /// `limits.id` bytes, without CR, LF and NUL.
    pub last_event_id: Vec<u8>,
    /// Whether [`Report::items`] holds more than the events.
    pub want_items: bool,
}

impl Setup {
    /// No limits, all items, no earlier connection.
    pub fn unlimited() -> Self {
        Self::stop(Limits::NONE)
    }

    /// All items under `limits`; an overflow ends the run.
    pub fn stop(limits: Limits) -> Self {
        Self {
            limits,
            overflow: Overflow::Stop,
            last_event_id: Vec::new(),
            want_items: true,
        }
    }

    /// All items under `limits`; an overflow costs its block only.
    pub fn skip(limits: Limits) -> Self {
        Self {
            overflow: Overflow::Skip,
            ..Self::stop(limits)
        }
    }

    /// The same, but only events are reported as items.
    pub fn events_only(self) -> Self {
        Self {
            want_items: false,
            ..self
        }
    }
}

/// From the first byte of a block's first line to one past the first byte of
/// its blank line's end, as stream offsets.
pub type Span = (u64, u64);

/// One thing that a run gave, in stream order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A dispatched event.
    Event {
        /// `message` when the stream named none.
        event_type: Vec<u8>,
        /// The data lines' values, joined with LF.
        data: Vec<u8>,
        /// The last event ID at dispatch.
        id: Vec<u8>,
        /// Where the block lay.
        span: Span,
    },
    /// A comment line, at its end.
    Comment {
        /// The first [`Limits::comment`] bytes after the colon, verbatim.
        prefix: Vec<u8>,
        /// How many bytes came after the colon.
        len: u64,
    },
    /// A line with an unknown name, a refused `retry`, or an `id` with a NUL,
    /// at its end.
    Ignored {
        /// The first [`Limits::comment`] bytes of the line.
        prefix: Vec<u8>,
        /// How many bytes the line had without its line end.
        len: u64,
    },
    /// An accepted `retry` line, at its end, in milliseconds.
    Retry(u64),
    /// A block that passed a limit, at its blank line.
    Skipped {
        /// The first limit that it passed.
        limit: Limit,
        /// That limit's value.
        max: u64,
        /// What the counted thing came to in the end: the whole block's data,
        /// the line, the type, or the id (up to a NUL).
        bytes: u64,
        /// Where the block lay.
        span: Span,
        /// `None` when the type itself was too long.
        event_type: Option<Vec<u8>>,
        /// The data gathered before the limit was passed.
        head: Vec<u8>,
    },
}

/// What was seen, whether or not it was reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// All bytes, the byte-order mark included.
    pub bytes: u64,
    /// Terminated lines, blank ones too.
    pub lines: u64,
    /// Dispatched events.
    pub events: u64,
    /// Comment lines.
    pub comments: u64,
    /// Unknown names, refused `retry` lines, `id` lines with a NUL.
    pub ignored_lines: u64,
    /// Skipped blocks.
    pub skipped: u64,
}

/// What the end of input threw away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// An unterminated line of any kind, or a part of a byte-order mark.
    pub line: bool,
    /// At least one complete data line.
    pub data: bool,
    /// A type: the event type buffer is not empty.
    pub event: bool,
    /// An id: the ID buffer differs from the committed one.
    pub id: bool,
}

impl Pending {
    /// `Some` if anything is pending.
    pub fn if_any(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }

    /// The names that the vectors and the command use, in their order.
    pub fn names(self) -> Vec<&'static str> {
        let flags = [
            (self.line, "line"),
            (self.data, "data"),
            (self.event, "event"),
            (self.id, "id"),
        ];
        flags
            .into_iter()
            .filter(|(is_pending, _)| *is_pending)
            .map(|(_, name)| name)
            .collect()
    }
}

/// Why a run ended before its input did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The limit that was passed.
    pub limit: Limit,
    /// Its value.
    pub max: u64,
    /// The stream offset of the first byte over.
    pub offset: u64,
}

/// The event that lacks its blank line, for a caller who asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The type as if the blank line had come.
    pub event_type: Vec<u8>,
    /// The data so far; an unterminated `data` line counts once its colon is
    /// seen.
    pub data: Vec<u8>,
    /// The committed last event ID; the block's own is never committed.
    pub id: Vec<u8>,
}

/// Everything that one run over one stream gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// In stream order; only events unless [`Setup::want_items`].
    pub items: Vec<Item>,
    /// Those of the input before the first byte over, after a failure.
    pub counters: Counters,
    /// The last accepted `retry` value, also from a stream before a reset.
    pub retry: Option<u64>,
    /// The committed last event ID.
    pub last_event_id: Vec<u8>,
    /// `Some` if the input was truncated; `None` after a failure.
    pub pending: Option<Pending>,
    /// `Some` if a limit ended the run.
    pub failure: Option<Failure>,
    /// What `take_unfinished` gave after the end of input; `None` after a
    /// failure and inside a block that is being skipped.
    pub unfinished: Option<Unfinished>,
}

impl Report {
    /// The events alone.
    pub fn events(&self) -> impl Iterator<Item = &Item> {
        self.items
            .iter()
            .filter(|item| matches!(item, Item::Event { .. }))
    }

    /// How many events there are among the items.
    pub fn event_count(&self) -> u64 {
        self.events().count() as u64
    }
}
