//! The client behind a proxy that connects, refuses, or says nothing.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use sseam::client::{ClientError, ProxyError, Request};
use sseam::llm::Timeout;
use sseam_testkit::server::{Answer, End, Server};

use super::setup::{millis, read, run, timeout, took};

/// A proxy that answers `CONNECT` with `answer`, and then passes bytes on if that
/// is 200. It tells the heads that it read.
fn proxy(answer: &'static str) -> (SocketAddr, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let sender = sender.clone();
            thread::spawn(move || {
                let _ = connect(client, answer, &sender);
            });
        }
    });
    (address, receiver)
}

fn connect(mut client: TcpStream, answer: &str, heads: &mpsc::Sender<String>) -> io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        client.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let _ = heads.send(head);
    client.write_all(answer.as_bytes())?;
    if !answer.starts_with("HTTP/1.1 200") {
        // Until the client closes.
        return client.read(&mut [0]).map(drop);
    }
    let mut server = TcpStream::connect(target)?;
    let (mut up, mut down) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || {
        let _ = io::copy(&mut up, &mut down);
        let _ = down.shutdown(std::net::Shutdown::Both);
    });
    let _ = io::copy(&mut server, &mut client);
    client.shutdown(std::net::Shutdown::Both)
}

const CONNECTED: &str = "HTTP/1.1 200 Connected\r\n\r\n";

#[test]
fn a_stream_passes_through_it() {
    let (address, heads) = proxy(CONNECTED);
    let server = Server::start(vec![Answer::stream().send("data: a\n\n")]);
    let request = Request::get(server.url("/path")).header("Authorization", "secret");
    let run = run(request.proxy(format!("http://me:word@{address}")));
    assert_eq!(run.data, ["a"], "{run:?}");
    let head = heads.recv().expect("a head");
    assert!(
        head.starts_with(&format!("CONNECT {} HTTP/1.1\r\n", server.address())),
        "{head}"
    );
    assert!(
        head.contains("Proxy-Authorization: Basic bWU6d29yZA==\r\n"),
        "{head}"
    );
    // What is for the server is not for the proxy, and the other way round.
    assert!(!head.contains("secret"));
    assert!(server.requests()[0].header("proxy-authorization").is_none());
}

#[cfg(feature = "client-rustls")]
#[test]
fn so_does_tls() {
    let (address, heads) = proxy(CONNECTED);
    let answer = Answer::stream().send("data: a\n\n");
    let server = sseam_testkit::server::Script::new(vec![answer])
        .tls()
        .start();
    let pem = server.certificate_pem().expect("a certificate");
    let request = Request::get(server.url("/")).root_certificates(pem);
    assert_eq!(run(request.proxy(address.to_string())).data, ["a"]);
    assert!(heads.recv().is_ok());
}

#[test]
fn one_that_refuses() {
    for answer in [
        "HTTP/1.1 403 No\r\n\r\n",
        "HTTP/1.1 407 Who\r\n\r\n",
        "garbage\r\n\r\n",
    ] {
        let (address, _heads) = proxy(answer);
        let run = run(Request::get("http://127.0.0.1:9/").proxy(format!("http://{address}")));
        assert!(
            matches!(run.error, Some(ClientError::Proxy(ProxyError::Refused))),
            "{answer:?}: {run:?}"
        );
        assert_eq!(run.report.outcome.exit_code(), 40);
    }
}

#[test]
fn one_that_is_not_there_is_not_taken_for_the_host() {
    // The host answers whoever asks.
    let server = Server::start(vec![Answer::stream().send("data: a\n\n")]);
    let error = |proxy: &str| {
        let run = run(Request::get(server.url("/")).proxy(proxy));
        assert_eq!(run.report.outcome.exit_code(), 40);
        match run.error {
            Some(ClientError::Proxy(error)) => error,
            other => panic!("{proxy}: {other:?}"),
        }
    };
    let nobody = Server::start(vec![Answer::refuse()]);
    let refused = ProxyError::Connect(io::ErrorKind::ConnectionRefused);
    assert_eq!(error(&nobody.url("")), refused);
    assert_eq!(error("http://nowhere.invalid:80"), ProxyError::Resolve);
    #[cfg(feature = "client-rustls")]
    {
        let plain = sseam_testkit::server::Script::new(vec![Answer::stream()])
            .tls()
            .start();
        let error = error(&format!("https://{}", plain.address()));
        assert!(matches!(error, ProxyError::Tls(_)), "{error:?}");
    }
    assert!(server.requests().is_empty());
}

#[test]
fn what_fails_behind_it_is_not_taken_for_it() {
    let (address, _heads) = proxy(CONNECTED);
    let server = Server::start(vec![Answer {
        reset: true,
        ..Answer::stream()
    }]);
    let request = Request::get(server.url("/")).proxy(format!("http://{address}"));
    let error = run(request).error;
    assert!(
        matches!(error, Some(ClientError::Transport(_))),
        "{error:?}"
    );
    #[cfg(feature = "client-rustls")]
    {
        let answer = Answer::stream();
        let server = sseam_testkit::server::Script::new(vec![answer])
            .tls()
            .start();
        let request = Request::get(server.url("/")).proxy(format!("http://{address}"));
        let error = run(request).error;
        assert!(matches!(error, Some(ClientError::Tls(_))), "{error:?}");
    }
}

#[test]
fn one_that_says_nothing_is_a_connection_that_takes_too_long() {
    let (address, heads) = proxy("");
    let request = || Request::get("http://127.0.0.1:9/").proxy(format!("http://{address}"));
    let run = run(request().connect_timeout(millis(200)));
    assert_eq!(timeout(&run.error), Some(Timeout::Connect));
    took(run.elapsed, 200);
    assert!(heads.recv().is_ok());
    // A cancel ends that wait too.
    let mut source = request().open().expect("a request");
    let canceller = source.canceller();
    let thread = thread::spawn(move || (read(&mut source, 1).error, Instant::now()));
    assert!(heads.recv_timeout(Duration::from_secs(5)).is_ok());
    let start = Instant::now();
    canceller.cancel();
    let (error, end) = thread.join().expect("a cancel");
    assert!(matches!(error, Some(ClientError::Cancelled)));
    assert!(end.saturating_duration_since(start) < millis(100));
}

#[test]
fn a_cut_behind_it_is_a_cut() {
    let (address, _heads) = proxy(CONNECTED);
    let answer = Answer::stream()
        .send("data: a\n\n")
        .end(End::TruncateChunked);
    let server = Server::start(vec![answer]);
    let run = run(Request::get(server.url("/")).proxy(format!("http://{address}")));
    assert_eq!(run.data, ["a"]);
    assert!(matches!(run.error, Some(ClientError::Truncated(_))));
}
