//! A server and a client of hyper on the loopback address: how they ask a body for
//! its frames, which no body made of frames can show.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use http::{HeaderMap, Method, Request, Response, Version};
use http_body::Frame;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty, Full, StreamBody};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use sseam::ReadError;
use sseam::llm::{Dialect, Ending, Turn};
use sseam_http::{Observation, Observer, Unobservable, answer_of, bytes_events, events_of};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

const CHAT: Turn = Turn::new(Dialect::OpenAiChat);
const TEXT: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";
const WHOLE: [&str; 3] = [TEXT, STOP, DONE];
const ERROR: &str = "{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Slow down\"}}";

type AnyBody = BoxBody<Bytes, std::io::Error>;

fn data(text: impl Into<String>) -> Frame<Bytes> {
    Frame::data(Bytes::from(text.into()))
}

/// A body of these frames, which does not know its length.
fn framed(
    frames: impl Stream<Item = std::io::Result<Frame<Bytes>>> + Send + Sync + 'static,
) -> AnyBody {
    BodyExt::boxed(StreamBody::new(frames))
}

/// A body of these bytes, with a length, past which hyper does not ask.
fn sized(text: impl Into<Bytes>) -> AnyBody {
    BodyExt::boxed(Full::new(text.into()).map_err(|never| match never {}))
}

/// The bodies that the server has, by path.
fn body(path: &str) -> AnyBody {
    match path {
        "/sized" => sized(WHOLE.concat()),
        "/refused" => sized(ERROR),
        "/chunked" => framed(stream::iter(WHOLE.map(|text| Ok(data(text))))),
        "/trailers" => {
            let mut trailers = HeaderMap::new();
            trailers.insert("x-sum", "7".parse().unwrap());
            let frames = [data(WHOLE.concat()), Frame::trailers(trailers)];
            framed(stream::iter(frames.map(Ok)))
        }
        "/stalled" => framed(stream::iter([Ok(data(TEXT))]).chain(stream::pending())),
        "/broken" => {
            // Not at once: hyper would not even send what came before.
            let broken = stream::once(async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                Err(std::io::ErrorKind::Other.into())
            });
            framed(stream::iter([Ok(data(TEXT))]).chain(broken))
        }
        path => panic!("there is no {path}"),
    }
}

/// Answers one connection; what it observes of its responses goes to the sender.
async fn serve(listener: TcpListener, version: Version, seen: UnboundedSender<Observation>) {
    let (socket, _) = listener.accept().await.unwrap();
    let service = service_fn(move |request: Request<Incoming>| {
        let seen = seen.clone();
        async move {
            let path = request.uri().path();
            let response = Response::builder()
                .status(if path == "/refused" { 429 } else { 200 })
                .header("content-type", "text/event-stream");
            let observer = Observer::new(CHAT).with_method(request.method());
            let response = observer.observe(response.body(body(path)).unwrap(), move |it| {
                let _ = seen.send(it);
            });
            Ok::<_, Infallible>(response)
        }
    });
    let io = TokioIo::new(socket);
    // A client that leaves is an error here, and what is tested.
    let _ = match version {
        Version::HTTP_2 => {
            let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            server.serve_connection(io, service).await
        }
        _ => {
            let server = hyper::server::conn::http1::Builder::new();
            server.serve_connection(io, service).await
        }
    };
}

async fn request(
    to: SocketAddr,
    version: Version,
    method: Method,
    path: &str,
) -> (Response<Incoming>, tokio::task::JoinHandle<()>) {
    let io = TokioIo::new(TcpStream::connect(to).await.unwrap());
    let request = Request::builder().method(method).uri(path);
    let request = request.header("host", "localhost");
    if version == Version::HTTP_2 {
        let request = Request::builder().uri(format!("http://localhost{path}"));
        let request = request.body(Empty::<Bytes>::new()).unwrap();
        let executor = TokioExecutor::new();
        let (mut sender, connection) = hyper::client::conn::http2::handshake(executor, io)
            .await
            .unwrap();
        let task = tokio::spawn(async move { drop(connection.await) });
        return (sender.send_request(request).await.unwrap(), task);
    }
    let request = request.body(Empty::<Bytes>::new()).unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await.unwrap();
    let task = tokio::spawn(async move { drop(connection.await) });
    (sender.send_request(request).await.unwrap(), task)
}

/// Asks a server for a path, does something with the response, and waits for what
/// the server has observed.
fn exchange<F: Future>(
    version: Version,
    method: Method,
    path: &'static str,
    take: impl FnOnce(Response<Incoming>) -> F,
) -> (F::Output, Observation) {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let to = listener.local_addr().unwrap();
        let (sender, mut seen): (_, UnboundedReceiver<Observation>) = unbounded_channel();
        tokio::spawn(serve(listener, version, sender));
        let (response, connection) = request(to, version, method, path).await;
        let taken = take(response).await;
        connection.abort();
        let wait = tokio::time::timeout(Duration::from_secs(5), seen.recv());
        let observation = wait.await.expect("it is told in time").expect("it is told");
        assert!(seen.try_recv().is_err(), "it is told once");
        (taken, observation)
    })
}

async fn all(response: Response<Incoming>) -> Bytes {
    response.into_body().collect().await.unwrap().to_bytes()
}

#[test]
fn whole_answers_are_seen_to_be_whole() {
    for version in [Version::HTTP_11, Version::HTTP_2] {
        for path in ["/sized", "/chunked", "/trailers"] {
            let (bytes, seen) = exchange(version, Method::GET, path, all);
            assert_eq!(bytes, WHOLE.concat(), "{path}");
            let outcome = seen.result.unwrap();
            assert!(outcome.is_completed(), "{path} over {version:?}: {outcome}");
            assert!(!outcome.seen.late_fault, "{path} over {version:?}");
        }
    }
}

#[test]
fn trailers_arrive() {
    let (trailers, _) = exchange(
        Version::HTTP_2,
        Method::GET,
        "/trailers",
        |response| async {
            let body = response.into_body().collect().await.unwrap();
            body.trailers().cloned()
        },
    );
    assert_eq!(trailers.unwrap()["x-sum"], "7");
}

#[test]
fn a_client_that_leaves_has_cancelled() {
    for version in [Version::HTTP_11, Version::HTTP_2] {
        let (_, seen) = exchange(version, Method::GET, "/stalled", |response| async {
            let mut events = events_of(response).unwrap();
            assert!(events.next().await.unwrap().is_ok());
        });
        assert_eq!(seen.result.unwrap().exit_code(), 130, "{version:?}");
    }
}

#[test]
fn the_response_to_a_head_has_nothing_to_be_observed() {
    let (bytes, seen) = exchange(Version::HTTP_11, Method::HEAD, "/sized", all);
    assert!(bytes.is_empty());
    assert_eq!(seen.result, Err(Unobservable::NoBody));
}

#[test]
fn a_refusal_is_read_by_client_and_server() {
    let (outcome, seen) = exchange(Version::HTTP_11, Method::GET, "/refused", |response| {
        answer_of(response, Turn::new(Dialect::Anthropic)).into_outcome()
    });
    for outcome in [outcome, seen.result.unwrap()] {
        assert_eq!(outcome.ending, Ending::FailedStatus(429));
        assert_eq!(outcome.seen.message.to_string(), "Slow down");
    }
}

#[test]
fn a_connection_that_breaks() {
    for version in [Version::HTTP_11, Version::HTTP_2] {
        let (outcome, seen) = exchange(version, Method::GET, "/broken", |response| {
            answer_of(response, CHAT).into_outcome()
        });
        assert_eq!(outcome.exit_code(), 20, "{version:?}");
        assert_eq!(seen.result.unwrap().exit_code(), 20, "{version:?}");
    }
    let ((), _) = exchange(Version::HTTP_11, Method::GET, "/broken", |response| async {
        let mut events = bytes_events(response.into_body());
        assert!(events.next().await.unwrap().is_ok());
        assert!(matches!(
            events.next().await,
            Some(Err(ReadError::Source(_)))
        ));
        assert!(events.next().await.is_none());
    });
}
