//! Stage 3, units to signals: the one place where what an event says acts on
//! what the turn has come to.
//!
//! A turn runs through the signals of an event once before the caller sees them,
//! on its own state. The caller's copy starts from the state before and so says
//! the same again, be it read to the end, in part or not at all.

use crate::dialect::Dialect;
use crate::piece::Piece;
use crate::reason::Reason;
use crate::signal::Signal;
use crate::state::{Halves, State, join};
use crate::unit::{Due, Unit};
use crate::{chat, gemini};

/// The signals of one event; at least one.
///
/// It borrows the event, not the turn, and may be copied and dropped freely: the
/// turn has taken the whole event already.
#[derive(Clone, Copy)]
pub struct Signals<'e> {
    pub(crate) state: State,
    pub(crate) unit: Unit<'e>,
}

impl core::fmt::Debug for Signals<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

impl<'e> Iterator for Signals<'e> {
    type Item = Signal<'e>;

    #[inline]
    fn next(&mut self) -> Option<Signal<'e>> {
        while !self.unit.due.is_nothing() {
            if let Some(signal) = self.step() {
                self.unit.has_signalled = true;
                return Some(signal);
            }
        }
        if self.unit.has_signalled {
            return None;
        }
        self.unit.has_signalled = true;
        Some(Signal::Other {
            is_progress: self.unit.is_progress,
        })
    }
}

impl core::iter::FusedIterator for Signals<'_> {}

impl<'e> Signals<'e> {
    pub(crate) const fn new(state: State, unit: Unit<'e>) -> Self {
        Signals { state, unit }
    }

    /// Does the first thing that is due.
    fn step(&mut self) -> Option<Signal<'e>> {
        let due = self.unit.due.first();
        match due {
            Due::REASONING | Due::TEXT | Due::REFUSAL => self.say(due),
            Due::CALL => self.open_call(),
            Due::ARGUMENTS => self.say_arguments(),
            Due::CLOSE => self.close_call(),
            Due::INNER => self.read_inner(),
            Due::CLOSE_ALL => self.close_first_call(),
            Due::OTHER_CHOICE => self.pass_over_choice(),
            Due::FINISH => self.finish(),
            Due::OUTER => self.read_outer(),
            Due::USAGE => self.count_usage(),
            Due::ERROR => self.fail(),
            Due::CHECK => self.check(),
            Due::TERMINAL => self.end(),
            Due::KEEP_ALIVE => self.done(due, Signal::KeepAlive),
            Due::MALFORMED => self.count_malformed(),
            _ => {
                self.unit.due = Due::NOTHING;
                None
            }
        }
    }

    #[inline]
    fn done(&mut self, due: Due, signal: Signal<'e>) -> Option<Signal<'e>> {
        self.unit.due.remove(due);
        Some(signal)
    }

    /// Whether output comes too late, after the terminal; then it is not due.
    #[inline]
    fn is_late(&mut self, due: Due) -> bool {
        if self.state.is_terminal {
            self.unit.due.remove(due);
        }
        self.state.is_terminal
    }

    #[inline]
    fn say(&mut self, due: Due) -> Option<Signal<'e>> {
        if self.is_late(due) {
            return None;
        }
        self.state.has_output = true;
        if due == Due::REFUSAL {
            self.state.take_reason(Reason::ModelRefused);
        }
        let halves = &mut self.state.halves;
        let signal = match due {
            Due::TEXT => Signal::Text(join(&mut halves.text, self.unit.text)),
            Due::REASONING => Signal::Reasoning(join(&mut halves.reasoning, self.unit.reasoning)),
            _ => Signal::Refusal(join(&mut halves.refusal, self.unit.refusal)),
        };
        self.done(due, signal)
    }

    fn open_call(&mut self) -> Option<Signal<'e>> {
        let Unit {
            key,
            call_id,
            call_name,
            ..
        } = self.unit;
        if self.is_late(Due::CALL) {
            return None;
        }
        self.unit.due.remove(Due::CALL);
        if self.state.calls.contains(key) {
            return None;
        }
        self.state.has_output = true;
        if !self.state.calls.open(key) {
            self.state.is_overfull = true;
        }
        Some(Signal::ToolOpened {
            key,
            id: call_id,
            name: call_name,
        })
    }

    fn say_arguments(&mut self) -> Option<Signal<'e>> {
        if self.is_late(Due::ARGUMENTS) {
            return None;
        }
        let key = self.unit.key;
        self.unit.due.remove(Due::ARGUMENTS);
        self.state.has_output = true;
        self.state.calls.note_arguments(key);
        let mut half = 0;
        let halves = &mut self.state.halves;
        if halves.call == key {
            half = core::mem::take(&mut halves.arguments);
        }
        let piece = join(&mut half, self.unit.arguments);
        if half != 0 {
            (halves.arguments, halves.call) = (half, key);
        }
        Some(Signal::ToolArguments { key, piece })
    }

    fn close_call(&mut self) -> Option<Signal<'e>> {
        if self.is_late(Due::CLOSE) {
            return None;
        }
        self.unit.due.remove(Due::CLOSE);
        self.close(self.unit.key)
    }

    fn close(&mut self, key: u32) -> Option<Signal<'e>> {
        if !self.state.calls.close(key) {
            return None;
        }
        self.state.closed_calls = self.state.closed_calls.saturating_add(1);
        Some(Signal::ToolClosed { key })
    }

    fn close_first_call(&mut self) -> Option<Signal<'e>> {
        let first = self.state.calls.first();
        if first.is_none() {
            self.unit.due.remove(Due::CLOSE_ALL);
        }
        first.and_then(|key| self.close(key))
    }

    fn read_inner(&mut self) -> Option<Signal<'e>> {
        match self.state.dialect {
            Dialect::OpenAiChat => chat::read_next_call(&mut self.unit),
            Dialect::Gemini => gemini::read_next_part(&mut self.unit, &mut self.state),
            _ => self.unit.due.remove(Due::INNER),
        }
        None
    }

    fn read_outer(&mut self) -> Option<Signal<'e>> {
        match self.state.dialect {
            Dialect::OpenAiChat => chat::read_next_choice(&mut self.unit, &mut self.state),
            Dialect::Gemini => gemini::read_next_candidate(&mut self.unit, &mut self.state),
            _ => self.unit.due.remove(Due::OUTER),
        }
        None
    }

    /// Output of a choice that was not chosen counts, and is not shown.
    fn pass_over_choice(&mut self) -> Option<Signal<'e>> {
        self.state.has_output = true;
        let choice = self.unit.choice;
        self.done(Due::OTHER_CHOICE, Signal::OtherChoice { choice })
    }

    fn finish(&mut self) -> Option<Signal<'e>> {
        if let Some(signal) = self.flush() {
            return Some(signal);
        }
        let Unit {
            choice,
            reason,
            word,
            ..
        } = self.unit;
        if !self.state.choices.finish(choice) {
            self.state.is_overfull = true;
        }
        self.state.take_reason(reason);
        let signal = Signal::Finish {
            choice,
            reason,
            word,
        };
        self.done(Due::FINISH, signal)
    }

    fn count_usage(&mut self) -> Option<Signal<'e>> {
        self.state.usage = self.state.usage.updated(self.unit.usage);
        self.done(Due::USAGE, Signal::Usage(self.unit.usage))
    }

    fn fail(&mut self) -> Option<Signal<'e>> {
        let failure = self.unit.failure;
        self.state.take_failure(failure.code);
        let signal = Signal::Error {
            code: failure.code,
            message: failure.message,
        };
        self.done(Due::ERROR, signal)
    }

    fn check(&mut self) -> Option<Signal<'e>> {
        self.unit.due.remove(Due::CHECK);
        if self.state.choices_are_over() {
            self.unit.due.add(Due::TERMINAL);
        }
        None
    }

    fn end(&mut self) -> Option<Signal<'e>> {
        if self.is_late(Due::TERMINAL) {
            return None;
        }
        if let Some(signal) = self.flush() {
            return Some(signal);
        }
        self.state.is_terminal = true;
        self.done(Due::TERMINAL, Signal::Terminal)
    }

    fn count_malformed(&mut self) -> Option<Signal<'e>> {
        self.state.malformed = self.state.malformed.saturating_add(1);
        self.done(Due::MALFORMED, Signal::Malformed(self.unit.fault))
    }

    /// A half of a pair whose other half can no longer come, as U+FFFD.
    fn flush(&mut self) -> Option<Signal<'e>> {
        let is_late = self.state.is_terminal;
        let halves = &mut self.state.halves;
        let text = core::mem::take(&mut halves.text);
        if text != 0 && !is_late {
            return Some(Signal::Text(Piece::EMPTY.led_by(text)));
        }
        let refusal = core::mem::take(&mut halves.refusal);
        if refusal != 0 && !is_late {
            return Some(Signal::Refusal(Piece::EMPTY.led_by(refusal)));
        }
        *halves = Halves::NONE;
        None
    }
}
