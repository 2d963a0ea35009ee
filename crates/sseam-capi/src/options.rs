//! The caller's options in, the engine's limits out; or a refusal.

use core::mem::{offset_of, size_of};
use core::ptr;

use sseam_core::{Items, Limits, Overflow};

use crate::parser::{Settings, size_for, state_len};
use crate::pointer::object_mut;
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, SSEAM_ERR_VERSION, SSEAM_OK, Status};

/// `on_overflow`: the parser stops with an error, for the caller to decide.
pub const SSEAM_OVERFLOW_FAIL: u32 = 0;
/// `on_overflow`: the event is left out and reported as `SSEAM_SKIPPED`. Its id
/// counts, so that a reconnect goes past it. Totals fail all the same.
pub const SSEAM_OVERFLOW_SKIP: u32 = 1;

/// `utf8`: bytes are given out as they came.
pub const SSEAM_UTF8_PASS: u32 = 0;
/// `utf8`: an event whose type, data or id is not valid UTF-8 is an error.
pub const SSEAM_UTF8_STRICT: u32 = 1;

/// `report`: comments are items too.
pub const SSEAM_REPORT_COMMENTS: u32 = 1;
/// `report`: reconnection times are items too.
pub const SSEAM_REPORT_RETRY: u32 = 2;
/// `report`: lines without effect are items too.
pub const SSEAM_REPORT_IGNORED: u32 = 4;

/// How a parser shall work. Call `sseam_options_init` first, then change what
/// you want changed.
///
/// What is exactly as long as a limit passes, one byte more does not, wherever
/// the input was cut.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    /// `sizeof(sseam_options)`, set by `sseam_options_init`.
    pub struct_size: usize,
    /// Longest line in bytes, without its line end; 0 for no limit, which costs
    /// no memory. Default 0.
    pub max_line: usize,
    /// Longest data of one event in bytes, with the line feeds that join its
    /// lines. Default 1 MiB.
    pub max_data: usize,
    /// Longest event type in bytes. Default 256.
    pub max_type: usize,
    /// Longest id in bytes. Default 1024.
    pub max_id: usize,
    /// How much of a comment or of an ignored line is kept to be shown; longer
    /// ones are no error. Default 512.
    pub max_comment: usize,
    /// Most bytes of one stream; 0 for no limit. Default 0.
    pub max_total_bytes: u64,
    /// Most events of one stream; 0 for no limit. Default 0.
    pub max_events: u64,
    /// `SSEAM_OVERFLOW_FAIL` (default) or `SSEAM_OVERFLOW_SKIP`.
    pub on_overflow: u32,
    /// `SSEAM_UTF8_PASS` (default) or `SSEAM_UTF8_STRICT`.
    pub utf8: u32,
    /// `SSEAM_REPORT_...` bits. Default 0: events alone.
    pub report: u32,
    /// Must be 0.
    pub reserved: u32,
}

/// Sets every option to its default. Use the macro `sseam_options_init`, which
/// passes the size.
///
/// # Safety
///
/// `options` is NULL, which does nothing, or points to `struct_size` writable
/// bytes. A size below that of `struct_size` itself does nothing either.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_options_init_sized(options: *mut Options, struct_size: usize) {
    let default = Options {
        struct_size,
        ..Options::DEFAULT
    };
    // SAFETY: the caller's contract; the struct begins with its size.
    unsafe { init_sized(options, struct_size, &default) };
}

/// Makes the limits such that a parser fits into `memory_len` bytes, with as
/// much of it for data as can be; for machines where memory is what there is.
///
/// Returns `SSEAM_ERR_MEMORY` where that is not enough for any parser.
///
/// # Safety
///
/// `options` is NULL, which is refused, or was set up by `sseam_options_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_options_fit(options: *mut Options, memory_len: usize) -> Status {
    // SAFETY: the caller's contract.
    let Some(size) = (unsafe { object_mut(options.cast::<usize>()) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    if *size < offset_of!(Options, max_total_bytes) {
        return SSEAM_ERR_ARGUMENT;
    }
    let Some(event_memory_len) = memory_len.checked_sub(state_len()) else {
        return SSEAM_ERR_MEMORY;
    };
    let limits = Limits::fit(event_memory_len);
    // SAFETY: the caller's struct reaches beyond these fields.
    unsafe {
        (&raw mut (*options).max_data).write(limits.data_len_max);
        (&raw mut (*options).max_type).write(limits.event_type_len_max);
        (&raw mut (*options).max_id).write(limits.id_len_max);
        (&raw mut (*options).max_comment).write(limits.comment_len_max);
    }
    SSEAM_OK
}

/// Says how many bytes `sseam_parser_init` needs for these options; 0 where they
/// are no good. Constant for the same options and library.
///
/// # Safety
///
/// `options` is NULL, for the defaults, or was set up by `sseam_options_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_parser_size(options: *const Options) -> usize {
    // SAFETY: the caller's contract.
    let settings = unsafe { Options::read(options) };
    settings
        .ok()
        .and_then(|settings| size_for(&settings))
        .unwrap_or(0)
}

impl Options {
    pub(crate) const DEFAULT: Options = Options {
        struct_size: size_of::<Options>(),
        max_line: 0,
        max_data: Limits::DEFAULT.data_len_max,
        max_type: Limits::DEFAULT.event_type_len_max,
        max_id: Limits::DEFAULT.id_len_max,
        max_comment: Limits::DEFAULT.comment_len_max,
        max_total_bytes: 0,
        max_events: 0,
        on_overflow: SSEAM_OVERFLOW_FAIL,
        utf8: SSEAM_UTF8_PASS,
        report: 0,
        reserved: 0,
    };

    /// Reads a caller's options, old, new or none.
    ///
    /// # Safety
    ///
    /// `options` is null or valid for reads of the `struct_size` bytes that it
    /// begins with.
    pub(crate) unsafe fn read(options: *const Options) -> Result<Settings, Status> {
        if options.is_null() {
            return Options::DEFAULT.settings();
        }
        // SAFETY: the caller's contract.
        unsafe { read_sized(options, Options::DEFAULT) }?.settings()
    }

    pub(crate) fn settings(&self) -> Result<Settings, Status> {
        let overflow = match self.on_overflow {
            SSEAM_OVERFLOW_FAIL => Overflow::Stop,
            SSEAM_OVERFLOW_SKIP => Overflow::Skip,
            _ => return Err(SSEAM_ERR_ARGUMENT),
        };
        let known = SSEAM_REPORT_COMMENTS | SSEAM_REPORT_RETRY | SSEAM_REPORT_IGNORED;
        if self.utf8 > SSEAM_UTF8_STRICT || self.report & !known != 0 || self.reserved != 0 {
            return Err(SSEAM_ERR_ARGUMENT);
        }
        let limits = Limits {
            line_len_max: if self.max_line == 0 {
                usize::MAX
            } else {
                self.max_line
            },
            data_len_max: self.max_data,
            event_type_len_max: self.max_type,
            id_len_max: self.max_id,
            comment_len_max: self.max_comment,
            bytes_max: if self.max_total_bytes == 0 {
                u64::MAX
            } else {
                self.max_total_bytes
            },
            events_max: if self.max_events == 0 {
                u64::MAX
            } else {
                self.max_events
            },
            overflow,
        };
        let is_strict = self.utf8 == SSEAM_UTF8_STRICT;
        Ok(Settings {
            limits,
            want: self.want(),
            is_strict,
        })
    }

    fn want(&self) -> Items {
        let items = [
            (SSEAM_REPORT_COMMENTS, Items::COMMENTS),
            (SSEAM_REPORT_RETRY, Items::RETRY),
            (SSEAM_REPORT_IGNORED, Items::IGNORED),
        ];
        let is_asked = |(bit, _): &&(u32, Items)| self.report & bit != 0;
        let add = |want: Items, &(_, item): &(u32, Items)| want.with(item);
        // What was left out is never left out in silence.
        items.iter().filter(is_asked).fold(Items::SKIPPED, add)
    }
}

/// Fills a caller's struct, which may be of an older or newer header.
///
/// # Safety
///
/// `place` is null, misaligned, or valid for writes of `struct_size` bytes, and
/// `T` is `repr(C)`.
pub(crate) unsafe fn init_sized<T: Copy>(place: *mut T, struct_size: usize, default: &T) {
    if place.is_null() || !place.is_aligned() || struct_size < size_of::<usize>() {
        return;
    }
    let len = struct_size.min(size_of::<T>());
    // What a newer header knows and this library does not is off.
    // SAFETY: the caller's contract; `len` is within both structs.
    unsafe {
        ptr::write_bytes(place.cast::<u8>(), 0, struct_size);
        ptr::copy_nonoverlapping(ptr::from_ref(default).cast::<u8>(), place.cast(), len);
    }
}

/// Reads a caller's struct that may be of an older or newer header: what it
/// lacks has its default, and what is unknown must be zero.
///
/// # Safety
///
/// `T` is `repr(C)`, begins with its size and may hold any bytes; `given` is
/// misaligned, or valid for reads of as many bytes as it begins with.
pub(crate) unsafe fn read_sized<T: Copy>(given: *const T, default: T) -> Result<T, Status> {
    if !given.is_aligned() {
        return Err(SSEAM_ERR_ARGUMENT);
    }
    // SAFETY: the caller's contract.
    let len = unsafe { given.cast::<usize>().read() };
    if len < size_of::<usize>() || len > isize::MAX as usize {
        return Err(SSEAM_ERR_ARGUMENT);
    }
    let mut read = default;
    let known = len.min(size_of::<T>());
    // SAFETY: `known` is within both structs.
    unsafe { ptr::copy_nonoverlapping(given.cast::<u8>(), (&raw mut read).cast(), known) };
    for at in known..len {
        // SAFETY: within the caller's struct.
        if unsafe { given.cast::<u8>().add(at).read() } != 0 {
            return Err(SSEAM_ERR_VERSION);
        }
    }
    Ok(read)
}
