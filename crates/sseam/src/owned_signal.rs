//! A signal that outlives its event: a view comes in, its text goes out decoded.

use std::fmt;

use sseam_llm::{JsonError, Piece, Reason, Signal, Usage};

/// One thing that an event of an answer says, with text of its own.
///
/// As [`Signal`], which says more on each. Text is decoded, with U+FFFD for what is
/// not UTF-8. Its `Debug` shows names and lengths, not content.
///
/// ```
/// use sseam::OwnedSignal;
/// use sseam::llm::{Dialect, Turn};
///
/// let stream = br#"data: {"choices":[{"delta":{"content":"a\nb"}}]}
///
/// "#;
/// let mut reader = sseam::AnswerReader::new(&stream[..], Turn::new(Dialect::OpenAiChat));
/// let heard = reader.next_heard()?.unwrap();
/// let signals: Vec<OwnedSignal> = heard.signals.map(OwnedSignal::from).collect();
/// assert!(signals.contains(&OwnedSignal::Text("a\nb".into())));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum OwnedSignal {
    /// The answer's own id and the model that gives it; either may be empty.
    Answer {
        /// The API's id of the answer.
        id: String,
        /// The model's name, as the server tells it.
        model: String,
    },
    /// Output text of the chosen choice.
    Text(String),
    /// Reasoning: thoughts, their summary, a tool plan.
    Reasoning(String),
    /// The words with which the model declines.
    Refusal(String),
    /// A tool call began.
    ToolOpened {
        /// What later signals name it by; unique within the answer.
        key: u32,
        /// The API's id of the call; empty where it gives none.
        id: String,
        /// The tool's name; of a tool without one, what the API calls such calls.
        name: String,
        /// The caller is to run it. Others run at the server, and are shown.
        is_client: bool,
    },
    /// A piece of a tool call's arguments, which are JSON text all together.
    ToolArguments {
        /// See [`OwnedSignal::ToolOpened`].
        key: u32,
        /// Not JSON by itself.
        piece: String,
    },
    /// The API ended a tool call, and its arguments are whole.
    ToolClosed {
        /// See [`OwnedSignal::ToolOpened`].
        key: u32,
    },
    /// Output of a choice that was not chosen.
    OtherChoice {
        /// Which.
        choice: u32,
    },
    /// A choice, or the whole answer, has ended, and why.
    Finish {
        /// Which choice; 0 where the API has none.
        choice: u32,
        /// Why.
        reason: Reason,
        /// The API's own word.
        word: String,
    },
    /// Tokens used, as far as this event tells.
    Usage(Usage),
    /// Nothing but a sign of life.
    KeepAlive,
    /// The answer is over, by the API's own end.
    Terminal,
    /// The server reports a failure.
    Error {
        /// A code or, where there is none, the error's type; may be empty.
        code: String,
        /// For people; may be empty.
        message: String,
    },
    /// The data is not the JSON that it ought to be, and may have been output.
    Unreadable(JsonError),
    /// Anything else, also what is not known yet.
    Other {
        /// Whether it shows that the answer came on.
        is_progress: bool,
    },
}

impl OwnedSignal {
    /// Its text, if it is output text or a refusal: what a reader of the answer is
    /// shown.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            OwnedSignal::Text(text) | OwnedSignal::Refusal(text) => Some(text),
            _ => None,
        }
    }

    /// Its name in machine-readable output.
    pub const fn name(&self) -> &'static str {
        match self {
            OwnedSignal::Answer { .. } => "answer",
            OwnedSignal::Text(_) => "text",
            OwnedSignal::Reasoning(_) => "reasoning",
            OwnedSignal::Refusal(_) => "refusal",
            OwnedSignal::ToolOpened { .. } => "tool_opened",
            OwnedSignal::ToolArguments { .. } => "tool_arguments",
            OwnedSignal::ToolClosed { .. } => "tool_closed",
            OwnedSignal::OtherChoice { .. } => "other_choice",
            OwnedSignal::Finish { .. } => "finish",
            OwnedSignal::Usage(_) => "usage",
            OwnedSignal::KeepAlive => "keep_alive",
            OwnedSignal::Terminal => "terminal",
            OwnedSignal::Error { .. } => "error",
            OwnedSignal::Unreadable(_) => "unreadable",
            OwnedSignal::Other { .. } => "other",
        }
    }

    /// Its text and the call that it belongs to, as far as it has them.
    fn figures(&self) -> (Option<u32>, Option<usize>) {
        match self {
            OwnedSignal::Text(text) | OwnedSignal::Reasoning(text) | OwnedSignal::Refusal(text) => {
                (None, Some(text.len()))
            }
            OwnedSignal::ToolArguments { key, piece } => (Some(*key), Some(piece.len())),
            OwnedSignal::ToolOpened { key, .. } | OwnedSignal::ToolClosed { key } => {
                (Some(*key), None)
            }
            _ => (None, None),
        }
    }
}

impl From<Signal<'_>> for OwnedSignal {
    fn from(signal: Signal<'_>) -> Self {
        match signal {
            Signal::Answer { id, model } => OwnedSignal::Answer {
                id: text(id),
                model: text(model),
            },
            Signal::Text(piece) => OwnedSignal::Text(text(piece)),
            Signal::Reasoning(piece) => OwnedSignal::Reasoning(text(piece)),
            Signal::Refusal(piece) => OwnedSignal::Refusal(text(piece)),
            Signal::ToolOpened {
                key,
                id,
                name,
                is_client,
            } => OwnedSignal::ToolOpened {
                key,
                id: text(id),
                name: text(name),
                is_client,
            },
            Signal::ToolArguments { key, piece } => OwnedSignal::ToolArguments {
                key,
                piece: text(piece),
            },
            Signal::ToolClosed { key } => OwnedSignal::ToolClosed { key },
            Signal::OtherChoice { choice } => OwnedSignal::OtherChoice { choice },
            Signal::Finish {
                choice,
                reason,
                word,
            } => OwnedSignal::Finish {
                choice,
                reason,
                word: text(word),
            },
            Signal::Usage(usage) => OwnedSignal::Usage(usage),
            Signal::KeepAlive => OwnedSignal::KeepAlive,
            Signal::Terminal => OwnedSignal::Terminal,
            Signal::Error { code, message } => OwnedSignal::Error {
                code: text(code),
                message: text(message),
            },
            Signal::Unreadable(error) => OwnedSignal::Unreadable(error),
            Signal::Other { is_progress } => OwnedSignal::Other { is_progress },
            // Signals of a later version of that crate.
            _ => OwnedSignal::Other { is_progress: false },
        }
    }
}

/// Shows names and lengths, not content.
impl fmt::Debug for OwnedSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let (key, len) = self.figures();
        if let Some(key) = key {
            write!(f, " {key}")?;
        }
        if let Some(len) = len {
            write!(f, " ({len} bytes)")?;
        }
        Ok(())
    }
}

/// A piece as text; most have no escape, and are copied at once.
fn text(piece: Piece<'_>) -> String {
    match piece.as_str() {
        Some(text) => text.to_owned(),
        None => piece.parts().fold(String::new(), |text, part| text + &part),
    }
}
