//! Stage 2, the items of a response's output: one that was added, ended, or stands
//! in the response that ends, in; a call or texts of a unit out.
//!
//! Most of these calls are no functions: a shell, a computer, a patch, a search.
//! They are opened and closed as what they are, under the name of their kind where
//! they have no other, and their action stands as their arguments.

use crate::calls::{CallKind, Name};
use crate::due::Due;
use crate::json::{Json, members};
use crate::list::ListKind;
use crate::piece::Piece;
use crate::repeats::SUMMARY;
use crate::unit::{Unit, WORD_LEN_MAX, word};

/// An output item, as far as it is a tool call or has texts.
pub(super) struct OutputItem<'e> {
    pub(super) kind: Piece<'e>,
    pub(super) id: Piece<'e>,
    call_id: Piece<'e>,
    name: Piece<'e>,
    status: Piece<'e>,
    execution: Piece<'e>,
    environment: Piece<'e>,
    arguments: Piece<'e>,
    /// Those are a string, and not an object.
    has_text_arguments: bool,
    content: &'e [u8],
    summary: &'e [u8],
    result: bool,
}

impl<'e> OutputItem<'e> {
    pub(super) const NOTHING: OutputItem<'static> = OutputItem {
        kind: Piece::EMPTY,
        id: Piece::EMPTY,
        call_id: Piece::EMPTY,
        name: Piece::EMPTY,
        status: Piece::EMPTY,
        execution: Piece::EMPTY,
        environment: Piece::EMPTY,
        arguments: Piece::EMPTY,
        has_text_arguments: true,
        content: &[],
        summary: &[],
        result: false,
    };

    pub(super) fn read(json: &mut Json<'e>) -> Self {
        let mut item = OutputItem::NOTHING;
        if json.enter_object() {
            members!(json,
                b"type" => item.kind = json.text(),
                b"id" => item.id = json.text(),
                b"call_id" => item.call_id = json.text(),
                b"name" => item.name = json.text(),
                b"status" => item.status = json.text(),
                b"execution" => item.execution = json.text(),
                b"environment" => item.environment = json.text_of(b"type"),
                b"arguments" | b"input" | b"code" | b"action" | b"operation" | b"queries" => {
                    item.has_text_arguments = json.peek() == b'"';
                    item.arguments = json.any().unwrap_or(Piece::EMPTY);
                },
                b"content" => item.content = json.value(),
                b"summary" => item.summary = json.value(),
                b"result" => item.result = json.peek() == b'"' && !json.text().is_empty(),
            );
        }
        item
    }

    /// Whether it is a call; the outputs of calls are not.
    fn is_call(&self) -> bool {
        let mut buffer = [0; WORD_LEN_MAX];
        word(self.kind, &mut buffer).ends_with(b"_call")
    }

    fn call_kind(&self) -> CallKind {
        let is = |name: &str| self.kind == name;
        let is_client = match () {
            () if is("shell_call") => {
                // In a container of the server's it runs there.
                self.environment.is_empty() || self.environment == "local"
            }
            () if is("tool_search_call") => self.execution == "client",
            () => CLIENT_CALLS.iter().any(|name| is(name)),
        };
        let is_text = is("custom_tool_call") || is("code_interpreter_call");
        CallKind {
            is_client,
            is_json: !is_text,
        }
    }
}

/// What the caller is to run; other calls run at the server.
const CLIENT_CALLS: &[&str] = &[
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "computer_call",
    "apply_patch_call",
];

/// What kind of call these arguments are of, where nothing announced it.
pub(super) fn kind_of_arguments(event: &[u8]) -> CallKind {
    let is_of = |prefix: &str| event.starts_with(prefix.as_bytes());
    CallKind {
        is_client: is_of("response.function_call") || is_of("response.custom_tool_call"),
        is_json: is_of("response.function_call") || is_of("response.mcp_call"),
    }
}

/// An item began.
pub(super) fn add<'e>(unit: &mut Unit<'e>, item: &OutputItem<'e>) {
    unit.is_progress = true;
    if !item.is_call() {
        return;
    }
    name_call(unit, item);
    unit.name.is_start = true;
    // An object is told again when the item ends, mostly with more in it.
    if item.has_text_arguments && !item.arguments.is_empty() {
        unit.arguments = item.arguments;
        unit.is_told = true;
    }
}

/// An item ended: a call is closed with it, and texts that no event told stand in
/// it.
pub(super) fn end<'e>(unit: &mut Unit<'e>, item: &OutputItem<'e>) {
    unit.is_progress = true;
    unit.is_repeat = true;
    if item.is_call() {
        name_call(unit, item);
        unit.arguments = item.arguments;
        unit.has_text_arguments = item.has_text_arguments;
        unit.is_cut = item.status == "incomplete";
        unit.due.add(Due::CLOSE);
        if item.result {
            unit.announce_media();
        }
        return;
    }
    unit.push_array(ListKind::Parts, item.content);
    unit.push_array(ListKind::Details, item.summary);
    unit.due.add(Due::INNER);
}

fn name_call<'e>(unit: &mut Unit<'e>, item: &OutputItem<'e>) {
    unit.call_id = match item.call_id.is_empty() {
        true => item.id,
        false => item.call_id,
    };
    unit.call_name = match item.name.is_empty() {
        true => item.kind,
        false => item.name,
    };
    unit.kind = item.call_kind();
    (unit.name.id_opens, unit.name.is_item) = (true, true);
    unit.due.add(Due::CALL);
}

/// Marks a unit as one that says again what deltas brought.
pub(super) fn repeat(unit: &mut Unit<'_>, is_summary: bool, summary_index: u16) {
    (unit.is_repeat, unit.is_progress) = (true, true);
    if is_summary {
        unit.part.part = summary_index | SUMMARY;
    }
}

/// Reads a part of an item: a text, a refusal, or a piece of reasoning.
pub(super) fn read_text<'e>(part: &'e [u8], is_reasoning: bool, unit: &mut Unit<'e>) {
    let (mut kind, mut text) = (Piece::EMPTY, Piece::EMPTY);
    let mut json = Json::new(part);
    if json.enter_object() {
        members!(json,
            b"type" => kind = json.text(),
            b"text" => text = json.text(),
            b"refusal" => unit.refusal = json.text(),
        );
    }
    match is_reasoning || kind == "reasoning_text" || kind == "summary_text" {
        true => unit.reasoning = text,
        false => unit.text = text,
    }
}

/// Goes on with the next part of an item; false after the last.
pub(crate) fn read_inner(unit: &mut Unit<'_>) -> bool {
    let Some(list) = unit.last_list() else {
        return false;
    };
    let is_summary = list.kind == ListKind::Details;
    let Some((at, part)) = list.next() else {
        return true;
    };
    // The item is still the same one.
    let name = unit.name;
    unit.clear_part();
    unit.name = name;
    unit.part.part = super::narrow(Some(u64::from(at))) | if is_summary { SUMMARY } else { 0 };
    read_text(part, is_summary, unit);
    unit.announce_pieces();
    true
}

/// Goes on with the next item of a response that ended; false after the last.
pub(crate) fn read_outer(unit: &mut Unit<'_>) -> bool {
    let Some((index, item)) = unit.outer.next() else {
        return false;
    };
    let item = OutputItem::read(&mut Json::new(item));
    unit.clear_part();
    unit.clear_lists();
    unit.part.index = super::narrow(Some(u64::from(index)));
    unit.name = Name {
        id: item.id,
        index: Some(index),
        is_repeat: true,
        ..Name::NONE
    };
    end(unit, &item);
    unit.announce_pieces();
    true
}
