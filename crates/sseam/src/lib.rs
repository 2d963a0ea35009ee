#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

// Bytes pass these top to bottom.
mod error; // One variant per cause.
mod memory; // What the engine gathers events in, growing on demand.
mod lossy; // Text -> `str`, as a browser shows it.
mod owned; // An event that outlives its reader.
#[cfg(feature = "serde")]
mod serialize; // Owned events <-> the keys `event`, `data` and `id`.
mod stream; // A source of chunks and an engine -> events. Every reader's loop.
mod reader; // Any `Read` -> events.
mod iter; // A reader -> an iterator of owned events.
mod chunks; // Any iterator of chunks -> events.
mod told; // A source of chunks and an answer -> what was heard.
mod answer; // Any `Read` -> the text of an answer, and its outcome.
mod calls; // Signals -> whole tool calls.
mod owned_signal; // A signal that outlives its event.
mod unfit; // Headers of a response -> whether it is an event stream.
mod write; // The way back: blocks -> any `Write`.
#[cfg(feature = "client")]
#[cfg_attr(docsrs, doc(cfg(feature = "client")))]
pub mod client; // A request -> events, over any number of connections.
#[cfg(feature = "test-util")]
mod cuts; // A stream -> the ways to cut it, for tests.

#[cfg(feature = "test-util")]
pub use cuts::{EveryCut, every_cut};

pub use answer::AnswerReader;
pub use calls::{Call, Calls};
pub use chunks::{
    Events, Infallibly, events, events_with_limits, try_events, try_events_with_limits,
};
pub use error::ReadError;
pub use iter::{IntoEvents, ReaderEvents};
pub use lossy::TextExt;
pub use memory::{GrowingMemory, GrowingParser, KEPT_LEN_MAX, parser};
pub use owned::OwnedEvent;
pub use owned_signal::OwnedSignal;
pub use reader::{BUFFER_LEN, EventReader, Parts};
pub use sseam_core::*;
/// The dialects of AI APIs: signals of events, and the outcome of an answer.
pub use sseam_llm as llm;
pub use unfit::Unfit;
pub use write::WriteBlock;

/// What a thread or a task owns may be moved to another one.
const fn can_be_sent<T: Send + Sync + Unpin>() {}

/// What may be moved, but holds a callback that is not to be shared.
#[cfg(feature = "client")]
const fn can_be_moved<T: Send + Unpin>() {}

const _: () = {
    can_be_sent::<OwnedEvent>();
    can_be_sent::<OwnedSignal>();
    can_be_sent::<GrowingMemory>();
    can_be_sent::<GrowingParser>();
    can_be_sent::<ReadError>();
    can_be_sent::<EventReader<std::net::TcpStream>>();
    can_be_sent::<AnswerReader<std::net::TcpStream>>();
    can_be_sent::<Parts<std::net::TcpStream>>();
    can_be_sent::<IntoEvents<std::net::TcpStream>>();
    can_be_sent::<ReaderEvents<'static, std::net::TcpStream>>();
    can_be_sent::<Events<std::vec::IntoIter<Vec<u8>>, Vec<u8>>>();
    can_be_sent::<Infallibly<std::vec::IntoIter<Vec<u8>>>>();
    can_be_sent::<(Engine, Tokenizer, Encoded<'static>, Encoder)>();
    can_be_sent::<(Item<'static>, Event<'static>, Text<'static>, Error)>();
    can_be_sent::<(Limits, Counters, Span, End, SetupError, EncodeError)>();
};

#[cfg(feature = "client")]
const _: () = {
    can_be_moved::<client::EventSource>();
    can_be_sent::<client::Canceller>();
    can_be_sent::<client::ClientError>();
    can_be_sent::<client::Report>();
};

/// The code of the page on the client is run too.
#[cfg(all(doctest, feature = "client"))]
#[doc = include_str!("../../../docs/client.md")]
struct ClientPage;

/// The README's code is run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
