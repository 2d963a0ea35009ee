//! Stage 2, why an answer ended: the API's word in, a common reason out.

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
        match word {
            b"stop" => Reason::Stop,
            b"tool_calls" | b"function_call" => Reason::ToolCalls,
            b"length" | b"max_tokens" => Reason::MaxOutput,
            b"model_length" | b"model_context_window_exceeded" => Reason::ContextWindow,
            b"content_filter" | b"sensitive" => Reason::ContentFilter,
            b"error" | b"insufficient_system_resource" | b"network_error" => Reason::Error,
            b"abort" => Reason::Cancelled,
            _ => Reason::Other,
        }
    }

    /// `stop_reason` of Anthropic Messages.
    pub(crate) fn of_anthropic(word: &[u8]) -> Reason {
        match word {
            b"end_turn" => Reason::Stop,
            b"stop_sequence" => Reason::StopSequence,
            b"tool_use" => Reason::ToolCalls,
            b"max_tokens" => Reason::MaxOutput,
            b"model_context_window_exceeded" => Reason::ContextWindow,
            b"pause_turn" | b"compaction" => Reason::Paused,
            b"refusal" => Reason::ModelRefused,
            _ => Reason::Other,
        }
    }

    /// `finishReason` of Gemini; none for the one that means "not set".
    pub(crate) fn of_gemini(word: &[u8]) -> Option<Reason> {
        Some(match word {
            b"STOP" => Reason::Stop,
            b"MAX_TOKENS" => Reason::MaxOutput,
            b"SAFETY"
            | b"RECITATION"
            | b"BLOCKLIST"
            | b"PROHIBITED_CONTENT"
            | b"SPII"
            | b"LANGUAGE" => Reason::OutputBlocked,
            b"UNEXPECTED_TOOL_CALL" | b"TOO_MANY_TOOL_CALLS" | b"OTHER" | b"NO_IMAGE" => {
                Reason::Error
            }
            b"" | b"FINISH_REASON_UNSPECIFIED" => return None,
            _ if word.starts_with(b"IMAGE_") => Reason::OutputBlocked,
            _ if word.starts_with(b"MALFORMED_") => Reason::Error,
            _ => Reason::Other,
        })
    }

    /// `finish_reason` of Cohere.
    pub(crate) fn of_cohere(word: &[u8]) -> Reason {
        match word {
            b"COMPLETE" => Reason::Stop,
            b"STOP_SEQUENCE" => Reason::StopSequence,
            b"TOOL_CALL" => Reason::ToolCalls,
            b"MAX_TOKENS" => Reason::MaxOutput,
            b"ERROR" | b"TIMEOUT" => Reason::Error,
            _ => Reason::Other,
        }
    }

    /// `status` of a response of OpenAI Responses.
    pub(crate) fn of_response_status(word: &[u8]) -> Reason {
        match word {
            b"completed" => Reason::Stop,
            b"incomplete" => Reason::Unfinished,
            b"failed" => Reason::Error,
            b"cancelled" => Reason::Cancelled,
            _ => Reason::Other,
        }
    }

    /// `incomplete_details.reason` of OpenAI Responses.
    pub(crate) fn of_incomplete_response(word: &[u8]) -> Reason {
        match word {
            b"max_output_tokens" => Reason::MaxOutput,
            b"content_filter" => Reason::ContentFilter,
            _ => Reason::Unfinished,
        }
    }

    /// `status` of an interaction; none while it goes on.
    pub(crate) fn of_interaction_status(word: &[u8]) -> Option<Reason> {
        Some(match word {
            b"completed" => Reason::Stop,
            b"requires_action" => Reason::ToolCalls,
            b"incomplete" | b"budget_exceeded" => Reason::Unfinished,
            b"failed" => Reason::Error,
            b"cancelled" => Reason::Cancelled,
            b"" | b"in_progress" | b"queued" => return None,
            _ => Reason::Other,
        })
    }
}
