//! The numbers of the header in, names and types of `sseam-llm` out, and the other
//! way.

use core::ffi::c_char;

use sseam_llm::{Dialect, Ending, Foreign, Reason, Signal};

use super::codes::*;
use crate::pointer;
use crate::types::Str;

/// The dialects by their numbers.
const DIALECTS: [Dialect; 11] = [
    Dialect::Auto,
    Dialect::Plain,
    Dialect::Custom,
    Dialect::OpenAiResponses,
    Dialect::OpenAiChat,
    Dialect::Anthropic,
    Dialect::Gemini,
    Dialect::GeminiInteractions,
    Dialect::Cohere,
    Dialect::Mcp2025,
    Dialect::Mcp2026,
];

/// The reasons by their numbers, from 1 on.
const REASONS: [Reason; 18] = [
    Reason::Stop,
    Reason::StopSequence,
    Reason::ToolCalls,
    Reason::Other,
    Reason::MaxOutput,
    Reason::ContextWindow,
    Reason::Paused,
    Reason::ContentFilter,
    Reason::Unfinished,
    Reason::Reconnect,
    Reason::ModelRefused,
    Reason::PromptBlocked,
    Reason::OutputBlocked,
    Reason::Cancelled,
    Reason::Error,
    Reason::OpenCall,
    Reason::Lost,
    Reason::Unreadable,
];

/// The names of outcomes by their numbers, from 1 on, as in machine-readable
/// output.
const OUTCOMES: [&str; 13] = [
    "Completed",
    "Ended",
    "Incomplete",
    "Refused",
    "Failed",
    "Cancelled",
    "Truncated",
    "TimedOut",
    "LimitExceeded",
    "InvalidText",
    "FailedStatus",
    "NotEventStream",
    "TransportFailed",
];

/// The names of signals by their numbers, from 1 on.
const SIGNALS: [&str; 15] = [
    "text",
    "reasoning",
    "refusal",
    "tool_opened",
    "tool_arguments",
    "tool_closed",
    "other_choice",
    "finish",
    "usage",
    "keep_alive",
    "terminal",
    "error",
    "unreadable",
    "other",
    "answer",
];

/// What bodies may be, by their numbers, from 1 on.
const FOREIGN: [Foreign; 12] = [
    Foreign::HttpHead,
    Foreign::ChunkSizes,
    Foreign::Gzip,
    Foreign::Zstd,
    Foreign::Utf16,
    Foreign::Html,
    Foreign::Xml,
    Foreign::Ndjson,
    Foreign::JsonArray,
    Foreign::JsonError,
    Foreign::JsonAnswer,
    Foreign::Json,
];

/// Gives a dialect's name, such as `openai-chat`; `other` for an unknown one.
/// The text is constant and, as every `sseam_str`, not ended by NUL.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_dialect_name(dialect: DialectCode) -> Str {
    Str::of(
        dialect_of(dialect)
            .map_or("other", Dialect::name)
            .as_bytes(),
    )
}

/// Finds a dialect by its name; -1 where there is none.
///
/// # Safety
///
/// `name` points to `len` bytes, or `len` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_dialect_of_name(name: *const c_char, len: usize) -> DialectCode {
    // SAFETY: the caller's contract.
    let name = unsafe { pointer::bytes(name.cast(), len) }.unwrap_or_default();
    let mut all = DIALECTS.iter().zip(0..);
    let found = all.find(|(dialect, _)| dialect.name().as_bytes() == name);
    found.map_or(-1, |(_, code)| code)
}

/// Gives a signal's name, such as `tool_opened`; `other` for an unknown one.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_signal_name(kind: SignalKind) -> Str {
    name_of(&SIGNALS, kind)
}

/// Gives an outcome's name, such as `Completed`; `other` for an unknown one.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_outcome_name(kind: OutcomeKind) -> Str {
    name_of(&OUTCOMES, kind)
}

/// Gives a reason's name, such as `max_output`; `none` where none was given and
/// `other` for an unknown one.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_reason_name(reason: ReasonCode) -> Str {
    let known = place_of(reason).and_then(|place| REASONS.get(place));
    let name = match reason {
        SSEAM_REASON_NONE => "none",
        _ => known.map_or("other", |reason| reason.name()),
    };
    Str::of(name.as_bytes())
}

/// Says what a body is that is no event stream, for people, with its article: `an
/// HTML page`; empty for `SSEAM_FOREIGN_NONE` and an unknown one.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_foreign_name(foreign: ForeignCode) -> Str {
    of_foreign(foreign, Foreign::name)
}

/// The same for programs: a word that stays, such as `json_error`.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_foreign_word(foreign: ForeignCode) -> Str {
    of_foreign(foreign, Foreign::code)
}

/// Says what to do about it, for people.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_foreign_advice(foreign: ForeignCode) -> Str {
    of_foreign(foreign, Foreign::advice)
}

fn of_foreign(code: ForeignCode, text: fn(Foreign) -> &'static str) -> Str {
    let foreign = place_of(code).and_then(|place| FOREIGN.get(place));
    Str::of(foreign.map_or("", |foreign| text(*foreign)).as_bytes())
}

/// Where the number, which counts from 1, stands in a table.
fn place_of(code: i32) -> Option<usize> {
    usize::try_from(code).ok()?.checked_sub(1)
}

fn name_of(names: &[&str], code: i32) -> Str {
    let name = place_of(code).and_then(|place| names.get(place));
    Str::of(name.unwrap_or(&"other").as_bytes())
}

pub(crate) fn dialect_of(code: DialectCode) -> Option<Dialect> {
    DIALECTS.get(usize::try_from(code).ok()?).copied()
}

/// -1 for one that this header has no number for.
pub(crate) fn dialect_code(dialect: Dialect) -> DialectCode {
    let mut all = DIALECTS.iter().zip(0..);
    all.find(|(known, _)| **known == dialect)
        .map_or(-1, |(_, code)| code)
}

pub(crate) fn reason_code(reason: Reason) -> ReasonCode {
    let mut all = REASONS.iter().zip(1..);
    let found = all.find(|(known, _)| **known == reason);
    found.map_or(SSEAM_REASON_OTHER, |(_, code)| code)
}

pub(crate) fn foreign_code(foreign: Option<Foreign>) -> ForeignCode {
    let mut all = FOREIGN.iter().zip(1..);
    let found = all.find(|(known, _)| Some(**known) == foreign);
    found.map_or(SSEAM_FOREIGN_NONE, |(_, code)| code)
}

pub(crate) const fn signal_kind(signal: &Signal<'_>) -> SignalKind {
    match signal {
        Signal::Text(_) => SSEAM_SIGNAL_TEXT,
        Signal::Reasoning(_) => SSEAM_SIGNAL_REASONING,
        Signal::Refusal(_) => SSEAM_SIGNAL_REFUSAL,
        Signal::ToolOpened { .. } => SSEAM_SIGNAL_TOOL_OPENED,
        Signal::ToolArguments { .. } => SSEAM_SIGNAL_TOOL_ARGUMENTS,
        Signal::ToolClosed { .. } => SSEAM_SIGNAL_TOOL_CLOSED,
        Signal::OtherChoice { .. } => SSEAM_SIGNAL_OTHER_CHOICE,
        Signal::Finish { .. } => SSEAM_SIGNAL_FINISH,
        Signal::Usage(_) => SSEAM_SIGNAL_USAGE,
        Signal::KeepAlive => SSEAM_SIGNAL_KEEP_ALIVE,
        Signal::Terminal => SSEAM_SIGNAL_TERMINAL,
        Signal::Error { .. } => SSEAM_SIGNAL_ERROR,
        Signal::Unreadable(_) => SSEAM_SIGNAL_UNREADABLE,
        Signal::Answer { .. } => SSEAM_SIGNAL_ANSWER,
        _ => SSEAM_SIGNAL_OTHER,
    }
}

pub(crate) const fn outcome_kind(ending: &Ending) -> OutcomeKind {
    match ending {
        Ending::Completed(_) => SSEAM_OUTCOME_COMPLETED,
        Ending::Ended => SSEAM_OUTCOME_ENDED,
        Ending::Incomplete(_) => SSEAM_OUTCOME_INCOMPLETE,
        Ending::Refused(_) => SSEAM_OUTCOME_REFUSED,
        Ending::Failed => SSEAM_OUTCOME_FAILED,
        Ending::Cancelled(_) => SSEAM_OUTCOME_CANCELLED,
        Ending::Truncated(_) => SSEAM_OUTCOME_TRUNCATED,
        Ending::TimedOut(_) => SSEAM_OUTCOME_TIMED_OUT,
        Ending::LimitExceeded(_) => SSEAM_OUTCOME_LIMIT_EXCEEDED,
        Ending::InvalidText => SSEAM_OUTCOME_INVALID_TEXT,
        Ending::FailedStatus(_) => SSEAM_OUTCOME_FAILED_STATUS,
        Ending::NotEventStream => SSEAM_OUTCOME_NOT_EVENT_STREAM,
        Ending::TransportFailed => SSEAM_OUTCOME_TRANSPORT_FAILED,
        _ => SSEAM_OUTCOME_OTHER,
    }
}
