//! What a handle points at, and its life in memory that the caller lends: raw
//! memory in, a parser out.
//!
//! An in-place parser is its state followed by its event memory. One on the
//! heap keeps its event memory apart, where it can grow. Between two calls no
//! Rust reference into a parser exists.

use core::ffi::c_void;
use core::mem::{align_of, size_of};
use core::{ptr, slice};

use sseam_core::{Engine, Items, Limits, Span};

use crate::heap::Heap;
use crate::options::Options;
use crate::pointer;
use crate::pointer::object_mut;
use crate::status::{
    SSEAM_ERR_ARGUMENT, SSEAM_ERR_INTERNAL, SSEAM_ERR_MEMORY, SSEAM_ERR_REENTRANT, SSEAM_ERR_UTF8,
    SSEAM_OK, Status,
};
#[cfg(feature = "wide-scan")]
use crate::types::Str;

/// Turns the bytes of one stream after the other into events.
///
/// A parser may move between threads and be used by one at a time; functions
/// that take it as `const` may run together. Different parsers share nothing.
pub struct Parser {
    pub(crate) engine: Engine,
    /// Valid for `memory_len` bytes, which have all been written.
    pub(crate) memory: *mut u8,
    pub(crate) memory_len: usize,
    /// `None` for an in-place parser.
    pub(crate) heap: Option<Heap>,
    pub(crate) want: Items,
    /// A view of the last event id, or NULL: since the last call that may have
    /// changed it, nobody has asked.
    #[cfg(feature = "wide-scan")]
    pub(crate) id: Str,
    pub(crate) is_strict: bool,
    pub(crate) state: State,
    /// What the state says of it.
    pub(crate) noted: u64,
}

/// Whether a call may change the parser.
///
/// ```text
/// Open --item given to the callback--> InCallback --free--> Doomed
///   |  ^------- callback returns ---------'
///   |---- allocator called --> InAllocator --returns--> Open
///   |---- it gave none --> Owing --fed again--> Open
///   '---- strict, and an event is no UTF-8 --> Invalid --reset--> Open
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It may.
    Open,
    /// `sseam_parser_feed_all` is running the caller's code.
    InCallback,
    /// The same, and the caller has freed the parser meanwhile.
    Doomed,
    /// The caller's allocator is running.
    #[cfg_attr(
        not(feature = "heap"),
        expect(dead_code, reason = "no heap, no allocator")
    )]
    InAllocator,
    /// Memory was short in the middle of a chunk of `noted` bytes, which must be
    /// fed again, since the engine has dealt with a part of it.
    Owing,
    /// Input is refused until a reset: the event that began at `noted` was no
    /// UTF-8.
    Invalid,
}

/// What options come to.
pub(crate) struct Settings {
    pub(crate) limits: Limits,
    pub(crate) want: Items,
    pub(crate) is_strict: bool,
}

/// Says at which alignment `sseam_parser_init` needs its memory.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_parser_align() -> usize {
    align_of::<Parser>()
}

/// Makes a parser in memory that the caller keeps for as long as the parser
/// lives. Nothing is ever allocated, and there is nothing to be freed.
///
/// The first `sseam_parser_size(options)` bytes are zeroed and used. `options`
/// may be NULL for the defaults. Writes `*out` on `SSEAM_OK` and nothing
/// otherwise: `SSEAM_ERR_MEMORY` where `memory_len` is too short,
/// `SSEAM_ERR_ARGUMENT` where memory is not aligned or an option does not exist.
///
/// # Safety
///
/// `memory` is NULL, which is refused, or points to `memory_len` bytes that
/// nobody else uses, and that are neither moved nor copied, until the parser was
/// freed or is given up.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sseam_parser_init(
    memory: *mut c_void,
    memory_len: usize,
    options: *const Options,
    out: *mut *mut Parser,
) -> Status {
    // SAFETY: the caller's contract.
    let (settings, Some(out)) = (unsafe { Options::read(options) }, unsafe {
        object_mut(out)
    }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let settings = match settings {
        Ok(settings) => settings,
        Err(status) => return status,
    };
    let place = memory.cast::<Parser>();
    if place.is_null() || !place.is_aligned() {
        return SSEAM_ERR_ARGUMENT;
    }
    let size = match size_for(&settings) {
        Some(size) if size <= memory_len => size,
        _ => return SSEAM_ERR_MEMORY,
    };
    // SAFETY: the caller lends these bytes, which begin with room for the state.
    unsafe {
        ptr::write_bytes(memory.cast::<u8>(), 0, size);
        let event_memory = memory.cast::<u8>().add(state_len());
        let mut parser = Parser::new(Engine::new(settings.limits), &settings);
        parser.memory = event_memory;
        parser.memory_len = size - state_len();
        place.write(parser);
    }
    *out = place;
    SSEAM_OK
}

/// Ends a parser. One from `sseam_parser_new` gives its memory back to its
/// allocator; memory lent to `sseam_parser_init` is the caller's again.
///
/// From the parser's own callback the end is put off until that call returns,
/// which it then does with `SSEAM_STOPPED`; no further item is given. From its
/// allocator, the call does nothing.
///
/// # Safety
///
/// `parser` is NULL, which does nothing, or a parser that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_parser_free(parser: *mut Parser) {
    // SAFETY: the caller's contract.
    let Some(it) = (unsafe { object_mut(parser) }) else {
        return;
    };
    match it.state {
        State::InCallback | State::Doomed => it.state = State::Doomed,
        State::InAllocator => {}
        // SAFETY: the caller's contract, and no call is running.
        State::Open | State::Owing | State::Invalid => unsafe { Parser::end(parser) },
    }
}

/// Bytes of a parser besides its event memory.
pub(crate) const fn state_len() -> usize {
    size_of::<Parser>()
}

/// Bytes of an in-place parser; `None` where no memory is that long.
pub(crate) fn size_for(settings: &Settings) -> Option<usize> {
    let size = settings.limits.memory_len().checked_add(state_len())?;
    (size <= isize::MAX as usize).then_some(size)
}

/// Memory of no bytes, of which C may be given a pointer all the same.
pub(crate) const fn nowhere() -> *mut u8 {
    c"".as_ptr().cast_mut().cast()
}

impl Parser {
    pub(crate) const fn new(engine: Engine, settings: &Settings) -> Parser {
        Parser {
            engine,
            memory: nowhere(),
            memory_len: 0,
            heap: None,
            want: settings.want,
            #[cfg(feature = "wide-scan")]
            id: Str::UNKNOWN,
            is_strict: settings.is_strict,
            state: State::Open,
            noted: 0,
        }
    }

    /// Takes the caller's handle for a call that changes the parser.
    ///
    /// # Safety
    ///
    /// `parser` is null, misaligned, or a parser that no other call is using
    /// but one that runs the caller's code at this moment.
    #[inline]
    pub(crate) unsafe fn enter<'a>(parser: *mut Parser) -> Result<&'a mut Parser, Status> {
        // SAFETY: the caller's contract; while the caller's code runs, no
        // reference into the parser exists.
        let it = unsafe { object_mut(parser) }.ok_or(SSEAM_ERR_ARGUMENT)?;
        #[cfg(feature = "wide-scan")]
        {
            it.id = Str::UNKNOWN;
        }
        match it.state {
            State::Open | State::Owing | State::Invalid => Ok(it),
            State::InCallback | State::Doomed | State::InAllocator => Err(SSEAM_ERR_REENTRANT),
        }
    }

    /// The event memory, and the engine to be lent it.
    #[inline]
    pub(crate) fn parts(&mut self) -> (&mut Engine, &mut [u8]) {
        // SAFETY: the field's promise; the borrow of `self` keeps others away.
        let memory = unsafe { slice::from_raw_parts_mut(self.memory, self.memory_len) };
        (&mut self.engine, memory)
    }

    /// The event memory, to be read.
    #[inline]
    pub(crate) fn memory(&self) -> &[u8] {
        // SAFETY: the field's promise; the borrow of `self` keeps writers away.
        unsafe { slice::from_raw_parts(self.memory, self.memory_len) }
    }

    /// Whether a caller's bytes lie in the event memory, where the engine could
    /// not read them while it writes.
    #[inline]
    pub(crate) fn owns(&self, bytes: &[u8]) -> bool {
        pointer::overlap(bytes, self.memory())
    }

    /// Why input is refused.
    pub(crate) fn failure(&self) -> Option<Status> {
        match self.state {
            State::Invalid => Some(SSEAM_ERR_UTF8),
            State::Owing => Some(SSEAM_ERR_MEMORY),
            _ => self.engine.error().map(crate::status::of_error),
        }
    }

    /// The same, where it is known that input was refused.
    #[cold]
    pub(crate) fn refusal(&self) -> Status {
        self.failure().unwrap_or(SSEAM_ERR_INTERNAL)
    }

    /// Stops at an event that is no UTF-8.
    #[cold]
    pub(crate) fn refuse_text(&mut self, span: Span) -> Status {
        self.noted = span.start;
        self.state = State::Invalid;
        SSEAM_ERR_UTF8
    }

    /// # Safety
    ///
    /// `parser` is a parser that no call is using.
    pub(crate) unsafe fn end(parser: *mut Parser) {
        // SAFETY: the caller's contract. Nothing in it has a destructor.
        let it = unsafe { parser.read() };
        if let Some(heap) = it.heap {
            // SAFETY: both came from this allocator with these sizes.
            unsafe {
                heap.free(it.memory, it.memory_len);
                heap.free(parser.cast(), state_len());
            }
        }
    }
}

#[cfg(feature = "wide-scan")]
impl Parser {
    /// The last event id, which an event that lies whole in a chunk never changes:
    /// looked up once, and known until the next call of another kind.
    #[inline(always)]
    pub(crate) fn known_id(&mut self) -> Str {
        if self.id.ptr.is_null() {
            self.id = self.id_view();
        }
        debug_assert_eq!(self.id.ptr, self.id_view().ptr);
        debug_assert_eq!(self.id.len, self.id_view().len);
        self.id
    }

    #[inline(never)]
    fn id_view(&self) -> Str {
        Str::of(self.engine.last_event_id(self.memory()))
    }
}

/// What `SSEAM_PARSER_STATE` in the header promises for every release of this
/// binary interface; see `xtask/src/capi/header.rs`.
pub(crate) const STATE_LEN_MAX: usize = 32 * size_of::<usize>() + 256;

const _: () = assert!(size_of::<Parser>() <= STATE_LEN_MAX);
const _: () = assert!(align_of::<Parser>() <= align_of::<u64>());
