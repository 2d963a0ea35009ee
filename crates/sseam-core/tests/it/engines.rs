//! The ways of driving the core, as engines of the testkit: a stream in chunks
//! comes in, a report goes out.

use sseam_core::{Counters, Error, Item, Limit, Limits, Memory, Overflow, Parser};
use sseam_testkit as kit;

/// The parser over memory that is exactly as long as its limits ask for.
pub(crate) struct Fixed;

/// The parser over memory that begins empty and grows to what is asked, no more.
pub(crate) struct Growing;

impl kit::Engine for Fixed {
    fn name(&self) -> &str {
        "Parser, fixed memory"
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        run_parser(&mut fixed(setup, chunks), setup, chunks, None)
    }

    fn run_streams(&self, setup: &kit::Setup, streams: &[Vec<&[u8]>]) -> Vec<kit::Report> {
        let longest: Vec<&[u8]> = streams.concat();
        let mut parser = fixed(setup, &longest);
        run_reset(&mut parser, setup, streams)
    }
}

impl kit::Engine for Growing {
    fn name(&self) -> &str {
        "Parser, growing memory"
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let mut parser = Parser::growing(Grown::default(), limits(setup));
        run_parser(&mut parser, setup, chunks, None)
    }

    fn run_streams(&self, setup: &kit::Setup, streams: &[Vec<&[u8]>]) -> Vec<kit::Report> {
        let mut parser = Parser::growing(Grown::default(), limits(setup));
        run_reset(&mut parser, setup, streams)
    }
}

/// A vector, of exactly the length that was asked for last.
#[derive(Debug, Default)]
pub(crate) struct Grown(Vec<u8>);

impl Memory for Grown {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    fn grow(&mut self, len: usize) -> bool {
        self.0.resize(len, 0x55);
        true
    }

    fn give_back(&mut self, held: usize) {
        self.0.truncate(held);
    }
}

/// A vector that keeps its length.
#[derive(Debug)]
pub(crate) struct Owned(pub(crate) Vec<u8>);

impl Memory for Owned {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

fn fixed(setup: &kit::Setup, chunks: &[&[u8]]) -> Parser<Owned> {
    let len = chunks.iter().map(|chunk| chunk.len()).sum::<usize>() + setup.last_event_id.len();
    let limits = clamped(setup, len);
    let memory = Owned(vec![0x55; limits.memory_len()]);
    Parser::new(memory, limits).expect("the memory is as long as the limits ask")
}

/// The limits of a setup.
pub(crate) fn limits(setup: &kit::Setup) -> Limits {
    clamped(setup, usize::MAX)
}

fn clamped(setup: &kit::Setup, len: usize) -> Limits {
    let kit::Limits {
        line,
        data,
        event_type,
        id,
        comment,
        bytes,
        events,
    } = setup.limits.clamped(len);
    Limits {
        line_len_max: line,
        data_len_max: data,
        event_type_len_max: event_type,
        id_len_max: id,
        comment_len_max: comment,
        bytes_max: bytes,
        events_max: events,
        overflow: match setup.overflow {
            kit::Overflow::Stop => Overflow::Stop,
            kit::Overflow::Skip => Overflow::Skip,
        },
    }
}

fn run_reset<M: Memory>(
    parser: &mut Parser<M>,
    setup: &kit::Setup,
    streams: &[Vec<&[u8]>],
) -> Vec<kit::Report> {
    let mut reports = Vec::new();
    for (index, chunks) in streams.iter().enumerate() {
        if index > 0 {
            parser.reset();
        }
        let first_id = (index == 0).then_some(setup.last_event_id.as_slice());
        reports.push(run_parser(parser, setup, chunks, Some(first_id)));
    }
    reports
}

fn run_parser<M: Memory>(
    parser: &mut Parser<M>,
    setup: &kit::Setup,
    chunks: &[&[u8]],
    initial_id: Option<Option<&[u8]>>,
) -> kit::Report {
    if let Some(id) = initial_id.unwrap_or(Some(&setup.last_event_id)) {
        parser
            .set_last_event_id(id)
            .expect("the setup's id is within its limit");
    }
    let mut report = kit::Report::default();
    for chunk in chunks {
        let mut input: &[u8] = chunk;
        match drain(parser, &mut input, setup.want_items, &mut report.items) {
            Ok(()) => assert!(input.is_empty(), "`None` means that the input is used up"),
            Err(error) => {
                report.failure = failure(Some(error));
                let again = parser.next_event(&mut input).map(|event| event.is_some());
                assert_eq!(again, Err(error), "an error stays until a reset");
                break;
            }
        }
    }
    report.counters = counters(parser.counters());
    let end = parser.finish();
    assert_eq!(
        parser.finish(),
        end,
        "finishing again gives the same answer"
    );
    report.retry = parser.retry();
    report.last_event_id = parser.last_event_id().as_bytes().to_vec();
    if report.failure.is_none() {
        report.pending = pending(end);
        let event = parser.take_unfinished().expect("memory for one byte");
        report.unfinished = event.map(unfinished);
        assert!(
            matches!(parser.take_unfinished(), Ok(None)),
            "it is given once"
        );
        assert_eq!(parser.finish(), end, "taking it changes no answer");
        let refused = parser
            .next_event(&mut &b"x"[..])
            .map(|event| event.is_some());
        assert_eq!(refused, Err(Error::Finished));
    }
    report
}

pub(crate) fn drain<M: Memory>(
    parser: &mut Parser<M>,
    input: &mut &[u8],
    want_items: bool,
    items: &mut Vec<kit::Item>,
) -> Result<(), Error> {
    if want_items {
        while let Some(item) = parser.next_item(input)? {
            items.push(owned(item));
        }
    } else {
        while let Some(event) = parser.next_event(input)? {
            items.push(owned(Item::Event(event)));
        }
    }
    Ok(())
}

pub(crate) fn owned(item: Item<'_>) -> kit::Item {
    match item {
        Item::Event(event) => {
            assert!(event.is_complete());
            kit::Item::Event {
                event_type: event.event_type().as_bytes().to_vec(),
                data: event.data().as_bytes().to_vec(),
                id: event.last_event_id().as_bytes().to_vec(),
                span: (event.span().start, event.span().end),
            }
        }
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

pub(crate) fn unfinished(event: sseam_core::Event<'_>) -> kit::Unfinished {
    assert!(!event.is_complete());
    kit::Unfinished {
        event_type: event.event_type().as_bytes().to_vec(),
        data: event.data().as_bytes().to_vec(),
        id: event.last_event_id().as_bytes().to_vec(),
    }
}

pub(crate) fn counters(counters: Counters) -> kit::Counters {
    kit::Counters {
        bytes: counters.bytes,
        lines: counters.lines,
        events: counters.events,
        comments: counters.comments,
        ignored_lines: counters.ignored_lines,
        skipped: counters.skipped,
    }
}

pub(crate) fn pending(end: sseam_core::End) -> Option<kit::Pending> {
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

pub(crate) fn failure(error: Option<Error>) -> Option<kit::Failure> {
    match error {
        Some(Error::LimitPassed {
            limit: passed,
            max,
            offset,
        }) => Some(kit::Failure {
            limit: limit(passed),
            max,
            offset,
        }),
        None | Some(Error::Finished) => None,
        Some(error) => panic!("{error}"),
    }
}

pub(crate) fn limit(limit: Limit) -> kit::Limit {
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
