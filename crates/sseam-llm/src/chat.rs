//! Stage 2, OpenAI Chat Completions and servers compatible with it: one chunk's
//! JSON in, a unit out.
//!
//! The servers that call themselves compatible are many. What is read here is what
//! they were seen to send: content as a list of parts, reasoning under four names,
//! `message` in the place of `delta`, the text of a legacy completion, custom tools,
//! usage in three places, errors in four.

mod delta; // What a choice brings: texts, lists of parts, calls.

use crate::due::Due;
use crate::failure::{self, Failure};
use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::list::{List, ListKind};
use crate::piece::Piece;
use crate::reading::Context;
use crate::reason::{Reason, Weight};
use crate::unit::{Unit, WORD_LEN_MAX, reason_of, word};
use crate::usage::{Count, Told};

pub(crate) use delta::read_inner;

#[inline]
pub(crate) fn read<'e>(
    data: &'e [u8],
    unit: &mut Unit<'e>,
    context: &Context<'_>,
) -> Result<(), JsonError> {
    let mut json = Json::new(data);
    let mut failure = None;
    let mut vendor: &[u8] = &[];
    let mut vendor_code = Piece::EMPTY;
    if json.enter_object() {
        members!(hot json,
            b"choices" => read_choices(&mut json, unit),
            b"id" => if !json.skip_known(context.known.id) {
                unit.sender.id = json.text();
            },
            b"model" => if !json.skip_known(context.known.model) {
                unit.sender.model = json.text();
            },
            b"usage" => {
                let usage = read_usage(&mut json);
                unit.has_shape |= !usage.is_unknown();
                unit.usage.update(&usage);
            },
            b"x_groq" => read_inner_usage(&mut json, unit),
            b"error" | b"errors" => failure = Failure::read(&mut json),
            b"base_resp" => vendor = json.value(),
            b"error_code" => vendor_code = json.any().unwrap_or(Piece::EMPTY),
        );
    }
    json.end()?;
    if failure.is_none() && !vendor.is_empty() {
        failure = failure::of_vendor(vendor);
    }
    if failure.is_none() && !vendor_code.is_empty() && !failure::is_good_code(vendor_code) {
        failure = Failure::of_event(data);
    }
    unit.announce_failure(failure);
    unit.announce_usage();
    if unit.has_choice {
        settle_choice(unit, context.choice);
        unit.due.add_if(!unit.outer.rest.is_empty(), Due::OUTER);
    }
    unit.sender.has_part = unit.has_choice;
    Ok(())
}

/// Goes on with the next choice of the event; false after the last.
pub(crate) fn read_outer(unit: &mut Unit<'_>, chosen: u32) -> bool {
    let at = unit.outer.at;
    let Some((_, choice)) = unit.outer.next() else {
        return false;
    };
    unit.clear_part();
    unit.clear_lists();
    unit.has_part = false;
    read_choice(&mut Json::new(choice), unit, at);
    settle_choice(unit, chosen);
    true
}

fn read_choices<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    unit.has_shape = true;
    // The last of two keys counts, so nothing of an earlier one may stay.
    if unit.has_choice {
        unit.clear_part();
        unit.clear_lists();
        unit.outer = List::NONE;
        (unit.has_part, unit.has_choice) = (false, false);
        unit.due = Due::NOTHING;
    }
    if json.enter_array() && json.element() {
        read_choice(json, unit, 0);
        unit.outer = List {
            rest: json.rest_of_array(),
            at: 1,
            kind: ListKind::Choices,
        };
    }
}

/// Reads a choice whose number is its place unless it says otherwise.
#[inline]
fn read_choice<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>, place: u32) {
    unit.has_choice = true;
    unit.choice = place;
    unit.word = Piece::EMPTY;
    let mut native_word = Piece::EMPTY;
    let mut message: &[u8] = &[];
    if !json.enter_object() {
        return;
    }
    members!(hot json,
        b"delta" => delta::read(json, unit),
        b"index" => {
            let index = json.number().unwrap_or(0);
            unit.choice = u32::try_from(index).unwrap_or(u32::MAX);
        },
        b"finish_reason" => unit.word = json.text(),
        b"native_finish_reason" => native_word = json.text(),
        b"message" => message = json.value(),
        b"text" => unit.text = json.text(),
        b"error" => {
            let failure = Failure::read(json);
            unit.announce_failure(failure);
        },
        b"usage" => {
            let usage = read_usage(json);
            unit.usage.update(&usage);
        },
    );
    if !unit.word.is_empty()
        && let Some(reason) = finish_of(unit.word, native_word)
    {
        unit.announce_finish(reason, unit.word);
    }
    if !message.is_empty() && !unit.has_output() {
        delta::read(&mut Json::new(message), unit);
        unit.due.add(Due::MESSAGE);
    }
}

/// Usage within another object, as `x_groq`.
fn read_inner_usage<'e>(json: &mut Json<'e>, unit: &mut Unit<'e>) {
    if json.enter_object() {
        members!(json,
            b"usage" => {
                let usage = read_usage(json);
                unit.usage.update(&usage);
            },
            b"error" => {
                let failure = Failure::read(json);
                unit.announce_failure(failure);
            },
        );
    }
}

fn read_usage(json: &mut Json<'_>) -> Told {
    let mut told = Told::NOTHING;
    if json.enter_object() {
        members!(json,
            b"prompt_tokens" => told.set(Count::Input, json.number()),
            b"completion_tokens" => told.set(Count::Output, json.number()),
            b"total_tokens" => told.set(Count::Total, json.number()),
            b"prompt_tokens_details" => {
                told.set(Count::InputCached, json.number_of(b"cached_tokens"));
            },
            b"prompt_cache_hit_tokens" => told.set(Count::InputCached, json.number()),
            b"completion_tokens_details" => {
                told.set(Count::OutputReasoning, json.number_of(b"reasoning_tokens"));
            },
        );
    }
    told
}

/// What a choice that was read comes to.
#[inline]
fn settle_choice(unit: &mut Unit<'_>, chosen: u32) {
    if unit.choice == chosen {
        unit.announce_pieces();
        let has_list = unit.inner.iter().any(|list| !list.rest.is_empty());
        unit.due.add_if(has_list, Due::INNER);
    } else {
        // A choice that was not chosen counts, and is not shown.
        let has_output = unit.has_output() || unit.due.has(Due::CALL);
        unit.due.add_if(has_output, Due::OTHER_CHOICE);
        unit.due.remove(Due::MEDIA);
        unit.due.remove(Due::MESSAGE);
        unit.clear_call();
        unit.clear_lists();
    }
}

/// Why a choice ended. A router may put a mild word in the place of the one that
/// its upstream gave, which then stands beside it.
#[inline(never)]
fn finish_of(finish: Piece<'_>, native: Piece<'_>) -> Option<Reason> {
    let reason = reason_of(finish)?;
    let native = Reason::known(word(native, &mut [0; WORD_LEN_MAX]));
    let is_other = |native: &Reason| native.weight() != reason.weight();
    let may_differ = reason.weight() != Weight::Failed;
    Some(
        native
            .filter(is_other)
            .filter(|_| may_differ)
            .unwrap_or(reason),
    )
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
