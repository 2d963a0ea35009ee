//! Stage 2, OpenAI Responses: one event's JSON in, a unit out.
//!
//! What an event is about is in its `type`; the SSE event type says the same and
//! is taken where the JSON has none.

mod fields; // What an event has that means something here.
mod items; // What an item of the output is: a call, or texts.

pub(crate) use fields::read_usage;
pub(crate) use items::{read_inner, read_outer};

use crate::calls::Name;
use crate::due::Due;
use crate::failure::Failure;
use crate::fault::JsonError;
use crate::list::{List, ListKind};
use crate::piece::Piece;
use crate::reading::Known;
use crate::reason::Reason;
use crate::repeats::{PartName, SUMMARY};
use crate::unit::{Unit, WORD_LEN_MAX, lookup, reason_of, word, word_or};
use fields::{Fields, Head, Response};

/// Reads an event; `event_type` is that of its SSE event.
pub(crate) fn read<'e>(
    data: &'e [u8],
    event_type: &[u8],
    unit: &mut Unit<'e>,
    known: Known<'_>,
) -> Result<(), JsonError> {
    let mut head = Head::read(data, known)?;
    unit.sequence_number = head.sequence_number;
    let mut buffer = [0; WORD_LEN_MAX];
    let kind = word_or(head.kind, event_type, &mut buffer);
    unit.name.id = head.item_id;
    unit.part = PartName {
        item: 0,
        index: narrow(head.output_index),
        part: narrow(head.content_index),
    };
    unit.is_of_last_item = head.is_of_last_item;
    if kind == b"response.output_text.delta" {
        unit.has_shape = true;
        unit.text = head.delta;
    } else {
        if head.is_of_last_item {
            // What most events need not know.
            head = Head::read_all(data)?;
            unit.name.id = head.item_id;
            unit.part.index = narrow(head.output_index);
        }
        read_kind(data, kind, &head, unit);
    }
    unit.announce_pieces();
    Ok(())
}

/// What an event is about.
#[derive(Clone, Copy)]
enum Kind {
    Refusal,
    Reasoning,
    Summary,
    /// The whole of a text that deltas brought.
    WholeText,
    WholeSummary,
    /// The same within a part.
    WholePart,
    WholeSummaryPart,
    Arguments,
    AllArguments,
    /// Of what is no JSON by itself: shown when the item ends.
    Details,
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
    ("response.output_text.done", Kind::WholeText),
    ("response.content_part.done", Kind::WholePart),
    ("response.reasoning_text.delta", Kind::Reasoning),
    ("response.reasoning_text.done", Kind::WholeText),
    ("response.reasoning_summary_text.delta", Kind::Summary),
    ("response.reasoning_summary_text.done", Kind::WholeSummary),
    (
        "response.reasoning_summary_part.done",
        Kind::WholeSummaryPart,
    ),
    ("response.refusal.delta", Kind::Refusal),
    ("response.refusal.done", Kind::WholeText),
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
    ("response.shell_call_command.delta", Kind::Details),
    (
        "response.apply_patch_call_operation_diff.delta",
        Kind::Details,
    ),
    ("response.completed", Kind::End),
    ("response.done", Kind::End),
    ("response.incomplete", Kind::End),
    ("response.failed", Kind::End),
    ("response.cancelled", Kind::End),
    ("error", Kind::Error),
    ("keepalive", Kind::KeepAlive),
    ("ping", Kind::KeepAlive),
];

/// Whether an event of this type may hold output, or tell what came of it.
pub(crate) fn may_hold_output(event_type: &[u8]) -> bool {
    let kind = lookup(event_type, KINDS);
    let is_nothing = matches!(kind, Some(Kind::Created | Kind::Nothing | Kind::KeepAlive));
    knows_type(event_type) && !is_nothing
}

/// Whether the API has events of this type; it adds some each month.
fn knows_type(event_type: &[u8]) -> bool {
    event_type.starts_with(b"response.") || lookup(event_type, KINDS).is_some()
}

/// Reads an event of any type but that of output text.
#[inline(never)]
fn read_kind<'e>(data: &'e [u8], name: &[u8], head: &Head<'e>, unit: &mut Unit<'e>) {
    let kind = lookup(name, KINDS);
    unit.has_shape = knows_type(name);
    match kind {
        Some(Kind::Refusal) => unit.refusal = head.delta,
        Some(Kind::Reasoning) => unit.reasoning = head.delta,
        Some(Kind::Summary) => {
            unit.part.part = narrow(head.summary_index) | SUMMARY;
            unit.reasoning = head.delta;
        }
        Some(Kind::Details) => unit.announce_media(),
        Some(Kind::KeepAlive) => unit.due.add(Due::KEEP_ALIVE),
        _ => read_fields(data, kind, name, head, unit),
    }
}

/// Reads an event of which more matters than its delta.
fn read_fields<'e>(
    data: &'e [u8],
    kind: Option<Kind>,
    name: &[u8],
    head: &Head<'e>,
    unit: &mut Unit<'e>,
) {
    let fields = Fields::read(data);
    unit.name = Name {
        id: match head.item_id.is_empty() {
            true => fields.item.id,
            false => head.item_id,
        },
        index: head
            .output_index
            .map(|index| u32::try_from(index).unwrap_or(u32::MAX)),
        ..Name::NONE
    };
    match kind {
        Some(Kind::Arguments) => {
            unit.arguments = head.delta;
            unit.due.add_if(!head.delta.is_empty(), Due::CALL);
            (unit.call_id, unit.call_name) = (head.item_id, fields.name);
            unit.kind = items::kind_of_arguments(name);
        }
        Some(Kind::AllArguments) => {
            (unit.is_repeat, unit.is_progress) = (true, true);
            unit.arguments = fields.arguments;
            (unit.call_id, unit.call_name) = (head.item_id, fields.name);
            unit.kind = items::kind_of_arguments(name);
            unit.due.add_if(!fields.arguments.is_empty(), Due::CALL);
        }
        Some(Kind::WholeText | Kind::WholeSummary) => {
            let is_summary = matches!(kind, Some(Kind::WholeSummary));
            items::repeat(unit, is_summary, narrow(head.summary_index));
            match name.starts_with(b"response.reasoning") {
                true => unit.reasoning = fields.text,
                false => (unit.text, unit.refusal) = (fields.text, fields.refusal),
            }
        }
        Some(Kind::WholePart | Kind::WholeSummaryPart) => {
            let is_summary = matches!(kind, Some(Kind::WholeSummaryPart));
            items::repeat(unit, is_summary, narrow(head.summary_index));
            items::read_text(fields.part, is_summary, unit);
        }
        Some(Kind::ItemAdded) => items::add(unit, &fields.item),
        Some(Kind::ItemDone) => items::end(unit, &fields.item),
        Some(Kind::End) => end(unit, &fields.response, name),
        Some(Kind::Created) => {
            unit.is_background = fields.response.is_background;
            unit.sender.is_start = true;
            take_sender(unit, &fields.response);
        }
        Some(Kind::Error) => {
            let failure = fields.failure.or_else(|| Failure::of_event(data));
            unit.announce_failure(Some(failure.unwrap_or(Failure::UNKNOWN)));
        }
        _ => read_other(name, &fields, unit),
    }
}

/// Reads an event of a type that says nothing but that the answer comes on.
fn read_other<'e>(name: &[u8], fields: &Fields<'e>, unit: &mut Unit<'e>) {
    let ends_with = |suffix: &str| name.ends_with(suffix.as_bytes());
    if ends_with(".delta") || ends_with(".partial_image") {
        unit.announce_media();
    }
    unit.is_progress |= is_step(name);
    unit.announce_failure(fields.failure);
}

/// Whether an event of this type shows that the answer came on: a delta, or the
/// beginning or the end of something.
fn is_step(name: &[u8]) -> bool {
    ["delta", "added", "done", "partial_image"]
        .iter()
        .any(|suffix| name.ends_with(suffix.as_bytes()))
}

/// What an event comes to of which only the type is known.
pub(crate) fn read_skipped(event_type: &[u8]) -> Option<Unit<'static>> {
    let mut unit = Unit::NOTHING;
    match lookup(event_type, KINDS) {
        Some(Kind::End) => match status_of(event_type) {
            Reason::Error => unit.announce_failure(Some(Failure::UNKNOWN)),
            reason => announce_last(&mut unit, reason, Piece::EMPTY),
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
    match name.strip_prefix(b"response.").unwrap_or_default() {
        b"done" => Reason::Stop,
        word => Reason::known(word).unwrap_or(Reason::Other),
    }
}

fn announce_last<'e>(unit: &mut Unit<'e>, reason: Reason, word: Piece<'e>) {
    (unit.reason, unit.word) = (reason, word);
    unit.due.add(Due::LAST_FINISH);
}

fn take_sender<'e>(unit: &mut Unit<'e>, response: &Response<'e>) {
    unit.sender.id = response.id;
    unit.sender.model = response.model;
}

/// The end of the response: the status in it outweighs the event's name where it
/// is worse, and whatever no event told before stands in its output.
fn end<'e>(unit: &mut Unit<'e>, response: &Response<'e>, name: &[u8]) {
    take_sender(unit, response);
    unit.usage = response.usage;
    unit.announce_usage();
    unit.push_output(response.output);
    let said = reason_of(response.status).unwrap_or(Reason::Other);
    let named = status_of(name);
    let reason = if said.weight() > named.weight() {
        said
    } else {
        named
    };
    match reason {
        Reason::Error => {
            unit.announce_failure(Some(response.failure.unwrap_or(Failure::UNKNOWN)));
        }
        Reason::Unfinished => {
            let mut buffer = [0; WORD_LEN_MAX];
            let why = Reason::known(word(response.incomplete_reason, &mut buffer));
            let why = why.filter(|why| why.weight() == reason.weight());
            announce_last(unit, why.unwrap_or(reason), response.incomplete_reason);
        }
        _ => {
            unit.announce_failure(response.failure);
            announce_last(unit, reason, response.status);
        }
    }
    unit.due.add(Due::TERMINAL);
}

impl<'e> Unit<'e> {
    /// Has the items of a response's output read, of which some may be new.
    fn push_output(&mut self, output: &'e [u8]) {
        self.outer = List::of(output, ListKind::Choices);
        self.due.add_if(!self.outer.rest.is_empty(), Due::OUTER);
    }
}

/// A place as it is kept; what is beyond is one place.
fn narrow(index: Option<u64>) -> u16 {
    let index = index.unwrap_or(0);
    u16::try_from(index).unwrap_or(u16::MAX) & INDEX_MAX
}

/// The bits above mark kinds of parts.
const INDEX_MAX: u16 = (1 << 12) - 1;
