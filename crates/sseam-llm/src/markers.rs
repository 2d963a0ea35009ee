//! Stage 0, what a caller tells a turn about an API that no dialect knows, and
//! which request's response it waits for: short strings in fixed memory.

use core::fmt;

use crate::path::find;
use crate::piece::{Piece, put};

/// Bytes that all markers of a turn take together, with two for each string.
pub const MARKERS_LEN_MAX: usize = 192;

/// The id of a JSON-RPC request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestId<'a> {
    /// A number.
    Number(i64),
    /// A string.
    Text(&'a str),
}

/// Where the text is, and what ends it, for [`Dialect::Custom`].
///
/// Paths name the keys on the way, as `choices.0.delta.text`; a number is the
/// index in an array. Several markers of a kind may be set: any of them counts;
/// of several text fields the first that is there.
///
/// ```
/// use sseam_llm::Markers;
///
/// let markers = Markers::NONE
///     .with_text_field("delta.text")?
///     .with_end_event("done")?
///     .with_error_event("failure")?;
/// # Ok::<(), sseam_llm::MarkersFull>(())
/// ```
///
/// [`Dialect::Custom`]: crate::Dialect::Custom
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Markers {
    /// Records: what it is, its length, its bytes.
    bytes: [u8; MARKERS_LEN_MAX],
    /// Length of the records; at most [`MARKERS_LEN_MAX`].
    len: usize,
}

/// What a record is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    EndData,
    EndEvent,
    /// A path; the record after it is the value.
    EndField,
    EndValue,
    TextField,
    ErrorEvent,
    /// A number, as it is written.
    RequestNumber,
    RequestText,
}

impl Markers {
    /// None at all.
    pub const NONE: Markers = Markers {
        bytes: [0; MARKERS_LEN_MAX],
        len: 0,
    };

    /// The answer is over when an event's data equals `data`.
    ///
    /// # Errors
    ///
    /// [`MarkersFull`]; nothing is changed.
    pub fn with_end_data(self, data: &str) -> Result<Self, MarkersFull> {
        self.with(Kind::EndData, data)
    }

    /// The answer is over when an event has the type `event_type`.
    ///
    /// # Errors
    ///
    /// [`MarkersFull`]; nothing is changed.
    pub fn with_end_event(self, event_type: &str) -> Result<Self, MarkersFull> {
        self.with(Kind::EndEvent, event_type)
    }

    /// The answer is over when the field at `path` equals `value`: the text of a
    /// string, or a number, `true`, `false` or `null` as it is written.
    ///
    /// # Errors
    ///
    /// [`MarkersFull`]; nothing is changed.
    pub fn with_end_field(self, path: &str, value: &str) -> Result<Self, MarkersFull> {
        self.with(Kind::EndField, path)?.with(Kind::EndValue, value)
    }

    /// The text is the string at `path`, not the whole data.
    ///
    /// # Errors
    ///
    /// [`MarkersFull`]; nothing is changed.
    pub fn with_text_field(self, path: &str) -> Result<Self, MarkersFull> {
        self.with(Kind::TextField, path)
    }

    /// An event of the type `event_type` is a failure.
    ///
    /// # Errors
    ///
    /// [`MarkersFull`]; nothing is changed.
    pub fn with_error_event(self, event_type: &str) -> Result<Self, MarkersFull> {
        self.with(Kind::ErrorEvent, event_type)
    }

    /// An MCP stream is over when the response to this request comes.
    ///
    /// # Errors
    ///
    /// [`MarkersFull`]; nothing is changed.
    pub fn with_request_id(self, id: RequestId<'_>) -> Result<Self, MarkersFull> {
        match id {
            RequestId::Text(text) => self.with(Kind::RequestText, text),
            RequestId::Number(number) => {
                let mut digits = [0; 20];
                self.with(Kind::RequestNumber, decimal(number, &mut digits))
            }
        }
    }

    fn with(mut self, kind: Kind, text: &str) -> Result<Self, MarkersFull> {
        let wanted = self.len + 2 + text.len();
        let full = MarkersFull { wanted };
        let len = u8::try_from(text.len()).map_err(|_| full)?;
        if wanted > MARKERS_LEN_MAX {
            return Err(full);
        }
        put(&mut self.bytes, self.len, &[kind as u8, len]);
        put(&mut self.bytes, self.len + 2, text.as_bytes());
        self.len = wanted;
        Ok(self)
    }

    fn records(&self) -> Records<'_> {
        Records(self.bytes.get(..self.len).unwrap_or_default())
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = &[u8]> {
        let is_kind = move |record: &(u8, &[u8])| record.0 == kind as u8;
        self.records().filter(is_kind).map(|(_, text)| text)
    }

    /// Whether any end of the answer was named.
    pub(crate) fn has_end(&self) -> bool {
        let ends = [Kind::EndData, Kind::EndEvent, Kind::EndField];
        ends.iter().any(|kind| self.of(*kind).next().is_some())
    }

    pub(crate) fn has_text_field(&self) -> bool {
        self.of(Kind::TextField).next().is_some()
    }

    pub(crate) fn is_error_event(&self, event_type: &[u8]) -> bool {
        self.of(Kind::ErrorEvent).any(|name| name == event_type)
    }

    pub(crate) fn is_end_event(&self, event_type: &[u8]) -> bool {
        self.of(Kind::EndEvent).any(|name| name == event_type)
    }

    pub(crate) fn is_end_data(&self, data: &[u8]) -> bool {
        self.of(Kind::EndData).any(|end| end == data)
    }

    /// Whether a field of `data` has the value that ends the answer.
    pub(crate) fn is_end_field(&self, data: &[u8]) -> bool {
        let mut records = self.records();
        while let Some((kind, path)) = records.next() {
            if kind == Kind::EndField as u8
                && records
                    .next()
                    .is_some_and(|(_, value)| field_is(data, path, value))
            {
                return true;
            }
        }
        false
    }

    /// The string at the first text field that is there.
    pub(crate) fn text<'e>(&self, data: &'e [u8]) -> Option<Piece<'e>> {
        let find_text = |path| find(data, as_str(path)).ok().flatten()?.string();
        self.of(Kind::TextField).find_map(find_text)
    }

    /// Whether `id`, as it is written, is that of the request; any is, if none
    /// was named.
    pub(crate) fn is_request(&self, id: &[u8]) -> bool {
        let mut is_named = false;
        for (kind, text) in self.records() {
            let is_number = kind == Kind::RequestNumber as u8;
            if is_number || kind == Kind::RequestText as u8 {
                is_named = true;
                let is_it = match is_number {
                    true => id == text,
                    false => find(id, "")
                        .ok()
                        .flatten()
                        .and_then(|value| value.string())
                        .is_some_and(|it| it == as_str(text)),
                };
                if is_it {
                    return true;
                }
            }
        }
        !is_named
    }
}

/// Shows how much it holds, not what.
impl fmt::Debug for Markers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Markers({} of {MARKERS_LEN_MAX} bytes)", self.len)
    }
}

struct Records<'m>(&'m [u8]);

impl<'m> Iterator for Records<'m> {
    type Item = (u8, &'m [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let ([kind, len], rest) = self.0.split_first_chunk::<2>()?;
        let (text, rest) = rest.split_at_checked(usize::from(*len))?;
        self.0 = rest;
        Some((*kind, text))
    }
}

/// All the markers of a turn together are longer than [`MARKERS_LEN_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkersFull {
    /// Bytes that they would take.
    pub wanted: usize,
}

impl fmt::Display for MarkersFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wanted = self.wanted;
        write!(
            f,
            "markers of {wanted} bytes are over {MARKERS_LEN_MAX} bytes"
        )
    }
}

impl core::error::Error for MarkersFull {}

fn field_is(data: &[u8], path: &[u8], value: &[u8]) -> bool {
    let found = find(data, as_str(path)).ok().flatten();
    found.is_some_and(|found| found.text() == as_str(value))
}

fn as_str(text: &[u8]) -> &str {
    core::str::from_utf8(text).unwrap_or_default()
}

/// The digits of a number, at the end of `buffer`.
fn decimal(number: i64, buffer: &mut [u8; 20]) -> &str {
    let mut rest = number.unsigned_abs();
    let mut start = buffer.len();
    loop {
        let digit = b'0' + (rest % 10) as u8;
        start = start.saturating_sub(1);
        if let Some(place) = buffer.get_mut(start) {
            *place = digit;
        }
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        start = start.saturating_sub(1);
        if let Some(place) = buffer.get_mut(start) {
            *place = b'-';
        }
    }
    as_str(buffer.get(start..).unwrap_or_default())
}
