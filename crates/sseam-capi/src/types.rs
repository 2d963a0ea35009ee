//! The structs of the header: their size in, their fields out.
//!
//! Each begins with `struct_size`, which the caller sets. The library reads and
//! writes no further than that, so a struct can get new fields at its end and
//! old programs still run. On 32-bit machines no field needs padding before it,
//! so that every compiler lays them out alike.

use core::ffi::c_char;
use core::mem::{offset_of, size_of};
use core::ptr;

use crate::status::{LimitCode, SSEAM_OK, Status};

/// Bytes with their length: never NULL from the library, not ended by NUL, and
/// they may hold NUL. `printf("%.*s", (int)s.len, s.ptr)` shows them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Str {
    /// The first byte.
    pub ptr: *const c_char,
    /// How many there are.
    pub len: usize,
}

/// The item is an unfinished event, from `sseam_parser_take_unfinished`.
pub const SSEAM_ITEM_UNFINISHED: u32 = 1;
/// `type` or `data` may point into the bytes that were passed to this call; where
/// it is not set, they do not, and those bytes are free already.
pub const SSEAM_ITEM_IN_INPUT: u32 = 2;
/// The type of a skipped event is not known, because it was itself too long.
pub const SSEAM_ITEM_TYPE_UNKNOWN: u32 = 4;

/// One thing that the stream said. Set `struct_size` before each first use.
///
/// Views are valid until the next call on the same parser that takes a pointer
/// to it without `const`, and only while you leave the bytes that you passed to
/// this call unchanged.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Item {
    /// `sizeof(sseam_item)`, set by the caller.
    pub struct_size: usize,
    /// `SSEAM_EVENT`, `SSEAM_COMMENT`, `SSEAM_RETRY`, `SSEAM_SKIPPED` or
    /// `SSEAM_IGNORED`; may be another one with a newer library.
    pub kind: Status,
    /// `SSEAM_ITEM_...` bits; ignore those that you do not know.
    pub flags: u32,
    /// SKIPPED: the first limit that the event passed.
    pub limit: LimitCode,
    /// EVENT, SKIPPED: the event's type, `message` where the stream names none.
    pub r#type: Str,
    /// EVENT: the data. SKIPPED: its beginning, never to be taken for the data.
    /// COMMENT: the text after the colon. IGNORED: the line. Of the last two at
    /// most `max_comment` bytes.
    pub data: Str,
    /// EVENT: the last event id when the event was complete, which an earlier
    /// event may have set. Points into the parser's memory, or is empty.
    pub last_event_id: Str,
    /// EVENT, SKIPPED: offset in the stream of the event's first byte.
    pub offset: u64,
    /// EVENT, SKIPPED: offset one past the first byte of its blank line's end.
    pub end: u64,
    /// How long `data` is, or would be if it had not been cut. SKIPPED: what the
    /// bytes that `limit` counts came to.
    pub full_len: u64,
    /// RETRY: the reconnection time in milliseconds.
    pub retry_ms: u64,
    /// SKIPPED: the value of that limit.
    pub limit_max: u64,
}

/// A line had begun and not ended.
pub const SSEAM_PENDING_LINE: u32 = 1;
/// At least one line of data had ended.
pub const SSEAM_PENDING_DATA: u32 = 2;
/// A type had been set.
pub const SSEAM_PENDING_TYPE: u32 = 4;
/// An id had been set that differs from the last event id.
pub const SSEAM_PENDING_ID: u32 = 8;

/// What the end of input threw away.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct End {
    /// `sizeof(sseam_end)`, set by the caller.
    pub struct_size: usize,
    /// Bytes of event memory that were in use.
    pub held: usize,
    /// Bytes of the stream.
    pub offset: u64,
    /// `SSEAM_PENDING_...` bits; 0 after a whole event.
    pub pending: u32,
    /// Always 0.
    pub reserved: u32,
}

/// What was counted since the start or the last reset.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Stats {
    /// `sizeof(sseam_stats)`, set by the caller.
    pub struct_size: usize,
    /// Bytes of event memory that the parser holds now.
    pub memory: usize,
    /// Bytes taken, a byte-order mark included.
    pub bytes: u64,
    /// Lines that ended, blank ones included.
    pub lines: u64,
    /// Events given out.
    pub events: u64,
    /// Comment lines that ended.
    pub comments: u64,
    /// Lines that ended and had no effect.
    pub ignored_lines: u64,
    /// Events that were left out.
    pub skipped: u64,
}

/// Why the parser has stopped.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ErrorInfo {
    /// `sizeof(sseam_error)`, set by the caller.
    pub struct_size: usize,
    /// What `sseam_parser_feed` returned, and returns until a reset.
    pub status: Status,
    /// The limit that was passed, `SSEAM_LIMIT_NONE` for other errors.
    pub limit: LimitCode,
    /// Always 0.
    pub reserved: u32,
    /// The value of that limit.
    pub max: u64,
    /// Offset in the stream of the first byte over the limit; for
    /// `SSEAM_ERR_UTF8`, of the first byte of the event.
    pub offset: u64,
}

impl Str {
    pub(crate) const EMPTY: Str = Str {
        ptr: c"".as_ptr(),
        len: 0,
    };

    /// Of something that was not looked up yet; never given out.
    #[cfg(feature = "wide-scan")]
    pub(crate) const UNKNOWN: Str = Str {
        ptr: ptr::null(),
        len: 0,
    };

    /// A view of `bytes`; an empty one points at an empty string, since C has
    /// functions that must not be given a dangling pointer.
    #[inline]
    pub(crate) const fn of(bytes: &[u8]) -> Str {
        match bytes.len() {
            0 => Str::EMPTY,
            len => Str {
                ptr: bytes.as_ptr().cast(),
                len,
            },
        }
    }
}

impl Str {
    /// A view of bytes that lie in a caller's or in the parser's memory, so that
    /// also an empty one has a pointer that C may be given.
    #[inline(always)]
    pub(crate) const fn within(bytes: &[u8]) -> Str {
        Str {
            ptr: bytes.as_ptr().cast(),
            len: bytes.len(),
        }
    }

    /// Whether its first byte is one of `chunk`.
    pub(crate) fn begins_within(&self, chunk: &[u8]) -> bool {
        self.ptr.addr().wrapping_sub(chunk.as_ptr().addr()) < chunk.len()
    }
}

impl Item {
    pub(crate) const EMPTY: Item = Item {
        struct_size: size_of::<Item>(),
        kind: SSEAM_OK,
        flags: 0,
        limit: 0,
        r#type: Str::EMPTY,
        data: Str::EMPTY,
        last_event_id: Str::EMPTY,
        offset: 0,
        end: 0,
        full_len: 0,
        retry_ms: 0,
        limit_max: 0,
    };

    /// Notes whether a view of it points into the caller's bytes.
    pub(crate) fn mark(&mut self, chunk: &[u8]) {
        let views = [self.r#type, self.data];
        if views.iter().any(|view| view.begins_within(chunk)) {
            self.flags |= SSEAM_ITEM_IN_INPUT;
        }
    }
}

/// A struct that the library fills.
///
/// # Safety
///
/// It is `repr(C)` and begins with `struct_size: usize`.
pub(crate) unsafe trait Output: Sized {
    /// Up to here every version had it.
    const LEN_MIN: usize;
}

// SAFETY: see its first field.
unsafe impl Output for Item {
    const LEN_MIN: usize = offset_of!(Item, r#type);
}

// SAFETY: see its first field.
unsafe impl Output for End {
    const LEN_MIN: usize = offset_of!(End, offset);
}

// SAFETY: see its first field.
unsafe impl Output for Stats {
    const LEN_MIN: usize = offset_of!(Stats, bytes);
}

// SAFETY: see its first field.
unsafe impl Output for ErrorInfo {
    const LEN_MIN: usize = offset_of!(ErrorInfo, limit);
}

/// A caller's struct that was checked and may be filled.
pub(crate) struct Out<T> {
    place: *mut T,
    /// >= `T::LEN_MIN`
    given: usize,
}

impl<T: Output> Out<T> {
    /// Takes a pointer of the caller's; `None` where it is null, misaligned, or
    /// its `struct_size` was not set.
    ///
    /// # Safety
    ///
    /// `place` is null, misaligned, or valid for reads and writes of the
    /// `struct_size` bytes that it begins with.
    #[inline]
    pub(crate) unsafe fn new(place: *mut T) -> Option<Out<T>> {
        if place.is_null() || !place.is_aligned() {
            return None;
        }
        // SAFETY: the caller's contract; `T` begins with its size.
        let given = unsafe { place.cast::<usize>().read() };
        (given >= T::LEN_MIN).then_some(Out { place, given })
    }

    /// The caller's struct itself, if it is of today's size.
    ///
    /// # Safety
    ///
    /// The contract of `new` still holds, and nobody else uses the struct.
    #[inline]
    pub(crate) unsafe fn whole<'a>(&self) -> Option<&'a mut T> {
        // SAFETY: the caller's contract, and `new` looked at the pointer.
        (self.given == size_of::<T>()).then(|| unsafe { &mut *self.place })
    }

    /// Writes as much of `value` as the caller has room for; its size stays.
    ///
    /// # Safety
    ///
    /// The contract of `new` still holds.
    #[inline]
    pub(crate) unsafe fn write(&self, value: &T) {
        let len = self.given.min(size_of::<T>());
        // SAFETY: `len` bytes may be written, and `value` has as many; the size that
        // the caller set stays what it was.
        unsafe {
            ptr::copy_nonoverlapping(ptr::from_ref(value).cast(), self.place.cast::<u8>(), len);
            self.place.cast::<usize>().write(self.given);
        }
    }
}

/// Reads a struct that the library filled for a caller of any age: what it lacks is
/// as in `default`.
///
/// # Safety
///
/// As for `Out::new`, and nothing is written.
#[cfg(feature = "answer")]
pub(crate) unsafe fn read_output<T: Output + Copy>(place: *const T, default: T) -> Option<T> {
    // SAFETY: the caller's contract.
    let given = unsafe { Out::new(place.cast_mut()) }?.given;
    let mut read = default;
    let len = given.min(size_of::<T>());
    // SAFETY: `len` bytes are within both structs.
    unsafe { ptr::copy_nonoverlapping(place.cast::<u8>(), (&raw mut read).cast(), len) };
    Some(read)
}
