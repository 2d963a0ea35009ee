//! The examples as a user runs them: real processes, real sockets.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;

use sseam_testkit::server::{Answer, End, Server};

const DEMO: &str = "response.output_text.delta: \
    {\"type\":\"response.output_text.delta\",\"delta\":\"你好\"}\nmessage: 第一行\n第二行\n";

fn stream(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("streams")
        .join(name);
    std::fs::read(path).expect("the stream is part of the repository")
}

/// Runs a program with `input` on its standard input.
fn run(program: &str, args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the example was built with this test");
    child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(input)
        .expect("it reads its input");
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the examples print UTF-8")
}

#[test]
fn a_static_parser_reads_the_demo() {
    let output = run(
        env!("CARGO_BIN_EXE_static_parser"),
        &[],
        &stream("demo.sse"),
    );
    assert_eq!(text(&output.stdout), DEMO);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_static_parser_skips_what_does_not_fit() {
    let input = format!("data: {}\n\ndata: next\n\ndata: cut", "x".repeat(513));
    let output = run(env!("CARGO_BIN_EXE_static_parser"), &[], input.as_bytes());
    assert_eq!(text(&output.stdout), "message: next\n");
    assert!(text(&output.stderr).contains("1 skipped"));
    assert_eq!(output.status.code(), Some(20));
}

#[test]
fn an_event_may_be_larger_than_memory() {
    let data = "é".repeat(500_000);
    let input = format!("data: {data}\ndata: b\n\ndata: unfinished\n");
    let output = run(
        env!("CARGO_BIN_EXE_larger_than_memory"),
        &[],
        input.as_bytes(),
    );
    let sum: u64 = format!("{data}\nb").bytes().map(u64::from).sum();
    assert_eq!(text(&output.stdout), format!("1000002 bytes, sum {sum}\n"));
}

/// Serves one connection: a head, then a body in pieces of 7 bytes.
fn serve(head: &'static str, body: Vec<u8>) -> (String, thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound").to_string();
    let server = thread::spawn(move || {
        let (mut connection, _) = listener.accept().expect("the example connects");
        // Closing with a part of the request unread would reset the connection.
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            connection
                .read_exact(&mut byte)
                .expect("the example sends a request");
            request.extend(byte);
        }
        connection
            .write_all(head.as_bytes())
            .expect("the example reads");
        for piece in body.chunks(7) {
            connection.write_all(piece).expect("the example reads");
        }
        connection
            .shutdown(Shutdown::Write)
            .expect("the connection is open");
        String::from_utf8_lossy(&request).into_owned()
    });
    (address, server)
}

#[test]
fn a_socket_is_read_to_its_end() {
    let head = "HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let (address, server) = serve(head, stream("demo.sse"));
    let output = run(env!("CARGO_BIN_EXE_tcp"), &[&address, "/events"], b"");
    assert_eq!(text(&output.stdout), DEMO);
    assert_eq!(output.status.code(), Some(0));
    let request = server.join().expect("the server ends");
    assert!(request.starts_with("GET /events HTTP/1.0\r\n"), "{request}");
}

#[test]
fn a_socket_that_breaks_off_is_no_success() {
    let head = "HTTP/1.0 200 OK\r\n\r\n";
    let (address, server) = serve(head, b"data: whole\n\ndata: half\n".to_vec());
    let output = run(env!("CARGO_BIN_EXE_tcp"), &[&address, "/"], b"");
    assert_eq!(text(&output.stdout), "message: whole\n");
    assert_eq!(output.status.code(), Some(20));
    server.join().expect("the server ends");
}

#[test]
fn an_error_page_is_no_stream() {
    let (address, server) = serve("HTTP/1.0 503 Busy\r\n\r\n", b"data: no\n\n".to_vec());
    let output = run(env!("CARGO_BIN_EXE_tcp"), &[&address, "/"], b"");
    assert_eq!(text(&output.stdout), "");
    assert_eq!(output.status.code(), Some(40));
    drop(server);
}

const PIECE: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n";

/// Asks a server with this answer; what the example printed, and what it asked,
/// if it came so far.
fn ask(answer: Answer, input: &[u8]) -> (Output, String) {
    let server = Server::start(vec![answer]);
    let arguments = [&server.url("/v1"), "some \"model\"", "why?"];
    let output = run(env!("CARGO_BIN_EXE_answer"), &arguments, input);
    let body = server.requests().pop().map(|request| request.body);
    let body = String::from_utf8_lossy(&body.unwrap_or_default()).into_owned();
    (output, body)
}

#[test]
fn an_answer_is_printed_as_it_comes() {
    let finish = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    let stream = Answer::stream().send(PIECE).send(PIECE).send(finish);
    let (output, body) = ask(stream.send("data: [DONE]\n\n"), b"");
    assert_eq!(text(&output.stdout), "HiHi");
    assert!(text(&output.stderr).starts_with("\ncompleted: stop; 4 events"));
    assert_eq!(output.status.code(), Some(0));
    assert!(
        body.contains(r#""model":"some \u0022model\u0022""#),
        "{body}"
    );
}

#[test]
fn an_answer_that_is_ended_says_so() {
    let (output, _) = ask(Answer::stream().send(PIECE).end(End::Hold), b"\n");
    assert_eq!(output.status.code(), Some(130));
    assert!(text(&output.stderr).contains("cancelled"));
}

#[test]
fn an_explanation_is_shown_without_what_was_asked() {
    let (output, _) = ask(Answer::status(400).send("not \"why?\", please\n"), b"");
    assert_eq!(output.status.code(), Some(30));
    let shown = text(&output.stderr);
    assert!(shown.ends_with("not \\\"***\\\", please\\n\n"), "{shown}");
}
