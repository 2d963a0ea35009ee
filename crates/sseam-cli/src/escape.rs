//! What a terminal must not be given: text in, text without controls out.
//!
//! A stream, a file name or an argument may hold bytes that move the cursor,
//! retitle the window, or show a line in another order than it is written.

use std::fmt::{self, Write as _};
use std::io;

/// `text` with each control character escaped, line ends too.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // Writing to a String cannot fail.
    let _ = write_escaped(&mut shown, text, is_control);
    shown
}

/// `text` with each control character but line feeds escaped.
pub(crate) fn escaped_but_line_feeds(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let _ = write_escaped(&mut shown, text, |it| it != '\n' && is_control(it));
    shown
}

/// Writes `text` with each control character but line feeds escaped.
pub(crate) fn print_escaped(out: &mut dyn io::Write, text: &str) -> io::Result<()> {
    print(out, text, |it| it != '\n' && is_control(it))
}

/// Writes a part of a JSON string whose C0 controls are escaped already.
pub(crate) fn print_fragment(out: &mut (impl io::Write + ?Sized), text: &str) -> io::Result<()> {
    print(out, text, is_control)
}

/// Whether a terminal acts on it instead of showing it: C0, DEL, C1, and the
/// characters of Unicode's property Bidi_Control.
fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
                | '\u{2066}'..='\u{2069}'
        )
}

fn print(
    out: &mut (impl io::Write + ?Sized),
    text: &str,
    is_escaped: impl Fn(char) -> bool,
) -> io::Result<()> {
    let mut rest = text;
    while let Some((at, character)) = rest.char_indices().find(|(_, it)| is_escaped(*it)) {
        let (before, from) = rest.split_at(at);
        write!(out, "{before}\\u{:04x}", u32::from(character))?;
        rest = from.get(character.len_utf8()..).unwrap_or_default();
    }
    out.write_all(rest.as_bytes())
}

fn write_escaped(shown: &mut String, text: &str, is_escaped: impl Fn(char) -> bool) -> fmt::Result {
    for character in text.chars() {
        if is_escaped(character) {
            write!(shown, "\\u{:04x}", u32::from(character))?;
        } else {
            shown.push(character);
        }
    }
    Ok(())
}
