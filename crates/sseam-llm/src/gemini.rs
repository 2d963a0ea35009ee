//! Stage 2, Gemini with `alt=sse`: one response's JSON in, a unit out.
//!
//! The stream has no terminal event. That every candidate has its finish reason
//! is looked at when the stream ends; only a blocked prompt ends it before.

use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::reason::Reason;
use crate::signal::Usage;
use crate::state::Track;
use crate::unit::{Due, Failure, Unit, WORD_LEN_MAX, word};

#[inline(never)]
pub(crate) fn read<'e>(
    data: &'e [u8],
    unit: &mut Unit<'e>,
    track: &mut Track,
) -> Result<(), JsonError> {
    let mut json = Json::new(data);
    let mut failure = None;
    let mut block_reason = Piece::EMPTY;
    if json.enter_object() {
        members!(json,
            b"candidates" => read_candidates(&mut json, unit),
            b"usageMetadata" => unit.usage = read_usage(&mut json),
            b"promptFeedback" => block_reason = json.text_of(b"blockReason"),
            b"error" => failure = Failure::read(&mut json),
        );
    }
    json.end()?;
    unit.announce_failure(failure);
    unit.announce_usage();
    if unit.outer_at > 0 {
        settle_candidate(unit, track);
        unit.due.add_if(!unit.outer.is_empty(), Due::OUTER);
    } else if !block_reason.is_empty() {
        unit.announce_finish(Reason::PromptBlocked, block_reason);
        unit.due.add(Due::TERMINAL);
    }
    Ok(())
}

/// Goes on with the next candidate of the event; false after the last.
pub(crate) fn read_next_candidate(unit: &mut Unit<'_>, track: &mut Track) -> bool {
    let mut json = Json::elements(unit.outer);
    if !json.element() {
        return false;
    }
    read_candidate(&mut json, unit);
    unit.outer = json.remaining();
    settle_candidate(unit, track);
    true
}

/// Goes on with the next part of the candidate; false after the last.
pub(crate) fn read_next_part(unit: &mut Unit<'_>, track: &mut Track) -> bool {
    let mut json = Json::elements(unit.inner);
    if !json.element() {
        return false;
    }
    read_part(&mut json, unit);
    unit.inner = json.remaining();
    announce_part(unit, track);
    true
}

fn read_candidates<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    // The last of two keys counts, so nothing of an earlier one may stay.
    unit.clear_choices();
    if json.enter_array() && json.element() {
        read_candidate(json, unit);
        unit.outer = json.rest_of_array();
    }
}

/// Reads a candidate whose number is its place unless it says otherwise.
fn read_candidate<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.choice = unit.outer_at;
    unit.outer_at += 1;
    unit.word = Piece::EMPTY;
    unit.clear_part();
    unit.inner = &[];
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
    unit.clear_part();
    unit.inner = &[];
    if !json.enter_object() {
        return;
    }
    members!(json,
        b"parts" => {
            unit.clear_part();
            unit.inner = &[];
            if json.enter_array() && json.element() {
                read_part(json, unit);
                unit.inner = json.rest_of_array();
            }
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
        );
    }
    if is_thought {
        unit.reasoning = core::mem::replace(&mut unit.text, Piece::EMPTY);
    }
}

/// Reads a function call, which always comes whole.
fn read_call<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.clear_call();
    if !json.enter_object() {
        return;
    }
    unit.due.add(Due::CALL);
    unit.due.add(Due::CLOSE);
    members!(json,
        b"id" => unit.call_id = json.text(),
        b"name" => unit.call_name = json.text(),
        b"args" => unit.arguments = json.any().unwrap_or(Piece::EMPTY),
    );
}

fn read_usage(json: &mut Json<'_>) -> Usage {
    let mut usage = Usage::UNKNOWN;
    if json.enter_object() {
        members!(json,
            b"promptTokenCount" => usage.input_tokens = json.number(),
            b"candidatesTokenCount" => usage.output_tokens = json.number(),
        );
    }
    usage
}

/// What a candidate that was read comes to.
fn settle_candidate(unit: &mut Unit<'_>, track: &mut Track) {
    if !track.choices.see(unit.choice) {
        track.is_overfull = true;
    }
    if unit.choice == track.choice {
        announce_part(unit, track);
        unit.due.add_if(!unit.inner.is_empty(), Due::INNER);
    } else {
        let pieces = [unit.text, unit.reasoning, unit.call_name];
        let has_output = pieces.iter().any(|piece| !piece.is_empty());
        unit.due.add_if(has_output, Due::OTHER_CHOICE);
        unit.clear_call();
    }
    let mut buffer = [0; WORD_LEN_MAX];
    if let Some(reason) = Reason::of_gemini(word(unit.word, &mut buffer)) {
        // STOP is also said of a turn that is a function call.
        let is_call = reason == Reason::Stop && track.has_client_calls;
        let reason = if is_call { Reason::ToolCalls } else { reason };
        unit.announce_finish(reason, unit.word);
    }
}

/// Announces what a part says. The API gives its calls no key: they are numbered.
fn announce_part(unit: &mut Unit<'_>, track: &mut Track) {
    unit.announce_pieces();
    if unit.due.has(Due::CALL) {
        track.has_client_calls = true;
        unit.key = track.next_key;
        track.next_key = track.next_key.wrapping_add(1);
    }
}
