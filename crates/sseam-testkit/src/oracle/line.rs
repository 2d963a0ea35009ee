//! A whole stream -> its lines; a line -> its meaning.

/// One line and where it lies in the stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'s> {
    /// The line without its line end and without the byte-order mark.
    pub(super) bytes: &'s [u8],
    /// The stream offset of its first byte.
    pub(super) start: usize,
    /// The stream offset of the first byte of its line end.
    pub(super) end: usize,
}

/// What a line is, in the standard's cases.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning<'s> {
    /// "If the line is empty (a blank line)".
    Blank,
    /// "If the line starts with a U+003A COLON character (:)"; the rest.
    Comment(&'s [u8]),
    /// Field name and value.
    Field(&'s [u8], &'s [u8]),
}

/// All terminated lines, and what stands after the last line end.
///
/// "Streams must be decoded using the UTF-8 decode algorithm", which strips
/// one leading byte-order mark; "lines must be separated by either a U+000D
/// CARRIAGE RETURN U+000A LINE FEED (CRLF) character pair, a single U+000A
/// LINE FEED (LF) character, or a single U+000D CARRIAGE RETURN (CR)
/// character".
pub(super) fn split(stream: &[u8]) -> (Vec<Line<'_>>, Line<'_>) {
    let mut lines = Vec::new();
    let mut start = if stream.starts_with(BOM) {
        BOM.len()
    } else {
        0
    };
    while let Some(len) = stream[start..]
        .iter()
        .position(|byte| matches!(byte, b'\r' | b'\n'))
    {
        let end = start + len;
        lines.push(Line {
            bytes: &stream[start..end],
            start,
            end,
        });
        let is_pair = stream[end..].starts_with(b"\r\n");
        start = end + if is_pair { 2 } else { 1 };
    }
    (
        lines,
        Line {
            bytes: &stream[start..],
            start,
            end: stream.len(),
        },
    )
}

impl<'s> Line<'s> {
    pub(super) fn meaning(&self) -> Meaning<'s> {
        match self.bytes.iter().position(|&byte| byte == b':') {
            _ if self.bytes.is_empty() => Meaning::Blank,
            Some(0) => Meaning::Comment(&self.bytes[1..]),
            // "Collect the characters on the line before the first U+003A
            // COLON character (:), and let field be that string. Collect the
            // characters on the line after the first U+003A COLON character
            // (:), and let value be that string. If value starts with a U+0020
            // SPACE character, remove it from value."
            Some(colon) => {
                let value = &self.bytes[colon + 1..];
                Meaning::Field(
                    &self.bytes[..colon],
                    value.strip_prefix(b" ").unwrap_or(value),
                )
            }
            // "Process the field using the steps described below, using the
            // whole line as the field name, and the empty string as the field
            // value."
            None => Meaning::Field(self.bytes, b""),
        }
    }
}

/// The value of a `retry` field, if it is one.
///
/// "If the field value consists of only ASCII digits, then interpret the field
/// value as an integer in base ten". Two decisions on what that leaves open:
/// an empty value is no integer, and one above `u64::MAX` is refused.
pub(super) fn retry_value(value: &[u8]) -> Option<u64> {
    let is_digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    // `parse` takes any number of leading zeros.
    is_digits
        .then(|| std::str::from_utf8(value).ok()?.parse().ok())
        .flatten()
}

/// U+FEFF in UTF-8.
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";
