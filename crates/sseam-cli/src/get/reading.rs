//! A source to lines, event by event, up to its end or a stop.

use std::io::Write;
use std::sync::Mutex;

use sseam::client::{ClientError, EventSource, Received, Unfit};
use sseam::llm::{Close, Signal};
use sseam::{End, Item};

use super::conclude::Seen;
use super::intake::Intake;
use super::{failure, locked, say};
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
            let turn = *source.answer().turn();
            let failure = self.told.has_news().then(|| {
                let outcome = { turn }.finish_with(&End::at(0), Close::Cancelled);
                failure(source, &outcome, &self.told)
            });
            {
                let mut seen = locked(self.seen);
                if let Some(failure) = failure {
                    seen.failure = failure;
                }
                seen.counters = counters;
                seen.turn = turn;
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
        let foreign = match &error {
            Some(ClientError::NotEventStream(it)) => match it.reason() {
                Unfit::Body(foreign) => Some(Stop::Foreign(foreign)),
                _ => None,
            },
            _ => source.answer().foreign().map(Stop::Foreign),
        };
        let stop = locked(self.intake).stop();
        let stop = stop.or_else(|| Stop::of_text(source.answer())).or(foreign);
        // A cancel is our own then, and the rest is said by the stop.
        let error = error.filter(|_| stop.is_none());
        Ended { stop, error }
    }

    fn take(&mut self, received: Received<'_>, stderr: &mut dyn Write) -> Result<(), Stop> {
        match received {
            Received::Item(item, said) => {
                self.note(&item, said);
                self.item(&item, said)?;
            }
            Received::End(said) => self.told.hear(None, said, &mut self.printer)?,
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
        self.told.hear(Some(item), said, &mut self.printer)?;
        let is_shown = match item {
            // One that lacks its blank line counts for the answer alone, as does a
            // line that the end cut.
            Item::Event(event) => event.is_complete(),
            Item::Ignored(_) if !locked(self.intake).is_open() => false,
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
