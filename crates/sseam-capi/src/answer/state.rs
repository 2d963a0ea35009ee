//! How far the answer has come, and what it wants of its source.

use core::time::Duration;

use sseam_llm::Wants;

use super::codes::{
    DialectCode, ForeignCode, SSEAM_DIALECT_AUTO, SSEAM_FOREIGN_NONE, SSEAM_WANTS_MORE,
    SSEAM_WANTS_MORE_UNTIL_QUIET, SSEAM_WANTS_NOTHING, WantsCode,
};
use super::names::{dialect_code, foreign_code};
use super::{Answer, bits_of};
use crate::ending::stats_of;
use crate::pointer::object_mut;
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_OK, Status};
use crate::types::{Out, Stats};

/// The API's own end was seen.
pub const SSEAM_ANSWER_TERMINAL: u32 = 1;
/// The API's own end was seen, and nothing is known to follow it.
pub const SSEAM_ANSWER_OVER: u32 = 2;
/// Text, reasoning, a refusal, media or a tool call was seen.
pub const SSEAM_ANSWER_OUTPUT: u32 = 4;
/// All choices have finished, and the API's own end was not seen.
pub const SSEAM_ANSWER_FINISHED: u32 = 8;

/// Says what the source is to do next: `SSEAM_WANTS_...`.
///
/// With `SSEAM_WANTS_MORE_UNTIL_QUIET`, `*quiet_ms` is written: for how long nothing
/// must have come before you end with `SSEAM_CLOSE_SETTLED`. A source that always
/// reads to its own end need not ask. `SSEAM_WANTS_NOTHING` for NULL.
///
/// # Safety
///
/// `answer` is NULL or an answer; `quiet_ms` is NULL, or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_wants(
    answer: *const Answer,
    quiet_ms: *mut u64,
) -> WantsCode {
    // SAFETY: the caller's contract.
    let (driver, place) = unsafe { (Answer::driver(answer), object_mut(quiet_ms)) };
    match driver.map(|driver| driver.wants()) {
        Ok(Wants::More) => SSEAM_WANTS_MORE,
        Ok(Wants::MoreUntilQuiet(quiet)) => {
            if let Some(place) = place {
                *place = milliseconds(quiet);
            }
            SSEAM_WANTS_MORE_UNTIL_QUIET
        }
        _ => SSEAM_WANTS_NOTHING,
    }
}

/// Says how far the answer has come: `SSEAM_ANSWER_...` bits; ignore those that you
/// do not know. 0 for NULL.
///
/// # Safety
///
/// `answer` is NULL or an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_state(answer: *const Answer) -> u32 {
    // SAFETY: the caller's contract.
    let Ok(driver) = (unsafe { Answer::driver(answer) }) else {
        return 0;
    };
    let turn = driver.turn();
    bits_of(&[
        (turn.is_terminal(), SSEAM_ANSWER_TERMINAL),
        (turn.is_over(), SSEAM_ANSWER_OVER),
        (turn.has_output(), SSEAM_ANSWER_OUTPUT),
        (turn.is_finished(), SSEAM_ANSWER_FINISHED),
    ])
}

/// Says which API the stream is of: of `SSEAM_DIALECT_AUTO` the one that was
/// recognised, or still that. `SSEAM_DIALECT_AUTO` for NULL.
///
/// # Safety
///
/// `answer` is NULL or an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_dialect(answer: *const Answer) -> DialectCode {
    // SAFETY: the caller's contract.
    let driver = unsafe { Answer::driver(answer) };
    driver.map_or(SSEAM_DIALECT_AUTO, |driver| {
        dialect_code(driver.turn().dialect())
    })
}

/// Says what the body is, if it is no event stream: `SSEAM_FOREIGN_...`, known at the
/// byte that makes it certain or after `sseam_answer_end`. Its name and what to do
/// about it are `sseam_foreign_name` and `sseam_foreign_advice`.
///
/// # Safety
///
/// `answer` is NULL or an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_foreign(answer: *const Answer) -> ForeignCode {
    // SAFETY: the caller's contract.
    let driver = unsafe { Answer::driver(answer) };
    driver.map_or(SSEAM_FOREIGN_NONE, |driver| foreign_code(driver.foreign()))
}

/// Counts what the stream has sent since the connection began. Returns `SSEAM_OK` or
/// `SSEAM_ERR_ARGUMENT`.
///
/// # Safety
///
/// Both are NULL, which is refused, or valid; `out->struct_size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_stats(answer: *const Answer, out: *mut Stats) -> Status {
    // SAFETY: the caller's contract.
    let (driver, Some(out)) = (unsafe { (Answer::driver(answer), Out::new(out)) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let driver = match driver {
        Ok(driver) => driver,
        Err(status) => return status,
    };
    let memory_len = sseam_core::Memory::bytes(driver.parser().memory()).len();
    // SAFETY: the caller's contract.
    unsafe { out.write(&stats_of(&driver.counters(), memory_len)) };
    SSEAM_OK
}

/// Whole milliseconds, as many as a number holds.
fn milliseconds(time: Duration) -> u64 {
    let part = u64::from(time.subsec_millis());
    time.as_secs().saturating_mul(1000).saturating_add(part)
}
