//! Stage 3, units to signals: the one place where what an event says acts on
//! what the turn has come to.
//!
//! A turn runs through the signals of an event once before the caller sees them,
//! on its own state. The caller's copy starts from the state before and so says
//! the same again, be it read to the end, in part or not at all.

use core::fmt;
use core::iter::FusedIterator;

use crate::dialect::Dialect;
use crate::piece::Piece;
use crate::reason::Reason;
use crate::signal::Signal;
use crate::state::{Halves, Tally, Track, join};
use crate::unit::{Due, Unit};
use crate::{chat, gemini};

/// The signals of one event; at least one.
///
/// It borrows the event, not the turn, and may be copied and dropped freely: the
/// turn has taken the whole event already.
#[derive(Clone, Copy)]
pub struct Signals<'e> {
    /// As it was before the event, as far as signals have been read.
    pub(crate) track: Track,
    pub(crate) unit: Unit<'e>,
}

impl<'e> Signals<'e> {
    /// Of an event that was not read yet.
    #[inline]
    pub(crate) const fn nothing(track: &Track) -> Self {
        Signals {
            track: *track,
            unit: Unit::NOTHING,
        }
    }
}

impl fmt::Debug for Signals<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

impl<'e> Iterator for Signals<'e> {
    type Item = Signal<'e>;

    #[inline]
    fn next(&mut self) -> Option<Signal<'e>> {
        next(&mut self.unit, &mut self.track, None)
    }
}

impl FusedIterator for Signals<'_> {}

/// What a unit says next. Of the tally there is one, in the turn: the caller's
/// copy of the signals has none.
#[inline]
pub(crate) fn next<'e>(
    unit: &mut Unit<'e>,
    track: &mut Track,
    mut tally: Option<&mut Tally>,
) -> Option<Signal<'e>> {
    while !unit.due.is_nothing() {
        if let Some(signal) = step(unit, track, tally.as_deref_mut()) {
            unit.has_signalled = true;
            return Some(signal);
        }
    }
    if unit.has_signalled {
        return None;
    }
    unit.has_signalled = true;
    Some(Signal::Other {
        is_progress: unit.is_progress,
    })
}

/// Does the first thing that is due.
fn step<'e>(
    unit: &mut Unit<'e>,
    track: &mut Track,
    tally: Option<&mut Tally>,
) -> Option<Signal<'e>> {
    let due = unit.due.first();
    unit.due.remove(due);
    match due {
        Due::REASONING | Due::TEXT | Due::REFUSAL => say(unit, track, tally, due),
        Due::CALL => open_call(unit, track, tally),
        Due::ARGUMENTS => say_arguments(unit, track, tally),
        Due::CLOSE => close(unit.key, track, tally),
        Due::INNER => read_inner(unit, track),
        Due::CLOSE_ALL => close_first(unit, track, tally),
        Due::OTHER_CHOICE => pass_over(unit, tally),
        Due::FINISH => finish(unit, track, tally),
        Due::OUTER => read_outer(unit, track),
        Due::USAGE => count_usage(unit, tally),
        Due::ERROR => fail(unit, tally),
        Due::CHECK => {
            unit.due.add_if(track.choices_are_over(), Due::TERMINAL);
            None
        }
        Due::TERMINAL => end(unit, track),
        Due::KEEP_ALIVE => Some(Signal::KeepAlive),
        Due::MALFORMED => count_malformed(unit, tally),
        _ => None,
    }
}

/// A piece of text of one of three kinds. After the terminal it comes too late.
#[inline]
fn say<'e>(
    unit: &Unit<'e>,
    track: &mut Track,
    tally: Option<&mut Tally>,
    due: Due,
) -> Option<Signal<'e>> {
    if track.is_terminal {
        return None;
    }
    if let Some(tally) = tally {
        tally.has_output = true;
        if due == Due::REFUSAL {
            tally.take_reason(Reason::ModelRefused);
        }
    }
    let halves = &mut track.halves;
    Some(match due {
        Due::TEXT => Signal::Text(join(&mut halves.text, unit.text)),
        Due::REASONING => Signal::Reasoning(join(&mut halves.reasoning, unit.reasoning)),
        _ => Signal::Refusal(join(&mut halves.refusal, unit.refusal)),
    })
}

fn open_call<'e>(
    unit: &Unit<'e>,
    track: &mut Track,
    tally: Option<&mut Tally>,
) -> Option<Signal<'e>> {
    let Unit {
        key,
        call_id: id,
        call_name: name,
        ..
    } = *unit;
    if track.is_terminal || track.calls.contains(key) {
        return None;
    }
    if !track.calls.open(key) {
        track.is_overfull = true;
    }
    if let Some(tally) = tally {
        tally.has_output = true;
    }
    Some(Signal::ToolOpened { key, id, name })
}

fn say_arguments<'e>(
    unit: &Unit<'e>,
    track: &mut Track,
    tally: Option<&mut Tally>,
) -> Option<Signal<'e>> {
    if track.is_terminal {
        return None;
    }
    if let Some(tally) = tally {
        tally.has_output = true;
    }
    let key = unit.key;
    track.calls.note_arguments(key);
    let halves = &mut track.halves;
    let mut half = 0;
    if halves.call == key {
        half = core::mem::take(&mut halves.arguments);
    }
    let piece = join(&mut half, unit.arguments);
    if half != 0 {
        (halves.arguments, halves.call) = (half, key);
    }
    Some(Signal::ToolArguments { key, piece })
}

fn close<'e>(key: u32, track: &mut Track, tally: Option<&mut Tally>) -> Option<Signal<'e>> {
    if track.is_terminal || !track.calls.close(key) {
        return None;
    }
    if let Some(tally) = tally {
        tally.closed_calls = tally.closed_calls.saturating_add(1);
    }
    Some(Signal::ToolClosed { key })
}

fn close_first<'e>(
    unit: &mut Unit<'e>,
    track: &mut Track,
    tally: Option<&mut Tally>,
) -> Option<Signal<'e>> {
    let key = track.calls.first()?;
    let signal = close(key, track, tally);
    unit.due.add_if(signal.is_some(), Due::CLOSE_ALL);
    signal
}

fn read_inner<'e>(unit: &mut Unit<'e>, track: &mut Track) -> Option<Signal<'e>> {
    let has_more = match track.dialect {
        Dialect::OpenAiChat if cfg!(feature = "openai-chat") => chat::read_next_call(unit),
        Dialect::Gemini if cfg!(feature = "gemini") => gemini::read_next_part(unit, track),
        _ => false,
    };
    unit.due.add_if(has_more, Due::INNER);
    None
}

fn read_outer<'e>(unit: &mut Unit<'e>, track: &mut Track) -> Option<Signal<'e>> {
    let has_more = match track.dialect {
        Dialect::OpenAiChat if cfg!(feature = "openai-chat") => chat::read_next_choice(unit, track),
        Dialect::Gemini if cfg!(feature = "gemini") => gemini::read_next_candidate(unit, track),
        _ => false,
    };
    unit.due.add_if(has_more, Due::OUTER);
    None
}

/// Output of a choice that was not chosen counts, and is not shown.
fn pass_over<'e>(unit: &Unit<'e>, tally: Option<&mut Tally>) -> Option<Signal<'e>> {
    if let Some(tally) = tally {
        tally.has_output = true;
        if !unit.refusal.is_empty() {
            tally.take_reason(Reason::ModelRefused);
        }
    }
    let choice = unit.choice;
    Some(Signal::OtherChoice { choice })
}

fn finish<'e>(
    unit: &mut Unit<'e>,
    track: &mut Track,
    tally: Option<&mut Tally>,
) -> Option<Signal<'e>> {
    if let Some(signal) = flush(track) {
        unit.due.add(Due::FINISH);
        return Some(signal);
    }
    let Unit {
        choice,
        reason,
        word,
        ..
    } = *unit;
    if !track.choices.finish(choice) {
        track.is_overfull = true;
    }
    if let Some(tally) = tally {
        tally.take_reason(reason);
    }
    Some(Signal::Finish {
        choice,
        reason,
        word,
    })
}

fn count_usage<'e>(unit: &Unit<'e>, tally: Option<&mut Tally>) -> Option<Signal<'e>> {
    if let Some(tally) = tally {
        tally.usage = tally.usage.updated(unit.usage);
    }
    Some(Signal::Usage(unit.usage))
}

fn fail<'e>(unit: &Unit<'e>, tally: Option<&mut Tally>) -> Option<Signal<'e>> {
    if let Some(tally) = tally {
        tally.take_failure(unit.failure.code);
    }
    Some(Signal::Error {
        code: unit.failure.code,
        message: unit.failure.message,
    })
}

fn end<'e>(unit: &mut Unit<'e>, track: &mut Track) -> Option<Signal<'e>> {
    if track.is_terminal {
        return None;
    }
    let half = flush(track);
    if half.is_some() {
        unit.due.add(Due::TERMINAL);
        return half;
    }
    track.is_terminal = true;
    Some(Signal::Terminal)
}

fn count_malformed<'e>(unit: &Unit<'e>, tally: Option<&mut Tally>) -> Option<Signal<'e>> {
    if let Some(tally) = tally {
        tally.malformed = tally.malformed.saturating_add(1);
    }
    Some(Signal::Malformed(unit.fault))
}

/// A half of a pair whose other half can no longer come, as U+FFFD.
fn flush<'e>(track: &mut Track) -> Option<Signal<'e>> {
    let halves = &mut track.halves;
    let text = core::mem::take(&mut halves.text);
    if text != 0 && !track.is_terminal {
        return Some(Signal::Text(Piece::EMPTY.led_by(text)));
    }
    let refusal = core::mem::take(&mut halves.refusal);
    if refusal != 0 && !track.is_terminal {
        return Some(Signal::Refusal(Piece::EMPTY.led_by(refusal)));
    }
    *halves = Halves::NONE;
    None
}
