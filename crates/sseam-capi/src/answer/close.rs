//! How the stream ended in, and what a reconnect needs out.

use core::ffi::c_void;

use sseam_core::SetupError;
use sseam_llm::{Close, Timeout, TransportEnd};

use super::Answer;
use crate::pointer::{self, object_mut};
use crate::status::{
    SSEAM_ERR_ARGUMENT, SSEAM_ERR_ID_TOO_LONG, SSEAM_ERR_MEMORY, SSEAM_OK, SSEAM_RETRY, Status,
};
use crate::types::Str;

/// How the reading of a stream ended, as your transport or you know it. A number
/// from 100 to 999 is the HTTP status of an answer that never began, and what
/// `sseam_liveness_fired` returned is one of these. What the stream itself came to, a
/// limit, too little memory, text that is no UTF-8, the answer knows.
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
/// Nothing came for a while after all choices had finished: see
/// `sseam_answer_wants`.
pub const SSEAM_CLOSE_SETTLED: i32 = 31;

/// Takes the end: no more input comes, and how that came about. Once; later calls
/// change nothing until `sseam_answer_reopen`.
///
/// Then `sseam_answer_feed` without bytes gives what only the end tells, and
/// `sseam_answer_outcome` what became of the answer; it counts what the end tells, be
/// it heard or not. Returns `SSEAM_OK`, or `SSEAM_ERR_ARGUMENT` for a number that says
/// nothing, or `SSEAM_ERR_REENTRANT`.
///
/// # Safety
///
/// `answer` is NULL, which is refused, or an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_end(answer: *mut Answer, close: CloseCode) -> Status {
    let Some(close) = close_of(close) else {
        return SSEAM_ERR_ARGUMENT;
    };
    // SAFETY: the caller's contract.
    status_of(unsafe { Answer::change(answer, |driver| driver.end(close)) })
}

/// Another connection goes on with the same answer: last event id, reconnection time
/// and what was seen stay.
///
/// # Safety
///
/// `answer` is NULL, which is refused, or an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_reopen(answer: *mut Answer) -> Status {
    // SAFETY: the caller's contract.
    status_of(unsafe { Answer::change(answer, |driver| driver.reopen()) })
}

/// Sets the id that a first connection goes on after. Statuses are those of
/// `sseam_parser_set_last_event_id`.
///
/// # Safety
///
/// `answer` is NULL, which is refused, or an answer. `id` points to `len` bytes, or
/// `len` is 0; the bytes are not the answer's own.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sseam_answer_set_last_event_id(
    answer: *mut Answer,
    id: *const c_void,
    len: usize,
) -> Status {
    // SAFETY: the caller's contract.
    let Some(id) = (unsafe { pointer::bytes(id, len) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    // SAFETY: the caller's contract.
    let set = unsafe {
        Answer::change(answer, |driver| {
            let own = sseam_core::Memory::bytes(driver.parser().memory());
            (!pointer::overlap(id, own)).then(|| driver.set_last_event_id(id))
        })
    };
    match set {
        Err(status) => status,
        Ok(Some(Ok(()))) => SSEAM_OK,
        Ok(Some(Err(SetupError::IdTooLong { .. }))) => SSEAM_ERR_ID_TOO_LONG,
        Ok(Some(Err(SetupError::MemoryTooShort { .. }))) => SSEAM_ERR_MEMORY,
        Ok(_) => SSEAM_ERR_ARGUMENT,
    }
}

/// Gives the last event id of the stream, for `Last-Event-ID`. Empty where none was
/// set, or for NULL. Valid until the next call that takes the answer without `const`.
///
/// # Safety
///
/// `answer` is NULL or an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_last_event_id(answer: *const Answer) -> Str {
    // SAFETY: the caller's contract.
    let driver = unsafe { Answer::driver(answer) };
    driver.map_or(Str::EMPTY, |driver| {
        Str::of(driver.last_event_id().as_bytes())
    })
}

/// Writes the reconnection time in milliseconds and returns `SSEAM_RETRY`, if the
/// stream has set one; otherwise returns `SSEAM_OK` and leaves `*milliseconds` as it
/// was, so that your default stays.
///
/// # Safety
///
/// Both are NULL, which is refused, or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_retry(
    answer: *const Answer,
    milliseconds: *mut u64,
) -> Status {
    // SAFETY: the caller's contract.
    let (driver, Some(milliseconds)) =
        (unsafe { (Answer::driver(answer), object_mut(milliseconds)) })
    else {
        return SSEAM_ERR_ARGUMENT;
    };
    match driver.map(|driver| driver.retry()) {
        Err(status) => status,
        Ok(None) => SSEAM_OK,
        Ok(Some(retry)) => {
            *milliseconds = retry;
            SSEAM_RETRY
        }
    }
}

fn status_of(result: Result<(), Status>) -> Status {
    result.err().unwrap_or(SSEAM_OK)
}

/// `None` for a number that says nothing.
fn close_of(code: CloseCode) -> Option<Close> {
    Some(match code {
        SSEAM_CLOSE_CLEAN => Close::Transport(TransportEnd::Clean),
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
        SSEAM_CLOSE_SETTLED => Close::Settled,
        100..=999 => Close::Status(u16::try_from(code).ok()?),
        _ => return None,
    })
}
