//! Signals to text, reasoning and tool calls on standard output.

use std::fmt::Write as _;

use serde::Serialize;
use sseam::Event;
use sseam::llm::{CODE_LEN_MAX, Piece, Signal};

use crate::args::Shows;
use crate::print::{Printer, validate};
use crate::stop::Stop;

/// What of an answer was printed so far, and what waits for its end.
pub(crate) struct Told {
    /// Nothing where events are printed.
    shows: Option<Shows>,
    is_lossy: bool,
    /// Open calls; at most [`CALLS_MAX`].
    calls: Vec<Call>,
    /// Bytes of text in them; <= `calls_len_max`
    calls_len: usize,
    calls_len_max: usize,
    failure: Failure,
    /// Something was added to it since it was last asked for.
    has_news: bool,
    /// The last thing printed was text without a line feed at its end.
    is_within_line: bool,
}

/// What the server said about its failure; of each the first that said something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Failure {
    /// At most [`FAILURE_LEN_MAX`] bytes, as the message.
    pub(crate) code: String,
    pub(crate) message: String,
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
    /// `calls_len_max` bounds the text of the calls that are open: they are
    /// printed whole, so it waits for their end.
    pub(crate) const fn new(shows: Option<Shows>, is_lossy: bool, calls_len_max: usize) -> Told {
        Told {
            shows,
            is_lossy,
            calls: Vec::new(),
            calls_len: 0,
            calls_len_max,
            failure: Failure {
                code: String::new(),
                message: String::new(),
            },
            has_news: false,
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
        self.calls_len = 0;
        for call in std::mem::take(&mut self.calls) {
            self.call(&call, false, out)?;
        }
        Ok(())
    }

    /// What the server said about its failure.
    pub(crate) fn failure(&mut self) -> Failure {
        std::mem::take(&mut self.failure)
    }

    /// The same, if there is more of it than at the last call.
    pub(crate) fn news(&mut self) -> Option<&Failure> {
        std::mem::take(&mut self.has_news).then_some(&self.failure)
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
        if let Signal::Error { code, message } = signal {
            keep(&mut self.failure.code, code);
            keep(&mut self.failure.message, message);
            self.has_news = true;
        }
        let Some(shows) = self.shows else {
            return Ok(());
        };
        match signal {
            Signal::Text(piece) | Signal::Refusal(piece) if shows.text => self.piece(piece, out),
            Signal::Reasoning(piece) if shows.reasoning => self.piece(piece, out),
            Signal::ToolOpened { key, id, name } if shows.tools => self.open(key, id, name),
            Signal::ToolArguments { key, piece } if shows.tools => self.arguments(key, piece),
            Signal::ToolClosed { key } if shows.tools => {
                match self.calls.iter().position(|call| call.key == key) {
                    Some(at) => {
                        let call = self.calls.remove(at);
                        self.calls_len -= call.len();
                        self.call(&call, true, out)
                    }
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, key: u32, id: Piece<'_>, name: Piece<'_>) -> Result<(), Stop> {
        if self.calls.len() == CALLS_MAX {
            return Err(Stop::Calls { max: CALLS_MAX });
        }
        self.reserve(id.text_len() + name.text_len())?;
        self.calls.push(Call {
            key,
            id: id.to_string(),
            name: name.to_string(),
            arguments: String::new(),
        });
        Ok(())
    }

    fn arguments(&mut self, key: u32, piece: Piece<'_>) -> Result<(), Stop> {
        let Some(at) = self.calls.iter().position(|call| call.key == key) else {
            return Ok(());
        };
        self.reserve(piece.text_len())?;
        if let Some(call) = self.calls.get_mut(at) {
            // Writing to a string never fails.
            let _ = write!(call.arguments, "{piece}");
        }
        Ok(())
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

impl Call {
    /// Bytes of its text.
    fn len(&self) -> usize {
        self.id.len() + self.name.len() + self.arguments.len()
    }
}

impl Failure {
    /// Each as `redact` leaves it.
    pub(crate) fn redacted(&self, redact: impl Fn(&[u8]) -> Vec<u8>) -> Failure {
        let redacted = |text: &str| String::from_utf8_lossy(&redact(text.as_bytes())).into_owned();
        Failure {
            code: redacted(&self.code),
            message: redacted(&self.message),
        }
    }

    /// Each as it is shown. Not cut before it is redacted: the half of a key
    /// would not be known as one.
    pub(crate) fn shown(mut self) -> Failure {
        cut(&mut self.code, CODE_LEN_MAX);
        cut(&mut self.message, MESSAGE_LEN_MAX);
        self
    }
}

/// Keeps the piece, unless something was kept before.
fn keep(kept: &mut String, piece: Piece<'_>) {
    if kept.is_empty() {
        for part in piece.parts() {
            kept.push_str(&part);
            if kept.len() > FAILURE_LEN_MAX {
                break;
            }
        }
        cut(kept, FAILURE_LEN_MAX);
    }
}

/// Leaves the whole characters within the first `len_max` bytes.
fn cut(text: &mut String, len_max: usize) {
    let fits = |at: &usize| text.is_char_boundary(*at);
    let end = (0..=len_max).rfind(fits).unwrap_or(0);
    text.truncate(end);
}

/// No answer opens so many at a time, and one without text takes memory too.
const CALLS_MAX: usize = 1024;

/// So much of a server's message is shown.
const MESSAGE_LEN_MAX: usize = 2048;

/// So much is kept until it is redacted.
const FAILURE_LEN_MAX: usize = 64 * 1024;
