//! Heads, bodies, requests: cut at every byte.

use embedded_io::{Error as _, ErrorKind, Read};
use sseam_core::Limits;
use sseam_embedded_io::{
    BodyError, ChunkedDecoder, ChunkedError, EventReader, Framing, HeadDecoder, HeadError,
    NotEventStream, Request, RequestError, Response, ResponseError, ResponseHead,
};
use sseam_testkit::cases;

use crate::transport::{Act, Script};

/// Decodes a body that comes in portions of `len` bytes.
fn dechunked(bytes: &[u8], len: usize) -> Result<(Vec<u8>, bool), ChunkedError> {
    let (mut decoder, mut body) = (ChunkedDecoder::new(), Vec::new());
    for mut input in bytes.chunks(len) {
        while let Some(piece) = decoder.next_piece(&mut input)? {
            assert!(!piece.is_empty());
            body.extend_from_slice(piece);
        }
    }
    Ok((body, decoder.is_done()))
}

/// The same body for every portion, through the decoder and in place.
#[track_caller]
fn check_body(bytes: &[u8], expected: &[u8]) {
    for len in 1..=bytes.len() {
        assert_eq!(
            dechunked(bytes, len),
            Ok((expected.to_vec(), true)),
            "portions of {len}"
        );
        let (mut framing, mut body) = (Framing::CHUNKED, Vec::new());
        for chunk in bytes.chunks(len) {
            let mut buffer = chunk.to_vec();
            let stripped = framing.strip(&mut buffer, len).unwrap();
            body.extend_from_slice(&buffer[..stripped]);
        }
        assert_eq!(
            (body.as_slice(), framing.is_done()),
            (expected, true),
            "in place, {len}"
        );
    }
}

#[track_caller]
fn check_refused(bytes: &[u8], expected: ChunkedError) {
    for len in 1..=bytes.len() {
        assert_eq!(dechunked(bytes, len), Err(expected), "portions of {len}");
    }
}

#[test]
fn chunks() {
    check_body(b"0\r\n\r\n", b"");
    check_body(b"3\r\nabc\r\n0\r\n\r\n", b"abc");
    check_body(
        b"003\r\nabc\r\nA\r\n0123456789\r\na\r\n0123456789\r\n000\r\n\r\n",
        b"abc01234567890123456789",
    );
    check_body(
        b"2 ; x=\"y;z\"\r\nok\r\n1;\r\n!\r\n0;last\r\nA: b\r\nC:\r\n\r\n",
        b"ok!",
    );
    check_body(b"2\r\n\r\n\r\n0\r\n\r\n", b"\r\n");
    // What follows the body is not of it.
    let mut input: &[u8] = b"1\r\nx\r\n0\r\n\r\nHTTP/1.1";
    let mut decoder = ChunkedDecoder::new();
    assert_eq!(decoder.next_piece(&mut input), Ok(Some(&b"x"[..])));
    assert_eq!(decoder.next_piece(&mut input), Ok(None));
    assert_eq!((decoder.is_done(), input), (true, &b"HTTP/1.1"[..]));
}

#[test]
fn bad_chunks_are_refused_and_stay_so() {
    check_refused(b"\r\n", ChunkedError::Size);
    check_refused(b"g\r\n", ChunkedError::Size);
    check_refused(b"-1\r\n", ChunkedError::Size);
    check_refused(b"0x1\r\n", ChunkedError::Size);
    check_refused(b"1\nx", ChunkedError::Size);
    check_refused(b"10000000000000000\r\n", ChunkedError::SizeTooLarge);
    check_refused(b"1\rx", ChunkedError::LineEnd);
    check_refused(b"1;e\nx", ChunkedError::LineEnd);
    check_refused(b"1\r\nxy", ChunkedError::LineEnd);
    check_refused(b"1\r\nx\rz", ChunkedError::LineEnd);
    check_refused(b"0\r\n\r!", ChunkedError::LineEnd);
    check_refused(b"0\r\na: b\n", ChunkedError::LineEnd);
    let mut decoder = ChunkedDecoder::new();
    assert_eq!(decoder.next_piece(&mut &b"g"[..]), Err(ChunkedError::Size));
    assert_eq!(
        decoder.next_piece(&mut &b"1\r\nx"[..]),
        Err(ChunkedError::Size)
    );
}

#[test]
fn the_largest_size_passes_and_endless_extensions_do_not() {
    let mut decoder = ChunkedDecoder::new();
    let mut input: &[u8] = b"ffffffffffffffff\r\nabc";
    assert_eq!(decoder.next_piece(&mut input), Ok(Some(&b"abc"[..])));
    let max = 16 * 1024;
    let extension = |len: usize| [b"1;", &vec![b'x'; len - 1][..], b"\r\nA\r\n0\r\n\r\n"].concat();
    // The semicolon ends the digits and is none of the bytes counted.
    assert_eq!(
        dechunked(&extension(max + 1), 1000),
        Ok((b"A".to_vec(), true))
    );
    assert_eq!(
        dechunked(&extension(max + 2), 1000),
        Err(ChunkedError::TooMuchIgnored)
    );
}

/// E05: a chunk larger than the buffer.
#[test]
fn a_chunk_may_be_larger_than_any_buffer() {
    let data = "x".repeat(16 * 1024);
    let body = format!("data: {data}\n\n");
    let wire = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\
         Content-Length: 0\r\n\r\n{:x};a=b\r\n{body}\r\n0\r\nt: 1\r\n\r\n",
        body.len()
    );
    let limits = Limits {
        data_len_max: 16 * 1024,
        ..Limits::SMALL
    };
    let response = Response::new(wire.as_bytes(), [0; 64]);
    let mut reader = EventReader::new(
        response,
        [0; 256],
        vec![0; limits.memory_len()].leak(),
        limits,
    )
    .unwrap();
    assert_eq!(reader.next_event().unwrap().unwrap().data(), data.as_str());
    assert!(reader.next_event().unwrap().is_none());
}

/// E04 and E05: chunk sizes, extensions and trailers are not in the data.
#[test]
fn framing_is_not_data() {
    for (id, data) in [("E04", "hi"), ("E05", "abcdefghijklmnopqr")] {
        let case = cases::layer("embedded").find(|case| case.id == id).unwrap();
        let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
            transfer-encoding: chunked\r\n\r\n";
        let wire = [&head[..], &case.streams()[0]].concat();
        for len in 1..wire.len() {
            let script = Script::chunks(&wire.chunks(len).collect::<Vec<_>>());
            let response = Response::new(script, [0; 32]);
            let mut reader = EventReader::new(response, [0; 7], [0; 832], Limits::SMALL).unwrap();
            assert_eq!(
                reader.next_event().unwrap().unwrap().data(),
                data,
                "{id}, {len}"
            );
            assert!(reader.next_event().unwrap().is_none());
        }
    }
}

fn head(text: &str) -> Result<Option<ResponseHead>, HeadError> {
    let whole = HeadDecoder::new(4096).decode(&mut text.as_bytes());
    let mut decoder = HeadDecoder::new(4096);
    let mut last = Ok(None);
    for byte in text.as_bytes().chunks(1) {
        last = decoder.decode(&mut &byte[..]);
    }
    assert_eq!(last, whole, "byte by byte");
    whole
}

#[test]
fn heads() {
    let get = |text: &str| head(text).unwrap().unwrap();
    let ok = get("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
    assert!(ok.check().is_ok() && ok.framing() == Framing::UntilClose);
    assert!(
        get("HTTP/1.0 200\nCONTENT-TYPE:Text/Event-Stream ; charset=utf-8\n\n")
            .check()
            .is_ok()
    );
    let interim = get("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 204 No\r\n\r\n");
    assert_eq!(interim.check(), Err(NotEventStream::Status(204)));
    let html = get("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
    assert_eq!(html.check(), Err(NotEventStream::ContentType));
    let type_alike = get("HTTP/1.1 200 OK\r\nContent-Type: text/event-streams\r\n\r\n");
    assert_eq!(type_alike.check(), Err(NotEventStream::ContentType));
    let packed =
        get("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n");
    assert_eq!(packed.check(), Err(NotEventStream::Encoded));
    let plain = get(
        "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nTransfer-Encoding: , chunked\r\n\r\n",
    );
    assert!(!plain.is_encoded && plain.framing() == Framing::CHUNKED);
    assert!(get("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n").is_encoded);
    assert!(
        get("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n")
            .is_encoded
    );
    let busy = get("HTTP/1.1 429 Too Many\r\nRetry-After: 30\r\nContent-Length: 2\r\n\r\n{}");
    assert_eq!(
        (busy.retry_after, busy.framing()),
        (Some(30), Framing::Length(2))
    );
    // E13: a length of 0 is no end.
    let zero = get("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(zero.framing(), Framing::UntilClose);
    let long = format!("HTTP/1.1 200 OK\r\nSet-Cookie: {}\r\n\r\n", "x".repeat(500));
    assert_eq!(get(&long).status, 200);
}

#[test]
fn bad_heads_are_refused() {
    assert_eq!(head("HTTP/2 200\r\n"), Err(HeadError::StatusLine));
    assert_eq!(head("data: x\n"), Err(HeadError::StatusLine));
    assert_eq!(head("HTTP/1.1 099 x\n"), Err(HeadError::StatusLine));
    assert_eq!(head("HTTP/1.1 2000\n"), Err(HeadError::StatusLine));
    assert_eq!(head("HTTP/1.1 200 OK\n folded: x\n"), Err(HeadError::Field));
    assert_eq!(head("HTTP/1.1 200 OK\nno colon\n"), Err(HeadError::Field));
    assert_eq!(
        head("HTTP/1.1 200 OK\nContent-Length: 1x\n"),
        Err(HeadError::ContentLength)
    );
    assert_eq!(
        head("HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\n"),
        Err(HeadError::ContentLength)
    );
    let long = format!("HTTP/1.1 200 OK\nTransfer-Encoding: {}\n", "x".repeat(90));
    assert_eq!(head(&long), Err(HeadError::Field));
    assert_eq!(head("HTTP/1.1 200 OK\r\n"), Ok(None));
    let fits = "HTTP/1.1 200 OK\n\n";
    let decode = |max: usize| HeadDecoder::new(max as u32).decode(&mut fits.as_bytes());
    assert!(decode(fits.len()).unwrap().is_some());
    assert_eq!(decode(fits.len() - 1), Err(HeadError::TooLong));
}

#[test]
fn a_body_that_is_cut_is_told() {
    let whole = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
    for len in 1..whole.len() {
        let mut response = Response::new(&whole.as_bytes()[..len], [0; 8]);
        let mut room = [0; 64];
        let error = loop {
            match response.read(&mut room) {
                Ok(0) => panic!("cut at {len} looks whole"),
                Ok(_) => {}
                Err(error) => break error,
            }
        };
        assert_eq!(error, ResponseError::Body(BodyError::Cut));
        assert_eq!(error.kind(), ErrorKind::ConnectionAborted);
    }
    let counted = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab";
    let mut response = Response::new(&counted[..], [0; 64]);
    assert_eq!(response.read(&mut [0; 9]), Ok(2));
    assert_eq!(
        response.read(&mut [0; 9]),
        Err(ResponseError::Body(BodyError::Cut))
    );
    let until_close = b"HTTP/1.1 200 OK\r\n\r\nab";
    let mut response = Response::new(&until_close[..], [0; 64]);
    assert_eq!(
        (response.read(&mut [0; 1]), response.read(&mut [0; 9])),
        (Ok(1), Ok(1))
    );
    assert_eq!(response.read(&mut [0; 9]), Ok(0));
}

#[test]
fn a_body_with_a_length_ends_with_it() {
    let wire = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK";
    let mut response = Response::new(&wire[..], [0; 8]);
    let (mut body, mut room) = (Vec::new(), [0; 2]);
    while let Ok(len @ 1..) = response.read(&mut room) {
        body.extend_from_slice(&room[..len]);
    }
    assert_eq!(body, b"abc");
}

#[test]
fn an_answer_that_is_no_stream_can_still_be_shown() {
    let wire = b"HTTP/1.1 401 No\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    let mut response = Response::new(&wire[..], [0; 64]);
    let error = response.event_stream().unwrap_err();
    assert_eq!(
        error,
        ResponseError::NotEventStream(NotEventStream::Status(401))
    );
    let mut room = [0; 9];
    assert_eq!((response.read(&mut room), &room[..2]), (Ok(2), &b"{}"[..]));
}

#[test]
fn a_transport_may_fail_in_a_head() {
    let acts = [
        Act::Give(b"HTTP/1.1 20".to_vec()),
        Act::Fail,
        Act::Give(b"0 OK\r\n\r\nx".to_vec()),
    ];
    let mut response = Response::new(Script::new(acts), [0; 64]);
    assert!(matches!(
        response.head(),
        Err(ResponseError::Body(BodyError::Source(_)))
    ));
    assert_eq!(response.head().unwrap().status, 200);
    assert_eq!(response.read(&mut [0; 4]), Ok(1));
}

#[test]
fn requests() {
    let request = Request {
        authorization: Some("Bearer s3cret"),
        last_event_id: "né".as_bytes(),
        fields: &[("X-Version", "2"), ("Accept-Language", "de")],
        ..Request::post("/v1/chat?x=1", "api.example:8080", b"{\"stream\":true}")
    };
    let encoded = request.encode().unwrap();
    let mut out = [0; 512];
    let len = encoded.write_to(&mut out).unwrap();
    assert_eq!(
        std::str::from_utf8(&out[..len]).unwrap(),
        "POST /v1/chat?x=1 HTTP/1.1\r\nHost: api.example:8080\r\nAccept: text/event-stream\r\n\
         Accept-Encoding: identity\r\nCache-Control: no-cache\r\nAuthorization: Bearer s3cret\r\n\
         Last-Event-ID: né\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\
         X-Version: 2\r\nAccept-Language: de\r\n\r\n{\"stream\":true}"
    );
    let too_short = RequestError::OutputTooShort {
        wanted: len,
        given: len - 1,
    };
    assert_eq!(encoded.write_to(&mut vec![0; len - 1]), Err(too_short));
    let shown = format!("{request:?} {encoded:?}");
    assert!(!shown.contains("s3cret") && !shown.contains("stream"));
}

#[test]
fn nothing_is_injected_into_a_request() {
    let refused = |request: Request<'_>| request.encode().unwrap_err();
    for bad in ["a\r\nb: c", "a\nb", "a\rb", "a\0b"] {
        let good = Request::get("/", "h");
        assert_eq!(
            refused(Request {
                authorization: Some(bad),
                ..good
            }),
            RequestError::Value
        );
        assert_eq!(
            refused(Request {
                last_event_id: bad.as_bytes(),
                ..good
            }),
            RequestError::Value
        );
        assert_eq!(
            refused(Request {
                fields: &[("a", bad)],
                ..good
            }),
            RequestError::Value
        );
        assert_eq!(
            refused(Request {
                fields: &[(bad, "a")],
                ..good
            }),
            RequestError::FieldName
        );
        assert_eq!(
            refused(Request {
                target: bad,
                ..good
            }),
            RequestError::Target
        );
        assert_eq!(refused(Request { host: bad, ..good }), RequestError::Host);
        assert_eq!(
            refused(Request {
                method: bad,
                ..good
            }),
            RequestError::Method
        );
    }
    assert_eq!(refused(Request::get("/a b", "h")), RequestError::Target);
    assert_eq!(refused(Request::get("", "h")), RequestError::Target);
    assert_eq!(
        refused(Request {
            fields: &[("a:", "b")],
            ..Request::get("/", "h")
        }),
        RequestError::FieldName
    );
}
