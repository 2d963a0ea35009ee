//! How long to wait before the next connection: failures and what servers ask for
//! in, milliseconds out.

use core::ffi::c_int;
use core::mem::{MaybeUninit, align_of, size_of};
use core::time::Duration;

use sseam_core::{Backoff as Core, Delays as CoreDelays};

use crate::liveness::milliseconds;
use crate::options::{init_sized, read_sized};
use crate::pointer::{object, object_mut};
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_OK, Status};

/// How a wait grows, and where it ends. Call `sseam_delays_init` first, then change
/// what you want changed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Delays {
    /// `sizeof(sseam_delays)`, set by `sseam_delays_init`.
    pub struct_size: usize,
    /// Attempts in a row without a delivered event, after which it gives up;
    /// `SSEAM_UNLIMITED` never does. Default 0: no attempt.
    pub attempts_max: u32,
    /// The first wait, until the server sets another by `retry`. Default 500.
    pub base_ms: u64,
    /// No wait is shorter, whatever the server asks for. Default 100.
    pub floor_ms: u64,
    /// No wait is longer, unless `Retry-After` asks for more. Default 30000.
    pub ceiling_ms: u64,
}

/// Tells how long to wait before connecting again, or that enough was tried. It
/// lies where you put it, allocates nothing, and may be copied.
///
/// Each attempt doubles the wait; chance takes away or adds up to a quarter, so
/// that clients which lost one server do not come back together. Only a delivered
/// event begins anew: a server that accepts connections and sends nothing is not
/// well. Calls on one that was not set up do nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Backoff {
    /// Not for you to look at.
    pub opaque: [MaybeUninit<u64>; 12],
}

/// What it holds.
#[repr(C)]
struct State {
    /// `IS_SET_UP`
    mark: u64,
    core: Core,
}

const IS_SET_UP: u64 = 0x5EA2;

const _: () = assert!(size_of::<State>() <= size_of::<Backoff>());
const _: () = assert!(align_of::<State>() <= align_of::<Backoff>());

/// Sets every delay to its default. Use the macro `sseam_delays_init`, which passes
/// the size.
///
/// # Safety
///
/// `delays` is NULL, which does nothing, or points to `struct_size` writable bytes.
/// A size below that of `struct_size` itself does nothing either.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_delays_init_sized(delays: *mut Delays, struct_size: usize) {
    let default = Delays {
        struct_size,
        ..Delays::of(&CoreDelays::DEFAULT)
    };
    // SAFETY: the caller's contract; the struct begins with its size.
    unsafe { init_sized(delays, struct_size, &default) };
}

/// Sets up a back-off of which nothing was asked yet.
///
/// # Safety
///
/// `backoff` is NULL, which is refused, or writable. `delays` is NULL, for the
/// defaults, or was set up by `sseam_delays_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_backoff_init(
    backoff: *mut Backoff,
    delays: *const Delays,
) -> Status {
    // SAFETY: the caller's contract.
    let (place, delays) = unsafe { (object_mut(backoff), Delays::read(delays)) };
    let (Some(place), Ok(delays)) = (place, &delays) else {
        return delays.err().unwrap_or(SSEAM_ERR_ARGUMENT);
    };
    let state = State {
        mark: IS_SET_UP,
        core: Core::new(*delays),
    };
    place.opaque = [MaybeUninit::new(0); 12];
    // SAFETY: as large and as aligned as it must be, see above.
    unsafe { backoff.cast::<State>().write(state) };
    SSEAM_OK
}

/// The server set the reconnection time by a `retry` line: see
/// `sseam_parser_retry`. It takes the place of the base, within floor and ceiling.
///
/// # Safety
///
/// `backoff` is NULL or all zero, which are refused, or was set up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_backoff_set_retry(
    backoff: *mut Backoff,
    milliseconds: u64,
) -> Status {
    // SAFETY: the caller's contract.
    let Some(it) = (unsafe { core_mut(backoff) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    it.set_retry(milliseconds);
    SSEAM_OK
}

/// An event was delivered: attempts count from zero again.
///
/// # Safety
///
/// As for `sseam_backoff_set_retry`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_backoff_observe_event(backoff: *mut Backoff) -> Status {
    // SAFETY: the caller's contract.
    let Some(it) = (unsafe { core_mut(backoff) }) else {
        return SSEAM_ERR_ARGUMENT;
    };
    it.observe_event();
    SSEAM_OK
}

/// Says how long to wait before the next attempt, which is counted.
///
/// Returns 1 and writes `*wait_ms`; or 0 and nothing, where no more attempts are to
/// be made. `random` is any number, all of them as likely as each other, new for
/// each call. `retry_after_ms` is what the last response asked for, or 0; the wait
/// never falls short of it.
///
/// # Safety
///
/// As for `sseam_backoff_set_retry`. `wait_ms` is NULL, which is refused, or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_backoff_next_wait(
    backoff: *mut Backoff,
    random: u32,
    retry_after_ms: u64,
    wait_ms: *mut u64,
) -> c_int {
    // SAFETY: the caller's contract.
    let (Some(it), Some(wait_ms)) = (unsafe { (core_mut(backoff), object_mut(wait_ms)) }) else {
        return 0;
    };
    let asked = Duration::from_millis(retry_after_ms);
    let Some(wait) = it.next_wait(random, Some(asked)) else {
        return 0;
    };
    *wait_ms = milliseconds(wait);
    1
}

/// Counts the attempts since the last delivered event.
///
/// # Safety
///
/// As for `sseam_backoff_set_retry`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_backoff_attempts(backoff: *const Backoff) -> u32 {
    // SAFETY: the caller's contract.
    unsafe { core(backoff) }.map_or(0, |it| it.attempts())
}

/// What it holds, to be changed; `None` where it was not set up.
///
/// # Safety
///
/// `backoff` is null, misaligned, all zero, or was set up; nobody else looks at it
/// during `'a`.
unsafe fn core_mut<'a>(backoff: *mut Backoff) -> Option<&'a mut Core> {
    // SAFETY: the caller's contract.
    unsafe { core(backoff) }?;
    // SAFETY: the mark is written with the rest.
    unsafe { object_mut(backoff.cast::<State>()) }.map(|state| &mut state.core)
}

/// What it holds, to be looked at, by several threads at once too.
///
/// # Safety
///
/// As above, and nobody changes it during `'a`.
unsafe fn core<'a>(backoff: *const Backoff) -> Option<&'a Core> {
    // SAFETY: the caller's contract.
    let [mark, ..] = unsafe { object(backoff) }?.opaque;
    // SAFETY: it is there in both, and the rest is where it is the mark.
    if unsafe { mark.assume_init() } != IS_SET_UP {
        return None;
    }
    // SAFETY: the mark is written with the rest.
    unsafe { object(backoff.cast::<State>()) }.map(|state| &state.core)
}

impl Delays {
    fn of(delays: &CoreDelays) -> Delays {
        Delays {
            struct_size: size_of::<Delays>(),
            attempts_max: delays.attempts_max,
            base_ms: milliseconds(delays.base),
            floor_ms: milliseconds(delays.floor),
            ceiling_ms: milliseconds(delays.ceiling),
        }
    }

    /// Reads a caller's delays, old, new or none.
    ///
    /// # Safety
    ///
    /// `delays` is null or valid for reads of the `struct_size` bytes that it begins
    /// with.
    unsafe fn read(delays: *const Delays) -> Result<CoreDelays, Status> {
        if delays.is_null() {
            return Ok(CoreDelays::DEFAULT);
        }
        // SAFETY: the caller's contract.
        let read = unsafe { read_sized(delays, Delays::of(&CoreDelays::DEFAULT)) }?;
        Ok(CoreDelays {
            base: Duration::from_millis(read.base_ms),
            floor: Duration::from_millis(read.floor_ms),
            ceiling: Duration::from_millis(read.ceiling_ms),
            attempts_max: read.attempts_max,
        })
    }
}
