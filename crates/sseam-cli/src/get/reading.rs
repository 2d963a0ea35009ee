//! A source to lines, event by event, up to its end or a stop.

use std::io::Write;
use std::sync::Mutex;

use sseam::Item;
use sseam::client::{ClientError, EventSource, Received};
use sseam::llm::Signal;

use super::conclude::Seen;
use super::intake::Intake;
use super::{locked, say};
use crate::print::Printer;
use crate::stop::Stop;
use crate::told::Told;

/// A stream that is being read.
pub(crate) struct Reading<'r, 'io> {
    pub(crate) printer: Printer<'io>,
    pub(crate) told: Told,
    pub(crate) intake: &'r Mutex<Intake>,
    pub(crate) seen: &'r Mutex<Seen>,
    pub(crate) name: &'r str,
}

/// How reading ended.
pub(crate) struct Ended {
    /// What stopped the command itself.
    pub(crate) stop: Option<Stop>,
    /// What stopped the stream.
    pub(crate) error: Option<ClientError>,
}

impl Reading<'_, '_> {
    /// Reads to the end.
    pub(crate) fn run(&mut self, source: &mut EventSource, stderr: &mut dyn Write) -> Ended {
        loop {
            let result = match source.receive() {
                Ok(Some(received)) => self.take(received, stderr),
                Ok(None) => return self.ended(source, None),
                Err(error) => return self.ended(source, Some(error)),
            };
            let counters = source.counters();
            let failure = self.told.news();
            let failure = failure.map(|it| it.redacted(|text| source.redact(text)));
            {
                let mut seen = locked(self.seen);
                if let Some(failure) = failure {
                    seen.failure = failure;
                }
                seen.counters = counters;
                seen.turn = *source.turn();
                if seen.first_text.is_none() {
                    seen.first_text = source.report().first_output;
                }
                let id = source.last_event_id();
                if seen.last_event_id != id.as_bytes() {
                    seen.last_event_id = id.as_bytes().to_vec();
                }
            }
            if let Err(stop) = result {
                // The server need not go on.
                source.canceller().cancel();
                let stop = Some(stop);
                return Ended { stop, error: None };
            }
        }
    }

    /// The stream has ended: by itself, or by what was seen in its bytes.
    fn ended(&self, source: &EventSource, error: Option<ClientError>) -> Ended {
        let mut intake = locked(self.intake);
        let mut stop = intake.stop();
        // What is no event stream may well break off inside a line.
        let has_ended = matches!(error, None | Some(ClientError::Truncated(_)));
        let is_body = has_ended && source.head().is_some_and(|head| head.status() == 200);
        if stop.is_none() && is_body {
            let counters = source.counters();
            stop = intake.inspector.verdict(&counters).map(Stop::Foreign);
        }
        // A cancel is our own then.
        let error = error.filter(|_| stop.is_none());
        Ended { stop, error }
    }

    fn take(&mut self, received: Received<'_>, stderr: &mut dyn Write) -> Result<(), Stop> {
        match received {
            Received::Item(item, said) => {
                self.note(&item, said.clone());
                self.item(&item, said)?;
            }
            Received::Body(signal) => self.told.signal(signal, &mut self.printer)?,
            Received::Reconnected(news) if !news.is_resumable => {
                let number = news.connection;
                say(
                    stderr,
                    &format!(
                        "{}: connection {number}: the events before had no id, \
                         and may come again",
                        self.name
                    ),
                );
            }
            _ => {}
        }
        self.printer.flush().map_err(Stop::Write)
    }

    /// Counts an item for the figures.
    fn note<'e>(&mut self, item: &Item<'_>, mut said: impl Iterator<Item = Signal<'e>>) {
        let mark = locked(self.intake).last;
        self.printer.mark(Some(mark));
        let mut seen = locked(self.seen);
        match item {
            Item::Event(_) if said.any(|signal| matches!(signal, Signal::KeepAlive)) => {
                seen.measure.keep_alive();
            }
            Item::Event(_) => seen.measure.event(),
            Item::Comment(_) => seen.measure.keep_alive(),
            Item::Retry(milliseconds) => seen.retry = Some(*milliseconds),
            _ => {}
        }
    }

    fn item<'e>(
        &mut self,
        item: &Item<'_>,
        said: impl Iterator<Item = Signal<'e>>,
    ) -> Result<(), Stop> {
        if let Item::Event(event) = item {
            self.told.check(event)?;
        }
        self.told.print(said, &mut self.printer)?;
        let is_shown = match item {
            // One that lacks its blank line counts for the answer alone.
            Item::Event(event) => event.is_complete(),
            _ => self.printer.wants_items(),
        };
        match is_shown {
            true => self.printer.item(item),
            false => Ok(()),
        }
    }

    /// Prints what waited for the end.
    pub(crate) fn end(&mut self) -> Result<(), Stop> {
        self.told.end(&mut self.printer)?;
        self.printer.flush().map_err(Stop::Write)
    }
}
