//! Stage 2, Gemini with `alt=sse`: one response's JSON in, a unit out.
//!
//! The stream has no terminal event. That every candidate has its finish reason
//! is looked at when the stream ends; only a blocked prompt ends it before.

use crate::calls::Name;
use crate::due::Due;
use crate::failure::Failure;
use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::list::{List, ListKind};
use crate::piece::Piece;
use crate::reading::{Context, Known};
use crate::reason::Reason;
use crate::unit::{Unit, reason_of};
use crate::usage::{Count, Told};

#[inline(never)]
pub(crate) fn read<'e>(
    data: &'e [u8],
    unit: &mut Unit<'e>,
    context: &Context<'_>,
) -> Result<(), JsonError> {
    let mut json = Json::new(data);
    let mut block_reason = Piece::EMPTY;
    read_response(&mut json, unit, &mut block_reason, Some(context.known));
    json.end()?;
    unit.announce_usage();
    if unit.has_choice {
        settle_candidate(unit, context.choice);
        unit.due.add_if(!unit.outer.rest.is_empty(), Due::OUTER);
    } else if !block_reason.is_empty() {
        unit.announce_finish(Reason::PromptBlocked, block_reason);
        unit.due.add(Due::TERMINAL);
    }
    unit.sender.has_part = unit.has_choice;
    Ok(())
}

/// Reads a response; Code Assist wraps each in an object of its own, of which nothing
/// is known before.
fn read_response<'e>(
    json: &mut Json<'e>,
    unit: &mut Unit<'e>,
    block_reason: &mut Piece<'e>,
    known: Option<Known<'_>>,
) {
    if !json.enter_object() {
        return;
    }
    let Known { id, model, .. } = known.unwrap_or(Known::NOTHING);
    members!(hot json,
        b"response" => match known {
            Some(_) => read_response(&mut Json::new(json.value()), unit, block_reason, None),
            None => json.skip(),
        },
        b"candidates" => read_candidates(json, unit),
        b"usageMetadata" => unit.usage = read_usage(json, unit),
        b"promptFeedback" => *block_reason = read_feedback(json, unit),
        b"responseId" => if !json.skip_known(id) {
            unit.sender.id = json.text();
        },
        b"modelVersion" => if !json.skip_known(model) {
            unit.sender.model = json.text();
        },
        b"error" | b"errors" => {
            let failure = Failure::read(json);
            unit.announce_failure(failure);
        },
    );
}

/// Goes on with the next candidate of the event; false after the last.
pub(crate) fn read_outer(unit: &mut Unit<'_>, chosen: u32) -> bool {
    let at = unit.outer.at;
    let Some((_, candidate)) = unit.outer.next() else {
        return false;
    };
    read_candidate(&mut Json::new(candidate), unit, at);
    settle_candidate(unit, chosen);
    true
}

/// Goes on with the next part of the candidate; false after the last.
pub(crate) fn read_inner(unit: &mut Unit<'_>) -> bool {
    let Some(list) = unit.last_list() else {
        return false;
    };
    let Some((_, part)) = list.next() else {
        return false;
    };
    read_part(&mut Json::new(part), unit);
    unit.announce_pieces();
    true
}

fn read_candidates<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.has_shape = true;
    // The last of two keys counts, so nothing of an earlier one may stay.
    unit.has_choice = false;
    unit.outer = List::NONE;
    unit.clear_lists();
    if json.enter_array() && json.element() {
        read_candidate(json, unit, 0);
        unit.outer = List {
            rest: json.rest_of_array(),
            at: 1,
            kind: ListKind::Choices,
        };
    }
}

/// Reads a candidate whose number is its place unless it says otherwise.
fn read_candidate<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>, place: u32) {
    unit.has_choice = true;
    unit.choice = place;
    unit.word = Piece::EMPTY;
    unit.clear_part();
    unit.clear_lists();
    if !json.enter_object() {
        return;
    }
    members!(json,
        b"content" => read_content(json, unit),
        b"finishReason" => unit.word = json.text(),
        b"index" => {
            let index = json.number().unwrap_or(0);
            unit.choice = u32::try_from(index).unwrap_or(u32::MAX);
        }
    );
}

fn read_content<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.clear_lists();
    if !json.enter_object() {
        return;
    }
    members!(json,
        b"parts" => {
            unit.clear_lists();
            unit.push_array(ListKind::Parts, json.value());
        }
    );
}

fn read_part<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.clear_part();
    let mut is_thought = false;
    if json.enter_object() {
        members!(json,
            b"text" => unit.text = json.text(),
            b"thought" => is_thought = json.is_true(),
            b"functionCall" => read_call(json, unit),
            b"inlineData" | b"fileData" | b"executableCode" | b"codeExecutionResult" => {
                unit.announce_media();
                json.skip();
            },
        );
    }
    if is_thought {
        unit.reasoning = core::mem::replace(&mut unit.text, Piece::EMPTY);
    }
}

/// Reads a function call: whole, or a piece of one that will continue.
fn read_call<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.clear_call();
    if !json.enter_object() {
        return;
    }
    let mut goes_on = false;
    members!(json,
        b"id" => unit.call_id = json.text(),
        b"name" => unit.call_name = json.text(),
        b"args" => unit.arguments = json.any().unwrap_or(Piece::EMPTY),
        b"partialArgs" => unit.partials = List::of(json.value(), ListKind::Parts),
        b"willContinue" => goes_on = json.is_true(),
    );
    let is_start = !unit.call_name.is_empty();
    unit.name = Name {
        id: unit.call_id,
        is_start,
        ..Name::NONE
    };
    unit.opens_none = !is_start;
    unit.is_partial = goes_on || !unit.partials.rest.is_empty() || !is_start;
    unit.due.add(Due::CALL);
    unit.due.add_if(unit.is_partial, Due::PARTIAL);
    unit.due.add_if(!goes_on, Due::CLOSE);
}

fn read_feedback<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) -> Piece<'e> {
    unit.has_shape = true;
    json.text_of(b"blockReason")
}

fn read_usage<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) -> Told {
    unit.has_shape = true;
    let mut told = Told::NOTHING;
    if json.enter_object() {
        members!(json,
            b"promptTokenCount" => told.set(Count::Input, json.number()),
            b"cachedContentTokenCount" => told.set(Count::InputCached, json.number()),
            b"candidatesTokenCount" => told.set(Count::Output, json.number()),
            b"thoughtsTokenCount" => told.set(Count::OutputReasoning, json.number()),
            b"totalTokenCount" => told.set(Count::Total, json.number()),
        );
    }
    told.leaves_reasoning_out = true;
    told
}

/// What a candidate that was read comes to.
fn settle_candidate(unit: &mut Unit<'_>, chosen: u32) {
    if unit.choice == chosen {
        unit.due.add(Due::INNER);
    } else {
        unit.due.add_if(unit.has_output(), Due::OTHER_CHOICE);
        unit.clear_call();
        unit.clear_lists();
    }
    if let Some(reason) = reason_of(unit.word) {
        unit.announce_finish(reason, unit.word);
    }
}
