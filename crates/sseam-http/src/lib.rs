#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

// A frame of a body passes these top to bottom.
mod frames; // A body -> chunks, so many for each poll.
mod chunks; // A stream of chunks -> a body.
#[cfg(feature = "tokio")]
#[cfg_attr(docsrs, doc(cfg(feature = "tokio")))]
mod read; // A tokio `AsyncRead` -> a body.
mod pump; // Chunks and a parser -> events, one by one.
mod keep; // An event -> one that outlives its chunk, owned.
mod sharing; // The same, as slices of the chunk.
mod events; // A body -> a stream of events.
mod response; // A response -> its events, if it is one of them.
mod judge; // The head of a response and its body -> an outcome.
mod answer; // A body -> a stream of signals, with the outcome at its end.
mod text; // The same -> its text.
mod observe; // A body -> the same body, and the outcome on the side.
mod outgoing; // The way back: what is sent -> bytes.
mod sse; // What is sent -> a body, with heartbeats.
mod whole; // The events of an upstream -> what is sent on.
#[cfg(feature = "codec")]
#[cfg_attr(docsrs, doc(cfg(feature = "codec")))]
mod codec; // A codec of tokio-util.

pub use answer::{AnswerStream, Told, answer, answer_of};
pub use chunks::{ChunkBody, chunks};
#[cfg(feature = "codec")]
pub use codec::{CodecError, EventCodec};
pub use events::{BytesEvents, Events, FRAMES_PER_POLL_MAX, bytes_events, events};
pub use judge::EXPLANATION_LEN_MAX;
pub use keep::{Keep, Owning};
pub use observe::{Observation, Observed, Observer, Unobservable, observe};
pub use outgoing::Outgoing;
#[cfg(feature = "tokio")]
pub use read::{READ_LEN, ReadBody};
pub use response::{Rejected, Rejection, events_of};
pub use sharing::{BytesEvent, COPIED_LEN_MAX, Sharing};
pub use sse::{FRAME_LEN_MAX, Never, SendError, SseBody, sse};
/// The crate whose events, limits and errors stand in this crate's interface.
pub use sseam;
pub use text::{AnswerText, answer_text};
pub use whole::{WholeEvents, whole_events};

/// What a task owns may be moved to another thread.
const fn can_be_sent<T: Send + Sync + Unpin>() {}

const _: () = {
    can_be_sent::<Events<String>>();
    can_be_sent::<BytesEvents<String>>();
    can_be_sent::<(BytesEvent, Outgoing)>();
    can_be_sent::<Rejected<String>>();
    can_be_sent::<AnswerStream<String>>();
    can_be_sent::<AnswerText<String>>();
    can_be_sent::<Observed<String, fn(Observation)>>();
    can_be_sent::<ChunkBody<()>>();
    can_be_sent::<SseBody<(), ()>>();
    can_be_sent::<WholeEvents<String, ()>>();
};

#[cfg(feature = "tokio")]
const _: () = can_be_sent::<ReadBody<&[u8]>>();

#[cfg(feature = "codec")]
const _: () = can_be_sent::<EventCodec>();

/// The page on async HTTP is run with the documentation.
#[cfg(all(doctest, feature = "tokio", feature = "codec"))]
#[doc = include_str!("../../../docs/http.md")]
struct Page;
