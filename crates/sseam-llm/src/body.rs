//! Stage 2, a body that is no event stream: its lines in, whether it was a JSON
//! error out.
//!
//! Some servers answer with status 200, the content type of an event stream and
//! a bare JSON error. To a parser its lines are fields that it does not know. The
//! lines of such a body are looked at here one after the other, in memory of
//! fixed size: how deep the JSON is, which key of the outer object or of its
//! `error` is at hand, and the error's code.

use crate::piece::Piece;
use crate::short::Short;
use crate::state::CODE_LEN_MAX;

/// The lines of a body, so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body {
    phase: Phase,
    /// Containers that are open.
    depth: u32,
    place: Place,
    /// The start of the string or the scalar at hand.
    token: Short<CODE_LEN_MAX>,
    /// The key whose value is due, in the outer object and in its `error`.
    outer_key: Key,
    inner_key: Key,
    has_error: bool,
    code: Short<CODE_LEN_MAX>,
}

/// What the body is.
///
/// ```text
/// Nothing --`{`--> Object --its `}`--> Whole --anything--> Other
/// Nothing --`[`--> Other
/// Object --a line that was not kept whole--> Cut
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No line of it yet, or lines that are no JSON.
    Nothing,
    /// Inside its object.
    Object,
    /// One object.
    Whole,
    /// One object, of which not all was seen.
    Cut,
    /// An array, or several values one after the other.
    Other,
}

/// What the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Between tokens.
    Between,
    /// A string.
    Text,
    /// The byte after a backslash in a string.
    Escape,
    /// A number or a word.
    Scalar,
}

/// A key that matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Error,
    Code,
    Other,
}

/// What a body came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No JSON stood where events ought to be.
    Nothing,
    /// One JSON object with an error.
    Error,
    /// Other JSON: no event stream.
    OtherJson,
}

impl Body {
    pub(crate) const NOTHING: Body = Body {
        phase: Phase::Nothing,
        depth: 0,
        place: Place::Between,
        token: Short::EMPTY,
        outer_key: Key::Other,
        inner_key: Key::Other,
        has_error: false,
        code: Short::EMPTY,
    };

    /// Takes a line of the body, or a piece of it.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match self.phase {
                Phase::Nothing => self.begin(byte),
                Phase::Object => self.walk(byte),
                Phase::Whole if !byte.is_ascii_whitespace() => self.phase = Phase::Other,
                Phase::Whole => {}
                Phase::Cut | Phase::Other => return,
            }
            if self.phase == Phase::Nothing && !byte.is_ascii_whitespace() {
                return;
            }
        }
    }

    /// Tells that a line ended, and whether all of it was taken.
    pub(crate) fn end_line(&mut self, is_whole: bool) {
        if self.phase == Phase::Object {
            // JSON strings hold no line ends; a line break ends a scalar.
            self.walk(b' ');
            if !is_whole {
                self.phase = Phase::Cut;
            }
        }
    }

    /// Whether it has begun and not ended.
    pub(crate) fn is_open(&self) -> bool {
        self.phase == Phase::Object
    }

    pub(crate) fn verdict(&self) -> Verdict {
        match self.phase {
            Phase::Nothing | Phase::Object => Verdict::Nothing,
            Phase::Whole | Phase::Cut if self.has_error => Verdict::Error,
            _ => Verdict::OtherJson,
        }
    }

    /// The error's code, as far as it was kept.
    pub(crate) fn code(&self) -> Piece<'_> {
        Piece::verbatim(self.code.as_str().as_bytes())
    }

    fn begin(&mut self, byte: u8) {
        match byte {
            b'{' => {
                *self = Body {
                    phase: Phase::Object,
                    depth: 1,
                    ..Body::NOTHING
                };
            }
            b'[' => self.phase = Phase::Other,
            _ => {}
        }
    }

    fn walk(&mut self, byte: u8) {
        match self.place {
            Place::Escape => {
                self.keep(byte);
                self.place = Place::Text;
            }
            Place::Text => match byte {
                b'\\' => self.place = Place::Escape,
                b'"' => self.place = Place::Between,
                _ => self.keep(byte),
            },
            Place::Scalar if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-') => {
                self.keep(byte);
            }
            Place::Scalar | Place::Between => self.walk_between(byte),
        }
    }

    fn walk_between(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.token = Short::EMPTY;
                self.place = Place::Text;
                return;
            }
            COLON => self.name(),
            b',' => self.end_value(),
            b'{' | b'[' => {
                self.depth = self.depth.saturating_add(1);
                self.token = Short::EMPTY;
                self.set_inner_key(Key::Other);
            }
            b'}' | b']' => {
                self.end_value();
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.phase = Phase::Whole;
                }
            }
            _ if byte.is_ascii_whitespace() => {}
            _ => {
                self.token = Short::EMPTY;
                self.keep(byte);
                self.place = Place::Scalar;
                return;
            }
        }
        self.place = Place::Between;
    }

    /// The token at hand is the key of what comes.
    fn name(&mut self) {
        let key = match self.token.as_str() {
            "error" => Key::Error,
            "code" => Key::Code,
            _ => Key::Other,
        };
        match self.depth {
            1 => self.outer_key = key,
            2 => self.set_inner_key(key),
            _ => {}
        }
        if self.depth == 2 && self.outer_key == Key::Error {
            self.has_error = true;
        }
        self.token = Short::EMPTY;
    }

    fn set_inner_key(&mut self, key: Key) {
        if self.depth == 2 {
            self.inner_key = key;
        }
    }

    /// The token at hand, if any, is a value.
    fn end_value(&mut self) {
        let token = core::mem::replace(&mut self.token, Short::EMPTY);
        if self.outer_key != Key::Error || token.is_empty() {
            return;
        }
        match self.depth {
            1 => self.has_error |= !matches!(token.as_str(), "null" | "false" | "0"),
            2 => {
                self.has_error = true;
                if self.inner_key == Key::Code && self.code.is_empty() {
                    self.code = token;
                }
            }
            _ => {}
        }
    }

    fn keep(&mut self, byte: u8) {
        // Beyond the room it matters no more: all names that do are short.
        self.token.push(char::from(byte));
    }
}

/// Between a key and its value.
const COLON: u8 = b':'; // tidy: JSON's colon, not the one of a field.
