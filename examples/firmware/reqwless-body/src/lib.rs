//! In: a connection, by whatever TCP or TLS. Out: the data of the events that a
//! reqwless request over it is answered with.
//!
//! reqwless reads the head and the chunks; its body reader is a transport like
//! any other. Compiled in CI, to be copied from.

#![no_std]
#![forbid(unsafe_code)]

use embedded_nal_async::{Dns, TcpConnect};
use reqwless::client::HttpClient;
use reqwless::request::{Method, RequestBuilder};
use sseam_core::{Event, Limits};
use sseam_embedded_io::{AsyncEventReader, ReadError};

/// What can go wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The request, the head or the status.
    Http(reqwless::Error),
    /// The body or the stream.
    Stream(ReadError<reqwless::Error>),
    /// The memory is shorter than the limits need.
    Memory,
}

/// Asks for a stream and hands each event to `take`.
///
/// # Errors
///
/// See [`Failure`]; a stream that ends inside an event is one.
pub async fn events<T: TcpConnect, D: Dns>(
    client: &mut HttpClient<'_, T, D>,
    url: &str,
    memory: &mut [u8],
    mut take: impl FnMut(Event<'_>),
) -> Result<(), Failure> {
    let (mut head, mut buffer) = ([0; 1024], [0; 256]);
    let request = client
        .request(Method::GET, url)
        .await
        .map_err(Failure::Http)?;
    let fields = [
        ("Accept", "text/event-stream"),
        ("Accept-Encoding", "identity"),
    ];
    let mut request = request.headers(&fields);
    let response = request.send(&mut head).await.map_err(Failure::Http)?;
    if !response.status.is_successful() {
        return Err(Failure::Http(reqwless::Error::Codec));
    }
    let body = response.body().reader();
    let reader = AsyncEventReader::new(body, &mut buffer[..], memory, Limits::SMALL);
    let mut reader = reader.map_err(|_| Failure::Memory)?;
    while let Some(event) = reader.next_event().await.map_err(Failure::Stream)? {
        take(event);
    }
    Ok(())
}
