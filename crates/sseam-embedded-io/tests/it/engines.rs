//! The readers as engines of the testkit: a stream in chunks, one for each read,
//! comes in, a report goes out.

use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use sseam_core::{Counters, Error, Event, Item, Limit, Limits, Overflow, Text};
use sseam_embedded_io::{
    AsyncEventReader, AsyncInPlaceReader, EventReader, InPlaceReader, ReadError,
};
use sseam_testkit as kit;

use crate::transport::{Overrun, Ring, Script};

/// The kinds of readers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// `EventReader::next_event` and `next_item`.
    Blocking,
    /// `EventReader::next_event_if_ready`, with waits in between.
    IfReady,
    /// `AsyncEventReader`; every future is dropped when it first waits.
    Dropped,
    /// `InPlaceReader`.
    InPlace,
    /// `AsyncInPlaceReader`; every future is dropped when it first waits.
    InPlaceDropped,
}

pub(crate) const KINDS: [Kind; 5] = [
    Kind::Blocking,
    Kind::IfReady,
    Kind::Dropped,
    Kind::InPlace,
    Kind::InPlaceDropped,
];

/// Lengths of read buffers, so that the reader cuts chunks anew.
const BUFFER_LENS: [usize; 3] = [1, 7, 4096];

type Outcome = Result<Option<kit::Item>, ReadError<Overrun>>;
type Blocking<'m> = EventReader<Script, Vec<u8>, &'m mut [u8]>;

/// What all readers can do, with owned answers.
trait Reader {
    fn start(&mut self, script: Script);
    fn next(&mut self, want_items: bool) -> Outcome;
    fn unfinished(&mut self) -> Option<kit::Unfinished>;
    fn state(&self) -> (Counters, Option<u64>, Text<'_>);
    fn resume_after(&mut self, id: &[u8]);
}

struct IfReady<'m>(Blocking<'m>);

impl<'m> Deref for IfReady<'m> {
    type Target = Blocking<'m>;

    fn deref(&self) -> &Blocking<'m> {
        &self.0
    }
}

impl DerefMut for IfReady<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// Polls a call once; if it has to wait, drops it and makes the same call anew.
macro_rules! dropped {
    ($call:expr) => {
        loop {
            if let Some(outcome) = poll_once(async { $call.await.map(|item| item.map(owned)) }) {
                break outcome;
            }
        }
    };
}

macro_rules! reader {
    ($type:ty, $this:ident, $start:expr, $item:expr, $event:expr) => {
        impl Reader for $type {
            fn start(&mut self, script: Script) {
                self.reset($start(script));
            }

            fn next(&mut self, want_items: bool) -> Outcome {
                let $this = self;
                if want_items { $item } else { $event }
            }

            fn unfinished(&mut self) -> Option<kit::Unfinished> {
                let event = self.take_unfinished().map(unfinished);
                assert!(self.take_unfinished().is_none(), "it is given once");
                event
            }

            fn state(&self) -> (Counters, Option<u64>, Text<'_>) {
                (self.counters(), self.retry(), self.last_event_id())
            }

            fn resume_after(&mut self, id: &[u8]) {
                let outcome = self.set_last_event_id(id);
                outcome.expect("the setup's id is within its limit");
            }
        }
    };
}

reader!(
    Blocking<'_>,
    reader,
    |script| script,
    reader.next_item().map(|item| item.map(owned)),
    reader
        .next_event()
        .map(|event| event.map(|event| owned(Item::Event(event))))
);
reader!(
    IfReady<'_>,
    reader,
    |script| script,
    loop {
        if let Poll::Ready(item) = reader.next_item_if_ready()? {
            break Ok(item.map(owned));
        }
    },
    loop {
        if let Poll::Ready(event) = reader.next_event_if_ready()? {
            break Ok(event.map(|event| owned(Item::Event(event))));
        }
    }
);
reader!(
    AsyncEventReader<Script, Vec<u8>, &mut [u8]>,
    reader,
    |script| script,
    dropped!(reader.next_item()),
    dropped!(async { reader.next_event().await.map(|event| event.map(Item::Event)) })
);
reader!(
    InPlaceReader<Ring, &mut [u8]>,
    reader,
    Ring::new,
    reader.next_item().map(|item| item.map(owned)),
    reader.next_event().map(|event| event.map(|event| owned(Item::Event(event))))
);
reader!(
    AsyncInPlaceReader<Ring, &mut [u8]>,
    reader,
    Ring::new,
    dropped!(reader.next_item()),
    dropped!(async { reader.next_event().await.map(|event| event.map(Item::Event)) })
);

/// What a future gives at its first poll.
pub(crate) fn poll_once<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    }
}

impl kit::Engine for Kind {
    fn name(&self) -> &str {
        match self {
            Kind::Blocking => "EventReader",
            Kind::IfReady => "EventReader, if ready",
            Kind::Dropped => "AsyncEventReader, dropped at every wait",
            Kind::InPlace => "InPlaceReader",
            Kind::InPlaceDropped => "AsyncInPlaceReader, dropped at every wait",
        }
    }

    /// Long streams go through one reader of each trait: they take their time.
    fn supports(&self, _: &kit::Setup, stream_len: usize) -> bool {
        stream_len < 3_000 || matches!(self, Kind::Blocking | Kind::InPlaceDropped)
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        self.run_streams(setup, &[chunks.to_vec()]).remove(0)
    }

    fn run_streams(&self, setup: &kit::Setup, streams: &[Vec<&[u8]>]) -> Vec<kit::Report> {
        let len: usize = streams.iter().flatten().map(|chunk| chunk.len()).sum();
        // One byte at a time would take too long for millions of them.
        let buffer_len = if len < 1_000 {
            BUFFER_LENS[len % BUFFER_LENS.len()]
        } else {
            4096
        };
        let buffer = vec![0xAA; buffer_len];
        let limits = limits(setup, len + setup.last_event_id.len());
        let memory = &mut vec![0x55; limits.memory_len()][..];
        let none = Script::default();
        let fits = "memory is as long as the limits ask";
        let reader: &mut dyn Reader = match self {
            Kind::Blocking => &mut EventReader::new(none, buffer, memory, limits).expect(fits),
            Kind::IfReady => {
                &mut IfReady(EventReader::new(none, buffer, memory, limits).expect(fits))
            }
            Kind::Dropped => &mut AsyncEventReader::new(none, buffer, memory, limits).expect(fits),
            Kind::InPlace => &mut InPlaceReader::new(Ring::default(), memory, limits).expect(fits),
            Kind::InPlaceDropped => {
                &mut AsyncInPlaceReader::new(Ring::default(), memory, limits).expect(fits)
            }
        };
        reader.resume_after(&setup.last_event_id);
        let waits = matches!(self, Kind::IfReady | Kind::Dropped | Kind::InPlaceDropped);
        let script = |chunks: &Vec<&[u8]>| match waits {
            true => Script::waiting(chunks),
            false => Script::chunks(chunks),
        };
        streams
            .iter()
            .map(|chunks| report(reader, setup, script(chunks)))
            .collect()
    }
}

fn report(reader: &mut dyn Reader, setup: &kit::Setup, script: Script) -> kit::Report {
    let mut report = kit::Report::default();
    reader.start(script);
    let error = loop {
        match reader.next(setup.want_items) {
            Ok(Some(item)) => report.items.push(item),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    // A parser's error stays; an end is told once.
    let again = reader.next(setup.want_items);
    match error {
        Some(ReadError::Parse(_)) => assert_eq!(again.err(), error),
        _ => assert_eq!(again, Ok(None)),
    }
    let (counted, retry, id) = reader.state();
    report.counters = counters(counted);
    report.retry = retry;
    report.last_event_id = id.as_bytes().to_vec();
    match error {
        Some(ReadError::Parse(error)) => report.failure = Some(failure(error)),
        Some(ReadError::Truncated(end)) => report.pending = pending(end),
        Some(error) => panic!("{error}"),
        None => {}
    }
    if report.failure.is_none() {
        report.unfinished = reader.unfinished();
    }
    report
}

fn limits(setup: &kit::Setup, len: usize) -> Limits {
    let limits = setup.limits.clamped(len);
    Limits {
        line_len_max: limits.line,
        data_len_max: limits.data,
        event_type_len_max: limits.event_type,
        id_len_max: limits.id,
        comment_len_max: limits.comment,
        bytes_max: limits.bytes,
        events_max: limits.events,
        overflow: match setup.overflow {
            kit::Overflow::Stop => Overflow::Stop,
            kit::Overflow::Skip => Overflow::Skip,
        },
    }
}

fn owned(item: Item<'_>) -> kit::Item {
    match item {
        Item::Event(event) => kit::Item::Event {
            event_type: event.event_type().as_bytes().to_vec(),
            data: event.data().as_bytes().to_vec(),
            id: event.last_event_id().as_bytes().to_vec(),
            span: (event.span().start, event.span().end),
        },
        Item::Comment(line) => kit::Item::Comment {
            prefix: line.prefix().as_bytes().to_vec(),
            len: line.full_len(),
        },
        Item::Ignored(line) => kit::Item::Ignored {
            prefix: line.prefix().as_bytes().to_vec(),
            len: line.full_len(),
        },
        Item::Retry(milliseconds) => kit::Item::Retry(milliseconds),
        Item::Skipped(skipped) => kit::Item::Skipped {
            limit: limit(skipped.limit()),
            max: skipped.max(),
            bytes: skipped.bytes(),
            span: (skipped.span().start, skipped.span().end),
            event_type: skipped.event_type().map(|name| name.as_bytes().to_vec()),
            head: skipped.head().as_bytes().to_vec(),
        },
        _ => panic!("an item that the testkit does not know"),
    }
}

fn unfinished(event: Event<'_>) -> kit::Unfinished {
    kit::Unfinished {
        event_type: event.event_type().as_bytes().to_vec(),
        data: event.data().as_bytes().to_vec(),
        id: event.last_event_id().as_bytes().to_vec(),
    }
}

fn counters(counters: Counters) -> kit::Counters {
    kit::Counters {
        bytes: counters.bytes,
        lines: counters.lines,
        events: counters.events,
        comments: counters.comments,
        ignored_lines: counters.ignored_lines,
        skipped: counters.skipped,
    }
}

fn pending(end: sseam_core::End) -> Option<kit::Pending> {
    let sseam_core::End {
        line,
        data,
        event,
        id,
        ..
    } = end;
    kit::Pending {
        line,
        data,
        event,
        id,
    }
    .if_any()
}

fn failure(error: Error) -> kit::Failure {
    match error {
        Error::LimitPassed {
            limit: passed,
            max,
            offset,
        } => kit::Failure {
            limit: limit(passed),
            max,
            offset,
        },
        error => panic!("{error}"),
    }
}

fn limit(limit: Limit) -> kit::Limit {
    match limit {
        Limit::Line => kit::Limit::Line,
        Limit::Data => kit::Limit::Data,
        Limit::EventType => kit::Limit::EventType,
        Limit::Id => kit::Limit::Id,
        Limit::Bytes => kit::Limit::Bytes,
        Limit::Events => kit::Limit::Events,
        _ => panic!("a limit that the testkit does not know"),
    }
}
