//! The scripted server over TLS, seen by rustls.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use sseam_testkit::server::{Answer, End, Script, Server};

#[test]
fn an_end_without_close_notify_can_be_told_from_one_with() {
    for (end, is_told) in [
        (End::Clean, true),
        (End::TruncateChunked, true),
        (End::Cut, false),
    ] {
        let answer = Answer::stream().send("data: a\n\n").end(end);
        let server = Script::new(vec![answer]).tls().start();
        let mut client = connect(&server);
        let mut response = Vec::new();
        let result = client
            .read_to_end(&mut response)
            .map_err(|error| error.kind());
        let text = String::from_utf8(response).unwrap();
        assert!(text.contains("data: a\n\n"), "{end:?}: {text}");
        let expected = if is_told {
            None
        } else {
            Some(ErrorKind::UnexpectedEof)
        };
        assert_eq!(result.err(), expected, "{end:?}");
    }
}

#[test]
fn a_close_is_seen_over_tls_too() {
    let answer = Answer::stream().send("data: a\n\n").end(End::Hold);
    let server = Script::new(vec![answer]).tls().start();
    assert!(server.url("/x").starts_with("https://127.0.0.1:"));
    let mut client = connect(&server);
    let len = client.read(&mut [0; 64]).unwrap();
    assert_ne!(len, 0);
    assert_eq!(server.connections()[0].closed, None);
    drop(client);
    let closed = server.wait_for_close(0, Duration::from_secs(5));
    assert!(closed.is_some());
}

fn connect(server: &Server) -> StreamOwned<ClientConnection, TcpStream> {
    let pem = server.certificate_pem().expect("it speaks TLS");
    let mut roots = RootCertStore::empty();
    let certificate = CertificateDer::from_pem_slice(pem.as_bytes()).unwrap();
    roots.add(certificate).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "127.0.0.1".try_into().unwrap();
    let connection = ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = TcpStream::connect(server.address()).unwrap();
    let mut client = StreamOwned::new(connection, stream);
    client
        .write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        .unwrap();
    client
}
