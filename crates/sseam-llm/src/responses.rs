//! Stage 2, OpenAI Responses: one event's JSON in, a unit out.
//!
//! What an event is about is in its `type`; the SSE event type says the same and
//! is taken where the JSON has none.

use crate::json::{Json, JsonError, members, whole_number};
use crate::piece::Piece;
use crate::reason::Reason;
use crate::signal::Usage;
use crate::state::{State, Track};
use crate::unit::{Due, Failure, Unit, WORD_LEN_MAX, word};

/// The fields of an event that mean something here. What most events lack is
/// kept as a span, and read when it is needed.
struct Fields<'e> {
    kind: Piece<'e>,
    delta: Piece<'e>,
    sequence_number: Option<u64>,
    output_index: &'e [u8],
    item_id: &'e [u8],
    /// The tool's name and all arguments, of the event that ends them.
    name: &'e [u8],
    arguments: &'e [u8],
    /// The whole refusal, of the event that ends it.
    refusal: &'e [u8],
    item: &'e [u8],
    response: &'e [u8],
    failure: &'e [u8],
}

/// An output item, as far as it is a tool call.
struct CallItem<'e> {
    kind: Piece<'e>,
    id: Piece<'e>,
    call_id: Piece<'e>,
    name: Piece<'e>,
    arguments: Piece<'e>,
}

/// The response object of the first and of the last events.
struct Response<'e> {
    status: Piece<'e>,
    incomplete_reason: Piece<'e>,
    failure: Option<Failure<'e>>,
    usage: Usage,
    is_background: Option<bool>,
}

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
    let mut fields = Fields::NOTHING;
    fields.read(data)?;
    let mut notes = Notes {
        sequence_number: fields.sequence_number,
        is_background: None,
    };
    let mut buffer = [0; WORD_LEN_MAX];
    let kind = match fields.kind.is_empty() {
        true => event_type,
        false => word(fields.kind, &mut buffer),
    };
    match kind {
        b"response.output_text.delta" => unit.text = fields.delta,
        b"response.refusal.delta" => unit.refusal = fields.delta,
        b"response.reasoning_text.delta" | b"response.reasoning_summary_text.delta" => {
            unit.reasoning = fields.delta;
        }
        b"response.function_call_arguments.delta"
        | b"response.custom_tool_call_input.delta"
        | b"response.mcp_call_arguments.delta"
        | b"response.code_interpreter_call_code.delta"
        | b"response.shell_call_command.delta" => {
            unit.key = fields.key(&CallItem::NOTHING);
            unit.arguments = fields.delta;
            unit.due.add_if(!fields.delta.is_empty(), Due::CALL);
        }
        b"response.function_call_arguments.done"
        | b"response.custom_tool_call_input.done"
        | b"response.mcp_call_arguments.done"
        | b"response.code_interpreter_call_code.done"
        | b"response.shell_call_command.done" => close_call(unit, &fields, state, false),
        b"response.output_item.added" => open_call(unit, &fields, state),
        b"response.output_item.done" => close_call(unit, &fields, state, true),
        b"response.completed"
        | b"response.incomplete"
        | b"response.failed"
        | b"response.cancelled" => {
            let response = Response::read(fields.response);
            end(unit, &response, kind, state);
        }
        b"response.created" => {
            notes.is_background = Response::read(fields.response).is_background;
        }
        b"response.refusal.done" if !state.tally.has_refusal() => {
            unit.refusal = text(fields.refusal);
        }
        b"error" => unit.announce_failure(Some(fields.failure(data))),
        b"keepalive" | b"ping" => unit.due.add(Due::KEEP_ALIVE),
        _ => {
            unit.is_progress = is_step(kind);
            unit.announce_failure(Failure::read(&mut Json::new(fields.failure)));
        }
    }
    unit.announce_pieces();
    Ok(notes)
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
    let item = CallItem::read(fields.item);
    if !item.is_call() {
        return;
    }
    state.track.has_client_calls |= item.is_for_client();
    unit.key = fields.key(&item);
    (unit.call_id, unit.call_name) = (item.call_id(), item.name());
    unit.due.add(Due::CALL);
}

/// A call is complete at the end of its arguments or of its item, whichever
/// comes; what had no deltas gets its arguments from there.
fn close_call<'e>(unit: &mut Unit<'e>, fields: &Fields<'e>, state: &mut State, is_item: bool) {
    unit.is_progress = true;
    let item = CallItem::read(fields.item);
    if is_item && !item.is_call() {
        return;
    }
    unit.key = fields.key(&item);
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
            (unit.call_id, unit.call_name) = (text(fields.item_id), text(fields.name));
            text(fields.arguments)
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

impl<'e> Fields<'e> {
    const NOTHING: Fields<'static> = Fields {
        kind: Piece::EMPTY,
        delta: Piece::EMPTY,
        sequence_number: None,
        output_index: &[],
        item_id: &[],
        name: &[],
        arguments: &[],
        refusal: &[],
        item: &[],
        response: &[],
        failure: &[],
    };

    #[inline]
    fn read(&mut self, data: &'e [u8]) -> Result<(), JsonError> {
        let mut json = Json::new(data);
        if json.enter_object() {
            members!(json,
                b"type" => self.kind = json.text(),
                b"delta" => self.delta = json.text(),
                b"sequence_number" => self.sequence_number = json.number(),
                b"output_index" => self.output_index = json.value(),
                b"item_id" => self.item_id = json.value(),
                b"name" => self.name = json.value(),
                b"arguments" | b"input" => self.arguments = json.value(),
                b"refusal" => self.refusal = json.value(),
                b"item" => self.item = json.value(),
                b"response" => self.response = json.value(),
                b"error" => self.failure = json.value(),
            );
        }
        json.end()
    }

    /// The failure of an `error` event: nested, or flat in the event itself.
    fn failure(&self, data: &'e [u8]) -> Failure<'e> {
        let nested = Failure::read(&mut Json::new(self.failure));
        nested.unwrap_or_else(|| Failure::flat(data))
    }

    /// What tells calls apart: their place in the output, or what stands for it
    /// where a gateway leaves that out.
    fn key(&self, item: &CallItem<'e>) -> u32 {
        match whole_number(self.output_index) {
            Some(index) => u32::try_from(index).unwrap_or(u32::MAX),
            None if self.item_id.is_empty() => digest(item.id.raw()),
            None => digest(text(self.item_id).raw()),
        }
    }
}

/// The string in a span.
fn text(span: &[u8]) -> Piece<'_> {
    Json::new(span).text()
}

/// A number for an id, apart from those that count items (FNV-1a).
fn digest(id: &[u8]) -> u32 {
    let digest = id.iter().fold(0x811C_9DC5_u32, |digest, byte| {
        (digest ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    });
    digest | 1 << 31
}

impl<'e> CallItem<'e> {
    const NOTHING: CallItem<'static> = CallItem {
        kind: Piece::EMPTY,
        id: Piece::EMPTY,
        call_id: Piece::EMPTY,
        name: Piece::EMPTY,
        arguments: Piece::EMPTY,
    };

    fn read(span: &'e [u8]) -> Self {
        let mut item = CallItem::NOTHING;
        let mut json = Json::new(span);
        if json.enter_object() {
            members!(json,
                b"type" => item.kind = json.text(),
                b"id" => item.id = json.text(),
                b"call_id" => item.call_id = json.text(),
                b"name" => item.name = json.text(),
                b"arguments" | b"input" | b"code" => item.arguments = json.text(),
            );
        }
        item
    }

    /// Whether it has arguments; searches and generated images have none.
    fn is_call(&self) -> bool {
        self.is_for_client() || self.kind == "mcp_call" || self.kind == "code_interpreter_call"
    }

    /// Whether the caller has to run it.
    fn is_for_client(&self) -> bool {
        let kinds = [
            "function_call",
            "custom_tool_call",
            "shell_call",
            "local_shell_call",
            "computer_call",
            "apply_patch_call",
        ];
        kinds.iter().any(|kind| self.kind == *kind)
    }

    fn call_id(&self) -> Piece<'e> {
        match self.call_id.is_empty() {
            true => self.id,
            false => self.call_id,
        }
    }

    fn name(&self) -> Piece<'e> {
        match self.name.is_empty() {
            true => self.kind,
            false => self.name,
        }
    }
}

impl<'e> Response<'e> {
    const NOTHING: Response<'static> = Response {
        status: Piece::EMPTY,
        incomplete_reason: Piece::EMPTY,
        failure: None,
        usage: Usage::UNKNOWN,
        is_background: None,
    };

    fn read(span: &'e [u8]) -> Self {
        let mut response = Response::NOTHING;
        let mut json = Json::new(span);
        if json.enter_object() {
            members!(json,
                b"status" => response.status = json.text(),
                b"error" => response.failure = Failure::read(&mut json),
                b"incomplete_details" => response.incomplete_reason = json.text_of(b"reason"),
                b"usage" => response.usage = read_usage(&mut json),
                b"background" => response.is_background = Some(json.is_true()),
            );
        }
        response
    }
}

/// Reads token counts under the names that this API and Anthropic's share.
pub(crate) fn read_usage(json: &mut Json<'_>) -> Usage {
    let mut usage = Usage::UNKNOWN;
    if json.enter_object() {
        members!(json,
            b"input_tokens" => usage.input_tokens = json.number(),
            b"output_tokens" => usage.output_tokens = json.number(),
        );
    }
    usage
}
