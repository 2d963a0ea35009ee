//! Stage 1, a call's arguments piece by piece: text in, whether it is exactly one
//! JSON value out.
//!
//! Arguments that are cut read like arguments, and two calls that were glued
//! together read like one: both must never be run. So the brackets are followed
//! as they come, one bit a level for their kind, and the strings with their
//! escapes. What stands between is not looked at: commas and numbers do not cut.

use crate::piece::Piece;

/// How far a JSON text has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Check {
    /// Of each open bracket one bit: set for `[`. The last one is the lowest.
    kinds: u64,
    /// Open brackets; at most [`DEPTH_MAX`].
    depth: u8,
    place: Place,
}

/// What the next byte means.
///
/// ```text
/// Before --`"`--> Text --`"`--> Between, or After at depth 0
/// Before --`{` `[`--> Between --the last `}` `]`--> After
/// Before --anything else--> Scalar --space--> After
/// Text --`\`--> Escape --any byte--> Text
/// After --anything but space--> Broken
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing but space so far.
    Before,
    /// Within brackets, outside strings.
    Between,
    /// Within a string.
    Text,
    /// After a backslash in a string.
    Escape,
    /// Within a number or a word that is all of the value.
    Scalar,
    /// The value is whole.
    After,
    /// It is none, or more than one, or deeper than can be followed.
    Broken,
}

/// Brackets within brackets; deeper arguments are never whole.
const DEPTH_MAX: u8 = 64;

const _: () = assert!(DEPTH_MAX as u32 <= u64::BITS);

impl Check {
    pub(crate) const NOTHING: Check = Check {
        kinds: 0,
        depth: 0,
        place: Place::Before,
    };

    /// Whether one value came, all of it.
    pub(crate) const fn is_whole(self) -> bool {
        matches!(self.place, Place::After | Place::Scalar)
    }

    /// Marks the text as one that can no longer become whole.
    pub(crate) const fn spoil(&mut self) {
        self.place = Place::Broken;
    }

    pub(crate) fn take(&mut self, piece: Piece<'_>) {
        for part in piece.parts() {
            part.bytes().for_each(|byte| self.step(byte));
        }
    }

    fn step(&mut self, byte: u8) {
        self.place = match self.place {
            Place::Escape => Place::Text,
            Place::Text => match byte {
                b'\\' => Place::Escape,
                b'"' => self.outside(),
                _ => Place::Text,
            },
            Place::Between => self.between(byte),
            place if byte.is_ascii_whitespace() => match place {
                Place::Scalar => Place::After,
                _ => place,
            },
            Place::Before => self.begin(byte),
            Place::Scalar if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-') => {
                Place::Scalar
            }
            _ => Place::Broken,
        };
    }

    fn begin(&mut self, byte: u8) -> Place {
        match byte {
            b'}' | b']' | b',' => Place::Broken,
            b'{' | b'[' | b'"' => self.between(byte),
            _ => Place::Scalar,
        }
    }

    fn between(&mut self, byte: u8) -> Place {
        let is_list = matches!(byte, b'[' | b']');
        match byte {
            b'"' => Place::Text,
            b'{' | b'[' if self.depth < DEPTH_MAX => {
                self.kinds = self.kinds << 1 | u64::from(is_list);
                self.depth += 1;
                Place::Between
            }
            b'}' | b']' if self.depth > 0 && (self.kinds & 1 != 0) == is_list => {
                self.kinds >>= 1;
                self.depth -= 1;
                self.outside()
            }
            b'{' | b'[' | b'}' | b']' => Place::Broken,
            _ => Place::Between,
        }
    }

    /// Where a string or a bracket that closed leaves the text.
    const fn outside(&self) -> Place {
        match self.depth {
            0 => Place::After,
            _ => Place::Between,
        }
    }
}
