//! Signals to text, reasoning, tool calls or lines of their own on standard output.

use serde::Serialize;
use sseam::llm::{Piece, Signal};
use sseam::{Call, Calls, Event, Item};

use crate::args::Shows;
use crate::print::{Printer, validate, without_cut};
use crate::signals::{At, SignalLine};
use crate::stop::Stop;
use crate::verdict::{TOLD_LEN_MAX, cut};

/// What of an answer was printed so far, and what waits for its end.
pub(crate) struct Told {
    /// Nothing where events are printed.
    shows: Option<Shows>,
    is_lossy: bool,
    /// Events so far, those that were left out too.
    events: u64,
    calls: Calls,
    /// Bytes of text in those that are open; <= `calls_len_max`
    calls_len: usize,
    calls_len_max: usize,
    /// What the server said of its failure, the first that was not empty; at most
    /// [`TOLD_LEN_MAX`] bytes.
    message: String,
    /// A failure was told of since that was last asked.
    has_news: bool,
    /// The last thing printed was text without a line feed at its end.
    is_within_line: bool,
}

#[derive(Serialize)]
struct CallLine<'a> {
    tool: &'a str,
    id: &'a str,
    arguments: &'a str,
    closed: bool,
    /// Said of calls that run at the server: they are not for the caller to run.
    #[serde(skip_serializing_if = "is_true")]
    client: bool,
}

impl Told {
    /// `calls_len_max` bounds the text of the calls that are open: they are
    /// printed whole, so it waits for their end.
    pub(crate) const fn new(shows: Option<Shows>, is_lossy: bool, calls_len_max: usize) -> Told {
        Told {
            shows,
            is_lossy,
            events: 0,
            calls: Calls::new(),
            calls_len: 0,
            calls_len_max,
            message: String::new(),
            has_news: false,
            is_within_line: false,
        }
    }

    /// Whether all text of the answer has to be UTF-8, since any of it may be
    /// printed.
    pub(crate) const fn is_strict(&self) -> bool {
        self.shows.is_some() && !self.is_lossy
    }

    /// What the server said of its failure.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Whether a failure was told of since the last call.
    pub(crate) fn has_news(&mut self) -> bool {
        std::mem::take(&mut self.has_news)
    }

    /// Prints the calls that stayed open.
    pub(crate) fn end(&mut self, out: &mut Printer<'_>) -> Result<(), Stop> {
        self.calls_len = 0;
        for call in std::mem::take(&mut self.calls).open() {
            self.call(call, false, out)?;
        }
        Ok(())
    }

    /// Prints what an item says, or the end where there is none.
    pub(crate) fn hear<'e>(
        &mut self,
        item: Option<&Item<'_>>,
        said: impl Iterator<Item = Signal<'e>>,
        out: &mut Printer<'_>,
    ) -> Result<(), Stop> {
        let at = self.at(item);
        let is_left_out = item.is_some_and(|item| out.leaves_out(item));
        for signal in said {
            self.note(&signal);
            match self.shows {
                Some(shows) if !shows.signals => self.signal(signal, shows, out)?,
                Some(_) if !is_left_out => {
                    let timing = out.timing();
                    out.line(&SignalLine::new(signal, at, timing))
                        .map_err(Stop::Write)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Prints what an unfinished event says. If the input ended within its data,
    /// its last character may have been cut.
    pub(crate) fn hear_unfinished<'e>(
        &mut self,
        event: &Event<'_>,
        is_within_data: bool,
        said: impl Iterator<Item = Signal<'e>>,
        out: &mut Printer<'_>,
    ) -> Result<(), Stop> {
        let is_cut = is_within_data && without_cut(event.data()).len() < event.data().len();
        match self.shows {
            // The parser cannot lend the event without its last bytes.
            Some(shows) if is_cut && !shows.signals => self.cut_text(said, shows, out),
            _ => {
                if self.is_strict() && !is_cut {
                    validate("data", event.data(), event.span())?;
                }
                self.hear(Some(&Item::Event(*event)), said, out)
            }
        }
    }

    /// Prints the text of an event whose last character was cut.
    fn cut_text<'e>(
        &mut self,
        said: impl Iterator<Item = Signal<'e>>,
        shows: Shows,
        out: &mut Printer<'_>,
    ) -> Result<(), Stop> {
        for signal in said {
            if let (Signal::Text(piece), true) = (signal, shows.text) {
                let text = piece.to_string();
                let kept = text.trim_end_matches('\n').trim_end_matches('\u{FFFD}');
                out.text(kept).map_err(Stop::Write)?;
                out.text("\n").map_err(Stop::Write)?;
            }
        }
        Ok(())
    }

    /// Counts the item and says where it stands.
    fn at(&mut self, item: Option<&Item<'_>>) -> At {
        let offset = match item {
            Some(Item::Event(event)) => event.span().start,
            Some(Item::Skipped(skipped)) => skipped.span().start,
            _ => return At::default(),
        };
        self.events += 1;
        At {
            event: Some(self.events),
            offset: Some(offset),
        }
    }

    /// Keeps what a server says of its failure, of which an outcome has the
    /// beginning alone.
    fn note(&mut self, signal: &Signal<'_>) {
        let Signal::Error { message, .. } = signal else {
            return;
        };
        self.has_news = true;
        if !self.message.is_empty() {
            return;
        }
        for part in message.parts() {
            self.message.push_str(&part);
            if self.message.len() > TOLD_LEN_MAX {
                break;
            }
        }
        cut(&mut self.message, TOLD_LEN_MAX);
    }

    /// Prints one thing that was said.
    fn signal(
        &mut self,
        signal: Signal<'_>,
        shows: Shows,
        out: &mut Printer<'_>,
    ) -> Result<(), Stop> {
        match signal {
            Signal::Text(piece) | Signal::Refusal(piece) if shows.text => self.piece(piece, out),
            Signal::Reasoning(piece) if shows.reasoning => self.piece(piece, out),
            _ if shows.tools => self.gather(&signal, out),
            _ => Ok(()),
        }
    }

    /// Adds to the open calls, and prints the one that is closed.
    fn gather(&mut self, signal: &Signal<'_>, out: &mut Printer<'_>) -> Result<(), Stop> {
        match signal {
            Signal::ToolOpened { id, name, .. } => self.reserve(id.text_len() + name.text_len())?,
            Signal::ToolArguments { piece, .. } => self.reserve(piece.text_len())?,
            _ => {}
        }
        let Some(call) = self.calls.take(signal) else {
            return Ok(());
        };
        let len = call.id.len() + call.name.len() + call.arguments.len();
        self.calls_len = self.calls_len.saturating_sub(len);
        self.call(&call, true, out)
    }

    /// Counts `len` bytes more, or refuses them and changes nothing.
    fn reserve(&mut self, len: usize) -> Result<(), Stop> {
        let (max, total) = (self.calls_len_max, self.calls_len.checked_add(len));
        let fits = total.filter(|total| *total <= max);
        self.calls_len = fits.ok_or(Stop::CallText { max })?;
        Ok(())
    }

    fn piece(&mut self, piece: Piece<'_>, out: &mut Printer<'_>) -> Result<(), Stop> {
        for part in piece.parts() {
            out.text(&part).map_err(Stop::Write)?;
            self.is_within_line = !part.ends_with('\n');
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
            client: call.is_client,
        };
        out.line(&line).map_err(Stop::Write)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_true(value: &bool) -> bool {
    *value
}
