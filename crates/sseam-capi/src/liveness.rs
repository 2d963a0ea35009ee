//! How long a stream may be silent: the caller's times in milliseconds in,
//! deadlines out. No clock is read here.

use core::mem::{MaybeUninit, align_of, offset_of, size_of};
use core::time::Duration;

use sseam_core::{Deadline, Liveness as Core, Timeouts as CoreTimeouts};

use crate::options::{init_sized, read_sized};
use crate::pointer::{object, object_mut};
use crate::status::{SSEAM_ERR_ARGUMENT, SSEAM_OK, Status};

/// Number of the interface for waiting, `sseam_liveness_...` and
/// `sseam_backoff_...`, counted apart from `SSEAM_ABI_VERSION`: it may rise with
/// any release before 1.0.
pub const SSEAM_WAITING_ABI_VERSION: u32 = 1;

/// What was waited for in vain. The numbers are those of `SSEAM_CLOSE_TIMEOUT_...`,
/// for `sseam_answer_end`.
pub type DeadlineCode = i32;
/// Nothing: there is time left.
pub const SSEAM_DEADLINE_NONE: i32 = 0;
/// `first_output_ms`
pub const SSEAM_DEADLINE_FIRST_OUTPUT: i32 = 24;
/// `idle_ms`
pub const SSEAM_DEADLINE_IDLE: i32 = 25;
/// `progress_ms`
pub const SSEAM_DEADLINE_PROGRESS: i32 = 26;
/// `total_ms`
pub const SSEAM_DEADLINE_TOTAL: i32 = 27;

/// How long to wait for what, in milliseconds; 0 waits for ever. Call
/// `sseam_timeouts_init` first, then change what you want changed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Timeouts {
    /// `sizeof(sseam_timeouts)`, set by `sseam_timeouts_init`.
    pub struct_size: usize,
    /// Must be 0.
    pub reserved: usize,
    /// From the start to the first output. Default 0.
    pub first_output_ms: u64,
    /// From one byte to the next, comments included. Default 0.
    pub idle_ms: u64,
    /// From one thing that you call progress to the next. Default 0.
    pub progress_ms: u64,
    /// From the start to the end. Default 0.
    pub total_ms: u64,
}

/// Tells until when to wait for a stream. It lies where you put it, allocates
/// nothing, and may be copied.
///
/// It reads no clock: each call takes `now_ms`, the time since any fixed moment, of
/// a clock that does not run backwards. Sleep until `sseam_liveness_next_deadline`
/// or until something arrives, and say what happened. A server that sends nothing
/// but comments is alive, and yet may never answer: what counts as progress and as
/// output is for you to say. Calls on one that was not set up do nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Liveness {
    /// Not for you to look at.
    pub opaque: [MaybeUninit<u64>; 24],
}

/// What it holds.
#[repr(C)]
struct State {
    /// `IS_SET_UP`
    mark: u64,
    core: Core,
}

const IS_SET_UP: u64 = 0x5EA1;

const _: () = assert!(size_of::<State>() <= size_of::<Liveness>());
const _: () = assert!(align_of::<State>() <= align_of::<Liveness>());

/// Gives the library's `SSEAM_WAITING_ABI_VERSION`. Where it is not that of your
/// header, use no function for waiting.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_waiting_abi_version() -> u32 {
    SSEAM_WAITING_ABI_VERSION
}

/// Sets every timeout to its default, none. Use the macro `sseam_timeouts_init`,
/// which passes the size.
///
/// # Safety
///
/// `timeouts` is NULL, which does nothing, or points to `struct_size` writable
/// bytes. A size below that of `struct_size` itself does nothing either.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_timeouts_init_sized(timeouts: *mut Timeouts, struct_size: usize) {
    let default = Timeouts {
        struct_size,
        ..Timeouts::NONE
    };
    // SAFETY: the caller's contract; the struct begins with its size.
    unsafe { init_sized(timeouts, struct_size, &default) };
}

/// Starts to wait for the first output and for the end. There is no connection
/// yet: see `sseam_liveness_opened`.
///
/// # Safety
///
/// `liveness` is NULL, which is refused, or writable. `timeouts` is NULL, for none,
/// or was set up by `sseam_timeouts_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_liveness_init(
    liveness: *mut Liveness,
    timeouts: *const Timeouts,
    now_ms: u64,
) -> Status {
    // SAFETY: the caller's contract.
    let (place, timeouts) = unsafe { (object_mut(liveness), Timeouts::read(timeouts)) };
    let (Some(place), Ok(timeouts)) = (place, &timeouts) else {
        return timeouts.err().unwrap_or(SSEAM_ERR_ARGUMENT);
    };
    let state = State {
        mark: IS_SET_UP,
        core: Core::new(*timeouts, Duration::from_millis(now_ms)),
    };
    place.opaque = [MaybeUninit::new(0); 24];
    // SAFETY: as large and as aligned as it must be, see above.
    unsafe { liveness.cast::<State>().write(state) };
    SSEAM_OK
}

/// A connection, the first or a further one, is there and may send: idle and
/// progress begin.
///
/// # Safety
///
/// `liveness` is NULL or all zero, which are refused, or was set up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_liveness_opened(liveness: *mut Liveness, now_ms: u64) -> Status {
    // SAFETY: the caller's contract.
    with(unsafe { core_mut(liveness) }, |it| {
        it.opened(Duration::from_millis(now_ms))
    })
}

/// The connection has ended: idle and progress rest until the next one.
///
/// # Safety
///
/// As for `sseam_liveness_opened`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_liveness_closed(liveness: *mut Liveness) -> Status {
    // SAFETY: the caller's contract.
    with(unsafe { core_mut(liveness) }, Core::closed)
}

/// Bytes arrived, of whatever kind: a comment, half a line.
///
/// # Safety
///
/// As for `sseam_liveness_opened`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_liveness_observe_bytes(
    liveness: *mut Liveness,
    now_ms: u64,
) -> Status {
    // SAFETY: the caller's contract.
    let it = unsafe { core_mut(liveness) };
    with(it, |it| it.observe_bytes(Duration::from_millis(now_ms)))
}

/// Something arrived that shows that the answer comes on, such as a signal with
/// `SSEAM_SIGNAL_IS_PROGRESS`.
///
/// # Safety
///
/// As for `sseam_liveness_opened`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_liveness_observe_progress(
    liveness: *mut Liveness,
    now_ms: u64,
) -> Status {
    // SAFETY: the caller's contract.
    let it = unsafe { core_mut(liveness) };
    with(it, |it| it.observe_progress(Duration::from_millis(now_ms)))
}

/// Output arrived, which is progress too.
///
/// # Safety
///
/// As for `sseam_liveness_opened`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_liveness_observe_output(
    liveness: *mut Liveness,
    now_ms: u64,
) -> Status {
    // SAFETY: the caller's contract.
    let it = unsafe { core_mut(liveness) };
    with(it, |it| it.observe_output(Duration::from_millis(now_ms)))
}

/// Nobody was reading for so long until now, because you had other things to do:
/// what may have arrived then was not missed. All but the total time is put off.
///
/// # Safety
///
/// As for `sseam_liveness_opened`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_liveness_put_off(
    liveness: *mut Liveness,
    milliseconds: u64,
    now_ms: u64,
) -> Status {
    // SAFETY: the caller's contract.
    let it = unsafe { core_mut(liveness) };
    let (time, now) = (
        Duration::from_millis(milliseconds),
        Duration::from_millis(now_ms),
    );
    with(it, |it| it.put_off(time, now))
}

/// Says when to stop waiting, if nothing arrives before; the largest number,
/// `SSEAM_FOREVER`, where nothing ends the wait.
///
/// # Safety
///
/// As for `sseam_liveness_opened`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_liveness_next_deadline(liveness: *const Liveness) -> u64 {
    // SAFETY: the caller's contract.
    let it = unsafe { core(liveness) };
    let deadline = it.and_then(|it| it.next_deadline());
    deadline.map_or(u64::MAX, milliseconds)
}

/// Says what was waited for in vain, if a deadline has come; of several, the one
/// that came first. `SSEAM_DEADLINE_NONE` while there is time left.
///
/// # Safety
///
/// As for `sseam_liveness_opened`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sseam_liveness_fired(
    liveness: *mut Liveness,
    now_ms: u64,
) -> DeadlineCode {
    // SAFETY: the caller's contract.
    let it = unsafe { core_mut(liveness) };
    let fired = it.and_then(|it| it.fired(Duration::from_millis(now_ms)));
    match fired {
        None => SSEAM_DEADLINE_NONE,
        Some(Deadline::FirstOutput) => SSEAM_DEADLINE_FIRST_OUTPUT,
        Some(Deadline::Idle) => SSEAM_DEADLINE_IDLE,
        Some(Deadline::Progress) => SSEAM_DEADLINE_PROGRESS,
        // A deadline that this header has no name for ends the wait as well.
        Some(_) => SSEAM_DEADLINE_TOTAL,
    }
}

/// Does something with one that was set up.
fn with(it: Option<&mut Core>, work: impl FnOnce(&mut Core)) -> Status {
    let Some(it) = it else {
        return SSEAM_ERR_ARGUMENT;
    };
    work(it);
    SSEAM_OK
}

/// What it holds, to be changed; `None` where it was not set up.
///
/// # Safety
///
/// `liveness` is null, misaligned, all zero, or was set up; nobody else looks at it
/// during `'a`.
unsafe fn core_mut<'a>(liveness: *mut Liveness) -> Option<&'a mut Core> {
    // SAFETY: the caller's contract.
    unsafe { core(liveness) }?;
    // SAFETY: the mark is written with the rest.
    unsafe { object_mut(liveness.cast::<State>()) }.map(|state| &mut state.core)
}

/// What it holds, to be looked at, by several threads at once too.
///
/// # Safety
///
/// As above, and nobody changes it during `'a`.
unsafe fn core<'a>(liveness: *const Liveness) -> Option<&'a Core> {
    // SAFETY: the caller's contract.
    let [mark, ..] = unsafe { object(liveness) }?.opaque;
    // SAFETY: it is there in both, and the rest is where it is the mark.
    if unsafe { mark.assume_init() } != IS_SET_UP {
        return None;
    }
    // SAFETY: the mark is written with the rest.
    unsafe { object(liveness.cast::<State>()) }.map(|state| &state.core)
}

/// The whole milliseconds of a time; more than fit are as many as fit.
pub(crate) fn milliseconds(time: Duration) -> u64 {
    let whole = time.as_secs().saturating_mul(1000);
    whole.saturating_add(u64::from(time.subsec_millis()))
}

impl Timeouts {
    const NONE: Timeouts = Timeouts {
        struct_size: size_of::<Timeouts>(),
        reserved: 0,
        first_output_ms: 0,
        idle_ms: 0,
        progress_ms: 0,
        total_ms: 0,
    };

    /// Reads a caller's timeouts, old, new or none.
    ///
    /// # Safety
    ///
    /// `timeouts` is null or valid for reads of the `struct_size` bytes that it
    /// begins with.
    unsafe fn read(timeouts: *const Timeouts) -> Result<CoreTimeouts, Status> {
        let read = match timeouts.is_null() {
            true => Timeouts::NONE,
            // SAFETY: the caller's contract.
            false => unsafe { read_sized(timeouts, Timeouts::NONE) }?,
        };
        if read.reserved != 0 {
            return Err(SSEAM_ERR_ARGUMENT);
        }
        let timeout = |ms: u64| (ms != 0).then(|| Duration::from_millis(ms));
        Ok(CoreTimeouts {
            first_output: timeout(read.first_output_ms),
            idle: timeout(read.idle_ms),
            progress: timeout(read.progress_ms),
            total: timeout(read.total_ms),
        })
    }
}

const _: () = assert!(offset_of!(Timeouts, first_output_ms).is_multiple_of(8));
#[cfg(feature = "answer")]
const _: () = {
    use crate::answer::*;
    assert!(SSEAM_DEADLINE_FIRST_OUTPUT == SSEAM_CLOSE_TIMEOUT_FIRST_OUTPUT);
    assert!(SSEAM_DEADLINE_IDLE == SSEAM_CLOSE_TIMEOUT_IDLE);
    assert!(SSEAM_DEADLINE_PROGRESS == SSEAM_CLOSE_TIMEOUT_PROGRESS);
    assert!(SSEAM_DEADLINE_TOTAL == SSEAM_CLOSE_TIMEOUT_TOTAL);
};
