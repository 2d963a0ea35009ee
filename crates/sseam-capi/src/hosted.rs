//! A parser on the heap: options and an allocator in, a handle out. Absent on
//! targets that have no heap to speak of.

use core::ffi::c_void;
use core::mem::size_of;

use sseam_core::Engine;

use crate::heap::{Allocator, Heap};
use crate::options::{Options, read_sized};
use crate::parser::Parser;
use crate::pointer::object_mut;
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_OK, Status};

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn realloc(memory: *mut c_void, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// Makes a parser whose event memory grows on demand, up to its limits.
///
/// It begins with none, grows while an event lies in several chunks or lines,
/// and gives back what a large event has left. An event that lies whole in one
/// chunk needs none. Both pointers may be NULL: default options; `malloc`,
/// `realloc` and `free`. Writes `*out` on `SSEAM_OK` and nothing otherwise.
///
/// Firmware libraries lack this function: use `sseam_parser_init` there.
///
/// # Safety
///
/// The functions of `allocator` keep the contract of that struct for as long as
/// the parser lives.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sseam_parser_new(
    options: *const Options,
    allocator: *const Allocator,
    out: *mut *mut Parser,
) -> Status {
    // SAFETY: the caller's contract.
    let Some(out) = (unsafe { object_mut(out) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    // SAFETY: the caller's contract.
    match unsafe { create(options, allocator) } {
        Ok(parser) => *out = parser,
        Err(status) => return status,
    }
    SSEAM_OK
}

/// # Safety
///
/// As for `sseam_parser_new`.
unsafe fn create(
    options: *const Options,
    allocator: *const Allocator,
) -> Result<*mut Parser, Status> {
    // SAFETY: the caller's contract.
    let (settings, heap) = unsafe { (Options::read(options)?, heap(allocator)?) };
    let place = heap.place::<Parser>()?;
    let mut parser = Parser::new(Engine::growing(settings.limits), &settings);
    parser.heap = Some(heap);
    // SAFETY: `place` has room for a parser and is aligned for one.
    unsafe { place.write(parser) };
    Ok(place)
}

/// The caller's allocator, or C's where that is null.
///
/// # Safety
///
/// `allocator` is null or keeps the contract of its struct.
pub(crate) unsafe fn heap(allocator: *const Allocator) -> Result<Heap, Status> {
    let allocator = match allocator.is_null() {
        true => LIBC,
        // SAFETY: the caller's contract; any bytes are an allocator.
        false => unsafe { read_sized(allocator, NOTHING) }?,
    };
    Heap::new(&allocator).ok_or(SSEAM_ERR_ARGUMENT)
}

/// # Safety
///
/// That of the allocator's struct.
unsafe extern "C" fn libc_alloc(_user: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    unsafe { malloc(size) }
}

/// # Safety
///
/// That of the allocator's struct.
unsafe extern "C" fn libc_realloc(
    _user: *mut c_void,
    memory: *mut c_void,
    _old_size: usize,
    new_size: usize,
) -> *mut c_void {
    // SAFETY: the memory came from `malloc`, and the new size is not 0.
    unsafe { realloc(memory, new_size) }
}

/// # Safety
///
/// That of the allocator's struct.
unsafe extern "C" fn libc_free(_user: *mut c_void, memory: *mut c_void, _size: usize) {
    // SAFETY: the memory came from `malloc`.
    unsafe { free(memory) }
}

const NOTHING: Allocator = Allocator {
    struct_size: size_of::<Allocator>(),
    alloc: None,
    realloc: None,
    free: None,
    user: core::ptr::null_mut(),
};

const LIBC: Allocator = Allocator {
    alloc: Some(libc_alloc),
    realloc: Some(libc_realloc),
    free: Some(libc_free),
    ..NOTHING
};
