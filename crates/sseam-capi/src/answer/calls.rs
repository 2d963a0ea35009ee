//! Tool calls put together: signals in, calls whose arguments are whole out.
//!
//! Pieces of several calls may come by turns; `state.rs` keeps them apart.

use core::ffi::c_void;
use core::mem::{MaybeUninit, size_of};

mod state; // The open calls, in the memory that was lent.

use self::state::{IS_SET_UP, State};
use super::signal::AnswerSignal;
use crate::pointer::{object, object_mut};
use crate::status::{SSEAM_CALL, SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, SSEAM_OK, Status};
use crate::types::{Out, Output, Str, read_output};

/// Puts the tool calls of an answer together in memory of yours. It lies where you
/// put it, allocates nothing, and may be moved. Calls on one that was not set up do
/// nothing.
#[repr(C)]
pub struct Calls {
    /// Not for you to look at.
    pub opaque: [MaybeUninit<usize>; 8],
}

/// A tool call whose arguments are whole.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Call {
    /// `sizeof(sseam_call)`, set by the caller.
    pub struct_size: usize,
    /// What the signals name it by.
    pub key: u32,
    /// Always 0.
    pub reserved: u32,
    /// The API's id of the call; empty where it gives none.
    pub id: Str,
    /// The tool's name.
    pub name: Str,
    /// JSON text.
    pub arguments: Str,
}

/// Begins without any call, in memory that is the collector's until you begin anew
/// or give it up. NULL for none of it.
///
/// # Safety
///
/// `calls` is NULL, which is refused, or writable. `memory` points to `memory_len`
/// bytes that nobody else uses, or `memory_len` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_calls_init(
    calls: *mut Calls,
    memory: *mut c_void,
    memory_len: usize,
) -> Status {
    let is_memory = memory_len <= isize::MAX as usize && (memory_len == 0 || !memory.is_null());
    // SAFETY: the caller's contract.
    let (Some(place), true) = (unsafe { object_mut(calls) }, is_memory) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let mut state = State::new();
    // SAFETY: the caller's contract.
    unsafe { state.adopt(memory.cast(), memory_len) };
    place.opaque = [MaybeUninit::new(0); 8];
    // SAFETY: as large and as aligned as it must be, see above.
    unsafe { calls.cast::<State>().write(state) };
    SSEAM_OK
}

/// Takes a signal, and gives a call that it makes whole.
///
/// Returns `SSEAM_CALL` and writes `*out`, whose views are valid until the next
/// signal; or `SSEAM_OK`: there is none. Only calls that you are to run are kept;
/// signals of other kinds do nothing. Run a call when the outcome says
/// `SSEAM_OUTCOME_MAY_RUN_CALLS`, and not before.
///
/// Where memory is too short it returns `SSEAM_ERR_MEMORY` and has taken nothing: lend
/// longer memory with `sseam_calls_grow` and pass the signal again, or go on without
/// this call, which is not given out then. In 0 bytes each call is refused so.
///
/// ```c
/// while (sseam_answer_next(answer, &signal) > 0)
///     if (sseam_calls_observe(&calls, &signal, &call) == SSEAM_CALL)
///         keep(call.id, call.name, call.arguments);
/// ```
///
/// # Safety
///
/// `calls` is NULL or all zero, which are refused, or was set up. `signal` is NULL,
/// which is refused, or one that `sseam_answer_next` filled and whose texts are
/// valid. `out->struct_size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_calls_observe(
    calls: *mut Calls,
    signal: *const AnswerSignal,
    out: *mut Call,
) -> Status {
    // SAFETY: the caller's contract.
    let (Some(state), Some(out)) = (unsafe { (state_mut(calls), Out::new(out)) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    // SAFETY: the caller's contract.
    let Some(signal) = (unsafe { read_output(signal, AnswerSignal::other()) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    match state.observe(&signal) {
        Ok(None) => SSEAM_OK,
        Ok(Some(call)) => {
            // SAFETY: the caller's contract.
            unsafe { out.write(&call) };
            SSEAM_CALL
        }
        Err(status) => status,
    }
}

/// Goes on in longer memory, which begins with the bytes of the old, as after
/// `realloc`. Shorter memory than that held is refused with `SSEAM_ERR_MEMORY`.
///
/// # Safety
///
/// As for `sseam_calls_init`, and the first bytes of `memory` are those of the memory
/// before, which is the caller's again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_calls_grow(
    calls: *mut Calls,
    memory: *mut c_void,
    memory_len: usize,
) -> Status {
    let is_memory = memory_len <= isize::MAX as usize && (memory_len == 0 || !memory.is_null());
    // SAFETY: the caller's contract.
    let (Some(state), true) = (unsafe { state_mut(calls) }, is_memory) else {
        return SSEAM_ERR_ARGUMENT;
    };
    if memory_len < state.len() {
        return SSEAM_ERR_MEMORY;
    }
    // SAFETY: the caller's contract.
    unsafe { state.adopt(memory.cast(), memory_len) };
    SSEAM_OK
}

/// Says how many bytes of memory the signal needs that was refused last; 0 if none
/// was, or for NULL.
///
/// # Safety
///
/// `calls` is NULL or all zero, or was set up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_calls_needed(calls: *const Calls) -> usize {
    // SAFETY: the caller's contract; the first word always has a value.
    unsafe {
        match object(calls.cast::<usize>()) {
            Some(&IS_SET_UP) => (*calls.cast::<State>()).needed(),
            _ => 0,
        }
    }
}

/// What is opaque to C, if it was set up.
///
/// # Safety
///
/// `calls` is null, misaligned, all zero or was set up, and nobody else uses it.
unsafe fn state_mut<'a>(calls: *mut Calls) -> Option<&'a mut State> {
    // SAFETY: the caller's contract; the first word always has a value.
    let mark = unsafe { object(calls.cast::<usize>()) }?;
    // SAFETY: the mark is written with the rest.
    (*mark == IS_SET_UP).then(|| unsafe { &mut *calls.cast::<State>() })
}

// SAFETY: see its first field.
unsafe impl Output for Call {
    const LEN_MIN: usize = size_of::<Call>();
}
