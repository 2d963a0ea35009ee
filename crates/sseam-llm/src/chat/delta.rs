//! Stage 2, what a choice of Chat brings: a delta, or a message in its place, in;
//! texts, lists of parts and calls of a unit out.

use crate::calls::{CallKind, Name};
use crate::due::Due;
use crate::json::{Json, members};
use crate::list::ListKind;
use crate::piece::Piece;
use crate::unit::Unit;

/// The call of the deprecated `function_call`, which has no index.
const FUNCTION_CALL_INDEX: u32 = u32::MAX - 1;

#[inline]
pub(super) fn read<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    if unit.has_part {
        unit.clear_part();
        unit.clear_lists();
    }
    unit.has_part = true;
    if !json.enter_object() {
        return;
    }
    let mut reasoning_content = Piece::EMPTY;
    let mut lists = Lists::NONE;
    members!(hot json,
        b"content" => match json.peek() {
            b'[' => lists.content = json.value(),
            _ => unit.text = json.text(),
        },
        b"role" => unit.sender.has_role |= !json.text().is_empty(),
        b"reasoning" => unit.reasoning = json.text(),
        b"reasoning_content" => reasoning_content = read_reasoning(json),
        b"reasoning_details" => lists.details = json.value(),
        b"refusal" => unit.refusal = json.text(),
        b"tool_calls" => lists.calls = json.value(),
        b"function_call" => read_function_call(json, unit),
        b"audio" | b"images" => {
            if !is_nothing(json.value()) {
                unit.announce_media();
            }
        },
    );
    // Servers send the same text under several names: the first that has any.
    if unit.reasoning.is_empty() {
        unit.reasoning = reasoning_content;
    }
    if !lists.is_empty() {
        lists.push_to(unit);
    }
}

/// Lists within a delta, as they stand.
struct Lists<'e> {
    content: &'e [u8],
    details: &'e [u8],
    calls: &'e [u8],
}

impl<'e> Lists<'e> {
    const NONE: Lists<'static> = Lists {
        content: &[],
        details: &[],
        calls: &[],
    };

    const fn is_empty(&self) -> bool {
        self.content.is_empty() && self.details.is_empty() && self.calls.is_empty()
    }

    /// Hands them to the unit; what is read first comes last.
    #[inline(never)]
    fn push_to(self, unit: &mut Unit<'e>) {
        unit.push_array(ListKind::Parts, self.calls);
        unit.push_array(ListKind::Content, self.content);
        if unit.reasoning.is_empty() {
            unit.push_array(ListKind::Details, self.details);
        }
    }
}

/// Reasoning that is a string, or an object that holds it.
fn read_reasoning<'e>(json: &mut Json<'e>) -> Piece<'e> {
    if json.peek() != b'{' {
        return json.text();
    }
    let mut text = Piece::EMPTY;
    if json.enter_object() {
        members!(json, b"text" | b"content" | b"reasoning" => text = json.text());
    }
    text
}

/// Whether a value says that there is nothing.
fn is_nothing(value: &[u8]) -> bool {
    matches!(value, b"null" | b"[]" | b"{}" | b"\"\"")
}

/// Goes on with the next element of the innermost list; false after the last.
pub(crate) fn read_inner(unit: &mut Unit<'_>) -> bool {
    let Some(list) = unit.last_list() else {
        return false;
    };
    let kind = list.kind;
    let Some((_, element)) = list.next() else {
        return true;
    };
    unit.clear_part();
    let mut json = Json::new(element);
    match kind {
        ListKind::Content => read_content(&mut json, unit),
        ListKind::Details => read_detail(&mut json, unit),
        ListKind::Parts | ListKind::Choices => read_call(&mut json, unit),
    }
    unit.announce_pieces();
    true
}

/// Reads a part of content: text, or what the model thought.
fn read_content<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    if json.peek() == b'"' {
        unit.text = json.text();
        return;
    }
    let mut thinking: &[u8] = &[];
    let mut has_media = false;
    if json.enter_object() {
        members!(json,
            b"text" => unit.text = json.text(),
            b"refusal" => unit.refusal = json.text(),
            b"thinking" => match json.peek() {
                b'[' => thinking = json.value(),
                _ => unit.reasoning = json.text(),
            },
            b"image_url" | b"audio" | b"input_audio" => {
                has_media = true;
                json.skip();
            },
        );
    }
    if has_media {
        unit.announce_media();
    }
    unit.push_array(ListKind::Details, thinking);
}

/// Reads a detail of the reasoning, or a part of thinking.
fn read_detail<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    if json.peek() == b'"' {
        unit.reasoning = json.text();
        return;
    }
    let mut summary = Piece::EMPTY;
    if json.enter_object() {
        members!(json,
            b"text" | b"thinking" => unit.reasoning = json.text(),
            b"summary" => summary = json.text(),
        );
    }
    if unit.reasoning.is_empty() {
        unit.reasoning = summary;
    }
    if unit.reasoning.is_empty() {
        // Encrypted reasoning comes on too.
        unit.announce_media();
    }
}

/// Reads a tool call, or a piece of one.
fn read_call<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    if !json.enter_object() {
        return;
    }
    unit.due.add(Due::CALL);
    let mut index = None;
    members!(json,
        b"index" => index = json.number(),
        b"id" => unit.call_id = json.any().unwrap_or(Piece::EMPTY),
        b"type" => unit.kind.is_json &= json.text() != "custom",
        b"function" => read_function(json, unit),
        b"custom" => {
            unit.kind.is_json = false;
            read_function(json, unit);
        },
    );
    unit.name = Name {
        id: unit.call_id,
        index: index.map(|index| u32::try_from(index).unwrap_or(u32::MAX)),
        id_opens: true,
        ..Name::NONE
    };
}

fn read_function<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.call_name = Piece::EMPTY;
    unit.arguments = Piece::EMPTY;
    if !json.enter_object() {
        return;
    }
    members!(json,
        b"name" => unit.call_name = json.text(),
        b"arguments" | b"input" => unit.arguments = json.any().unwrap_or(Piece::EMPTY),
    );
}

fn read_function_call<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    if json.peek() != b'{' {
        json.skip();
        return;
    }
    read_function(json, unit);
    unit.kind = CallKind::FUNCTION;
    unit.name = Name {
        index: Some(FUNCTION_CALL_INDEX),
        ..Name::NONE
    };
    unit.due.add(Due::CALL);
}
