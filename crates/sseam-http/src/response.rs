//! A response comes in, the stream of its events goes out, or the response again
//! with the reason why it is no event stream.

use std::fmt;

use http::{HeaderMap, HeaderValue, Response, header};
use http_body::Body;
use sseam::Unfit;

use crate::events::{Events, events};

/// The events of a response that is an event stream, by its status and headers.
///
/// A response of status 200 whose content type is `text/event-stream`, in any case
/// and with any parameters, and which is not compressed, as the client of `sseam`
/// asks for. Where a client's response is not an [`http::Response`], it can be made
/// one: with reqwest 0.12 and 0.13 by `http::Response::from(response)`.
///
/// ```
/// use futures::StreamExt;
/// use http::Response;
/// use http_body_util::Full;
///
/// let response = Response::builder()
///     .header("content-type", "text/event-stream; charset=utf-8")
///     .body(Full::<bytes::Bytes>::from("data: one\n\n"))?;
/// let mut events = sseam_http::events_of(response)?;
/// # futures::executor::block_on(async {
/// assert_eq!(events.next().await.unwrap()?.data(), "one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Any other response comes back in a [`Rejected`], with its body, of which nothing
/// was read.
pub fn events_of<B: Body>(response: Response<B>) -> Result<Events<B>, Rejected<B>> {
    match rejection(&response) {
        None => Ok(events(response.into_body())),
        Some(reason) => {
            let response = Box::new(response);
            Err(Rejected { response, reason })
        }
    }
}

/// A response that is no event stream, and why.
///
/// To show what its server says, read the body, with a limit of bytes and of time:
/// or let [`answer_of`](crate::answer_of) do it. [`Rejected::into_events`] takes it
/// for a stream all the same.
pub struct Rejected<B> {
    response: Box<Response<B>>,
    reason: Rejection,
}

/// Why a response is no event stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejection {
    /// 204: there is nothing, and a client is not to ask again.
    NoContent,
    /// The status is another one than 200.
    Status(u16),
    /// The headers are not those of an event stream.
    Unfit(Unfit),
}

impl<B> Rejected<B> {
    /// Why it is no event stream.
    pub const fn reason(&self) -> Rejection {
        self.reason
    }

    /// The response, with its body as it was.
    pub const fn response(&self) -> &Response<B> {
        &self.response
    }

    /// The response, with its body as it was.
    pub fn into_response(self) -> Response<B> {
        *self.response
    }

    /// Its events all the same: for servers without a content type.
    pub fn into_events(self) -> Events<B>
    where
        B: Body,
    {
        events(self.response.into_body())
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::NoContent => f.write_str("HTTP status 204: there is nothing to come"),
            Rejection::Status(status) => write!(f, "HTTP status {status}"),
            Rejection::Unfit(unfit) => unfit.fmt(f),
        }
    }
}

impl<B> fmt::Display for Rejected<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

/// Shows the reason alone: headers and body may hold secrets.
impl<B> fmt::Debug for Rejected<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected")
            .field("reason", &self.reason)
            .finish_non_exhaustive()
    }
}

impl<B> std::error::Error for Rejected<B> {}

fn rejection<B>(response: &Response<B>) -> Option<Rejection> {
    match response.status().as_u16() {
        200 => unfit(response.headers(), false).map(Rejection::Unfit),
        204 => Some(Rejection::NoContent),
        status => Some(Rejection::Status(status)),
    }
}

/// What of the headers is not that of an event stream.
pub(crate) fn unfit(headers: &HeaderMap, takes_document: bool) -> Option<Unfit> {
    let encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    let content_type = headers.get(header::CONTENT_TYPE);
    Unfit::of_headers(
        encodings.map(HeaderValue::as_bytes),
        content_type.map(HeaderValue::as_bytes),
        takes_document,
    )
}
