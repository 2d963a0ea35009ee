//! In: an event that is larger than the machine's memory, over a UART. Out: its
//! length and a sum over its bytes.
//!
//! The tokenizer alone has no buffer, so that `data` is dealt with piece by
//! piece: written to flash, played, displayed, or added up as here.

#![no_std]
#![no_main]

use board::{Uart, entry, exit};
use embedded_io::{Read, Write};
use sseam_core::{Field, Token, Tokenizer};

#[entry]
fn main() -> ! {
    let mut uart = Uart::new();
    let mut tokenizer = Tokenizer::new();
    let mut event = BigEvent::EMPTY;
    let mut buffer = [0; 64];
    let _ = writeln!(uart, "ready");
    loop {
        let len = uart.read(&mut buffer).unwrap_or(0);
        let mut input = buffer.get(..len).unwrap_or_default();
        while let Some(token) = tokenizer.next_token(&mut input) {
            if event.take(token) {
                let BigEvent { len, sum, .. } = event;
                let _ = writeln!(uart, "{len} bytes of data, sum {sum}");
                exit(true);
            }
        }
    }
}

/// What there is to say of an event that nobody holds.
struct BigEvent {
    len: u32,
    sum: u32,
    has_data: bool,
}

impl BigEvent {
    const EMPTY: BigEvent = BigEvent {
        len: 0,
        sum: 0,
        has_data: false,
    };

    /// Takes a token in; says whether the event is complete.
    fn take(&mut self, token: Token<'_>) -> bool {
        match token {
            Token::Value {
                field: Field::Data,
                bytes,
                ends_line,
            } => {
                bytes.iter().for_each(|&byte| self.add(byte));
                // Its lines are joined by LF; the last one's is taken off below.
                if ends_line {
                    self.add(b'\n');
                    self.has_data = true;
                }
                false
            }
            Token::Blank if self.has_data => {
                self.len -= 1;
                self.sum = self.sum.wrapping_sub(u32::from(b'\n'));
                true
            }
            _ => false,
        }
    }

    fn add(&mut self, byte: u8) {
        self.len += 1;
        self.sum = self.sum.wrapping_add(u32::from(byte));
    }
}
