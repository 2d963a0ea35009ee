//! An item of the parser in; what it says out, one signal after the other.

use core::ffi::{c_int, c_void};

use sseam_core::{Event, Limit, LineView, Skipped, Text};
use sseam_llm::{Signal, Usage};

use super::codes::{SignalKind, reason_code, signal_kind};
use super::kinds::{
    SSEAM_SIGNAL_HAS_INPUT_TOKENS, SSEAM_SIGNAL_HAS_OUTPUT_TOKENS, SSEAM_SIGNAL_IS_PROGRESS,
    TurnSignal,
};
use super::text::TurnText;
use super::{Said, Turn, bits_of};
use crate::pointer::{self, object_mut};
use crate::status::{
    LimitCode, SSEAM_ERR_ARGUMENT, SSEAM_EVENT, SSEAM_IGNORED, SSEAM_LIMIT_DATA,
    SSEAM_LIMIT_EVENTS, SSEAM_LIMIT_ID, SSEAM_LIMIT_LINE, SSEAM_LIMIT_TOTAL_BYTES,
    SSEAM_LIMIT_TYPE, SSEAM_OK, SSEAM_SKIPPED, Status,
};
use crate::types::{Item, SSEAM_ITEM_TYPE_UNKNOWN, SSEAM_ITEM_UNFINISHED, Str, read_item};

/// Takes what a parser gave out, or an item that you filled in yourself, and what
/// it says of the answer.
///
/// Give it every item: events; skipped ones, since their type alone may end the
/// answer; and ignored lines, where some servers hide failures (set
/// `SSEAM_REPORT_IGNORED`, and `max_comment` to a few hundred bytes). Items of
/// other kinds say nothing. An unfinished event is left alone but in lenient mode.
///
/// Then ask with `sseam_turn_next` for its signals, as many as you like: the turn
/// has taken all of the event when this returns.
///
/// ```c
/// if (sseam_turn_observe(turn, &item) == SSEAM_OK)
///     while (sseam_turn_next(turn, &signal) > 0)
///         if (signal.kind == SSEAM_SIGNAL_TEXT)
///             while (sseam_text_next(&signal.text, &part))
///                 fwrite(part.ptr, 1, part.len, stdout);
/// ```
///
/// # Safety
///
/// `turn` is NULL, which is refused, or a turn. `item` is NULL, which is refused,
/// or its `struct_size` is set and its views are valid, and stay so for as long as
/// signals are asked for and their texts are read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_turn_observe(turn: *mut Turn, item: *const Item) -> Status {
    // SAFETY: the caller's contract.
    let (Some(turn), Some(item)) = (unsafe { (object_mut(turn), read_item(item)) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    // SAFETY: the caller's contract.
    let views = unsafe { (view(item.r#type), view(item.data), view(item.last_event_id)) };
    let (Some(name), Some(data), Some(id)) = views else {
        return SSEAM_ERR_ARGUMENT;
    };
    turn.said = match item.kind {
        SSEAM_EVENT => {
            let is_unfinished = item.flags & SSEAM_ITEM_UNFINISHED != 0;
            if is_unfinished && !turn.turn.wants_unfinished() {
                Said::Nothing
            } else {
                Said::Event(turn.turn.observe(&Event::new(name, data, id)))
            }
        }
        SSEAM_SKIPPED => {
            let is_known = item.flags & SSEAM_ITEM_TYPE_UNKNOWN == 0;
            let (max, len) = (item.limit_max, item.full_len);
            let name = is_known.then_some(name);
            let skipped = Skipped::new(limit_of(item.limit), max, len, name, data);
            Said::Event(turn.turn.observe_skipped(&skipped))
        }
        SSEAM_IGNORED => {
            let line = LineView::new(data, item.full_len);
            turn.turn
                .observe_ignored(&line)
                .map_or(Said::Nothing, Said::One)
        }
        _ => Said::Nothing,
    };
    SSEAM_OK
}

/// Gives the next thing that the item said.
///
/// Returns its kind and writes `*out`; 0 when there is nothing more; or
/// `SSEAM_ERR_ARGUMENT`. Its texts point into the item that was observed.
///
/// # Safety
///
/// `turn` is NULL, which is refused, or a turn whose last item is still there.
/// `out->struct_size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_turn_next(turn: *mut Turn, out: *mut TurnSignal) -> SignalKind {
    // SAFETY: the caller's contract.
    let (Some(turn), Some(out)) = (unsafe { (object_mut(turn), crate::types::Out::new(out)) })
    else {
        return SSEAM_ERR_ARGUMENT;
    };
    let signal = match &mut turn.said {
        Said::Nothing => None,
        Said::Event(signals) => signals.next(),
        Said::One(signal) => {
            let signal = *signal;
            turn.said = Said::Nothing;
            Some(signal)
        }
    };
    let Some(signal) = signal else {
        turn.said = Said::Nothing;
        return 0;
    };
    // SAFETY: the item is still there, says the caller's contract.
    let filled = unsafe { filled(&signal) };
    // SAFETY: the caller's contract.
    unsafe { out.write(&filled) };
    filled.kind
}

/// Takes the first bytes of a body that ended without any event, and whether they
/// are all of it: a bare JSON error often has no line end, and a parser does not
/// tell of a line without one. Then `sseam_turn_next` gives the failure, if it is
/// one. Where events were seen, nothing is done.
///
/// # Safety
///
/// `turn` is NULL, which is refused, or a turn. `body` points to `len` bytes that
/// stay for as long as signals are asked for, or `len` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_turn_observe_body(
    turn: *mut Turn,
    body: *const c_void,
    len: usize,
    is_whole: c_int,
) -> Status {
    // SAFETY: the caller's contract.
    let (Some(turn), Some(body)) = (unsafe { (object_mut(turn), pointer::bytes(body, len)) })
    else {
        return SSEAM_ERR_ARGUMENT;
    };
    let said = turn.turn.observe_body(body, is_whole != 0);
    turn.said = said.map_or(Said::Nothing, Said::One);
    SSEAM_OK
}

/// Takes the last event id, where it may have been set without an event: once,
/// before `sseam_turn_finish`.
///
/// # Safety
///
/// `turn` is NULL, which is refused, or a turn. `id` points to `len` bytes, or
/// `len` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_turn_observe_last_event_id(
    turn: *mut Turn,
    id: *const c_void,
    len: usize,
) -> Status {
    // SAFETY: the caller's contract.
    let (Some(turn), Some(id)) = (unsafe { (object_mut(turn), pointer::bytes(id, len)) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    turn.turn.observe_last_event_id(Text::new(id));
    SSEAM_OK
}

/// The bytes of a view in an item.
///
/// # Safety
///
/// It is valid for reads of its length.
unsafe fn view(view: Str) -> Option<&'static [u8]> {
    // SAFETY: the caller's contract.
    unsafe { pointer::bytes(view.ptr.cast(), view.len) }
}

/// A limit by the header's code for it; unknown ones count as that of the data.
const fn limit_of(code: LimitCode) -> Limit {
    match code {
        SSEAM_LIMIT_LINE => Limit::Line,
        SSEAM_LIMIT_TYPE => Limit::EventType,
        SSEAM_LIMIT_ID => Limit::Id,
        SSEAM_LIMIT_TOTAL_BYTES => Limit::Bytes,
        SSEAM_LIMIT_EVENTS => Limit::Events,
        _ => Limit::Data,
    }
}

const _: () = assert!(matches!(limit_of(SSEAM_LIMIT_DATA), Limit::Data));

/// A signal as C sees it.
///
/// # Safety
///
/// What it borrows outlives the use of its texts.
unsafe fn filled(signal: &Signal<'_>) -> TurnSignal {
    let mut out = TurnSignal::other();
    out.kind = signal_kind(signal);
    out.flags = bits_of(&[(signal.is_progress(), SSEAM_SIGNAL_IS_PROGRESS)]);
    // SAFETY: the caller's contract, for each text.
    let text = |piece| unsafe { TurnText::of(piece) };
    match *signal {
        Signal::Text(piece) | Signal::Reasoning(piece) | Signal::Refusal(piece) => {
            out.text = text(piece);
        }
        Signal::ToolOpened { key, id, name } => {
            (out.key, out.code, out.text) = (key, text(id), text(name));
        }
        Signal::ToolArguments { key, piece } => (out.key, out.text) = (key, text(piece)),
        Signal::ToolClosed { key } => out.key = key,
        Signal::OtherChoice { choice } => out.choice = choice,
        Signal::Finish {
            choice,
            reason,
            word,
        } => {
            (out.choice, out.reason, out.text) = (choice, reason_code(reason), text(word));
        }
        Signal::Usage(Usage {
            input_tokens: input,
            output_tokens: output,
        }) => {
            out.flags |= bits_of(&[
                (input.is_some(), SSEAM_SIGNAL_HAS_INPUT_TOKENS),
                (output.is_some(), SSEAM_SIGNAL_HAS_OUTPUT_TOKENS),
            ]);
            out.input_tokens = input.unwrap_or(0);
            out.output_tokens = output.unwrap_or(0);
        }
        Signal::Error { code, message } => (out.code, out.text) = (text(code), text(message)),
        Signal::Malformed(error) => out.offset = error.offset as u64,
        _ => {}
    }
    out
}
