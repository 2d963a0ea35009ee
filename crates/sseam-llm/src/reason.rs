//! Stage 2, why an answer ended: the API's word in, a common reason out.

use crate::unit::lookup;

/// Why an answer ended, over all APIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The model had said all.
    Stop,
    /// A stop sequence of the caller's came up.
    StopSequence,
    /// The caller has to run tools.
    ToolCalls,
    /// An unknown word, or none.
    Other,
    /// The output budget ran out.
    MaxOutput,
    /// The context window is full.
    ContextWindow,
    /// The server paused; it wants to be asked to go on.
    Paused,
    /// A filter took or cut the answer.
    ContentFilter,
    /// Incomplete, and the server does not say more.
    Unfinished,
    /// The server closed on purpose and expects the client back.
    Reconnect,
    /// The model declined.
    ModelRefused,
    /// A filter blocked the prompt.
    PromptBlocked,
    /// A filter stopped the output.
    OutputBlocked,
    /// The server cancelled.
    Cancelled,
    /// It went wrong on the server's side.
    Error,
}

/// What a reason makes of the answer. A later one outweighs an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    Completed,
    Incomplete,
    Refused,
    Cancelled,
    Failed,
}

impl Reason {
    /// Its name in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Stop => "stop",
            Reason::StopSequence => "stop_sequence",
            Reason::ToolCalls => "tool_calls",
            Reason::Other => "other",
            Reason::MaxOutput => "max_output",
            Reason::ContextWindow => "context_window",
            Reason::Paused => "paused",
            Reason::ContentFilter => "content_filter",
            Reason::Unfinished => "unfinished",
            Reason::Reconnect => "reconnect",
            Reason::ModelRefused => "model_refused",
            Reason::PromptBlocked => "prompt_blocked",
            Reason::OutputBlocked => "output_blocked",
            Reason::Cancelled => "cancelled",
            Reason::Error => "error",
        }
    }

    pub(crate) const fn weight(self) -> Weight {
        match self {
            Reason::Stop | Reason::StopSequence | Reason::ToolCalls | Reason::Other => {
                Weight::Completed
            }
            Reason::MaxOutput
            | Reason::ContextWindow
            | Reason::Paused
            | Reason::ContentFilter
            | Reason::Unfinished
            | Reason::Reconnect => Weight::Incomplete,
            Reason::ModelRefused | Reason::PromptBlocked | Reason::OutputBlocked => Weight::Refused,
            Reason::Cancelled => Weight::Cancelled,
            Reason::Error => Weight::Failed,
        }
    }

    /// Whether a tool call that is open at this reason has all its arguments.
    pub(crate) const fn closes_calls(self) -> bool {
        matches!(self.weight(), Weight::Completed)
    }

    /// `finish_reason` of Chat Completions and compatible servers.
    pub(crate) fn of_chat(word: &[u8]) -> Reason {
        lookup(word, CHAT).unwrap_or(Reason::Other)
    }

    /// `stop_reason` of Anthropic Messages.
    pub(crate) fn of_anthropic(word: &[u8]) -> Reason {
        lookup(word, ANTHROPIC).unwrap_or(Reason::Other)
    }

    /// `finishReason` of Gemini; none for the one that means "not set".
    pub(crate) fn of_gemini(word: &[u8]) -> Option<Reason> {
        if word.is_empty() || word == b"FINISH_REASON_UNSPECIFIED" {
            return None;
        }
        let reason = lookup(word, GEMINI).unwrap_or(Reason::Other);
        Some(match reason {
            Reason::Other if word.starts_with(b"IMAGE_") => Reason::OutputBlocked,
            Reason::Other if word.starts_with(b"MALFORMED_") => Reason::Error,
            _ => reason,
        })
    }

    /// `finish_reason` of Cohere.
    pub(crate) fn of_cohere(word: &[u8]) -> Reason {
        lookup(word, COHERE).unwrap_or(Reason::Other)
    }

    /// `status` of a response of OpenAI Responses, or the last part of the type
    /// of the event that ends it.
    pub(crate) fn of_response_status(word: &[u8]) -> Reason {
        lookup(word, STATUS).unwrap_or(Reason::Other)
    }

    /// `incomplete_details.reason` of OpenAI Responses.
    pub(crate) fn of_incomplete_response(word: &[u8]) -> Reason {
        lookup(word, INCOMPLETE_RESPONSE).unwrap_or(Reason::Unfinished)
    }

    /// `status` of an interaction; none while it goes on.
    pub(crate) fn of_interaction_status(word: &[u8]) -> Option<Reason> {
        let goes_on = word.is_empty() || word == b"in_progress" || word == b"queued";
        (!goes_on).then(|| lookup(word, STATUS).unwrap_or(Reason::Other))
    }
}

/// The words of an API and what they mean: a table takes less code than a match.
type Table = &'static [(&'static str, Reason)];

const CHAT: Table = &[
    ("stop", Reason::Stop),
    ("tool_calls", Reason::ToolCalls),
    ("function_call", Reason::ToolCalls),
    ("length", Reason::MaxOutput),
    ("max_tokens", Reason::MaxOutput),
    ("content_filter", Reason::ContentFilter),
    ("error", Reason::Error),
    // DeepSeek.
    ("insufficient_system_resource", Reason::Error),
    // Mistral.
    ("model_length", Reason::ContextWindow),
    // vLLM.
    ("abort", Reason::Cancelled),
    // GLM.
    ("sensitive", Reason::ContentFilter),
    ("network_error", Reason::Error),
    ("model_context_window_exceeded", Reason::ContextWindow),
];

const ANTHROPIC: Table = &[
    ("end_turn", Reason::Stop),
    ("stop_sequence", Reason::StopSequence),
    ("tool_use", Reason::ToolCalls),
    ("max_tokens", Reason::MaxOutput),
    ("model_context_window_exceeded", Reason::ContextWindow),
    ("pause_turn", Reason::Paused),
    ("compaction", Reason::Paused),
    ("refusal", Reason::ModelRefused),
];

const GEMINI: Table = &[
    ("STOP", Reason::Stop),
    ("MAX_TOKENS", Reason::MaxOutput),
    ("SAFETY", Reason::OutputBlocked),
    ("RECITATION", Reason::OutputBlocked),
    ("BLOCKLIST", Reason::OutputBlocked),
    ("PROHIBITED_CONTENT", Reason::OutputBlocked),
    ("SPII", Reason::OutputBlocked),
    ("LANGUAGE", Reason::OutputBlocked),
    ("UNEXPECTED_TOOL_CALL", Reason::Error),
    ("TOO_MANY_TOOL_CALLS", Reason::Error),
    ("NO_IMAGE", Reason::Error),
    ("OTHER", Reason::Error),
];

const COHERE: Table = &[
    ("COMPLETE", Reason::Stop),
    ("STOP_SEQUENCE", Reason::StopSequence),
    ("TOOL_CALL", Reason::ToolCalls),
    ("MAX_TOKENS", Reason::MaxOutput),
    ("ERROR", Reason::Error),
    ("TIMEOUT", Reason::Error),
];

/// Of responses and of interactions; each has some that the other has not.
const STATUS: Table = &[
    ("completed", Reason::Stop),
    ("requires_action", Reason::ToolCalls),
    ("incomplete", Reason::Unfinished),
    ("budget_exceeded", Reason::Unfinished),
    ("failed", Reason::Error),
    ("cancelled", Reason::Cancelled),
];

const INCOMPLETE_RESPONSE: Table = &[
    ("max_output_tokens", Reason::MaxOutput),
    ("content_filter", Reason::ContentFilter),
];
