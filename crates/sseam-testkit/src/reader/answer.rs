//! What the answers of all APIs have in common, and the verdict.
//!
//! Rules: those at the top of [`super`]. Of several finish reasons the
//! weightiest stands, in whatever order they came. Of several failures the
//! first that tells a code and the first that tells a message are told.
//!
//! A repeat of what was given out is not given out again. If it holds nothing,
//! it says nothing; if nothing was given out, it is the text itself; and if it
//! holds more or less than was given out, counted in bytes, a part was lost.

use super::Mode;
use super::calls::{Call, Calls};
use super::faults::Fault;
use super::json::joined;
use super::usage::Usage;
use super::words::{CANCELLED, Ending, Kind, MODEL_REFUSED, RECONNECT, Word, word};
use crate::field::Seen;
use serde_json::Value;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speech {
    Text,
    Refusal,
    Reasoning,
}

/// An answer so far.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) mode: Mode,
    /// Whose text is given out.
    pub(super) choice: u64,
    wants_reasoning: bool,
    text: String,
    reasoning: String,
    /// Some output came, of whatever kind and choice.
    pub(super) has_output: bool,
    pub(super) calls: Calls,
    pub(super) usage: Usage,
    /// The weightiest so far.
    pub(super) ending: Option<Ending>,
    pub(super) fault: Option<Fault>,
    pub(super) is_unreadable: bool,
    pub(super) is_lost: bool,
    /// The API's own end came.
    pub(super) is_ended: bool,
    /// Nothing is read any more: what comes is another answer.
    pub(super) is_over: bool,
}

impl Answer {
    pub(super) fn new(mode: Mode, choice: u64, wants_reasoning: bool) -> Self {
        Self {
            mode,
            choice,
            wants_reasoning,
            text: String::new(),
            reasoning: String::new(),
            has_output: false,
            calls: Calls::default(),
            usage: Usage::default(),
            ending: None,
            fault: None,
            is_unreadable: false,
            is_lost: false,
            is_ended: false,
            is_over: false,
        }
    }

    /// An answer that nobody hears.
    pub(super) fn aside() -> Self {
        Self::new(Mode::Default, 0, false)
    }

    /// A call was opened, which is output.
    pub(super) fn open(&mut self, call: Call) -> usize {
        self.has_output = true;
        self.calls.open(call)
    }

    /// A piece of a call's arguments.
    pub(super) fn piece(&mut self, at: usize, piece: &str) {
        self.has_output |= !piece.is_empty();
        self.calls.last = Some(at);
        self.calls.of(at).pieces += piece;
    }

    pub(super) fn say(&mut self, speech: Speech, text: &str) {
        if text.is_empty() {
            return;
        }
        self.has_output = true;
        match speech {
            Speech::Text => self.text.push_str(text),
            Speech::Refusal => {
                self.text.push_str(text);
                self.end_with(MODEL_REFUSED);
            }
            Speech::Reasoning => {
                self.reasoning.push_str(text);
                if self.wants_reasoning {
                    self.text.push_str(text);
                }
            }
        }
    }

    /// Takes `whole`, which repeats what was `given`; returns what is new.
    pub(super) fn repeat(&mut self, given: &str, whole: &str) -> String {
        let (given, whole) = (joined(given), joined(whole));
        if given.is_empty() {
            return whole;
        }
        if !whole.is_empty() && whole.len() != given.len() {
            self.is_lost = true;
        }
        String::new()
    }

    /// Takes a finish reason, if it is one.
    pub(super) fn finish(&mut self, reason: &Value) -> Option<Word> {
        let word = word(reason)?;
        self.end_with(word.ending);
        if word.ending.kind == Kind::Failed {
            self.fail(Fault {
                code: reason.as_str().unwrap_or("").to_owned(),
                message: String::new(),
            });
        }
        Some(word)
    }

    pub(super) fn end_with(&mut self, ending: Ending) {
        self.ending = self.ending.max(Some(ending));
    }

    pub(super) fn fail(&mut self, fault: Fault) {
        let told = self.fault.get_or_insert_default();
        // A word such as "error" tells less than a code beside a message.
        let is_better = told.message.is_empty() && !fault.message.is_empty();
        if told.code.is_empty() || (is_better && !fault.code.is_empty()) {
            told.code = fault.code;
        }
        if told.message.is_empty() {
            told.message = fault.message;
        }
    }

    /// Another answer began amid this one.
    pub(super) fn splice(&mut self) {
        self.fault = Some(Fault {
            code: "spliced".to_owned(),
            message: "another answer began amid this one".to_owned(),
        });
        self.is_over = true;
    }

    /// Neither a failure nor a word says that it went wrong.
    pub(super) fn is_failed(&self) -> bool {
        self.fault.is_some() || self.ending.is_some_and(|ending| ending >= CANCELLED)
    }

    /// It ended by itself, and as well as can be.
    pub(super) fn is_success(&self) -> bool {
        let is_completed = |ending: Ending| ending.kind == Kind::Completed;
        self.is_ended && self.fault.is_none() && self.ending.is_none_or(is_completed)
    }

    pub(super) fn seen(self) -> Seen {
        let (exit, reason) = self.verdict();
        let fault = self.fault.unwrap_or_default();
        Seen {
            exit,
            text: joined(&self.text),
            reasoning: joined(&self.reasoning),
            tools: self.calls.tools(),
            reason: reason.map(str::to_owned),
            open_calls: self.calls.count(false),
            closed_calls: self.calls.count(true),
            input_tokens: self.usage.input.total(),
            output_tokens: self.usage.output.total(),
            empty: exit == 0 && !self.has_output,
            output: self.has_output,
            message: joined(&fault.message),
            code: joined(&fault.code),
            dialect: String::new(),
        }
    }

    fn verdict(&self) -> (u8, Option<&'static str>) {
        let reason = self.ending.map(|ending| ending.reason);
        match self.ending.map(|ending| ending.kind) {
            _ if self.fault.is_some() => (12, Some("error")),
            Some(Kind::Failed | Kind::Cancelled) => (12, reason),
            _ if self.ending == Some(RECONNECT) => (10, reason),
            _ if !self.is_ended => (20, None),
            Some(Kind::Refused) => (11, reason),
            Some(Kind::Incomplete) => (10, reason),
            _ if self.calls.count(false) > 0 => (10, Some("open_call")),
            _ if self.is_lost => (10, Some("lost")),
            _ if self.is_unreadable => (10, Some("unreadable")),
            Some(Kind::Completed) | None => (0, reason),
        }
    }
}
