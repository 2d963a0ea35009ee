//! Stage 3, what an event says: the words that a caller switches on.

use core::fmt;

use crate::fault::JsonError;
use crate::piece::Piece;
use crate::reason::Reason;
use crate::usage::Usage;

/// One thing that an event says. An event may say several.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Signal<'e> {
    /// The answer's own id and the model that gives it, once; either may be empty.
    Answer {
        /// The API's id of the answer.
        id: Piece<'e>,
        /// The model's name, as the server tells it.
        model: Piece<'e>,
    },
    /// Output text of the chosen choice.
    Text(Piece<'e>),
    /// Reasoning: thoughts, their summary, a tool plan.
    Reasoning(Piece<'e>),
    /// The words with which the model declines.
    Refusal(Piece<'e>),
    /// A tool call began.
    ToolOpened {
        /// What later signals name it by; unique within the answer.
        key: u32,
        /// The API's id of the call; empty where it gives none.
        id: Piece<'e>,
        /// The tool's name; of a tool without one, what the API calls such calls.
        name: Piece<'e>,
        /// The caller is to run it. Others run at the server, and are shown.
        is_client: bool,
    },
    /// A piece of a tool call's arguments, which are JSON text all together.
    ToolArguments {
        /// See [`Signal::ToolOpened`].
        key: u32,
        /// Not JSON by itself.
        piece: Piece<'e>,
    },
    /// The API ended a tool call, and its arguments are whole. Only now may it be
    /// run.
    ToolClosed {
        /// See [`Signal::ToolOpened`].
        key: u32,
    },
    /// Output of a choice that was not chosen.
    OtherChoice {
        /// Which.
        choice: u32,
    },
    /// A choice, or the whole answer, has ended, and why. Some servers say so
    /// before the end: what follows counts all the same.
    Finish {
        /// Which choice; 0 where the API has none.
        choice: u32,
        /// Why.
        reason: Reason,
        /// The API's own word.
        word: Piece<'e>,
    },
    /// Tokens used, as far as this event tells.
    Usage(Usage),
    /// Nothing but a sign of life.
    KeepAlive,
    /// The answer is over, by the API's own end. Late errors, usage and finish
    /// reasons may follow shortly; text that follows does not count.
    Terminal,
    /// The server reports a failure.
    Error {
        /// A code or, where there is none, the error's type; may be empty.
        code: Piece<'e>,
        /// For people; may be empty.
        message: Piece<'e>,
    },
    /// The data is not the JSON that it ought to be, and may have been output. The
    /// stream goes on, and is never complete.
    Unreadable(JsonError),
    /// Anything else, also what is not known yet.
    Other {
        /// Whether it shows that the answer came on.
        is_progress: bool,
    },
}

impl Signal<'_> {
    /// Whether it shows that the answer came on: text, a step, a finish.
    /// Keep-alives, queueing, usage and errors do not.
    pub const fn is_progress(&self) -> bool {
        match self {
            Signal::Text(_)
            | Signal::Reasoning(_)
            | Signal::Refusal(_)
            | Signal::ToolOpened { .. }
            | Signal::ToolArguments { .. }
            | Signal::ToolClosed { .. }
            | Signal::OtherChoice { .. }
            | Signal::Finish { .. }
            | Signal::Terminal => true,
            Signal::Answer { .. }
            | Signal::Usage(_)
            | Signal::KeepAlive
            | Signal::Error { .. }
            | Signal::Unreadable(_) => false,
            Signal::Other { is_progress } => *is_progress,
        }
    }

    /// Its name in machine-readable output.
    pub const fn name(&self) -> &'static str {
        match self {
            Signal::Answer { .. } => "answer",
            Signal::Text(_) => "text",
            Signal::Reasoning(_) => "reasoning",
            Signal::Refusal(_) => "refusal",
            Signal::ToolOpened { .. } => "tool_opened",
            Signal::ToolArguments { .. } => "tool_arguments",
            Signal::ToolClosed { .. } => "tool_closed",
            Signal::OtherChoice { .. } => "other_choice",
            Signal::Finish { .. } => "finish",
            Signal::Usage(_) => "usage",
            Signal::KeepAlive => "keep_alive",
            Signal::Terminal => "terminal",
            Signal::Error { .. } => "error",
            Signal::Unreadable(_) => "unreadable",
            Signal::Other { .. } => "other",
        }
    }
}

/// Shows names and lengths, not content.
impl fmt::Debug for Signal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Signal::Text(piece) | Signal::Reasoning(piece) | Signal::Refusal(piece) => {
                write!(f, " {piece:?}")
            }
            Signal::ToolOpened { key, .. } | Signal::ToolClosed { key } => write!(f, " {key}"),
            Signal::ToolArguments { key, piece } => write!(f, " {key} {piece:?}"),
            Signal::OtherChoice { choice } => write!(f, " {choice}"),
            Signal::Finish { choice, reason, .. } => write!(f, " {choice} {reason:?}"),
            Signal::Usage(usage) => write!(f, " {usage:?}"),
            Signal::Unreadable(error) => write!(f, " {error:?}"),
            Signal::Other { is_progress } => write!(f, " progress: {is_progress}"),
            Signal::Answer { .. } | Signal::KeepAlive | Signal::Terminal | Signal::Error { .. } => {
                Ok(())
            }
        }
    }
}
