//! Broken UTF-8 in, text out, as a browser would show it.

use core::ffi::{c_char, c_void};

use sseam_core::Text;

use crate::pointer::{Room, bytes, object_mut};
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, SSEAM_OK, Status};

/// Copies text with U+FFFD in place of each malformed part, as browsers decode
/// event streams. Valid UTF-8 is copied as it is.
///
/// `*needed` is always the length of the result, at most three times `len`.
/// Where `capacity` is less, nothing is written and `SSEAM_ERR_MEMORY` returned,
/// so a first call with `NULL, 0` asks for the length. No NUL is added.
///
/// # Safety
///
/// `text` points to `len` bytes and `out` to `capacity` bytes, or those numbers
/// are 0; they do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_utf8_replace(
    text: *const c_void,
    len: usize,
    out: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Status {
    // SAFETY: the caller's contract.
    let (Some(text), Some(mut room), Some(needed)) = (unsafe {
        (
            bytes(text, len),
            Room::new(out, capacity),
            object_mut(needed),
        )
    }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let text = Text::new(text);
    *needed = replaced_len(text);
    if *needed > room.len() {
        return SSEAM_ERR_MEMORY;
    }
    for chunk in text.chunks() {
        room.put(chunk.valid().as_bytes());
        if !chunk.invalid().is_empty() {
            room.put(REPLACEMENT);
        }
    }
    SSEAM_OK
}

/// Saturates, which no memory can satisfy.
fn replaced_len(text: Text<'_>) -> usize {
    text.chunks().fold(0, |len: usize, chunk| {
        let replaced = if chunk.invalid().is_empty() {
            0
        } else {
            REPLACEMENT.len()
        };
        len.saturating_add(chunk.valid().len())
            .saturating_add(replaced)
    })
}

const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();
