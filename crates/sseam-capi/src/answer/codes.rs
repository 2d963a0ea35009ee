//! The numbers of the header. A number, once given out, keeps its meaning; what a
//! newer `sseam-llm` knows and this header does not is `OTHER`.

/// Which API's events these are. Take one that you do not know as some other.
pub type DialectCode = i32;
/// The API is found out from the first event whose shape is known.
pub const SSEAM_DIALECT_AUTO: i32 = 0;
/// No API: each event's data is text, and only a clean end is known.
pub const SSEAM_DIALECT_PLAIN: i32 = 1;
/// No known API: plain, and markers say where the text is and what ends it.
pub const SSEAM_DIALECT_CUSTOM: i32 = 2;
/// OpenAI Responses.
pub const SSEAM_DIALECT_OPENAI_RESPONSES: i32 = 3;
/// OpenAI Chat Completions, and servers compatible with it.
pub const SSEAM_DIALECT_OPENAI_CHAT: i32 = 4;
/// Anthropic Messages.
pub const SSEAM_DIALECT_ANTHROPIC: i32 = 5;
/// Gemini `streamGenerateContent?alt=sse`.
pub const SSEAM_DIALECT_GEMINI: i32 = 6;
/// Gemini Interactions.
pub const SSEAM_DIALECT_GEMINI_INTERACTIONS: i32 = 7;
/// Cohere v2 chat.
pub const SSEAM_DIALECT_COHERE: i32 = 8;
/// MCP Streamable HTTP, revisions 2025-03-26 to 2025-11-25.
pub const SSEAM_DIALECT_MCP_2025: i32 = 9;
/// MCP Streamable HTTP, revision 2026-07-28.
pub const SSEAM_DIALECT_MCP_2026: i32 = 10;

/// What counts as the end of an answer.
pub type ModeCode = i32;
/// What first-party servers and well-behaved compatible ones send.
pub const SSEAM_MODE_DEFAULT: i32 = 0;
/// Everything that the API's own documents promise.
pub const SSEAM_MODE_STRICT: i32 = 1;
/// The first thing that says why the answer ended; for careless proxies. A last
/// event without its blank line counts too.
pub const SSEAM_MODE_LENIENT: i32 = 2;

/// What a signal says. Take one that you do not know as `SSEAM_SIGNAL_OTHER`.
pub type SignalKind = i32;
/// A piece of output text of the chosen choice, in `text`.
pub const SSEAM_SIGNAL_TEXT: i32 = 1;
/// A piece of reasoning, in `text`: thoughts, their summary, a tool plan.
pub const SSEAM_SIGNAL_REASONING: i32 = 2;
/// A piece of the words with which the model declines, in `text`.
pub const SSEAM_SIGNAL_REFUSAL: i32 = 3;
/// A tool call began: `key`, its id in `code`, the tool's name in `text`. You are to
/// run it if the flag `SSEAM_SIGNAL_IS_CLIENT` is set; others run at the server.
pub const SSEAM_SIGNAL_TOOL_OPENED: i32 = 4;
/// A piece of the arguments of the call `key`, in `text`; all pieces together
/// are JSON. See `sseam_calls_observe`.
pub const SSEAM_SIGNAL_TOOL_ARGUMENTS: i32 = 5;
/// The API ended the call `key`, and its arguments are whole. Run it when the outcome
/// says `SSEAM_OUTCOME_MAY_RUN_CALLS`.
pub const SSEAM_SIGNAL_TOOL_CLOSED: i32 = 6;
/// Output of a choice that was not chosen: `choice`.
pub const SSEAM_SIGNAL_OTHER_CHOICE: i32 = 7;
/// A choice, or the whole answer, has ended: `choice`, `reason`, and the API's own
/// word in `text`.
pub const SSEAM_SIGNAL_FINISH: i32 = 8;
/// Tokens used, in `usage`, as far as this event tells.
pub const SSEAM_SIGNAL_USAGE: i32 = 9;
/// Nothing but a sign of life.
pub const SSEAM_SIGNAL_KEEP_ALIVE: i32 = 10;
/// The answer is over. Usage and late errors may follow; text does not count.
pub const SSEAM_SIGNAL_TERMINAL: i32 = 11;
/// The server reports a failure: `code`, and a message for people in `text`.
pub const SSEAM_SIGNAL_ERROR: i32 = 12;
/// The data is not the JSON that it ought to be, from its byte `offset` on, and may
/// have been output. The stream goes on, and the answer is never complete.
pub const SSEAM_SIGNAL_UNREADABLE: i32 = 13;
/// Anything else, also what is not known yet.
pub const SSEAM_SIGNAL_OTHER: i32 = 14;
/// The answer's own id in `code`, and in `text` the model that gives it; either may
/// be empty.
pub const SSEAM_SIGNAL_ANSWER: i32 = 15;

/// Why an answer ended, over all APIs. Take one that you do not know as
/// `SSEAM_REASON_OTHER`.
pub type ReasonCode = i32;
/// None was given.
pub const SSEAM_REASON_NONE: i32 = 0;
/// The model had said all.
pub const SSEAM_REASON_STOP: i32 = 1;
/// A stop sequence of yours came up.
pub const SSEAM_REASON_STOP_SEQUENCE: i32 = 2;
/// You have to run tools.
pub const SSEAM_REASON_TOOL_CALLS: i32 = 3;
/// A word that is not known.
pub const SSEAM_REASON_OTHER: i32 = 4;
/// The output budget ran out.
pub const SSEAM_REASON_MAX_OUTPUT: i32 = 5;
/// The context window is full.
pub const SSEAM_REASON_CONTEXT_WINDOW: i32 = 6;
/// The server paused; it wants to be asked to go on.
pub const SSEAM_REASON_PAUSED: i32 = 7;
/// A filter took or cut the answer.
pub const SSEAM_REASON_CONTENT_FILTER: i32 = 8;
/// Incomplete, and the server does not say more.
pub const SSEAM_REASON_UNFINISHED: i32 = 9;
/// The server closed on purpose and expects you back.
pub const SSEAM_REASON_RECONNECT: i32 = 10;
/// The model declined.
pub const SSEAM_REASON_MODEL_REFUSED: i32 = 11;
/// A filter blocked the prompt.
pub const SSEAM_REASON_PROMPT_BLOCKED: i32 = 12;
/// A filter stopped the output.
pub const SSEAM_REASON_OUTPUT_BLOCKED: i32 = 13;
/// The server cancelled.
pub const SSEAM_REASON_CANCELLED: i32 = 14;
/// It went wrong on the server's side.
pub const SSEAM_REASON_ERROR: i32 = 15;
/// The API says that all is there, and a call that you are to run is not whole.
pub const SSEAM_REASON_OPEN_CALL: i32 = 16;
/// The API says that all is there, and something of it did not come.
pub const SSEAM_REASON_LOST: i32 = 17;
/// The API says that all is there, and an event that may have held output could not
/// be read.
pub const SSEAM_REASON_UNREADABLE: i32 = 18;

/// What became of an answer. Take one that you do not know as a failure.
pub type OutcomeKind = i32;
/// The API's own terminal was seen, and it says that all is there: `reason`.
pub const SSEAM_OUTCOME_COMPLETED: i32 = 1;
/// A stream without a terminal was read to its clean end; the rest is not known.
pub const SSEAM_OUTCOME_ENDED: i32 = 2;
/// There is more, or there would be: `reason`.
pub const SSEAM_OUTCOME_INCOMPLETE: i32 = 3;
/// The model or a filter declined: `reason`.
pub const SSEAM_OUTCOME_REFUSED: i32 = 4;
/// The server reported a failure in the stream: `code`.
pub const SSEAM_OUTCOME_FAILED: i32 = 5;
/// Cancelled, by the server (`cause` is 0) or by you (`SSEAM_CLOSE_CANCELLED`).
pub const SSEAM_OUTCOME_CANCELLED: i32 = 6;
/// The stream broke off before the terminal; `cause` is how.
pub const SSEAM_OUTCOME_TRUNCATED: i32 = 7;
/// You gave up waiting; `cause` is for what.
pub const SSEAM_OUTCOME_TIMED_OUT: i32 = 8;
/// Something did not fit, and the answer may be lacking it; `cause` is the
/// `SSEAM_LIMIT_...`.
pub const SSEAM_OUTCOME_LIMIT_EXCEEDED: i32 = 9;
/// The stream is not valid UTF-8, and you want it to be.
pub const SSEAM_OUTCOME_INVALID_TEXT: i32 = 10;
/// The HTTP status, `cause`, said that there is no answer.
pub const SSEAM_OUTCOME_FAILED_STATUS: i32 = 11;
/// The body is no event stream.
pub const SSEAM_OUTCOME_NOT_EVENT_STREAM: i32 = 12;
/// There was no connection, or it broke before the answer began.
pub const SSEAM_OUTCOME_TRANSPORT_FAILED: i32 = 13;
/// One that this header has no name for.
pub const SSEAM_OUTCOME_OTHER: i32 = 14;

/// `cause`: event memory, which could not grow.
pub const SSEAM_LIMIT_MEMORY: i32 = 7;
/// `cause`: more open tool calls, or choices, than an answer keeps track of.
pub const SSEAM_LIMIT_TRACKED: i32 = 8;

/// What a body is that is no event stream. Take one that you do not know as some
/// other.
pub type ForeignCode = i32;
/// Not known to be anything but an event stream.
pub const SSEAM_FOREIGN_NONE: i32 = 0;
/// An HTTP response whose head was taken for the body.
pub const SSEAM_FOREIGN_HTTP_HEAD: i32 = 1;
/// An HTTP body in chunks that nobody took apart.
pub const SSEAM_FOREIGN_CHUNK_SIZES: i32 = 2;
/// Data compressed by gzip.
pub const SSEAM_FOREIGN_GZIP: i32 = 3;
/// Data compressed by zstd.
pub const SSEAM_FOREIGN_ZSTD: i32 = 4;
/// Text in UTF-16.
pub const SSEAM_FOREIGN_UTF16: i32 = 5;
/// An HTML page.
pub const SSEAM_FOREIGN_HTML: i32 = 6;
/// An XML document.
pub const SSEAM_FOREIGN_XML: i32 = 7;
/// One JSON object in each line.
pub const SSEAM_FOREIGN_NDJSON: i32 = 8;
/// A JSON array, as Gemini streams it if it is not asked for events.
pub const SSEAM_FOREIGN_JSON_ARRAY: i32 = 9;
/// A JSON object that tells of an error.
pub const SSEAM_FOREIGN_JSON_ERROR: i32 = 10;
/// The whole answer of an AI API, where a stream was asked for or meant to be.
pub const SSEAM_FOREIGN_JSON_ANSWER: i32 = 11;
/// Any other JSON object.
pub const SSEAM_FOREIGN_JSON: i32 = 12;

/// What a source is to do next.
pub type WantsCode = i32;
/// Hang up: nothing more matters.
pub const SSEAM_WANTS_NOTHING: i32 = 0;
/// Read on: the answer is not over.
pub const SSEAM_WANTS_MORE: i32 = 1;
/// Read on until nothing comes for a while, and then end with
/// `SSEAM_CLOSE_SETTLED`: all choices have finished, or the API's own end came and
/// its reason may follow.
pub const SSEAM_WANTS_MORE_UNTIL_QUIET: i32 = 2;
