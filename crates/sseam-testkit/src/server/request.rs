//! Bytes to a request.

use std::io::{self, Read, Write};

use super::record::Request;

/// Reads a request; `None` if the peer closed before its first byte.
pub(crate) fn read(stream: &mut (impl Read + Write)) -> io::Result<Option<Request>> {
    let mut bytes = Vec::new();
    let (mut request, head_len) = loop {
        let mut buffer = [0; 4096];
        let len = stream.read(&mut buffer)?;
        if len == 0 && bytes.is_empty() {
            return Ok(None);
        }
        if len == 0 || bytes.len() > HEAD_LEN_MAX {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&buffer[..len]);
        if let Some(parsed) = head(&bytes)? {
            break parsed;
        }
    };
    if request.header("expect") == Some("100-continue") {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let mut body = bytes.split_off(head_len);
    let body_len = request.header("content-length");
    let body_len = body_len.and_then(|len| len.parse().ok()).unwrap_or(0);
    let there = body.len();
    body.resize(body_len, 0);
    if there < body_len {
        stream.read_exact(&mut body[there..])?;
    }
    request.body = body;
    Ok(Some(request))
}

/// The request without its body, and the length of its head, if that is whole.
fn head(bytes: &[u8]) -> io::Result<Option<(Request, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut parsed = httparse::Request::new(&mut headers);
    let status = parsed.parse(bytes);
    let status = status.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let httparse::Status::Complete(len) = status else {
        return Ok(None);
    };
    let header = |header: &httparse::Header<'_>| {
        let value = String::from_utf8_lossy(header.value).into_owned();
        (header.name.to_ascii_lowercase(), value)
    };
    let request = Request {
        method: parsed.method.unwrap_or("").to_owned(),
        target: parsed.path.unwrap_or("").to_owned(),
        headers: parsed.headers.iter().map(header).collect(),
        body: Vec::new(),
    };
    Ok(Some((request, len)))
}

/// No test sends more.
const HEAD_LEN_MAX: usize = 1 << 20;
