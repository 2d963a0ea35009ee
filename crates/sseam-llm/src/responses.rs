//! Stage 2, OpenAI Responses: one event's JSON in, a unit out.
//!
//! What an event is about is in its `type`; the SSE event type says the same and
//! is taken where the JSON has none.

mod fields; // What an event has that means something here.

pub(crate) use fields::read_usage;

use crate::fault::JsonError;
use crate::piece::Piece;
use crate::reason::Reason;
use crate::state::{State, Track};
use crate::unit::{Due, Failure, Unit, WORD_LEN_MAX, word};
use fields::{Fields, Head, Response};

/// What an event tells besides its signals.
pub(crate) struct Notes {
    pub(crate) sequence_number: Option<u64>,
    pub(crate) is_background: Option<bool>,
}

/// Reads an event; `event_type` is that of its SSE event.
pub(crate) fn read<'e>(
    data: &'e [u8],
    event_type: &[u8],
    unit: &mut Unit<'e>,
    state: &mut State,
) -> Result<Notes, JsonError> {
    let head = Head::read(data)?;
    let mut notes = Notes {
        sequence_number: head.sequence_number,
        is_background: None,
    };
    let mut buffer = [0; WORD_LEN_MAX];
    let kind = match head.kind.is_empty() {
        true => event_type,
        false => word(head.kind, &mut buffer),
    };
    if kind == b"response.output_text.delta" {
        unit.text = head.delta;
    } else {
        notes.is_background = read_kind(data, kind, head.delta, unit, state);
    }
    unit.announce_pieces();
    Ok(notes)
}

/// Reads an event of any type but that of output text. Gives whether the answer
/// runs in the background, where the event says it.
#[inline(never)]
fn read_kind<'e>(
    data: &'e [u8],
    kind: &[u8],
    delta: Piece<'e>,
    unit: &mut Unit<'e>,
    state: &mut State,
) -> Option<bool> {
    match kind {
        b"response.refusal.delta" => unit.refusal = delta,
        b"response.reasoning_text.delta" | b"response.reasoning_summary_text.delta" => {
            unit.reasoning = delta;
        }
        b"response.function_call_arguments.delta"
        | b"response.custom_tool_call_input.delta"
        | b"response.mcp_call_arguments.delta"
        | b"response.code_interpreter_call_code.delta"
        | b"response.shell_call_command.delta" => {
            unit.key = Fields::read(data).key();
            unit.arguments = delta;
            unit.due.add_if(!delta.is_empty(), Due::CALL);
        }
        b"response.function_call_arguments.done"
        | b"response.custom_tool_call_input.done"
        | b"response.mcp_call_arguments.done"
        | b"response.code_interpreter_call_code.done"
        | b"response.shell_call_command.done" => {
            close_call(unit, &Fields::read(data), state, false)
        }
        b"response.output_item.added" => open_call(unit, &Fields::read(data), state),
        b"response.output_item.done" => close_call(unit, &Fields::read(data), state, true),
        b"response.completed"
        | b"response.incomplete"
        | b"response.failed"
        | b"response.cancelled" => end(unit, &Fields::read(data).response, kind, state),
        b"response.created" => return Fields::read(data).response.is_background,
        b"response.refusal.done" if !state.tally.has_refusal() => {
            unit.refusal = Fields::read(data).refusal;
        }
        b"error" => {
            let nested = Fields::read(data).failure;
            unit.announce_failure(Some(nested.unwrap_or_else(|| Failure::flat(data))));
        }
        b"keepalive" | b"ping" => unit.due.add(Due::KEEP_ALIVE),
        _ => {
            unit.is_progress = is_step(kind);
            unit.announce_failure(Fields::read(data).failure);
        }
    }
    None
}

/// Whether an event of this type shows that the answer came on: a delta, or the
/// beginning or the end of something.
fn is_step(kind: &[u8]) -> bool {
    [&b".delta"[..], b".added", b".done", b".partial_image"]
        .iter()
        .any(|suffix| kind.ends_with(suffix))
}

/// What a skipped event comes to, of which only the type is known.
pub(crate) fn read_skipped(event_type: &[u8], track: &Track) -> Option<Unit<'static>> {
    let mut unit = Unit::NOTHING;
    match event_type {
        b"response.completed" => unit.announce_finish(stop(track), Piece::EMPTY),
        b"response.incomplete" => unit.announce_finish(Reason::Unfinished, Piece::EMPTY),
        b"response.cancelled" => unit.announce_finish(Reason::Cancelled, Piece::EMPTY),
        b"response.failed" => unit.announce_failure(Some(Failure::UNKNOWN)),
        // These repeat what deltas said, or say nothing of the answer.
        b"response.created" | b"response.in_progress" | b"response.queued" | b"keepalive" => {
            return Some(unit);
        }
        _ if is_step(event_type) && !event_type.ends_with(b".delta") => {
            unit.is_progress = true;
            return Some(unit);
        }
        _ => return None,
    }
    unit.due.add(Due::TERMINAL);
    Some(unit)
}

/// Why a response that completed did so: the API does not tell calls apart.
fn stop(track: &Track) -> Reason {
    match track.has_client_calls {
        true => Reason::ToolCalls,
        false => Reason::Stop,
    }
}

fn open_call<'e>(unit: &mut Unit<'e>, fields: &Fields<'e>, state: &mut State) {
    unit.is_progress = true;
    let item = &fields.item;
    if !item.is_call() {
        return;
    }
    state.track.has_client_calls |= item.is_for_client();
    unit.key = fields.key();
    (unit.call_id, unit.call_name) = (item.call_id(), item.name());
    unit.due.add(Due::CALL);
}

/// A call is complete at the end of its arguments or of its item, whichever
/// comes; what had no deltas gets its arguments from there.
fn close_call<'e>(unit: &mut Unit<'e>, fields: &Fields<'e>, state: &mut State, is_item: bool) {
    unit.is_progress = true;
    let item = &fields.item;
    if is_item && !item.is_call() {
        return;
    }
    unit.key = fields.key();
    // The one repeats the other.
    let is_repeated = state.tally.note_closed(unit.key) && !state.track.calls.contains(unit.key);
    if is_repeated {
        return;
    }
    state.track.has_client_calls |= item.is_for_client();
    unit.due.add(Due::CALL);
    unit.due.add(Due::CLOSE);
    let arguments = match is_item {
        true => {
            (unit.call_id, unit.call_name) = (item.call_id(), item.name());
            item.arguments
        }
        false => {
            (unit.call_id, unit.call_name) = (fields.item_id, fields.name);
            fields.arguments
        }
    };
    if !arguments.is_empty() && !state.track.calls.has_arguments(unit.key) {
        unit.arguments = arguments;
    }
}

fn end<'e>(unit: &mut Unit<'e>, response: &Response<'e>, kind: &[u8], state: &State) {
    let mut buffer = [0; WORD_LEN_MAX];
    let said = match word(response.status, &mut buffer) {
        // Some servers leave the status out, or forget to change it.
        b"" | b"in_progress" | b"queued" => Reason::Other,
        status => Reason::of_response_status(status),
    };
    let named = Reason::of_response_status(kind.strip_prefix(b"response.").unwrap_or_default());
    let reason = if said.weight() > named.weight() {
        said
    } else {
        named
    };
    unit.usage = response.usage;
    unit.announce_usage();
    match reason {
        Reason::Error => {
            unit.announce_failure(Some(response.failure.unwrap_or(Failure::UNKNOWN)));
        }
        Reason::Unfinished => {
            let reason =
                Reason::of_incomplete_response(word(response.incomplete_reason, &mut buffer));
            unit.announce_finish(reason, response.incomplete_reason);
        }
        Reason::Stop => unit.announce_finish(stop(&state.track), response.status),
        _ => unit.announce_finish(reason, response.status),
    }
    unit.due.add(Due::TERMINAL);
}
