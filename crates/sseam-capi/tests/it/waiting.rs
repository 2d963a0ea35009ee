//! Deadlines and waits through the header's functions are those of the core, for
//! random calls in any order.

use std::mem::MaybeUninit;
use std::time::Duration;

use sseam_capi::{self as c, SSEAM_OK};
use sseam_core::{Backoff, Deadline, Delays, Liveness, Timeouts};
use sseam_testkit::generate::Rng;

/// Mostly small, and now and then as large as can be.
fn number(rng: &mut Rng) -> u64 {
    match rng.bits() % 8 {
        0 => 0,
        1 => u64::MAX - rng.bits() % 3,
        2 => rng.bits(),
        _ => rng.bits() % 5_000,
    }
}

fn code(deadline: Option<Deadline>) -> i32 {
    match deadline {
        None => c::SSEAM_DEADLINE_NONE,
        Some(Deadline::FirstOutput) => c::SSEAM_DEADLINE_FIRST_OUTPUT,
        Some(Deadline::Idle) => c::SSEAM_DEADLINE_IDLE,
        Some(Deadline::Progress) => c::SSEAM_DEADLINE_PROGRESS,
        Some(_) => c::SSEAM_DEADLINE_TOTAL,
    }
}

#[test]
fn deadlines_are_those_of_the_core() {
    let mut fired = [0; 28];
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let ms = [(); 4].map(|()| number(&mut rng));
        let timeout = |ms: u64| (ms != 0).then(|| Duration::from_millis(ms));
        let [first_output, idle, progress, total] = ms.map(timeout);
        let timeouts = Timeouts {
            first_output,
            idle,
            progress,
            total,
        };
        let asked = c::Timeouts {
            struct_size: size_of::<c::Timeouts>(),
            reserved: 0,
            first_output_ms: ms[0],
            idle_ms: ms[1],
            progress_ms: ms[2],
            total_ms: ms[3],
        };
        let mut now = rng.bits() % 1000;
        let mut core = Liveness::new(timeouts, Duration::from_millis(now));
        let mut it = c::Liveness {
            opaque: [MaybeUninit::new(!0); 24],
        };
        // SAFETY: two structs of this function, here and below.
        unsafe { assert_eq!(c::sseam_liveness_init(&mut it, &asked, now), SSEAM_OK) };
        for _ in 0..40 {
            now = match rng.bits() % 9 {
                0 => number(&mut rng),
                _ => now.saturating_add(rng.bits() % 900),
            };
            let found = both(&mut core, &mut it, rng.bits() % 7, now);
            fired[usize::try_from(found).expect("a code")] += 1;
        }
    }
    for code in [0, 24, 25, 26, 27] {
        assert!(fired[code] > 100, "{fired:?}");
    }
}

/// Does the same to both and holds them against each other; the deadline that came.
#[track_caller]
fn both(core: &mut Liveness, it: &mut c::Liveness, what: u64, now: u64) -> i32 {
    let (time, at) = (Duration::from_millis(now), &raw mut *it);
    // SAFETY: a struct that was set up, here and below.
    let status = unsafe {
        match what {
            0 => (core.opened(time), c::sseam_liveness_opened(at, now)).1,
            1 => (core.closed(), c::sseam_liveness_closed(at)).1,
            2 => {
                (
                    core.observe_bytes(time),
                    c::sseam_liveness_observe_bytes(at, now),
                )
                    .1
            }
            3 => {
                (
                    core.observe_progress(time),
                    c::sseam_liveness_observe_progress(at, now),
                )
                    .1
            }
            4 => {
                (
                    core.observe_output(time),
                    c::sseam_liveness_observe_output(at, now),
                )
                    .1
            }
            5 => {
                core.put_off(Duration::from_millis(now / 9), time);
                c::sseam_liveness_put_off(at, now / 9, now)
            }
            _ => SSEAM_OK,
        }
    };
    assert_eq!(status, SSEAM_OK);
    let fired = code(core.fired(time));
    let deadline = core.next_deadline().map_or(u128::MAX, |at| at.as_millis());
    // SAFETY: as above.
    let found = unsafe {
        (
            c::sseam_liveness_fired(at, now),
            c::sseam_liveness_next_deadline(at),
        )
    };
    assert_eq!(found, (fired, u64::try_from(deadline).unwrap_or(u64::MAX)));
    fired
}

#[test]
fn waits_are_those_of_the_core() {
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let [base, floor, ceiling] = [(); 3].map(|()| number(&mut rng));
        let attempts_max = [0, 3, 70, u32::MAX][(rng.bits() % 4) as usize];
        let delays = Delays {
            base: Duration::from_millis(base),
            floor: Duration::from_millis(floor),
            ceiling: Duration::from_millis(ceiling),
            attempts_max,
        };
        let asked = c::Delays {
            struct_size: size_of::<c::Delays>(),
            attempts_max,
            base_ms: base,
            floor_ms: floor,
            ceiling_ms: ceiling,
        };
        let mut core = Backoff::new(delays);
        let mut it = c::Backoff {
            opaque: [MaybeUninit::new(!0); 12],
        };
        // SAFETY: two structs of this function, here and below.
        unsafe { assert_eq!(c::sseam_backoff_init(&mut it, &asked), SSEAM_OK) };
        for _ in 0..100 {
            let (random, number) = (rng.bits() as u32, number(&mut rng));
            match rng.bits() % 12 {
                0 => {
                    core.observe_event();
                    // SAFETY: as above.
                    unsafe { assert_eq!(c::sseam_backoff_observe_event(&mut it), SSEAM_OK) };
                }
                1 => {
                    core.set_retry(number);
                    // SAFETY: as above.
                    unsafe { assert_eq!(c::sseam_backoff_set_retry(&mut it, number), SSEAM_OK) };
                }
                _ => {}
            }
            let after = [0, number][(rng.bits() % 2) as usize];
            let expected = core.next_wait(random, Some(Duration::from_millis(after)));
            let mut wait = u64::MAX;
            // SAFETY: as above.
            let has_wait = unsafe { c::sseam_backoff_next_wait(&mut it, random, after, &mut wait) };
            assert_eq!(has_wait != 0, expected.is_some(), "seed {seed}");
            if let Some(expected) = expected {
                assert_eq!(u128::from(wait), expected.as_millis(), "seed {seed}");
            }
            // SAFETY: as above.
            let attempts = unsafe { c::sseam_backoff_attempts(&it) };
            assert_eq!(attempts, core.attempts());
        }
    }
}
