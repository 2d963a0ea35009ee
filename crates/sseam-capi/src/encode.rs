//! The way back, for servers: an event in, the bytes of its block out.

use core::ffi::{c_char, c_void};

use sseam_core::{Encoded, Encoder};

use crate::pointer::{Room, bytes, object_mut};
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, SSEAM_OK, Status};
use crate::types::Str;

/// Writes an event with its blank line, in such a way that a parser gives it
/// back: data is cut at every line end, so that nothing can be injected.
///
/// An empty type writes no `event` line. An id whose `ptr` is NULL writes no `id`
/// line; an empty one with a pointer resets the last event id. A type or id with
/// CR, LF or NUL is refused with `SSEAM_ERR_ARGUMENT`.
///
/// `*needed` is the length of the block. Where `capacity` is less, nothing is
/// written and `SSEAM_ERR_MEMORY` returned, so a call with `NULL, 0` asks for the
/// length.
///
/// # Safety
///
/// Each of `type`, `data` and `id` points to as many bytes as it says, or that
/// is 0. `out` points to `capacity` bytes, or that is 0. Nothing
/// overlaps `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_encode_event(
    r#type: Str,
    data: Str,
    id: Str,
    out: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Status {
    // SAFETY: the caller's contract.
    let (Some(name), Some(data), Some(id_bytes)) =
        (unsafe { (view(r#type), view(data), view(id)) })
    else {
        return SSEAM_ERR_ARGUMENT;
    };
    let id = (!id.ptr.is_null()).then_some(id_bytes);
    match Encoder::event(name, data, id) {
        // SAFETY: the caller's contract.
        Ok(encoded) => unsafe { write(encoded, out, capacity, needed) },
        Err(_) => SSEAM_ERR_ARGUMENT,
    }
}

/// Writes a comment, one line for each line of the text; as a heartbeat, an
/// empty one will do. No blank line follows. `needed` and statuses as for
/// `sseam_encode_event`.
///
/// # Safety
///
/// As for `sseam_encode_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_encode_comment(
    text: Str,
    out: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Status {
    // SAFETY: the caller's contract.
    match unsafe { view(text) } {
        // SAFETY: the caller's contract.
        Some(text) => unsafe { write(Encoder::comment(text), out, capacity, needed) },
        None => SSEAM_ERR_ARGUMENT,
    }
}

/// Writes a `retry` line, which acts at once; no blank line follows. `needed`
/// and statuses as for `sseam_encode_event`.
///
/// # Safety
///
/// As for `sseam_encode_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_encode_retry(
    milliseconds: u64,
    out: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Status {
    // SAFETY: the caller's contract.
    unsafe { write(Encoder::retry(milliseconds), out, capacity, needed) }
}

/// # Safety
///
/// `text.ptr` is null or valid for reads of `text.len` bytes.
unsafe fn view<'a>(text: Str) -> Option<&'a [u8]> {
    // SAFETY: the caller's contract.
    unsafe { bytes(text.ptr.cast::<c_void>(), text.len) }
}

/// # Safety
///
/// As for the functions above.
unsafe fn write(
    mut encoded: Encoded<'_>,
    out: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Status {
    // SAFETY: the caller's contract.
    let (Some(mut room), Some(needed)) =
        (unsafe { (Room::new(out, capacity), object_mut(needed)) })
    else {
        return SSEAM_ERR_ARGUMENT;
    };
    *needed = encoded.byte_len();
    if *needed > room.len() {
        return SSEAM_ERR_MEMORY;
    }
    while let Some(piece) = encoded.next_piece() {
        room.put(piece);
    }
    SSEAM_OK
}
