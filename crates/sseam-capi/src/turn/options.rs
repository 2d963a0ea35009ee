//! The caller's options in, a turn that has seen nothing out; or a refusal.

use core::mem::size_of;
use core::slice;

use sseam_llm::{Markers, MarkersFull, Mode, RequestId, Turn};

use super::codes::{
    ModeCode, SSEAM_MODE_DEFAULT, SSEAM_MODE_LENIENT, SSEAM_MODE_STRICT, dialect_of,
};
use super::kinds::{
    Marker, SSEAM_MARKER_END_DATA, SSEAM_MARKER_END_EVENT, SSEAM_MARKER_END_FIELD,
    SSEAM_MARKER_ERROR_EVENT, SSEAM_MARKER_REQUEST_ID, SSEAM_MARKER_REQUEST_NUMBER,
    SSEAM_MARKER_TEXT_FIELD, TurnOptions,
};
use crate::options::{init_sized, read_sized};
use crate::pointer;
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, SSEAM_ERR_UTF8, Status};
use crate::types::Str;

/// Sets every option to its default. Use the macro `sseam_turn_options_init`,
/// which passes the size.
///
/// # Safety
///
/// `options` is NULL, which does nothing, or points to `struct_size` writable
/// bytes. A size below that of `struct_size` itself does nothing either.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_turn_options_init_sized(
    options: *mut TurnOptions,
    struct_size: usize,
) {
    let default = TurnOptions {
        struct_size,
        ..TurnOptions::DEFAULT
    };
    // SAFETY: the caller's contract; the struct begins with its size.
    unsafe { init_sized(options, struct_size, &default) };
}

impl TurnOptions {
    /// Reads a caller's options, old, new or none.
    ///
    /// # Safety
    ///
    /// `options` is null or valid for reads of the `struct_size` bytes that it
    /// begins with; its markers are there.
    pub(crate) unsafe fn read(options: *const TurnOptions) -> Result<Turn, Status> {
        if options.is_null() {
            return TurnOptions::DEFAULT.turn(&[]);
        }
        // SAFETY: the caller's contract.
        let options = unsafe { read_sized(options, TurnOptions::DEFAULT) }?;
        let (markers, count) = (options.markers, options.marker_count);
        if count == 0 {
            return options.turn(&[]);
        }
        let len = count.checked_mul(size_of::<Marker>());
        let fits = len.is_some_and(|len| len <= isize::MAX as usize);
        if markers.is_null() || !markers.is_aligned() || !fits {
            return Err(SSEAM_ERR_ARGUMENT);
        }
        // SAFETY: the caller's contract, and looked at above.
        options.turn(unsafe { slice::from_raw_parts(markers, count) })
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
