//! Tool calls put together: signals in, calls whose arguments are whole out.
//!
//! Pieces of several calls may come by turns. The lent memory holds the open calls
//! one after the other, each as its lengths and then id, name and arguments so far:
//! a piece is put at the end of its call, and what lies behind makes room.

use core::ffi::c_void;
use core::mem::{MaybeUninit, align_of, size_of};
use core::{ptr, slice};

use super::codes::{
    SSEAM_SIGNAL_TOOL_ARGUMENTS, SSEAM_SIGNAL_TOOL_CLOSED, SSEAM_SIGNAL_TOOL_OPENED,
};
use super::signal::{AnswerSignal, SSEAM_SIGNAL_IS_CLIENT};
use super::text::{AnswerText, parts_of};
use crate::pointer::{object, object_mut};
use crate::status::{SSEAM_CALL, SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, SSEAM_OK, Status};
use crate::types::{Out, Output, Str, read_output};

/// Puts the tool calls of an answer together in memory of yours. It lies where you
/// put it, allocates nothing, and may be moved. Calls on one that was not set up do
/// nothing.
#[repr(C)]
pub struct Calls {
    /// Not for you to look at.
    pub opaque: [MaybeUninit<usize>; 8],
}

/// A tool call whose arguments are whole.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Call {
    /// `sizeof(sseam_call)`, set by the caller.
    pub struct_size: usize,
    /// What the signals name it by.
    pub key: u32,
    /// Always 0.
    pub reserved: u32,
    /// The API's id of the call; empty where it gives none.
    pub id: Str,
    /// The tool's name.
    pub name: Str,
    /// JSON text.
    pub arguments: Str,
}

/// What is opaque to C.
#[repr(C)]
struct State {
    /// `IS_SET_UP`
    mark: usize,
    /// Valid for `len` bytes, which have all been written.
    memory: *mut u8,
    len: usize,
    /// <= `len`: the calls.
    used: usize,
    /// Where the call that was given out last begins, or `NOWHERE`: it goes with the
    /// next signal.
    closed_at: usize,
    /// Where the call begins of which a piece did not fit, or `NOWHERE`: it goes
    /// with the next signal, unless there was more memory before that.
    lacking_at: usize,
    /// Bytes that the signal refused last needs.
    needed: usize,
}

const IS_SET_UP: usize = 0xCA11;
const NOWHERE: usize = usize::MAX;

const _: () = assert!(size_of::<State>() <= size_of::<Calls>());
const _: () = assert!(align_of::<State>() == align_of::<Calls>());

/// What stands before a call's bytes: its key, and the lengths of its texts.
#[derive(Clone, Copy)]
struct Header {
    key: u32,
    lens: [usize; 3],
}

const HEADER_LEN: usize = 4 * size_of::<usize>();

/// Begins without any call, in memory that is the collector's until you begin anew
/// or give it up. NULL for none of it.
///
/// # Safety
///
/// `calls` is NULL, which is refused, or writable. `memory` points to `memory_len`
/// bytes that nobody else uses, or `memory_len` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_calls_init(
    calls: *mut Calls,
    memory: *mut c_void,
    memory_len: usize,
) -> Status {
    let is_memory = memory_len <= isize::MAX as usize && (memory_len == 0 || !memory.is_null());
    // SAFETY: the caller's contract.
    let (Some(place), true) = (unsafe { object_mut(calls) }, is_memory) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let mut state = State {
        mark: IS_SET_UP,
        memory: ptr::NonNull::<u8>::dangling().as_ptr(),
        len: 0,
        used: 0,
        closed_at: NOWHERE,
        lacking_at: NOWHERE,
        needed: 0,
    };
    // SAFETY: the caller's contract.
    unsafe { state.adopt(memory.cast(), memory_len) };
    place.opaque = [MaybeUninit::new(0); 8];
    // SAFETY: as large and as aligned as it must be, see above.
    unsafe { calls.cast::<State>().write(state) };
    SSEAM_OK
}

/// Takes a signal, and gives a call that it makes whole.
///
/// Returns `SSEAM_CALL` and writes `*out`, whose views are valid until the next
/// signal; or `SSEAM_OK`: there is none. Only calls that you are to run are kept;
/// signals of other kinds do nothing. Run a call when the outcome says
/// `SSEAM_OUTCOME_MAY_RUN_CALLS`, and not before.
///
/// Where memory is too short it returns `SSEAM_ERR_MEMORY` and has taken nothing: lend
/// longer memory with `sseam_calls_grow` and pass the signal again, or go on without
/// this call, which is not given out then. In 0 bytes each call is refused so.
///
/// ```c
/// while (sseam_answer_next(answer, &signal) > 0)
///     if (sseam_calls_observe(&calls, &signal, &call) == SSEAM_CALL)
///         keep(call.id, call.name, call.arguments);
/// ```
///
/// # Safety
///
/// `calls` is NULL or all zero, which are refused, or was set up. `signal` is NULL,
/// which is refused, or one that `sseam_answer_next` filled and whose texts are
/// valid. `out->struct_size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_calls_observe(
    calls: *mut Calls,
    signal: *const AnswerSignal,
    out: *mut Call,
) -> Status {
    // SAFETY: the caller's contract.
    let (Some(state), Some(out)) = (unsafe { (state_mut(calls), Out::new(out)) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    // SAFETY: the caller's contract.
    let Some(signal) = (unsafe { read_output(signal, AnswerSignal::other()) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    match state.observe(&signal) {
        Ok(None) => SSEAM_OK,
        Ok(Some(call)) => {
            // SAFETY: the caller's contract.
            unsafe { out.write(&call) };
            SSEAM_CALL
        }
        Err(status) => status,
    }
}

/// Goes on in longer memory, which begins with the bytes of the old, as after
/// `realloc`. Shorter memory than that held is refused with `SSEAM_ERR_MEMORY`.
///
/// # Safety
///
/// As for `sseam_calls_init`, and the first bytes of `memory` are those of the memory
/// before, which is the caller's again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_calls_grow(
    calls: *mut Calls,
    memory: *mut c_void,
    memory_len: usize,
) -> Status {
    let is_memory = memory_len <= isize::MAX as usize && (memory_len == 0 || !memory.is_null());
    // SAFETY: the caller's contract.
    let (Some(state), true) = (unsafe { state_mut(calls) }, is_memory) else {
        return SSEAM_ERR_ARGUMENT;
    };
    if memory_len < state.len {
        return SSEAM_ERR_MEMORY;
    }
    state.lacking_at = NOWHERE;
    // SAFETY: the caller's contract.
    unsafe { state.adopt(memory.cast(), memory_len) };
    SSEAM_OK
}

/// Says how many bytes of memory the signal needs that was refused last; 0 if none
/// was, or for NULL.
///
/// # Safety
///
/// `calls` is NULL or all zero, or was set up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_calls_needed(calls: *const Calls) -> usize {
    // SAFETY: the caller's contract; the first word always has a value.
    unsafe {
        match object(calls.cast::<usize>()) {
            Some(&IS_SET_UP) => (*calls.cast::<State>()).needed,
            _ => 0,
        }
    }
}

/// What is opaque to C, if it was set up.
///
/// # Safety
///
/// `calls` is null, misaligned, all zero or was set up, and nobody else uses it.
unsafe fn state_mut<'a>(calls: *mut Calls) -> Option<&'a mut State> {
    // SAFETY: the caller's contract; the first word always has a value.
    let mark = unsafe { object(calls.cast::<usize>()) }?;
    // SAFETY: the mark is written with the rest.
    (*mark == IS_SET_UP).then(|| unsafe { &mut *calls.cast::<State>() })
}

impl State {
    /// # Safety
    ///
    /// `memory` has `len` bytes, of which the first `self.len` are those of before.
    unsafe fn adopt(&mut self, memory: *mut u8, len: usize) {
        if len == 0 {
            return;
        }
        // Whatever is looked at must have been written.
        // SAFETY: the caller's contract; `self.len` <= `len`.
        unsafe { memory.add(self.len).write_bytes(0, len - self.len) };
        (self.memory, self.len) = (memory, len);
    }

    fn memory(&self) -> &[u8] {
        // SAFETY: the field's promise; the borrow of `self` keeps writers away.
        unsafe { slice::from_raw_parts(self.memory, self.len) }
    }

    fn observe(&mut self, signal: &AnswerSignal) -> Result<Option<Call>, Status> {
        self.leave_out(self.closed_at);
        self.leave_out(self.lacking_at);
        (self.closed_at, self.lacking_at, self.needed) = (NOWHERE, NOWHERE, 0);
        let key = signal.key;
        match signal.kind {
            SSEAM_SIGNAL_TOOL_OPENED if signal.flags & SSEAM_SIGNAL_IS_CLIENT != 0 => {
                self.open(key, &signal.code, &signal.text)?;
            }
            SSEAM_SIGNAL_TOOL_ARGUMENTS => self.append(key, &signal.text)?,
            SSEAM_SIGNAL_TOOL_CLOSED => {
                if let Some((at, header)) = self.find(key) {
                    self.closed_at = at;
                    return Ok(Some(self.call(at, &header)));
                }
            }
            _ => {}
        }
        Ok(None)
    }

    fn open(&mut self, key: u32, id: &AnswerText, name: &AnswerText) -> Result<(), Status> {
        let lens = [len_of(id), len_of(name), 0];
        let len = HEADER_LEN.saturating_add(lens[0]).saturating_add(lens[1]);
        let at = self.used;
        self.make_room(at, len)?;
        self.put_header(at, &Header { key, lens });
        let at = self.put_text(at + HEADER_LEN, id);
        self.put_text(at, name);
        Ok(())
    }

    fn append(&mut self, key: u32, text: &AnswerText) -> Result<(), Status> {
        let Some((at, mut header)) = self.find(key) else {
            return Ok(());
        };
        let (len, end) = (len_of(text), at + header.len());
        if let Err(status) = self.make_room(end, len) {
            self.lacking_at = at;
            return Err(status);
        }
        header.lens[2] += len;
        self.put_header(at, &header);
        self.put_text(end, text);
        Ok(())
    }

    /// Where the call with this key is.
    fn find(&self, key: u32) -> Option<(usize, Header)> {
        let mut at = 0;
        while at < self.used {
            let header = self.header(at)?;
            if header.key == key {
                return Some((at, header));
            }
            at = at.saturating_add(header.len());
        }
        None
    }

    fn header(&self, at: usize) -> Option<Header> {
        let bytes = self.memory().get(at..)?.first_chunk::<HEADER_LEN>()?;
        let (words, _) = bytes.as_chunks::<{ size_of::<usize>() }>();
        let [key, id, name, arguments] = words.first_chunk::<4>()?;
        Some(Header {
            key: u32::try_from(usize::from_ne_bytes(*key)).ok()?,
            lens: [id, name, arguments].map(|word| usize::from_ne_bytes(*word)),
        })
    }

    fn put_header(&mut self, at: usize, header: &Header) {
        let [id, name, arguments] = header.lens;
        let words = [header.key as usize, id, name, arguments];
        let size = size_of::<usize>();
        for (index, word) in words.iter().enumerate() {
            self.put(at + index * size, &word.to_ne_bytes());
        }
    }

    /// Writes the text where room was made, and gives its end.
    fn put_text(&mut self, mut at: usize, text: &AnswerText) -> usize {
        // SAFETY: the signal is the caller's copy of one whose texts are valid.
        for part in unsafe { parts_of(text) } {
            self.put(at, part.as_bytes());
            at += part.len();
        }
        at
    }

    /// Writes bytes where room was made.
    fn put(&mut self, at: usize, bytes: &[u8]) {
        let fits = at
            .checked_add(bytes.len())
            .is_some_and(|end| end <= self.len);
        debug_assert!(fits);
        if fits {
            // SAFETY: within the memory, in which no signal's text lies.
            unsafe {
                let place = self.memory.add(at);
                place.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
        }
    }

    /// Makes room of `len` bytes at `at` <= `used`, or changes nothing.
    fn make_room(&mut self, at: usize, len: usize) -> Result<(), Status> {
        let used = self.used.saturating_add(len);
        if used > self.len || at > self.used {
            self.needed = used;
            return Err(SSEAM_ERR_MEMORY);
        }
        // SAFETY: both ends are within the memory.
        unsafe {
            let from = self.memory.add(at);
            ptr::copy(from, from.add(len), self.used - at);
        }
        self.used = used;
        Ok(())
    }

    /// Leaves out the call at `at`; nothing where there is none.
    fn leave_out(&mut self, at: usize) {
        let Some(header) = self.header(at).filter(|_| at < self.used) else {
            return;
        };
        let end = at.saturating_add(header.len()).min(self.used);
        // SAFETY: both are within what is used.
        unsafe { ptr::copy(self.memory.add(end), self.memory.add(at), self.used - end) };
        self.used -= end - at;
    }

    fn call(&self, at: usize, header: &Header) -> Call {
        let mut rest = self.memory().get(at + HEADER_LEN..).unwrap_or_default();
        let [id, name, arguments] = header.lens.map(|len| {
            let (text, after) = rest.split_at_checked(len).unwrap_or_default();
            rest = after;
            Str::of(text)
        });
        Call {
            struct_size: 0,
            key: header.key,
            reserved: 0,
            id,
            name,
            arguments,
        }
    }
}

impl Header {
    /// Of the call, this included.
    fn len(&self) -> usize {
        let sum = |sum: usize, len: &usize| sum.saturating_add(*len);
        self.lens.iter().fold(HEADER_LEN, sum)
    }
}

fn len_of(text: &AnswerText) -> usize {
    // SAFETY: as in `State::put_text`.
    let parts = unsafe { parts_of(text) };
    parts.fold(0, |len: usize, part| len.saturating_add(part.len()))
}

// SAFETY: see its first field.
unsafe impl Output for Call {
    const LEN_MIN: usize = size_of::<Call>();
}
