//! Signals come in, tool calls go out, once each is whole.

use std::fmt;

use sseam_llm::Signal;

/// A tool call that its API has ended, with arguments that are whole.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// What signals name it by; unique within the answer.
    pub key: u32,
    /// The API's id of the call, which its result is sent back with; empty where it
    /// gives none.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments: one JSON value, or the text of a tool that takes text.
    pub arguments: String,
    /// The caller is to run it. Others ran at the server.
    pub is_client: bool,
}

/// Gathers the tool calls of an answer.
///
/// Show it every signal. It gives a call when that is closed, and never before; run
/// it once [`Outcome::may_run_calls`](sseam_llm::Outcome::may_run_calls) says so.
///
/// ```
/// use sseam::llm::{Dialect, Turn};
/// use sseam::{AnswerReader, Calls};
///
/// let stream = br#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1",
/// data: "function":{"name":"add","arguments":"{\"a\":"}}]}}]}
///
/// data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}}]}
///
/// data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}
///
/// data: [DONE]
///
/// "#;
/// let mut reader = AnswerReader::new(&stream[..], Turn::new(Dialect::OpenAiChat));
/// let mut calls = Calls::new();
/// let mut whole = Vec::new();
/// while let Some(heard) = reader.next_heard()? {
///     whole.extend(heard.signals.filter_map(|signal| calls.take(&signal)));
/// }
/// assert!(reader.outcome().may_run_calls());
/// assert_eq!((&*whole[0].name, &*whole[0].arguments), ("add", "{\"a\":1}"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Bounds
///
/// A call holds what its stream sent, and lives on the heap: the length of an answer
/// is bounded by who reads it. An open call costs memory until the collector is
/// dropped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calls {
    open: Vec<Call>,
}

impl Calls {
    /// No calls.
    pub const fn new() -> Self {
        Calls { open: Vec::new() }
    }

    /// Takes a signal; gives the call that it closes.
    pub fn take(&mut self, signal: &Signal<'_>) -> Option<Call> {
        match signal {
            Signal::ToolOpened {
                key,
                id,
                name,
                is_client,
            } => self.open.push(Call {
                key: *key,
                id: id.to_string(),
                name: name.to_string(),
                arguments: String::new(),
                is_client: *is_client,
            }),
            Signal::ToolArguments { key, piece } => {
                if let Some(call) = self.open.iter_mut().find(|call| call.key == *key) {
                    piece
                        .parts()
                        .for_each(|part| call.arguments.push_str(&part));
                }
            }
            Signal::ToolClosed { key } => {
                let at = self.open.iter().position(|call| call.key == *key)?;
                return Some(self.open.remove(at));
            }
            _ => {}
        }
        None
    }

    /// Those that are not closed: to be shown, never to be run.
    pub fn open(&self) -> &[Call] {
        &self.open
    }
}

/// Shows lengths, not content.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("key", &self.key)
            .field("is_client", &self.is_client)
            .field("arguments_len", &self.arguments.len())
            .finish_non_exhaustive()
    }
}
