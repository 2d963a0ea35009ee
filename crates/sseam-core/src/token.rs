//! Stage 2, what lines are cut into: fields, and pieces of lines.

/// A field of the standard, by its name in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Field {
    /// `data`: a line of the event's data.
    Data,
    /// `event`: the event's type.
    Event,
    /// `id`: the last event id from this event on.
    Id,
    /// `retry`: the reconnection time in milliseconds.
    Retry,
}

impl Field {
    /// The name as it stands in a line. The standard: "Field names must be
    /// compared literally, with no case folding performed."
    pub const fn name(self) -> &'static [u8] {
        match self {
            Field::Data => b"data",
            Field::Event => b"event",
            Field::Id => b"id",
            Field::Retry => b"retry",
        }
    }
}

/// A piece of a line, or a blank line.
///
/// A piece without `ends_line` holds at least one byte. The last piece of a line
/// may be empty. A line that is not blank gives at least one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'c> {
    /// A piece of the value of a field.
    Value {
        /// Whose value it is.
        field: Field,
        /// The next bytes of the value, without colon and first space.
        bytes: &'c [u8],
        /// Whether the line ends after them.
        ends_line: bool,
    },
    /// A piece of a comment, without its colon.
    Comment {
        /// The next bytes of the text, spaces included.
        bytes: &'c [u8],
        /// Whether the line ends after them.
        ends_line: bool,
    },
    /// A piece of a line whose field name the standard does not know.
    Ignored {
        /// The next bytes of the line, its name and colon included.
        bytes: &'c [u8],
        /// Whether the line ends after them.
        ends_line: bool,
    },
    /// A blank line: what came before it is an event, if it has data.
    Blank,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It sets a field.
    Value(Field),
    Comment,
    /// Its field name is one that the standard does not know.
    Ignored,
    Blank,
}

/// A token as the engine takes it: a piece of a line of any kind, by its place in
/// the chunk. A blank line is one piece of no bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) kind: Kind,
    /// Index of its first byte.
    pub(crate) begin: usize,
    /// Index after its last byte; >= begin
    pub(crate) end: usize,
    /// Whether the line ends after it, with the byte at `end`.
    pub(crate) ends_line: bool,
}

impl Piece {
    /// No bytes at index `at`, of a line that is ignored.
    #[inline]
    pub(crate) const fn nothing(at: usize) -> Piece {
        Piece {
            kind: Kind::Ignored,
            begin: at,
            end: at,
            ends_line: false,
        }
    }

    /// Index of the byte after it and the line's end.
    #[inline]
    pub(crate) fn next(self) -> usize {
        self.end + usize::from(self.ends_line)
    }

    #[inline]
    pub(crate) const fn len(self) -> usize {
        self.end - self.begin
    }

    #[inline]
    pub(crate) fn bytes(self, chunk: &[u8]) -> &[u8] {
        chunk.get(self.begin..self.end).unwrap_or_default()
    }
}
