//! A value to one line of JSON: as little escaped as JSON allows for programs,
//! and what a terminal would act on besides for people.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;
use sseam::Text;

use crate::escape;

/// Text as a JSON string, with U+FFFD for what is not valid UTF-8.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a>(pub(crate) Text<'a>);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Ok(text) => serializer.serialize_str(text),
            // Escaped piece by piece: text of any length is never copied.
            Err(_) => serializer.collect_str(&self.0),
        }
    }
}

/// Writes `value` and a line feed.
pub(crate) fn write_line(
    out: &mut dyn Write,
    is_terminal: bool,
    value: &impl Serialize,
) -> io::Result<()> {
    if is_terminal {
        let mut serializer = serde_json::Serializer::with_formatter(&mut *out, ForTerminal);
        value.serialize(&mut serializer)?;
    } else {
        serde_json::to_writer(&mut *out, value)?;
    }
    out.write_all(b"\n")
}

/// JSON that a terminal shows as it is.
struct ForTerminal;

impl Formatter for ForTerminal {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        escape::print_fragment(writer, fragment)
    }
}
