//! Reads before they are parsed: into the recording and the figures.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sseam::client::{ConnectionStep, ReadBytes};
use sseam::llm::TransportEnd;

use super::conclude::Seen;
use super::locked;
use crate::recording::{End, Recorder};
use crate::source::Mark;
use crate::stop::Stop;

/// What is done with reads before they are parsed, and what came of that.
pub(crate) struct Intake {
    pub(crate) seen: Arc<Mutex<Seen>>,
    pub(crate) recorder: Option<Recorder>,
    /// Why the recording could not be written.
    pub(crate) failure: Option<io::Error>,
    pub(crate) last: Mark,
    /// The connection whose end is to come.
    open: Option<u32>,
}

impl Intake {
    pub(crate) fn new(seen: Seen) -> Intake {
        Intake {
            seen: Arc::new(Mutex::new(seen)),
            recorder: None,
            failure: None,
            last: Mark::default(),
            open: None,
        }
    }

    /// Takes the bytes of a read; whether that ends the run.
    pub(crate) fn take(&mut self, read: &ReadBytes<'_>) -> bool {
        let mark = read.mark;
        let t_us = u64::try_from(mark.at.as_micros()).unwrap_or(u64::MAX);
        let read_number = mark.number;
        self.last = Mark {
            t_us,
            read: read_number,
        };
        {
            let mut seen = locked(&self.seen);
            seen.measure.read(mark.at);
            seen.reads = mark.number;
            seen.first_byte.get_or_insert(mark.at);
        }
        if let Some(recorder) = &mut self.recorder
            && self.failure.is_none()
        {
            let result = recorder.read(mark.connection, mark.at, mark.number, read.bytes);
            self.failure = result.err();
        }
        self.failure.is_some()
    }

    /// Takes note of a request or a connection; whether that ends the run.
    pub(crate) fn step(&mut self, step: &ConnectionStep) -> bool {
        match *step {
            ConnectionStep::Requested { request, .. } => locked(&self.seen).requests = request,
            ConnectionStep::Opened { connection, at } => {
                self.open = Some(connection);
                let mut seen = locked(&self.seen);
                seen.connections = connection;
                seen.measure.opened(at);
            }
            ConnectionStep::Ended { at, transport, .. } => {
                let end = match transport {
                    Some(TransportEnd::Clean) => End::Clean,
                    Some(_) => End::Cut,
                    None => End::Left,
                };
                let result = self.end(at, end);
                self.failure = self.failure.take().or(result.err());
            }
            _ => {}
        }
        self.failure.is_some()
    }

    /// The command itself ends what is still open.
    pub(crate) fn leave(&mut self, at: Duration) -> Result<(), Stop> {
        self.end(at, End::Left).map_err(Stop::Record)
    }

    /// Writes how the open connection ended.
    fn end(&mut self, at: Duration, end: End) -> io::Result<()> {
        match (&mut self.recorder, self.open.take()) {
            (Some(recorder), Some(connection)) if self.failure.is_none() => {
                recorder.end(connection, at, end)
            }
            _ => Ok(()),
        }
    }

    /// Whether a connection is open. What is heard after it is what only the end
    /// of the stream tells.
    pub(crate) const fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Why the run was ended by what was read.
    pub(crate) fn stop(&mut self) -> Option<Stop> {
        self.failure.take().map(Stop::Record)
    }
}
