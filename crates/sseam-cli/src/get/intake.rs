//! Reads before they are parsed: into the recording, the figures, and to what
//! knows other inputs from event streams.

use std::sync::{Arc, Mutex};

use sseam::client::ReadBytes;

use super::conclude::Seen;
use super::locked;
use crate::foreign::{Foreign, Inspector};
use crate::recording::Recorder;
use crate::source::Mark;
use crate::stop::Stop;

/// What is done with reads before they are parsed, and what came of that.
pub(crate) struct Intake {
    pub(crate) seen: Arc<Mutex<Seen>>,
    pub(crate) inspector: Inspector,
    pub(crate) foreign: Option<Foreign>,
    pub(crate) recorder: Option<Recorder>,
    /// Why the recording could not be written.
    pub(crate) failure: Option<std::io::Error>,
    pub(crate) last: Mark,
    pub(crate) connection: u32,
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

    /// Why the run was ended by what was read.
    pub(crate) fn stop(&mut self) -> Option<Stop> {
        let failure = self.failure.take().map(Stop::Record);
        failure.or(self.foreign.map(Stop::Foreign))
    }
}
