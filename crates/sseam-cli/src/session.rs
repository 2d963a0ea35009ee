//! Bytes to items and signals to lines: one stream from its first byte to its end,
//! or to what stops it. Whatever a file holds, it passes through here.

use sseam::llm::{Answer, Close, Heard, TransportEnd, Turn};
use sseam::{Counters, Error, GrowingMemory, Item, Limit, Limits, Parser, SetupError, Span};

use crate::args::limit_word;
use crate::print::Printer;
use crate::source::Mark;
use crate::stop::Stop;
use crate::summary::Summary;
use crate::told::Told;
use crate::verdict::{Failure, Verdict, lacks_blank_line};

/// A stream that is being read.
pub(crate) struct Session<'io> {
    answer: Answer<GrowingMemory>,
    out: Out<'io>,
    /// Bytes that were fed, those included that the answer had no use for.
    fed: u64,
}

/// What is printed, and where.
struct Out<'io> {
    printer: Printer<'io>,
    told: Told,
    /// Whether an event without its blank line is printed too.
    delivers_unfinished: bool,
}

/// How a stream ended.
pub(crate) struct Ending<'s> {
    /// The first cause in the order of the stream, if the end alone is not it.
    pub(crate) stop: Option<Stop>,
    /// What became of the answer.
    pub(crate) verdict: Verdict,
    /// The bytes after an answer that was over, if they were not read.
    pub(crate) unread: Option<Span>,
    pub(crate) summary: Summary<'s>,
}

impl<'io> Session<'io> {
    /// A session before the first byte.
    ///
    /// # Errors
    ///
    /// An id that no stream can have set is refused.
    pub(crate) fn new(
        (printer, told): (Printer<'io>, Told),
        turn: Turn,
        limits: Limits,
        last_event_id: Option<&str>,
        delivers_unfinished: bool,
    ) -> Result<Session<'io>, SetupError> {
        let mut answer = Answer::growing(GrowingMemory::new(), limits, turn);
        if told.is_strict() {
            answer = answer.with_strict_text();
        }
        if delivers_unfinished {
            answer = answer.with_unfinished_event();
        }
        if let Some(id) = last_event_id {
            answer.set_last_event_id(id.as_bytes())?;
        }
        let out = Out {
            printer,
            told,
            delivers_unfinished,
        };
        Ok(Session {
            answer,
            out,
            fed: 0,
        })
    }

    /// Takes the next bytes and prints what they complete.
    ///
    /// # Errors
    ///
    /// Whatever ends the run; all before it was printed.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.fed += bytes.len() as u64;
        let mut input = bytes;
        while let Some(heard) = self.answer.next(&mut input) {
            self.out.print(heard)?;
        }
        match self.stop() {
            Some(stop) => Err(stop),
            None => Ok(()),
        }
    }

    /// Says when the bytes that are fed next have come.
    pub(crate) fn mark(&mut self, mark: Option<Mark>) {
        self.out.printer.mark(mark);
    }

    /// Hands on what was printed, before a wait.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        self.out.printer.flush().map_err(Stop::Write)
    }

    /// Ends the stream: at its end, or where `stop` ended it.
    pub(crate) fn end(&mut self, stop: Option<Stop>) -> Ending<'_> {
        // A source that broke has ended, if not as it should.
        let has_ended = matches!(stop, None | Some(Stop::Read { .. } | Stop::Cut { .. }));
        let is_within_data = has_ended && is_within_data(self.answer.parser());
        let unread = has_ended.then(|| self.unread()).flatten();
        let clean = Close::Transport(TransportEnd::Clean);
        self.answer.end(stop.as_ref().map_or(clean, Stop::close));
        // The text of an unfinished event stands before whatever ended the input.
        let told = self.tell_end(is_within_data);
        let outcome = self.answer.outcome();
        let failure = Failure::new(&outcome, self.out.told.message(), |text, _| text.to_vec());
        let stop = told.err().or(stop);
        let stop = stop.or_else(|| self.answer.foreign().map(Stop::Foreign));
        // What cannot be written was before all that in the stream.
        let stop = self.flush().err().or(stop);
        Ending {
            stop,
            verdict: Verdict::new(outcome, failure)
                .with_foreign(self.answer.foreign())
                .with_hint(has_ended && lacks_blank_line(&self.answer)),
            unread,
            summary: Summary {
                counters: self.answer.counters(),
                last_event_id: self.answer.last_event_id(),
                retry: self.answer.retry(),
                end: has_ended.then(|| *self.answer.stream_end()),
                has_known_line: self.answer.has_known_line(),
                figures: None,
            },
        }
    }

    /// What was counted so far.
    pub(crate) const fn counters(&self) -> Counters {
        self.answer.counters()
    }

    /// Prints what only the end tells, and the calls that stayed open.
    fn tell_end(&mut self, is_within_data: bool) -> Result<(), Stop> {
        while let Some(heard) = self.answer.next(&mut &b""[..]) {
            self.out.print_at_end(heard, is_within_data)?;
        }
        self.out.told.end(&mut self.out.printer)?;
        Stop::of_text(&self.answer).map_or(Ok(()), Err)
    }

    /// Why the answer takes nothing more, if something in the stream is why.
    fn stop(&self) -> Option<Stop> {
        let stop = self.answer.error().map(Stop::Parser);
        let stop = stop.or_else(|| Stop::of_text(&self.answer));
        stop.or_else(|| self.answer.foreign().map(Stop::Foreign))
    }

    /// The bytes that came long after the answer was over.
    fn unread(&self) -> Option<Span> {
        let start = self.answer.counters().bytes;
        let end = self.fed;
        let is_over = self.answer.turn().is_terminal();
        (is_over && start < end).then_some(Span { start, end })
    }
}

impl Out<'_> {
    /// Prints an item and what it says, as far as either is asked for.
    fn print(&mut self, heard: Heard<'_>) -> Result<(), Stop> {
        let Heard { item, signals } = heard;
        self.told.hear(item.as_ref(), signals, &mut self.printer)?;
        match item {
            Some(item) if self.printer.wants_items() || matches!(item, Item::Event(_)) => {
                self.printer.item(&item)
            }
            _ => Ok(()),
        }
    }

    /// Prints what the end tells: the line and the event that it cut, and calls.
    fn print_at_end(&mut self, heard: Heard<'_>, is_within_data: bool) -> Result<(), Stop> {
        let Heard { item, signals } = heard;
        match item {
            Some(Item::Event(event)) if !event.is_complete() => {
                let out = &mut self.printer;
                self.told
                    .hear_unfinished(&event, is_within_data, signals, out)?;
                match self.delivers_unfinished {
                    true => out.unfinished(&event, is_within_data),
                    false => Ok(()),
                }
            }
            // A line that was cut is part of what the end threw away.
            Some(item @ Item::Ignored(_)) => {
                self.told.hear(Some(&item), signals, &mut self.printer)
            }
            item => self.print(Heard { item, signals }),
        }
    }
}

/// Whether the input ends inside a line of data, so that its last character may
/// have been cut there.
///
/// The parser does not say which field it is in, but one more byte changes the
/// unfinished data in a line of data and in no other.
fn is_within_data(parser: &Parser<GrowingMemory>) -> bool {
    let mut longer = parser.clone();
    match longer.next_event(&mut &b"x"[..]) {
        Ok(_) => unfinished_len(longer) != unfinished_len(parser.clone()),
        // The byte passed a limit of the line that it was in.
        Err(Error::LimitPassed { limit, .. }) => !matches!(limit, Limit::EventType | Limit::Id),
        Err(_) => true,
    }
}

/// Length of the data of the event that lacks its blank line.
fn unfinished_len(mut parser: Parser<GrowingMemory>) -> usize {
    parser.finish();
    let event = parser.take_unfinished().ok().flatten();
    event.map_or(0, |event| event.data().len())
}

/// What an id must be, for one that was refused.
pub(crate) fn refusal(error: SetupError) -> String {
    match error {
        SetupError::IdTooLong { len, max } => {
            let word = limit_word(Limit::Id);
            format!("--last-event-id has {len} bytes, over the limit of {max}; raise --max-{word}")
        }
        error => format!("--last-event-id: {error}"),
    }
}
