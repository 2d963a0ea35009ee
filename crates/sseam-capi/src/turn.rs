//! The answers of AI APIs: the items of a parser in, signals and an outcome out.
//! A thin shell over `sseam-llm`, with an interface number of its own.
//!
//! A turn keeps nothing of an event but what it counted. The signals of one event
//! stay in it until the next is observed, and point into that event.

use core::ffi::c_void;
use core::mem::{align_of, size_of};

use sseam_llm::{Signal, Signals};

use crate::heap::Heap;
use crate::pointer::{object, object_mut};
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_ERR_MEMORY, SSEAM_OK, Status};

mod codes; // Numbers of the header <-> names of `sseam-llm`.
#[cfg(feature = "heap")]
mod hosted; // A turn on the heap.
mod kinds; // The structs of the header: options, signals, outcome.
mod observe; // An item in; its signals out, one by one.
mod options; // The caller's options -> a turn that has seen nothing.
mod outcome; // How the stream ended -> what became of the answer.
mod text; // A piece of text -> its parts, decoded on the way.

pub use codes::*;
#[cfg(feature = "heap")]
pub use hosted::sseam_turn_new;
pub use kinds::*;
pub use observe::*;
pub use options::*;
pub use outcome::sseam_turn_finish;
pub use text::{TurnText, sseam_text_decode, sseam_text_next};

/// Number of the interface for answers of AI APIs, counted apart from
/// `SSEAM_ABI_VERSION`: it may rise with any release before 1.0.
pub const SSEAM_TURN_ABI_VERSION: u32 = 1;

/// The API's terminal was seen. Read on for a moment, at most 64 KiB and 250 ms:
/// usage and late errors may follow.
pub const SSEAM_TURN_TERMINAL: u32 = 1;
/// The terminal was seen and nothing is known to follow it: who waits on a
/// connection that stays open may stop at once.
pub const SSEAM_TURN_OVER: u32 = 2;
/// Text, reasoning, a refusal or a tool call was seen.
pub const SSEAM_TURN_OUTPUT: u32 = 4;
/// An unfinished last event counts, which is so in lenient mode: take it from the
/// parser and let it be observed before `sseam_turn_finish`.
pub const SSEAM_TURN_WANTS_UNFINISHED: u32 = 8;

/// Follows one answer of an AI API, from its first event to its outcome.
///
/// It holds no text and no pointers into your memory but those of the event that
/// was observed last. A turn may move between threads and be used by one at a
/// time.
pub struct Turn {
    pub(crate) turn: sseam_llm::Turn,
    pub(crate) said: Said,
    /// `None` for an in-place turn.
    pub(crate) heap: Option<Heap>,
}

/// What the last item said and was not asked for yet.
#[expect(
    clippy::large_enum_variant,
    reason = "a turn has room for the largest anyway, and there may be no heap"
)]
pub(crate) enum Said {
    Nothing,
    /// The caller keeps the event for as long as it asks for its signals.
    Event(Signals<'static>),
    /// Likewise.
    One(Signal<'static>),
}

/// Gives the library's `SSEAM_TURN_ABI_VERSION`. Where it is not that of your
/// header, use no function of a turn.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_turn_abi_version() -> u32 {
    SSEAM_TURN_ABI_VERSION
}

/// Says how many bytes `sseam_turn_init` needs; at most `SSEAM_TURN_STORAGE`.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_turn_size() -> usize {
    size_of::<Turn>()
}

/// Says at which alignment `sseam_turn_init` needs its memory.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_turn_align() -> usize {
    align_of::<Turn>()
}

/// Makes a turn in memory that the caller keeps for as long as the turn lives.
/// Nothing is ever allocated, and there is nothing to be freed: the memory may be
/// used for the next turn without further ado.
///
/// `options` may be NULL: the API is found out then. Writes `*out` on `SSEAM_OK`
/// and nothing otherwise: `SSEAM_ERR_MEMORY` where `memory_len` is too short or
/// the markers are more than a turn keeps, `SSEAM_ERR_UTF8` where a marker is no
/// UTF-8, `SSEAM_ERR_ARGUMENT` where memory is not aligned or an option does not
/// exist.
///
/// # Safety
///
/// `memory` is NULL, which is refused, or points to `memory_len` bytes that
/// nobody else uses, and that are neither moved nor copied, until the turn was
/// freed or is given up. `options` was set up by `sseam_turn_options_init`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sseam_turn_init(
    memory: *mut c_void,
    memory_len: usize,
    options: *const TurnOptions,
    out: *mut *mut Turn,
) -> Status {
    // SAFETY: the caller's contract.
    let (turn, Some(out)) = (unsafe { TurnOptions::read(options) }, unsafe {
        object_mut(out)
    }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    let turn = match turn {
        Ok(turn) => turn,
        Err(status) => return status,
    };
    let place = memory.cast::<Turn>();
    if place.is_null() || !place.is_aligned() {
        return SSEAM_ERR_ARGUMENT;
    }
    if memory_len < size_of::<Turn>() {
        return SSEAM_ERR_MEMORY;
    }
    // SAFETY: the caller lends these bytes.
    unsafe { place.write(Turn::new(turn)) };
    *out = place;
    SSEAM_OK
}

/// Ends a turn. One from `sseam_turn_new` gives its memory back to its allocator;
/// memory lent to `sseam_turn_init` is the caller's again.
///
/// # Safety
///
/// `turn` is NULL, which does nothing, or a turn that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_turn_free(turn: *mut Turn) {
    // SAFETY: the caller's contract.
    let heap = match unsafe { object(turn) } {
        Some(it) => it.heap,
        None => return,
    };
    if let Some(heap) = heap {
        // SAFETY: it came from this allocator with this size, and nothing in it
        // has a destructor.
        unsafe { heap.free(turn.cast(), size_of::<Turn>()) };
    }
}

/// Says how far the answer has come: `SSEAM_TURN_...` bits; ignore those that you
/// do not know. 0 for NULL.
///
/// # Safety
///
/// `turn` is NULL or a turn.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_turn_state(turn: *const Turn) -> u32 {
    // SAFETY: the caller's contract.
    let Some(Turn { turn, .. }) = (unsafe { object(turn) }) else {
        return 0;
    };
    let bits = [
        (turn.is_terminal(), SSEAM_TURN_TERMINAL),
        (turn.is_over(), SSEAM_TURN_OVER),
        (turn.has_output(), SSEAM_TURN_OUTPUT),
        (turn.wants_unfinished(), SSEAM_TURN_WANTS_UNFINISHED),
    ];
    bits_of(&bits)
}

/// Says which API the events are of: of `SSEAM_DIALECT_AUTO` the one that was
/// recognised, or still that. `SSEAM_DIALECT_AUTO` for NULL.
///
/// # Safety
///
/// `turn` is NULL or a turn.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_turn_dialect(turn: *const Turn) -> DialectCode {
    // SAFETY: the caller's contract.
    let it = unsafe { object(turn) };
    it.map_or(SSEAM_DIALECT_AUTO, |it| dialect_code(it.turn.dialect()))
}

/// The bits of what is true.
pub(crate) fn bits_of(bits: &[(bool, u32)]) -> u32 {
    let is_set = bits.iter().filter(|(is_so, _)| *is_so);
    is_set.fold(0, |all, (_, bit)| all | bit)
}

impl Turn {
    pub(crate) const fn new(turn: sseam_llm::Turn) -> Turn {
        Turn {
            turn,
            said: Said::Nothing,
            heap: None,
        }
    }
}

/// What `SSEAM_TURN_STORAGE` in the header promises; see `cbindgen.toml`.
const STORAGE_LEN_MAX: usize = 64 * size_of::<usize>() + 1024;

const _: () = assert!(size_of::<Turn>() <= STORAGE_LEN_MAX);
const _: () = assert!(align_of::<Turn>() <= align_of::<u64>());
