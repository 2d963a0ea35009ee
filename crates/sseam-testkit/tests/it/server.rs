//! The scripted server, seen from a bare socket.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use sseam_testkit::cases;
use sseam_testkit::server::{Answer, End, Framing, Script, Server, SilentPort, Step};

#[test]
fn every_end_is_what_it_says() {
    let head = "HTTP/1.1 200 Scripted\r\ncontent-type: text/event-stream\r\n\
                transfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\n: a\n\n\r\n";
    for (end, tail, is_reset) in [
        (End::Clean, "0\r\n\r\n", false),
        (End::NoFinalCrlf, "0\r\n", false),
        (End::TruncateChunked, "", false),
        (End::Cut, "", false),
        (End::CutChunk, "40\r\ndata: cut", false),
        (End::BadChunk, "zz\r\n", false),
        (End::Rst, "", true),
    ] {
        let server = Server::start(vec![Answer::stream().send(": a\n\n").end(end)]);
        let (response, error) = exchange(&server, GET);
        assert_eq!(response, format!("{head}{tail}"), "{end:?}");
        let reset = error.map(|error| error.kind()) == Some(io::ErrorKind::ConnectionReset);
        assert_eq!(reset, is_reset, "{end:?}");
    }
}

#[test]
fn a_held_stream_ends_with_the_client() {
    for end in [End::Hold, End::Blackhole] {
        let server = Server::start(vec![Answer::stream().send("data: a\n\n").end(end)]);
        let mut client = connect(&server, GET);
        let _ = client.read(&mut [0; 16]).unwrap();
        client
            .set_read_timeout(Some(Duration::from_millis(500)))
            .unwrap();
        read_until(&mut client, "data: a\n\n\r\n");
        assert!(client.read(&mut [0; 16]).is_err(), "{end:?} keeps it open");
        assert_eq!(server.connections()[0].closed, None);
        let before = Instant::now();
        drop(client);
        let closed = server.wait_for_close(0, SOON).expect("the end is seen");
        assert!(closed.at - before < Duration::from_secs(1), "{end:?}");
        assert!(!closed.is_reset);
    }
}

#[test]
fn requests_are_recorded_whole() {
    let server = Server::start(vec![
        Answer::status(204)
            .expect("x-key", "k")
            .expect("cookie", ""),
    ]);
    let request = "POST /v1?q=1 HTTP/1.1\r\nHost: h\r\nX-Key: \u{e9}\r\nCookie: c\r\n\
                   Content-Length: 5\r\n\r\nhel";
    let mut client = connect(&server, request);
    std::thread::sleep(Duration::from_millis(50));
    client.write_all(b"lo").unwrap();
    let mut response = String::new();
    client.read_to_string(&mut response).unwrap();
    assert_eq!(
        response,
        "HTTP/1.1 204 Scripted\r\nconnection: close\r\n\r\n"
    );
    let [request] = &server.requests()[..] else {
        panic!("one request");
    };
    assert_eq!((&*request.method, &*request.target), ("POST", "/v1?q=1"));
    assert_eq!(request.header("X-KEY"), Some("\u{e9}"));
    assert_eq!(request.body, b"hello");
    assert_eq!(
        server.complaints(),
        [
            "request 0: cookie: \"c\", expected \"\"",
            "request 0: x-key: \"\u{e9}\", expected \"k\""
        ]
    );
}

#[test]
fn waits_are_kept_and_times_recorded() {
    let answer = Answer::stream()
        .send("data: a\n\n")
        .wait_ms(150)
        .send("data: b\n\n");
    let server = Server::start(vec![answer.framing(Framing::Close)]);
    let (response, _) = exchange(&server, GET);
    assert!(
        response.ends_with("\r\n\r\ndata: a\n\ndata: b\n\n"),
        "{response}"
    );
    assert!(!response.contains("transfer-encoding"));
    let connection = &server.connections()[0];
    let [a, b] = connection.sent[..] else {
        panic!("two steps");
    };
    assert!(b - a >= Duration::from_millis(150));
    assert!(connection.head_sent.is_some_and(|head| head <= a));
}

#[test]
fn after_the_script_comes_410_and_a_loop_begins_again() {
    let once = || vec![Answer::status(204)];
    let server = Server::start(once());
    let statuses = [exchange(&server, GET).0, exchange(&server, GET).0];
    assert!(statuses[0].starts_with("HTTP/1.1 204 "), "{statuses:?}");
    assert!(statuses[1].starts_with("HTTP/1.1 410 "), "{statuses:?}");
    let server = Script::new(once()).looping().start();
    for _ in 0..3 {
        assert!(exchange(&server, GET).0.starts_with("HTTP/1.1 204 "));
    }
    assert!(server.wait_for_requests(3, SOON));
}

#[test]
fn a_port_is_closed_until_it_is_opened() {
    let ok = || Answer::status(204);
    let script = vec![
        Answer::refuse(),
        ok(),
        Answer::refuse(),
        Answer::refuse(),
        ok(),
    ];
    let server = Server::start(script);
    for _ in 0..2 {
        for _ in 0..3 {
            let refused = || {
                let result = TcpStream::connect(server.address());
                result.is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
            };
            // The last listener is closed just after its last connection.
            let start = Instant::now();
            while !refused() {
                assert!(start.elapsed() < SOON);
            }
        }
        server.open();
        assert!(exchange(&server, GET).0.starts_with("HTTP/1.1 204 "));
    }
}

#[test]
fn a_silent_port_neither_accepts_nor_refuses() {
    let port = SilentPort::open().unwrap();
    let error = TcpStream::connect_timeout(&port.address(), Duration::from_millis(300));
    assert_eq!(error.unwrap_err().kind(), io::ErrorKind::TimedOut);
}

#[test]
fn silence_resets_and_unanswered_requests() {
    let script = vec![
        Answer::silent(),
        Answer::accept_only(),
        Answer {
            reset: true,
            ..Answer::default()
        },
    ];
    let server = Server::start(script);
    let short = Some(Duration::from_millis(100));
    for index in 0..2 {
        let mut client = connect(&server, GET);
        client.set_read_timeout(short).unwrap();
        let error = client.read(&mut [0; 16]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock, "{index}");
        client.shutdown(Shutdown::Both).unwrap();
        assert!(server.wait_for_close(index, SOON).is_some());
    }
    let error = exchange(&server, GET).1.expect("a reset");
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
}

#[test]
fn a_server_that_is_dropped_lets_go() {
    let server = Server::start(vec![Answer::stream().end(End::Hold)]);
    let address = server.address();
    let mut client = connect(&server, GET);
    read_until(&mut client, "\r\n\r\n");
    drop(server);
    let mut rest = Vec::new();
    let _ = client.read_to_end(&mut rest);
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn every_script_of_a_case_is_understood() {
    let scripts = cases::layer("client").filter_map(|case| Some((case, case.script()?)));
    let scripts: Vec<_> = scripts.collect();
    assert!(scripts.len() >= 26, "{}", scripts.len());
    for (case, answers) in &scripts {
        let _ = case.client();
        for answer in answers {
            let has_action = answer.refuse || answer.accept_only || answer.status >= 200;
            assert!(has_action, "{}", case.id);
        }
    }
    let of = |id| {
        scripts
            .iter()
            .find(|(case, _)| case.id == id)
            .expect("is there")
    };
    assert_eq!(of("C38").1.len(), 50);
    assert_eq!(of("C38").0.client().max_attempts, Some(None));
    assert_eq!(of("C10").0.client().max_attempts, Some(Some(5)));
    assert_eq!(of("C01").0.client().max_attempts, None);
    assert_eq!(of("C01").1[0].body[1], Step::Wait(Duration::from_secs(5)));
    assert_eq!(of("C24").1[1].expect_request["last-event-id"], "1");
}

/// Sends `request` and reads to the end; also what ended it, if not a FIN.
fn exchange(server: &Server, request: &str) -> (String, Option<io::Error>) {
    let mut client = connect(server, request);
    let mut response = Vec::new();
    let error = client.read_to_end(&mut response).err();
    (String::from_utf8(response).unwrap(), error)
}

fn connect(server: &Server, request: &str) -> TcpStream {
    let mut client = TcpStream::connect(server.address()).unwrap();
    client.set_read_timeout(Some(SOON)).unwrap();
    client.write_all(request.as_bytes()).unwrap();
    client
}

fn read_until(client: &mut TcpStream, end: &str) {
    let mut text = Vec::new();
    while !text.ends_with(end.as_bytes()) {
        let mut byte = [0];
        client.read_exact(&mut byte).unwrap();
        text.push(byte[0]);
    }
}

const GET: &str = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

const SOON: Duration = Duration::from_secs(5);
