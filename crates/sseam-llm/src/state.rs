//! Stage 3, what a turn has come to: units fold into it, the outcome is read
//! from it.

use crate::calls::Calls;
use crate::choices::Choices;
use crate::dialect::{Dialect, Mode};
use crate::failure::Failure;
use crate::origin::Origin;
use crate::partial::Partial;
use crate::piece::Piece;
use crate::reason::{Reason, Weight};
use crate::repeats::{LastItem, Repeats};
use crate::short::Short;
use crate::usage::Told;

/// Bytes that are kept of an error code, and of a word for an end.
pub const CODE_LEN_MAX: usize = 40;

/// Bytes that are kept of a failure's message.
pub const MESSAGE_LEN_MAX: usize = 256;

/// All of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State {
    /// Of `Auto`, the one that was recognised, and `Auto` before.
    pub(crate) dialect: Dialect,
    pub(crate) mode: Mode,
    /// The choice whose text is wanted.
    pub(crate) choice: u32,
    /// The least number of choices to wait for.
    pub(crate) expected: u32,
    /// `[DONE]` came.
    pub(crate) is_done: bool,
    /// The API's own end came.
    pub(crate) is_terminal: bool,
    /// Output came after a finish of its choice: finishes prove nothing here.
    pub(crate) finish_is_void: bool,
    /// The last word for an end is one that nobody knows.
    pub(crate) finish_is_unknown: bool,
    /// More calls or choices than can be kept track of.
    pub(crate) is_overfull: bool,
    /// Output is missing of which the API says that it was there.
    pub(crate) is_lost: bool,
    /// Tools that the caller runs were called.
    pub(crate) has_client_calls: bool,
    /// Text, reasoning, a refusal, media or a tool call was seen.
    pub(crate) has_output: bool,
    /// Some of it came in deltas: a whole message would repeat it.
    pub(crate) has_deltas: bool,
    pub(crate) voice: Voice,
    pub(crate) origin: Origin,
    pub(crate) choices: Choices,
    pub(crate) calls: Calls,
    pub(crate) partial: Partial,
    pub(crate) repeats: Repeats,
    pub(crate) item: LastItem,
    pub(crate) tally: Tally,
}

/// What has come together, and is only told at the end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tally {
    /// The weightiest reason so far, and the API's own word for it.
    pub(crate) reason: Option<Reason>,
    pub(crate) word: Short<CODE_LEN_MAX>,
    pub(crate) usage: Told,
    pub(crate) code: Short<CODE_LEN_MAX>,
    pub(crate) message: Short<MESSAGE_LEN_MAX>,
    pub(crate) closed_calls: u32,
}

/// What the texts of an event depend on that came before it: small, so that the
/// signals of an event can have a copy of it as it was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Voice {
    /// The answer is over: what is said does not count.
    pub(crate) is_over: bool,
    /// Some of what was told ahead has been told again.
    pub(crate) has_muted: bool,
    /// Decoded bytes of text that were told ahead and come again.
    pub(crate) muted: u32,
    /// First halves of pairs that wait for the next piece of their kind; 0 if
    /// none.
    reasoning: u16,
    pub(crate) text: u16,
    refusal: u16,
    /// Of the arguments of the call `call`. One is enough: two calls that are
    /// both cut within a pair at the same time would cost one character.
    arguments: u16,
    call: u32,
}

/// A kind of text that deltas bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Reasoning,
    Text,
    Refusal,
}

impl State {
    pub(crate) const fn new(dialect: Dialect) -> Self {
        State {
            dialect,
            mode: Mode::Default,
            choice: 0,
            expected: 1,
            is_done: false,
            is_terminal: false,
            finish_is_void: false,
            finish_is_unknown: false,
            is_overfull: false,
            is_lost: false,
            has_client_calls: false,
            has_output: false,
            has_deltas: false,
            voice: Voice::NEW,
            origin: Origin::UNKNOWN,
            choices: Choices::NONE,
            calls: Calls::NONE,
            partial: Partial::NOTHING,
            repeats: Repeats::NOTHING,
            item: LastItem::NONE,
            tally: Tally {
                reason: None,
                word: Short::EMPTY,
                usage: Told::NOTHING,
                code: Short::EMPTY,
                message: Short::EMPTY,
                closed_calls: 0,
            },
        }
    }

    /// Notes output of a choice. Where that had finished, its server's finishes
    /// mean nothing: only `[DONE]` ends such an answer.
    #[inline]
    pub(crate) fn note_output(&mut self, choice: u32) {
        self.has_output = true;
        if self.choices.is_finished(choice) {
            self.finish_is_void = true;
        }
    }

    #[inline]
    pub(crate) fn see(&mut self, choice: u32) {
        if !self.choices.see(choice) {
            self.is_overfull = true;
        }
    }

    /// Whether `[DONE]` is the end of the answer.
    ///
    /// Where some choices have finished and others have not, it is none. A choice
    /// that starts after all others have finished comes too late to be waited
    /// for, unless the caller said how many there are.
    pub(crate) fn is_ended_by_done(&self) -> bool {
        let all_finished = self.choices.all_finished(self.expected);
        match self.mode {
            Mode::Strict => all_finished,
            Mode::Lenient => true,
            _ => all_finished || !self.choices.has_finished(),
        }
    }

    /// Whether finish reasons are all that the answer needs, if its source has
    /// nothing more: Chat's default mode, Gemini, which has no end of its own, and
    /// careless proxies of others.
    pub(crate) fn is_finished(&self) -> bool {
        let is_lenient = matches!(self.mode, Mode::Lenient);
        let all_finished = self.choices.all_finished(self.expected);
        match self.dialect {
            _ if self.finish_is_unknown => false,
            Dialect::OpenAiChat if self.finish_is_void => false,
            Dialect::OpenAiChat | Dialect::Gemini if is_lenient => self.choices.has_finished(),
            Dialect::OpenAiChat => all_finished && !matches!(self.mode, Mode::Strict),
            Dialect::Gemini => all_finished,
            Dialect::Anthropic => is_lenient && self.choices.has_finished(),
            _ => false,
        }
    }
}

impl Tally {
    /// Takes a reason; the weightiest stays, of equal ones the last.
    pub(crate) fn take_reason(&mut self, reason: Reason, word: Piece<'_>) {
        let is_lighter = |old: Reason| reason.weight() < old.weight();
        if !self.reason.is_some_and(is_lighter) {
            self.reason = Some(reason);
            self.word = Short::of(word);
        }
    }

    pub(crate) fn weight(&self) -> Option<Weight> {
        self.reason.map(Reason::weight)
    }

    /// Takes a failure. The first code and the first message that are some stay.
    pub(crate) fn take_failure(&mut self, failure: &Failure<'_>) {
        self.take_reason(Reason::Error, Piece::EMPTY);
        if self.code.is_empty() {
            self.code = Short::of(failure.code);
        }
        if self.message.is_empty() {
            self.message = Short::of(failure.message);
        }
    }
}

impl Voice {
    pub(crate) const NEW: Voice = Voice {
        is_over: false,
        has_muted: false,
        muted: 0,
        reasoning: 0,
        text: 0,
        refusal: 0,
        arguments: 0,
        call: 0,
    };

    /// Whether text was told ahead.
    #[inline]
    pub(crate) const fn mutes(&self) -> bool {
        self.muted > 0 || self.has_muted
    }

    /// A piece as it is said: after the half that waited for it. Nothing where
    /// the answer is over, or where the piece was told ahead and is not `is_free`.
    pub(crate) fn say<'e>(
        &mut self,
        kind: Kind,
        piece: Piece<'e>,
        is_free: bool,
    ) -> Option<Piece<'e>> {
        if self.is_over {
            return None;
        }
        let half = match kind {
            Kind::Reasoning => &mut self.reasoning,
            Kind::Text => &mut self.text,
            Kind::Refusal => &mut self.refusal,
        };
        let piece = join(half, piece);
        match kind {
            Kind::Text if self.muted > 0 && !is_free => self.mute(piece),
            _ => Some(piece),
        }
    }

    /// What of a text was not told ahead.
    #[cold]
    fn mute<'e>(&mut self, piece: Piece<'e>) -> Option<Piece<'e>> {
        self.has_muted = true;
        let len = crate::calls::len_of(piece);
        let skipped = len.min(self.muted);
        self.muted -= skipped;
        (len > skipped).then(|| piece.without(skipped))
    }

    /// A piece of the arguments of a call, as it is said.
    pub(crate) fn say_arguments<'e>(&mut self, key: u32, piece: Piece<'e>) -> Piece<'e> {
        let mut half = 0;
        if self.call == key {
            half = core::mem::take(&mut self.arguments);
        }
        let piece = join(&mut half, piece);
        if half != 0 {
            (self.arguments, self.call) = (half, key);
        }
        piece
    }

    /// A half of a pair whose other half can no longer come, as U+FFFD; text
    /// first.
    pub(crate) fn flush(&mut self) -> Option<(Kind, Piece<'static>)> {
        let halves = [
            (Kind::Text, &mut self.text),
            (Kind::Refusal, &mut self.refusal),
        ];
        for (kind, half) in halves {
            let half = core::mem::take(half);
            if half != 0 && !self.is_over {
                return Some((kind, Piece::EMPTY.led_by(half)));
            }
        }
        (self.reasoning, self.arguments) = (0, 0);
        None
    }
}

/// Hands the half that waits to `piece`, and keeps back the one it ends with.
fn join<'e>(half: &mut u16, piece: Piece<'e>) -> Piece<'e> {
    let lead = core::mem::replace(half, piece.last_half());
    piece.led_by(lead)
}
