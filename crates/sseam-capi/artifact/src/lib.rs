//! The functions of `sseam.h`, and the panic handler that no library may have
//! but this last one.
//!
//! No panic can be reached. Built with `--cfg sseam_prove_no_panic`, the handler
//! calls a function that nobody defines, so a panic that is left fails to link.

#![no_std]

pub use sseam_capi::*;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    #[cfg(sseam_prove_no_panic)]
    {
        unsafe extern "C" {
            fn sseam_a_panic_can_be_reached() -> !;
        }
        // SAFETY: it is never linked.
        unsafe { sseam_a_panic_can_be_reached() }
    }
    #[cfg(not(sseam_prove_no_panic))]
    loop {}
}

/// Shows that the proof finds what it looks for.
#[cfg(sseam_plant_a_panic)]
#[unsafe(no_mangle)]
pub extern "C" fn sseam_planted(index: usize) -> u8 {
    b"planted"[index]
}
