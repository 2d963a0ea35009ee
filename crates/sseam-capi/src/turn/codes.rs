//! The numbers of the header in, names of `sseam-llm` out, and the other way.
//!
//! A number, once given out, keeps its meaning; what a newer `sseam-llm` knows
//! and this header does not is `OTHER`.

use core::ffi::c_char;

use sseam_llm::{Dialect, Ending, Reason, Signal};

use crate::pointer;
use crate::types::Str;

/// Which API's events these are. Take one that you do not know as some other.
pub type DialectCode = i32;
/// The API is found out from the first event whose shape is known.
pub const SSEAM_DIALECT_AUTO: i32 = 0;
/// No API: each event's data is text, and only a clean end is known.
pub const SSEAM_DIALECT_PLAIN: i32 = 1;
/// No known API: plain, and markers say where the text is and what ends it.
pub const SSEAM_DIALECT_CUSTOM: i32 = 2;
/// OpenAI Responses.
pub const SSEAM_DIALECT_OPENAI_RESPONSES: i32 = 3;
/// OpenAI Chat Completions, and servers compatible with it.
pub const SSEAM_DIALECT_OPENAI_CHAT: i32 = 4;
/// Anthropic Messages.
pub const SSEAM_DIALECT_ANTHROPIC: i32 = 5;
/// Gemini `streamGenerateContent?alt=sse`.
pub const SSEAM_DIALECT_GEMINI: i32 = 6;
/// Gemini Interactions.
pub const SSEAM_DIALECT_GEMINI_INTERACTIONS: i32 = 7;
/// Cohere v2 chat.
pub const SSEAM_DIALECT_COHERE: i32 = 8;
/// MCP Streamable HTTP, revisions 2025-03-26 to 2025-11-25.
pub const SSEAM_DIALECT_MCP_2025: i32 = 9;
/// MCP Streamable HTTP, revision 2026-07-28.
pub const SSEAM_DIALECT_MCP_2026: i32 = 10;

/// What counts as the end of an answer.
pub type ModeCode = i32;
/// What first-party servers and well-behaved compatible ones send.
pub const SSEAM_MODE_DEFAULT: i32 = 0;
/// Everything that the API's own documents promise.
pub const SSEAM_MODE_STRICT: i32 = 1;
/// The first thing that says why the answer ended; for careless proxies. A last
/// event without its blank line counts too.
pub const SSEAM_MODE_LENIENT: i32 = 2;

/// What a signal says. Take one that you do not know as `SSEAM_SIGNAL_OTHER`.
pub type SignalKind = i32;
/// A piece of output text of the chosen choice, in `text`.
pub const SSEAM_SIGNAL_TEXT: i32 = 1;
/// A piece of reasoning, in `text`: thoughts, their summary, a tool plan.
pub const SSEAM_SIGNAL_REASONING: i32 = 2;
/// A piece of the words with which the model declines, in `text`.
pub const SSEAM_SIGNAL_REFUSAL: i32 = 3;
/// A tool call began: `key`, its id in `code`, the tool's name in `text`.
pub const SSEAM_SIGNAL_TOOL_OPENED: i32 = 4;
/// A piece of the arguments of the call `key`, in `text`; all pieces together
/// are JSON.
pub const SSEAM_SIGNAL_TOOL_ARGUMENTS: i32 = 5;
/// The call `key` has all its arguments.
pub const SSEAM_SIGNAL_TOOL_CLOSED: i32 = 6;
/// Output of a choice that was not chosen: `choice`.
pub const SSEAM_SIGNAL_OTHER_CHOICE: i32 = 7;
/// A choice, or the whole answer, has ended: `choice`, `reason`, and the API's own
/// word in `text`.
pub const SSEAM_SIGNAL_FINISH: i32 = 8;
/// Tokens used, as far as this event tells.
pub const SSEAM_SIGNAL_USAGE: i32 = 9;
/// Nothing but a sign of life.
pub const SSEAM_SIGNAL_KEEP_ALIVE: i32 = 10;
/// The answer is over. Usage and late errors may follow; text does not count.
pub const SSEAM_SIGNAL_TERMINAL: i32 = 11;
/// The server reports a failure: `code`, and a message for people in `text`.
pub const SSEAM_SIGNAL_ERROR: i32 = 12;
/// The data is not the JSON that it ought to be, from its byte `offset` on. The
/// stream goes on.
pub const SSEAM_SIGNAL_MALFORMED: i32 = 13;
/// Anything else, also what is not known yet.
pub const SSEAM_SIGNAL_OTHER: i32 = 14;

/// Why an answer ended, over all APIs. Take one that you do not know as
/// `SSEAM_REASON_OTHER`.
pub type ReasonCode = i32;
/// None was given.
pub const SSEAM_REASON_NONE: i32 = 0;
/// The model had said all.
pub const SSEAM_REASON_STOP: i32 = 1;
/// A stop sequence of yours came up.
pub const SSEAM_REASON_STOP_SEQUENCE: i32 = 2;
/// You have to run tools.
pub const SSEAM_REASON_TOOL_CALLS: i32 = 3;
/// A word that is not known.
pub const SSEAM_REASON_OTHER: i32 = 4;
/// The output budget ran out.
pub const SSEAM_REASON_MAX_OUTPUT: i32 = 5;
/// The context window is full.
pub const SSEAM_REASON_CONTEXT_WINDOW: i32 = 6;
/// The server paused; it wants to be asked to go on.
pub const SSEAM_REASON_PAUSED: i32 = 7;
/// A filter took or cut the answer.
pub const SSEAM_REASON_CONTENT_FILTER: i32 = 8;
/// Incomplete, and the server does not say more.
pub const SSEAM_REASON_UNFINISHED: i32 = 9;
/// The server closed on purpose and expects you back.
pub const SSEAM_REASON_RECONNECT: i32 = 10;
/// The model declined.
pub const SSEAM_REASON_MODEL_REFUSED: i32 = 11;
/// A filter blocked the prompt.
pub const SSEAM_REASON_PROMPT_BLOCKED: i32 = 12;
/// A filter stopped the output.
pub const SSEAM_REASON_OUTPUT_BLOCKED: i32 = 13;
/// The server cancelled.
pub const SSEAM_REASON_CANCELLED: i32 = 14;
/// It went wrong on the server's side.
pub const SSEAM_REASON_ERROR: i32 = 15;

/// What became of an answer. Take one that you do not know as a failure.
pub type OutcomeKind = i32;
/// The API's own terminal was seen, and it says that all is there: `reason`.
pub const SSEAM_OUTCOME_COMPLETED: i32 = 1;
/// A stream without a terminal was read to its clean end; the rest is not known.
pub const SSEAM_OUTCOME_ENDED: i32 = 2;
/// There is more, or there would be: `reason`.
pub const SSEAM_OUTCOME_INCOMPLETE: i32 = 3;
/// The model or a filter declined: `reason`.
pub const SSEAM_OUTCOME_REFUSED: i32 = 4;
/// The server reported a failure in the stream: `code`.
pub const SSEAM_OUTCOME_FAILED: i32 = 5;
/// Cancelled, by the server (`cause` is 0) or by you (`SSEAM_CLOSE_CANCELLED`).
pub const SSEAM_OUTCOME_CANCELLED: i32 = 6;
/// The stream broke off before the terminal; `cause` is how.
pub const SSEAM_OUTCOME_TRUNCATED: i32 = 7;
/// You gave up waiting; `cause` is for what.
pub const SSEAM_OUTCOME_TIMED_OUT: i32 = 8;
/// Something did not fit, and the answer may be lacking it; `cause` is the
/// `SSEAM_LIMIT_...`.
pub const SSEAM_OUTCOME_LIMIT_EXCEEDED: i32 = 9;
/// The stream is not valid UTF-8, and you want it to be.
pub const SSEAM_OUTCOME_INVALID_TEXT: i32 = 10;
/// The HTTP status, `cause`, said that there is no answer.
pub const SSEAM_OUTCOME_FAILED_STATUS: i32 = 11;
/// The body is no event stream.
pub const SSEAM_OUTCOME_NOT_EVENT_STREAM: i32 = 12;
/// There was no connection, or it broke before the answer began.
pub const SSEAM_OUTCOME_TRANSPORT_FAILED: i32 = 13;
/// One that this header has no name for.
pub const SSEAM_OUTCOME_OTHER: i32 = 14;

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
const REASONS: [Reason; 15] = [
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
const SIGNALS: [&str; 14] = [
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
    "malformed",
    "other",
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
        Signal::Malformed(_) => SSEAM_SIGNAL_MALFORMED,
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
