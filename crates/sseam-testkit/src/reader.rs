//! A second opinion on the answers of AI APIs: the same bytes, read anew.
//!
//! In: a whole stream that ended cleanly, and what to read it as. Out: what
//! was [`Seen`]. Written from the description of the APIs alone, without a look
//! at the crate that it judges. It knows no chunks, limits or memory: each rule
//! stands in words at the top of the file that obeys it, then naively in code.
//!
//! The rules of all APIs, of which the heaviest wins:
//!
//! 1. A failure that is told anywhere is a failure: exit 12. So is a splice of
//!    two answers, and an answer that the server cancelled.
//! 2. Without the API's own end the answer is truncated: exit 20, whatever
//!    else was seen.
//! 3. A refusal is a refusal, however politely the API ends: exit 11.
//! 4. An answer is incomplete, exit 10, if the API says so, or a call of the
//!    client's tools is open, or a repeat shows that a part was lost, or an
//!    event was unreadable before the end; the reason is the first of these.
//! 5. Everything else is completed: exit 0, and empty if nothing came.
//!
//! After the API's own end, failures, finish reasons and usage still count;
//! output does not, and what is unreadable is only a note.

mod json; // Text -> JSON, or what else it is.
mod lines; // A stream -> events and ignored lines; what is no event stream.
mod words; // The words with which APIs end -> one table.
mod faults; // JSON -> a failure, wherever it stands.
mod usage; // Numbers that are told again and again -> one number.
mod calls; // Pieces of tool calls -> calls, whole or open.
mod answer; // What all APIs have in common; the verdict.
mod drive; // The way of each event through an API; what an API has to say.
mod chat; // OpenAI Chat Completions and its many relatives.
mod responses; // OpenAI Responses.
mod items; // Its items and parts, and what repeats them.
mod anthropic; // Anthropic Messages.
mod gemini; // Gemini.
mod partial; // Its arguments in pieces, each with a path.
mod interactions; // Gemini Interactions.
mod cohere; // Cohere v2.
mod mcp; // MCP, both revisions.
mod plain; // No API at all.
mod auto; // Which of these it is.

use crate::field::{Mode, Seen};
use answer::Answer;
use drive::Api;
use lines::Stream;

/// Reads a whole stream as `dialect`: one of [`DIALECTS`].
///
/// `choice` is whose text and calls are given out, where an API has several.
/// With `wants_reasoning`, reasoning stands in the text as well.
///
/// # Panics
///
/// If there is no such dialect.
pub fn read(dialect: &str, mode: Mode, choice: u64, wants_reasoning: bool, stream: &[u8]) -> Seen {
    let stream = Stream::new(stream);
    let answer = Answer::new(mode, choice, wants_reasoning);
    match dialect {
        "plain" => plain::read(&stream, mode),
        "auto" => auto::read(&stream, answer),
        _ => read_as(dialect, &stream, answer),
    }
}

/// The names that [`read`] knows.
pub const DIALECTS: &[&str] = &[
    "plain",
    "openai-chat",
    "openai-responses",
    "anthropic",
    "gemini",
    "gemini-interactions",
    "cohere",
    "mcp-2025",
    "mcp-2026",
    "auto",
];

fn read_as(dialect: &str, stream: &Stream, answer: Answer) -> Seen {
    let mut api: Box<dyn Api> = match dialect {
        "openai-chat" => Box::new(chat::Chat::default()),
        "openai-responses" => Box::new(responses::Responses::default()),
        "anthropic" => Box::new(anthropic::Anthropic::default()),
        "gemini" => Box::new(gemini::Gemini::default()),
        "gemini-interactions" => Box::new(interactions::Interactions::default()),
        "cohere" => Box::new(cohere::Cohere::default()),
        "mcp-2025" => Box::new(mcp::Mcp::new(true)),
        "mcp-2026" => Box::new(mcp::Mcp::new(false)),
        _ => panic!("no dialect is named {dialect}"),
    };
    let mut seen = drive::drive(api.as_mut(), answer, stream);
    seen.dialect = dialect.to_owned();
    seen
}
