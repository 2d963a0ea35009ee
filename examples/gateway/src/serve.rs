//! Connections come in until the shutdown, and their requests go to the gateway.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;

use crate::relay::Gateway;

/// How long streams may go on after the shutdown was asked for.
const SHUTDOWN_MAX: Duration = Duration::from_secs(30);

/// How long a client may take for the head of its request.
const HEAD_MAX: Duration = Duration::from_secs(10);

/// Serves until `shutdown` is ready, and then until all streams have ended or 30 s
/// have passed.
///
/// # Errors
///
/// Those of the listener.
pub async fn serve(
    listener: TcpListener,
    gateway: Gateway,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let graceful = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let (socket, _) = tokio::select! {
            accepted = listener.accept() => accepted?,
            () = &mut shutdown => break,
        };
        socket.set_nodelay(true)?;
        let gateway = gateway.clone();
        let service = service_fn(move |request| {
            let gateway = gateway.clone();
            async move { Ok::<_, Infallible>(gateway.answer(request).await) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_MAX)
            .serve_connection(TokioIo::new(socket), service);
        let connection = graceful.watch(connection);
        // A client that leaves is no error of ours.
        tokio::spawn(async move { drop(connection.await) });
    }
    drop(listener);
    let _ = tokio::time::timeout(SHUTDOWN_MAX, graceful.shutdown()).await;
    Ok(())
}
