//! In: events. Out: the lines that the command `sseam replay` prints for them.

#![no_std]
#![forbid(unsafe_code)]

use core::fmt::{self, Write as _};

use embedded_io::Write;
use sseam_core::{Event, Text};

/// Prints an event as one line of JSON.
pub fn print_event(out: &mut impl Write, event: &Event<'_>) {
    let (event_type, data) = (Json(event.event_type()), Json(event.data()));
    let id = Json(event.last_event_id());
    let _ = writeln!(
        out,
        "{{\"event\":{event_type},\"data\":{data},\"id\":{id}}}"
    );
}

/// A text as a JSON string.
pub struct Json<'a>(pub Text<'a>);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for chunk in self.0.chunks() {
            for character in chunk.valid().chars() {
                match character {
                    '"' => f.write_str("\\\"")?,
                    '\\' => f.write_str("\\\\")?,
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    '\t' => f.write_str("\\t")?,
                    '\x08' => f.write_str("\\b")?,
                    '\x0C' => f.write_str("\\f")?,
                    '\0'..='\x1F' => write!(f, "\\u{:04x}", character as u32)?,
                    _ => f.write_char(character)?,
                }
            }
            if !chunk.invalid().is_empty() {
                f.write_char('\u{FFFD}')?;
            }
        }
        f.write_char('"')
    }
}

/// Bytes as hexadecimal digits.
pub struct Hex<'a>(pub &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('x')?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
