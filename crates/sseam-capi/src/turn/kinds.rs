//! The structs of the header for answers: first their size, then their fields,
//! with no padding before a field on 32-bit machines.

use core::ffi::c_char;
use core::mem::{offset_of, size_of};

use super::codes::{
    DialectCode, ModeCode, OutcomeKind, ReasonCode, SSEAM_DIALECT_AUTO, SSEAM_MODE_DEFAULT,
    SSEAM_SIGNAL_OTHER, SignalKind,
};
use super::text::TurnText;
use crate::types::{Output, Str};

/// What a marker marks.
pub type MarkerKind = i32;
/// The answer is over when an event's data is `value`, such as `[DONE]`.
pub const SSEAM_MARKER_END_DATA: i32 = 1;
/// The answer is over when an event has the type `value`.
pub const SSEAM_MARKER_END_EVENT: i32 = 2;
/// The answer is over when the field at `path` is `value`: the text of a string,
/// or a number, `true`, `false` or `null` as it is written.
pub const SSEAM_MARKER_END_FIELD: i32 = 3;
/// The text is the string at `path`, and not the whole data.
pub const SSEAM_MARKER_TEXT_FIELD: i32 = 4;
/// An event of the type `value` is a failure.
pub const SSEAM_MARKER_ERROR_EVENT: i32 = 5;
/// An MCP stream is over when the response to the request with the id `value`, a
/// string, comes.
pub const SSEAM_MARKER_REQUEST_ID: i32 = 6;
/// The same for an id that is the whole number `value`, in decimal.
pub const SSEAM_MARKER_REQUEST_NUMBER: i32 = 7;

/// What explains the events of an API that only you know. A turn keeps a copy;
/// all of them together may be some 190 bytes long.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Marker {
    /// `SSEAM_MARKER_...`
    pub kind: MarkerKind,
    /// Must be 0.
    pub reserved: u32,
    /// Where in the JSON, as in `choices.0.delta.content`; for the kinds that
    /// have a path.
    pub path: Str,
    /// For the kinds that have a value.
    pub value: Str,
}

/// What a turn is to expect. Call `sseam_turn_options_init` first, then change
/// what you want changed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TurnOptions {
    /// `sizeof(sseam_turn_options)`, set by `sseam_turn_options_init`.
    pub struct_size: usize,
    /// `SSEAM_DIALECT_...`. Default `SSEAM_DIALECT_AUTO`; name it where you know
    /// it.
    pub dialect: DialectCode,
    /// `SSEAM_MODE_...`. Default `SSEAM_MODE_DEFAULT`.
    pub mode: ModeCode,
    /// Whose text is wanted, where an answer has several choices. Default 0.
    pub choice: u32,
    /// How many choices you asked for; 0 if one. Without it, a choice that starts
    /// after all others have finished comes too late to be waited for.
    pub expected_choices: u32,
    /// `marker_count` markers, which are read by this call only; or NULL.
    pub markers: *const Marker,
    /// How many there are. Default 0.
    pub marker_count: usize,
}

/// It shows that the answer came on; keep-alives, usage and errors do not.
pub const SSEAM_SIGNAL_IS_PROGRESS: u32 = 1;
/// `input_tokens` was told.
pub const SSEAM_SIGNAL_HAS_INPUT_TOKENS: u32 = 2;
/// `output_tokens` was told.
pub const SSEAM_SIGNAL_HAS_OUTPUT_TOKENS: u32 = 4;

/// One thing that an event says. Set `struct_size` before each first use.
///
/// Its texts point into the event that was observed, and are valid as long as
/// that is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TurnSignal {
    /// `sizeof(sseam_signal)`, set by the caller.
    pub struct_size: usize,
    /// `SSEAM_SIGNAL_...`, which says what the other fields hold.
    pub kind: SignalKind,
    /// `SSEAM_SIGNAL_IS_...` and `..._HAS_...` bits; ignore those that you do not
    /// know.
    pub flags: u32,
    /// TOOL_...: which call; unique among the open ones.
    pub key: u32,
    /// OTHER_CHOICE, FINISH: which choice.
    pub choice: u32,
    /// FINISH: `SSEAM_REASON_...`
    pub reason: ReasonCode,
    /// See the kinds. Empty where there is none.
    pub text: TurnText,
    /// ERROR: the code; TOOL_OPENED: the call's id. May be empty.
    pub code: TurnText,
    /// USAGE: tokens of the prompt, if the flag says so.
    pub input_tokens: u64,
    /// USAGE: tokens of the answer, if the flag says so.
    pub output_tokens: u64,
    /// MALFORMED: index of the byte of the data at which it showed.
    pub offset: u64,
}

/// How a stream ended, where your transport or you know more than the parser.
/// What `sseam_parser_feed` returned may be given instead of one of these, and a
/// number from 100 to 999 is the HTTP status of an answer that never began.
pub type CloseCode = i32;
/// The body came to its end without a fault.
pub const SSEAM_CLOSE_CLEAN: i32 = 0;
/// The body was cut before its own end: a missing last chunk, too few bytes.
pub const SSEAM_CLOSE_CUT: i32 = 20;
/// The connection was reset, or broke in another way.
pub const SSEAM_CLOSE_RESET: i32 = 21;
/// You gave up waiting for the connection.
pub const SSEAM_CLOSE_TIMEOUT_CONNECT: i32 = 22;
/// You gave up waiting for the head of the response.
pub const SSEAM_CLOSE_TIMEOUT_HEADERS: i32 = 23;
/// You gave up waiting for the first output.
pub const SSEAM_CLOSE_TIMEOUT_FIRST_OUTPUT: i32 = 24;
/// You gave up waiting for any byte.
pub const SSEAM_CLOSE_TIMEOUT_IDLE: i32 = 25;
/// You gave up waiting for anything that shows that the answer comes on.
pub const SSEAM_CLOSE_TIMEOUT_PROGRESS: i32 = 26;
/// You gave up waiting for the end.
pub const SSEAM_CLOSE_TIMEOUT_TOTAL: i32 = 27;
/// You, or your user, cancelled.
pub const SSEAM_CLOSE_CANCELLED: i32 = 28;
/// The head of the response, or the body, is not that of an event stream.
pub const SSEAM_CLOSE_NOT_EVENT_STREAM: i32 = 29;
/// There was no response.
pub const SSEAM_CLOSE_NO_RESPONSE: i32 = 30;

/// `cause`: the memory of the parser.
pub const SSEAM_LIMIT_MEMORY: i32 = 7;
/// `cause`: more open tool calls, or choices, than a turn keeps track of.
pub const SSEAM_LIMIT_TRACKED: i32 = 8;

/// The terminal was seen.
pub const SSEAM_OUTCOME_HAS_TERMINAL: u32 = 1;
/// Text, reasoning, a refusal or a tool call was seen: asking again costs twice.
pub const SSEAM_OUTCOME_HAS_OUTPUT: u32 = 2;
/// The tool said that it failed (MCP).
pub const SSEAM_OUTCOME_HAS_TOOL_ERROR: u32 = 4;
/// The server keeps the answer running without you (Responses).
pub const SSEAM_OUTCOME_IS_BACKGROUND: u32 = 8;
/// A sequence number was jumped over: events were lost on the way.
pub const SSEAM_OUTCOME_HAS_GAP: u32 = 16;
/// The transport failed after the terminal; the answer is whole all the same.
pub const SSEAM_OUTCOME_HAS_LATE_FAULT: u32 = 32;
/// TRUNCATED: within an event, not between two.
pub const SSEAM_OUTCOME_IS_INSIDE_EVENT: u32 = 64;
/// `input_tokens` was told.
pub const SSEAM_OUTCOME_HAS_INPUT_TOKENS: u32 = 128;
/// `output_tokens` was told.
pub const SSEAM_OUTCOME_HAS_OUTPUT_TOKENS: u32 = 256;

/// Whether the same answer may be subscribed to again.
pub type ResubscribeCode = i32;
/// The API cannot, or gave no place to go on from.
pub const SSEAM_RESUBSCRIBE_IMPOSSIBLE: i32 = 0;
/// The answer is over: there is nothing to wait for.
pub const SSEAM_RESUBSCRIBE_NOT_NEEDED: i32 = 1;
/// From the cursor on.
pub const SSEAM_RESUBSCRIBE_FROM_CURSOR: i32 = 2;
/// From the cursor on, if the request was one that the server keeps running.
pub const SSEAM_RESUBSCRIBE_PERHAPS: i32 = 3;

/// What kind of place in the stream the cursor is.
pub type CursorKind = i32;
/// None: the stream gave no place.
pub const SSEAM_CURSOR_NOWHERE: i32 = 0;
/// After the sequence number `cursor_number`.
pub const SSEAM_CURSOR_SEQUENCE: i32 = 1;
/// After the id `cursor`, which stands in the JSON.
pub const SSEAM_CURSOR_EVENT_ID: i32 = 2;
/// After the id `cursor` of the event stream itself: `Last-Event-ID`.
pub const SSEAM_CURSOR_LAST_EVENT_ID: i32 = 3;
/// After an id that is too long to be kept here: `sseam_parser_last_event_id`.
pub const SSEAM_CURSOR_TOO_LONG: i32 = 4;

/// What became of an answer, and what was seen of it. It points nowhere and may
/// be kept.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TurnOutcome {
    /// `sizeof(sseam_outcome)`, set by the caller.
    pub struct_size: usize,
    /// `SSEAM_OUTCOME_...`
    pub kind: OutcomeKind,
    /// The exit code of the command `sseam` for it: 0 for COMPLETED and ENDED
    /// alone.
    pub exit_code: i32,
    /// The weightiest reason given, also where the terminal is missing.
    pub reason: ReasonCode,
    /// The dialect; `SSEAM_DIALECT_AUTO` if none was recognised, which explains a
    /// truncation: name it.
    pub dialect: DialectCode,
    /// See the kinds.
    pub cause: i32,
    /// `SSEAM_OUTCOME_IS_...` and `..._HAS_...` bits; ignore those that you do not
    /// know.
    pub flags: u32,
    /// Tool calls that have all their arguments, and may have been run already.
    pub closed_calls: u32,
    /// Tool calls that were opened and not closed. Not to be run.
    pub open_calls: u32,
    /// Events whose data was not JSON.
    pub malformed: u32,
    /// Events that passed a limit and were left out.
    pub skipped: u32,
    /// `SSEAM_RESUBSCRIBE_...`
    pub resubscribe: ResubscribeCode,
    /// `SSEAM_CURSOR_...`: where a new connection would go on.
    pub cursor_kind: CursorKind,
    /// Length of `cursor` without its NUL.
    pub cursor_len: u32,
    /// Length of `code` without its NUL.
    pub code_len: u32,
    /// Always 0.
    pub reserved: u32,
    /// See `SSEAM_CURSOR_SEQUENCE`.
    pub cursor_number: u64,
    /// Tokens of the prompt, if the flag says so.
    pub input_tokens: u64,
    /// Tokens of the answer, if the flag says so.
    pub output_tokens: u64,
    /// See the kinds of cursors; ended by NUL.
    pub cursor: [c_char; 72],
    /// The code of the failure, its first bytes; ended by NUL.
    pub code: [c_char; 48],
}

impl TurnOptions {
    pub(crate) const DEFAULT: TurnOptions = TurnOptions {
        struct_size: size_of::<TurnOptions>(),
        dialect: SSEAM_DIALECT_AUTO,
        mode: SSEAM_MODE_DEFAULT,
        choice: 0,
        expected_choices: 0,
        markers: core::ptr::null(),
        marker_count: 0,
    };
}

impl TurnSignal {
    /// Says nothing yet.
    pub(crate) fn other() -> TurnSignal {
        TurnSignal {
            struct_size: size_of::<TurnSignal>(),
            kind: SSEAM_SIGNAL_OTHER,
            flags: 0,
            key: 0,
            choice: 0,
            reason: 0,
            text: TurnText::NONE,
            code: TurnText::NONE,
            input_tokens: 0,
            output_tokens: 0,
            offset: 0,
        }
    }
}

impl TurnOutcome {
    pub(crate) const NOTHING: TurnOutcome = TurnOutcome {
        struct_size: size_of::<TurnOutcome>(),
        kind: 0,
        exit_code: 0,
        reason: 0,
        dialect: 0,
        cause: 0,
        flags: 0,
        closed_calls: 0,
        open_calls: 0,
        malformed: 0,
        skipped: 0,
        resubscribe: 0,
        cursor_kind: 0,
        cursor_len: 0,
        code_len: 0,
        reserved: 0,
        cursor_number: 0,
        input_tokens: 0,
        output_tokens: 0,
        cursor: [0; 72],
        code: [0; 48],
    };
}

// SAFETY: see its first field.
unsafe impl Output for TurnSignal {
    const LEN_MIN: usize = offset_of!(TurnSignal, input_tokens);
}

// SAFETY: see its first field.
unsafe impl Output for TurnOutcome {
    const LEN_MIN: usize = size_of::<TurnOutcome>();
}
