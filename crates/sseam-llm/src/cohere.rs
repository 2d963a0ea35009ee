//! Stage 2, Cohere v2 chat: one event's JSON in, a unit out.

use crate::calls::Name;
use crate::due::Due;
use crate::failure::Failure;
use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::reason::Reason;
use crate::responses::read_usage;
use crate::unit::{Unit, WORD_LEN_MAX, lookup, reason_of, word_or};
use crate::usage::{Count, Told};

/// The fields of an event that mean something here.
struct Fields<'e> {
    kind: Piece<'e>,
    id: Piece<'e>,
    index: u64,
    delta: Delta<'e>,
    failure: Option<Failure<'e>>,
}

/// `delta`, with its `message` and what that holds laid flat.
struct Delta<'e> {
    text: Piece<'e>,
    thinking: Piece<'e>,
    tool_plan: Piece<'e>,
    call_id: Piece<'e>,
    call_name: Piece<'e>,
    arguments: Piece<'e>,
    finish_reason: Piece<'e>,
    failure: Option<Failure<'e>>,
    usage: Told,
}

/// What an event is about.
#[derive(Clone, Copy)]
enum Kind {
    Start,
    Content,
    Plan,
    CallStart,
    Call,
    CallEnd,
    MessageEnd,
    Error,
    /// No output.
    Nothing,
}

const KINDS: &[(&str, Kind)] = &[
    ("content-delta", Kind::Content),
    ("content-start", Kind::Content),
    ("tool-plan-delta", Kind::Plan),
    ("tool-call-start", Kind::CallStart),
    ("tool-call-delta", Kind::Call),
    ("tool-call-end", Kind::CallEnd),
    ("message-end", Kind::MessageEnd),
    ("error", Kind::Error),
    ("message-start", Kind::Start),
    ("content-end", Kind::Nothing),
    ("citation-start", Kind::Nothing),
    ("citation-end", Kind::Nothing),
    ("debug", Kind::Nothing),
];

/// Reads an event; `event_type` is that of its SSE event, if it has one.
#[inline(never)]
pub(crate) fn read<'e>(
    data: &'e [u8],
    event_type: &[u8],
    unit: &mut Unit<'e>,
) -> Result<(), JsonError> {
    let mut fields = Fields::NOTHING;
    fields.read(data)?;
    let delta = &fields.delta;
    let mut buffer = [0; WORD_LEN_MAX];
    let kind = word_or(fields.kind, event_type, &mut buffer);
    let name = lookup(kind, KINDS);
    unit.has_shape = name.is_some();
    unit.name = Name {
        index: Some(u32::try_from(fields.index).unwrap_or(u32::MAX)),
        is_start: matches!(name, Some(Kind::CallStart)),
        ..Name::NONE
    };
    match name {
        Some(Kind::Start) => {
            unit.sender.is_start = true;
            unit.sender.id = fields.id;
        }
        Some(Kind::Content) => {
            unit.is_progress = true;
            (unit.text, unit.reasoning) = (delta.text, delta.thinking);
        }
        Some(Kind::Plan) => unit.reasoning = delta.tool_plan,
        Some(Kind::CallStart | Kind::Call) => {
            unit.name.id = delta.call_id;
            (unit.call_id, unit.call_name) = (delta.call_id, delta.call_name);
            unit.arguments = delta.arguments;
            unit.due.add(Due::CALL);
        }
        Some(Kind::CallEnd) => {
            unit.only_closes = true;
            unit.due.add(Due::CLOSE);
        }
        Some(Kind::MessageEnd) => end(unit, delta),
        Some(Kind::Error) => {
            let failure = fields.failure.or_else(|| Failure::of_event(data));
            unit.announce_failure(Some(failure.unwrap_or(Failure::UNKNOWN)));
        }
        _ => {
            unit.is_progress = kind.ends_with(b"-start") || kind.ends_with(b"-end");
        }
    }
    if !unit.due.has(Due::ERROR) {
        unit.announce_failure(fields.failure);
    }
    unit.announce_pieces();
    Ok(())
}

/// Whether an event of this type may hold output, or tell what came of it.
pub(crate) fn may_hold_output(event_type: &[u8]) -> bool {
    let kind = lookup(event_type, KINDS);
    kind.is_some() && !matches!(kind, Some(Kind::Nothing | Kind::Start))
}

/// What an event comes to of which only the type is known. Not so
/// `message-end`, which reports failures too.
pub(crate) fn read_skipped(event_type: &[u8]) -> Option<Unit<'static>> {
    let kind = lookup(event_type, KINDS);
    matches!(kind, Some(Kind::Nothing | Kind::Start)).then_some(Unit::NOTHING)
}

fn end<'e>(unit: &mut Unit<'e>, delta: &Delta<'e>) {
    unit.usage = delta.usage;
    unit.announce_usage();
    let reason = reason_of(delta.finish_reason).unwrap_or(Reason::Other);
    if reason == Reason::Error {
        let failure = delta.failure.unwrap_or(Failure::UNKNOWN);
        unit.announce_failure(Some(Failure {
            code: delta.finish_reason,
            ..failure
        }));
    } else {
        unit.announce_failure(delta.failure);
        unit.announce_finish(reason, delta.finish_reason);
    }
    unit.due.add(Due::TERMINAL);
}

impl<'e> Fields<'e> {
    const NOTHING: Fields<'static> = Fields {
        kind: Piece::EMPTY,
        id: Piece::EMPTY,
        index: 0,
        delta: Delta::NOTHING,
        failure: None,
    };

    fn read(&mut self, data: &'e [u8]) -> Result<(), JsonError> {
        let mut json = Json::new(data);
        if json.enter_object() {
            members!(json,
                b"type" => self.kind = json.text(),
                b"id" => self.id = json.text(),
                b"index" => self.index = json.number().unwrap_or(0),
                b"delta" => self.delta = Delta::read(&mut json),
                b"error" => self.failure = Failure::read(&mut json),
            );
        }
        json.end()
    }
}

impl<'e> Delta<'e> {
    const NOTHING: Delta<'static> = Delta {
        text: Piece::EMPTY,
        thinking: Piece::EMPTY,
        tool_plan: Piece::EMPTY,
        call_id: Piece::EMPTY,
        call_name: Piece::EMPTY,
        arguments: Piece::EMPTY,
        finish_reason: Piece::EMPTY,
        failure: None,
        usage: Told::NOTHING,
    };

    fn read(json: &mut Json<'e>) -> Self {
        let mut delta = Delta::NOTHING;
        if json.enter_object() {
            members!(json,
                b"message" => delta.read_message(json),
                b"finish_reason" => delta.finish_reason = json.text(),
                b"error" => delta.failure = Failure::read(json),
                b"usage" => delta.usage = read_tokens(json),
            );
        }
        delta
    }

    fn read_message(&mut self, json: &mut Json<'e>) {
        // Of two messages the last one counts.
        *self = Delta {
            finish_reason: self.finish_reason,
            failure: self.failure,
            usage: self.usage,
            ..Delta::NOTHING
        };
        if !json.enter_object() {
            return;
        }
        members!(json,
            b"content" => self.read_content(json),
            b"tool_plan" => self.tool_plan = json.text(),
            b"tool_calls" => self.read_call(json),
        );
    }

    fn read_content(&mut self, json: &mut Json<'e>) {
        (self.text, self.thinking) = (Piece::EMPTY, Piece::EMPTY);
        if !json.enter_object() {
            return;
        }
        members!(json,
            b"text" => self.text = json.text(),
            b"thinking" => self.thinking = json.text(),
        );
    }

    fn read_call(&mut self, json: &mut Json<'e>) {
        self.call_id = Piece::EMPTY;
        (self.call_name, self.arguments) = (Piece::EMPTY, Piece::EMPTY);
        if !json.enter_object() {
            return;
        }
        members!(json,
            b"id" => self.call_id = json.text(),
            b"function" => self.read_function(json),
        );
    }

    fn read_function(&mut self, json: &mut Json<'e>) {
        (self.call_name, self.arguments) = (Piece::EMPTY, Piece::EMPTY);
        if !json.enter_object() {
            return;
        }
        members!(json,
            b"name" => self.call_name = json.text(),
            b"arguments" => self.arguments = json.text(),
        );
    }
}

/// The tokens of a usage; the billed units, where there are no tokens.
fn read_tokens(json: &mut Json<'_>) -> Told {
    let mut tokens = Told::NOTHING;
    let mut billed = Told::NOTHING;
    let mut cached = None;
    if json.enter_object() {
        members!(json,
            b"tokens" => tokens = read_usage(json),
            b"billed_units" => billed = read_usage(json),
            b"cached_tokens" => cached = json.number(),
        );
    }
    let mut told = if tokens.is_unknown() { billed } else { tokens };
    if cached.is_some() {
        told.set(Count::InputCached, cached);
    }
    told
}
