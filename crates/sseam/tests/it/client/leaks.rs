//! What is left of sources that are gone: no socket, no thread, no memory.
//!
//! The whole process is counted, in `/proc`, so each test runs in a process of
//! its own.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use sseam::Delays;
use sseam::client::{ClientError, EventSource, Request};
use sseam_testkit::server::{Answer, End, Script, SilentPort};

use super::setup::{millis, read};

/// Runs a test of this file that is ignored otherwise, alone.
fn alone(name: &str) {
    let program = std::env::current_exe().expect("a test program");
    let name = format!("client::leaks::{name}");
    let arguments = ["--exact", &name, "--ignored", "--nocapture"];
    let output = Command::new(program)
        .args(arguments)
        .output()
        .expect("a process");
    let told = String::from_utf8_lossy(&output.stdout);
    print!("{told}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && told.contains("1 passed"),
        "{errors}"
    );
}

/// Open descriptors and threads of this process.
fn held() -> (usize, usize) {
    let count = |folder| fs::read_dir(folder).expect("/proc").count();
    (count("/proc/self/fd"), count("/proc/self/task"))
}

/// Waits until no more is held than before.
#[track_caller]
fn nothing_left(before: (usize, usize), name: &str) {
    let start = Instant::now();
    let is_more = |(files, threads)| files > before.0 || threads > before.1;
    while is_more(held()) && start.elapsed() < Duration::from_secs(5) {
        thread::sleep(millis(5));
    }
    let after = held();
    assert!(!is_more(after), "{name}: {after:?} after {before:?}");
}

/// Kilobytes of this process in memory.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("/proc");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .expect("a line");
    line.split_whitespace()
        .nth(1)
        .and_then(|word| word.parse().ok())
        .expect("a number")
}

#[test]
fn nothing_is_left_of_any_state() {
    alone("in_every_state");
}

#[test]
#[ignore = "counts the whole process: run by another test, alone"]
fn in_every_state() {
    for has_tls in [false, cfg!(feature = "client-rustls")] {
        for (name, answer) in [
            ("head", Answer::accept_only()),
            ("body", Answer::stream().send("data: a\n\n").end(End::Hold)),
            (
                "back-off",
                Answer::stream().send("retry: 60000\ndata: a\n\n"),
            ),
            ("fault", Answer::stream().send("data: a\n\n").end(End::Rst)),
            ("explanation", Answer::status(500).send("no").end(End::Hold)),
        ] {
            let before = held();
            let script = Script::new(vec![answer]).looping();
            let server = if has_tls {
                script.tls().start()
            } else {
                script.start()
            };
            let mut sources = Vec::new();
            for _ in 0..20 {
                let mut request = Request::get(server.url("/"))
                    .error_body_timeout(Duration::from_secs(9))
                    .reconnect(Delays::UNLIMITED);
                if let Some(pem) = server.certificate_pem() {
                    request = trusting(request, pem);
                }
                sources.push(cancelled_after(request, millis(8)));
            }
            drop(server);
            // The sources are kept, and hold nothing.
            nothing_left(before, &format!("{name}, TLS: {has_tls}"));
        }
    }
    let before = held();
    let silent = SilentPort::open().expect("a silent port");
    let with_port = held();
    for _ in 0..20 {
        cancelled_after(
            Request::get(format!("http://{}/", silent.address())),
            millis(3),
        );
    }
    nothing_left(with_port, "connecting");
    drop(silent);
    for _ in 0..20 {
        // A name is looked up on a thread, which ends by itself.
        cancelled_after(Request::get("http://no-such-host.invalid/"), millis(1));
    }
    nothing_left(before, "resolving");
}

#[cfg(feature = "client-rustls")]
fn trusting(request: Request, pem: &str) -> Request {
    request.root_certificates(pem)
}

#[cfg(not(feature = "client-rustls"))]
fn trusting(request: Request, _: &str) -> Request {
    request
}

/// Opens a source, reads it on another thread, and cancels it.
fn cancelled_after(request: Request, time: Duration) -> EventSource {
    let mut source = request.open().expect("a request");
    let canceller = source.canceller();
    let thread = thread::spawn(move || {
        let _ = read(&mut source, usize::MAX);
        source
    });
    thread::sleep(time);
    canceller.cancel();
    thread.join().expect("a source")
}

#[test]
fn ten_thousand_cancelled_streams() {
    alone("ten_thousand");
}

#[test]
#[ignore = "measures the whole process: run by another test, alone"]
fn ten_thousand() {
    let address = tiny_server(b"data: a\n\n");
    let url = format!("http://{address}/");
    let cancel_one = || {
        let mut source = Request::get(&url).open().expect("a request");
        assert_eq!(read(&mut source, 1).data, ["a"]);
        source.canceller().cancel();
        assert!(matches!(source.receive(), Err(ClientError::Cancelled)));
    };
    (0..1000).for_each(|_| cancel_one());
    // The server may be a moment behind.
    thread::sleep(millis(500));
    let (before, memory) = (held(), resident());
    let start = Instant::now();
    (0..9000).for_each(|_| cancel_one());
    nothing_left(before, "ten thousand");
    let (after, grown) = (held(), resident().saturating_sub(memory));
    println!(
        "9,000 streams more in {:.1} s: {after:?} descriptors and threads after {before:?}, \
         {memory} kB and {grown} kB more",
        start.elapsed().as_secs_f64()
    );
    assert!(grown < 1024, "{grown} kB more");
}

#[test]
fn fifty_thousand_events() {
    const EVENTS: usize = 50_000;
    let stream: String = (0..EVENTS)
        .map(|index| format!("id: {index}\ndata: {index}\n\n"))
        .collect();
    let address = tiny_server(stream.leak().as_bytes());
    let mut source = Request::get(format!("http://{address}/"))
        .open()
        .expect("a request");
    let (start, before) = (Instant::now(), resident());
    for index in 0..EVENTS {
        let event = source.next_event().expect("no fault").expect("an event");
        assert_eq!(event.data().to_string(), index.to_string());
    }
    let grown = resident().saturating_sub(before);
    println!("{EVENTS} events in {:?}, {grown} kB more", start.elapsed());
    assert_eq!(source.last_event_id().to_string(), (EVENTS - 1).to_string());
    assert_eq!(source.counters().events, EVENTS as u64);
}

/// A server that answers each connection with one stream and holds it; it keeps
/// no record, so that what grows is the client.
fn tiny_server(stream: &'static [u8]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            answer(connection, stream);
        }
    });
    address
}

fn answer(mut connection: TcpStream, stream: &[u8]) {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let mut request = [0; 4096];
    let _ = connection.read(&mut request);
    let _ = connection.write_all(head.as_bytes());
    let _ = connection.write_all(stream);
    // Until the client closes.
    while connection.read(&mut request).is_ok_and(|len| len > 0) {}
}
