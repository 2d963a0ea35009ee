//! Stage 2, OpenAI Chat Completions and servers compatible with it: one chunk's
//! JSON in, a unit out.

use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::reason::Reason;
use crate::signal::Usage;
use crate::state::Track;
use crate::unit::{Due, Failure, Unit, WORD_LEN_MAX, word};

/// The call of the deprecated `function_call`, which has no index.
const FUNCTION_CALL_KEY: u32 = u32::MAX;

pub(crate) fn read<'e>(
    data: &'e [u8],
    unit: &mut Unit<'e>,
    track: &mut Track,
) -> Result<(), JsonError> {
    let mut json = Json::new(data);
    let mut failure = None;
    if json.enter_object() {
        members!(json,
            b"choices" => read_choices(&mut json, unit),
            b"usage" => unit.usage = read_usage(&mut json),
            b"error" => failure = Failure::read(&mut json),
        );
    }
    json.end()?;
    if unit.outer_at == 0 && failure.is_none() {
        failure = read_bare_failure(data);
    }
    unit.announce_failure(failure);
    unit.announce_usage();
    if unit.outer_at > 0 {
        settle_choice(unit, track);
        unit.due.add_if(!unit.outer.is_empty(), Due::OUTER);
    }
    Ok(())
}

/// Older vLLM sends the error without a wrapper: `"object":"error"`.
fn read_bare_failure(data: &[u8]) -> Option<Failure<'_>> {
    let is_error = Json::new(data).text_of(b"object") == "error";
    is_error.then(|| Failure::flat(data))
}

/// Goes on with the next choice of the event; false after the last.
pub(crate) fn read_next_choice(unit: &mut Unit<'_>, track: &mut Track) -> bool {
    let mut json = Json::elements(unit.outer);
    if !json.element() {
        return false;
    }
    unit.clear_part();
    read_choice(&mut json, unit);
    unit.outer = json.remaining();
    settle_choice(unit, track);
    true
}

/// Goes on with the next tool call of the choice; false after the last.
pub(crate) fn read_next_call(unit: &mut Unit<'_>) -> bool {
    let mut json = Json::elements(unit.inner);
    if !json.element() {
        return false;
    }
    unit.clear_call();
    read_call(&mut json, unit);
    unit.inner = json.remaining();
    unit.announce_arguments();
    true
}

fn read_choices<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    // The last of two keys counts, so nothing of an earlier one may stay.
    unit.clear_choices();
    if json.enter_array() && json.element() {
        read_choice(json, unit);
        unit.outer = json.rest_of_array();
    }
}

/// Reads a choice whose number is its place unless it says otherwise.
#[inline]
fn read_choice<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.choice = unit.outer_at;
    unit.outer_at += 1;
    unit.word = Piece::EMPTY;
    if !json.enter_object() {
        return;
    }
    members!(json,
        b"delta" => read_delta(json, unit),
        b"index" => {
            let index = json.number().unwrap_or(0);
            unit.choice = u32::try_from(index).unwrap_or(u32::MAX);
        },
        b"finish_reason" => unit.word = json.text(),
    );
}

#[inline]
fn read_delta<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.begin_part();
    if !json.enter_object() {
        return;
    }
    let mut reasoning_content = None;
    members!(json,
        b"content" => unit.text = json.text(),
        b"reasoning" => unit.reasoning = json.text(),
        b"reasoning_content" => reasoning_content = json.string(),
        b"refusal" => unit.refusal = json.text(),
        b"tool_calls" => {
            unit.clear_call();
            (unit.inner, unit.inner_at) = (&[], 0);
            if json.enter_array() && json.element() {
                read_call(json, unit);
                unit.inner = json.rest_of_array();
            }
        },
        b"function_call" => read_function_call(json, unit),
    );
    // vLLM sends the same text under both names.
    if unit.reasoning.is_empty() {
        unit.reasoning = reasoning_content.unwrap_or(Piece::EMPTY);
    }
}

/// Reads a tool call whose number is its place unless it says otherwise.
fn read_call<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.key = unit.inner_at;
    unit.inner_at += 1;
    if !json.enter_object() {
        return;
    }
    unit.due.add(Due::CALL);
    members!(json,
        b"index" => {
            if let Some(index) = json.number() {
                unit.key = u32::try_from(index).unwrap_or(u32::MAX);
            }
        },
        b"id" => unit.call_id = json.text(),
        b"function" => read_function(json, unit),
    );
}

fn read_function<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.call_name = Piece::EMPTY;
    unit.arguments = Piece::EMPTY;
    if !json.enter_object() {
        return;
    }
    members!(json,
        b"name" => unit.call_name = json.text(),
        b"arguments" => unit.arguments = json.any().unwrap_or(Piece::EMPTY),
    );
}

fn read_function_call<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    if json.peek() != b'{' {
        json.skip();
        return;
    }
    read_function(json, unit);
    unit.key = FUNCTION_CALL_KEY;
    unit.due.add(Due::CALL);
}

fn read_usage(json: &mut Json<'_>) -> Usage {
    let mut usage = Usage::UNKNOWN;
    if json.enter_object() {
        members!(json,
            b"prompt_tokens" => usage.input_tokens = json.number(),
            b"completion_tokens" => usage.output_tokens = json.number(),
        );
    }
    usage
}

/// What a choice that was read comes to.
#[inline]
fn settle_choice(unit: &mut Unit<'_>, track: &mut Track) {
    if !track.choices.see(unit.choice) {
        track.is_overfull = true;
    }
    let mut buffer = [0; WORD_LEN_MAX];
    let finish = word(unit.word, &mut buffer);
    // Some gateways send an empty reason with each chunk: it ends nothing.
    let reason = (!finish.is_empty()).then(|| Reason::of_chat(finish));
    if unit.choice == track.choice {
        unit.announce_pieces();
        unit.due.add_if(!unit.inner.is_empty(), Due::INNER);
        let closes = reason.is_some_and(Reason::closes_calls);
        unit.due.add_if(closes, Due::CLOSE_ALL);
    } else {
        pass_over(unit);
    }
    if let Some(reason) = reason {
        unit.announce_finish(reason, unit.word);
        unit.due.add(Due::CHECK);
    }
}

/// A choice that was not chosen counts, and is not shown.
fn pass_over(unit: &mut Unit<'_>) {
    let pieces = [
        unit.text,
        unit.reasoning,
        unit.refusal,
        unit.arguments,
        unit.call_name,
    ];
    let has_output = pieces.iter().any(|piece| !piece.is_empty());
    unit.due.add_if(has_output, Due::OTHER_CHOICE);
    unit.clear_call();
}

/// What a skipped chunk comes to, of which only the first bytes are known: it
/// had no output if its choices are there and empty.
pub(crate) fn read_skipped(head: &[u8]) -> Option<Unit<'static>> {
    let mut json = Json::new(head);
    let mut is_empty = false;
    if json.enter_object() {
        members!(json, b"choices" => {
            let has_choice = !json.enter_array() || json.element();
            if has_choice || json.has_failed() {
                return None;
            }
            is_empty = true;
        });
    }
    is_empty.then_some(Unit::NOTHING)
}
