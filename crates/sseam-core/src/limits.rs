//! Stage 0, the bounds that every later stage obeys: numbers in, memory size out.
//!
//! A limit is tested while bytes arrive. What is exactly as long as the limit
//! passes; one byte more does not, wherever the input was cut.

/// How much one stream may hold and how much it may send.
///
/// All lengths are in bytes. Take a preset and change what matters:
///
/// ```
/// use sseam_core::{Limits, Overflow};
///
/// let limits = Limits { data_len_max: 4096, overflow: Overflow::Skip, ..Limits::SMALL };
/// assert_eq!(limits.memory_len(), 3 * 64 + 2 * 64 + 4096);
/// ```
///
/// `usize::MAX` and `u64::MAX` switch the limits of lines and of totals off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Limits {
    /// Longest line of any kind, without its line end and without a byte-order mark.
    pub line_len_max: usize,
    /// Longest data of one event: the bytes of its values and the line feeds that join them.
    pub data_len_max: usize,
    /// Longest value of an `event` field.
    pub event_type_len_max: usize,
    /// Longest value of an `id` field, counted up to its first NUL.
    pub id_len_max: usize,
    /// How much of a comment or of an ignored line is kept to be shown. Not a
    /// limit: such lines may have any length and cost constant memory.
    pub comment_len_max: usize,
    /// Most bytes that one stream may send, from its start or the last reset.
    pub bytes_max: u64,
    /// Most events that one stream may dispatch; skipped ones do not count.
    pub events_max: u64,
    /// What happens to an event that passes a limit. Totals always stop.
    pub overflow: Overflow,
}

impl Limits {
    /// For microcontrollers: 832 bytes of event memory.
    pub const SMALL: Limits = Limits {
        data_len_max: 512,
        event_type_len_max: 64,
        id_len_max: 64,
        comment_len_max: 0,
        ..Limits::DEFAULT
    };

    /// For servers that hold fixed memory for each stream: 1 MiB of data.
    pub const DEFAULT: Limits = Limits {
        line_len_max: usize::MAX,
        data_len_max: 1024 * 1024,
        event_type_len_max: 256,
        id_len_max: 1024,
        comment_len_max: 512,
        bytes_max: u64::MAX,
        events_max: u64::MAX,
        overflow: Overflow::Stop,
    };

    /// For memory that grows on demand: 16 MiB of data, as for generated images.
    pub const LARGE: Limits = Limits {
        data_len_max: 16 * 1024 * 1024,
        ..Limits::DEFAULT
    };

    /// Bytes of event memory that these limits need.
    ///
    /// Three slots for ids, two for event types, the kept part of a comment, and
    /// the data. The sum saturates; memory of `usize::MAX` bytes does not exist.
    pub const fn memory_len(&self) -> usize {
        self.id_len_max
            .saturating_mul(3)
            .saturating_add(self.event_type_len_max.saturating_mul(2))
            .saturating_add(self.comment_len_max)
            .saturating_add(self.data_len_max)
    }

    /// The limits that `memory_len` bytes of event memory allow.
    ///
    /// Ids and types get a sixteenth each, at most 64 bytes; data gets the rest.
    ///
    /// ```
    /// use sseam_core::Limits;
    ///
    /// assert_eq!(Limits::fit(4096).memory_len(), 4096);
    /// assert_eq!(Limits::fit(0).data_len_max, 0);
    /// ```
    pub const fn fit(memory_len: usize) -> Limits {
        let share = if memory_len / 16 < 64 {
            memory_len / 16
        } else {
            64
        };
        Limits {
            data_len_max: memory_len - 5 * share,
            event_type_len_max: share,
            id_len_max: share,
            ..Limits::SMALL
        }
    }

    /// The value of one limit, as errors and skipped events report it.
    pub const fn value(&self, limit: Limit) -> u64 {
        match limit {
            Limit::Line => self.line_len_max as u64,
            Limit::Data => self.data_len_max as u64,
            Limit::EventType => self.event_type_len_max as u64,
            Limit::Id => self.id_len_max as u64,
            Limit::Bytes => self.bytes_max,
            Limit::Events => self.events_max,
        }
    }
}

/// What happens when an event passes the limit of its line, data, type or id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Overflow {
    /// The stream ends there with an error that says which limit and where.
    Stop,
    /// The event is left out up to its blank line and reported as skipped. Its
    /// `id` and `retry` lines still act, so that a resume goes past it.
    Skip,
}

/// One of the limits in [`Limits`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::line_len_max`]
    Line,
    /// [`Limits::data_len_max`]
    Data,
    /// [`Limits::event_type_len_max`]
    EventType,
    /// [`Limits::id_len_max`]
    Id,
    /// [`Limits::bytes_max`]
    Bytes,
    /// [`Limits::events_max`]
    Events,
}

impl Limit {
    /// The name of the field of [`Limits`] to change.
    pub const fn name(self) -> &'static str {
        match self {
            Limit::Line => "line_len_max",
            Limit::Data => "data_len_max",
            Limit::EventType => "event_type_len_max",
            Limit::Id => "id_len_max",
            Limit::Bytes => "bytes_max",
            Limit::Events => "events_max",
        }
    }
}

// The smallest preset must leave room for the rest of a 16 KB machine.
const _: () = assert!(Limits::SMALL.memory_len() <= 1024);
const _: () = assert!(Limits::fit(Limits::SMALL.memory_len()).memory_len() == 832);
