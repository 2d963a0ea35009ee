//! Events to the text of an answer, and at the end what became of it.

use std::io::Write;

use serde::Serialize;
use sseam::llm::{
    Close, Cursor, Dialect, Ending, Excess, Outcome, Resubscribe, TransportEnd, Turn,
};
use sseam::{End, Error, Event, Item, Limit, Text};

use crate::args::{OutcomeForm, SummaryForm};
use crate::exit::Exit;
use crate::json;
use crate::print::{Printer, without_cut};
use crate::stop::Stop;
use crate::told::{Failure, Told};

/// A turn, and what of it is printed.
pub(crate) struct Answer {
    turn: Turn,
    told: Told,
}

/// What became of the answer, for programs.
#[derive(Serialize)]
pub(crate) struct OutcomeLine {
    outcome: &'static str,
    exit_code: u8,
    reason: Option<&'static str>,
    dialect: &'static str,
    terminal: bool,
    output: bool,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    closed_calls: u32,
    open_calls: u32,
    malformed: u32,
    skipped: u32,
    gap: bool,
    tool_error: bool,
    late_fault: bool,
    code: Option<String>,
    message: Option<String>,
    cursor: Option<CursorLine>,
    resubscribe: &'static str,
}

#[derive(Serialize)]
struct CursorLine {
    kind: &'static str,
    value: String,
}

/// How an answer ended.
pub(crate) struct Verdict {
    pub(crate) outcome: Outcome,
    /// What is shown of the code and of the message.
    failure: Failure,
}

impl Answer {
    pub(crate) const fn new(turn: Turn, told: Told) -> Answer {
        Answer { turn, told }
    }

    /// Whether an event that lacks its blank line counts too.
    pub(crate) const fn wants_unfinished(&self) -> bool {
        self.turn.wants_unfinished()
    }

    /// Takes an item of the stream and prints what it says.
    pub(crate) fn observe(&mut self, item: &Item<'_>, out: &mut Printer<'_>) -> Result<(), Stop> {
        match item {
            Item::Event(event) => self.event(event, false, out),
            Item::Skipped(skipped) => {
                let signals = self.turn.observe_skipped(skipped);
                self.told.print(signals, out)
            }
            Item::Ignored(line) => match self.turn.observe_ignored(line) {
                Some(signal) => self.told.signal(signal, out),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Takes an event. If the input ended within its data, its last character
    /// may have been cut.
    pub(crate) fn event(
        &mut self,
        event: &Event<'_>,
        is_within_data: bool,
        out: &mut Printer<'_>,
    ) -> Result<(), Stop> {
        let is_cut = is_within_data && without_cut(event.data()).len() < event.data().len();
        if !is_cut {
            self.told.check(event)?;
        }
        let signals = self.turn.observe(event);
        match self.told.shows() {
            // The parser cannot lend the event without its last bytes.
            Some(shows) if is_cut => self.told.print_cut(signals, shows, out),
            _ => self.told.print(signals, out),
        }
    }

    /// Takes what is known only at the end, prints calls that stayed open, and
    /// tells what became of the answer.
    pub(crate) fn finish(
        &mut self,
        end: Option<End>,
        stop: Option<&Stop>,
        last_event_id: Text<'_>,
        out: &mut Printer<'_>,
    ) -> Result<Verdict, Stop> {
        self.turn.observe_last_event_id(last_event_id);
        let end = end.unwrap_or(NOTHING_PENDING);
        let mut outcome = self.turn.finish(&end);
        let is_settled = outcome.seen.terminal || matches!(outcome.ending, Ending::Failed);
        if let Some(close) = stop.and_then(close).filter(|_| !is_settled) {
            outcome = self.turn.finish_with(&end, close);
        }
        self.told.end(out)?;
        Ok(Verdict::new(outcome, self.told.failure()))
    }

    /// Takes the first bytes of an input that had no event.
    pub(crate) fn body(
        &mut self,
        head: &[u8],
        is_whole: bool,
        out: &mut Printer<'_>,
    ) -> Result<(), Stop> {
        match self.turn.observe_body(head, is_whole) {
            Some(signal) => self.told.signal(signal, out),
            None => Ok(()),
        }
    }
}

impl Verdict {
    /// A verdict that shows what the stream says.
    pub(crate) fn new(outcome: Outcome, failure: Failure) -> Verdict {
        let code = outcome.seen.code.to_string();
        let failure = Failure { code, ..failure };
        Verdict::redacted(outcome, failure)
    }

    /// A verdict that shows no code and no message but these.
    pub(crate) fn redacted(outcome: Outcome, failure: Failure) -> Verdict {
        let failure = failure.shown();
        Verdict { outcome, failure }
    }

    /// The exit code, unless what stopped the run has nothing to do with the
    /// answer.
    pub(crate) fn exit(&self, stop: Option<&Stop>) -> Exit {
        match stop {
            Some(stop) if stop.is_about_output() => stop.exit(),
            Some(stop @ Stop::Read { .. }) if !self.outcome.seen.terminal => stop.exit(),
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
    pub(crate) fn text(&self) -> String {
        let Failure { code, message } = &self.failure;
        let whole = format!("{}: {}", self.outcome.seen.dialect, self.outcome);
        let said = format!(" ({})", self.outcome.seen.code);
        let mut text = match code.is_empty() {
            true => whole.replacen(&said, "", 1),
            false => whole.replacen(&said, &format!(" ({})", crate::escape::escaped(code)), 1),
        };
        if !message.is_empty() {
            text += &format!(": {}", crate::escape::escaped(message));
        }
        text
    }

    /// The same, for programs.
    pub(crate) fn line(&self) -> OutcomeLine {
        let Outcome { seen, cursor, .. } = self.outcome;
        let named = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        OutcomeLine {
            outcome: self.outcome.name(),
            exit_code: self.outcome.exit_code(),
            reason: seen.reason.map(sseam::llm::Reason::name),
            dialect: seen.dialect.name(),
            terminal: seen.terminal,
            output: seen.output,
            input_tokens: seen.usage.input_tokens,
            output_tokens: seen.usage.output_tokens,
            closed_calls: seen.closed_calls,
            open_calls: seen.open_calls,
            malformed: seen.malformed,
            skipped: seen.skipped,
            gap: seen.gap,
            tool_error: seen.tool_error,
            late_fault: seen.late_fault,
            code: named(&self.failure.code),
            message: named(&self.failure.message),
            cursor: cursor_line(cursor),
            resubscribe: match self.outcome.recovery().resubscribe {
                Resubscribe::NotNeeded => "not_needed",
                Resubscribe::From(_) => "possible",
                Resubscribe::Perhaps(_) => "perhaps",
                _ => "impossible",
            },
        }
    }
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

/// How the reading ended, for an answer that has no terminal.
pub(crate) fn close(stop: &Stop) -> Option<Close> {
    Some(match stop {
        Stop::Parser(Error::LimitPassed { limit, .. }) => Close::Limit(Excess::Limit(*limit)),
        Stop::CallText { .. } => Close::Limit(Excess::Limit(Limit::Data)),
        Stop::Calls { .. } => Close::Limit(Excess::Tracked),
        Stop::Parser(_) => Close::Limit(Excess::Memory),
        Stop::InvalidText { .. } => Close::InvalidText,
        Stop::Foreign(_) => Close::NotEventStream,
        Stop::Read { .. } => Close::Transport(TransportEnd::Reset),
        Stop::Cut { .. } => Close::Transport(TransportEnd::Cut),
        Stop::Record(_) | Stop::Write(_) => return None,
    })
}

pub(crate) const NOTHING_PENDING: End = End::at(0);
