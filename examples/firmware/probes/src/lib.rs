//! In: nothing. Out: the panic handler of every probe, which cannot be linked.
//!
//! A probe calls what is to be measured and hides its arguments from the
//! compiler. Nobody defines the function that the handler calls, so a probe that
//! links is a proof that nothing in it can panic.

#![no_std]

#[cfg(feature = "io")]
pub mod transport; // A transport that may do anything.

#[cfg(not(feature = "may-panic"))]
unsafe extern "C" {
    safe fn a_panic_is_reachable() -> !;
}

#[cfg(not(feature = "may-panic"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    a_panic_is_reachable()
}

#[cfg(feature = "may-panic")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

pub use core::hint::black_box;

/// A value that the compiler knows nothing about.
#[inline(always)]
pub fn hidden<T>(value: T) -> T {
    black_box(value)
}
