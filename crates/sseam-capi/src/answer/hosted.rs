//! An answer on the heap: options and an allocator in, a handle out.

use sseam_llm::Answer as Driver;

use super::memory::Block;
use super::{Answer, AnswerOptions};
use crate::heap::Allocator;
use crate::hosted;
use crate::pointer::object_mut;
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_OK, Status};

/// Makes an answer on the heap, which is ended with `sseam_answer_free`. Its event
/// memory begins with none and grows on demand up to the limits, as that of
/// `sseam_parser_new`.
///
/// Both pointers may be NULL: the API is found out; `malloc`, `realloc` and `free`.
/// Writes `*out` on `SSEAM_OK` and nothing otherwise; see `sseam_answer_init`.
/// Where the allocator gives none while the stream is read, that becomes part of
/// the outcome.
///
/// Firmware libraries lack this function: use `sseam_answer_init` there.
///
/// # Safety
///
/// `options` was set up by `sseam_answer_options_init`. The functions of `allocator`
/// keep the contract of that struct for as long as the answer lives.
#[unsafe(export_name = "sseam_answer_new_1")]
#[must_use]
pub unsafe extern "C" fn sseam_answer_new(
    options: *const AnswerOptions,
    allocator: *const Allocator,
    out: *mut *mut Answer,
) -> Status {
    // SAFETY: the caller's contract.
    let Some(out) = (unsafe { object_mut(out) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    // SAFETY: the caller's contract.
    match unsafe { create(options, allocator) } {
        Ok(answer) => *out = answer,
        Err(status) => return status,
    }
    SSEAM_OK
}

/// # Safety
///
/// As for `sseam_answer_new`.
unsafe fn create(
    options: *const AnswerOptions,
    allocator: *const Allocator,
) -> Result<*mut Answer, Status> {
    // SAFETY: the caller's contract.
    let (asked, heap) = unsafe { (AnswerOptions::read(options)?, hosted::heap(allocator)?) };
    let place = heap.place::<Answer>()?;
    let block = Block::growing(heap, asked.memory_len());
    let driver = Driver::growing(block, asked.limits, asked.turn);
    // SAFETY: `place` has room for an answer and is aligned for one.
    unsafe { place.write(Answer::new(asked.finish(driver), Some(heap))) };
    Ok(place)
}
