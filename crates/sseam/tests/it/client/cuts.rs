//! A body that breaks off at each of its bytes, framing included: what was whole
//! is given, and what was not is never taken for a good end.

use sseam::client::{ClientError, Request};
use sseam::llm::TransportEnd;
use sseam_testkit::server::{Answer, End, Framing, Script, Server};

use super::setup::{Run, read};

/// Bytes of a body as they are sent, each with whether it is data.
struct Body(Vec<(u8, bool)>);

impl Body {
    fn chunked(chunks: &[&str]) -> Body {
        let mut bytes = Vec::new();
        for chunk in chunks {
            let size = format!("{:x}\r\n", chunk.len());
            bytes.extend(size.bytes().map(|byte| (byte, false)));
            bytes.extend(chunk.bytes().map(|byte| (byte, true)));
            bytes.extend(b"\r\n".map(|byte| (byte, false)));
        }
        bytes.extend(b"0\r\n\r\n".map(|byte| (byte, false)));
        Body(bytes)
    }

    fn sent(&self, len: usize) -> Vec<u8> {
        self.0[..len].iter().map(|(byte, _)| *byte).collect()
    }

    /// The events that are whole in the first `len` bytes.
    fn events(&self, len: usize) -> usize {
        let data = self.0[..len].iter().filter(|(_, is_data)| *is_data);
        let data: Vec<u8> = data.map(|(byte, _)| *byte).collect();
        events(&data)
    }
}

/// Events whose blank line is there; the comment is none.
fn events(data: &[u8]) -> usize {
    let blank_lines = data.windows(2).filter(|pair| *pair == b"\n\n").count();
    let comments = data.windows(5).filter(|line| *line == b": x\n\n").count();
    blank_lines - comments
}

const CHUNKS: [&str; 5] = [
    "data: a\n\n",
    "dat",
    "a: b\n\ndata: c\n",
    "\n",
    ": x\n\ndata: d\n\n",
];

fn answer(framing: &str, sent: Vec<u8>, end: End) -> Answer {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n{framing}\r\n");
    let raw = Answer {
        raw_head: Some(head),
        ..Answer::stream()
    };
    raw.framing(Framing::None).send(sent).end(end)
}

fn get(server: &Server) -> Run {
    let request = Request::get(server.url("/"));
    #[cfg(feature = "client-rustls")]
    let request = match server.certificate_pem() {
        Some(pem) => request.root_certificates(pem),
        None => request,
    };
    read(&mut request.open().expect("a request"), usize::MAX)
}

fn transport(run: &Run) -> Option<TransportEnd> {
    match &run.error {
        Some(ClientError::Truncated(truncated)) => Some(truncated.transport),
        None => None,
        other => panic!("{other:?}"),
    }
}

/// Plays all answers in one server, since a server for each takes longer.
fn check(answers: Vec<(Answer, usize, Option<TransportEnd>)>, has_tls: bool) {
    let script = Script::new(answers.iter().map(|(answer, ..)| answer.clone()).collect());
    let server = if has_tls {
        script.tls().start()
    } else {
        script.start()
    };
    for (index, (_, events, end)) in answers.iter().enumerate() {
        let run = get(&server);
        assert_eq!(
            (run.data.len(), transport(&run)),
            (*events, *end),
            "{index}: {run:?}"
        );
    }
}

#[test]
fn a_chunked_body() {
    let body = Body::chunked(&CHUNKS);
    let whole = body.0.len();
    for end in [End::Cut, End::Rst] {
        let fault = if end == End::Rst {
            TransportEnd::Reset
        } else {
            TransportEnd::Cut
        };
        let cut_at = |len: usize| {
            // "0\r\n" says that all is there; the line end after it does not matter.
            let is_whole = len + 2 >= whole;
            let answer = answer("transfer-encoding: chunked\r\n", body.sent(len), end);
            (answer, body.events(len), (!is_whole).then_some(fault))
        };
        check(cuts(whole).map(cut_at).collect(), false);
    }
}

/// Where a body of so many bytes is cut: everywhere but within its last line end,
/// half of which ureq takes for a cut or not, as the connection ends.
fn cuts(whole: usize) -> impl Iterator<Item = usize> {
    (0..=whole).filter(move |len| len + 1 != whole)
}

#[test]
fn a_body_with_a_length() {
    let text = CHUNKS.concat();
    for end in [End::Cut, End::Rst] {
        let fault = if end == End::Rst {
            TransportEnd::Reset
        } else {
            TransportEnd::Cut
        };
        let cut_at = |len: usize| {
            let framing = format!("content-length: {}\r\n", text.len());
            let sent = text.as_bytes()[..len].to_vec();
            let (events, is_cut) = (events(&sent), len < text.len());
            (answer(&framing, sent, end), events, is_cut.then_some(fault))
        };
        check((0..=text.len()).map(cut_at).collect(), false);
    }
}

#[cfg(feature = "client-rustls")]
#[test]
fn a_chunked_body_over_tls() {
    let body = Body::chunked(&CHUNKS);
    let whole = body.0.len();
    let cut_at = |len: usize| {
        let is_whole = len + 2 >= whole;
        let answer = answer("transfer-encoding: chunked\r\n", body.sent(len), End::Cut);
        (
            answer,
            body.events(len),
            (!is_whole).then_some(TransportEnd::Cut),
        )
    };
    check(cuts(whole).map(cut_at).collect(), true);
}

/// Whatever stands where a chunk's length should: what came before it is given.
#[test]
fn framing_that_is_none() {
    for garbage in [
        "zz\r\n",
        "-1\r\n",
        "\r\n",
        "12345678901234567890\r\n",
        "5;\r\n",
        "1\r\nab",
    ] {
        for chunks in 1..=CHUNKS.len() {
            let body = Body::chunked(&CHUNKS[..chunks]);
            let len = body.0.len() - 5;
            let mut sent = body.sent(len);
            sent.extend(garbage.bytes());
            let answer = answer("transfer-encoding: chunked\r\n", sent, End::Hold);
            let server = Server::start(vec![answer]);
            let request = Request::get(server.url("/")).idle_timeout(super::setup::millis(100));
            let run = read(&mut request.open().expect("a request"), usize::MAX);
            assert_eq!(
                run.data.len(),
                body.events(len),
                "{garbage:?} after {chunks}: {run:?}"
            );
            assert!(run.error.is_some());
        }
    }
}
