//! The head of an answer as a few facts: bytes come in up to its blank line,
//! status and what matters of its fields goes out.
//!
//! Nothing is kept but the beginning of the line in progress, so the head needs
//! no buffer of the caller's and may be cut anywhere. httparse would be the
//! library for it, but a panic stays reachable in its response parser, and it
//! wants the whole head and an array of headers in memory.

use core::fmt;

use crate::chunked::LF;
use crate::framing::Framing;

// Between a field's name and its value.
const COLON: u8 = b':'; // tidy: HTTP's, not the stream's

/// How much of a line is looked at: enough for each field that matters here.
const LINE_LEN_MAX: usize = 96;

/// What matters of the head of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct ResponseHead {
    /// The status code, such as 200.
    pub status: u16,
    /// Whether the content type is `text/event-stream`, whatever its parameters.
    pub is_event_stream: bool,
    /// Whether the body is chunked.
    pub is_chunked: bool,
    /// Whether the body is compressed, or coded in another way than chunked.
    pub is_encoded: bool,
    /// The length of the body, where it is told.
    pub content_length: Option<u64>,
    /// Seconds of `Retry-After`; its form as a date is not told.
    pub retry_after: Option<u64>,
}

impl ResponseHead {
    const EMPTY: ResponseHead = ResponseHead {
        status: 0,
        is_event_stream: false,
        is_chunked: false,
        is_encoded: false,
        content_length: None,
        retry_after: None,
    };

    /// How the body's end is told.
    ///
    /// A length of 0 is taken for none: servers have sent it with endless bodies.
    pub const fn framing(&self) -> Framing {
        match (self.is_chunked, self.content_length) {
            (true, _) => Framing::CHUNKED,
            (false, Some(len)) if len > 0 => Framing::Length(len),
            (false, _) => Framing::UntilClose,
        }
    }

    /// Whether this is an event stream that can be read.
    ///
    /// # Errors
    ///
    /// The first fact that speaks against it.
    pub const fn check(&self) -> Result<(), NotEventStream> {
        match self {
            ResponseHead { status, .. } if *status != 200 => Err(NotEventStream::Status(*status)),
            ResponseHead {
                is_event_stream: false,
                ..
            } => Err(NotEventStream::ContentType),
            ResponseHead {
                is_encoded: true, ..
            } => Err(NotEventStream::Encoded),
            _ => Ok(()),
        }
    }
}

/// Why an answer is no event stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum NotEventStream {
    /// The status is another than 200. After 204 a client should not reconnect.
    Status(u16),
    /// The content type is another, or missing.
    ContentType,
    /// The body is compressed; the request asked for `identity`.
    Encoded,
}

impl fmt::Display for NotEventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotEventStream::Status(status) => write!(f, "the status is {status}"),
            NotEventStream::ContentType => f.write_str("the content type is no event stream's"),
            NotEventStream::Encoded => f.write_str("the body is compressed"),
        }
    }
}

impl core::error::Error for NotEventStream {}

/// Takes the head off an answer.
///
/// ```
/// use sseam_embedded_io::{Framing, HeadDecoder};
///
/// let mut decoder = HeadDecoder::new(4096);
/// let mut input: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\
///     Transfer-Encoding: chunked\r\n\r\n7\r\n";
/// let head = decoder.decode(&mut input)?.unwrap();
/// assert!(head.check().is_ok());
/// assert_eq!((head.framing(), input), (Framing::CHUNKED, &b"7\r\n"[..]));
/// # Ok::<(), sseam_embedded_io::HeadError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct HeadDecoder {
    head: ResponseHead,
    len_max: u32,
    len: u32,
    line: [u8; LINE_LEN_MAX],
    /// Bytes of the line in progress, which may be more than are kept.
    line_len: u32,
    outcome: Option<Result<ResponseHead, HeadError>>,
}

impl HeadDecoder {
    /// A decoder at the first byte of an answer; a head of more than `len_max`
    /// bytes is an error.
    pub const fn new(len_max: u32) -> Self {
        HeadDecoder {
            head: ResponseHead::EMPTY,
            len_max,
            len: 0,
            line: [0; LINE_LEN_MAX],
            line_len: 0,
            outcome: None,
        }
    }

    /// Takes bytes of the head off the front of `input`.
    ///
    /// `None` means that the input is used up. Once the head is complete, the
    /// rest of `input` is body, and every further call gives the same head.
    /// Interim answers, of status 100 to 199 but 101, are passed over.
    ///
    /// # Errors
    ///
    /// See [`HeadError`]; it stays.
    pub fn decode(&mut self, input: &mut &[u8]) -> Result<Option<ResponseHead>, HeadError> {
        while self.outcome.is_none() {
            let Some((&byte, rest)) = input.split_first() else {
                return Ok(None);
            };
            *input = rest;
            self.outcome = self.take(byte).transpose();
        }
        self.outcome.transpose()
    }

    fn take(&mut self, byte: u8) -> Result<Option<ResponseHead>, HeadError> {
        if self.len >= self.len_max {
            return Err(HeadError::TooLong);
        }
        self.len += 1;
        if byte == LF {
            return self.end_line();
        }
        if let Some(place) = self.line.get_mut(self.line_len as usize) {
            *place = byte;
        }
        self.line_len += 1;
        Ok(None)
    }

    /// RFC 9112, Message Parsing: "a recipient MAY recognize a single LF as a
    /// line terminator and ignore any preceding CR".
    fn end_line(&mut self) -> Result<Option<ResponseHead>, HeadError> {
        let line_len = core::mem::take(&mut self.line_len) as usize;
        let kept = self.line.get(..line_len).unwrap_or(&self.line);
        let line = kept.strip_suffix(b"\r").unwrap_or(kept);
        if self.head.status == 0 {
            self.head.status = status(line).ok_or(HeadError::StatusLine)?;
            return Ok(None);
        }
        if !line.is_empty() {
            // What matters must be seen whole; the rest may be of any length.
            let is_whole = line_len <= LINE_LEN_MAX;
            read_field(&mut self.head, line, is_whole)?;
            return Ok(None);
        }
        let is_interim = (100..200).contains(&self.head.status) && self.head.status != 101;
        let head = core::mem::replace(&mut self.head, ResponseHead::EMPTY);
        Ok((!is_interim).then_some(head))
    }
}

/// The status of `HTTP/1.1 200 OK`; a line that begins otherwise has none.
fn status(line: &[u8]) -> Option<u16> {
    let rest = line.strip_prefix(b"HTTP/1.")?;
    let (&[minor, b' ', a, b, c], reason) = rest.split_first_chunk::<5>()? else {
        return None;
    };
    let is_number = [minor, a, b, c].iter().all(u8::is_ascii_digit);
    let ends_there = reason.first().is_none_or(|&byte| byte == b' ');
    let digit = |byte: u8| u16::from(byte & 0x0F);
    (is_number && ends_there && a != b'0').then(|| 100 * digit(a) + 10 * digit(b) + digit(c))
}

/// Takes in a field line, if it is one that matters.
fn read_field(head: &mut ResponseHead, line: &[u8], is_whole: bool) -> Result<(), HeadError> {
    // A line that goes on in the next one was never safe and is obsolete.
    if matches!(line.first(), Some(b' ' | b'\t')) {
        return Err(HeadError::Field);
    }
    let Some(colon) = line.iter().position(|&byte| byte == COLON) else {
        return if is_whole {
            Err(HeadError::Field)
        } else {
            Ok(())
        };
    };
    let (name, value) = line.split_at_checked(colon).unwrap_or_default();
    let value = value.get(1..).unwrap_or_default().trim_ascii();
    let is = |field: &[u8]| name.eq_ignore_ascii_case(field);
    if is(b"content-type") {
        // Its parameters may be long; the type itself is in what was kept.
        let media_type = value.split(|&byte| byte == b';').next().unwrap_or_default();
        head.is_event_stream = media_type
            .trim_ascii_end()
            .eq_ignore_ascii_case(b"text/event-stream");
    } else if is(b"transfer-encoding") {
        read_transfer_encoding(head, value, is_whole)?;
    } else if is(b"content-encoding") {
        head.is_encoded |= !value.is_empty() && !value.eq_ignore_ascii_case(b"identity");
    } else if is(b"content-length") {
        let len = number(value)
            .filter(|_| is_whole)
            .ok_or(HeadError::ContentLength)?;
        if head.content_length.is_some_and(|other| other != len) {
            return Err(HeadError::ContentLength);
        }
        head.content_length = Some(len);
    } else if is(b"retry-after") {
        head.retry_after = number(value);
    }
    Ok(())
}

fn read_transfer_encoding(
    head: &mut ResponseHead,
    value: &[u8],
    is_whole: bool,
) -> Result<(), HeadError> {
    if !is_whole {
        return Err(HeadError::Field);
    }
    for coding in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
        // Chunked comes last, or the body's end cannot be found.
        if coding.is_empty() {
            continue;
        }
        let is_chunked = coding.eq_ignore_ascii_case(b"chunked");
        head.is_encoded |= head.is_chunked || !is_chunked;
        head.is_chunked |= is_chunked;
    }
    Ok(())
}

/// A number of ASCII digits alone.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |number, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit <= 9).then_some(())?;
        number.checked_mul(10)?.checked_add(digit.into())
    })
}

/// Why a head could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum HeadError {
    /// The first line is not `HTTP/1.x` and a status.
    StatusLine,
    /// A line is no field, or one that matters is too long to be looked at.
    Field,
    /// The content length is no number, or there are two that differ.
    ContentLength,
    /// The head is longer than the caller allows.
    TooLong,
}

impl fmt::Display for HeadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HeadError::StatusLine => "the answer does not begin with HTTP/1.x and a status",
            HeadError::Field => "a line of the answer's head is not a field",
            HeadError::ContentLength => "the content length is not one number",
            HeadError::TooLong => "the answer's head is longer than allowed",
        })
    }
}

impl core::error::Error for HeadError {}
