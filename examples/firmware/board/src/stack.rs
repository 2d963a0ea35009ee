//! In: the stack below the caller. Out: how much of it was written to.

use core::ptr::{read_volatile, write_volatile};

const PAINT: u32 = 0xA5A5_5A5A;

/// Marks `len` bytes of the unused stack and tells where that was.
#[inline(never)]
pub fn paint(len: usize) -> Painted {
    // Leaves this function's own frame alone.
    let top = (stack_pointer() - 64) & !3;
    for address in (top - len..top).step_by(4) {
        // SAFETY: below the stack pointer lies nothing but unused stack.
        unsafe { write_volatile(address as *mut u32, PAINT) }
    }
    Painted {
        from: top - len,
        to: top,
    }
}

/// Stack that was marked.
pub struct Painted {
    from: usize,
    to: usize,
}

/// How many of the marked bytes, from the top, no longer have their mark.
#[inline(never)]
pub fn painted_over(painted: &Painted) -> usize {
    let is_untouched = |address: &usize| {
        // SAFETY: the same addresses as were written to.
        unsafe { read_volatile(*address as *const u32) == PAINT }
    };
    let untouched = (painted.from..painted.to)
        .step_by(4)
        .take_while(is_untouched)
        .count();
    painted.to - painted.from - 4 * untouched
}

#[inline(always)]
fn stack_pointer() -> usize {
    let pointer: usize;
    #[cfg(target_arch = "arm")]
    // SAFETY: reads one register.
    unsafe {
        core::arch::asm!("mov {}, sp", out(reg) pointer);
    }
    #[cfg(target_arch = "riscv32")]
    // SAFETY: reads one register.
    unsafe {
        core::arch::asm!("mv {}, sp", out(reg) pointer);
    }
    pointer
}
