//! Stage 2, what one event says in the terms of all APIs: a dialect writes it,
//! the signals are read from it.
//!
//! Events with several choices, parts or calls are not gathered: their first one
//! is in the unit, and the others stay JSON until their turn comes.

use crate::fault::{JsonError, JsonFault};
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::reason::Reason;
use crate::scan::whole_number;
use crate::signal::Usage;

/// What is still to be said, the lowest bit first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Due(u32);

impl Due {
    pub(crate) const NOTHING: Due = Due(0);
    pub(crate) const REASONING: Due = Due(1);
    pub(crate) const TEXT: Due = Due(1 << 1);
    pub(crate) const REFUSAL: Due = Due(1 << 2);
    /// A call, which is opened unless it is open.
    pub(crate) const CALL: Due = Due(1 << 3);
    pub(crate) const ARGUMENTS: Due = Due(1 << 4);
    pub(crate) const CLOSE: Due = Due(1 << 6);
    /// Further parts or calls of this choice.
    pub(crate) const INNER: Due = Due(1 << 7);
    pub(crate) const CLOSE_ALL: Due = Due(1 << 8);
    pub(crate) const OTHER_CHOICE: Due = Due(1 << 9);
    pub(crate) const FINISH: Due = Due(1 << 10);
    /// Further choices, candidates or messages.
    pub(crate) const OUTER: Due = Due(1 << 11);
    pub(crate) const USAGE: Due = Due(1 << 12);
    pub(crate) const ERROR: Due = Due(1 << 13);
    /// The answer is over if its choices are.
    pub(crate) const CHECK: Due = Due(1 << 14);
    pub(crate) const TERMINAL: Due = Due(1 << 15);
    pub(crate) const KEEP_ALIVE: Due = Due(1 << 16);
    pub(crate) const MALFORMED: Due = Due(1 << 17);

    /// The first thing that is due, alone.
    #[inline]
    pub(crate) const fn first(self) -> Due {
        Due(self.0 & self.0.wrapping_neg())
    }

    #[inline]
    pub(crate) const fn is_nothing(self) -> bool {
        self.0 == 0
    }

    /// Whether parts, calls or choices are due that were not read yet.
    #[inline]
    pub(crate) const fn has_more(self) -> bool {
        self.0 & (Due::INNER.0 | Due::OUTER.0) != 0
    }

    #[inline]
    pub(crate) const fn has(self, other: Due) -> bool {
        self.0 & other.0 == other.0
    }

    #[inline]
    pub(crate) fn add(&mut self, other: Due) {
        self.0 |= other.0;
    }

    #[inline]
    pub(crate) fn add_if(&mut self, condition: bool, other: Due) {
        if condition {
            self.add(other);
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, other: Due) {
        self.0 &= !other.0;
    }
}

/// A failure as an event tells it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Failure<'e> {
    /// A code, or the error's type or status.
    pub(crate) code: Piece<'e>,
    pub(crate) message: Piece<'e>,
}

/// What is due, and what it needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit<'e> {
    pub(crate) due: Due,
    /// Something was said already.
    pub(crate) has_signalled: bool,
    /// A part was read.
    pub(crate) has_part: bool,
    /// What a signal without a name of its own shows.
    pub(crate) is_progress: bool,
    pub(crate) choice: u32,
    /// Of the tool call.
    pub(crate) key: u32,
    pub(crate) reasoning: Piece<'e>,
    pub(crate) text: Piece<'e>,
    pub(crate) refusal: Piece<'e>,
    pub(crate) call_id: Piece<'e>,
    pub(crate) call_name: Piece<'e>,
    pub(crate) arguments: Piece<'e>,
    pub(crate) reason: Reason,
    /// The API's own word for `reason`.
    pub(crate) word: Piece<'e>,
    pub(crate) usage: Usage,
    pub(crate) failure: Failure<'e>,
    pub(crate) fault: JsonError,
    /// Parts or calls that were not read yet.
    pub(crate) inner: &'e [u8],
    /// Choices, candidates or messages that were not read yet.
    pub(crate) outer: &'e [u8],
    /// How many calls, or choices, stand before those; their default index.
    pub(crate) inner_at: u32,
    pub(crate) outer_at: u32,
}

impl<'e> Unit<'e> {
    pub(crate) const NOTHING: Unit<'static> = Unit {
        due: Due::NOTHING,
        has_signalled: false,
        has_part: false,
        is_progress: false,
        choice: 0,
        key: 0,
        reasoning: Piece::EMPTY,
        text: Piece::EMPTY,
        refusal: Piece::EMPTY,
        call_id: Piece::EMPTY,
        call_name: Piece::EMPTY,
        arguments: Piece::EMPTY,
        reason: Reason::Other,
        word: Piece::EMPTY,
        usage: Usage::UNKNOWN,
        failure: Failure::UNKNOWN,
        fault: JsonError {
            fault: JsonFault::Unexpected,
            offset: 0,
        },
        inner: &[],
        outer: &[],
        inner_at: 0,
        outer_at: 0,
    };

    /// A unit that says one thing.
    pub(crate) fn saying(due: Due) -> Self {
        Unit {
            due,
            ..Unit::NOTHING
        }
    }

    /// Forgets all choices: before a key that was there already.
    pub(crate) fn clear_choices(&mut self) {
        if self.outer_at > 0 {
            *self = Unit {
                usage: self.usage,
                ..Unit::NOTHING
            };
        }
    }

    /// Begins what a choice says, anew if it began before.
    #[inline]
    pub(crate) fn begin_part(&mut self) {
        if self.has_part {
            self.clear_part();
            (self.inner, self.inner_at) = (&[], 0);
        }
        self.has_part = true;
    }

    /// Forgets what a part or a call said, before the next one.
    pub(crate) fn clear_part(&mut self) {
        self.reasoning = Piece::EMPTY;
        self.text = Piece::EMPTY;
        self.refusal = Piece::EMPTY;
        self.clear_call();
    }

    /// Forgets a call: also before a key that was there already.
    pub(crate) fn clear_call(&mut self) {
        self.call_id = Piece::EMPTY;
        self.call_name = Piece::EMPTY;
        self.arguments = Piece::EMPTY;
        self.due.remove(Due::CALL);
        self.due.remove(Due::CLOSE);
    }

    /// Announces those of its pieces that are not empty.
    #[inline]
    pub(crate) fn announce_pieces(&mut self) {
        self.due.add_if(!self.reasoning.is_empty(), Due::REASONING);
        self.due.add_if(!self.text.is_empty(), Due::TEXT);
        self.due.add_if(!self.refusal.is_empty(), Due::REFUSAL);
        self.announce_arguments();
    }

    #[inline]
    pub(crate) fn announce_arguments(&mut self) {
        self.due.add_if(!self.arguments.is_empty(), Due::ARGUMENTS);
    }

    pub(crate) fn announce_usage(&mut self) {
        let is_known = self.usage != Usage::UNKNOWN;
        self.due.add_if(is_known, Due::USAGE);
    }

    /// Announces why a choice ended.
    pub(crate) fn announce_finish(&mut self, reason: Reason, word: Piece<'e>) {
        self.reason = reason;
        self.word = word;
        self.due.add(Due::FINISH);
    }

    pub(crate) fn announce_failure(&mut self, failure: Option<Failure<'e>>) {
        if let Some(failure) = failure {
            self.failure = failure;
            self.due.add(Due::ERROR);
        }
    }
}

impl<'e> Failure<'e> {
    pub(crate) const UNKNOWN: Failure<'static> = Failure {
        code: Piece::EMPTY,
        message: Piece::EMPTY,
    };

    /// Reads the value of a key named `error`: nothing if it is falsy, as `null`,
    /// an empty string or an empty object.
    #[inline(never)]
    pub(crate) fn read(json: &mut Json<'e>) -> Option<Self> {
        match json.peek() {
            b'{' => Failure::read_object(json),
            b'"' => {
                let message = json.string()?;
                (!message.is_empty()).then_some(Failure {
                    code: Piece::EMPTY,
                    message,
                })
            }
            b'[' => (!is_empty_array(json.value())).then_some(Failure::UNKNOWN),
            _ => {
                let value = json.value();
                let is_falsy =
                    matches!(value, b"" | b"null" | b"false") || whole_number(value) == Some(0);
                (!is_falsy).then_some(Failure {
                    code: Piece::verbatim(value),
                    message: Piece::EMPTY,
                })
            }
        }
    }

    /// Reads the `error` of a body, of which not all may be there.
    pub(crate) fn of_body(head: &'e [u8]) -> Self {
        let mut failure = None;
        let mut json = Json::new(head);
        if json.enter_object() {
            members!(json, b"error" => failure = Failure::read(&mut json));
        }
        failure.unwrap_or(Failure::UNKNOWN)
    }

    /// Reads an event that is itself the error, its type being `error`.
    pub(crate) fn flat(data: &'e [u8]) -> Self {
        let failure = Failure::read_object(&mut Json::new(data)).unwrap_or(Failure::UNKNOWN);
        match failure.code == "error" {
            true => Failure {
                code: Piece::EMPTY,
                ..failure
            },
            false => failure,
        }
    }

    fn read_object(json: &mut Json<'e>) -> Option<Self> {
        let (mut code, mut kind, mut status) = (None, None, None);
        let mut message = None;
        let mut is_empty = true;
        if json.enter_object() {
            let before = json.remaining().trim_ascii_start().first();
            is_empty = before == Some(&b'}');
            members!(json,
                b"code" => code = json.any(),
                b"type" => kind = json.any(),
                b"status" => status = json.any(),
                b"message" => message = json.string(),
            );
        }
        let named = [code, kind, status].into_iter().flatten();
        (!is_empty).then_some(Failure {
            code: named
                .into_iter()
                .find(|piece| !piece.is_empty())
                .unwrap_or(Piece::EMPTY),
            message: message.unwrap_or(Piece::EMPTY),
        })
    }
}

fn is_empty_array(span: &[u8]) -> bool {
    let mut json = Json::new(span);
    json.enter_array() && !json.element()
}

/// The text of a short word, such as a type: as it stands, or from `buffer`
/// where it has escapes.
#[inline]
pub(crate) fn word<'w>(piece: Piece<'w>, buffer: &'w mut [u8]) -> &'w [u8] {
    match piece.as_plain() {
        Some(body) => body,
        None => piece.decode_or_empty(buffer),
    }
}

/// What an event is about: what its JSON says, or where that says nothing, the
/// type of its SSE event, which is the same word.
#[inline]
pub(crate) fn word_or<'w>(
    piece: Piece<'w>,
    event_type: &'w [u8],
    buffer: &'w mut [u8],
) -> &'w [u8] {
    match piece.is_empty() {
        true => event_type,
        false => word(piece, buffer),
    }
}

/// What a table says about a word.
pub(crate) fn lookup<T: Copy>(word: &[u8], table: &[(&str, T)]) -> Option<T> {
    let mut rows = table.iter();
    rows.find(|(name, _)| name.as_bytes() == word)
        .map(|(_, meaning)| *meaning)
}

/// Longest word that is ever compared.
pub(crate) const WORD_LEN_MAX: usize = 64;
