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
use crate::unit::{Due, Failure, Unit, WORD_LEN_MAX, lookup, word, word_or};
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
    let kind = word_or(head.kind, event_type, &mut buffer);
    if kind == b"response.output_text.delta" {
        unit.text = head.delta;
    } else {
        notes.is_background = read_kind(data, kind, head.delta, unit, state);
    }
    unit.announce_pieces();
    Ok(notes)
}

/// What an event is about.
#[derive(Clone, Copy)]
enum Kind {
    Refusal,
    WholeRefusal,
    Reasoning,
    Arguments,
    AllArguments,
    ItemAdded,
    ItemDone,
    Created,
    End,
    Error,
    KeepAlive,
    /// Nothing of the answer.
    Nothing,
}

const KINDS: &[(&str, Kind)] = &[
    ("response.created", Kind::Created),
    ("response.in_progress", Kind::Nothing),
    ("response.queued", Kind::Nothing),
    ("response.output_item.added", Kind::ItemAdded),
    ("response.output_item.done", Kind::ItemDone),
    ("response.reasoning_text.delta", Kind::Reasoning),
    ("response.reasoning_summary_text.delta", Kind::Reasoning),
    ("response.refusal.delta", Kind::Refusal),
    ("response.refusal.done", Kind::WholeRefusal),
    ("response.function_call_arguments.delta", Kind::Arguments),
    ("response.function_call_arguments.done", Kind::AllArguments),
    ("response.custom_tool_call_input.delta", Kind::Arguments),
    ("response.custom_tool_call_input.done", Kind::AllArguments),
    ("response.mcp_call_arguments.delta", Kind::Arguments),
    ("response.mcp_call_arguments.done", Kind::AllArguments),
    ("response.code_interpreter_call_code.delta", Kind::Arguments),
    (
        "response.code_interpreter_call_code.done",
        Kind::AllArguments,
    ),
    ("response.shell_call_command.delta", Kind::Arguments),
    ("response.shell_call_command.done", Kind::AllArguments),
    ("response.completed", Kind::End),
    ("response.incomplete", Kind::End),
    ("response.failed", Kind::End),
    ("response.cancelled", Kind::End),
    ("error", Kind::Error),
    ("keepalive", Kind::KeepAlive),
    ("ping", Kind::KeepAlive),
];

/// Reads an event of any type but that of output text. Gives whether the answer
/// runs in the background, where the event says it.
#[inline(never)]
fn read_kind<'e>(
    data: &'e [u8],
    name: &[u8],
    delta: Piece<'e>,
    unit: &mut Unit<'e>,
    state: &mut State,
) -> Option<bool> {
    let kind = lookup(name, KINDS);
    match kind {
        Some(Kind::Refusal) => unit.refusal = delta,
        Some(Kind::Reasoning) => unit.reasoning = delta,
        Some(Kind::KeepAlive) => unit.due.add(Due::KEEP_ALIVE),
        _ => return read_fields(data, kind, name, delta, unit, state),
    }
    None
}

/// Reads an event of which more matters than its delta.
fn read_fields<'e>(
    data: &'e [u8],
    kind: Option<Kind>,
    name: &[u8],
    delta: Piece<'e>,
    unit: &mut Unit<'e>,
    state: &mut State,
) -> Option<bool> {
    let fields = Fields::read(data);
    match kind {
        Some(Kind::Arguments) => {
            unit.key = fields.key();
            unit.arguments = delta;
            unit.due.add_if(!delta.is_empty(), Due::CALL);
        }
        Some(Kind::AllArguments) => close_call(unit, &fields, state, false),
        Some(Kind::ItemAdded) => open_call(unit, &fields, state),
        Some(Kind::ItemDone) => close_call(unit, &fields, state, true),
        Some(Kind::End) => end(unit, &fields.response, name, state),
        Some(Kind::Created) => return fields.response.is_background,
        Some(Kind::WholeRefusal) if !state.tally.has_refusal() => unit.refusal = fields.refusal,
        Some(Kind::Error) => {
            let nested = fields.failure;
            unit.announce_failure(Some(nested.unwrap_or_else(|| Failure::flat(data))));
        }
        _ => {
            unit.is_progress = is_step(name);
            unit.announce_failure(fields.failure);
        }
    }
    None
}

/// Whether an event of this type shows that the answer came on: a delta, or the
/// beginning or the end of something.
fn is_step(name: &[u8]) -> bool {
    ["delta", "added", "done", "partial_image"]
        .iter()
        .any(|suffix| name.ends_with(suffix.as_bytes()))
}

/// What a skipped event comes to, of which only the type is known.
pub(crate) fn read_skipped(event_type: &[u8], track: &Track) -> Option<Unit<'static>> {
    let mut unit = Unit::NOTHING;
    match lookup(event_type, KINDS) {
        Some(Kind::End) => match status_of(event_type) {
            Reason::Error => unit.announce_failure(Some(Failure::UNKNOWN)),
            Reason::Stop => unit.announce_finish(stop(track), Piece::EMPTY),
            reason => unit.announce_finish(reason, Piece::EMPTY),
        },
        // These repeat what deltas said, or say nothing of the answer.
        Some(Kind::Created | Kind::Nothing | Kind::KeepAlive) => return Some(unit),
        _ if is_step(event_type) && !event_type.ends_with(b"delta") => {
            unit.is_progress = true;
            return Some(unit);
        }
        _ => return None,
    }
    unit.due.add(Due::TERMINAL);
    Some(unit)
}

/// What the name of an event that ends a response says about it.
fn status_of(name: &[u8]) -> Reason {
    Reason::of_response_status(name.strip_prefix(b"response.").unwrap_or_default())
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

fn end<'e>(unit: &mut Unit<'e>, response: &Response<'e>, name: &[u8], state: &State) {
    let mut buffer = [0; WORD_LEN_MAX];
    let said = match word(response.status, &mut buffer) {
        // Some servers leave the status out, or forget to change it.
        b"" | b"in_progress" | b"queued" => Reason::Other,
        status => Reason::of_response_status(status),
    };
    let named = status_of(name);
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
