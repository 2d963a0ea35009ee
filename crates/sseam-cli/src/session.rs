//! Bytes to items to lines: one stream from its first byte to its end, or to
//! what stops it. Whatever a stream comes from, it passes through here.

use sseam::{Counters, End, Error, GrowingMemory, Item, Limit, Limits, Parser, SetupError};

use crate::answer::{Answer, Verdict};
use crate::args::limit_word;
use crate::foreign::Inspector;
use crate::print::Printer;
use crate::source::Mark;
use crate::stop::Stop;
use crate::summary::Summary;

/// A stream that is being read.
pub(crate) struct Session<'io> {
    parser: Parser<GrowingMemory>,
    inspector: Inspector,
    printer: Printer<'io>,
    /// What folds the events into an outcome, if that is asked for.
    answer: Option<Answer>,
    /// Whether an event without its blank line is printed too.
    delivers_unfinished: bool,
}

/// How a stream ended.
pub(crate) struct Ending<'s> {
    /// The first cause in the order of the stream, if the end alone is not it.
    pub(crate) stop: Option<Stop>,
    /// What became of the answer, if a dialect is known.
    pub(crate) verdict: Option<Verdict>,
    pub(crate) summary: Summary<'s>,
}

impl<'io> Session<'io> {
    /// A session before the first byte.
    ///
    /// # Errors
    ///
    /// An id that no stream can have set is refused.
    pub(crate) fn new(
        printer: Printer<'io>,
        answer: Option<Answer>,
        limits: Limits,
        last_event_id: Option<&str>,
        delivers_unfinished: bool,
    ) -> Result<Session<'io>, SetupError> {
        let mut parser = Parser::growing(GrowingMemory::new(), limits);
        if let Some(id) = last_event_id {
            parser.set_last_event_id(id.as_bytes())?;
        }
        Ok(Session {
            parser,
            inspector: Inspector::new(),
            printer,
            answer,
            delivers_unfinished,
        })
    }

    /// Takes the next bytes and prints what they complete.
    ///
    /// # Errors
    ///
    /// Whatever ends the run; all before it was printed.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let certain = self.inspector.look(bytes);
        let mut input = match certain {
            Some((len, _)) => bytes.get(..len).unwrap_or(bytes),
            None => bytes,
        };
        let wants_items = self.printer.wants_items();
        let wants_all = wants_items || self.answer.is_some();
        while let Some(item) = next(&mut self.parser, &mut input, wants_all)? {
            if let Some(answer) = &mut self.answer {
                answer.observe(&item, &mut self.printer)?;
            }
            if wants_items || matches!(item, Item::Event(_)) {
                self.printer.item(&item)?;
            }
        }
        match certain {
            Some((_, foreign)) => Err(Stop::Foreign(foreign)),
            None => Ok(()),
        }
    }

    /// Says when the bytes that are fed next have come.
    pub(crate) fn mark(&mut self, mark: Option<Mark>) {
        self.printer.mark(mark);
    }

    /// Hands on what was printed, before a wait.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        self.printer.flush().map_err(Stop::Write)
    }

    /// Ends the stream: at its end, or where `stop` ended it.
    pub(crate) fn end(&mut self, stop: Option<Stop>) -> Ending<'_> {
        // A source that broke has ended, if not as it should.
        let has_ended = matches!(stop, None | Some(Stop::Read { .. } | Stop::Cut { .. }));
        let is_within_data = has_ended && self.takes_unfinished() && self.is_within_data();
        let end = has_ended.then(|| self.parser.finish());
        let stop = match has_ended {
            // The text of that event stands before whatever ended the input.
            true => self.unfinished(is_within_data).err().or(stop),
            false => stop,
        };
        let counters = self.parser.counters();
        let stop = stop.or_else(|| self.inspector.verdict(&counters).map(Stop::Foreign));
        let (verdict, stop) = match self.verdict(end, stop.as_ref()) {
            Ok(verdict) => (verdict, stop),
            Err(failed) => (None, stop.or(Some(failed))),
        };
        // What cannot be written was before all that in the stream.
        let stop = self.flush().err().or(stop);
        Ending {
            stop,
            verdict,
            summary: Summary {
                counters,
                last_event_id: self.parser.last_event_id(),
                retry: self.parser.retry(),
                end,
                has_known_line: self.inspector.has_known_line(),
                figures: None,
            },
        }
    }

    /// What was counted so far.
    pub(crate) const fn counters(&self) -> Counters {
        self.parser.counters()
    }

    /// Prints the event that lacks its blank line, if that is asked for.
    fn unfinished(&mut self, is_within_data: bool) -> Result<(), Stop> {
        if !self.takes_unfinished() {
            return Ok(());
        }
        let Some(event) = self.parser.take_unfinished().map_err(Stop::Parser)? else {
            return Ok(());
        };
        if let Some(answer) = &mut self.answer {
            answer.event(&event, is_within_data, &mut self.printer)?;
        }
        match self.delivers_unfinished {
            true => self.printer.unfinished(&event, is_within_data),
            false => Ok(()),
        }
    }

    /// Whether an event without its blank line is printed, or counts for the
    /// answer.
    fn takes_unfinished(&self) -> bool {
        let counts = self.answer.as_ref().is_some_and(Answer::wants_unfinished);
        self.delivers_unfinished || counts
    }

    /// What became of the answer, if that is asked for.
    fn verdict(&mut self, end: Option<End>, stop: Option<&Stop>) -> Result<Option<Verdict>, Stop> {
        let Some(answer) = &mut self.answer else {
            return Ok(None);
        };
        let counters = self.parser.counters();
        if counters.events == 0 && counters.skipped == 0 {
            let head = self.inspector.head();
            let is_whole = head.len() as u64 == counters.bytes;
            answer.body(head, is_whole, &mut self.printer)?;
        }
        let last_event_id = self.parser.last_event_id();
        let verdict = answer.finish(end, stop, last_event_id, &mut self.printer)?;
        Ok(Some(verdict))
    }

    /// Whether the input ends inside a line of data, so that its last character
    /// may have been cut there.
    ///
    /// The parser does not say which field it is in, but one more byte changes
    /// the unfinished data in a line of data and in no other.
    fn is_within_data(&self) -> bool {
        let mut longer = self.parser.clone();
        match longer.next_event(&mut &b"x"[..]) {
            Ok(_) => unfinished_len(longer) != unfinished_len(self.parser.clone()),
            // The byte passed a limit of the line that it was in.
            Err(Error::LimitPassed { limit, .. }) => !matches!(limit, Limit::EventType | Limit::Id),
            Err(_) => true,
        }
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

fn next<'p, 'c: 'p>(
    parser: &'p mut Parser<GrowingMemory>,
    input: &mut &'c [u8],
    wants_items: bool,
) -> Result<Option<Item<'p>>, Stop> {
    let result = if wants_items {
        parser.next_item(input)
    } else {
        let event = parser.next_event(input);
        event.map(|event| event.map(Item::Event))
    };
    result.map_err(Stop::Parser)
}
