//! Stage 2, JSON that stands where events ought to be: its lines in, whether it
//! was an error out.
//!
//! Some servers answer with status 200, the content type of an event stream and
//! a bare JSON error, or break off a stream with one. To a parser its lines are
//! fields that it does not know. They are looked at here one after the other, in
//! memory of fixed size: which keys lead to the value at hand, and the code and
//! the message of an error.

mod token; // The start of a string or of a scalar.

use crate::failure::Failure;
use crate::piece::Piece;
use crate::short::Short;
use crate::state::{CODE_LEN_MAX, MESSAGE_LEN_MAX};
use token::Token;

/// The JSON outside events, so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body {
    phase: Phase,
    /// Containers that are open.
    depth: u32,
    place: Place,
    token: Token,
    /// The keys whose values are at hand, from the outside.
    keys: [Key; DEPTH_MAX],
    clues: Clues,
    code: Short<CODE_LEN_MAX>,
    message: Short<MESSAGE_LEN_MAX>,
}

/// Containers within containers whose keys are looked at.
const DEPTH_MAX: usize = 4;

/// What the JSON is.
///
/// ```text
/// Nothing --`{`--> Object --its `}`--> Whole --`{`--> Object
/// Nothing --`[`--> Other
/// Object --a line that was not kept whole--> Cut
/// Whole --anything else--> Other
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No line of it yet, or lines that are no JSON.
    Nothing,
    /// Inside an object.
    Object,
    /// After an object.
    Whole,
    /// One object, of which not all was seen.
    Cut,
    /// An array, or values of other kinds.
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
    /// What stands below it is an error.
    Error,
    /// The same, where nothing else is output.
    Detail,
    Code,
    /// A code that counts only where there is no other.
    Kind,
    Message,
    /// Of an answer.
    Output,
    Other,
}

/// What was met that may make an error.
#[derive(Debug, Clone, Copy, Default)]
struct Clues {
    has_error: bool,
    has_detail: bool,
    has_code: bool,
    has_message: bool,
    has_output: bool,
    /// There was more than one value.
    is_many: bool,
}

/// What a body came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No JSON stood where events ought to be.
    Nothing,
    /// A JSON object with an error.
    Error,
    /// Other JSON: no event stream.
    OtherJson,
}

impl Body {
    pub(crate) const NOTHING: Body = Body {
        phase: Phase::Nothing,
        depth: 0,
        place: Place::Between,
        token: Token::EMPTY,
        keys: [Key::Other; DEPTH_MAX],
        clues: Clues {
            has_error: false,
            has_detail: false,
            has_code: false,
            has_message: false,
            has_output: false,
            is_many: false,
        },
        code: Short::EMPTY,
        message: Short::EMPTY,
    };

    /// Takes a line of the body, or a piece of it.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match self.phase {
                Phase::Nothing => self.begin(byte),
                Phase::Object => self.walk(byte),
                Phase::Whole if byte == b'{' && self.verdict() != Verdict::Error => {
                    self.begin(byte);
                    self.clues.is_many = true;
                }
                Phase::Whole if !byte.is_ascii_whitespace() => return,
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
            // JSON strings hold no line ends: one that is open was cut.
            let is_cut = matches!(self.place, Place::Text | Place::Escape);
            if !is_whole || is_cut {
                // A message that goes on behind what was kept is one all the same.
                self.end_value();
                self.phase = Phase::Cut;
                return;
            }
            // A line break ends a scalar.
            self.walk(b' ');
        }
    }

    /// Whether it has begun and not ended.
    pub(crate) fn is_open(&self) -> bool {
        self.phase == Phase::Object
    }

    /// Whether a line may begin an object of its own.
    pub(crate) fn may_begin(&self) -> bool {
        matches!(self.phase, Phase::Nothing | Phase::Whole | Phase::Cut)
    }

    /// An event follows: what was not ended was cut.
    pub(crate) fn interrupt(&mut self) {
        if self.is_open() {
            self.phase = Phase::Cut;
        }
    }

    /// Whether something was cut that may have been output, or an error.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self.phase, Phase::Object | Phase::Cut) && self.verdict() != Verdict::Error
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let Clues { has_error, .. } = self.clues;
        match self.phase {
            Phase::Object if has_error => Verdict::Error,
            Phase::Nothing | Phase::Object => Verdict::Nothing,
            Phase::Whole | Phase::Cut if has_error || self.is_flat() => Verdict::Error,
            _ => Verdict::OtherJson,
        }
    }

    /// The error, as far as it was kept.
    pub(crate) fn failure(&self) -> Failure<'_> {
        Failure {
            code: Piece::verbatim(self.code.as_bytes()),
            message: Piece::verbatim(self.message.as_bytes()),
        }
    }

    /// Whether it is an error without saying so: where nothing is output.
    fn is_flat(&self) -> bool {
        let Clues { has_detail, .. } = self.clues;
        let is_flat = has_detail || self.clues.has_code && self.clues.has_message;
        is_flat && !self.clues.has_output
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
                self.token.keep(byte);
                self.place = Place::Text;
            }
            Place::Text => match byte {
                b'"' => self.place = Place::Between,
                _ => {
                    self.token.keep(byte);
                    if byte == b'\\' {
                        self.place = Place::Escape;
                    }
                }
            },
            Place::Scalar if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-') => {
                self.token.keep(byte);
            }
            Place::Scalar | Place::Between => self.walk_between(byte),
        }
    }

    fn walk_between(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.token = Token::STRING;
                self.place = Place::Text;
                return;
            }
            COLON => self.name(),
            b',' => self.end_value(),
            b'{' | b'[' => {
                self.depth = self.depth.saturating_add(1);
                self.token = Token::EMPTY;
                self.set_key(Key::Other);
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
                self.token = Token::EMPTY;
                self.token.keep(byte);
                self.place = Place::Scalar;
                return;
            }
        }
        self.place = Place::Between;
    }

    /// The token at hand is the key of what comes.
    fn name(&mut self) {
        let key = crate::unit::lookup(self.token.as_bytes(), KEYS).unwrap_or(Key::Other);
        self.clues.has_output |= key == Key::Output && self.depth == 1;
        self.clues.has_error |= self.is_below(Key::Error);
        self.set_key(key);
        self.token = Token::EMPTY;
    }

    fn set_key(&mut self, key: Key) {
        let at = (self.depth as usize).wrapping_sub(1);
        if let Some(place) = self.keys.get_mut(at) {
            *place = key;
        }
    }

    /// The token at hand, if any, is a value.
    fn end_value(&mut self) {
        let token = core::mem::replace(&mut self.token, Token::EMPTY);
        let depth = self.depth as usize;
        let key = self.keys.get(depth.wrapping_sub(1)).copied();
        if token.is_falsy() {
            return;
        }
        let (is_in_error, is_in_detail) = (self.is_below(Key::Error), self.is_below(Key::Detail));
        self.clues.has_error |= is_in_error;
        self.clues.has_detail |= is_in_detail;
        let is_in_error = is_in_error || is_in_detail;
        match key {
            Some(Key::Error) if is_in_error || depth == 1 => {
                self.clues.has_error = true;
                self.keep_message(&token);
            }
            Some(Key::Detail) if is_in_error || depth == 1 => {
                self.clues.has_detail = true;
                self.keep_message(&token);
            }
            Some(Key::Message) if is_in_error || depth == 1 => {
                self.clues.has_message = true;
                self.keep_message(&token);
            }
            Some(Key::Code) if is_in_error || depth == 1 && token.is_bad_code() => {
                self.clues.has_code |= depth == 1;
                self.keep_code(&token);
            }
            Some(Key::Kind) if depth == 1 && token.as_bytes() == b"error" => {
                self.clues.has_error = true;
            }
            Some(Key::Kind) if is_in_error => self.keep_code(&token),
            _ => {}
        }
    }

    /// Whether the value at hand stands within that of such a key.
    fn is_below(&self, key: Key) -> bool {
        self.depth > 1 && self.keys.first() == Some(&key)
    }

    fn keep_code(&mut self, token: &Token) {
        if self.code.is_empty() {
            self.code = Short::of(token.text());
        }
    }

    fn keep_message(&mut self, token: &Token) {
        if self.message.is_empty() && token.is_string {
            self.message = Short::of(token.text());
        }
    }
}

const KEYS: &[(&str, Key)] = &[
    ("error", Key::Error),
    ("errors", Key::Error),
    ("detail", Key::Detail),
    ("code", Key::Code),
    ("error_code", Key::Code),
    ("status_code", Key::Code),
    ("type", Key::Kind),
    ("status", Key::Kind),
    ("object", Key::Kind),
    ("message", Key::Message),
    ("msg", Key::Message),
    ("error_msg", Key::Message),
    ("error_message", Key::Message),
    ("choices", Key::Output),
    ("candidates", Key::Output),
    ("content", Key::Output),
    ("output", Key::Output),
    ("result", Key::Output),
];

/// Between a key and its value.
const COLON: u8 = b':'; // tidy: JSON's colon, not the one of a field.
