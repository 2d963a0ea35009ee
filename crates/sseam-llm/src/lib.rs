#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

// An event passes these top to bottom.
mod dialect; // Stage 0: the names of the APIs.
mod short; // Stage 0: bounded text that a turn keeps.
mod markers; // Stage 0: what a caller tells about an API of its own.
mod fault; // Stage 0: why bytes are not JSON.
mod scan; // Stage 1: bytes -> lengths of tokens.
mod json; // Stage 1: an event's data -> keys, strings, spans.
mod piece; // Stage 1: a string's body -> text.
mod parts; // Stage 1: a string's body -> its text, part by part.
mod path; // Stage 1: one field by its path.
mod reason; // Stage 2: an API's word for why it ended -> a common reason.
mod unit; // Stage 2: what an event says, in the terms of all APIs.
mod auto; // Stage 2: an event's shape -> its API.
mod responses; // Stage 2: OpenAI Responses -> unit.
mod chat; // Stage 2: OpenAI Chat Completions and compatible servers -> unit.
mod anthropic; // Stage 2: Anthropic Messages -> unit.
mod gemini; // Stage 2: Gemini -> unit.
mod interactions; // Stage 2: Gemini Interactions -> unit.
mod cohere; // Stage 2: Cohere -> unit.
mod mcp; // Stage 2: MCP -> unit.
mod plain; // Stage 2: no known API -> unit.
mod body; // Stage 2: a body that is no event stream -> whether it is an error.
mod sets; // Stage 3: open calls and choices.
mod state; // Stage 3: what a turn has come to.
mod signal; // Stage 3: what an event says, for callers.
mod signals; // Stage 3: unit -> signals, and what they change.
mod reading; // Stage 3: an event's data -> unit, by its dialect.
mod outcome; // Stage 4: what became of the answer.
mod turn; // Stage 4: events -> signals and, in the end, the outcome.
mod ending; // Stage 4: how a stream ended -> what that makes of the answer.
mod batch; // Stage 5: pieces of text -> fewer, for displays.

pub use batch::TextBatch;
pub use dialect::{Dialect, Mode, UnknownDialect, UnknownMode};
pub use fault::{JsonError, JsonFault};
pub use json::JSON_DEPTH_MAX;
pub use markers::{MARKERS_LEN_MAX, Markers, MarkersFull, RequestId};
pub use outcome::{
    CURSOR_LEN_MAX, CancelledBy, Close, Cursor, Ending, Excess, Outcome, Recovery, Resubscribe,
    Seen, Timeout, TransportEnd, Truncation,
};
pub use parts::{Part, Parts};
pub use path::{Payload, Value, ValueKind, find};
pub use piece::{BufferTooShort, Piece};
pub use reason::Reason;
pub use sets::{CHOICES_MAX, OPEN_CALLS_MAX};
pub use short::Short;
pub use signal::{Signal, Usage};
pub use signals::Signals;
pub use state::CODE_LEN_MAX;
pub use turn::{DRAIN_BYTES_MAX, DRAIN_MILLIS_MAX, Turn};
