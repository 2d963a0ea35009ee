//! The one place where pointers become references: a caller's pointers in,
//! references or a refusal out.

use core::ffi::{c_char, c_void};
use core::slice;

/// A caller's bytes; NULL stands for none of them. `None` where this is no
/// slice of memory at all.
///
/// # Safety
///
/// `bytes` is null or valid for `len` reads, and nobody writes there during
/// `'a`.
#[inline]
pub(crate) unsafe fn bytes<'a>(bytes: *const c_void, len: usize) -> Option<&'a [u8]> {
    if len > isize::MAX as usize || (bytes.is_null() && len > 0) {
        return None;
    }
    if bytes.is_null() {
        return Some(&[]);
    }
    // SAFETY: not null, not too long, and the caller's contract.
    Some(unsafe { slice::from_raw_parts(bytes.cast(), len) })
}

/// A caller's memory to be written, which may never have been written before.
pub(crate) struct Room {
    /// Valid for writes of `len` bytes.
    at: *mut u8,
    len: usize,
}

impl Room {
    /// `None` where this is no memory at all; NULL stands for none of it.
    ///
    /// # Safety
    ///
    /// `at` is null or valid for `len` writes, which nobody else makes while the
    /// room is there, and what is put does not lie in it.
    pub(crate) unsafe fn new(at: *mut c_char, len: usize) -> Option<Room> {
        let is_memory = len <= isize::MAX as usize && (len == 0 || !at.is_null());
        is_memory.then_some(Room { at: at.cast(), len })
    }

    /// Bytes that can still be put.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Puts `bytes`, or nothing where they are more than there is room for.
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        let Some(left) = self
            .len
            .checked_sub(bytes.len())
            .filter(|_| !bytes.is_empty())
        else {
            return;
        };
        // SAFETY: there is room for them, and they do not lie in it.
        unsafe {
            self.at
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            self.at = self.at.add(bytes.len());
        }
        self.len = left;
    }
}

/// A caller's object; `None` where the pointer is null or misaligned.
///
/// # Safety
///
/// Otherwise it is valid for reads and writes, which nobody else makes during
/// `'a`.
#[inline]
pub(crate) unsafe fn object_mut<'a, T>(object: *mut T) -> Option<&'a mut T> {
    if !object.is_aligned() {
        return None;
    }
    // SAFETY: aligned, and the caller's contract.
    unsafe { object.as_mut() }
}

/// A caller's object to be read, likewise.
///
/// # Safety
///
/// Otherwise it is valid for reads, and nobody writes there during `'a`.
#[inline]
pub(crate) unsafe fn object<'a, T>(object: *const T) -> Option<&'a T> {
    if !object.is_aligned() {
        return None;
    }
    // SAFETY: aligned, and the caller's contract.
    unsafe { object.as_ref() }
}

/// Whether two slices have a byte in common.
#[inline]
pub(crate) fn overlap(a: &[u8], b: &[u8]) -> bool {
    (begins_within(a, b) || begins_within(b, a)) && !a.is_empty() && !b.is_empty()
}

/// Whether `a` begins where a byte of `b` is.
#[inline]
pub(crate) fn begins_within(a: &[u8], b: &[u8]) -> bool {
    a.as_ptr().addr().wrapping_sub(b.as_ptr().addr()) < b.len()
}
