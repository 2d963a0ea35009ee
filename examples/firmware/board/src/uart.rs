//! In: bytes of a UART. Out: `embedded_io`'s traits over them.

use core::convert::Infallible;
#[cfg(not(feature = "virt"))]
use core::ptr::{read_volatile, write_volatile};

use embedded_io::{ErrorType, Read, ReadReady, Write};

/// The machine's first UART.
pub struct Uart(());

impl Uart {
    /// Switches the UART on.
    #[expect(
        clippy::new_without_default,
        reason = "it switches hardware on, which no default value should do"
    )]
    pub fn new() -> Uart {
        registers::start();
        Uart(())
    }
}

impl ErrorType for Uart {
    type Error = Infallible;
}

impl ReadReady for Uart {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(registers::has_byte())
    }
}

impl Read for Uart {
    /// Waits for one byte, as the trait asks, and takes what has come with it.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let mut len = 0;
        for place in buffer {
            while len == 0 && !registers::has_byte() {}
            if !registers::has_byte() {
                break;
            }
            *place = registers::take();
            len += 1;
        }
        Ok(len)
    }
}

impl Write for Uart {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        for &byte in bytes {
            registers::send(byte);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

#[cfg(not(feature = "virt"))]
fn load(address: usize) -> u32 {
    // SAFETY: the addresses below are registers of the machine named by the
    // feature; reading them takes nothing from the memory that Rust manages.
    unsafe { read_volatile(address as *const u32) }
}

#[cfg(not(feature = "virt"))]
fn store(address: usize, value: u32) {
    // SAFETY: as in `load`; these registers write to no memory.
    unsafe { write_volatile(address as *mut u32, value) }
}

/// The CMSDK UART of ARM's MPS2 boards.
#[cfg(feature = "an386")]
mod registers {
    use super::{load, store};

    const DATA: usize = 0x4000_4000;
    const STATE: usize = DATA + 4;
    const CONTROL: usize = DATA + 8;
    const BAUD_DIVIDER: usize = DATA + 0x10;

    pub(super) fn start() {
        store(BAUD_DIVIDER, 16);
        store(CONTROL, 0b11);
    }

    pub(super) fn has_byte() -> bool {
        load(STATE) & 0b10 != 0
    }

    pub(super) fn take() -> u8 {
        load(DATA) as u8
    }

    pub(super) fn send(byte: u8) {
        while load(STATE) & 0b01 != 0 {}
        store(DATA, byte.into());
    }
}

/// The PL011 of the Stellaris boards.
#[cfg(feature = "lm3s")]
mod registers {
    use super::{load, store};

    const DATA: usize = 0x4000_C000;
    const FLAGS: usize = DATA + 0x18;
    const LINE_CONTROL: usize = DATA + 0x2C;
    const CONTROL: usize = DATA + 0x30;

    pub(super) fn start() {
        store(LINE_CONTROL, 0x70);
        store(CONTROL, 0x301);
    }

    pub(super) fn has_byte() -> bool {
        load(FLAGS) & 0x10 == 0
    }

    pub(super) fn take() -> u8 {
        load(DATA) as u8
    }

    pub(super) fn send(byte: u8) {
        while load(FLAGS) & 0x20 != 0 {}
        store(DATA, byte.into());
    }
}

/// The UART of the nRF51 on the BBC micro:bit.
#[cfg(feature = "microbit")]
mod registers {
    use super::{load, store};

    const BASE: usize = 0x4000_2000;
    const START_RECEIVING: usize = BASE;
    const START_SENDING: usize = BASE + 0x008;
    const RECEIVED: usize = BASE + 0x108;
    const SENT: usize = BASE + 0x11C;
    const ENABLE: usize = BASE + 0x500;
    const RXD: usize = BASE + 0x518;
    const TXD: usize = BASE + 0x51C;

    pub(super) fn start() {
        store(ENABLE, 4);
        store(START_RECEIVING, 1);
        store(START_SENDING, 1);
    }

    pub(super) fn has_byte() -> bool {
        load(RECEIVED) != 0
    }

    pub(super) fn take() -> u8 {
        // Cleared first: reading the byte lets the next one raise it again.
        store(RECEIVED, 0);
        load(RXD) as u8
    }

    pub(super) fn send(byte: u8) {
        store(SENT, 0);
        store(TXD, byte.into());
        while load(SENT) == 0 {}
    }
}

/// The 16550 of the RISC-V `virt` machine.
#[cfg(feature = "virt")]
mod registers {
    use core::ptr::{read_volatile, write_volatile};

    const DATA: usize = 0x1000_0000;
    const LINE_STATUS: usize = DATA + 5;

    pub(super) fn start() {}

    pub(super) fn has_byte() -> bool {
        load(LINE_STATUS) & 1 != 0
    }

    pub(super) fn take() -> u8 {
        load(DATA)
    }

    pub(super) fn send(byte: u8) {
        while load(LINE_STATUS) & 0x20 == 0 {}
        // SAFETY: a register of this machine that writes to no memory.
        unsafe { write_volatile(DATA as *mut u8, byte) }
    }

    /// These registers are bytes.
    fn load(address: usize) -> u8 {
        // SAFETY: a register of this machine.
        unsafe { read_volatile(address as *const u8) }
    }
}
