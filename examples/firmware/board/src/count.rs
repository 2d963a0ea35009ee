//! In: the emulator's clock. Out: how many instructions ran in between.
//!
//! Under `-icount shift=0` the emulator's clock advances by one nanosecond for
//! each instruction, so that its timers count instructions, alike on every run.
//! Those are instructions, not cycles: only hardware knows its cycles.

/// A count that began.
pub struct Count(u64);

impl Count {
    /// Begins to count.
    pub fn start() -> Count {
        source::start();
        Count(source::now())
    }

    /// Instructions since then, in the steps of the machine's timer.
    pub fn instructions(&self) -> u64 {
        source::between(self.0, source::now())
    }
}

/// The system timer, which counts down from 2^24 at the core's clock.
#[cfg(target_arch = "arm")]
pub(crate) mod source {
    use cortex_m::peripheral::SYST;
    use cortex_m::peripheral::syst::SystClkSource;

    /// Instructions for each tick: 25 MHz on mps2-an386, 16 MHz on microbit.
    const PER_TICK_TIMES_2: u64 = if cfg!(feature = "microbit") { 125 } else { 80 };
    pub(crate) const TICKS: u32 = 0x00FF_FFFF;

    pub(crate) fn start() {
        // SAFETY: nothing else in these programs uses the system timer.
        let mut timer = unsafe { cortex_m::Peripherals::steal() }.SYST;
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(TICKS);
        timer.clear_current();
        timer.enable_counter();
    }

    pub(crate) fn now() -> u64 {
        SYST::get_current().into()
    }

    pub(super) fn between(before: u64, after: u64) -> u64 {
        (before.wrapping_sub(after) & u64::from(TICKS)) * PER_TICK_TIMES_2 / 2
    }
}

/// The counter of retired instructions.
#[cfg(target_arch = "riscv32")]
mod source {
    pub(super) fn start() {}

    pub(super) fn now() -> u64 {
        riscv::register::minstret::read64()
    }

    pub(super) fn between(before: u64, after: u64) -> u64 {
        after - before
    }
}
