//! A turn on the heap: options and an allocator in, a handle out.

use super::{Turn, TurnOptions};
use crate::heap::Allocator;
use crate::hosted;
use crate::pointer::object_mut;
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_OK, Status};

/// Makes a turn on the heap, which is ended with `sseam_turn_free`. It allocates
/// once, here.
///
/// Both pointers may be NULL: the API is found out; `malloc` and `free`. Writes
/// `*out` on `SSEAM_OK` and nothing otherwise; see `sseam_turn_init`.
///
/// Firmware libraries lack this function: use `sseam_turn_init` there.
///
/// # Safety
///
/// `options` was set up by `sseam_turn_options_init`. The functions of `allocator`
/// keep the contract of that struct for as long as the turn lives.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sseam_turn_new(
    options: *const TurnOptions,
    allocator: *const Allocator,
    out: *mut *mut Turn,
) -> Status {
    // SAFETY: the caller's contract.
    let Some(out) = (unsafe { object_mut(out) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    // SAFETY: the caller's contract.
    match unsafe { create(options, allocator) } {
        Ok(turn) => *out = turn,
        Err(status) => return status,
    }
    SSEAM_OK
}

/// # Safety
///
/// As for `sseam_turn_new`.
unsafe fn create(
    options: *const TurnOptions,
    allocator: *const Allocator,
) -> Result<*mut Turn, Status> {
    // SAFETY: the caller's contract.
    let (turn, heap) = unsafe { (TurnOptions::read(options)?, hosted::heap(allocator)?) };
    let place = heap.place::<Turn>()?;
    let turn = Turn {
        heap: Some(heap),
        ..Turn::new(turn)
    };
    // SAFETY: `place` has room for a turn and is aligned for one.
    unsafe { place.write(turn) };
    Ok(place)
}
