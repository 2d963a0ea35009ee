//! The codes that functions return, and their names. No pointers come in; a
//! status goes out as a number, a name or a sentence.
//!
//! A code, once given out, means the same for ever: old binaries switch on it.

use core::ffi::{CStr, c_char};

use sseam_core::{Error, Limit};

/// What a function came to: an error where it is negative. Treat a code that
/// you do not know as an error if it is negative, and as a kind of item to be
/// left alone if it is not.
pub type Status = i32;

/// All went well, and there is nothing to tell: from `sseam_parser_feed`, the
/// input is used up.
pub const SSEAM_OK: i32 = 0;
/// An event is complete.
pub const SSEAM_EVENT: i32 = 1;
/// A comment line ended. Only with `SSEAM_REPORT_COMMENTS`.
pub const SSEAM_COMMENT: i32 = 2;
/// A `retry` line set the reconnection time. Only with `SSEAM_REPORT_RETRY`.
pub const SSEAM_RETRY: i32 = 3;
/// The callback asked to stop; the parser can go on.
pub const SSEAM_STOPPED: i32 = 4;
/// An event passed a limit and was left out. Only with `SSEAM_OVERFLOW_SKIP`.
pub const SSEAM_SKIPPED: i32 = 5;
/// The input ended inside an event, which was thrown away as the standard says.
pub const SSEAM_TRUNCATED: i32 = 6;
/// A line without effect ended: an unknown field, a `retry` that is no number,
/// an id with a NUL. Only with `SSEAM_REPORT_IGNORED`.
pub const SSEAM_IGNORED: i32 = 7;
/// The end of an answer says something, and there is no item. Only from
/// `sseam_answer_feed`.
pub const SSEAM_SIGNALS: i32 = 8;
/// A tool call is whole. Only from `sseam_calls_observe`.
pub const SSEAM_CALL: i32 = 9;

/// An argument is no good: a null or misaligned pointer, a length over
/// `PTRDIFF_MAX`, an option that does not exist, an id with a line end. Nothing
/// was changed.
pub const SSEAM_ERR_ARGUMENT: i32 = -1;
/// Memory is too short, or the allocator gave none. Nothing is lost: free some
/// and feed the same bytes, from `*used` on, again; fewer are refused.
pub const SSEAM_ERR_MEMORY: i32 = -2;
/// A line is longer than `max_line`.
pub const SSEAM_ERR_LINE_TOO_LONG: i32 = -3;
/// An event's data is longer than `max_data`.
pub const SSEAM_ERR_DATA_TOO_LONG: i32 = -4;
/// An event's type is longer than `max_type`.
pub const SSEAM_ERR_TYPE_TOO_LONG: i32 = -5;
/// An id is longer than `max_id`.
pub const SSEAM_ERR_ID_TOO_LONG: i32 = -6;
/// The stream sent more than `max_total_bytes` or `max_events`.
pub const SSEAM_ERR_TOTAL: i32 = -7;
/// An event is not valid UTF-8. Only with `SSEAM_UTF8_STRICT`.
pub const SSEAM_ERR_UTF8: i32 = -8;
/// The call does not fit the parser's state: input after `sseam_parser_finish`,
/// or `sseam_parser_take_unfinished` before it.
pub const SSEAM_ERR_STATE: i32 = -9;
/// A struct of a newer release asks for something that this library does not
/// know.
pub const SSEAM_ERR_VERSION: i32 = -10;
/// The parser is in the middle of a call: this one came from its own callback
/// or allocator.
pub const SSEAM_ERR_REENTRANT: i32 = -11;
/// The library contradicts itself: please report it.
pub const SSEAM_ERR_INTERNAL: i32 = -99;

/// Which limit was passed.
pub type LimitCode = i32;

/// None.
pub const SSEAM_LIMIT_NONE: i32 = 0;
/// `max_line`
pub const SSEAM_LIMIT_LINE: i32 = 1;
/// `max_data`
pub const SSEAM_LIMIT_DATA: i32 = 2;
/// `max_type`
pub const SSEAM_LIMIT_TYPE: i32 = 3;
/// `max_id`
pub const SSEAM_LIMIT_ID: i32 = 4;
/// `max_total_bytes`
pub const SSEAM_LIMIT_TOTAL_BYTES: i32 = 5;
/// `max_events`
pub const SSEAM_LIMIT_EVENTS: i32 = 6;

/// Says in a sentence what a status means.
///
/// Works for every number; the text is constant, in English, and ends with NUL.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_strerror(status: Status) -> *const c_char {
    describe(status).1.as_ptr()
}

/// Gives the name of a status, such as `SSEAM_ERR_MEMORY`, for logs.
///
/// Works for every number; the text is constant and ends with NUL.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_status_name(status: Status) -> *const c_char {
    describe(status).0.as_ptr()
}

/// Name and meaning of a status.
const fn describe(status: Status) -> (&'static CStr, &'static CStr) {
    match status {
        SSEAM_OK => (c"SSEAM_OK", c"no error"),
        SSEAM_EVENT => (c"SSEAM_EVENT", c"an event is complete"),
        SSEAM_COMMENT => (c"SSEAM_COMMENT", c"a comment ended"),
        SSEAM_RETRY => (c"SSEAM_RETRY", c"the reconnection time was set"),
        SSEAM_STOPPED => (c"SSEAM_STOPPED", c"the callback asked to stop"),
        SSEAM_SKIPPED => (
            c"SSEAM_SKIPPED",
            c"an event passed a limit and was left out",
        ),
        SSEAM_TRUNCATED => (c"SSEAM_TRUNCATED", c"the input ended inside an event"),
        SSEAM_IGNORED => (c"SSEAM_IGNORED", c"a line without effect ended"),
        SSEAM_SIGNALS => (c"SSEAM_SIGNALS", c"the end of an answer says something"),
        SSEAM_CALL => (c"SSEAM_CALL", c"a tool call is whole"),
        _ => describe_error(status),
    }
}

const fn describe_error(status: Status) -> (&'static CStr, &'static CStr) {
    match status {
        SSEAM_ERR_ARGUMENT => (c"SSEAM_ERR_ARGUMENT", c"an argument is not valid"),
        SSEAM_ERR_MEMORY => (c"SSEAM_ERR_MEMORY", c"not enough memory"),
        SSEAM_ERR_LINE_TOO_LONG => (c"SSEAM_ERR_LINE_TOO_LONG", c"a line passed max_line"),
        SSEAM_ERR_DATA_TOO_LONG => (
            c"SSEAM_ERR_DATA_TOO_LONG",
            c"an event's data passed max_data",
        ),
        SSEAM_ERR_TYPE_TOO_LONG => (
            c"SSEAM_ERR_TYPE_TOO_LONG",
            c"an event's type passed max_type",
        ),
        SSEAM_ERR_ID_TOO_LONG => (c"SSEAM_ERR_ID_TOO_LONG", c"an id passed max_id"),
        SSEAM_ERR_TOTAL => (
            c"SSEAM_ERR_TOTAL",
            c"the stream passed max_total_bytes or max_events",
        ),
        SSEAM_ERR_UTF8 => (c"SSEAM_ERR_UTF8", c"an event is not valid UTF-8"),
        SSEAM_ERR_STATE => (
            c"SSEAM_ERR_STATE",
            c"the call does not fit the parser's state",
        ),
        SSEAM_ERR_VERSION => (
            c"SSEAM_ERR_VERSION",
            c"the library is older than the caller's header",
        ),
        SSEAM_ERR_REENTRANT => (
            c"SSEAM_ERR_REENTRANT",
            c"called from the parser's own callback",
        ),
        SSEAM_ERR_INTERNAL => (c"SSEAM_ERR_INTERNAL", c"internal error: please report it"),
        _ => (c"SSEAM_UNKNOWN", c"unknown status"),
    }
}

/// The status for an error of the engine.
pub(crate) const fn of_error(error: Error) -> Status {
    match error {
        Error::LimitPassed { limit, .. } => of_limit(limit),
        Error::MemoryTooShort { .. } => SSEAM_ERR_MEMORY,
        Error::Finished => SSEAM_ERR_STATE,
        _ => SSEAM_ERR_INTERNAL,
    }
}

const fn of_limit(limit: Limit) -> Status {
    match limit {
        Limit::Line => SSEAM_ERR_LINE_TOO_LONG,
        Limit::Data => SSEAM_ERR_DATA_TOO_LONG,
        Limit::EventType => SSEAM_ERR_TYPE_TOO_LONG,
        Limit::Id => SSEAM_ERR_ID_TOO_LONG,
        Limit::Bytes | Limit::Events => SSEAM_ERR_TOTAL,
        _ => SSEAM_ERR_INTERNAL,
    }
}

/// The header's code for a limit.
pub(crate) const fn limit_code(limit: Limit) -> LimitCode {
    match limit {
        Limit::Line => SSEAM_LIMIT_LINE,
        Limit::Data => SSEAM_LIMIT_DATA,
        Limit::EventType => SSEAM_LIMIT_TYPE,
        Limit::Id => SSEAM_LIMIT_ID,
        Limit::Bytes => SSEAM_LIMIT_TOTAL_BYTES,
        Limit::Events => SSEAM_LIMIT_EVENTS,
        _ => SSEAM_LIMIT_NONE,
    }
}
