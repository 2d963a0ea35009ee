//! How streams end and begin: what the end of input threw away, and what a
//! reconnect needs.

use core::ffi::c_void;

use sseam_core::{Counters, End as CoreEnd, Error, SetupError, Step};

use crate::heap;
use crate::parser::{Parser, State};
use crate::pointer::{self, object, object_mut};
use crate::status::{
    LimitCode, SSEAM_ERR_ARGUMENT, SSEAM_ERR_ID_TOO_LONG, SSEAM_ERR_STATE, SSEAM_LIMIT_NONE,
    SSEAM_OK, SSEAM_RETRY, SSEAM_TRUNCATED, Status, limit_code,
};
use crate::types::{
    End, ErrorInfo, Item, Out, SSEAM_PENDING_DATA, SSEAM_PENDING_ID, SSEAM_PENDING_LINE,
    SSEAM_PENDING_TYPE, Stats, Str,
};

/// Tells that the input has ended.
///
/// Returns `SSEAM_OK` after a whole event, `SSEAM_TRUNCATED` where the stream
/// broke off inside one, and fills `*out` in both cases; or the error that the
/// parser has stopped with. Calling it again gives the same answer. Input is
/// refused with `SSEAM_ERR_STATE` from now on until `sseam_parser_reset`.
///
/// # Safety
///
/// `parser` is NULL, which is refused, or a parser. `out` is NULL, for a caller
/// who does not want the details, or its `struct_size` is set.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sseam_parser_finish(parser: *mut Parser, out: *mut End) -> Status {
    // SAFETY: the caller's contract.
    let out_checked = unsafe { Out::new(out) };
    if out_checked.is_none() && !out.is_null() {
        return SSEAM_ERR_ARGUMENT;
    }
    // SAFETY: the caller's contract.
    let it = match unsafe { Parser::enter(parser) } {
        Ok(it) => it,
        Err(status) => return status,
    };
    if let Some(status) = it.failure().filter(|&status| status != SSEAM_ERR_STATE) {
        return status;
    }
    let (engine, memory) = it.parts();
    let end = engine.finish(memory);
    if let Some(out) = out_checked {
        // SAFETY: the caller's contract.
        unsafe { out.write(&end_of(&end, it.engine.memory_held())) };
    }
    if end.is_clean() {
        SSEAM_OK
    } else {
        SSEAM_TRUNCATED
    }
}

/// Gives out, once, the event that the end of input threw away.
///
/// To be called after `sseam_parser_finish`. Returns `SSEAM_EVENT` with the flag
/// `SSEAM_ITEM_UNFINISHED`, or `SSEAM_OK` where there is no data. An unfinished
/// line counts only if it is `data` and its colon was seen. The event's id is
/// the one before it: its own is never committed.
///
/// # Safety
///
/// `parser` is NULL, which is refused, or a parser. `out->struct_size` is set.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sseam_parser_take_unfinished(
    parser: *mut Parser,
    out: *mut Item,
) -> Status {
    // SAFETY: the caller's contract.
    let Some(out) = (unsafe { Out::new(out) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    loop {
        // SAFETY: the caller's contract.
        let it = match unsafe { Parser::enter(parser) } {
            Ok(it) => it,
            Err(status) => return status,
        };
        match it.failure() {
            None => return SSEAM_ERR_STATE,
            Some(SSEAM_ERR_STATE) => {}
            Some(status) => return status,
        }
        let (engine, memory) = it.parts();
        match engine.take_unfinished(memory) {
            Step::Event => {
                let mut item = Item::EMPTY;
                let status = it.fill(Step::Event, &[], &mut item);
                // Refused for its text or not, it was taken, and no event counts less.
                it.state = State::Open;
                if status > SSEAM_OK {
                    // SAFETY: the caller's contract.
                    unsafe { out.write(&item) };
                }
                return status;
            }
            Step::NeedMemory => {
                // SAFETY: the caller's contract.
                if let Err(status) = unsafe { heap::grow(parser) } {
                    return status;
                }
            }
            _ => return SSEAM_OK,
        }
    }
}

/// Begins a new connection.
///
/// Options, last event id and reconnection time stay, which is what a reconnect
/// needs; the unfinished event, an error and the counts go. A parser on the heap
/// gives back its event memory. Returns `SSEAM_OK`, `SSEAM_ERR_ARGUMENT` or
/// `SSEAM_ERR_REENTRANT`.
///
/// # Safety
///
/// `parser` is NULL, which is refused, or a parser.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_parser_reset(parser: *mut Parser) -> Status {
    // SAFETY: the caller's contract.
    let it = match unsafe { Parser::enter(parser) } {
        Ok(it) => it,
        Err(status) => return status,
    };
    it.engine.reset();
    it.state = State::Open;
    if it.heap.is_some() {
        // SAFETY: the caller's contract.
        unsafe { heap::shrink(parser) };
    }
    SSEAM_OK
}

/// Goes on after a loss of bytes, as of an overrun UART: everything up to the
/// next blank line is dropped and counted as one skipped event, so that no event
/// is put together from two. Statuses as for `sseam_parser_reset`.
///
/// # Safety
///
/// `parser` is NULL, which is refused, or a parser.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_parser_resync(parser: *mut Parser) -> Status {
    // SAFETY: the caller's contract.
    match unsafe { Parser::enter(parser) } {
        Ok(it) => {
            it.engine.resync();
            if it.state == State::Owing {
                it.state = State::Open;
            }
        }
        Err(status) => return status,
    }
    SSEAM_OK
}

/// Sets the last event id, for a session that is resumed before its first byte.
///
/// Returns `SSEAM_ERR_ID_TOO_LONG` over `max_id`, `SSEAM_ERR_ARGUMENT` for an id
/// with CR, LF or NUL, which no stream can set and no header can carry.
///
/// # Safety
///
/// `parser` is NULL, which is refused, or a parser. `id` points to `len` bytes,
/// or `len` is 0; the bytes are not the parser's own.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sseam_parser_set_last_event_id(
    parser: *mut Parser,
    id: *const c_void,
    len: usize,
) -> Status {
    // SAFETY: the caller's contract.
    let Some(id) = (unsafe { pointer::bytes(id, len) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    loop {
        // SAFETY: the caller's contract.
        let it = match unsafe { Parser::enter(parser) } {
            Ok(it) if it.owns(id) => return SSEAM_ERR_ARGUMENT,
            Ok(it) => it,
            Err(status) => return status,
        };
        let (engine, memory) = it.parts();
        match engine.set_last_event_id(memory, id) {
            Ok(()) => return SSEAM_OK,
            Err(SetupError::IdTooLong { .. }) => return SSEAM_ERR_ID_TOO_LONG,
            Err(SetupError::MemoryTooShort { .. }) => {}
            Err(_) => return SSEAM_ERR_ARGUMENT,
        }
        // SAFETY: the caller's contract.
        if let Err(status) = unsafe { heap::grow(parser) } {
            return status;
        }
    }
}

/// Gives the last event id: that of the last event, or of the last block without
/// data, that was complete. Empty where none was set, or for NULL.
///
/// The view is valid until the next call that takes the parser without `const`.
///
/// # Safety
///
/// `parser` is NULL or a parser.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_parser_last_event_id(parser: *const Parser) -> Str {
    // SAFETY: the caller's contract.
    match unsafe { object(parser) } {
        Some(it) => Str::of(it.engine.last_event_id(it.memory())),
        None => Str::EMPTY,
    }
}

/// Writes the reconnection time in milliseconds and returns `SSEAM_RETRY`, if the
/// stream has set one; otherwise returns `SSEAM_OK` and leaves `*milliseconds` as
/// it was, so that your default stays.
///
/// # Safety
///
/// Both are NULL, which is refused, or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_parser_retry(
    parser: *const Parser,
    milliseconds: *mut u64,
) -> Status {
    // SAFETY: the caller's contract.
    let (Some(it), Some(milliseconds)) = (unsafe { (object(parser), object_mut(milliseconds)) })
    else {
        return SSEAM_ERR_ARGUMENT;
    };
    match it.engine.retry() {
        Some(retry) => *milliseconds = retry,
        None => return SSEAM_OK,
    }
    SSEAM_RETRY
}

/// Counts what the stream has sent. Returns `SSEAM_OK` or `SSEAM_ERR_ARGUMENT`.
///
/// # Safety
///
/// Both are NULL, which is refused, or valid; `out->struct_size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_parser_stats(parser: *const Parser, out: *mut Stats) -> Status {
    // SAFETY: the caller's contract.
    let (Some(it), Some(out)) = (unsafe { (object(parser), Out::new(out)) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let mut stats = stats_of(&it.engine.counters(), it.memory_len);
    // The engine has counted the event that was refused for its text.
    let refused = u64::from(it.state == State::Invalid);
    stats.events = stats.events.saturating_sub(refused);
    // SAFETY: the caller's contract.
    unsafe { out.write(&stats) };
    SSEAM_OK
}

/// Says why the parser has stopped: returns the status that input is refused
/// with, or `SSEAM_OK` while it is taken. Fills `*out` in both cases.
///
/// # Safety
///
/// `parser` is NULL, which is refused, or a parser. `out` is NULL, for a caller
/// who does not want the details, or its `struct_size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_parser_error(parser: *const Parser, out: *mut ErrorInfo) -> Status {
    // SAFETY: the caller's contract.
    let (it, checked) = unsafe { (object(parser), Out::new(out)) };
    let Some(it) = it.filter(|_| checked.is_some() || out.is_null()) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let status = it.failure().unwrap_or(SSEAM_OK);
    let (limit, max, offset) = place_of(it);
    let info = ErrorInfo {
        struct_size: 0,
        status,
        limit,
        reserved: 0,
        max,
        offset,
    };
    if let Some(out) = checked {
        // SAFETY: the caller's contract.
        unsafe { out.write(&info) };
    }
    status
}

/// Which limit was passed, its value, and where.
fn place_of(it: &Parser) -> (LimitCode, u64, u64) {
    match it.engine.error() {
        _ if it.state == State::Invalid => (SSEAM_LIMIT_NONE, 0, it.noted),
        Some(Error::LimitPassed { limit, max, offset }) => (limit_code(limit), max, offset),
        _ => (SSEAM_LIMIT_NONE, 0, it.engine.counters().bytes),
    }
}

/// What was counted, as C sees it.
pub(crate) fn stats_of(counters: &Counters, memory: usize) -> Stats {
    Stats {
        struct_size: 0,
        memory,
        bytes: counters.bytes,
        lines: counters.lines,
        events: counters.events,
        comments: counters.comments,
        ignored_lines: counters.ignored_lines,
        skipped: counters.skipped,
    }
}

fn end_of(end: &CoreEnd, held: usize) -> End {
    let pending = [
        (end.line, SSEAM_PENDING_LINE),
        (end.data, SSEAM_PENDING_DATA),
        (end.event, SSEAM_PENDING_TYPE),
        (end.id, SSEAM_PENDING_ID),
    ];
    let bits = pending
        .iter()
        .filter(|(is_pending, _)| *is_pending)
        .map(|(_, bit)| bit);
    End {
        struct_size: 0,
        held,
        offset: end.offset,
        pending: bits.sum(),
        reserved: 0,
    }
}
