//! Stage 2, Anthropic Messages: one event's JSON in, a unit out.

use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::reason::Reason;
use crate::responses::read_usage;
use crate::signal::Usage;
use crate::state::Track;
use crate::unit::{Due, Failure, Unit, WORD_LEN_MAX, lookup, word, word_or};

/// The fields of an event that mean something here.
struct Fields<'e> {
    kind: Piece<'e>,
    index: u64,
    delta: Delta<'e>,
    block: Block<'e>,
    usage: Usage,
    failure: Option<Failure<'e>>,
}

/// What came to a block, or to the message.
struct Delta<'e> {
    text: Piece<'e>,
    thinking: Piece<'e>,
    partial_json: Piece<'e>,
    stop_reason: Piece<'e>,
}

/// A block that starts.
struct Block<'e> {
    kind: Piece<'e>,
    id: Piece<'e>,
    name: Piece<'e>,
    text: Piece<'e>,
    thinking: Piece<'e>,
}

/// What an event is about.
#[derive(Clone, Copy)]
enum Kind {
    Delta,
    Start,
    Stop,
    MessageStart,
    MessageDelta,
    MessageStop,
    Ping,
    Error,
}

const KINDS: &[(&str, Kind)] = &[
    ("content_block_delta", Kind::Delta),
    ("content_block_start", Kind::Start),
    ("content_block_stop", Kind::Stop),
    ("message_start", Kind::MessageStart),
    ("message_delta", Kind::MessageDelta),
    ("message_stop", Kind::MessageStop),
    ("ping", Kind::Ping),
    ("error", Kind::Error),
];

/// Reads an event; `event_type` is that of its SSE event, which says the same as
/// the JSON's `type` and is taken where that has none.
#[inline(never)]
pub(crate) fn read<'e>(
    data: &'e [u8],
    event_type: &[u8],
    unit: &mut Unit<'e>,
    track: &mut Track,
) -> Result<(), JsonError> {
    let mut fields = Fields::NOTHING;
    fields.read(data)?;
    let mut buffer = [0; WORD_LEN_MAX];
    let kind = word_or(fields.kind, event_type, &mut buffer);
    unit.key = u32::try_from(fields.index).unwrap_or(u32::MAX);
    unit.usage = fields.usage;
    match lookup(kind, KINDS) {
        Some(Kind::Delta) => {
            unit.text = fields.delta.text;
            unit.reasoning = fields.delta.thinking;
            unit.arguments = fields.delta.partial_json;
            unit.due.add_if(!unit.arguments.is_empty(), Due::CALL);
        }
        Some(Kind::Start) => start_block(unit, &fields.block, track),
        Some(Kind::Stop) => {
            unit.is_progress = true;
            unit.due.add(Due::CLOSE);
        }
        Some(Kind::MessageDelta) => finish(unit, fields.delta.stop_reason),
        Some(Kind::MessageStop) => unit.due.add(Due::TERMINAL),
        Some(Kind::MessageStart) => {}
        Some(Kind::Ping) => unit.due.add(Due::KEEP_ALIVE),
        Some(Kind::Error) => {
            unit.announce_failure(Some(fields.failure.unwrap_or(Failure::UNKNOWN)))
        }
        None => unit.announce_failure(fields.failure),
    }
    unit.announce_pieces();
    unit.announce_usage();
    Ok(())
}

/// What a skipped event comes to, of which only the type is known.
///
/// Not so `message_delta`: the reason it told might be a refusal.
pub(crate) fn read_skipped(event_type: &[u8]) -> Option<Unit<'static>> {
    match lookup(event_type, KINDS)? {
        Kind::MessageStop => Some(Unit::saying(Due::TERMINAL)),
        Kind::Ping => Some(Unit::saying(Due::KEEP_ALIVE)),
        Kind::MessageStart | Kind::Stop => Some(Unit::NOTHING),
        _ => None,
    }
}

fn start_block<'e>(unit: &mut Unit<'e>, block: &Block<'e>, track: &mut Track) {
    unit.is_progress = true;
    // The first bytes of a block may come with its start.
    unit.text = block.text;
    unit.reasoning = block.thinking;
    let is_for_client = block.kind == "tool_use";
    if is_for_client || block.kind == "server_tool_use" || block.kind == "mcp_tool_use" {
        track.has_client_calls |= is_for_client;
        (unit.call_id, unit.call_name) = (block.id, block.name);
        unit.due.add(Due::CALL);
    }
}

fn finish<'e>(unit: &mut Unit<'e>, stop_reason: Piece<'e>) {
    let mut buffer = [0; WORD_LEN_MAX];
    let reason = word(stop_reason, &mut buffer);
    if !reason.is_empty() {
        unit.announce_finish(Reason::of_anthropic(reason), stop_reason);
    }
}

impl<'e> Fields<'e> {
    const NOTHING: Fields<'static> = Fields {
        kind: Piece::EMPTY,
        index: 0,
        delta: Delta::NOTHING,
        block: Block::NOTHING,
        usage: Usage::UNKNOWN,
        failure: None,
    };

    #[inline]
    fn read(&mut self, data: &'e [u8]) -> Result<(), JsonError> {
        let mut json = Json::new(data);
        if json.enter_object() {
            members!(json,
                b"type" => self.kind = json.text(),
                b"index" => self.index = json.number().unwrap_or(0),
                b"delta" => self.delta = Delta::read(&mut json),
                b"content_block" => self.block = Block::read(&mut json),
                b"usage" => self.usage = read_usage(&mut json),
                b"message" => self.usage = read_message_usage(&mut json),
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
        partial_json: Piece::EMPTY,
        stop_reason: Piece::EMPTY,
    };

    #[inline]
    fn read(json: &mut Json<'e>) -> Self {
        let mut delta = Delta::NOTHING;
        let mut kind = Piece::EMPTY;
        if json.enter_object() {
            members!(json,
                b"type" => kind = json.text(),
                b"text" => delta.text = json.text(),
                b"thinking" => delta.thinking = json.text(),
                b"partial_json" => delta.partial_json = json.text(),
                b"stop_reason" => delta.stop_reason = json.text(),
            );
        }
        // A key of another type of delta is not that delta.
        delta.keep_only(kind);
        delta
    }

    #[inline]
    fn keep_only(&mut self, kind: Piece<'_>) {
        if kind.is_empty() {
            return;
        }
        let kinds = [
            ("text_delta", &mut self.text),
            ("thinking_delta", &mut self.thinking),
            ("input_json_delta", &mut self.partial_json),
        ];
        for (name, piece) in kinds {
            if !piece.is_empty() && kind != name {
                *piece = Piece::EMPTY;
            }
        }
    }
}

impl<'e> Block<'e> {
    const NOTHING: Block<'static> = Block {
        kind: Piece::EMPTY,
        id: Piece::EMPTY,
        name: Piece::EMPTY,
        text: Piece::EMPTY,
        thinking: Piece::EMPTY,
    };

    fn read(json: &mut Json<'e>) -> Self {
        let mut block = Block::NOTHING;
        if json.enter_object() {
            members!(json,
                b"type" => block.kind = json.text(),
                b"id" => block.id = json.text(),
                b"name" => block.name = json.text(),
                b"text" => block.text = json.text(),
                b"thinking" => block.thinking = json.text(),
            );
        }
        block
    }
}

/// The usage of the message that starts.
fn read_message_usage(json: &mut Json<'_>) -> Usage {
    let mut usage = Usage::UNKNOWN;
    if json.enter_object() {
        members!(json,
            b"usage" => usage = read_usage(json),
        );
    }
    usage
}
