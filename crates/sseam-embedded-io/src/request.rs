//! The head of a request, and its body: a description comes in, bytes go out.
//!
//! Nothing can be injected: a CR, an LF or a NUL anywhere in the head is
//! refused, and so is a space where it would end the target.

use core::fmt;

use crate::chunked::{CR, LF};

/// A request for an event stream.
///
/// ```
/// use sseam_embedded_io::Request;
///
/// let request = Request {
///     authorization: Some("Bearer 123"),
///     last_event_id: b"42",
///     ..Request::get("/v1/events", "api.example")
/// };
/// let mut out = [0; 256];
/// let len = request.encode()?.write_to(&mut out)?;
/// assert_eq!(
///     core::str::from_utf8(&out[..len])?,
///     "GET /v1/events HTTP/1.1\r\nHost: api.example\r\nAccept: text/event-stream\r\n\
///      Accept-Encoding: identity\r\nCache-Control: no-cache\r\nAuthorization: Bearer 123\r\n\
///      Last-Event-ID: 42\r\n\r\n",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// `GET`, `POST` or another token.
    pub method: &'a str,
    /// Path and query, such as `/v1/events?user=7`.
    pub target: &'a str,
    /// The host, with its port where that is not the scheme's own.
    pub host: &'a str,
    /// The value of `Authorization`.
    pub authorization: Option<&'a str>,
    /// The last event id of an earlier connection; empty for none.
    pub last_event_id: &'a [u8],
    /// Further fields: names and values.
    pub fields: &'a [(&'a str, &'a str)],
    /// A body of JSON.
    pub json: Option<&'a [u8]>,
}

impl<'a> Request<'a> {
    /// A request without a body.
    pub const fn get(target: &'a str, host: &'a str) -> Self {
        Request {
            method: "GET",
            target,
            host,
            authorization: None,
            last_event_id: &[],
            fields: &[],
            json: None,
        }
    }

    /// A request with a body of JSON.
    pub const fn post(target: &'a str, host: &'a str, json: &'a [u8]) -> Self {
        Request {
            method: "POST",
            json: Some(json),
            ..Request::get(target, host)
        }
    }

    /// The bytes of this request, in pieces.
    ///
    /// # Errors
    ///
    /// See [`RequestError`]; nothing is sent of a request that is refused.
    pub fn encode(&self) -> Result<EncodedRequest<'a>, RequestError> {
        let is_in_value = |byte: u8| !matches!(byte, CR | LF | 0);
        let is_in_target = |byte: u8| byte.is_ascii_graphic();
        check(self.method.as_bytes(), is_token, RequestError::Method)?;
        check(self.target.as_bytes(), is_in_target, RequestError::Target)?;
        check(self.host.as_bytes(), is_in_target, RequestError::Host)?;
        for value in [
            self.authorization.unwrap_or("-").as_bytes(),
            self.last_event_id,
        ] {
            if !value.iter().copied().all(is_in_value) {
                return Err(RequestError::Value);
            }
        }
        for (name, value) in self.fields {
            check(name.as_bytes(), is_token, RequestError::FieldName)?;
            if !value.bytes().all(is_in_value) {
                return Err(RequestError::Value);
            }
        }
        let digits = Digits::of(self.json.map_or(0, <[u8]>::len));
        Ok(EncodedRequest {
            request: *self,
            digits,
            next: 0,
        })
    }
}

/// Shows no values: they hold secrets.
impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("host", &self.host)
            .field("fields", &self.fields.len())
            .field("json_len", &self.json.map(<[u8]>::len))
            .finish_non_exhaustive()
    }
}

/// RFC 9110's `tchar`.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn check(
    text: &[u8],
    is_allowed: impl Fn(u8) -> bool,
    error: RequestError,
) -> Result<(), RequestError> {
    let is_good = !text.is_empty() && text.iter().copied().all(is_allowed);
    if is_good { Ok(()) } else { Err(error) }
}

/// A request in pieces, in their order; none is copied.
#[derive(Clone, Copy)]
pub struct EncodedRequest<'a> {
    request: Request<'a>,
    digits: Digits,
    /// Index of the next piece, empty ones included.
    next: usize,
}

/// Pieces before the caller's own fields, of which each has four.
const FIXED: usize = 16;

impl EncodedRequest<'_> {
    /// The next piece, or `None` after the last one.
    pub fn next_piece(&mut self) -> Option<&[u8]> {
        // Pieces that this request has not are empty, and passed over.
        while self.piece(self.next).is_some_and(<[u8]>::is_empty) {
            self.next += 1;
        }
        self.next += 1;
        self.piece(self.next - 1)
    }

    /// Bytes that are left to be sent.
    pub fn byte_len(mut self) -> usize {
        let mut len = 0_usize;
        while let Some(piece) = self.next_piece() {
            len = len.saturating_add(piece.len());
        }
        len
    }

    /// Writes what is left into `out` and returns how many bytes that is.
    ///
    /// # Errors
    ///
    /// Where `out` is too short, nothing is written; the error says the length.
    pub fn write_to(mut self, out: &mut [u8]) -> Result<usize, RequestError> {
        let (wanted, given) = (self.byte_len(), out.len());
        let too_short = RequestError::OutputTooShort { wanted, given };
        let out = out.get_mut(..wanted).ok_or(too_short)?;
        let mut places = out.iter_mut();
        while let Some(piece) = self.next_piece() {
            for (byte, place) in piece.iter().zip(&mut places) {
                *place = *byte;
            }
        }
        Ok(wanted)
    }

    fn piece(&self, index: usize) -> Option<&[u8]> {
        let Request {
            method,
            target,
            host,
            authorization,
            last_event_id,
            fields,
            json,
        } = &self.request;
        let if_some = |is_there: bool, text: &'static [u8]| if is_there { text } else { b"" };
        let has_id = !last_event_id.is_empty();
        Some(match index {
            0 => method.as_bytes(),
            1 => b" ",
            2 => target.as_bytes(),
            3 => b" HTTP/1.1\r\nHost: ",
            4 => host.as_bytes(),
            5 => {
                b"\r\nAccept: text/event-stream\r\nAccept-Encoding: identity\r\n\
                   Cache-Control: no-cache\r\n"
            }
            6 => if_some(authorization.is_some(), b"Authorization: "),
            7 => authorization.unwrap_or_default().as_bytes(),
            8 => if_some(authorization.is_some(), b"\r\n"),
            9 => if_some(has_id, b"Last-Event-ID: "),
            10 => last_event_id,
            11 => if_some(has_id, b"\r\n"),
            12 => if_some(
                json.is_some(),
                b"Content-Type: application/json\r\nContent-Length: ",
            ),
            13 => json.map_or(&[], |_| self.digits.as_bytes()),
            14 => if_some(json.is_some(), b"\r\n"),
            15 => b"",
            _ => return self.piece_of_fields(fields, *json, index - FIXED),
        })
    }

    fn piece_of_fields<'b>(
        &self,
        fields: &'b [(&str, &str)],
        json: Option<&'b [u8]>,
        index: usize,
    ) -> Option<&'b [u8]> {
        let (field, part) = (index / 4, index % 4);
        if let Some((name, value)) = fields.get(field) {
            return Some(match part {
                0 => name.as_bytes(),
                1 => b": ",
                2 => value.as_bytes(),
                _ => b"\r\n",
            });
        }
        match (field - fields.len(), part) {
            (0, 0) => Some(b"\r\n"),
            (0, 1) => Some(json.unwrap_or_default()),
            _ => None,
        }
    }
}

/// Shows no values: they hold secrets.
impl fmt::Debug for EncodedRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EncodedRequest({} bytes left)", self.byte_len())
    }
}

/// A length in base ten.
#[derive(Debug, Clone, Copy)]
struct Digits {
    bytes: [u8; 20],
    /// Index of the first digit; <= 19
    start: u8,
}

impl Digits {
    fn of(mut number: usize) -> Self {
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

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum RequestError {
    /// The method is no token.
    Method,
    /// The target is empty, or has a space or a byte that is not ASCII.
    Target,
    /// The host is empty, or has a space or a byte that is not ASCII.
    Host,
    /// The name of a field is no token.
    FieldName,
    /// A value has a CR, an LF or a NUL.
    Value,
    /// The output slice is too short.
    OutputTooShort {
        /// Bytes of the request.
        wanted: usize,
        /// Bytes of the slice.
        given: usize,
    },
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RequestError::Method => "the method is not a token",
            RequestError::Target => "the target is empty or has a byte that cannot be in one",
            RequestError::Host => "the host is empty or has a byte that cannot be in one",
            RequestError::FieldName => "the name of a field is not a token",
            RequestError::Value => "a value has a CR, LF or NUL",
            RequestError::OutputTooShort { wanted, given } => {
                return write!(
                    f,
                    "the request has {wanted} bytes, the output room for {given}"
                );
            }
        })
    }
}

impl core::error::Error for RequestError {}
