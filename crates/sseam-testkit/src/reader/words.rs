//! The words with which APIs end an answer -> what they mean.
//!
//! Rules: one table for all APIs. Case does not matter; `-`, `_` and blanks are
//! alike; the prefixes `FINISH_REASON_` and `STOP_REASON_` say nothing. No word
//! is no finish: null, "", the string "null", and what is no string. A word
//! that is not in the table completes the answer as `other`, where the API's
//! own end came; it does not end an answer by itself.

use serde_json::Value;

/// What an ending means; the greater weighs more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// All is there.
    Completed,
    /// There would be more.
    Incomplete,
    /// The model or a filter declined.
    Refused,
    /// The server cancelled.
    Cancelled,
    /// The server failed.
    Failed,
}

/// One ending; the greater weighs more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ending {
    pub(super) kind: Kind,
    /// Among endings of one kind.
    weight: u8,
    pub(super) reason: &'static str,
}

/// A word, and whether the table has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) ending: Ending,
    pub(super) is_known: bool,
}

/// The meaning of a finish reason; `None` if it is no finish.
pub(super) fn word(value: &Value) -> Option<Word> {
    let word = plain(value.as_str()?);
    if word.is_empty() || word == "null" {
        return None;
    }
    let ending = |reason| TABLE.iter().find(|entry| entry.0 == reason);
    let image = ending("safety").filter(|_| word.starts_with("image_"));
    Some(match ending(&word).or(image) {
        Some(&(_, kind, weight, reason)) => Word {
            ending: Ending {
                kind,
                weight,
                reason,
            },
            is_known: true,
        },
        None => Word {
            ending: OTHER,
            is_known: false,
        },
    })
}

/// In small letters, with `_` between its parts, without prefixes.
pub(super) fn plain(word: &str) -> String {
    let word = word.trim().to_lowercase().replace(['-', ' '], "_");
    let stripped = PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix));
    stripped.unwrap_or(&word).to_owned()
}

/// A word that nobody knows.
pub(super) const OTHER: Ending = completed(0, "other");
/// The model had said all.
pub(super) const STOP: Ending = completed(1, "stop");
/// The server would go on, and does not say why it did not.
pub(super) const UNFINISHED: Ending = Ending {
    kind: Kind::Incomplete,
    weight: 0,
    reason: "unfinished",
};
/// The server expects the client to connect again.
pub(super) const RECONNECT: Ending = Ending {
    kind: Kind::Incomplete,
    weight: 5,
    reason: "reconnect",
};
/// The model's own words decline.
pub(super) const MODEL_REFUSED: Ending = Ending {
    kind: Kind::Refused,
    weight: 1,
    reason: "model_refused",
};
/// The prompt never reached the model.
pub(super) const PROMPT_BLOCKED: Ending = Ending {
    kind: Kind::Refused,
    weight: 2,
    reason: "prompt_blocked",
};
/// The server cancelled.
pub(super) const CANCELLED: Ending = Ending {
    kind: Kind::Cancelled,
    weight: 0,
    reason: "cancelled",
};
/// The server failed.
pub(super) const FAILED: Ending = Ending {
    kind: Kind::Failed,
    weight: 0,
    reason: "error",
};

const fn completed(weight: u8, reason: &'static str) -> Ending {
    Ending {
        kind: Kind::Completed,
        weight,
        reason,
    }
}

const PREFIXES: &[&str] = &["finish_reason_", "stop_reason_"];

use Kind::{Cancelled, Completed, Failed, Incomplete, Refused};

const TABLE: &[(&str, Kind, u8, &str)] = &[
    ("stop", Completed, 1, "stop"),
    ("end_turn", Completed, 1, "stop"),
    ("complete", Completed, 1, "stop"),
    ("completed", Completed, 1, "stop"),
    ("stop_sequence", Completed, 2, "stop_sequence"),
    ("tool_calls", Completed, 3, "tool_calls"),
    ("tool_call", Completed, 3, "tool_calls"),
    ("tool_use", Completed, 3, "tool_calls"),
    ("function_call", Completed, 3, "tool_calls"),
    ("requires_action", Completed, 3, "tool_calls"),
    ("length", Incomplete, 4, "max_output"),
    ("max_tokens", Incomplete, 4, "max_output"),
    ("max_output_tokens", Incomplete, 4, "max_output"),
    ("model_length", Incomplete, 4, "max_output"),
    (
        "model_context_window_exceeded",
        Incomplete,
        3,
        "context_window",
    ),
    ("content_filter", Incomplete, 2, "content_filter"),
    ("pause_turn", Incomplete, 1, "paused"),
    ("compaction", Incomplete, 1, "paused"),
    ("incomplete", Incomplete, 0, "unfinished"),
    ("budget_exceeded", Incomplete, 0, "unfinished"),
    ("refusal", Refused, 1, "model_refused"),
    ("safety", Refused, 0, "output_blocked"),
    ("recitation", Refused, 0, "output_blocked"),
    ("blocklist", Refused, 0, "output_blocked"),
    ("prohibited_content", Refused, 0, "output_blocked"),
    ("spii", Refused, 0, "output_blocked"),
    ("language", Refused, 0, "output_blocked"),
    ("cancelled", Cancelled, 0, "cancelled"),
    ("canceled", Cancelled, 0, "cancelled"),
    ("error", Failed, 0, "error"),
    ("failed", Failed, 0, "error"),
    ("timeout", Failed, 0, "error"),
    ("insufficient_system_resource", Failed, 0, "error"),
    ("malformed_function_call", Failed, 0, "error"),
    ("unexpected_tool_call", Failed, 0, "error"),
    ("too_many_tool_calls", Failed, 0, "error"),
    ("other", Failed, 0, "error"),
];
