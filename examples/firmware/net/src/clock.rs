//! In: the system timer's interrupts. Out: milliseconds since the start.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;
use smoltcp::time::Instant;

static MILLISECONDS: AtomicU32 = AtomicU32::new(0);

/// Ticks for each millisecond at the 12.5 MHz that `start` sets up.
const TICKS: u32 = 12_500;

#[exception]
fn SysTick() {
    // Only this handler writes, so that load and store need not be one.
    MILLISECONDS.store(
        MILLISECONDS.load(Ordering::Relaxed).wrapping_add(1),
        Ordering::Relaxed,
    );
}

pub(crate) fn start() {
    let clock_control = 0x400F_E060 as *mut u32;
    // SAFETY: the run-mode clock register. Until it is written the emulated
    // timer has no clock, and TCP would wait for ever for its own timers.
    unsafe {
        let value = clock_control.read_volatile();
        clock_control.write_volatile(value & !(0xF << 23) | 15 << 23 | 1 << 22);
    }
    // SAFETY: nothing else in this program uses the system timer.
    let mut timer = unsafe { cortex_m::Peripherals::steal() }.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(TICKS - 1);
    timer.clear_current();
    timer.enable_counter();
    timer.enable_interrupt();
}

pub(crate) fn now() -> Instant {
    Instant::from_millis(MILLISECONDS.load(Ordering::Relaxed))
}
