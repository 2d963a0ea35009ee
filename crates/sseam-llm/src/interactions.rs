//! Stage 2, Gemini Interactions: one event's JSON in, a unit out.

use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::reason::Reason;
use crate::signal::Usage;
use crate::state::Track;
use crate::unit::{Due, Failure, Unit, WORD_LEN_MAX, lookup, word, word_or};

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
    status: Piece<'e>,
    usage: Usage,
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

/// Reads an event and its `event_id`; `event_type` is that of its SSE event,
/// which says the same as the JSON's and is taken where that has none.
#[inline(never)]
pub(crate) fn read<'e>(
    data: &'e [u8],
    event_type: &[u8],
    unit: &mut Unit<'e>,
    track: &mut Track,
) -> Result<Piece<'e>, JsonError> {
    let mut fields = Fields::NOTHING;
    fields.read(data)?;
    let mut buffer = [0; WORD_LEN_MAX];
    let kind = word_or(fields.kind, event_type, &mut buffer);
    unit.key = u32::try_from(fields.index).unwrap_or(u32::MAX);
    match lookup(kind, KINDS) {
        Some(Kind::Delta) => read_delta(unit, &fields.delta),
        Some(Kind::Start) => {
            unit.is_progress = true;
            if fields.step.kind == "function_call" {
                track.has_client_calls = true;
                (unit.call_id, unit.call_name) = (fields.step.id, fields.step.name);
                unit.due.add(Due::CALL);
            }
        }
        Some(Kind::Stop) => {
            unit.is_progress = true;
            unit.due.add(Due::CLOSE);
        }
        Some(Kind::Completed) => end(unit, &fields.interaction),
        Some(Kind::Update) => update(unit, &fields),
        Some(Kind::Error) => {
            unit.announce_failure(Some(fields.failure.unwrap_or(Failure::UNKNOWN)))
        }
        _ => unit.announce_failure(fields.failure),
    }
    unit.announce_pieces();
    unit.announce_usage();
    Ok(fields.event_id)
}

/// What a skipped event comes to, of which only the type is known. Not so
/// `interaction.completed`, which may say that the interaction failed.
pub(crate) fn read_skipped(event_type: &[u8]) -> Option<Unit<'static>> {
    match lookup(event_type, KINDS)? {
        Kind::Created | Kind::Update | Kind::Stop => Some(Unit::NOTHING),
        _ => None,
    }
}

fn read_delta<'e>(unit: &mut Unit<'e>, delta: &Delta<'e>) {
    let mut buffer = [0; WORD_LEN_MAX];
    match word(delta.kind, &mut buffer) {
        b"text" => unit.text = delta.text,
        b"thought_summary" | b"thought" => {
            unit.reasoning = match delta.content.is_empty() {
                true => delta.text,
                false => delta.content,
            };
        }
        _ => {
            unit.arguments = delta.arguments;
            unit.due.add_if(!delta.arguments.is_empty(), Due::CALL);
        }
    }
}

fn end<'e>(unit: &mut Unit<'e>, interaction: &Interaction<'e>) {
    let mut buffer = [0; WORD_LEN_MAX];
    let reason = Reason::of_interaction_status(word(interaction.status, &mut buffer));
    unit.usage = interaction.usage;
    match reason.unwrap_or(Reason::Other) {
        Reason::Error => {
            unit.announce_failure(Some(interaction.failure.unwrap_or(Failure::UNKNOWN)));
        }
        reason => unit.announce_finish(reason, interaction.status),
    }
    unit.due.add(Due::TERMINAL);
}

/// Of the statuses on the way only the bad ones say how it will end.
fn update<'e>(unit: &mut Unit<'e>, fields: &Fields<'e>) {
    let mut buffer = [0; WORD_LEN_MAX];
    match Reason::of_interaction_status(word(fields.status, &mut buffer)) {
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
    };

    fn read(json: &mut Json<'e>) -> Self {
        let mut step = Step::NOTHING;
        if json.enter_object() {
            members!(json,
                b"type" => step.kind = json.text(),
                b"id" => step.id = json.text(),
                b"name" => step.name = json.text(),
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
                b"arguments" => delta.arguments = json.any().unwrap_or(Piece::EMPTY),
            );
        }
        delta
    }
}

impl<'e> Interaction<'e> {
    const NOTHING: Interaction<'static> = Interaction {
        status: Piece::EMPTY,
        usage: Usage::UNKNOWN,
        failure: None,
    };

    fn read(json: &mut Json<'e>) -> Self {
        let mut interaction = Interaction::NOTHING;
        if json.enter_object() {
            members!(json,
                b"status" => interaction.status = json.text(),
                b"usage" => interaction.usage = read_usage(json),
                b"error" => interaction.failure = Failure::read(json),
            );
        }
        interaction
    }
}

fn read_usage(json: &mut Json<'_>) -> Usage {
    let mut usage = Usage::UNKNOWN;
    if json.enter_object() {
        members!(json,
            b"total_input_tokens" => usage.input_tokens = json.number(),
            b"total_output_tokens" => usage.output_tokens = json.number(),
        );
    }
    usage
}
