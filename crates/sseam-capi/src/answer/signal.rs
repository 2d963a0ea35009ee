//! What an item says, as C sees it.

use core::mem::{offset_of, size_of};

use sseam_llm::{Signal, Usage};

use super::bits_of;
use super::codes::{ReasonCode, SSEAM_SIGNAL_OTHER, SignalKind};
use super::names::{reason_code, signal_kind};
use super::text::AnswerText;
use crate::types::Output;

/// `input` was told.
pub const SSEAM_USAGE_HAS_INPUT: u32 = 1;
/// `input_cached` was told.
pub const SSEAM_USAGE_HAS_INPUT_CACHED: u32 = 2;
/// `input_cache_written` was told.
pub const SSEAM_USAGE_HAS_INPUT_CACHE_WRITTEN: u32 = 4;
/// `output` was told.
pub const SSEAM_USAGE_HAS_OUTPUT: u32 = 8;
/// `output_reasoning` was told.
pub const SSEAM_USAGE_HAS_OUTPUT_REASONING: u32 = 16;
/// `total` was told.
pub const SSEAM_USAGE_HAS_TOTAL: u32 = 32;

/// Tokens used, as far as the API said; one meaning over all of them. A number that
/// was not told is 0, and its bit is not set.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AnswerUsage {
    /// `SSEAM_USAGE_HAS_...` bits.
    pub has: u32,
    /// Always 0.
    pub reserved: u32,
    /// Of the prompt, all of them: what came from a cache is part of it.
    pub input: u64,
    /// Of those, what was read from a cache.
    pub input_cached: u64,
    /// Of those, what was written to a cache.
    pub input_cache_written: u64,
    /// Of the answer, all of them: reasoning is part of it.
    pub output: u64,
    /// Of those, reasoning.
    pub output_reasoning: u64,
    /// What the API calls the sum.
    pub total: u64,
}

/// It shows that the answer came on; keep-alives, usage and errors do not.
pub const SSEAM_SIGNAL_IS_PROGRESS: u32 = 1;
/// TOOL_OPENED: you are to run it. Others run at the server, and are shown.
pub const SSEAM_SIGNAL_IS_CLIENT: u32 = 2;

/// One thing that an item says. Set `struct_size` before each first use.
///
/// Its texts point into the item that was heard: they are valid until the next call
/// that takes the answer without `const`, other than `sseam_answer_next`, and only
/// while you leave the bytes that you fed unchanged.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AnswerSignal {
    /// `sizeof(sseam_signal)`, set by the caller.
    pub struct_size: usize,
    /// `SSEAM_SIGNAL_...`, which says what the other fields hold.
    pub kind: SignalKind,
    /// `SSEAM_SIGNAL_IS_...` bits; ignore those that you do not know.
    pub flags: u32,
    /// TOOL_...: which call; unique within the answer.
    pub key: u32,
    /// OTHER_CHOICE, FINISH: which choice.
    pub choice: u32,
    /// FINISH: `SSEAM_REASON_...`
    pub reason: ReasonCode,
    /// See the kinds. Empty where there is none.
    pub text: AnswerText,
    /// ERROR: the code; TOOL_OPENED: the call's id; ANSWER: the answer's id. May be
    /// empty.
    pub code: AnswerText,
    /// USAGE: the numbers.
    pub usage: AnswerUsage,
    /// UNREADABLE: index of the byte of the data at which it showed.
    pub offset: u64,
}

impl AnswerUsage {
    pub(crate) const NOTHING: AnswerUsage = AnswerUsage {
        has: 0,
        reserved: 0,
        input: 0,
        input_cached: 0,
        input_cache_written: 0,
        output: 0,
        output_reasoning: 0,
        total: 0,
    };

    pub(crate) fn of(usage: &Usage) -> AnswerUsage {
        let has = bits_of(&[
            (usage.input.is_some(), SSEAM_USAGE_HAS_INPUT),
            (usage.input_cached.is_some(), SSEAM_USAGE_HAS_INPUT_CACHED),
            (
                usage.input_cache_written.is_some(),
                SSEAM_USAGE_HAS_INPUT_CACHE_WRITTEN,
            ),
            (usage.output.is_some(), SSEAM_USAGE_HAS_OUTPUT),
            (
                usage.output_reasoning.is_some(),
                SSEAM_USAGE_HAS_OUTPUT_REASONING,
            ),
            (usage.total.is_some(), SSEAM_USAGE_HAS_TOTAL),
        ]);
        AnswerUsage {
            has,
            reserved: 0,
            input: usage.input.unwrap_or(0),
            input_cached: usage.input_cached.unwrap_or(0),
            input_cache_written: usage.input_cache_written.unwrap_or(0),
            output: usage.output.unwrap_or(0),
            output_reasoning: usage.output_reasoning.unwrap_or(0),
            total: usage.total.unwrap_or(0),
        }
    }
}

impl AnswerSignal {
    /// Says nothing yet.
    pub(super) fn other() -> AnswerSignal {
        AnswerSignal {
            struct_size: size_of::<AnswerSignal>(),
            kind: SSEAM_SIGNAL_OTHER,
            flags: 0,
            key: 0,
            choice: 0,
            reason: 0,
            text: AnswerText::NONE,
            code: AnswerText::NONE,
            usage: AnswerUsage::NOTHING,
            offset: 0,
        }
    }

    /// A signal as C sees it.
    ///
    /// # Safety
    ///
    /// What it borrows outlives the use of its texts.
    pub(super) unsafe fn of(signal: &Signal<'_>) -> AnswerSignal {
        let mut out = AnswerSignal::other();
        out.kind = signal_kind(signal);
        let is_own_call = matches!(signal, Signal::ToolOpened { is_client, .. } if *is_client);
        out.flags = bits_of(&[
            (signal.is_progress(), SSEAM_SIGNAL_IS_PROGRESS),
            (is_own_call, SSEAM_SIGNAL_IS_CLIENT),
        ]);
        // SAFETY: the caller's contract, for each text.
        let text = |piece| unsafe { AnswerText::of(piece) };
        match *signal {
            Signal::Text(piece) | Signal::Reasoning(piece) | Signal::Refusal(piece) => {
                out.text = text(piece);
            }
            Signal::Answer { id, model } => (out.code, out.text) = (text(id), text(model)),
            Signal::ToolOpened { key, id, name, .. } => {
                (out.key, out.code, out.text) = (key, text(id), text(name));
            }
            Signal::ToolArguments { key, piece } => (out.key, out.text) = (key, text(piece)),
            Signal::ToolClosed { key } => out.key = key,
            Signal::OtherChoice { choice } => out.choice = choice,
            Signal::Finish {
                choice,
                reason,
                word,
            } => {
                (out.choice, out.reason, out.text) = (choice, reason_code(reason), text(word));
            }
            Signal::Usage(usage) => out.usage = AnswerUsage::of(&usage),
            Signal::Error { code, message } => (out.code, out.text) = (text(code), text(message)),
            Signal::Unreadable(error) => out.offset = error.offset as u64,
            _ => {}
        }
        out
    }
}

// SAFETY: see its first field.
unsafe impl Output for AnswerSignal {
    const LEN_MIN: usize = offset_of!(AnswerSignal, usage);
}
