//! Events to the text of an answer, and at the end what became of it.

use std::fmt::Write as _;

use serde::Serialize;
use sseam::llm::{
    Close, Cursor, Ending, Excess, Outcome, Piece, Resubscribe, Signal, Signals, TransportEnd, Turn,
};
use sseam::{End, Error, Event, Item, Text};

use crate::args::Shows;
use crate::exit::Exit;
use crate::print::{Printer, validate, without_cut};
use crate::stop::Stop;

/// A turn, and what of it is printed.
pub(crate) struct Answer {
    turn: Turn,
    /// Nothing where events are printed.
    shows: Option<Shows>,
    is_lossy: bool,
    calls: Vec<Call>,
    /// What the server said about its failure; the first that said something.
    message: String,
    /// The last thing printed was text without a line feed at its end.
    is_within_line: bool,
}

/// A tool call as its pieces come in.
struct Call {
    key: u32,
    id: String,
    name: String,
    arguments: String,
}

#[derive(Serialize)]
struct CallLine<'a> {
    tool: &'a str,
    id: &'a str,
    arguments: &'a str,
    closed: bool,
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
    message: String,
}

impl Answer {
    pub(crate) const fn new(turn: Turn, shows: Option<Shows>, is_lossy: bool) -> Answer {
        Answer {
            turn,
            shows,
            is_lossy,
            calls: Vec::new(),
            message: String::new(),
            is_within_line: false,
        }
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
                self.print(signals, out)
            }
            Item::Ignored(line) => match self.turn.observe_ignored(line) {
                Some(signal) => self.signal(signal, out),
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
        if self.shows.is_some() && !self.is_lossy && !is_cut {
            validate("data", event.data(), event.span())?;
        }
        let signals = self.turn.observe(event);
        if is_cut && let Some(shows) = self.shows {
            // The parser cannot lend the event without its last bytes.
            return self.print_cut(signals, shows, out);
        }
        self.print(signals, out)
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
        for call in std::mem::take(&mut self.calls) {
            self.call(&call, false, out)?;
        }
        Ok(Verdict {
            outcome,
            message: std::mem::take(&mut self.message),
        })
    }

    /// Takes the first bytes of an input that had no event.
    pub(crate) fn body(
        &mut self,
        head: &[u8],
        is_whole: bool,
        out: &mut Printer<'_>,
    ) -> Result<(), Stop> {
        match self.turn.observe_body(head, is_whole) {
            Some(signal) => self.signal(signal, out),
            None => Ok(()),
        }
    }

    fn print(&mut self, signals: Signals<'_>, out: &mut Printer<'_>) -> Result<(), Stop> {
        for signal in signals {
            self.signal(signal, out)?;
        }
        Ok(())
    }

    fn signal(&mut self, signal: Signal<'_>, out: &mut Printer<'_>) -> Result<(), Stop> {
        if let Signal::Error { message, .. } = signal
            && self.message.is_empty()
        {
            self.message = message.parts().map(|part| part.to_string()).collect();
            if self.message.len() > MESSAGE_LEN_MAX {
                let fits = |at: &usize| self.message.is_char_boundary(*at);
                let end = (0..=MESSAGE_LEN_MAX).rfind(fits).unwrap_or(0);
                self.message.truncate(end);
            }
        }
        let Some(shows) = self.shows else {
            return Ok(());
        };
        match signal {
            Signal::Text(piece) | Signal::Refusal(piece) if shows.text => self.piece(piece, out),
            Signal::Reasoning(piece) if shows.reasoning => self.piece(piece, out),
            Signal::ToolOpened { key, id, name } if shows.tools => {
                self.calls.push(Call {
                    key,
                    id: id.to_string(),
                    name: name.to_string(),
                    arguments: String::new(),
                });
                Ok(())
            }
            Signal::ToolArguments { key, piece } if shows.tools => {
                if let Some(call) = self.calls.iter_mut().find(|call| call.key == key) {
                    // Writing to a string never fails.
                    let _ = write!(call.arguments, "{piece}");
                }
                Ok(())
            }
            Signal::ToolClosed { key } if shows.tools => {
                match self.calls.iter().position(|call| call.key == key) {
                    Some(at) => {
                        let call = self.calls.remove(at);
                        self.call(&call, true, out)
                    }
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn piece(&mut self, piece: Piece<'_>, out: &mut Printer<'_>) -> Result<(), Stop> {
        for part in piece.parts() {
            out.text(&part).map_err(Stop::Write)?;
            self.is_within_line = !part.ends_with('\n');
        }
        Ok(())
    }

    fn print_cut(
        &mut self,
        signals: Signals<'_>,
        shows: Shows,
        out: &mut Printer<'_>,
    ) -> Result<(), Stop> {
        for signal in signals {
            if let (Signal::Text(piece), true) = (signal, shows.text) {
                let text = piece.to_string();
                let kept = text.trim_end_matches('\n').trim_end_matches('\u{FFFD}');
                out.text(kept).map_err(Stop::Write)?;
                out.text("\n").map_err(Stop::Write)?;
            }
        }
        Ok(())
    }

    fn call(&mut self, call: &Call, closed: bool, out: &mut Printer<'_>) -> Result<(), Stop> {
        if std::mem::take(&mut self.is_within_line) {
            out.text("\n").map_err(Stop::Write)?;
        }
        let line = CallLine {
            tool: &call.name,
            id: &call.id,
            arguments: &call.arguments,
            closed,
        };
        out.line(&line).map_err(Stop::Write)
    }
}

impl Verdict {
    /// The exit code, unless what stopped the run has nothing to do with the
    /// answer.
    pub(crate) fn exit(&self, stop: Option<&Stop>) -> Exit {
        match stop {
            Some(stop) if stop.is_about_output() => stop.exit(),
            Some(stop @ Stop::Read { .. }) if !self.outcome.seen.terminal => stop.exit(),
            _ => Exit::of(&self.outcome),
        }
    }

    /// What became of the answer, in words.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}: {}", self.outcome.seen.dialect, self.outcome);
        if !self.message.is_empty() {
            text += &format!(": {}", crate::escape::escaped(&self.message));
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
            code: named(seen.code.as_str()),
            message: named(&self.message),
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
fn close(stop: &Stop) -> Option<Close> {
    Some(match stop {
        Stop::Parser(Error::LimitPassed { limit, .. }) => Close::Limit(Excess::Limit(*limit)),
        Stop::Parser(_) => Close::Limit(Excess::Memory),
        Stop::InvalidText { .. } => Close::InvalidText,
        Stop::Foreign(_) => Close::NotEventStream,
        Stop::Read { .. } => Close::Transport(TransportEnd::Reset),
        Stop::Cut { .. } => Close::Transport(TransportEnd::Cut),
        Stop::Write(_) => return None,
    })
}

const NOTHING_PENDING: End = End {
    line: false,
    data: false,
    event: false,
    id: false,
    offset: 0,
};

/// So much of a server's message is shown.
const MESSAGE_LEN_MAX: usize = 2048;
