//! Stage 2, Gemini Interactions: one event's JSON in, a unit out.

use crate::calls::{CallKind, Name};
use crate::due::Due;
use crate::failure::Failure;
use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::reason::Reason;
use crate::unit::{Unit, WORD_LEN_MAX, is_empty_object, lookup, reason_of, word, word_or};
use crate::usage::{Count, Told};

/// The fields of an event that mean something here.
struct Fields<'e> {
    kind: Piece<'e>,
    event_id: Piece<'e>,
    index: u64,
    status: Piece<'e>,
    step: Step<'e>,
    delta: Delta<'e>,
    interaction: Interaction<'e>,
    failure: Option<Failure<'e>>,
}

/// A step that starts.
struct Step<'e> {
    kind: Piece<'e>,
    id: Piece<'e>,
    name: Piece<'e>,
    arguments: Piece<'e>,
}

/// What came to a step.
struct Delta<'e> {
    kind: Piece<'e>,
    text: Piece<'e>,
    /// `content.text`, of a thought's summary.
    content: Piece<'e>,
    arguments: Piece<'e>,
}

struct Interaction<'e> {
    id: Piece<'e>,
    model: Piece<'e>,
    status: Piece<'e>,
    usage: Told,
    failure: Option<Failure<'e>>,
}

/// What an event is about.
#[derive(Clone, Copy)]
enum Kind {
    Created,
    Update,
    Start,
    Delta,
    Stop,
    Completed,
    Error,
}

const KINDS: &[(&str, Kind)] = &[
    ("interaction.created", Kind::Created),
    ("interaction.status_update", Kind::Update),
    ("step.start", Kind::Start),
    ("step.delta", Kind::Delta),
    ("step.stop", Kind::Stop),
    ("interaction.completed", Kind::Completed),
    ("error", Kind::Error),
];

/// Whether an event of this type may hold output, or tell what came of it.
pub(crate) fn may_hold_output(event_type: &[u8]) -> bool {
    let kind = lookup(event_type, KINDS);
    kind.is_some() && !matches!(kind, Some(Kind::Created | Kind::Update | Kind::Stop))
}

/// Reads an event; `event_type` is that of its SSE event, which says the same as
/// the JSON's and is taken where that has none.
#[inline(never)]
pub(crate) fn read<'e>(
    data: &'e [u8],
    event_type: &[u8],
    unit: &mut Unit<'e>,
) -> Result<(), JsonError> {
    let mut fields = Fields::NOTHING;
    fields.read(data)?;
    let mut buffer = [0; WORD_LEN_MAX];
    let name = word_or(fields.kind, event_type, &mut buffer);
    let kind = lookup(name, KINDS);
    unit.has_shape = kind.is_some();
    unit.event_id = fields.event_id;
    unit.name = Name {
        index: Some(u32::try_from(fields.index).unwrap_or(u32::MAX)),
        ..Name::NONE
    };
    (unit.sender.id, unit.sender.model) = (fields.interaction.id, fields.interaction.model);
    match kind {
        Some(Kind::Created) => unit.sender.is_start = true,
        Some(Kind::Delta) => take_delta(unit, &fields.delta),
        Some(Kind::Start) => start(unit, &fields.step),
        Some(Kind::Stop) => {
            (unit.is_progress, unit.only_closes) = (true, true);
            unit.due.add(Due::CLOSE);
        }
        Some(Kind::Completed) => end(unit, &fields.interaction),
        Some(Kind::Update) => update(unit, &fields),
        Some(Kind::Error) => {
            let failure = fields.failure.or_else(|| Failure::of_event(data));
            unit.announce_failure(Some(failure.unwrap_or(Failure::UNKNOWN)));
        }
        None => {}
    }
    if !unit.due.has(Due::ERROR) {
        unit.announce_failure(fields.failure);
    }
    unit.announce_pieces();
    unit.announce_usage();
    Ok(())
}

/// What an event comes to of which only the type is known. Not so
/// `interaction.completed`, which may say that the interaction failed.
pub(crate) fn read_skipped(event_type: &[u8]) -> Option<Unit<'static>> {
    match lookup(event_type, KINDS)? {
        Kind::Created | Kind::Update | Kind::Stop => Some(Unit::NOTHING),
        _ => None,
    }
}

/// A step begins: a call of some kind, or the model's words.
fn start<'e>(unit: &mut Unit<'e>, step: &Step<'e>) {
    unit.is_progress = true;
    let mut buffer = [0; WORD_LEN_MAX];
    let kind = word(step.kind, &mut buffer);
    if !kind.ends_with(b"_call") {
        unit.takes_index = true;
        unit.due.add_if(kind.ends_with(b"_result"), Due::MEDIA);
        return;
    }
    unit.call_id = step.id;
    unit.call_name = match step.name.is_empty() {
        true => step.kind,
        false => step.name,
    };
    unit.name = Name {
        id: step.id,
        id_opens: true,
        is_start: true,
        ..unit.name
    };
    unit.kind = CallKind {
        is_client: kind == b"function_call",
        is_json: true,
    };
    unit.due.add(Due::CALL);
    // An empty object holds the place of arguments that follow.
    if !is_empty_object(step.arguments) {
        unit.arguments = step.arguments;
        unit.is_told = true;
    }
}

fn take_delta<'e>(unit: &mut Unit<'e>, delta: &Delta<'e>) {
    let mut buffer = [0; WORD_LEN_MAX];
    match word(delta.kind, &mut buffer) {
        b"text" => unit.text = delta.text,
        b"thought_summary" | b"thought" => {
            unit.reasoning = match delta.content.is_empty() {
                true => delta.text,
                false => delta.content,
            };
        }
        _ if !delta.arguments.is_empty() => {
            unit.arguments = delta.arguments;
            unit.due.add(Due::CALL);
        }
        // An image, audio, a result, or what is not known yet.
        _ => unit.announce_media(),
    }
}

fn end<'e>(unit: &mut Unit<'e>, interaction: &Interaction<'e>) {
    unit.usage = interaction.usage;
    match reason_of(interaction.status).unwrap_or(Reason::Other) {
        Reason::Error => {
            unit.announce_failure(Some(interaction.failure.unwrap_or(Failure::UNKNOWN)));
        }
        reason => {
            unit.announce_failure(interaction.failure);
            unit.announce_finish(reason, interaction.status);
        }
    }
    unit.due.add(Due::TERMINAL);
}

/// Of the statuses on the way only the bad ones say how it will end.
fn update<'e>(unit: &mut Unit<'e>, fields: &Fields<'e>) {
    match reason_of(fields.status) {
        Some(Reason::Error) => {
            unit.announce_failure(Some(fields.failure.unwrap_or(Failure::UNKNOWN)));
        }
        Some(Reason::Cancelled) => unit.announce_finish(Reason::Cancelled, fields.status),
        _ => {}
    }
}

impl<'e> Fields<'e> {
    const NOTHING: Fields<'static> = Fields {
        kind: Piece::EMPTY,
        event_id: Piece::EMPTY,
        index: 0,
        status: Piece::EMPTY,
        step: Step::NOTHING,
        delta: Delta::NOTHING,
        interaction: Interaction::NOTHING,
        failure: None,
    };

    fn read(&mut self, data: &'e [u8]) -> Result<(), JsonError> {
        let mut json = Json::new(data);
        if json.enter_object() {
            members!(json,
                b"event_type" => self.kind = json.text(),
                b"event_id" => self.event_id = json.text(),
                b"index" => self.index = json.number().unwrap_or(0),
                b"status" => self.status = json.text(),
                b"step" => self.step = Step::read(&mut json),
                b"delta" => self.delta = Delta::read(&mut json),
                b"interaction" => self.interaction = Interaction::read(&mut json),
                b"error" => self.failure = Failure::read(&mut json),
            );
        }
        json.end()
    }
}

impl<'e> Step<'e> {
    const NOTHING: Step<'static> = Step {
        kind: Piece::EMPTY,
        id: Piece::EMPTY,
        name: Piece::EMPTY,
        arguments: Piece::EMPTY,
    };

    fn read(json: &mut Json<'e>) -> Self {
        let mut step = Step::NOTHING;
        if json.enter_object() {
            members!(json,
                b"type" => step.kind = json.text(),
                b"id" => step.id = json.text(),
                b"name" => step.name = json.text(),
                b"arguments" => step.arguments = json.any().unwrap_or(Piece::EMPTY),
            );
        }
        step
    }
}

impl<'e> Delta<'e> {
    const NOTHING: Delta<'static> = Delta {
        kind: Piece::EMPTY,
        text: Piece::EMPTY,
        content: Piece::EMPTY,
        arguments: Piece::EMPTY,
    };

    fn read(json: &mut Json<'e>) -> Self {
        let mut delta = Delta::NOTHING;
        if json.enter_object() {
            members!(json,
                b"type" => delta.kind = json.text(),
                b"text" => delta.text = json.text(),
                b"content" => delta.content = json.text_of(b"text"),
                b"arguments" | b"partial_arguments" => {
                    delta.arguments = json.any().unwrap_or(Piece::EMPTY);
                },
            );
        }
        delta
    }
}

impl<'e> Interaction<'e> {
    const NOTHING: Interaction<'static> = Interaction {
        id: Piece::EMPTY,
        model: Piece::EMPTY,
        status: Piece::EMPTY,
        usage: Told::NOTHING,
        failure: None,
    };

    fn read(json: &mut Json<'e>) -> Self {
        let mut interaction = Interaction::NOTHING;
        if json.enter_object() {
            members!(json,
                b"id" => interaction.id = json.text(),
                b"model" => interaction.model = json.text(),
                b"status" => interaction.status = json.text(),
                b"usage" => interaction.usage = read_usage(json),
                b"error" => interaction.failure = Failure::read(json),
            );
        }
        interaction
    }
}

fn read_usage(json: &mut Json<'_>) -> Told {
    let mut told = Told::NOTHING;
    if json.enter_object() {
        members!(json,
            b"total_input_tokens" => told.set(Count::Input, json.number()),
            b"total_cached_tokens" => told.set(Count::InputCached, json.number()),
            b"total_output_tokens" => told.set(Count::Output, json.number()),
            b"total_thought_tokens" => told.set(Count::OutputReasoning, json.number()),
            b"total_tokens" => told.set(Count::Total, json.number()),
        );
    }
    told.leaves_reasoning_out = true;
    told
}
