//! Stage 3, an event's data to a unit: which dialect reads it, and what all of
//! them have in common. The event alone decides, so that it may be read again.
//!
//! What only one API needs is behind its feature. `cfg!` is a constant, so the
//! code of an API that was left out is compiled, checked, and never linked.

use crate::dialect::Dialect;
use crate::due::Due;
use crate::failure::Failure;
use crate::fault::{JsonError, JsonFault};
use crate::markers::Markers;
use crate::unit::Unit;
use crate::{anthropic, auto, chat, cohere, gemini, interactions, mcp, plain, responses};

/// What reading depends on besides the event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'m> {
    pub(crate) dialect: Dialect,
    /// The choice whose text is wanted.
    pub(crate) choice: u32,
    pub(crate) markers: &'m Markers,
    /// What is known of the answer, and need not be read again.
    pub(crate) known: Known<'m>,
}

/// Texts that most events tell once more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'m> {
    /// The answer's id, where each event has told it so far.
    pub(crate) id: &'m [u8],
    /// The answer's model.
    pub(crate) model: &'m [u8],
    /// The id of the item that was at hand last.
    pub(crate) item_id: &'m [u8],
    /// The type that the event has as an SSE event.
    pub(crate) event_type: &'m [u8],
}

impl Known<'_> {
    pub(crate) const NOTHING: Known<'static> = Known {
        id: &[],
        model: &[],
        item_id: &[],
        event_type: &[],
    };
}

/// What an event says in the terms of all APIs.
#[inline]
pub(crate) fn read<'e>(
    context: &Context<'_>,
    data: &'e [u8],
    event_type: &[u8],
    unit: &mut Unit<'e>,
) {
    if !context.dialect.is_known_api() {
        return read_unknown(context, data, event_type, unit);
    }
    let result = match data.first() {
        // What nearly all events are.
        Some(b'{') if event_type != b"error" => read_api(context, data, event_type, unit),
        _ => read_unusual(context, data, event_type, unit),
    };
    if let Err(fault) = result {
        *unit = unreadable(context.dialect, event_type, fault);
    }
}

/// Reads an event of an API that only the caller knows.
fn read_unknown<'e>(context: &Context<'_>, data: &'e [u8], event_type: &[u8], unit: &mut Unit<'e>) {
    if context.dialect == Dialect::Custom && cfg!(feature = "custom") {
        plain::read_custom(data, event_type, unit, context.markers);
    } else if data.is_empty() {
        unit.due.add(Due::KEEP_ALIVE);
    } else if context.dialect == Dialect::Plain {
        plain::read(data, unit);
    }
}

/// Reads an event that is no JSON object at first sight, or an error.
#[inline(never)]
fn read_unusual<'e>(
    context: &Context<'_>,
    data: &'e [u8],
    event_type: &[u8],
    unit: &mut Unit<'e>,
) -> Result<(), JsonError> {
    let trimmed = data.trim_ascii();
    if event_type == b"error" {
        read_error(context, data, event_type, unit);
    } else if trimmed.is_empty() {
        unit.due.add(Due::KEEP_ALIVE);
    } else if let Some(rest) = trimmed.strip_prefix(b"[DONE]") {
        // An event that was glued to it is lost.
        if rest.contains(&b'{') {
            return Err(UNKNOWN_SHAPE);
        }
        // It means something to Chat Completions alone. Others send it too.
        let is_chat = context.dialect == Dialect::OpenAiChat && cfg!(feature = "openai-chat");
        unit.due.add_if(is_chat, Due::DONE);
    } else if matches!(trimmed.first(), Some(b'{' | b'[')) {
        read_api(context, data, event_type, unit)?;
        // A list is a shape that none but MCP has.
        let is_list = trimmed.first() == Some(&b'[') && trimmed.get(1) != Some(&b']');
        if is_list && !is_mcp(context.dialect) && context.dialect != Dialect::Auto {
            return Err(UNKNOWN_SHAPE);
        }
    } else if is_sign_of_life(trimmed) || is_ping(event_type) {
        unit.due.add(Due::KEEP_ALIVE);
    } else {
        return Err(UNKNOWN_SHAPE);
    }
    Ok(())
}

/// An event of the type `error` is a failure, whatever its data looks like.
fn read_error<'e>(context: &Context<'_>, data: &'e [u8], event_type: &[u8], unit: &mut Unit<'e>) {
    if read_api(context, data, event_type, unit).is_err() {
        *unit = Unit::NOTHING;
    }
    if !unit.due.has(Due::ERROR) || unit.failure.message.is_empty() {
        unit.announce_failure(Some(Failure::of_error_event(data)));
    }
}

/// Reads JSON as the dialect does; where that knows nothing of it, it may be a
/// failure all the same.
#[cfg_attr(target_os = "none", inline(never))]
#[cfg_attr(not(target_os = "none"), inline)]
fn read_api<'e>(
    context: &Context<'_>,
    data: &'e [u8],
    event_type: &[u8],
    unit: &mut Unit<'e>,
) -> Result<(), JsonError> {
    match context.dialect {
        Dialect::OpenAiChat if cfg!(feature = "openai-chat") => chat::read(data, unit, context)?,
        Dialect::OpenAiResponses if cfg!(feature = "openai-responses") => {
            let known = Known {
                event_type,
                ..context.known
            };
            responses::read(data, event_type, unit, known)?;
        }
        Dialect::Anthropic if cfg!(feature = "anthropic") => {
            anthropic::read(data, event_type, unit)?;
        }
        Dialect::Gemini if cfg!(feature = "gemini") => gemini::read(data, unit, context)?,
        Dialect::GeminiInteractions if cfg!(feature = "gemini-interactions") => {
            interactions::read(data, event_type, unit)?;
        }
        Dialect::Cohere if cfg!(feature = "cohere") => cohere::read(data, event_type, unit)?,
        Dialect::Mcp2025 | Dialect::Mcp2026 if cfg!(feature = "mcp") => {
            mcp::read(data, unit, context.markers)?;
        }
        Dialect::Auto if cfg!(feature = "auto") => {
            auto::check(data)?;
        }
        _ => unit.has_shape = true,
    }
    if !unit.has_shape && !unit.due.has(Due::ERROR) {
        unit.announce_failure(Failure::of_event(data));
    }
    Ok(())
}

/// What an event comes to that is not what it ought to be.
///
/// Where an API names its events, one whose type is unknown or never holds output
/// is passed over.
fn unreadable(dialect: Dialect, event_type: &[u8], fault: JsonError) -> Unit<'static> {
    let lost = Unit {
        fault,
        ..Unit::saying(Due::UNREADABLE)
    };
    let is_named = names_events(dialect) && event_type != b"message";
    if !is_named {
        return match is_mcp(dialect) && is_ping(event_type) {
            true => Unit::saying(Due::KEEP_ALIVE),
            false => lost,
        };
    }
    match may_hold_output(dialect, event_type) {
        true => lost,
        false => Unit::NOTHING,
    }
}

/// Whether an event of this type may hold output, in an API that names them.
fn may_hold_output(dialect: Dialect, event_type: &[u8]) -> bool {
    match dialect {
        Dialect::OpenAiResponses if cfg!(feature = "openai-responses") => {
            responses::may_hold_output(event_type)
        }
        Dialect::Anthropic if cfg!(feature = "anthropic") => anthropic::may_hold_output(event_type),
        Dialect::Cohere if cfg!(feature = "cohere") => cohere::may_hold_output(event_type),
        Dialect::GeminiInteractions if cfg!(feature = "gemini-interactions") => {
            interactions::may_hold_output(event_type)
        }
        _ => true,
    }
}

/// Whether the API tells by `event:` what its events are about.
const fn names_events(dialect: Dialect) -> bool {
    matches!(
        dialect,
        Dialect::OpenAiResponses
            | Dialect::Anthropic
            | Dialect::Cohere
            | Dialect::GeminiInteractions
    )
}

const fn is_mcp(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Mcp2025 | Dialect::Mcp2026)
}

fn is_ping(event_type: &[u8]) -> bool {
    let names: [&[u8]; 5] = [b"ping", b"pong", b"heartbeat", b"keepalive", b"keep-alive"];
    names.contains(&event_type)
}

/// Whether data that is no JSON is a word that says that the server lives: short,
/// and plain. An event that begins with a field's name was framed twice.
fn is_sign_of_life(data: &[u8]) -> bool {
    let names: [&[u8]; 4] = [b"data:", b"event:", b"id:", b"retry:"];
    if names.iter().any(|name| data.starts_with(name)) {
        return false;
    }
    let quoted = data
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""));
    let word = quoted.unwrap_or(data);
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" -_:.+".contains(byte);
    word.len() <= SIGN_LEN_MAX && word.iter().all(is_plain)
}

/// What is longer is more than a sign of life.
const SIGN_LEN_MAX: usize = 32;

const UNKNOWN_SHAPE: JsonError = JsonError {
    fault: JsonFault::Unexpected,
    offset: 0,
};

/// What the type of an event says by itself, and of Chat, whose events have none,
/// its first bytes. None if it may hold output.
pub(crate) fn read_skipped(
    context: &Context<'_>,
    event_type: &[u8],
    head: &[u8],
) -> Option<Unit<'static>> {
    let dialect = context.dialect;
    if event_type == b"error" && dialect.is_known_api() {
        return Some(Unit::saying(Due::ERROR));
    }
    match dialect {
        Dialect::OpenAiChat if cfg!(feature = "openai-chat") => chat::read_skipped(head),
        Dialect::Custom if cfg!(feature = "custom") => {
            read_skipped_custom(context.markers, event_type)
        }
        _ => read_type(dialect, event_type),
    }
}

fn read_type(dialect: Dialect, event_type: &[u8]) -> Option<Unit<'static>> {
    match dialect {
        Dialect::OpenAiResponses if cfg!(feature = "openai-responses") => {
            responses::read_skipped(event_type)
        }
        Dialect::Anthropic if cfg!(feature = "anthropic") => anthropic::read_skipped(event_type),
        Dialect::Cohere if cfg!(feature = "cohere") => cohere::read_skipped(event_type),
        Dialect::GeminiInteractions if cfg!(feature = "gemini-interactions") => {
            interactions::read_skipped(event_type)
        }
        _ => None,
    }
}

fn read_skipped_custom(markers: &Markers, event_type: &[u8]) -> Option<Unit<'static>> {
    let is_error = markers.is_error_event(event_type);
    let is_end = markers.is_end_event(event_type);
    match (is_error, is_end) {
        (true, _) => Some(Unit::saying(Due::ERROR)),
        (_, true) => Some(Unit::saying(Due::TERMINAL)),
        _ => None,
    }
}

/// Goes on with the next element of the innermost list; false after the last.
pub(crate) fn read_inner(unit: &mut Unit<'_>, dialect: Dialect) -> bool {
    match dialect {
        Dialect::OpenAiChat if cfg!(feature = "openai-chat") => chat::read_inner(unit),
        Dialect::OpenAiResponses if cfg!(feature = "openai-responses") => {
            responses::read_inner(unit)
        }
        Dialect::Anthropic if cfg!(feature = "anthropic") => anthropic::read_inner(unit),
        Dialect::Gemini if cfg!(feature = "gemini") => gemini::read_inner(unit),
        _ => false,
    }
}

/// Goes on with the next choice, candidate or item; false after the last.
pub(crate) fn read_outer(unit: &mut Unit<'_>, dialect: Dialect, choice: u32) -> bool {
    match dialect {
        Dialect::OpenAiChat if cfg!(feature = "openai-chat") => chat::read_outer(unit, choice),
        Dialect::OpenAiResponses if cfg!(feature = "openai-responses") => {
            responses::read_outer(unit)
        }
        Dialect::Gemini if cfg!(feature = "gemini") => gemini::read_outer(unit, choice),
        _ => false,
    }
}
