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
    /// The API says that all is there, and a call that the caller is to run is
    /// not whole.
    OpenCall,
    /// The API says that all is there, and something of it did not come: what
    /// repeats the output differs from it, or the caller did not show all items.
    Lost,
    /// The API says that all is there, and an event that may have held output
    /// could not be read.
    Unreadable,
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
            Reason::OpenCall => "open_call",
            Reason::Lost => "lost",
            Reason::Unreadable => "unreadable",
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
            | Reason::Reconnect
            | Reason::OpenCall
            | Reason::Lost
            | Reason::Unreadable => Weight::Incomplete,
            Reason::ModelRefused | Reason::PromptBlocked | Reason::OutputBlocked => Weight::Refused,
            Reason::Cancelled => Weight::Cancelled,
            Reason::Error => Weight::Failed,
        }
    }

    /// Whether a call whose arguments are whole may be run when its answer, or
    /// its choice, ends for this reason.
    pub(crate) const fn ends_calls(self) -> bool {
        matches!(self.weight(), Weight::Completed | Weight::Incomplete)
    }

    /// What an API's word for its end means; nothing for a word that says that
    /// there is no end yet.
    pub(crate) fn of(word: &[u8]) -> Option<Reason> {
        let word = bare(word);
        if word.is_empty() || GOES_ON.iter().any(|name| is_word(word, name)) {
            return None;
        }
        Some(Reason::known(word).unwrap_or(Reason::Other))
    }

    /// What a word means, if it is in the table.
    pub(crate) fn known(word: &[u8]) -> Option<Reason> {
        let word = bare(word);
        let mut rows = WORDS.iter();
        let row = rows.find(|(name, _)| is_word(word, name));
        let of_prefix = || {
            let mut rows = PREFIXES.iter();
            rows.find(|(prefix, _)| strip_prefix(word, prefix.as_bytes()).len() < word.len())
        };
        row.or_else(of_prefix).map(|(_, reason)| *reason)
    }
}

/// Whether a word is that of the table: case does not count, and `-`, `_` and
/// blanks are one.
fn is_word(word: &[u8], name: &str) -> bool {
    word.len() == name.len() && word.iter().zip(name.bytes()).all(|(a, b)| folded(*a) == b)
}

/// A word without what some servers put before it: the name of its type.
fn bare(word: &[u8]) -> &[u8] {
    let names: [&[u8]; 3] = [b"finish_reason_", b"stop_reason_", b"finishreason."];
    let word = word.trim_ascii();
    names
        .iter()
        .fold(word, |word, name| strip_prefix(word, name))
}

fn strip_prefix<'w>(word: &'w [u8], prefix: &[u8]) -> &'w [u8] {
    match word.split_at_checked(prefix.len()) {
        Some((head, rest))
            if head
                .iter()
                .zip(prefix)
                .all(|(a, b)| folded(*a) == folded(*b)) =>
        {
            rest
        }
        _ => word,
    }
}

const fn folded(byte: u8) -> u8 {
    match byte {
        b'-' | b' ' => b'_',
        _ => byte.to_ascii_lowercase(),
    }
}

/// Words that stand where a reason would, before there is one.
const GOES_ON: &[&str] = &[
    "null",
    "none",
    "unspecified",
    "in_progress",
    "queued",
    "pending",
];

/// The words of all APIs, since gateways mix them: a table takes less code than a
/// match.
const WORDS: &[(&str, Reason)] = &[
    ("stop", Reason::Stop),
    ("end_turn", Reason::Stop),
    ("complete", Reason::Stop),
    ("completed", Reason::Stop),
    ("stop_sequence", Reason::StopSequence),
    ("tool_calls", Reason::ToolCalls),
    ("tool_call", Reason::ToolCalls),
    ("tool_use", Reason::ToolCalls),
    ("function_call", Reason::ToolCalls),
    ("requires_action", Reason::ToolCalls),
    ("length", Reason::MaxOutput),
    ("max_tokens", Reason::MaxOutput),
    ("max_output_tokens", Reason::MaxOutput),
    ("model_length", Reason::ContextWindow),
    ("model_context_window_exceeded", Reason::ContextWindow),
    ("context_length_exceeded", Reason::ContextWindow),
    ("pause_turn", Reason::Paused),
    ("compaction", Reason::Paused),
    ("content_filter", Reason::ContentFilter),
    ("content_filtered", Reason::ContentFilter),
    ("guardrail_intervened", Reason::ContentFilter),
    ("sensitive", Reason::ContentFilter),
    ("incomplete", Reason::Unfinished),
    ("budget_exceeded", Reason::Unfinished),
    ("refusal", Reason::ModelRefused),
    ("safety", Reason::OutputBlocked),
    ("recitation", Reason::OutputBlocked),
    ("blocklist", Reason::OutputBlocked),
    ("prohibited_content", Reason::OutputBlocked),
    ("spii", Reason::OutputBlocked),
    ("language", Reason::OutputBlocked),
    ("model_armor", Reason::OutputBlocked),
    ("error", Reason::Error),
    ("failed", Reason::Error),
    ("timeout", Reason::Error),
    ("network_error", Reason::Error),
    ("insufficient_system_resource", Reason::Error),
    ("unexpected_tool_call", Reason::Error),
    ("too_many_tool_calls", Reason::Error),
    ("no_image", Reason::Error),
    // Gemini's word for a fault that it does not name.
    ("other", Reason::Error),
    ("cancelled", Reason::Cancelled),
    ("canceled", Reason::Cancelled),
    ("abort", Reason::Cancelled),
    ("aborted", Reason::Cancelled),
];

/// How words of a whole family begin.
const PREFIXES: &[(&str, Reason)] = &[
    ("image_", Reason::OutputBlocked),
    ("malformed_", Reason::Error),
];
