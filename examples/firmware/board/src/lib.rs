//! In: registers of an emulated machine. Out: `embedded_io` traits, a count of
//! instructions, and an end of the emulation.
//!
//! This is the part that a real board's support crates would bring.

#![no_std]

mod uart; // A UART of each machine, byte by byte.
mod count; // Instructions, where the emulator counts them.
mod clock; // The time, by asking a timer.
mod stack; // How deep the stack has been.

pub use clock::Clock;
pub use count::Count;
pub use stack::{paint, painted_over};
pub use uart::Uart;

#[cfg(target_arch = "arm")]
pub use cortex_m_rt::entry;
#[cfg(target_arch = "riscv32")]
pub use riscv_rt::entry;

/// Ends the emulation; its exit code says whether all was well.
pub fn exit(is_good: bool) -> ! {
    semihosting::process::exit(i32::from(!is_good))
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    use embedded_io::Write as _;
    let _ = writeln!(Uart::new(), "panic: {info}");
    exit(false)
}
