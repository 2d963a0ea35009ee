//! The gateway between a client and an upstream on the loopback address, each of
//! which misbehaves: what passes, what is told, and when the upstream is let go.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use sseam_gateway::{Gateway, Metrics, Mode, serve};
use sseam_http::sseam::Limits;
use sseam_http::sseam::llm::{Dialect, Turn};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
                    X-Request-Id: 7\r\nConnection: close\r\n\r\n";
const TEXT: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";

/// What the upstream does after it has sent its bytes.
#[derive(Clone, Copy, PartialEq)]
enum Then {
    Close,
    /// Nothing more, until the other side goes away.
    Stall,
}

/// An upstream that sends these bytes to one request. It gives the request's head,
/// and when the other side went away.
async fn upstream(bytes: String, then: Then) -> (SocketAddr, oneshot::Receiver<(String, Instant)>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, receiver) = oneshot::channel();
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(socket.read_u8().await.unwrap());
        }
        socket.write_all(bytes.as_bytes()).await.unwrap();
        if then == Then::Stall {
            let _ = socket.read_u8().await;
        }
        let head = String::from_utf8(head).unwrap();
        let _ = sender.send((head, Instant::now()));
    });
    (address, receiver)
}

/// A gateway to this upstream, with a heartbeat of 50 ms.
async fn gateway(upstream: SocketAddr, mode: Mode) -> (SocketAddr, Metrics, oneshot::Sender<()>) {
    let turn = Turn::new(Dialect::OpenAiChat);
    let mut gateway = Gateway::new(upstream.to_string().parse().unwrap(), mode, turn);
    gateway.heartbeat = Duration::from_millis(50);
    gateway.limits = Limits {
        data_len_max: 1000,
        ..Limits::LARGE
    };
    let metrics = gateway.metrics.clone();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, receiver) = oneshot::channel();
    tokio::spawn(serve(listener, gateway, async {
        let _ = receiver.await;
    }));
    (address, metrics, sender)
}

/// Asks the gateway for a path.
async fn ask(gateway: SocketAddr, path: &str) -> TcpStream {
    let mut socket = TcpStream::connect(gateway).await.unwrap();
    let head = format!("GET {path} HTTP/1.0\r\nHost: gateway\r\nX-Mine: 1\r\nTE: x\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    socket
}

/// All that comes, up to the end.
async fn all(mut socket: TcpStream) -> String {
    let mut text = String::new();
    let read = socket.read_to_string(&mut text);
    let read = tokio::time::timeout(Duration::from_secs(5), read).await;
    read.expect("it ends in time").unwrap();
    text
}

/// Reads until this was seen.
async fn until(socket: &mut TcpStream, wanted: &str) -> String {
    let mut text = String::new();
    while !text.contains(wanted) {
        let byte = tokio::time::timeout(Duration::from_secs(5), socket.read_u8()).await;
        text.push(byte.expect("it comes in time").expect("it comes").into());
    }
    text
}

/// Waits until an outcome was counted, and gives how long that took.
async fn counted(metrics: &Metrics, outcome: &str) -> Duration {
    let start = Instant::now();
    while metrics.answers(outcome) == 0 {
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{}",
            metrics.text()
        );
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    start.elapsed()
}

#[tokio::test]
async fn bytes_pass_untouched_and_the_outcome_is_counted() {
    let body = format!(": ping\r\n{TEXT}{STOP}id: 1\n{DONE}");
    let (to, seen) = upstream(format!("{HEAD}{body}"), Then::Close).await;
    let (gateway, metrics, _stop) = gateway(to, Mode::Untouched).await;
    let response = all(ask(gateway, "/v1/chat?a=b").await).await;
    let (head, passed) = response.split_once("\r\n\r\n").unwrap();
    assert_eq!(passed, body);
    assert!(head.contains("x-request-id: 7"), "{head}");
    counted(&metrics, "Completed").await;
    let (head, _) = seen.await.unwrap();
    assert!(head.starts_with("GET /v1/chat?a=b HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("x-mine: 1") && head.contains("accept-encoding: identity"));
    assert!(
        !head.contains("te: x") && !head.contains("host: gateway"),
        "{head}"
    );
    let figures = all(ask(gateway, "/metrics").await).await;
    let counted = "sseam_gateway_answers_total{outcome=\"Completed\"} 1\n";
    assert!(figures.contains(counted), "{figures}");
    assert!(figures.contains("sseam_gateway_active 0\n"), "{figures}");
}

#[tokio::test]
async fn whole_events_alone_pass_and_a_cut_stream_ends_in_an_error_event() {
    let body = format!("{HEAD}: ping\n\n{TEXT}data: {{\"cut");
    let (to, _seen) = upstream(body, Then::Close).await;
    let (gateway, metrics, _stop) = gateway(to, Mode::WholeEvents).await;
    let response = all(ask(gateway, "/").await).await;
    let (head, passed) = response.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("x-request-id: 7") && head.contains("text/event-stream"));
    let rest = passed.strip_prefix(TEXT).expect("the whole event is first");
    assert!(
        rest.starts_with("event: error\ndata: {\"error\":"),
        "{rest}"
    );
    assert!(!passed.contains("cut"), "{passed}");
    counted(&metrics, "Truncated").await;
}

#[tokio::test]
async fn an_overlong_event_ends_in_an_error_event() {
    let body = format!("{HEAD}{TEXT}data: {}\n\n", "x".repeat(2000));
    let (to, _seen) = upstream(body, Then::Stall).await;
    let (gateway, metrics, _stop) = gateway(to, Mode::WholeEvents).await;
    let response = all(ask(gateway, "/").await).await;
    assert!(response.contains("more than is taken"), "{response}");
    assert!(!response.contains("xxx"));
    counted(&metrics, "LimitExceeded").await;
}

#[tokio::test]
async fn a_stalled_upstream_is_bridged_by_heartbeats() {
    let (to, _seen) = upstream(format!("{HEAD}{TEXT}"), Then::Stall).await;
    let (gateway, metrics, _stop) = gateway(to, Mode::WholeEvents).await;
    let mut socket = ask(gateway, "/").await;
    until(&mut socket, ":\n\n:\n\n").await;
    assert_eq!(metrics.active(), 1);
}

#[tokio::test]
async fn a_client_that_leaves_lets_the_upstream_go_within_100_ms() {
    for mode in [Mode::Untouched, Mode::WholeEvents] {
        let (to, seen) = upstream(format!("{HEAD}{TEXT}"), Then::Stall).await;
        let (gateway, metrics, _stop) = gateway(to, mode).await;
        let mut socket = ask(gateway, "/").await;
        until(&mut socket, TEXT).await;
        let left = Instant::now();
        drop(socket);
        let (_, gone) = seen.await.unwrap();
        let took = gone.saturating_duration_since(left);
        println!("the upstream was let go after {took:?} ({mode:?})");
        assert!(took < Duration::from_millis(100), "{took:?}");
        counted(&metrics, "Cancelled").await;
        assert_eq!(metrics.active(), 0);
    }
}

#[tokio::test]
async fn a_refusal_passes_as_it_is() {
    let body = "{\"error\":{\"message\":\"Slow down\"}}";
    let head = "HTTP/1.1 429 Too Many\r\nContent-Type: application/json\r\nRetry-After: 3\r\n";
    let refused = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    for mode in [Mode::Untouched, Mode::WholeEvents] {
        let (to, _seen) = upstream(refused.clone(), Then::Close).await;
        let (gateway, metrics, _stop) = gateway(to, mode).await;
        let response = all(ask(gateway, "/").await).await;
        assert!(
            response.contains("429") && response.ends_with(body),
            "{response}"
        );
        assert!(response.contains("retry-after: 3"), "{response}");
        counted(&metrics, "FailedStatus").await;
    }
}

#[tokio::test]
async fn an_upstream_that_is_not_there() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = listener.local_addr().unwrap();
    drop(listener);
    let (gateway, metrics, _stop) = gateway(nobody, Mode::Untouched).await;
    let response = all(ask(gateway, "/").await).await;
    assert!(response.starts_with("HTTP/1.0 502"), "{response}");
    counted(&metrics, "TransportFailed").await;
}

#[tokio::test]
async fn a_shutdown_lets_streams_end() {
    let (sender, receiver) = oneshot::channel::<()>();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let to = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut head = [0; 1024];
        let _ = socket.read(&mut head).await.unwrap();
        let first = format!("{HEAD}{TEXT}");
        socket.write_all(first.as_bytes()).await.unwrap();
        receiver.await.unwrap();
        let last = format!("{STOP}{DONE}");
        socket.write_all(last.as_bytes()).await.unwrap();
    });
    let (gateway, metrics, stop) = gateway(to, Mode::Untouched).await;
    let mut socket = ask(gateway, "/").await;
    until(&mut socket, TEXT).await;
    stop.send(()).unwrap();
    // It takes no more connections.
    while TcpStream::connect(gateway).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    sender.send(()).unwrap();
    assert!(all(socket).await.ends_with(DONE));
    counted(&metrics, "Completed").await;
}
