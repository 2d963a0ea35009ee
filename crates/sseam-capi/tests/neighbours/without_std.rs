//! A Rust library as another project would ship it, without std: linked beside
//! ours to show that both fit into one program.

#![no_std]

/// Can panic, so that its handler is really there.
#[unsafe(no_mangle)]
pub extern "C" fn neighbour(number: u32) -> u32 {
    let squares = [0, 1, 4, 9, 16];
    squares[number as usize % 5] + number
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
