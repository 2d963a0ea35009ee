//! A library that links only if no function of the core can panic.
//!
//! In: nothing; it is only linked. Every public function of sseam-core is
//! exported with every argument unknown, so that the optimizer may assume nothing
//! but types. The panic handler calls a symbol that nobody defines, and the
//! linker is told to refuse that: where it succeeds, the optimizer has proved
//! that no path of any of them leads to a panic.
//!
//! The word `unsafe` stands here for attributes that export, and for a symbol
//! that is never linked; there is no unsafe block.

#![no_std]

use core::fmt::{Debug, Display, Formatter, Result as Shown};
use core::panic::PanicInfo;

mod engine; // Stages 2 to 4: tokenizer and engine.
mod parser; // Stage 5 and the way back: parser, encoder.
mod waiting; // Beside the way: liveness and back-off.
mod views; // Stage 0: limits, errors, text, and what is announced.

unsafe extern "Rust" {
    /// Not defined anywhere.
    safe fn sseam_core_can_panic() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    sseam_core_can_panic()
}

/// Exports functions that pass their arguments on.
macro_rules! export {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub fn $name($($argument: $type),*) -> $result {
            $body
        }
    )*};
}

pub(crate) use export;

/// Proves a type's `Display`.
fn display(value: &impl Display, f: &mut Formatter<'_>) -> Shown {
    Display::fmt(value, f)
}

/// Proves a type's `Debug`.
fn debug(value: &impl Debug, f: &mut Formatter<'_>) -> Shown {
    Debug::fmt(value, f)
}
