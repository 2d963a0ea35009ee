#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

// A byte of an answer passes these top to bottom.
mod error; // What can go wrong: the transport's own error, the parser's, the end.
mod framing; // The body's framing taken off in place: chunks, a length, or neither.
mod chunked; // Chunked bodies as a byte state machine.
mod head; // The head of an answer, as a few facts, without keeping it.
mod response; // A transport that holds an answer -> its head, then its body.
mod session; // What all readers share: buffer, engine, event memory.
mod reader; // Blocking transports -> events.
mod async_reader; // The same for tasks.
mod in_place; // Transports that lend their buffer -> events, without a copy.
mod pieces; // The way back: what is sent, piece by piece.
mod request; // The head of a request, and its body.
mod writer; // Pieces -> a transport.

pub use async_reader::AsyncEventReader;
pub use chunked::{ChunkedDecoder, ChunkedError};
pub use error::ReadError;
pub use framing::{BodyError, Framing};
pub use head::{HeadDecoder, HeadError, NotEventStream, ResponseHead};
pub use in_place::{AsyncInPlaceReader, InPlaceReader};
pub use pieces::{Outgoing, Pieces};
pub use reader::EventReader;
pub use request::{EncodedRequest, Request, RequestError};
pub use response::{AsyncResponse, Response, ResponseError};
pub use session::Parts;
pub use writer::{AsyncEventWriter, EventWriter, WriteError, write, write_async};
