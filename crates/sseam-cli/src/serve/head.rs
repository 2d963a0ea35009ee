//! Bytes of a connection to a request.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use sseam_embedded_io::ChunkedDecoder;

/// What a client asked.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path and query, or what stands in their place.
    pub(crate) target: String,
    /// In order, with their names as they came.
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
    /// Whether the client understands chunks.
    pub(crate) is_http_11: bool,
}

impl Request {
    /// The first value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&[u8]> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_slice())
    }

    /// The path without the query, in which keys are.
    pub(crate) fn path(&self) -> &str {
        let end = self.target.find(['?', '#']).unwrap_or(self.target.len());
        self.target.get(..end).unwrap_or("")
    }
}

/// Reads a request and its body; `None` if the client closed before its first
/// byte.
///
/// # Errors
///
/// Those of the connection; [`io::ErrorKind::InvalidData`] for what is no HTTP or
/// too long.
pub(crate) fn read(stream: &mut TcpStream) -> io::Result<Option<Request>> {
    let mut bytes = Vec::new();
    let (mut request, head_len) = loop {
        if fill(stream, &mut bytes)? == 0 {
            return match bytes.is_empty() {
                true => Ok(None),
                false => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        match parsed(&bytes)? {
            Some(parsed) => break parsed,
            None if bytes.len() > HEAD_LEN_MAX => return Err(invalid("the head is too long")),
            None => {}
        }
    };
    let is_waiting = request
        .header("expect")
        .is_some_and(|value| value.eq_ignore_ascii_case(b"100-continue"));
    if is_waiting {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let rest = bytes.split_off(head_len);
    request.body = body(stream, &request, rest)?;
    Ok(Some(request))
}

/// Reads what there is to the end of `bytes`.
fn fill(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let mut buffer = [0; 4096];
    let len = stream.read(&mut buffer)?;
    bytes.extend_from_slice(buffer.get(..len).unwrap_or_default());
    Ok(len)
}

/// The request without its body, and the length of its head, once it is whole.
fn parsed(bytes: &[u8]) -> io::Result<Option<(Request, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut parsed = httparse::Request::new(&mut headers);
    let status = parsed
        .parse(bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let httparse::Status::Complete(len) = status else {
        return Ok(None);
    };
    let header = |header: &httparse::Header<'_>| (header.name.to_owned(), header.value.to_vec());
    let request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        target: parsed.path.unwrap_or_default().to_owned(),
        headers: parsed.headers.iter().map(header).collect(),
        body: Vec::new(),
        is_http_11: parsed.version == Some(1),
    };
    Ok(Some((request, len)))
}

/// Reads the body, of which `bytes` have come already.
fn body(stream: &mut TcpStream, request: &Request, mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let too_long = || invalid("the body is too long");
    if let Some(coding) = request.header("transfer-encoding") {
        return match coding.eq_ignore_ascii_case(b"chunked") {
            true => chunked(stream, bytes),
            false => Err(invalid("the transfer coding is not known")),
        };
    }
    let len = match request.header("content-length") {
        None => 0,
        Some(digits) => {
            let digits = std::str::from_utf8(digits).ok();
            let len = digits.and_then(|digits| digits.trim().parse::<usize>().ok());
            len.ok_or_else(|| invalid("the length of the body is no number"))?
        }
    };
    if len > BODY_LEN_MAX {
        return Err(too_long());
    }
    while bytes.len() < len {
        if fill(stream, &mut bytes)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    bytes.truncate(len);
    Ok(bytes)
}

fn chunked(stream: &mut TcpStream, mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let (mut decoder, mut body) = (ChunkedDecoder::new(), Vec::new());
    loop {
        let mut input = bytes.as_slice();
        while let Some(piece) = decoder.next_piece(&mut input).map_err(invalid)? {
            body.extend_from_slice(piece);
        }
        if body.len() > BODY_LEN_MAX {
            return Err(invalid("the body is too long"));
        }
        if decoder.is_done() {
            return Ok(body);
        }
        bytes.clear();
        if fill(stream, &mut bytes)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// Cookies of a browser are the longest that is known.
const HEAD_LEN_MAX: usize = 64 * 1024;

const HEADERS_MAX: usize = 128;

/// Prompts with pictures are some MB.
const BODY_LEN_MAX: usize = 256 << 20;
