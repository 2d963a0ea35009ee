//! Bytes in, one item out. The callback form is a loop over the same step.
//!
//! A caller's code never runs inside the engine: the item is written, the
//! borrow of the parser ends, then the callback is called. So a callback may
//! stop, free the parser, or read its state.

use core::ffi::{c_int, c_void};

use sseam_core::{Event, LineView, Skipped, Step};

use crate::heap;
use crate::parser::{Parser, State};
use crate::pointer::{self, object_mut};
use crate::status::{
    SSEAM_COMMENT, SSEAM_ERR_ARGUMENT, SSEAM_ERR_INTERNAL, SSEAM_ERR_UTF8, SSEAM_EVENT,
    SSEAM_IGNORED, SSEAM_OK, SSEAM_RETRY, SSEAM_SKIPPED, SSEAM_STOPPED, Status, limit_code,
};
#[cfg(feature = "wide-scan")]
use crate::types::SSEAM_ITEM_IN_INPUT;
use crate::types::{Item, Out, SSEAM_ITEM_TYPE_UNKNOWN, SSEAM_ITEM_UNFINISHED, Str};

/// Is given each item; a result other than 0 stops. Must not throw or `longjmp`.
pub type ItemCallback = Option<unsafe extern "C" fn(user: *mut c_void, item: *const Item) -> c_int>;

/// Takes bytes off the front of the input until there is one item to tell.
///
/// Returns the item's kind, and then `*out` is the item; or `SSEAM_OK`, and then
/// the input is used up; or an error. `*used` is always how many bytes were
/// taken, at least one for each item. Call it again with the rest until it
/// returns `SSEAM_OK`:
///
/// ```c
/// while ((status = sseam_parser_feed(p, s + at, n - at, &used, &item)) > 0) {
///     at += used;
///     if (status == SSEAM_EVENT) handle(item.type, item.data);
/// }
/// ```
///
/// An error stays until `sseam_parser_reset`, but `SSEAM_ERR_MEMORY`,
/// `SSEAM_ERR_ARGUMENT` and `SSEAM_ERR_REENTRANT`, after which the call may be
/// made again with the same bytes. Bytes before the error are taken, and events
/// before it have been given out.
///
/// # Safety
///
/// `bytes` points to `len` bytes, or `len` is 0. The bytes are not the parser's
/// own, such as those of an earlier view. `out->struct_size` is set.
#[unsafe(no_mangle)]
#[must_use]
#[inline(never)]
pub unsafe extern "C" fn sseam_parser_feed(
    parser: *mut Parser,
    bytes: *const c_void,
    len: usize,
    used: *mut usize,
    out: *mut Item,
) -> Status {
    // What is right almost always is tested first, in few instructions.
    #[cfg(feature = "wide-scan")]
    if are_places(parser, used, out) && !bytes.is_null() && len <= isize::MAX as usize {
        // SAFETY: the caller's contract, for each pointer.
        unsafe {
            let bytes = core::slice::from_raw_parts(bytes.cast::<u8>(), len);
            if (*out).struct_size == size_of::<Item>()
                && let Some(event) = whole(&mut *parser, bytes, &mut *used)
            {
                let id = (*parser).known_id();
                out.write(event_item(&event, id, SSEAM_ITEM_IN_INPUT));
                return SSEAM_EVENT;
            }
        }
    }
    // SAFETY: the caller's contract.
    unsafe { feed_with_care(parser, bytes, len, used, out) }
}

/// Takes all of the input and gives each item to a function.
///
/// Returns `SSEAM_OK` when the input is used up, `SSEAM_STOPPED` when the
/// function returned something other than 0 (the parser can go on with the bytes
/// from `*used` on), or an error as `sseam_parser_feed`.
///
/// The function may read the parser's state and may free it; a call that would
/// change it returns `SSEAM_ERR_REENTRANT`. Where the function freed the parser,
/// no further item is given and `SSEAM_STOPPED` is returned.
///
/// # Safety
///
/// As for `sseam_parser_feed`. `on_item` returns: it must not throw and not jump.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sseam_parser_feed_all(
    parser: *mut Parser,
    bytes: *const c_void,
    len: usize,
    used: *mut usize,
    on_item: ItemCallback,
    user: *mut c_void,
) -> Status {
    // SAFETY: the caller's contract, for each pointer.
    let (used, bytes, on_item) =
        match unsafe { (object_mut(used), pointer::bytes(bytes, len), on_item) } {
            (Some(used), Some(bytes), Some(on_item)) => (used, bytes, on_item),
            (used, ..) => {
                *used.unwrap_or(&mut 0) = 0;
                return SSEAM_ERR_ARGUMENT;
            }
        };
    *used = 0;
    loop {
        let (mut item, mut taken) = (Item::EMPTY, 0);
        let rest = bytes.get(*used..).unwrap_or_default();
        // SAFETY: the caller's contract.
        let status = unsafe {
            sseam_parser_feed(
                parser,
                rest.as_ptr().cast(),
                rest.len(),
                &mut taken,
                &mut item,
            )
        };
        *used += taken;
        if status <= SSEAM_OK {
            return status;
        }
        // SAFETY: no reference into the parser exists here; the parser is there
        // until `end`, since `free` is put off in this state.
        unsafe {
            (*parser).state = State::InCallback;
            let answer = on_item(user, &raw const item);
            if (*parser).state == State::Doomed {
                Parser::end(parser);
                return SSEAM_STOPPED;
            }
            (*parser).state = State::Open;
            if answer != 0 {
                return SSEAM_STOPPED;
            }
        }
    }
}

/// `sseam_parser_feed` for every argument there can be.
///
/// # Safety
///
/// As for `sseam_parser_feed`.
#[inline(never)]
unsafe fn feed_with_care(
    parser: *mut Parser,
    bytes: *const c_void,
    len: usize,
    used: *mut usize,
    out: *mut Item,
) -> Status {
    // SAFETY: the caller's contract, for each pointer.
    let pointers = unsafe { (object_mut(used), Out::new(out), pointer::bytes(bytes, len)) };
    let (Some(used), Some(out), Some(bytes)) = pointers else {
        *pointers.0.unwrap_or(&mut 0) = 0;
        return SSEAM_ERR_ARGUMENT;
    };
    *used = 0;
    // SAFETY: the caller's contract.
    if let Err(status) = unsafe { may_feed(parser, bytes) } {
        return status;
    }
    // SAFETY: the caller's contract.
    if let Some(item) = unsafe { out.whole() } {
        // SAFETY: the caller's contract, and the parser may be entered.
        return unsafe { step(parser, bytes, used, item) };
    }
    let mut item = Item::EMPTY;
    // SAFETY: the caller's contract, and the parser may be entered.
    let status = unsafe { step(parser, bytes, used, &mut item) };
    if status > SSEAM_OK {
        // SAFETY: the caller's contract.
        unsafe { out.write(&item) };
    }
    status
}

/// Whether a parser may be fed these bytes; if so, it is open from now on.
///
/// # Safety
///
/// `parser` is null, misaligned, or as `Parser::enter` asks.
unsafe fn may_feed(parser: *mut Parser, bytes: &[u8]) -> Result<(), Status> {
    // SAFETY: the caller's contract.
    let it = unsafe { Parser::enter(parser) }?;
    let is_less = it.state == State::Owing && (bytes.len() as u64) < it.noted;
    match it.state {
        State::Invalid => Err(SSEAM_ERR_UTF8),
        _ if is_less || it.owns(bytes) => Err(SSEAM_ERR_ARGUMENT),
        _ => {
            it.state = State::Open;
            Ok(())
        }
    }
}

/// Takes an event that lies whole at the front of the chunk, from a parser that
/// may be used as it is, and without its id; after `None`, `feed_with_care` tells
/// what there is to tell.
#[cfg(feature = "wide-scan")]
#[inline(always)]
fn whole<'c>(it: &mut Parser, bytes: &'c [u8], used: &mut usize) -> Option<Event<'c>> {
    if it.state != State::Open || it.is_strict || pointer::begins_within(bytes, it.memory()) {
        return None;
    }
    let event = it.engine.whole_event(bytes)?;
    *used = bytes.len() - event.rest().len();
    Some(event.with_id(&[]))
}

/// Whether none of these is null or misaligned.
#[cfg(feature = "wide-scan")]
#[inline(always)]
fn are_places<A, B, C>(a: *const A, b: *const B, c: *const C) -> bool {
    let align = align_of::<A>().max(align_of::<B>()).max(align_of::<C>());
    let is_null = a.is_null() || b.is_null() || c.is_null();
    !is_null && (a.addr() | b.addr() | c.addr()) & (align - 1) == 0
}

/// One step, again where memory was short.
///
/// # Safety
///
/// `parser` is an open parser that no other call is using.
#[inline(never)]
unsafe fn step(parser: *mut Parser, bytes: &[u8], used: &mut usize, out: &mut Item) -> Status {
    loop {
        // SAFETY: the caller's contract.
        let it = unsafe { &mut *parser };
        let want = it.want;
        let (engine, memory) = it.parts();
        let (taken, step) = engine.step(memory, bytes, want);
        *used = taken;
        match step {
            Step::NeedInput => {
                if it.heap.is_some() && heap::is_much(it.memory_len) {
                    // SAFETY: the caller's contract.
                    unsafe { heap::give_back(parser) };
                }
                return SSEAM_OK;
            }
            Step::NeedMemory => {
                // SAFETY: the caller's contract.
                if let Err(status) = unsafe { heap::grow(parser) } {
                    // SAFETY: the caller's contract; the allocator has returned.
                    let it = unsafe { &mut *parser };
                    (it.state, it.noted) = (State::Owing, bytes.len() as u64);
                    return status;
                }
            }
            Step::Failed => return it.refusal(),
            step => return it.fill(step, bytes, out),
        }
    }
}

impl Parser {
    /// Fills in what a step announced, or refuses it.
    pub(crate) fn fill(&mut self, step: Step, chunk: &[u8], item: &mut Item) -> Status {
        let (engine, memory) = (&self.engine, self.memory());
        match step {
            Step::Event => {
                let event = engine.event(memory, chunk);
                if self.is_strict && !is_text(&event) {
                    let span = event.span();
                    return self.refuse_text(span);
                }
                let unfinished = if event.is_complete() {
                    0
                } else {
                    SSEAM_ITEM_UNFINISHED
                };
                let id = Str::within(event.last_event_id().as_bytes());
                *item = event_item(&event, id, unfinished);
                item.data = Str::of(event.data().as_bytes());
            }
            Step::Comment => *item = line_item(SSEAM_COMMENT, &engine.line(memory, chunk)),
            Step::Ignored => *item = line_item(SSEAM_IGNORED, &engine.line(memory, chunk)),
            Step::Retry => *item = retry_item(engine.retry().unwrap_or(0)),
            Step::Skipped => *item = skipped_item(&engine.skipped(memory, chunk)),
            _ => return SSEAM_ERR_INTERNAL,
        }
        item.mark(chunk);
        item.kind
    }
}

/// A block that was left out, as an item.
pub(crate) fn skipped_item(skipped: &Skipped<'_>) -> Item {
    let (name, flags) = match skipped.event_type() {
        Some(name) => (Str::of(name.as_bytes()), 0),
        None => (Str::EMPTY, SSEAM_ITEM_TYPE_UNKNOWN),
    };
    Item {
        kind: SSEAM_SKIPPED,
        flags,
        limit: limit_code(skipped.limit()),
        r#type: name,
        data: Str::of(skipped.head().as_bytes()),
        offset: skipped.span().start,
        end: skipped.span().end,
        full_len: skipped.bytes(),
        limit_max: skipped.max(),
        ..Item::EMPTY
    }
}

/// A line without effect, or a comment, as an item.
pub(crate) fn line_item(kind: Status, line: &LineView<'_>) -> Item {
    Item {
        kind,
        data: Str::of(line.prefix().as_bytes()),
        full_len: line.full_len(),
        ..Item::EMPTY
    }
}

/// A reconnection time as an item.
pub(crate) fn retry_item(retry_ms: u64) -> Item {
    Item {
        kind: SSEAM_RETRY,
        retry_ms,
        ..Item::EMPTY
    }
}

/// An event as an item.
#[inline(always)]
pub(crate) fn event_item(event: &Event<'_>, id: Str, flags: u32) -> Item {
    let (name, data) = (event.event_type(), event.data());
    Item {
        kind: SSEAM_EVENT,
        flags,
        r#type: Str::within(name.as_bytes()),
        data: Str::within(data.as_bytes()),
        last_event_id: id,
        offset: event.span().start,
        end: event.span().end,
        full_len: data.len() as u64,
        ..Item::EMPTY
    }
}

/// Whether all that a caller would show of it is valid UTF-8.
fn is_text(event: &Event<'_>) -> bool {
    let texts = [event.event_type(), event.data(), event.last_event_id()];
    texts.iter().all(|text| text.to_str().is_ok())
}
