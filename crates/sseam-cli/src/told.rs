//! Signals to text, reasoning and tool calls on standard output.

use std::fmt::Write as _;

use serde::Serialize;
use sseam::Event;
use sseam::llm::{Piece, Signal};

use crate::args::Shows;
use crate::print::{Printer, validate};
use crate::stop::Stop;

/// What of an answer was printed so far, and what waits for its end.
pub(crate) struct Told {
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

impl Told {
    pub(crate) const fn new(shows: Option<Shows>, is_lossy: bool) -> Told {
        Told {
            shows,
            is_lossy,
            calls: Vec::new(),
            message: String::new(),
            is_within_line: false,
        }
    }

    /// Refuses an event whose data is no text, if text of it may be printed.
    pub(crate) fn check(&self, event: &Event<'_>) -> Result<(), Stop> {
        match self.shows.is_some() && !self.is_lossy {
            true => validate("data", event.data(), event.span()),
            false => Ok(()),
        }
    }

    /// What is shown, if it is not events.
    pub(crate) const fn shows(&self) -> Option<Shows> {
        self.shows
    }

    /// Prints the calls that stayed open.
    pub(crate) fn end(&mut self, out: &mut Printer<'_>) -> Result<(), Stop> {
        for call in std::mem::take(&mut self.calls) {
            self.call(&call, false, out)?;
        }
        Ok(())
    }

    /// What the server said about its failure.
    pub(crate) fn message(&mut self) -> String {
        std::mem::take(&mut self.message)
    }

    /// Prints what an item says.
    pub(crate) fn print<'e>(
        &mut self,
        signals: impl Iterator<Item = Signal<'e>>,
        out: &mut Printer<'_>,
    ) -> Result<(), Stop> {
        for signal in signals {
            self.signal(signal, out)?;
        }
        Ok(())
    }

    /// Prints one thing that was said.
    pub(crate) fn signal(&mut self, signal: Signal<'_>, out: &mut Printer<'_>) -> Result<(), Stop> {
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

    /// Prints the text of an event whose last character was cut.
    pub(crate) fn print_cut<'e>(
        &mut self,
        signals: impl Iterator<Item = Signal<'e>>,
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

/// So much of a server's message is shown.
const MESSAGE_LEN_MAX: usize = 2048;
