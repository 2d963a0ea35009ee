//! The caller's options in; limits, and a turn that has seen nothing, out; or a
//! refusal.

use core::mem::{offset_of, size_of};
use core::slice;
use core::time::Duration;

use sseam_core::{Limits, Memory};
use sseam_llm::{
    Answer as Driver, LINE_LEN_MIN, Markers, MarkersFull, Mode, RequestId, SETTLE_DEFAULT, Turn,
};

use super::codes::{
    DialectCode, ModeCode, SSEAM_DIALECT_AUTO, SSEAM_MODE_DEFAULT, SSEAM_MODE_LENIENT,
    SSEAM_MODE_STRICT,
};
use super::names::dialect_of;
use super::state_len;
use crate::options::{Options, init_sized, read_sized};
use crate::pointer::{self, object_mut};
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, SSEAM_ERR_UTF8, SSEAM_OK, Status};
use crate::types::Str;

/// What a marker marks.
pub type MarkerKind = i32;
/// The answer is over when an event's data is `value`, such as `[DONE]`.
pub const SSEAM_MARKER_END_DATA: i32 = 1;
/// The answer is over when an event has the type `value`.
pub const SSEAM_MARKER_END_EVENT: i32 = 2;
/// The answer is over when the field at `path` is `value`: the text of a string,
/// or a number, `true`, `false` or `null` as it is written.
pub const SSEAM_MARKER_END_FIELD: i32 = 3;
/// The text is the string at `path`, and not the whole data.
pub const SSEAM_MARKER_TEXT_FIELD: i32 = 4;
/// An event of the type `value` is a failure.
pub const SSEAM_MARKER_ERROR_EVENT: i32 = 5;
/// An MCP stream is over when the response to the request with the id `value`, a
/// string, comes.
pub const SSEAM_MARKER_REQUEST_ID: i32 = 6;
/// The same for an id that is the whole number `value`, in decimal.
pub const SSEAM_MARKER_REQUEST_NUMBER: i32 = 7;

/// What explains the events of an API that only you know. An answer keeps a copy;
/// all of them together may be some 190 bytes long.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Marker {
    /// `SSEAM_MARKER_...`
    pub kind: MarkerKind,
    /// Must be 0.
    pub reserved: u32,
    /// Where in the JSON, as in `choices.0.delta.content`; for the kinds that
    /// have a path.
    pub path: Str,
    /// For the kinds that have a value.
    pub value: Str,
}

/// What an answer is to expect, and the limits that it is read with. Call
/// `sseam_answer_options_init` first, then change what you want changed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AnswerOptions {
    /// `sizeof(sseam_answer_options)`, set by `sseam_answer_options_init`.
    pub struct_size: usize,
    /// As in `sseam_options`, with the same defaults, down to `max_events`.
    pub max_line: usize,
    /// See `sseam_options`. An event of more bytes ends the answer, or is left out.
    pub max_data: usize,
    /// See `sseam_options`.
    pub max_type: usize,
    /// See `sseam_options`.
    pub max_id: usize,
    /// See `sseam_options`; at least 256 are kept, since servers hide failures in
    /// lines that are no events.
    pub max_comment: usize,
    /// See `sseam_options`.
    pub max_total_bytes: u64,
    /// See `sseam_options`.
    pub max_events: u64,
    /// How long to wait for more once all choices have finished, in milliseconds:
    /// see `sseam_answer_wants`. Default 2000.
    pub settle_ms: u64,
    /// `SSEAM_OVERFLOW_FAIL` (default) or `SSEAM_OVERFLOW_SKIP`.
    pub on_overflow: u32,
    /// `SSEAM_UTF8_PASS` (default): what is no UTF-8 reads as U+FFFD; or
    /// `SSEAM_UTF8_STRICT`: an event whose data is not UTF-8 stops the reading.
    pub utf8: u32,
    /// `SSEAM_DIALECT_...`. Default `SSEAM_DIALECT_AUTO`; name it where you know
    /// it.
    pub dialect: DialectCode,
    /// `SSEAM_MODE_...`. Default `SSEAM_MODE_DEFAULT`.
    pub mode: ModeCode,
    /// Whose text is wanted, where an answer has several choices. Default 0.
    pub choice: u32,
    /// How many choices you asked for; 0 if one. Without it, a choice that starts
    /// after all others have finished comes too late to be waited for.
    pub expected_choices: u32,
    /// `marker_count` markers, which are read by this call only; or NULL.
    pub markers: *const Marker,
    /// How many there are. Default 0.
    pub marker_count: usize,
}

/// What options come to.
pub(crate) struct Asked {
    pub(super) limits: Limits,
    pub(super) turn: Turn,
    settle: Duration,
    is_strict: bool,
}

/// Sets every option to its default. Use the macro `sseam_answer_options_init`,
/// which passes the size.
///
/// # Safety
///
/// `options` is NULL, which does nothing, or points to `struct_size` writable
/// bytes. A size below that of `struct_size` itself does nothing either.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_options_init_sized(
    options: *mut AnswerOptions,
    struct_size: usize,
) {
    let default = AnswerOptions {
        struct_size,
        ..AnswerOptions::DEFAULT
    };
    // SAFETY: the caller's contract; the struct begins with its size.
    unsafe { init_sized(options, struct_size, &default) };
}

/// Makes the limits such that an answer fits into `memory_len` bytes, with as much
/// of it for data as can be; for machines where memory is what there is.
///
/// Returns `SSEAM_ERR_MEMORY` where that is not enough for any answer.
///
/// # Safety
///
/// `options` is NULL, which is refused, or was set up by `sseam_answer_options_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_options_fit(
    options: *mut AnswerOptions,
    memory_len: usize,
) -> Status {
    // SAFETY: the caller's contract.
    let Some(size) = (unsafe { object_mut(options.cast::<usize>()) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    if *size < offset_of!(AnswerOptions, max_total_bytes) {
        return SSEAM_ERR_ARGUMENT;
    }
    let Some(event_memory_len) = memory_len.checked_sub(state_len() + LINE_LEN_MIN) else {
        return SSEAM_ERR_MEMORY;
    };
    let limits = Limits::fit(event_memory_len);
    // SAFETY: the caller's struct reaches beyond these fields.
    unsafe {
        (&raw mut (*options).max_data).write(limits.data_len_max);
        (&raw mut (*options).max_type).write(limits.event_type_len_max);
        (&raw mut (*options).max_id).write(limits.id_len_max);
        (&raw mut (*options).max_comment).write(LINE_LEN_MIN);
    }
    SSEAM_OK
}

/// Says how many bytes `sseam_answer_init` needs for these options; 0 where they
/// are no good. Constant for the same options and library.
///
/// # Safety
///
/// `options` is NULL, for the defaults, or was set up by `sseam_answer_options_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_size(options: *const AnswerOptions) -> usize {
    // SAFETY: the caller's contract.
    let asked = unsafe { AnswerOptions::read(options) };
    asked.ok().and_then(|asked| asked.size()).unwrap_or(0)
}

impl Asked {
    /// Bytes of event memory.
    pub(super) fn memory_len(&self) -> usize {
        Driver::memory_len(&self.limits)
    }

    /// Bytes of an in-place answer; `None` where no memory is that long.
    pub(super) fn size(&self) -> Option<usize> {
        let size = self.memory_len().checked_add(state_len())?;
        (size <= isize::MAX as usize).then_some(size)
    }

    /// What limits and turn do not say.
    pub(super) fn finish<M: Memory>(&self, driver: Driver<M>) -> Driver<M> {
        let driver = driver.with_settle(self.settle);
        match self.is_strict {
            true => driver.with_strict_text(),
            false => driver,
        }
    }
}

impl AnswerOptions {
    const DEFAULT: AnswerOptions = AnswerOptions {
        struct_size: size_of::<AnswerOptions>(),
        max_line: Options::DEFAULT.max_line,
        max_data: Options::DEFAULT.max_data,
        max_type: Options::DEFAULT.max_type,
        max_id: Options::DEFAULT.max_id,
        max_comment: Options::DEFAULT.max_comment,
        max_total_bytes: Options::DEFAULT.max_total_bytes,
        max_events: Options::DEFAULT.max_events,
        settle_ms: SETTLE_DEFAULT.as_secs() * 1000,
        on_overflow: Options::DEFAULT.on_overflow,
        utf8: Options::DEFAULT.utf8,
        dialect: SSEAM_DIALECT_AUTO,
        mode: SSEAM_MODE_DEFAULT,
        choice: 0,
        expected_choices: 0,
        markers: core::ptr::null(),
        marker_count: 0,
    };

    /// Reads a caller's options, old, new or none.
    ///
    /// # Safety
    ///
    /// `options` is null or valid for reads of the `struct_size` bytes that it
    /// begins with; its markers are there.
    pub(crate) unsafe fn read(options: *const AnswerOptions) -> Result<Asked, Status> {
        if options.is_null() {
            return AnswerOptions::DEFAULT.asked(&[]);
        }
        // SAFETY: the caller's contract.
        let options = unsafe { read_sized(options, AnswerOptions::DEFAULT) }?;
        let (markers, count) = (options.markers, options.marker_count);
        if count == 0 {
            return options.asked(&[]);
        }
        let len = count.checked_mul(size_of::<Marker>());
        let fits = len.is_some_and(|len| len <= isize::MAX as usize);
        if markers.is_null() || !markers.is_aligned() || !fits {
            return Err(SSEAM_ERR_ARGUMENT);
        }
        // SAFETY: the caller's contract, and looked at above.
        options.asked(unsafe { slice::from_raw_parts(markers, count) })
    }

    fn asked(&self, markers: &[Marker]) -> Result<Asked, Status> {
        let stream = Options {
            max_line: self.max_line,
            max_data: self.max_data,
            max_type: self.max_type,
            max_id: self.max_id,
            max_comment: self.max_comment,
            max_total_bytes: self.max_total_bytes,
            max_events: self.max_events,
            on_overflow: self.on_overflow,
            utf8: self.utf8,
            ..Options::DEFAULT
        };
        let settings = stream.settings()?;
        Ok(Asked {
            limits: settings.limits,
            turn: self.turn(markers)?,
            settle: Duration::from_millis(self.settle_ms),
            is_strict: settings.is_strict,
        })
    }

    fn turn(&self, markers: &[Marker]) -> Result<Turn, Status> {
        let dialect = dialect_of(self.dialect).ok_or(SSEAM_ERR_ARGUMENT)?;
        let add = |all, marker: &Marker| marker.add_to(all);
        let markers = markers.iter().try_fold(Markers::NONE, add)?;
        Ok(Turn::new(dialect)
            .with_mode(mode_of(self.mode).ok_or(SSEAM_ERR_ARGUMENT)?)
            .with_choice(self.choice)
            .with_expected_choices(self.expected_choices)
            .with_markers(markers))
    }
}

fn mode_of(code: ModeCode) -> Option<Mode> {
    Some(match code {
        SSEAM_MODE_DEFAULT => Mode::Default,
        SSEAM_MODE_STRICT => Mode::Strict,
        SSEAM_MODE_LENIENT => Mode::Lenient,
        _ => return None,
    })
}

impl Marker {
    fn add_to(&self, all: Markers) -> Result<Markers, Status> {
        if self.reserved != 0 {
            return Err(SSEAM_ERR_ARGUMENT);
        }
        // SAFETY: the contract of the options, which say that they are there.
        let (path, value) = unsafe { (text(self.path)?, text(self.value)?) };
        let added = match self.kind {
            SSEAM_MARKER_END_DATA => all.with_end_data(value),
            SSEAM_MARKER_END_EVENT => all.with_end_event(value),
            SSEAM_MARKER_END_FIELD => all.with_end_field(path, value),
            SSEAM_MARKER_TEXT_FIELD => all.with_text_field(path),
            SSEAM_MARKER_ERROR_EVENT => all.with_error_event(value),
            SSEAM_MARKER_REQUEST_ID => all.with_request_id(RequestId::Text(value)),
            SSEAM_MARKER_REQUEST_NUMBER => {
                let number = value.parse().map_err(|_| SSEAM_ERR_ARGUMENT)?;
                all.with_request_id(RequestId::Number(number))
            }
            _ => return Err(SSEAM_ERR_ARGUMENT),
        };
        added.map_err(|MarkersFull { .. }| SSEAM_ERR_MEMORY)
    }
}

/// # Safety
///
/// `view` is valid for reads of its length.
unsafe fn text<'a>(view: Str) -> Result<&'a str, Status> {
    // SAFETY: the caller's contract.
    let bytes = unsafe { pointer::bytes(view.ptr.cast(), view.len) };
    core::str::from_utf8(bytes.ok_or(SSEAM_ERR_ARGUMENT)?).map_err(|_| SSEAM_ERR_UTF8)
}
const _: () = assert!(offset_of!(AnswerOptions, max_total_bytes).is_multiple_of(8));
