//! How the stream ended in, what became of the answer out.

use core::ffi::c_char;

use sseam_core::{End as CoreEnd, Limit};
use sseam_llm::{
    CancelledBy, Close, Cursor, Ending, Excess, Outcome, Resubscribe, Timeout, TransportEnd,
};

use super::codes::{dialect_code, outcome_kind, reason_code};
use super::kinds::*;
use super::{Turn, bits_of};
use crate::pointer::object_mut;
use crate::status::{
    SSEAM_ERR_ARGUMENT, SSEAM_ERR_DATA_TOO_LONG, SSEAM_ERR_ID_TOO_LONG, SSEAM_ERR_LINE_TOO_LONG,
    SSEAM_ERR_MEMORY, SSEAM_ERR_TOTAL, SSEAM_ERR_TYPE_TOO_LONG, SSEAM_ERR_UTF8, SSEAM_LIMIT_NONE,
    SSEAM_OK, SSEAM_TRUNCATED, Status, limit_code,
};
use crate::types::{
    End, Out, SSEAM_PENDING_DATA, SSEAM_PENDING_ID, SSEAM_PENDING_LINE, SSEAM_PENDING_TYPE,
    read_end,
};

/// Says what became of the answer.
///
/// `end` is what `sseam_parser_finish` filled in; NULL where the parser stopped
/// with an error. `close` is how the stream ended: `SSEAM_CLOSE_CLEAN`, another
/// `SSEAM_CLOSE_...`, the HTTP status of an answer that never began, or the error
/// that the parser has stopped with (of `SSEAM_ERR_TOTAL` the cause is
/// `SSEAM_LIMIT_TOTAL_BYTES`, whichever total it was). A fault after the terminal
/// does not undo the answer; it is noted. The turn may be asked again, and may
/// even go on.
///
/// Returns `SSEAM_OK` and writes `*out`; or `SSEAM_ERR_ARGUMENT`, and nothing.
///
/// # Safety
///
/// `turn` is NULL, which is refused, or a turn. `end` is NULL or its `struct_size`
/// is set. `out->struct_size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_turn_finish(
    turn: *mut Turn,
    end: *const End,
    close: CloseCode,
    out: *mut TurnOutcome,
) -> Status {
    // SAFETY: the caller's contract.
    let (Some(turn), Some(out)) = (unsafe { (object_mut(turn), Out::new(out)) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let end = match end.is_null() {
        true => Some(CLEAN),
        // SAFETY: the caller's contract.
        false => unsafe { read_end(end) }.as_ref().map(end_of),
    };
    let (Some(end), Some(close)) = (end, close_of(close)) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let outcome = turn.turn.finish_with(&end, close);
    // SAFETY: the caller's contract.
    unsafe { out.write(&filled(&outcome)) };
    SSEAM_OK
}

const CLEAN: CoreEnd = CoreEnd::at(0);

fn end_of(end: &End) -> CoreEnd {
    let has = |bit| end.pending & bit != 0;
    let mut core = CoreEnd::at(end.offset);
    core.line = has(SSEAM_PENDING_LINE);
    core.data = has(SSEAM_PENDING_DATA);
    core.event = has(SSEAM_PENDING_TYPE);
    core.id = has(SSEAM_PENDING_ID);
    core
}

/// `None` for a number that says nothing.
fn close_of(code: CloseCode) -> Option<Close> {
    let limit = |limit| Close::Limit(Excess::Limit(limit));
    Some(match code {
        SSEAM_CLOSE_CLEAN | SSEAM_TRUNCATED => Close::Transport(TransportEnd::Clean),
        SSEAM_CLOSE_CUT => Close::Transport(TransportEnd::Cut),
        SSEAM_CLOSE_RESET => Close::Transport(TransportEnd::Reset),
        SSEAM_CLOSE_TIMEOUT_CONNECT => Close::TimedOut(Timeout::Connect),
        SSEAM_CLOSE_TIMEOUT_HEADERS => Close::TimedOut(Timeout::Headers),
        SSEAM_CLOSE_TIMEOUT_FIRST_OUTPUT => Close::TimedOut(Timeout::FirstOutput),
        SSEAM_CLOSE_TIMEOUT_IDLE => Close::TimedOut(Timeout::Idle),
        SSEAM_CLOSE_TIMEOUT_PROGRESS => Close::TimedOut(Timeout::Progress),
        SSEAM_CLOSE_TIMEOUT_TOTAL => Close::TimedOut(Timeout::Total),
        SSEAM_CLOSE_CANCELLED => Close::Cancelled,
        SSEAM_CLOSE_NOT_EVENT_STREAM => Close::NotEventStream,
        SSEAM_CLOSE_NO_RESPONSE => Close::NoResponse,
        SSEAM_ERR_LINE_TOO_LONG => limit(Limit::Line),
        SSEAM_ERR_DATA_TOO_LONG => limit(Limit::Data),
        SSEAM_ERR_TYPE_TOO_LONG => limit(Limit::EventType),
        SSEAM_ERR_ID_TOO_LONG => limit(Limit::Id),
        SSEAM_ERR_TOTAL => limit(Limit::Bytes),
        SSEAM_ERR_MEMORY => Close::Limit(Excess::Memory),
        SSEAM_ERR_UTF8 => Close::InvalidText,
        100..=999 => Close::Status(u16::try_from(code).ok()?),
        _ => return None,
    })
}

fn filled(outcome: &Outcome) -> TurnOutcome {
    let Outcome {
        ending,
        seen,
        cursor,
        ..
    } = outcome;
    let mut out = TurnOutcome {
        kind: outcome_kind(ending),
        exit_code: i32::from(outcome.exit_code()),
        reason: seen.reason.map_or(0, reason_code),
        dialect: dialect_code(seen.dialect),
        cause: cause(ending),
        closed_calls: seen.closed_calls,
        open_calls: seen.open_calls,
        malformed: seen.malformed,
        skipped: seen.skipped,
        resubscribe: resubscribe(outcome.recovery().resubscribe),
        input_tokens: seen.usage.input_tokens.unwrap_or(0),
        output_tokens: seen.usage.output_tokens.unwrap_or(0),
        ..TurnOutcome::NOTHING
    };
    if let Ending::Completed(reason) | Ending::Incomplete(reason) | Ending::Refused(reason) = ending
    {
        out.reason = reason_code(*reason);
    }
    let is_inside_event = matches!(ending, Ending::Truncated(it) if it.is_inside_event);
    out.flags = bits_of(&[
        (seen.terminal, SSEAM_OUTCOME_HAS_TERMINAL),
        (seen.output, SSEAM_OUTCOME_HAS_OUTPUT),
        (seen.tool_error, SSEAM_OUTCOME_HAS_TOOL_ERROR),
        (seen.background == Some(true), SSEAM_OUTCOME_IS_BACKGROUND),
        (seen.gap, SSEAM_OUTCOME_HAS_GAP),
        (seen.late_fault, SSEAM_OUTCOME_HAS_LATE_FAULT),
        (is_inside_event, SSEAM_OUTCOME_IS_INSIDE_EVENT),
        (
            seen.usage.input_tokens.is_some(),
            SSEAM_OUTCOME_HAS_INPUT_TOKENS,
        ),
        (
            seen.usage.output_tokens.is_some(),
            SSEAM_OUTCOME_HAS_OUTPUT_TOKENS,
        ),
    ]);
    out.code_len = put(&mut out.code, seen.code.as_str());
    out.set_cursor(cursor);
    out
}

impl TurnOutcome {
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
