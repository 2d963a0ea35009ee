//! Stage 3, what a turn has come to: signals fold into it, the outcome is read
//! from it.

use crate::dialect::{Dialect, Mode};
use crate::piece::Piece;
use crate::reason::{Reason, Weight};
use crate::sets::{Calls, Choices};
use crate::short::Short;
use crate::signal::Usage;

/// The first bytes of an error code that are kept.
pub const CODE_LEN_MAX: usize = 40;

/// All of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State {
    pub(crate) track: Track,
    pub(crate) tally: Tally,
}

/// What is going on: what signals depend on. A copy goes along with them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Track {
    /// Of `Auto`, the one that was recognised, and `Auto` before.
    pub(crate) dialect: Dialect,
    pub(crate) mode: Mode,
    /// `[DONE]` came.
    pub(crate) is_done: bool,
    pub(crate) is_terminal: bool,
    /// More calls or choices than can be kept track of.
    pub(crate) is_overfull: bool,
    /// Tools that the caller runs were called.
    pub(crate) has_client_calls: bool,
    /// The choice whose text is wanted.
    pub(crate) choice: u32,
    /// The least number of choices to wait for.
    pub(crate) expected: u32,
    /// Calls that the API gives no key were numbered up to here.
    pub(crate) next_key: u32,
    pub(crate) halves: Halves,
    pub(crate) choices: Choices,
    pub(crate) calls: Calls,
}

/// What has come together: signals add to it and do not depend on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tally {
    /// The weightiest reason so far.
    pub(crate) reason: Option<Reason>,
    pub(crate) usage: Usage,
    pub(crate) code: Short<CODE_LEN_MAX>,
    /// Text, reasoning, refusal or a tool call was seen.
    pub(crate) has_output: bool,
    pub(crate) malformed: u32,
    pub(crate) closed_calls: u32,
    /// Keys below 64 whose calls were closed.
    pub(crate) closed_keys: u64,
}

/// First halves of pairs that wait for the next piece of their kind; 0 if none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Halves {
    pub(crate) reasoning: u16,
    pub(crate) text: u16,
    pub(crate) refusal: u16,
    /// Of the arguments of the call `call`. One is enough: two calls that are
    /// both cut within a pair at the same time would cost one character.
    pub(crate) arguments: u16,
    pub(crate) call: u32,
}

impl State {
    pub(crate) const fn new(dialect: Dialect) -> Self {
        State {
            track: Track {
                dialect,
                mode: Mode::Default,
                is_done: false,
                is_terminal: false,
                is_overfull: false,
                has_client_calls: false,
                choice: 0,
                expected: 1,
                next_key: 0,
                halves: Halves::NONE,
                choices: Choices::NONE,
                calls: Calls::NONE,
            },
            tally: Tally {
                reason: None,
                usage: Usage::UNKNOWN,
                code: Short::EMPTY,
                has_output: false,
                malformed: 0,
                closed_calls: 0,
                closed_keys: 0,
            },
        }
    }
}

impl Tally {
    /// Takes a reason; the weightiest stays, of equal ones the last.
    pub(crate) fn take_reason(&mut self, reason: Reason) {
        let is_lighter = |old: Reason| reason.weight() < old.weight();
        if !self.reason.is_some_and(is_lighter) {
            self.reason = Some(reason);
        }
    }

    /// Whether words of a refusal were seen.
    pub(crate) fn has_refusal(&self) -> bool {
        self.reason
            .is_some_and(|reason| reason.weight() == Weight::Refused)
    }

    /// Notes that the call with this key is closed, and tells whether it was
    /// before. What is beyond the notes counts as closed.
    pub(crate) fn note_closed(&mut self, key: u32) -> bool {
        let Some(bit) = 1_u64.checked_shl(key) else {
            return true;
        };
        let was_closed = self.closed_keys & bit != 0;
        self.closed_keys |= bit;
        was_closed
    }

    /// Takes a failure. The first code that is one names the cause.
    pub(crate) fn take_failure(&mut self, code: Piece<'_>) {
        self.take_reason(Reason::Error);
        if self.code.is_empty() {
            self.code = Short::of(code);
        }
    }
}

impl Track {
    /// Whether the choices and `[DONE]` make the answer complete, where they are
    /// its terminal.
    pub(crate) fn choices_are_over(&self) -> bool {
        let all_finished = self.choices.all_finished(self.expected);
        match (self.dialect, self.mode) {
            (Dialect::OpenAiChat, Mode::Strict) => self.is_done && all_finished,
            (Dialect::OpenAiChat, _) => {
                all_finished || self.is_done && !self.choices.has_finished()
            }
            _ => false,
        }
    }

    /// Whether the answer, if the stream ends here, has its terminal.
    ///
    /// What only the end of the stream can settle is not a terminal before it:
    /// a Gemini stream has none at all, and a lenient reader takes the first
    /// finish reason only when nothing else comes.
    pub(crate) fn is_over_at_end(&self) -> bool {
        let is_lenient = matches!(self.mode, Mode::Lenient);
        self.is_terminal
            || match self.dialect {
                Dialect::OpenAiChat => is_lenient && (self.is_done || self.choices.has_finished()),
                Dialect::Gemini if is_lenient => self.choices.has_finished(),
                Dialect::Gemini => self.choices.all_finished(self.expected),
                Dialect::Anthropic => is_lenient && self.choices.has_finished(),
                _ => false,
            }
    }
}

impl Halves {
    pub(crate) const NONE: Halves = Halves {
        reasoning: 0,
        text: 0,
        refusal: 0,
        arguments: 0,
        call: 0,
    };
}

/// Hands the half that waits to `piece`, and keeps back the one it ends with.
pub(crate) fn join<'e>(half: &mut u16, piece: Piece<'e>) -> Piece<'e> {
    let lead = core::mem::replace(half, piece.last_half());
    piece.led_by(lead)
}
