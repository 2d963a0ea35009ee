//! The open calls in lent memory: pieces in, a call that became whole out.
//!
//! The memory holds them one after the other, each as its lengths and then id, name
//! and arguments so far: a piece is put at the end of its call, and what lies behind
//! makes room.

use core::mem::{align_of, size_of};
use core::{ptr, slice};

use super::{Call, Calls};
use crate::answer::codes::{
    SSEAM_SIGNAL_TOOL_ARGUMENTS, SSEAM_SIGNAL_TOOL_CLOSED, SSEAM_SIGNAL_TOOL_OPENED,
};
use crate::answer::signal::{AnswerSignal, SSEAM_SIGNAL_IS_CLIENT};
use crate::answer::text::{AnswerText, parts_of};
use crate::status::{SSEAM_ERR_MEMORY, Status};
use crate::types::Str;

/// What is opaque to C.
#[repr(C)]
pub(super) struct State {
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

pub(super) const IS_SET_UP: usize = 0xCA11;
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

impl State {
    /// Without any call, and without memory.
    pub(super) fn new() -> State {
        State {
            mark: IS_SET_UP,
            memory: ptr::NonNull::<u8>::dangling().as_ptr(),
            len: 0,
            used: 0,
            closed_at: NOWHERE,
            lacking_at: NOWHERE,
            needed: 0,
        }
    }

    /// Of the memory, in bytes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Bytes that the signal refused last needs, or 0.
    pub(super) fn needed(&self) -> usize {
        self.needed
    }

    /// Goes on in this memory; a call that lacked some is whole again.
    ///
    /// # Safety
    ///
    /// `memory` has `len` bytes, of which the first `self.len` are those of before.
    pub(super) unsafe fn adopt(&mut self, memory: *mut u8, len: usize) {
        self.lacking_at = NOWHERE;
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

    /// Takes a signal; a call that it makes whole is lent until the next.
    pub(super) fn observe(&mut self, signal: &AnswerSignal) -> Result<Option<Call>, Status> {
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
