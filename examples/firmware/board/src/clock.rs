//! In: a timer of the machine. Out: the time since the start.
//!
//! A plain tick without interrupts: it must be asked more often than the timer
//! wraps, at least twice a second. An executor would bring its own clock.

use core::time::Duration;

/// A clock that began at zero.
pub struct Clock {
    ticks: u64,
    last: u64,
}

impl Clock {
    /// Starts the timer.
    pub fn start() -> Clock {
        source::start();
        Clock {
            ticks: 0,
            last: source::now(),
        }
    }

    /// The time since the start.
    pub fn now(&mut self) -> Duration {
        let now = source::now();
        self.ticks += source::between(self.last, now);
        self.last = now;
        Duration::from_micros(self.ticks * 2 / source::PER_MICROSECOND_TIMES_2)
    }
}

/// The system timer, which counts down from 2^24.
#[cfg(target_arch = "arm")]
mod source {
    pub(super) use crate::count::source::now;
    use crate::count::source::{self, TICKS};

    pub(super) const PER_MICROSECOND_TIMES_2: u64 = if cfg!(feature = "microbit") {
        32
    } else if cfg!(feature = "lm3s") {
        25
    } else {
        50
    };

    pub(super) fn start() {
        #[cfg(feature = "lm3s")]
        {
            let clock_control = 0x400F_E060 as *mut u32;
            // SAFETY: the run-mode clock register; the emulated timer has no
            // clock until it is written. It writes to no memory.
            unsafe {
                let value = clock_control.read_volatile();
                clock_control.write_volatile(value & !(0xF << 23) | 15 << 23 | 1 << 22);
            }
        }
        source::start();
    }

    pub(super) fn between(before: u64, after: u64) -> u64 {
        before.wrapping_sub(after) & u64::from(TICKS)
    }
}

/// The machine's clock of 10 MHz.
#[cfg(target_arch = "riscv32")]
mod source {
    pub(super) const PER_MICROSECOND_TIMES_2: u64 = 20;

    pub(super) fn start() {}

    pub(super) fn now() -> u64 {
        riscv::register::time::read64()
    }

    pub(super) fn between(before: u64, after: u64) -> u64 {
        after - before
    }
}
