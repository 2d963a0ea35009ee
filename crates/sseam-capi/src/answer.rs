//! The answers of AI APIs: bytes in, text and calls and in the end an outcome out.
//! A thin shell over `sseam-llm`'s driver, with an interface number of its own.
//!
//! What an item said is read from the item once more while it is asked for, so the
//! handle keeps that question: it points into the driver's log and the caller's
//! chunk. Every call that changes the driver forgets it first.

use core::ffi::c_void;
use core::mem::{align_of, size_of};
use core::ptr;

use sseam_llm::{Answer as Driver, Signals};

use crate::heap::Heap;
use crate::pointer::object_mut;
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, SSEAM_ERR_REENTRANT, SSEAM_OK, Status};

mod codes; // The numbers of the header.
mod names; // Numbers <-> names and types of `sseam-llm`.
mod memory; // Event memory that is lent, or grows through the caller's allocator.
mod options; // The caller's options -> limits and a turn that has seen nothing.
#[cfg(feature = "heap")]
mod hosted; // An answer on the heap.
mod text; // A piece of text -> its parts, decoded on the way.
mod signal; // What an item says, as C sees it.
mod feed; // Bytes in; items, signals and text out.
mod calls; // Signals of tool calls -> calls that are whole.
mod close; // How the stream ended; what a reconnect needs.
mod state; // How far the answer has come, and what it wants.
mod outcome; // What became of the answer, as C sees it.

pub use calls::*;
pub use close::*;
pub use codes::*;
pub use feed::*;
#[cfg(feature = "heap")]
pub use hosted::sseam_answer_new;
use memory::Block;
pub use names::*;
pub use options::*;
pub use outcome::*;
pub use signal::*;
pub use state::*;
pub use text::{AnswerText, sseam_text_decode, sseam_text_next};

/// Number of the interface for answers of AI APIs, counted apart from
/// `SSEAM_ABI_VERSION`: it may rise with any release before 1.0. The functions that
/// make an answer carry it in their symbols, so that a program of another one does
/// not link, or does not start.
pub const SSEAM_ANSWER_ABI_VERSION: u32 = 1;

/// Follows one answer of an AI API, from the first byte of its stream to its
/// outcome.
///
/// It keeps no text. An answer may move between threads and be used by one at a
/// time; functions that take it as `const` may run together.
pub struct Answer {
    driver: Driver<Block>,
    pub(crate) said: Said,
    /// `None` for an in-place answer.
    heap: Option<Heap>,
    /// The caller's allocator is running, or may be.
    is_busy: bool,
}

/// What was heard last and not asked for yet.
pub(crate) struct Said {
    /// Borrows the driver, which is not touched until it is forgotten, and the
    /// chunk, which the caller keeps for as long as it asks.
    pub(crate) signals: Option<Signals<'static>>,
    /// For `sseam_answer_text`: the text of which parts are due.
    pub(crate) text: AnswerText,
}

impl Said {
    const NOTHING: Said = Said {
        signals: None,
        text: AnswerText::NONE,
    };
}

/// Gives the library's `SSEAM_ANSWER_ABI_VERSION`. Where it is not that of your
/// header, use no function of an answer.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_answer_abi_version() -> u32 {
    SSEAM_ANSWER_ABI_VERSION
}

/// Says at which alignment `sseam_answer_init` needs its memory.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_answer_align() -> usize {
    align_of::<Answer>()
}

/// Makes an answer in memory that the caller keeps for as long as the answer lives.
/// Nothing is ever allocated, and there is nothing to be freed.
///
/// The first `sseam_answer_size(options)` bytes are used. `options` may be NULL for
/// the defaults: the API is found out then. Writes `*out` on `SSEAM_OK` and nothing
/// otherwise: `SSEAM_ERR_MEMORY` where `memory_len` is too short or the markers are
/// more than an answer keeps, `SSEAM_ERR_UTF8` where a marker is no UTF-8,
/// `SSEAM_ERR_ARGUMENT` where memory is not aligned or an option does not exist.
///
/// # Safety
///
/// `memory` is NULL, which is refused, or points to `memory_len` bytes that nobody
/// else uses, and that are neither moved nor copied, until the answer was freed or
/// is given up. `options` was set up by `sseam_answer_options_init`.
#[unsafe(export_name = "sseam_answer_init_1")]
#[must_use]
pub unsafe extern "C" fn sseam_answer_init(
    memory: *mut c_void,
    memory_len: usize,
    options: *const AnswerOptions,
    out: *mut *mut Answer,
) -> Status {
    // SAFETY: the caller's contract.
    let (asked, Some(out)) = (unsafe { AnswerOptions::read(options) }, unsafe {
        object_mut(out)
    }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let asked = match asked {
        Ok(asked) => asked,
        Err(status) => return status,
    };
    let place = memory.cast::<Answer>();
    if place.is_null() || !place.is_aligned() {
        return SSEAM_ERR_ARGUMENT;
    }
    let size = match asked.size() {
        Some(size) if size <= memory_len => size,
        _ => return SSEAM_ERR_MEMORY,
    };
    let len = size - state_len();
    // SAFETY: the caller lends these bytes, which begin with room for the state.
    let block = unsafe {
        let at = memory.cast::<u8>().add(state_len());
        ptr::write_bytes(at, 0, len);
        Block::lent(at, len)
    };
    let Ok(driver) = Driver::new(block, asked.limits, asked.turn) else {
        return SSEAM_ERR_MEMORY;
    };
    // SAFETY: as above.
    unsafe { place.write(Answer::new(asked.finish(driver), None)) };
    *out = place;
    SSEAM_OK
}

/// Ends an answer. One from `sseam_answer_new` gives its memory back to its
/// allocator; memory lent to `sseam_answer_init` is the caller's again. From its
/// own allocator, the call does nothing.
///
/// # Safety
///
/// `answer` is NULL, which does nothing, or an answer that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_answer_free(answer: *mut Answer) {
    // SAFETY: the caller's contract.
    if unsafe { Answer::enter(answer) }.is_err() {
        return;
    }
    // SAFETY: the caller's contract; nothing in it has a destructor.
    let it = unsafe { answer.read() };
    it.driver.parser().memory().free();
    if let Some(heap) = it.heap {
        // SAFETY: it came from this allocator with this size.
        unsafe { heap.free(answer.cast(), state_len()) };
    }
}

/// Bytes of an answer besides its event memory.
pub(crate) const fn state_len() -> usize {
    size_of::<Answer>()
}

/// The bits of what is true.
pub(crate) fn bits_of(bits: &[(bool, u32)]) -> u32 {
    let is_set = bits.iter().filter(|(is_so, _)| *is_so);
    is_set.fold(0, |all, (_, bit)| all | bit)
}

impl Answer {
    pub(crate) const fn new(driver: Driver<Block>, heap: Option<Heap>) -> Answer {
        Answer {
            driver,
            said: Said::NOTHING,
            heap,
            is_busy: false,
        }
    }

    /// Takes the caller's handle for a call that changes the driver: what was said
    /// and not asked for is forgotten.
    ///
    /// # Safety
    ///
    /// `answer` is null, misaligned, or an answer that no other call is using but
    /// one that runs the caller's allocator at this moment.
    unsafe fn enter<'a>(answer: *mut Answer) -> Result<&'a mut Driver<Block>, Status> {
        // SAFETY: the caller's contract; while the allocator runs, this field is
        // in nobody's borrow.
        if answer.is_null() || !answer.is_aligned() {
            return Err(SSEAM_ERR_ARGUMENT);
        }
        // SAFETY: the same.
        if unsafe { (&raw const (*answer).is_busy).read() } {
            return Err(SSEAM_ERR_REENTRANT);
        }
        // SAFETY: no other call is running. What was said borrows the driver, and is
        // gone before that is borrowed anew.
        unsafe {
            (&raw mut (*answer).said).write(Said::NOTHING);
            Ok(&mut (*answer).driver)
        }
    }

    /// Does what may ask the caller's allocator for memory. Meanwhile every other
    /// call is refused: the driver is borrowed.
    ///
    /// # Safety
    ///
    /// As for `enter`.
    pub(crate) unsafe fn change<'a, R>(
        answer: *mut Answer,
        work: impl FnOnce(&'a mut Driver<Block>) -> R,
    ) -> Result<R, Status> {
        // SAFETY: the caller's contract.
        let driver = unsafe { Answer::enter(answer) }?;
        // SAFETY: the flag is no part of what is borrowed.
        unsafe { (&raw mut (*answer).is_busy).write(true) };
        let result = work(driver);
        // SAFETY: the same.
        unsafe { (&raw mut (*answer).is_busy).write(false) };
        Ok(result)
    }

    /// The driver, to be looked at; what was said may be asked for afterwards.
    ///
    /// # Safety
    ///
    /// As for `enter`; other calls may look at the same time.
    pub(crate) unsafe fn driver<'a>(answer: *const Answer) -> Result<&'a Driver<Block>, Status> {
        if answer.is_null() || !answer.is_aligned() {
            return Err(SSEAM_ERR_ARGUMENT);
        }
        // SAFETY: the caller's contract.
        unsafe {
            match (&raw const (*answer).is_busy).read() {
                true => Err(SSEAM_ERR_REENTRANT),
                false => Ok(&(*answer).driver),
            }
        }
    }

    /// What was said last, to be asked for.
    ///
    /// # Safety
    ///
    /// As for `enter`; and the chunk of which it was said is still there.
    pub(crate) unsafe fn said<'a>(answer: *mut Answer) -> Result<&'a mut Said, Status> {
        // SAFETY: the caller's contract.
        unsafe { Answer::driver(answer) }?;
        // SAFETY: the same; it lies beside the driver, which it borrows.
        Ok(unsafe { &mut (*answer).said })
    }
}

/// What `SSEAM_ANSWER_STATE` in the header promises; see `cbindgen.toml`.
const STATE_LEN_MAX: usize = 64 * size_of::<usize>() + 6144;

const _: () = assert!(size_of::<Answer>() <= STATE_LEN_MAX);
const _: () = assert!(align_of::<Answer>() <= align_of::<u64>());
