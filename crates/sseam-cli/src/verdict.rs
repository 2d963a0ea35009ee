//! What became of an answer, to words for people and a line for programs.

use std::io::Write;

use serde::Serialize;
use sseam::llm::{
    Answer, CODE_LEN_MAX, Close, Cursor, Dialect, Foreign, MESSAGE_LEN_MAX, Outcome, Place, Reason,
    Resubscribe, TransportEnd, Usage,
};
use sseam::{Encoder, GrowingMemory, WriteBlock};

use crate::args::{OutcomeForm, SummaryForm};
use crate::escape;
use crate::exit::Exit;
use crate::json;
use crate::stop::Stop;

/// How an answer ended.
pub(crate) struct Verdict {
    pub(crate) outcome: Outcome,
    /// What is shown of the failure.
    failure: Failure,
    foreign: Option<Foreign>,
    /// The answer would be complete if its last event had its blank line.
    lacks_blank_line: bool,
}

/// What the server said about its failure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Failure {
    code: String,
    message: String,
}

/// What became of the answer, for programs.
#[derive(Serialize)]
pub(crate) struct OutcomeLine {
    outcome: &'static str,
    exit_code: u8,
    reason: Option<&'static str>,
    word: Option<String>,
    dialect: &'static str,
    terminal: bool,
    output: bool,
    empty: bool,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    usage: UsageLine,
    closed_calls: u32,
    open_calls: u32,
    unreadable: u32,
    unreadable_at: Option<PlaceLine>,
    lost: bool,
    skipped: u32,
    gap: bool,
    tool_error: bool,
    late_fault: bool,
    code: Option<String>,
    message: Option<String>,
    id: Option<String>,
    model: Option<String>,
    cursor: Option<CursorLine>,
    resubscribe: &'static str,
    may_run_calls: bool,
    may_ask_again: bool,
    foreign: Option<&'static str>,
}

/// Tokens, as far as they were told.
#[derive(Serialize)]
pub(crate) struct UsageLine {
    input: Option<u64>,
    input_cached: Option<u64>,
    input_cache_written: Option<u64>,
    output: Option<u64>,
    output_reasoning: Option<u64>,
    total: Option<u64>,
}

/// Where an event was that could not be read.
#[derive(Serialize)]
struct PlaceLine {
    event: u32,
    offset: u64,
    byte: u64,
}

#[derive(Serialize)]
struct CursorLine {
    kind: &'static str,
    value: String,
}

impl Verdict {
    /// A verdict that shows no code and no message but these.
    pub(crate) const fn new(outcome: Outcome, failure: Failure) -> Verdict {
        Verdict {
            outcome,
            failure,
            foreign: None,
            lacks_blank_line: false,
        }
    }

    /// The body was this, and no event stream.
    pub(crate) const fn with_foreign(mut self, foreign: Option<Foreign>) -> Verdict {
        self.foreign = foreign;
        self
    }

    /// Whether a blank line more would have made the answer complete.
    pub(crate) const fn with_hint(mut self, lacks_blank_line: bool) -> Verdict {
        let is_truncated = self.outcome.exit_code() == Exit::Truncated.code();
        self.lacks_blank_line = lacks_blank_line && is_truncated;
        self
    }

    /// The exit code, unless what stopped the run is not known to the answer.
    pub(crate) fn exit(&self, stop: Option<&Stop>) -> Exit {
        match stop {
            Some(stop) if stop.is_about_output() => stop.exit(),
            Some(stop) if stop.is_of_command() && !self.outcome.seen.terminal => stop.exit(),
            _ => Exit::of(&self.outcome),
        }
    }

    /// Says what became of the answer of `name`, as far as that is asked for.
    pub(crate) fn tell(
        &self,
        name: &str,
        summary: SummaryForm,
        outcome: Option<OutcomeForm>,
        (stderr, is_terminal): (&mut dyn Write, bool),
    ) {
        let is_bad = self.outcome.exit_code() != 0;
        // Of a plain stream all is said.
        let is_known = self.outcome.seen.dialect != Dialect::Plain;
        // Nobody is left to be told that standard error is closed.
        if is_known && (is_bad || summary == SummaryForm::Text) {
            let _ = writeln!(stderr, "sseam: {name}: {}", self.text());
        }
        if let Some(OutcomeForm::Json) = outcome {
            let _ = json::write_line(stderr, is_terminal, &self.line());
        }
    }

    /// What became of the answer, in words.
    fn text(&self) -> String {
        let Failure { code, message } = &self.failure;
        let whole = format!("{}: {}", self.outcome.seen.dialect, self.outcome);
        let said = format!(" ({})", self.outcome.seen.code);
        let shown = match code.is_empty() {
            true => String::new(),
            false => format!(" ({})", escape::escaped(code)),
        };
        let mut text = whole.replacen(&said, &shown, 1);
        if !message.is_empty() {
            text += &format!(": {}", escape::escaped(message));
        }
        if self.lacks_blank_line {
            text += "; only the blank line after its last event is missing: \
                     --mode lenient does without";
        }
        text
    }

    /// The same, for programs.
    fn line(&self) -> OutcomeLine {
        let (outcome, seen) = (&self.outcome, &self.outcome.seen);
        let usage = seen.usage;
        let place = |place: Place| PlaceLine {
            event: place.event,
            offset: place.offset,
            byte: place.byte,
        };
        OutcomeLine {
            outcome: outcome.name(),
            exit_code: outcome.exit_code(),
            reason: outcome.reason().map(Reason::name),
            word: named(seen.word.as_str()),
            dialect: seen.dialect.name(),
            terminal: seen.terminal,
            output: seen.output,
            empty: outcome.is_empty(),
            input_tokens: usage.input,
            output_tokens: usage.output,
            usage: usage.into(),
            closed_calls: seen.closed_calls,
            open_calls: seen.open_calls,
            unreadable: seen.unreadable,
            unreadable_at: seen.unreadable_at.map(place),
            lost: seen.lost,
            skipped: seen.skipped,
            gap: seen.gap,
            tool_error: seen.tool_error,
            late_fault: seen.late_fault,
            code: named(&self.failure.code),
            message: named(&self.failure.message),
            id: named(seen.id.as_str()),
            model: named(seen.model.as_str()),
            cursor: cursor_line(outcome.cursor),
            resubscribe: match outcome.recovery().resubscribe {
                Resubscribe::NotNeeded => "not_needed",
                Resubscribe::From(_) => "possible",
                Resubscribe::Perhaps(_) => "perhaps",
                _ => "impossible",
            },
            may_run_calls: outcome.may_run_calls(),
            may_ask_again: outcome.may_ask_again(),
            foreign: self.foreign.map(Foreign::code),
        }
    }
}

impl Failure {
    /// What is shown of a failure: what the outcome keeps of it, and more of the
    /// message if `told` is all of that. Each as `redact` leaves it, which is told
    /// whether the text was cut: the half of a key at its end would not be known
    /// as one.
    pub(crate) fn new(
        outcome: &Outcome,
        told: &str,
        redact: impl Fn(&[u8], bool) -> Vec<u8>,
    ) -> Failure {
        let shown = |text: &str, kept_len_max: usize| {
            // One more character need not have fit.
            let is_cut = text.len() + char::MAX.len_utf8() > kept_len_max;
            let redacted = redact(text.as_bytes(), is_cut);
            let mut text = String::from_utf8_lossy(&redacted).into_owned();
            cut(&mut text, SHOWN_LEN_MAX);
            text
        };
        let (code, kept) = (outcome.seen.code.as_str(), outcome.seen.message.as_str());
        let is_all = !kept.is_empty() && told.starts_with(kept);
        Failure {
            code: shown(code, CODE_LEN_MAX),
            message: match is_all {
                true => shown(told, TOLD_LEN_MAX),
                false => shown(kept, MESSAGE_LEN_MAX),
            },
        }
    }
}

impl From<Usage> for UsageLine {
    fn from(usage: Usage) -> UsageLine {
        UsageLine {
            input: usage.input,
            input_cached: usage.input_cached,
            input_cache_written: usage.input_cache_written,
            output: usage.output,
            output_reasoning: usage.output_reasoning,
            total: usage.total,
        }
    }
}

/// Leaves the whole characters within the first `len_max` bytes.
pub(crate) fn cut(text: &mut String, len_max: usize) {
    let fits = |at: &usize| text.is_char_boundary(*at);
    let end = (0..=len_max).rfind(fits).unwrap_or(0);
    text.truncate(end);
}

/// Whether an answer that broke off would be complete if its last event had its
/// blank line.
pub(crate) fn lacks_blank_line(answer: &Answer<GrowingMemory>) -> bool {
    let mut parser = answer.parser().clone();
    let Ok(Some(event)) = parser.take_unfinished() else {
        return false;
    };
    let (event_type, data) = (event.event_type(), event.data());
    let mut block = Vec::new();
    let is_written = Encoder::event(event_type.as_bytes(), data.as_bytes(), None)
        .is_ok_and(|event| block.write_block(event).is_ok());
    // The answer goes on with that event, as over another connection.
    let mut whole = answer.clone();
    whole.reopen();
    whole.feed(&block, |_| {});
    whole.end(Close::Transport(TransportEnd::Clean));
    is_written && whole.outcome().is_completed()
}

fn cursor_line(cursor: Cursor) -> Option<CursorLine> {
    let kind = match cursor {
        Cursor::Sequence(_) => "sequence_number",
        Cursor::EventId(_) => "event_id",
        Cursor::LastEventId(_) => "last_event_id",
        _ => return None,
    };
    Some(CursorLine {
        kind,
        value: cursor.to_string(),
    })
}

/// What was told; nothing where nothing was.
fn named(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// So much of a server's message is shown.
const SHOWN_LEN_MAX: usize = 2048;

/// So much of it is kept until it is redacted.
pub(crate) const TOLD_LEN_MAX: usize = 64 * 1024;
