//! Event memory that grows through the caller's allocator: how much is wanted
//! in, more bytes or a refusal out.
//!
//! A parser begins with none. It asks for twice what it had, or for exactly what
//! it needs where twice is refused, and gives back what a large event has left.

use core::ffi::c_void;
use core::mem::size_of;
use core::ptr;

use crate::parser::{Parser, State, nowhere};
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, Status};

/// Where a parser or an answer on the heap gets its memory. Sizes are given back as they were
/// asked for, so an arena needs no headers of its own.
///
/// The functions must not throw, and must not use what they serve.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Allocator {
    /// `sizeof(sseam_allocator)`, set by the caller.
    pub struct_size: usize,
    /// Gives `size` bytes, aligned as by `malloc`, or NULL.
    pub alloc: Option<unsafe extern "C" fn(user: *mut c_void, size: usize) -> *mut c_void>,
    /// Resizes memory of `old_size` bytes, or gives NULL and leaves it as it is.
    /// NULL instead of a function: `alloc`, a copy and `free` take its place.
    pub realloc: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            memory: *mut c_void,
            old_size: usize,
            new_size: usize,
        ) -> *mut c_void,
    >,
    /// Takes back memory of `size` bytes; never NULL.
    pub free: Option<unsafe extern "C" fn(user: *mut c_void, memory: *mut c_void, size: usize)>,
    /// Passed to the functions.
    pub user: *mut c_void,
}

type Alloc = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
type Realloc = unsafe extern "C" fn(*mut c_void, *mut c_void, usize, usize) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void, *mut c_void, usize);

/// An allocator that has what it needs.
#[derive(Clone, Copy)]
pub(crate) struct Heap {
    alloc: Alloc,
    realloc: Option<Realloc>,
    free: Free,
    user: *mut c_void,
}

impl Heap {
    pub(crate) fn new(allocator: &Allocator) -> Option<Heap> {
        Some(Heap {
            alloc: allocator.alloc?,
            realloc: allocator.realloc,
            free: allocator.free?,
            user: allocator.user,
        })
    }

    /// Memory of `len` bytes, or null.
    pub(crate) fn alloc(&self, len: usize) -> *mut u8 {
        // SAFETY: the allocator's contract.
        unsafe { (self.alloc)(self.user, len) }.cast()
    }

    /// Room for a `T`, to be written.
    pub(crate) fn place<T>(&self) -> Result<*mut T, Status> {
        let place = self.alloc(size_of::<T>()).cast::<T>();
        if place.is_null() {
            return Err(SSEAM_ERR_MEMORY);
        }
        if !place.is_aligned() {
            // SAFETY: it has just been given out.
            unsafe { self.free(place.cast(), size_of::<T>()) };
            return Err(SSEAM_ERR_ARGUMENT);
        }
        Ok(place)
    }

    /// # Safety
    ///
    /// `memory` has `len` bytes of this allocator, or `len` is 0.
    pub(crate) unsafe fn free(&self, memory: *mut u8, len: usize) {
        if len > 0 {
            // SAFETY: the caller's contract.
            unsafe { (self.free)(self.user, memory.cast(), len) };
        }
    }

    /// Memory of `new_len` > 0 bytes that begins with the old ones, or null and
    /// the old memory is left as it was.
    ///
    /// # Safety
    ///
    /// As for `free`.
    pub(crate) unsafe fn resize(&self, memory: *mut u8, len: usize, new_len: usize) -> *mut u8 {
        if len == 0 {
            return self.alloc(new_len);
        }
        if let Some(realloc) = self.realloc {
            // SAFETY: the caller's contract.
            return unsafe { realloc(self.user, memory.cast(), len, new_len) }.cast();
        }
        let new = self.alloc(new_len);
        if !new.is_null() {
            // SAFETY: both have that many bytes, and are different memory.
            unsafe {
                ptr::copy_nonoverlapping(memory, new, len.min(new_len));
                self.free(memory, len);
            }
        }
        new
    }
}

/// Grows the event memory until the engine can go on.
///
/// # Safety
///
/// `parser` is a parser that no other call is using.
#[cold]
pub(crate) unsafe fn grow(parser: *mut Parser) -> Result<(), Status> {
    // SAFETY: the caller's contract; each borrow ends before caller's code runs.
    let it = unsafe { &*parser };
    let (wanted, len) = (it.engine.memory_wanted(), it.memory_len);
    let max = it.engine.limits().memory_len();
    if wanted > len {
        let twice = len.saturating_mul(2).max(MEMORY_LEN_FIRST).min(max);
        // SAFETY: the caller's contract.
        unsafe { resize(parser, twice.max(wanted)).or_else(|_| resize(parser, wanted))? };
    }
    // SAFETY: the caller's contract.
    let (engine, memory) = unsafe { &mut *parser }.parts();
    engine.adopt_memory(memory);
    Ok(())
}

/// Whether so much event memory may be given back between two events.
#[inline]
pub(crate) fn is_much(len: usize) -> bool {
    len > KEPT_LEN_MAX
}

/// Gives back what a large event has left, between two events.
///
/// # Safety
///
/// As for `grow`.
#[cold]
pub(crate) unsafe fn give_back(parser: *mut Parser) {
    // SAFETY: the caller's contract.
    let (held, len) = unsafe { ((*parser).engine.memory_held(), (*parser).memory_len) };
    // A quarter, not a half, or an event that grows would have its memory taken
    // and given anew at every chunk.
    if held <= len / 4 {
        let kept = held.max(MEMORY_LEN_FIRST);
        // Where it cannot be made shorter, it stays as it is.
        // SAFETY: the caller's contract.
        let _ = unsafe { resize(parser, kept) };
    }
}

/// Gives back all that a new stream does not need.
///
/// # Safety
///
/// As for `grow`.
pub(crate) unsafe fn shrink(parser: *mut Parser) {
    // SAFETY: the caller's contract.
    let held = unsafe { &*parser }.engine.memory_held();
    // SAFETY: the caller's contract.
    let _ = unsafe { resize(parser, held) };
}

/// Makes the event memory `len` bytes long, or leaves it as it is.
///
/// # Safety
///
/// As for `grow`.
unsafe fn resize(parser: *mut Parser, len: usize) -> Result<(), Status> {
    // SAFETY: the callers' contract; these are copies.
    let (heap, memory, old_len) =
        unsafe { ((*parser).heap, (*parser).memory, (*parser).memory_len) };
    let Some(heap) = heap.filter(|_| len <= isize::MAX as usize) else {
        return Err(SSEAM_ERR_MEMORY);
    };
    if len == old_len {
        return Ok(());
    }
    // SAFETY: no reference into the parser exists while the caller's code runs.
    let state = unsafe { core::mem::replace(&mut (*parser).state, State::InAllocator) };
    let new = match len {
        0 => {
            // SAFETY: the memory is of this allocator.
            unsafe { heap.free(memory, old_len) };
            nowhere()
        }
        // SAFETY: the memory is of this allocator.
        _ => unsafe { heap.resize(memory, old_len, len) },
    };
    // SAFETY: as above; and `new` has `len` bytes, of which the first are old.
    unsafe {
        (*parser).state = state;
        if new.is_null() {
            return Err(SSEAM_ERR_MEMORY);
        }
        if len > old_len {
            // What is lent to the engine must have been written.
            ptr::write_bytes(new.add(old_len), 0, len - old_len);
        }
        (*parser).memory = new;
        (*parser).memory_len = len;
    }
    Ok(())
}

/// The first event memory is this long, so that few reallocations follow.
pub(crate) const MEMORY_LEN_FIRST: usize = 64;

/// Event memory up to this length is kept between events: below it a stream of
/// events of one size costs no allocation after the first, above it allocations
/// are nothing beside the bytes of the event.
const KEPT_LEN_MAX: usize = 16 * 1024;
