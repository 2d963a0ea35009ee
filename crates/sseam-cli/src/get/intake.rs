//! Reads before they are parsed: into the recording, the figures, and to what
//! knows other inputs from event streams.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sseam::client::{ConnectionStep, ReadBytes};
use sseam::llm::TransportEnd;

use super::conclude::Seen;
use super::locked;
use crate::foreign::{Foreign, Inspector};
use crate::recording::{End, Recorder};
use crate::source::Mark;
use crate::stop::Stop;

/// What is done with reads before they are parsed, and what came of that.
pub(crate) struct Intake {
    pub(crate) seen: Arc<Mutex<Seen>>,
    pub(crate) inspector: Inspector,
    pub(crate) foreign: Option<Foreign>,
    pub(crate) recorder: Option<Recorder>,
    /// Why the recording could not be written.
    pub(crate) failure: Option<io::Error>,
    pub(crate) last: Mark,
    connection: u32,
    /// The connection whose end is to come.
    open: Option<u32>,
}

impl Intake {
    pub(crate) fn new(seen: Seen) -> Intake {
        Intake {
            seen: Arc::new(Mutex::new(seen)),
            inspector: Inspector::new(),
            foreign: None,
            recorder: None,
            failure: None,
            last: Mark::default(),
            connection: 0,
            open: None,
        }
    }

    /// Takes the bytes of a read; whether that ends the run.
    pub(crate) fn take(&mut self, read: &ReadBytes<'_>) -> bool {
        let mark = read.mark;
        if self.connection != mark.connection {
            self.connection = mark.connection;
            self.inspector = Inspector::new();
        }
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
        let certain = self.inspector.look(read.bytes);
        self.foreign = certain.map(|(_, foreign)| foreign);
        self.foreign.is_some() || self.failure.is_some()
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

    /// Why the run was ended by what was read.
    pub(crate) fn stop(&mut self) -> Option<Stop> {
        let failure = self.failure.take().map(Stop::Record);
        failure.or(self.foreign.map(Stop::Foreign))
    }
}
