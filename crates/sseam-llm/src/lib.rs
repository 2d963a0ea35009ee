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
mod complete; // Stage 1: a call's arguments -> whether they are one JSON value.
mod path; // Stage 1: one field by its path.
mod reason; // Stage 2: an API's word for why it ended -> a common reason.
mod failure; // Stage 2: an error of any shape -> code and message.
mod usage; // Stage 2: an API's token counts -> the same with one meaning.
mod due; // Stage 2: what of an event is still to be said.
mod list; // Stage 2: lists within an event, element by element.
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
mod body; // Stage 2: JSON where events ought to be -> whether it is an error.
mod foreign; // Stage 2: what a body can be that is no event stream.
mod chunked; // Stage 2: a body's bytes -> whether HTTP's chunk sizes are in it.
mod inspect; // Stage 2: a body's first bytes -> what it is, if no event stream.
mod reading; // Stage 2: an event's data -> unit, by its dialect.
mod choices; // Stage 3: which choices were seen and have finished.
mod calls; // Stage 3: which call a piece belongs to, and whether it is whole.
mod partial; // Stage 3: arguments as paths and values -> JSON text.
mod repeats; // Stage 3: what was told before.
mod origin; // Stage 3: whose answer it is, and whether a second one begins.
mod state; // Stage 3: what a turn has come to.
mod log; // Stage 3: what was decided about an event.
mod fold; // Stage 3: a unit acts on the state; the only place where it does.
mod signal; // Stage 3: what an event says, for callers.
mod signals; // Stage 3: unit and log -> signals.
mod ends; // Stage 4: the ways of ending.
mod outcome; // Stage 4: what became of the answer.
mod turn; // Stage 4: events -> signals and, in the end, the outcome.
mod ending; // Stage 4: how a stream ended -> what that makes of the answer.
mod answer; // Stage 5: chunks -> items and signals, and in the end the outcome.
mod batch; // Stage 5: pieces of text -> fewer, for displays.

pub use answer::{Answer, Heard, LINE_LEN_MIN, Next, SETTLE_DEFAULT, Wants};
pub use batch::TextBatch;
pub use calls::OPEN_CALLS_MAX;
pub use choices::CHOICES_MAX;
pub use dialect::{Dialect, Mode, UnknownDialect, UnknownMode};
pub use ends::{CancelledBy, Close, Ending, Excess, Timeout, TransportEnd, Truncation};
pub use fault::{JsonError, JsonFault};
pub use foreign::Foreign;
pub use json::JSON_DEPTH_MAX;
pub use markers::{MARKERS_LEN_MAX, Markers, MarkersFull, RequestId};
pub use origin::ORIGIN_LEN_MAX;
pub use outcome::{CURSOR_LEN_MAX, Cursor, Outcome, Place, Recovery, Resubscribe, Seen};
pub use parts::{Part, Parts};
pub use path::{Payload, Value, ValueKind, find};
pub use piece::{BufferTooShort, Piece};
pub use reason::Reason;
pub use short::Short;
pub use signal::Signal;
pub use signals::Signals;
pub use state::{CODE_LEN_MAX, MESSAGE_LEN_MAX};
pub use turn::{DRAIN_BYTES_MAX, DRAIN_MILLIS_MAX, Turn};
pub use usage::Usage;
