//! What became of the answer, as C sees it.

use core::ffi::c_char;
use core::mem::size_of;

use sseam_llm::{
    CancelledBy, Cursor, Ending, Excess, Foreign, Outcome, Place, Resubscribe, Timeout,
    TransportEnd,
};

use super::codes::*;
use super::names::{dialect_code, foreign_code, outcome_kind, reason_code};
use super::signal::AnswerUsage;
use super::{Answer, bits_of};
use crate::answer::close::*;
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_LIMIT_NONE, SSEAM_OK, Status, limit_code};
use crate::types::{Out, Output};

/// The end of the answer was seen: the API's own, or what stands for it.
pub const SSEAM_OUTCOME_HAS_TERMINAL: u32 = 1;
/// Text, reasoning, a refusal, media or a tool call was seen: asking again costs
/// twice.
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
/// Complete, and without any output.
pub const SSEAM_OUTCOME_IS_EMPTY: u32 = 128;
/// Output is missing: what repeats it differs from it.
pub const SSEAM_OUTCOME_IS_LOST: u32 = 256;
/// Its closed calls may be run: the answer came to an end that says so.
pub const SSEAM_OUTCOME_MAY_RUN_CALLS: u32 = 512;
/// Asking again is safe: nothing of an answer came.
pub const SSEAM_OUTCOME_MAY_ASK_AGAIN: u32 = 1024;

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
/// After an id that is too long to be kept here: `sseam_answer_last_event_id`.
pub const SSEAM_CURSOR_TOO_LONG: i32 = 4;

/// What became of an answer, and what was seen of it. It points nowhere and may be
/// kept. Its texts are UTF-8, cut at a character where they are too long, and ended
/// by NUL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AnswerOutcome {
    /// `sizeof(sseam_outcome)`, set by the caller.
    pub struct_size: usize,
    /// `SSEAM_OUTCOME_...`
    pub kind: OutcomeKind,
    /// The exit code of the command `sseam` for it: 0 for COMPLETED and ENDED
    /// alone.
    pub exit_code: i32,
    /// Why it ended: what makes it incomplete, or the weightiest reason given, also
    /// where the terminal is missing.
    pub reason: ReasonCode,
    /// The dialect; `SSEAM_DIALECT_AUTO` if none was recognised, which explains a
    /// truncation: name it.
    pub dialect: DialectCode,
    /// See the kinds.
    pub cause: i32,
    /// `SSEAM_OUTCOME_IS_...`, `..._HAS_...` and `..._MAY_...` bits; ignore those that
    /// you do not know.
    pub flags: u32,
    /// Tool calls for you that have all their arguments, and may have been run
    /// already.
    pub closed_calls: u32,
    /// Tool calls for you that were opened and not closed. Not to be run.
    pub open_calls: u32,
    /// Events that were not the JSON that they ought to be, and may have been output.
    pub unreadable: u32,
    /// Events that passed a limit and were left out.
    pub skipped: u32,
    /// Which event, from 1, was the first of the unreadable ones, or, of INVALID_TEXT,
    /// the one that was no UTF-8; 0 if none.
    pub place_event: u32,
    /// `SSEAM_RESUBSCRIBE_...`
    pub resubscribe: ResubscribeCode,
    /// `SSEAM_CURSOR_...`: where a new connection would go on.
    pub cursor_kind: CursorKind,
    /// NOT_EVENT_STREAM: `SSEAM_FOREIGN_...`
    pub foreign: ForeignCode,
    /// Length of `cursor` without its NUL.
    pub cursor_len: u32,
    /// Length of `word` without its NUL.
    pub word_len: u32,
    /// Length of `code` without its NUL.
    pub code_len: u32,
    /// Length of `id` without its NUL.
    pub id_len: u32,
    /// Length of `model` without its NUL.
    pub model_len: u32,
    /// Length of `message` without its NUL.
    pub message_len: u32,
    /// Always 0.
    pub reserved: u32,
    /// Where the block of `place_event` begins in the stream.
    pub place_offset: u64,
    /// Index of the byte of its data at which it showed.
    pub place_byte: u64,
    /// See `SSEAM_CURSOR_SEQUENCE`.
    pub cursor_number: u64,
    /// Tokens used, as far as they were told.
    pub usage: AnswerUsage,
    /// See the kinds of cursors.
    pub cursor: [c_char; 72],
    /// The API's own word for the reason.
    pub word: [c_char; 48],
    /// The code of the failure.
    pub code: [c_char; 48],
    /// The API's id of the answer.
    pub id: [c_char; 72],
    /// The model that gave it, as the server tells it.
    pub model: [c_char; 72],
    /// The message of the failure, for people.
    pub message: [c_char; 264],
}

/// Says what became of the answer, at any time: before its end it is as if you had
/// cancelled, unless the API's own end came, or something stopped the reading.
///
/// What the end tells is counted, be it heard or not; it is not heard any more
/// afterwards. Returns `SSEAM_OK` and writes `*out`; or `SSEAM_ERR_ARGUMENT` or
/// `SSEAM_ERR_REENTRANT`, and nothing.
///
/// # Safety
///
/// `answer` is NULL, which is refused, or an answer. `out->struct_size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_outcome(
    answer: *mut Answer,
    out: *mut AnswerOutcome,
) -> Status {
    // SAFETY: the caller's contract.
    let Some(out) = (unsafe { Out::new(out) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    // SAFETY: the caller's contract.
    let told = unsafe {
        Answer::change(answer, |driver| {
            let outcome = driver.outcome();
            (outcome, driver.foreign(), driver.invalid_at())
        })
    };
    match told {
        Err(status) => status,
        Ok((outcome, foreign, invalid_at)) => {
            let filled = AnswerOutcome::of(&outcome, foreign, invalid_at);
            // SAFETY: the caller's contract.
            unsafe { out.write(&filled) };
            SSEAM_OK
        }
    }
}

impl AnswerOutcome {
    const NOTHING: AnswerOutcome = AnswerOutcome {
        struct_size: size_of::<AnswerOutcome>(),
        kind: 0,
        exit_code: 0,
        reason: 0,
        dialect: 0,
        cause: 0,
        flags: 0,
        closed_calls: 0,
        open_calls: 0,
        unreadable: 0,
        skipped: 0,
        place_event: 0,
        resubscribe: 0,
        cursor_kind: 0,
        foreign: 0,
        cursor_len: 0,
        word_len: 0,
        code_len: 0,
        id_len: 0,
        model_len: 0,
        message_len: 0,
        reserved: 0,
        place_offset: 0,
        place_byte: 0,
        cursor_number: 0,
        usage: AnswerUsage::NOTHING,
        cursor: [0; 72],
        word: [0; 48],
        code: [0; 48],
        id: [0; 72],
        model: [0; 72],
        message: [0; 264],
    };

    fn of(outcome: &Outcome, foreign: Option<Foreign>, invalid_at: Option<Place>) -> AnswerOutcome {
        let (ending, seen) = (&outcome.ending, &outcome.seen);
        let mut out = AnswerOutcome {
            kind: outcome_kind(ending),
            exit_code: i32::from(outcome.exit_code()),
            reason: outcome.reason().map_or(SSEAM_REASON_NONE, reason_code),
            dialect: dialect_code(seen.dialect),
            cause: cause(ending),
            flags: flags_of(outcome),
            closed_calls: seen.closed_calls,
            open_calls: seen.open_calls,
            unreadable: seen.unreadable,
            skipped: seen.skipped,
            resubscribe: resubscribe(outcome.recovery().resubscribe),
            usage: AnswerUsage::of(&seen.usage),
            ..AnswerOutcome::NOTHING
        };
        if matches!(ending, Ending::NotEventStream) {
            out.foreign = foreign_code(foreign);
        }
        let invalid_at = invalid_at.filter(|_| matches!(ending, Ending::InvalidText));
        if let Some(place) = invalid_at.or(seen.unreadable_at) {
            (out.place_event, out.place_offset) = (place.event, place.offset);
            out.place_byte = place.byte;
        }
        out.word_len = put(&mut out.word, seen.word.as_str());
        out.code_len = put(&mut out.code, seen.code.as_str());
        out.id_len = put(&mut out.id, seen.id.as_str());
        out.model_len = put(&mut out.model, seen.model.as_str());
        out.message_len = put(&mut out.message, seen.message.as_str());
        out.set_cursor(&outcome.cursor);
        out
    }

    fn set_cursor(&mut self, cursor: &Cursor) {
        (self.cursor_kind, self.cursor_number) = match cursor {
            Cursor::Sequence(number) => (SSEAM_CURSOR_SEQUENCE, *number),
            Cursor::EventId(id) => {
                self.cursor_len = put(&mut self.cursor, id.as_str());
                (SSEAM_CURSOR_EVENT_ID, 0)
            }
            Cursor::LastEventId(id) => {
                self.cursor_len = put(&mut self.cursor, id.as_str());
                (SSEAM_CURSOR_LAST_EVENT_ID, 0)
            }
            Cursor::TooLong => (SSEAM_CURSOR_TOO_LONG, 0),
            _ => (SSEAM_CURSOR_NOWHERE, 0),
        };
    }
}

fn flags_of(outcome: &Outcome) -> u32 {
    let seen = &outcome.seen;
    let is_inside_event = matches!(outcome.ending, Ending::Truncated(it) if it.is_inside_event);
    bits_of(&[
        (seen.terminal, SSEAM_OUTCOME_HAS_TERMINAL),
        (seen.output, SSEAM_OUTCOME_HAS_OUTPUT),
        (seen.tool_error, SSEAM_OUTCOME_HAS_TOOL_ERROR),
        (seen.background == Some(true), SSEAM_OUTCOME_IS_BACKGROUND),
        (seen.gap, SSEAM_OUTCOME_HAS_GAP),
        (seen.late_fault, SSEAM_OUTCOME_HAS_LATE_FAULT),
        (is_inside_event, SSEAM_OUTCOME_IS_INSIDE_EVENT),
        (outcome.is_empty(), SSEAM_OUTCOME_IS_EMPTY),
        (seen.lost, SSEAM_OUTCOME_IS_LOST),
        (outcome.may_run_calls(), SSEAM_OUTCOME_MAY_RUN_CALLS),
        (outcome.may_ask_again(), SSEAM_OUTCOME_MAY_ASK_AGAIN),
    ])
}

// SAFETY: see its first field.
unsafe impl Output for AnswerOutcome {
    const LEN_MIN: usize = size_of::<AnswerOutcome>();
}

/// Writes text that is followed by NUL, as far as there is room, and gives its
/// length.
fn put(room: &mut [c_char], text: &str) -> u32 {
    let last = room.len().saturating_sub(1);
    let pairs = room.iter_mut().take(last).zip(text.as_bytes());
    pairs.fold(0, |len, (place, byte)| {
        *place = *byte as c_char;
        len + 1
    })
}

fn cause(ending: &Ending) -> i32 {
    match ending {
        Ending::Cancelled(CancelledBy::User) => SSEAM_CLOSE_CANCELLED,
        Ending::Truncated(truncation) => match truncation.transport {
            TransportEnd::Clean => SSEAM_CLOSE_CLEAN,
            TransportEnd::Cut => SSEAM_CLOSE_CUT,
            _ => SSEAM_CLOSE_RESET,
        },
        Ending::TimedOut(timeout) => match timeout {
            Timeout::Connect => SSEAM_CLOSE_TIMEOUT_CONNECT,
            Timeout::Headers => SSEAM_CLOSE_TIMEOUT_HEADERS,
            Timeout::FirstOutput => SSEAM_CLOSE_TIMEOUT_FIRST_OUTPUT,
            Timeout::Idle => SSEAM_CLOSE_TIMEOUT_IDLE,
            Timeout::Progress => SSEAM_CLOSE_TIMEOUT_PROGRESS,
            _ => SSEAM_CLOSE_TIMEOUT_TOTAL,
        },
        Ending::LimitExceeded(excess) => match excess {
            Excess::Limit(limit) => limit_code(*limit),
            Excess::Memory => SSEAM_LIMIT_MEMORY,
            Excess::Tracked => SSEAM_LIMIT_TRACKED,
            _ => SSEAM_LIMIT_NONE,
        },
        Ending::FailedStatus(status) => i32::from(*status),
        _ => 0,
    }
}

fn resubscribe(resubscribe: Resubscribe) -> ResubscribeCode {
    match resubscribe {
        Resubscribe::NotNeeded => SSEAM_RESUBSCRIBE_NOT_NEEDED,
        Resubscribe::From(_) => SSEAM_RESUBSCRIBE_FROM_CURSOR,
        Resubscribe::Perhaps(_) => SSEAM_RESUBSCRIBE_PERHAPS,
        _ => SSEAM_RESUBSCRIBE_IMPOSSIBLE,
    }
}
