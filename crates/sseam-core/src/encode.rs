//! The way back, event to bytes: what to send comes in, the bytes of a whole
//! block go out piece by piece.
//!
//! Nothing can be injected. Data is cut at every CR, LF and CRLF and each part
//! gets a line of its own; an id or a type that could end its line is refused.
//! A space follows every colon, so that a value's own first space survives.
//! Parsing gives the event back, with CR and CRLF in data become LF and an
//! empty type become `message`.

use core::fmt;

use crate::scan;

/// Makes the pieces of blocks; it has no state of its own.
///
/// ```
/// use sseam_core::Encoder;
///
/// let mut wire = [0; 64];
/// let event = Encoder::event(b"note", b"two\nlines", Some(b"7"))?;
/// let len = event.write_to(&mut wire).unwrap();
/// assert_eq!(&wire[..len], b"event: note\nid: 7\ndata: two\ndata: lines\n\n");
/// let len = Encoder::event(b"", b"", None)?.write_to(&mut wire).unwrap();
/// assert_eq!(&wire[..len], b"data: \n\n");
/// # Ok::<(), sseam_core::EncodeError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Encoder;

impl Encoder {
    /// An event with its blank line.
    ///
    /// An empty `event_type` writes no `event` line. `None` for the id writes no
    /// `id` line; `Some(b"")` writes an empty one, which resets the last event id.
    ///
    /// # Errors
    ///
    /// A type or id with CR, LF or NUL is refused.
    pub fn event<'a>(
        event_type: &'a [u8],
        data: &'a [u8],
        id: Option<&'a [u8]>,
    ) -> Result<Encoded<'a>, EncodeError> {
        if let Some(at) = event_type.iter().position(is_forbidden) {
            return Err(EncodeError::EventType { at });
        }
        if let Some(at) = id.and_then(|id| id.iter().position(is_forbidden)) {
            return Err(EncodeError::Id { at });
        }
        let first = if event_type.is_empty() {
            Line::after_type(id)
        } else {
            Line::Event
        };
        let digits = Digits::of(0);
        Ok(Encoded {
            next: Part::Name(first),
            event_type,
            id,
            text: Some(data),
            digits,
        })
    }

    /// A comment, one line for each line of `text`. No blank line follows, so it
    /// may also stand between the lines of an event.
    pub fn comment(text: &[u8]) -> Encoded<'_> {
        let next = Part::Name(Line::Comment);
        Encoded {
            next,
            event_type: &[],
            id: None,
            text: Some(text),
            digits: Digits::of(0),
        }
    }

    /// A `retry` line. No blank line follows: it acts at its line's end.
    pub fn retry(milliseconds: u64) -> Encoded<'static> {
        let digits = Digits::of(milliseconds);
        Encoded {
            next: Part::Name(Line::Retry),
            event_type: &[],
            id: None,
            text: None,
            digits,
        }
    }
}

fn is_forbidden(byte: &u8) -> bool {
    matches!(byte, b'\r' | b'\n' | 0)
}

/// A line to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Event,
    Id,
    Data,
    Comment,
    Retry,
}

impl Line {
    /// No id, no `id` line: an empty one would reset the last event id.
    const fn after_type(id: Option<&[u8]>) -> Line {
        match id {
            Some(_) => Line::Id,
            None => Line::Data,
        }
    }

    const fn name(self) -> &'static [u8] {
        match self {
            Line::Event => b"event: ",
            Line::Id => b"id: ",
            Line::Data => b"data: ",
            Line::Comment => b": ",
            Line::Retry => b"retry: ",
        }
    }
}

/// What is written next.
///
/// ```text
/// Name(line) --> Value(line) --> LineEnd(line) --> Name(next line) ... --> Done
///                                      `--after the last data line--> Blank --^
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Name(Line),
    Value(Line),
    LineEnd(Line),
    Blank,
    Done,
}

/// A block in pieces, in their order; none is copied.
///
/// It can be kept between writes: each piece is given out once. The digits of a
/// `retry` line are copied, which is why a piece borrows the block.
#[derive(Clone, Copy)]
pub struct Encoded<'a> {
    next: Part,
    event_type: &'a [u8],
    id: Option<&'a [u8]>,
    /// What is left of the data or of the comment; `None` after its last line.
    text: Option<&'a [u8]>,
    digits: Digits,
}

impl Encoded<'_> {
    /// The next piece, or `None` after the last one.
    pub fn next_piece(&mut self) -> Option<&[u8]> {
        let part = self.next;
        self.next = self.after(part);
        match part {
            Part::Name(line) => Some(line.name()),
            Part::Value(line) => Some(self.take_value(line)),
            Part::LineEnd(_) | Part::Blank => Some(b"\n"),
            Part::Done => None,
        }
    }

    /// Writes what is left into `out` and returns how many bytes that is.
    ///
    /// # Errors
    ///
    /// Where `out` is too short, nothing is written; the error says the length.
    pub fn write_to(mut self, out: &mut [u8]) -> Result<usize, EncodeError> {
        let (wanted, given) = (self.byte_len(), out.len());
        let too_short = EncodeError::OutputTooShort { wanted, given };
        let mut rest = out.get_mut(..wanted).ok_or(too_short)?;
        while let Some(piece) = self.next_piece() {
            let (room, after) = rest.split_at_mut_checked(piece.len()).ok_or(too_short)?;
            room.copy_from_slice(piece);
            rest = after;
        }
        Ok(wanted)
    }

    /// Bytes that are left to be written.
    pub fn byte_len(mut self) -> usize {
        let mut len = 0_usize;
        while let Some(piece) = self.next_piece() {
            len = len.saturating_add(piece.len());
        }
        len
    }

    fn after(&self, part: Part) -> Part {
        match part {
            Part::Name(line) => Part::Value(line),
            Part::Value(line) => Part::LineEnd(line),
            Part::LineEnd(Line::Event) => Part::Name(Line::after_type(self.id)),
            Part::LineEnd(Line::Id) => Part::Name(Line::Data),
            Part::LineEnd(line) if self.text.is_some() => Part::Name(line),
            Part::LineEnd(Line::Data) => Part::Blank,
            Part::LineEnd(Line::Comment | Line::Retry) | Part::Blank | Part::Done => Part::Done,
        }
    }

    fn take_value(&mut self, line: Line) -> &[u8] {
        match line {
            Line::Event => self.event_type,
            Line::Id => self.id.unwrap_or_default(),
            Line::Retry => self.digits.as_bytes(),
            Line::Data | Line::Comment => {
                let (first, rest) = split_line(self.text.unwrap_or_default());
                self.text = rest;
                first
            }
        }
    }
}

/// Shows lengths, not content.
impl fmt::Debug for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoded({} bytes left)", self.byte_len())
    }
}

/// The text up to its first line end, and what follows that line end.
fn split_line(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let (first, rest) = text
        .split_at_checked(scan::line_end(text))
        .unwrap_or((text, &[]));
    if rest.is_empty() {
        return (text, None);
    }
    let end_len = if rest.starts_with(b"\r\n") { 2 } else { 1 };
    (first, rest.get(end_len..))
}

/// A number in base ten.
#[derive(Debug, Clone, Copy)]
struct Digits {
    bytes: [u8; 20],
    /// Index of the first digit; <= 19
    start: u8,
}

impl Digits {
    fn of(mut number: u64) -> Self {
        let mut digits = Digits {
            bytes: [b'0'; 20],
            start: 20,
        };
        for byte in digits.bytes.iter_mut().rev() {
            *byte = b'0' + (number % 10) as u8;
            number /= 10;
            digits.start -= 1;
            if number == 0 {
                break;
            }
        }
        digits
    }

    fn as_bytes(&self) -> &[u8] {
        self.bytes
            .get(usize::from(self.start)..)
            .unwrap_or_default()
    }
}

/// Why a block was not written. Nothing was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum EncodeError {
    /// The event type holds a CR, LF or NUL.
    EventType {
        /// Index of that byte in the type.
        at: usize,
    },
    /// The id holds a CR, LF or NUL.
    Id {
        /// Index of that byte in the id.
        at: usize,
    },
    /// The output slice is too short for the block.
    OutputTooShort {
        /// Bytes of the block.
        wanted: usize,
        /// Bytes of the slice.
        given: usize,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::EventType { at } => {
                write!(f, "the event type has a CR, LF or NUL at index {at}")
            }
            EncodeError::Id { at } => write!(f, "the id has a CR, LF or NUL at index {at}"),
            EncodeError::OutputTooShort { wanted, given } => {
                write!(
                    f,
                    "the block has {wanted} bytes, the output room for {given}"
                )
            }
        }
    }
}

impl core::error::Error for EncodeError {}
