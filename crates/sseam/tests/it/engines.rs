//! The ways of reading, as engines of the testkit: a stream in chunks comes in,
//! a report goes out.

use std::convert::Infallible;
use std::io::ErrorKind;

use sseam::{
    EventReader, Events, OwnedEvent, ReadError, events_with_limits, try_events_with_limits,
};
use sseam_testkit as kit;

use crate::convert;
use crate::sources::Script;

/// A reader that lends its items, over reads that are interrupted or fail.
pub(crate) struct Lending {
    pub(crate) buffer_size: usize,
    /// Whether the reader is taken apart and put together after each item.
    pub(crate) is_rebuilt: bool,
}

/// The events of a reader, by `for`.
pub(crate) struct Looped;

/// The items of chunks, of which every second one fails to come.
pub(crate) struct Chunks;

/// The events of chunks, by `for`.
pub(crate) struct LoopedChunks;

impl Lending {
    pub(crate) const PLAIN: Lending = Lending {
        buffer_size: 1000,
        is_rebuilt: false,
    };

    fn run_once(
        &self,
        reader: &mut Option<EventReader<Script<'_>>>,
        want_items: bool,
    ) -> kit::Report {
        let mut report = kit::Report::default();
        loop {
            let mut it = reader.take().expect("it is put back");
            let result = if want_items {
                it.next_item().map(|item| item.map(convert::item))
            } else {
                it.next_event().map(|event| event.map(convert::event))
            };
            *reader = Some(if self.is_rebuilt { rebuilt(it) } else { it });
            match result {
                Ok(Some(item)) => report.items.push(item),
                Ok(None) => break,
                Err(ReadError::Source(error)) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
                Err(ReadError::Parse(error)) => {
                    report.failure = Some(convert::failure(error));
                    break;
                }
                Err(ReadError::Truncated(end)) => {
                    assert_eq!(report.pending, None, "it is said once");
                    report.pending = convert::pending(end);
                }
                Err(error) => panic!("{error}"),
            }
        }
        let reader = reader.as_mut().expect("it is put back");
        check_ending(reader, &mut report);
        report
    }
}

/// Not with the parts alone: the buffer's size is the reader's own.
fn rebuilt(reader: EventReader<Script<'_>>) -> EventReader<Script<'_>> {
    EventReader::from_parts(reader.into_parts()).with_buffer_size(5)
}

/// What a reader says after its last item, and that it says it again.
fn check_ending(reader: &mut EventReader<Script<'_>>, report: &mut kit::Report) {
    report.counters = convert::counters(reader.counters());
    report.retry = reader.retry();
    report.last_event_id = reader.last_event_id().as_bytes().to_vec();
    match (&report.failure, reader.next_event()) {
        (Some(failure), Err(ReadError::Parse(error))) => {
            assert_eq!(convert::failure(error), *failure, "a passed limit stays");
        }
        (None, Ok(None)) => {
            let event = reader.take_unfinished().expect("memory for one byte");
            report.unfinished = event.map(convert::unfinished);
            assert_eq!(reader.take_unfinished(), Ok(None), "it is given once");
            assert!(matches!(reader.next_event(), Ok(None)), "an end stays");
        }
        (_, other) => panic!("{other:?} after the end or an error"),
    }
}

impl kit::Engine for Lending {
    fn name(&self) -> &str {
        match self.is_rebuilt {
            true => "EventReader, taken apart after each item",
            false => "EventReader, lending",
        }
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let mut reports = self.run_streams(setup, &[chunks.to_vec()]);
        reports.pop().expect("one for each stream")
    }

    fn run_streams(&self, setup: &kit::Setup, streams: &[Vec<&[u8]>]) -> Vec<kit::Report> {
        let reader = EventReader::with_limits(Script::default(), convert::limits(setup));
        let mut reader = reader.with_buffer_size(self.buffer_size);
        reader
            .set_last_event_id(&setup.last_event_id)
            .expect("the setup's id is within its limit");
        let mut reader = Some(reader);
        let mut reports = Vec::new();
        for chunks in streams {
            let it = reader.as_mut().expect("it is put back");
            it.reset(Script::between(chunks, ErrorKind::WouldBlock));
            reports.push(self.run_once(&mut reader, setup.want_items));
        }
        reports
    }
}

const OWNED: kit::Capabilities = kit::Capabilities {
    items: false,
    item_details: false,
    ..kit::Capabilities::ALL
};

impl kit::Engine for Looped {
    fn name(&self) -> &str {
        "EventReader, by `for`"
    }

    fn capabilities(&self) -> kit::Capabilities {
        OWNED
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let script = Script::between(chunks, ErrorKind::Interrupted);
        let reader = EventReader::with_limits(script, convert::limits(setup));
        let mut reader = reader.with_buffer_size(1000);
        reader
            .set_last_event_id(&setup.last_event_id)
            .expect("the setup's id is within its limit");
        let mut events = reader.into_iter();
        let mut report = loop_over(&mut events);
        check_ending(&mut events.into_reader(), &mut report);
        report
    }
}

impl kit::Engine for Chunks {
    fn name(&self) -> &str {
        "try_events, lending"
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let mut reports = self.run_streams(setup, &[chunks.to_vec()]);
        reports.pop().expect("one for each stream")
    }

    fn run_streams(&self, setup: &kit::Setup, streams: &[Vec<&[u8]>]) -> Vec<kit::Report> {
        let mut events = try_events_with_limits(Vec::new(), convert::limits(setup));
        events
            .set_last_event_id(&setup.last_event_id)
            .expect("the setup's id is within its limit");
        let mut reports = Vec::new();
        for chunks in streams {
            let failing = chunks.iter().flat_map(|chunk| [Err("late"), Ok(*chunk)]);
            events.reset(failing.collect::<Vec<_>>().into_iter());
            reports.push(lend_items(&mut events, setup.want_items));
        }
        reports
    }
}

fn lend_items<'s, I>(events: &mut Events<I, &'s [u8]>, want_items: bool) -> kit::Report
where
    I: Iterator<Item = Result<&'s [u8], &'static str>>,
{
    let mut report = kit::Report::default();
    loop {
        let result = if want_items {
            events.next_item().map(|item| item.map(convert::item))
        } else {
            events.next_event().map(|event| event.map(convert::event))
        };
        match result {
            Ok(Some(item)) => report.items.push(item),
            Ok(None) => break,
            Err(ReadError::Source(error)) => assert_eq!(error, "late"),
            Err(error) => {
                assert_eq!(report.pending, None, "it is said once");
                tell(&mut report, error);
                if report.failure.is_some() {
                    break;
                }
            }
        }
    }
    end_chunks(events, &mut report);
    report
}

impl kit::Engine for LoopedChunks {
    fn name(&self) -> &str {
        "events, by `for`"
    }

    fn capabilities(&self) -> kit::Capabilities {
        OWNED
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let mut events = events_with_limits(chunks.iter(), convert::limits(setup));
        events
            .set_last_event_id(&setup.last_event_id)
            .expect("the setup's id is within its limit");
        let mut report = loop_over(&mut events);
        end_chunks(&mut events, &mut report);
        report
    }
}

fn end_chunks<I, B, E>(events: &mut Events<I, B>, report: &mut kit::Report)
where
    I: Iterator<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    report.counters = convert::counters(events.counters());
    report.retry = events.retry();
    report.last_event_id = events.last_event_id().as_bytes().to_vec();
    let event = events.take_unfinished().expect("memory for one byte");
    report.unfinished = event.map(convert::unfinished);
}

/// Takes every owned event, and sees to it that nothing follows the last.
fn loop_over<E>(
    events: &mut impl Iterator<Item = Result<OwnedEvent, ReadError<E>>>,
) -> kit::Report {
    let mut report = kit::Report::default();
    for event in events.by_ref() {
        assert!(report.pending.is_none() && report.failure.is_none());
        match event {
            Ok(event) => report.items.push(convert::owned(&event)),
            Err(ReadError::Source(_)) => panic!("the source does not fail"),
            Err(error) => tell(&mut report, error.map_source(|_| "none")),
        }
    }
    assert!(events.next().is_none(), "an iterator stays at its end");
    report
}

fn tell(report: &mut kit::Report, error: ReadError<&str>) {
    match error {
        ReadError::Parse(error) => report.failure = Some(convert::failure(error)),
        ReadError::Truncated(end) => report.pending = convert::pending(end),
        error => panic!("{error}"),
    }
}

/// Chunks that are there cannot fail to come.
const _: fn(ReadError<Infallible>) -> std::io::Error = std::io::Error::from;
