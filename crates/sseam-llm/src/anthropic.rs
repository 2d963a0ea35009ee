//! Stage 2, Anthropic Messages: one event's JSON in, a unit out.

use crate::calls::{CallKind, Name};
use crate::due::Due;
use crate::failure::Failure;
use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::list::ListKind;
use crate::piece::Piece;
use crate::responses::read_usage;
use crate::unit::{Unit, WORD_LEN_MAX, is_empty_object, lookup, reason_of, word, word_or};
use crate::usage::Told;

/// The fields of an event that mean something here.
struct Fields<'e> {
    kind: Piece<'e>,
    index: u64,
    delta: Delta<'e>,
    block: Block<'e>,
    usage: Told,
    message: Message<'e>,
    failure: Option<Failure<'e>>,
}

/// A message that starts.
struct Message<'e> {
    id: Piece<'e>,
    model: Piece<'e>,
    stop_reason: Piece<'e>,
    content: &'e [u8],
    usage: Told,
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
    input: Piece<'e>,
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

/// Whether an event of this type may hold output, or tell what came of it.
pub(crate) fn may_hold_output(event_type: &[u8]) -> bool {
    let kind = lookup(event_type, KINDS);
    kind.is_some() && !matches!(kind, Some(Kind::MessageStop | Kind::Ping | Kind::Stop))
}

/// Reads an event; `event_type` is that of its SSE event, which says the same as
/// the JSON's `type` and is taken where that has none.
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
    unit.name = Name {
        index: Some(u32::try_from(fields.index).unwrap_or(u32::MAX)),
        ..Name::NONE
    };
    unit.usage = fields.usage;
    match kind {
        Some(Kind::Delta) => take_delta(unit, &fields.delta),
        Some(Kind::Start) => {
            unit.is_progress = true;
            // The first bytes of a block may come with its start.
            unit.is_free = true;
            take_block(unit, &fields.block);
            unit.takes_index = !unit.due.has(Due::CALL);
        }
        Some(Kind::Stop) => {
            (unit.is_progress, unit.only_closes) = (true, true);
            unit.due.add(Due::CLOSE);
        }
        Some(Kind::MessageDelta) => finish(unit, fields.delta.stop_reason),
        Some(Kind::MessageStop) => unit.due.add(Due::TERMINAL),
        Some(Kind::MessageStart) => start(unit, &fields.message),
        Some(Kind::Ping) => unit.due.add(Due::KEEP_ALIVE),
        Some(Kind::Error) => {
            let failure = fields.failure.or_else(|| Failure::of_event(data));
            unit.announce_failure(Some(failure.unwrap_or(Failure::UNKNOWN)));
        }
        None => {}
    }
    if !matches!(kind, Some(Kind::Error)) {
        unit.announce_failure(fields.failure);
    }
    unit.announce_pieces();
    unit.announce_usage();
    Ok(())
}

/// What an event comes to of which only the type is known.
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

fn take_delta<'e>(unit: &mut Unit<'e>, delta: &Delta<'e>) {
    unit.text = delta.text;
    unit.reasoning = delta.thinking;
    unit.arguments = delta.partial_json;
    unit.due.add_if(!unit.arguments.is_empty(), Due::CALL);
    if unit.text.is_empty() && unit.reasoning.is_empty() && unit.arguments.is_empty() {
        // A signature, a citation, or what is not known yet.
        unit.is_progress = true;
    }
}

/// A message begins; proxies that got it whole put its content here.
fn start<'e>(unit: &mut Unit<'e>, message: &Message<'e>) {
    unit.sender.is_start = true;
    (unit.sender.id, unit.sender.model) = (message.id, message.model);
    unit.usage = message.usage;
    unit.push_array(ListKind::Parts, message.content);
    let has_content = unit.last_list().is_some();
    unit.due.add_if(has_content, Due::INNER);
    finish(unit, message.stop_reason);
}

/// Goes on with the next block of a message's content; false after the last.
pub(crate) fn read_inner(unit: &mut Unit<'_>) -> bool {
    let Some(list) = unit.last_list() else {
        return false;
    };
    let Some((index, block)) = list.next() else {
        return true;
    };
    let block = Block::read(&mut Json::new(block));
    unit.clear_part();
    // Blocks that follow tell it again.
    (unit.is_foretold, unit.is_free) = (true, true);
    unit.name.index = Some(index);
    take_block(unit, &block);
    unit.due.add_if(unit.due.has(Due::CALL), Due::CLOSE);
    unit.announce_pieces();
    true
}

fn take_block<'e>(unit: &mut Unit<'e>, block: &Block<'e>) {
    (unit.text, unit.reasoning) = (block.text, block.thinking);
    let mut buffer = [0; WORD_LEN_MAX];
    let kind = word(block.kind, &mut buffer);
    let is_client = kind == b"tool_use";
    if !is_client && !kind.ends_with(b"_tool_use") {
        // A result of the server's tools, a document, hidden thoughts.
        let is_text = kind.is_empty() || kind == b"text" || kind == b"thinking";
        unit.due.add_if(!is_text, Due::MEDIA);
        return;
    }
    (unit.call_id, unit.call_name) = (block.id, block.name);
    unit.name = Name {
        id: block.id,
        is_start: true,
        id_opens: true,
        ..unit.name
    };
    unit.kind = CallKind {
        is_client,
        is_json: true,
    };
    unit.due.add(Due::CALL);
    // An empty object holds the place of an input that follows.
    if !is_empty_object(block.input) {
        unit.arguments = block.input;
        unit.is_told = true;
    }
}

fn finish<'e>(unit: &mut Unit<'e>, stop_reason: Piece<'e>) {
    if let Some(reason) = reason_of(stop_reason) {
        unit.announce_finish(reason, stop_reason);
    }
}

impl<'e> Fields<'e> {
    const NOTHING: Fields<'static> = Fields {
        kind: Piece::EMPTY,
        index: 0,
        delta: Delta::NOTHING,
        block: Block::NOTHING,
        usage: Told::NOTHING,
        message: Message::NOTHING,
        failure: None,
    };

    #[inline]
    fn read(&mut self, data: &'e [u8]) -> Result<(), JsonError> {
        let mut json = Json::new(data);
        if json.enter_object() {
            members!(hot json,
                b"type" => self.kind = json.text(),
                b"index" => self.index = json.number().unwrap_or(0),
                b"delta" => self.delta = Delta::read(&mut json),
                b"content_block" => self.block = Block::read(&mut json),
                b"usage" => self.usage = usage(&mut json),
                b"message" => self.message = Message::read(&mut json),
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
            members!(hot json,
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
        input: Piece::EMPTY,
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
                b"input" => block.input = json.any().unwrap_or(Piece::EMPTY),
            );
        }
        block
    }
}

impl<'e> Message<'e> {
    const NOTHING: Message<'static> = Message {
        id: Piece::EMPTY,
        model: Piece::EMPTY,
        stop_reason: Piece::EMPTY,
        content: &[],
        usage: Told::NOTHING,
    };

    /// Reads a message; of an error event it may be a string, which is none.
    fn read(json: &mut Json<'e>) -> Self {
        let mut message = Message::NOTHING;
        if json.enter_object() {
            members!(json,
                b"id" => message.id = json.text(),
                b"model" => message.model = json.text(),
                b"stop_reason" => message.stop_reason = json.text(),
                b"content" => message.content = json.value(),
                b"usage" => message.usage = usage(json),
            );
        }
        message
    }
}

/// Token counts, of which the input is told without what the cache holds.
fn usage(json: &mut Json<'_>) -> Told {
    let mut told = read_usage(json);
    told.leaves_cache_out = true;
    told
}
