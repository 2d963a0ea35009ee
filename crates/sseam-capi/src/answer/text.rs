//! A piece of text as it stands in an event in, its parts out, decoded while they
//! are read: nothing is copied that can be pointed at.

use core::ffi::{c_char, c_int};
use core::mem::{MaybeUninit, align_of, size_of};

use sseam_llm::{Part, Parts, Piece};

use crate::pointer::{Room, object, object_mut};
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, SSEAM_OK, Status};
use crate::types::Str;

/// A piece of text, as it stands in the event: in JSON, with escapes. It is read
/// part by part with `sseam_text_next`, or at once with `sseam_text_decode`. It
/// points into the event and is valid as long as that is. A copy of it is read
/// apart from it. All zero bytes are no text.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AnswerText {
    /// Not for you to look at. Not every byte of it has a value.
    pub opaque: [MaybeUninit<usize>; 9],
}

/// What a text that is not empty holds.
#[repr(C)]
#[derive(Clone)]
struct Reading {
    /// `IS_TEXT`
    mark: usize,
    parts: Parts<'static>,
    /// The last part, where it is no part of the event.
    held: [u8; 4],
}

const IS_TEXT: usize = 0x5EA7;

const _: () = assert!(size_of::<Reading>() <= size_of::<AnswerText>());
const _: () = assert!(align_of::<Reading>() == align_of::<AnswerText>());

impl AnswerText {
    pub(crate) const NONE: AnswerText = AnswerText {
        opaque: [MaybeUninit::new(0); 9],
    };

    /// Whether there is nothing in it.
    pub(crate) fn is_none(&self) -> bool {
        // SAFETY: the first word always has a value.
        unsafe { (&raw const self.opaque).cast::<usize>().read() != IS_TEXT }
    }

    /// # Safety
    ///
    /// The event that the piece is of outlives the use of this text.
    pub(crate) unsafe fn of(piece: Piece<'_>) -> AnswerText {
        let mut text = AnswerText::NONE;
        if piece.is_empty() {
            return text;
        }
        // SAFETY: the caller's promise; the lifetime is all that changes.
        let piece = unsafe { core::mem::transmute::<Piece<'_>, Piece<'static>>(piece) };
        let reading = Reading {
            mark: IS_TEXT,
            parts: piece.parts(),
            held: [0; 4],
        };
        // SAFETY: as large and as aligned as it must be, see above.
        unsafe { (&raw mut text).cast::<Reading>().write(reading) };
        text
    }
}

/// Takes the next part off the front of a text.
///
/// Returns 1 and writes `*part`, UTF-8 that is never empty; or 0, and there is
/// nothing left. Escapes, pairs of surrogates included, are decoded; what cannot
/// be is U+FFFD. A part is valid until the next one is taken, and as long as the
/// event and `*text` are left alone. NULL for either is 0.
///
/// ```c
/// while (sseam_text_next(&signal.text, &part))
///     fwrite(part.ptr, 1, part.len, stdout);
/// ```
///
/// # Safety
///
/// `text` is of a signal whose event is still there, or all zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_text_next(text: *mut AnswerText, part: *mut Str) -> c_int {
    // SAFETY: the caller's contract.
    let (Some(reading), Some(out)) = (unsafe { (reading_mut(text), object_mut(part)) }) else {
        return 0;
    };
    let Some(part) = reading.parts.next() else {
        return 0;
    };
    let (bytes, own) = (part.as_bytes(), (&raw const part).cast::<u8>());
    let is_own = bytes.as_ptr().addr().wrapping_sub(own.addr()) < size_of_val(&part);
    *out = match is_own {
        false => Str::of(bytes),
        // An escape's character lies in the part, which ends here.
        true => {
            for (place, byte) in reading.held.iter_mut().zip(bytes) {
                *place = *byte;
            }
            Str::of(reading.held.get(..bytes.len()).unwrap_or_default())
        }
    };
    1
}

/// Writes what is left of a text into a buffer, decoded, and leaves the text as
/// it is.
///
/// `*needed` is always its length. Where `capacity` is less, nothing is written
/// and `SSEAM_ERR_MEMORY` returned, so a first call with `NULL, 0` asks for the
/// length. No NUL is added.
///
/// # Safety
///
/// `text` is of a signal whose event is still there, or all zero. `out` points to
/// `capacity` bytes that are not the event's, or `capacity` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_text_decode(
    text: *const AnswerText,
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
    *needed = 0;
    if text.is_null() || !text.is_aligned() {
        return SSEAM_ERR_ARGUMENT;
    }
    // SAFETY: the caller's contract.
    let Some(reading) = (unsafe { reading(text) }) else {
        return SSEAM_OK;
    };
    let parts = reading.parts.clone();
    *needed = parts
        .clone()
        .fold(0, |len: usize, part| len.saturating_add(part.len()));
    if *needed > room.len() {
        return SSEAM_ERR_MEMORY;
    }
    parts.for_each(|part| room.put(part.as_bytes()));
    SSEAM_OK
}

/// What is left of a text; nothing of one that is none.
///
/// # Safety
///
/// `text` is one that was made here or is all zero, and the event is still there.
pub(super) unsafe fn parts_of(text: &AnswerText) -> impl Iterator<Item = Part<'static>> + use<> {
    // SAFETY: the caller's contract.
    let reading = unsafe { reading(text) };
    reading
        .map(|reading| reading.parts.clone())
        .into_iter()
        .flatten()
}

/// What a text holds, to take parts of it; `None` where it is none.
///
/// # Safety
///
/// `text` is null, misaligned, or one that was made here or is all zero; nobody
/// else looks at it during `'a`.
unsafe fn reading_mut<'a>(text: *mut AnswerText) -> Option<&'a mut Reading> {
    // SAFETY: the caller's contract.
    unsafe { reading(text) }?;
    // SAFETY: the mark is written with the rest.
    unsafe { object_mut(text.cast()) }
}

/// What a text holds, to be looked at, by several threads at once too.
///
/// # Safety
///
/// As above, and nobody takes parts of it during `'a`.
unsafe fn reading<'a>(text: *const AnswerText) -> Option<&'a Reading> {
    // SAFETY: the caller's contract; the first word always has a value.
    let mark = unsafe { object(text.cast::<usize>()) }?;
    if *mark != IS_TEXT {
        return None;
    }
    // SAFETY: the mark is written with the rest.
    unsafe { object(text.cast()) }
}
