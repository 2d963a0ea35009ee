//! Stage 2, what lines are cut into: fields, and pieces of lines.

/// A field of the standard, by its name in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

    /// The only field whose name begins with `byte`.
    pub(crate) const fn starting_with(byte: u8) -> Option<Field> {
        match byte {
            b'd' => Some(Field::Data),
            b'e' => Some(Field::Event),
            b'i' => Some(Field::Id),
            b'r' => Some(Field::Retry),
            _ => None,
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
