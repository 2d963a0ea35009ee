//! The client over TLS: whom it trusts, and how such a connection ends.

use sseam::client::{ClientError, Request};
use sseam::llm::TransportEnd;
use sseam_testkit::server::{Answer, End, Framing, Script};

use super::setup::{run, transport};

#[test]
fn tls_that_ends_without_saying_so_is_cut() {
    for (framing, end, expected) in [
        (Framing::Close, End::Cut, Some(TransportEnd::Cut)),
        (Framing::Close, End::Clean, None),
        (Framing::Close, End::Rst, Some(TransportEnd::Reset)),
        (Framing::Chunked, End::Clean, None),
        (
            Framing::Chunked,
            End::TruncateChunked,
            Some(TransportEnd::Cut),
        ),
    ] {
        let answer = Answer::stream()
            .framing(framing)
            .send("data: a\n\n")
            .end(end);
        let server = Script::new(vec![answer]).tls().start();
        let pem = server.certificate_pem().expect("a certificate");
        let run = run(Request::get(server.url("/")).root_certificates(pem));
        assert_eq!(run.data, ["a"], "{framing:?} {end:?}: {run:?}");
        assert_eq!(transport(&run), expected, "{framing:?} {end:?}");
        assert_eq!(run.error.is_none(), expected.is_none(), "{run:?}");
    }
}

#[test]
fn tls_that_is_not_trusted_is_an_error_of_its_own() {
    let server = Script::new(vec![Answer::stream()]).tls().start();
    let run = run(Request::get(server.url("/")));
    let Some(ClientError::Tls(detail)) = &run.error else {
        panic!("{run:?}");
    };
    assert!(detail.contains("certificate"), "{detail}");
    assert_eq!(run.report.outcome.exit_code(), 40);
    assert!(server.requests().is_empty());
}
