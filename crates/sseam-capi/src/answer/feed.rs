//! Bytes in; items, what they say, and text out.
//!
//! The driver has taken an item before it is told of, so nothing that a caller
//! leaves unread changes the outcome.

use core::ffi::c_void;

use sseam_core::Item as CoreItem;
use sseam_llm::{Heard, Signal, Signals};

use super::Answer;
use super::codes::SignalKind;
use super::signal::AnswerSignal;
use super::text::{AnswerText, sseam_text_next};
use crate::feed::{event_item, line_item, retry_item, skipped_item};
use crate::pointer::{self, object_mut};
use crate::status::{
    SSEAM_COMMENT, SSEAM_ERR_ARGUMENT, SSEAM_IGNORED, SSEAM_OK, SSEAM_SIGNALS, Status,
};
use crate::types::{Item, Out, SSEAM_ITEM_UNFINISHED, Str};

/// Takes bytes off the front of the input until there is something to be heard.
///
/// Returns the kind of the item, and then `*item` is it and `sseam_answer_next`
/// gives what it says; or `SSEAM_OK`, and then the input is used up. `*used` is
/// always how many bytes were taken. Call it again with the rest until it returns
/// `SSEAM_OK`:
///
/// ```c
/// while (sseam_answer_feed(answer, s + at, n - at, &used, NULL) > 0) {
///     at += used;
///     while (sseam_answer_next(answer, &signal) > 0) handle(&signal);
/// }
/// ```
///
/// What goes wrong in the stream is no error of this call but part of the outcome;
/// afterwards all input is taken and ignored. After `sseam_answer_end`, with no
/// bytes, it gives what only the end tells: a failure in a line that had no end, in
/// lenient mode the event that the end cut, calls that only the end closes; of the
/// last there is no item, and the kind is `SSEAM_SIGNALS`.
///
/// `SSEAM_ERR_ARGUMENT` and `SSEAM_ERR_REENTRANT` tell of misuse, and change nothing.
///
/// # Safety
///
/// `answer` is NULL, which is refused, or an answer. `bytes` points to `len` bytes,
/// or `len` is 0. The bytes are not the answer's own, such as those of an earlier
/// view. `item` is NULL, for those who only want signals, or its `struct_size` is
/// set; its views are valid as long as the texts of a signal are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_feed(
    answer: *mut Answer,
    bytes: *const c_void,
    len: usize,
    used: *mut usize,
    item: *mut Item,
) -> Status {
    // SAFETY: the caller's contract, for each pointer.
    let pointers = unsafe { (object_mut(used), Out::new(item), pointer::bytes(bytes, len)) };
    let (Some(used), out, Some(bytes)) = pointers else {
        *pointers.0.unwrap_or(&mut 0) = 0;
        return SSEAM_ERR_ARGUMENT;
    };
    *used = 0;
    if out.is_none() && !item.is_null() {
        return SSEAM_ERR_ARGUMENT;
    }
    // SAFETY: the caller's contract.
    let heard = match unsafe { step(answer, bytes, used) } {
        Ok(Some(heard)) => heard,
        Ok(None) => return SSEAM_OK,
        Err(status) => return status,
    };
    let heard_item = heard.item.and_then(|item| as_c(&item, bytes));
    let kind = heard_item.map_or(SSEAM_SIGNALS, |item| item.kind);
    if let (Some(out), Some(item)) = (out, heard_item) {
        // SAFETY: the caller's contract.
        unsafe { out.write(&item) };
    }
    // SAFETY: what it borrows is the caller's chunk, which the caller leaves alone
    // for as long as it asks, and the driver, see `Said`.
    unsafe {
        let signals = core::mem::transmute::<Signals<'_>, Signals<'static>>(heard.signals);
        (&raw mut (*answer).said.signals).write(Some(signals));
    }
    kind
}

/// Gives the next thing that was said by what was heard last.
///
/// Returns its kind and writes `*out`; 0 when there is nothing more; or
/// `SSEAM_ERR_ARGUMENT`. To leave some unread changes no outcome.
///
/// # Safety
///
/// `answer` is NULL, which is refused, or an answer; the bytes that were fed are
/// still there and as they were. `out->struct_size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_next(
    answer: *mut Answer,
    out: *mut AnswerSignal,
) -> SignalKind {
    // SAFETY: the caller's contract.
    let (said, Some(out)) = (unsafe { (Answer::said(answer), Out::new(out)) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let signals = match said {
        Ok(said) => &mut said.signals,
        Err(status) => return status,
    };
    let Some(signal) = signals.as_mut().and_then(Iterator::next) else {
        *signals = None;
        return 0;
    };
    // SAFETY: what it borrows is there, says the caller's contract.
    let filled = unsafe { AnswerSignal::of(&signal) };
    // SAFETY: the caller's contract.
    unsafe { out.write(&filled) };
    filled.kind
}

/// Gives the text of an answer, output and refusal, part by part, and nothing else:
/// for those who want no more.
///
/// Returns 1 and writes `*part`, UTF-8 that is never empty; or 0, and then the input
/// is used up; or an error as `sseam_answer_feed`. `*at` is how many bytes of this
/// input were taken, and is kept by the library: set it to 0 for each input.
///
/// ```c
/// for (at = 0; sseam_answer_text(answer, s, n, &at, &part) > 0;)
///     fwrite(part.ptr, 1, part.len, stdout);
/// ```
///
/// A part is valid until the next call.
///
/// # Safety
///
/// `answer` is NULL, which is refused, or an answer. `bytes` points to `len` bytes,
/// or `len` is 0; they are the same ones until the call returns 0. `at` and `part`
/// are NULL, which is refused, or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_text(
    answer: *mut Answer,
    bytes: *const c_void,
    len: usize,
    at: *mut usize,
    part: *mut Str,
) -> Status {
    // SAFETY: the caller's contract, for each pointer.
    let pointers = unsafe { (object_mut(at), object_mut(part), pointer::bytes(bytes, len)) };
    let (Some(at), Some(part), Some(bytes)) = pointers else {
        return SSEAM_ERR_ARGUMENT;
    };
    let Some(mut rest) = bytes.get(*at..) else {
        return SSEAM_ERR_ARGUMENT;
    };
    // Who left the input before it may be gone by now.
    let mut is_stale = *at == 0 && len > 0;
    loop {
        // SAFETY: the caller's contract.
        let said = match unsafe { Answer::said(answer) } {
            Ok(said) if !is_stale => said,
            Ok(said) => {
                *said = super::Said::NOTHING;
                said
            }
            Err(status) => return status,
        };
        is_stale = false;
        while let Some(text) = said.next_text() {
            // SAFETY: what the text borrows is there, says the caller's contract.
            if unsafe { sseam_text_next(text, part) } != 0 {
                return 1;
            }
            said.text = AnswerText::NONE;
        }
        let mut used = 0;
        // SAFETY: the caller's contract; the slice is a part of the caller's.
        let status = unsafe {
            let (bytes, len) = (rest.as_ptr().cast(), rest.len());
            sseam_answer_feed(answer, bytes, len, &mut used, core::ptr::null_mut())
        };
        *at += used;
        rest = rest.get(used..).unwrap_or_default();
        if status <= SSEAM_OK {
            return status;
        }
    }
}

impl super::Said {
    /// The text of which parts are due, or else the next one of what was said.
    fn next_text(&mut self) -> Option<&mut AnswerText> {
        if self.text.is_none() {
            let is_text = |signal| match signal {
                Signal::Text(piece) | Signal::Refusal(piece) => Some(piece),
                _ => None,
            };
            let piece = self.signals.as_mut()?.find_map(is_text)?;
            // SAFETY: as long as the signals may be asked for.
            self.text = unsafe { AnswerText::of(piece) };
        }
        Some(&mut self.text)
    }
}

/// One step of the driver, and what was heard; the chunk is not the answer's own.
///
/// # Safety
///
/// As for `sseam_answer_feed`.
unsafe fn step<'c>(
    answer: *mut Answer,
    bytes: &'c [u8],
    used: &mut usize,
) -> Result<Option<Heard<'c>>, Status> {
    let mut rest = bytes;
    loop {
        let before = rest.len();
        let input = &mut rest;
        // SAFETY: the caller's contract; nobody changes the driver while what was
        // heard of it is asked for.
        let heard = unsafe {
            Answer::change(answer, move |driver| {
                let own = sseam_core::Memory::bytes(driver.parser().memory());
                (!pointer::overlap(input, own)).then(|| driver.next(input))
            })
        }?;
        let heard = heard.ok_or(SSEAM_ERR_ARGUMENT)?;
        let taken = before - rest.len();
        *used += taken;
        // What stops the reading may leave some of the input.
        if heard.is_some() || rest.is_empty() || taken == 0 {
            return Ok(heard);
        }
    }
}

/// An item as C sees it; `None` for one that the header has no kind for.
fn as_c(item: &CoreItem<'_>, chunk: &[u8]) -> Option<Item> {
    let mut out = match item {
        CoreItem::Event(event) => {
            let flags = match event.is_complete() {
                true => 0,
                false => SSEAM_ITEM_UNFINISHED,
            };
            let id = Str::of(event.last_event_id().as_bytes());
            Item {
                data: Str::of(event.data().as_bytes()),
                ..event_item(event, id, flags)
            }
        }
        CoreItem::Comment(line) => line_item(SSEAM_COMMENT, line),
        CoreItem::Ignored(line) => line_item(SSEAM_IGNORED, line),
        CoreItem::Retry(milliseconds) => retry_item(*milliseconds),
        CoreItem::Skipped(skipped) => skipped_item(skipped),
        _ => return None,
    };
    out.mark(chunk);
    Some(out)
}
