//! A stream that passes a limit, at every cut and in both modes: what is left of
//! the parser afterwards, and what a skipped block tells.

use sseam_core::{Counters, Error, Limit, Limits, Overflow, Parser};
use sseam_testkit::{self as kit, split};

use crate::engines::{self, Owned};

/// A block that passes a limit by one byte.
pub(crate) struct Edge<'b> {
    pub(crate) limit: Limit,
    pub(crate) over: &'b str,
    /// Of the first byte over, within the block.
    pub(crate) offset: usize,
}

impl Edge<'_> {
    fn stream(&self) -> String {
        [BEFORE, self.over, AFTER].concat()
    }

    /// The parser stops at the first byte over and has committed nothing.
    pub(crate) fn stops(&self, limits: &Limits) {
        let error = passed(
            self.limit,
            limits.value(self.limit),
            BEFORE.len() + self.offset,
        );
        every_run(self.stream().as_bytes(), limits, |mut run, _| {
            run.has_stopped(error);
            assert_eq!(run.datas(), [b"a"]);
        });
    }

    /// The block is told as skipped, and the one after it arrives.
    pub(crate) fn skips(&self, limits: &Limits, told: (u64, Option<&str>, &str, &str)) {
        let (bytes, event_type, head, id) = told;
        let limits = Limits {
            overflow: Overflow::Skip,
            ..*limits
        };
        let end = BEFORE.len() + self.over.len();
        let skipped = kit::Item::Skipped {
            limit: engines::limit(self.limit),
            max: limits.value(self.limit),
            bytes,
            span: (BEFORE.len() as u64, end as u64),
            event_type: event_type.map(|name| name.as_bytes().to_vec()),
            head: head.as_bytes().to_vec(),
        };
        every_run(self.stream().as_bytes(), &limits, |run, wants_items| {
            assert_eq!(run.error, None);
            assert_eq!(run.datas(), [b"a", b"z"]);
            let mut skips = run.items.iter().filter(|item| is_skipped(item));
            let expected = wants_items.then_some(&skipped);
            assert_eq!((skips.next(), skips.next()), (expected, None));
            assert_eq!(run.parser.last_event_id(), id);
            assert_eq!(
                (run.parser.counters().skipped, run.parser.counters().events),
                (1, 2)
            );
        });
    }
}

/// The block between the two others is an event, in both modes.
pub(crate) fn at_max(limits: &Limits, block: &str) {
    for overflow in [Overflow::Stop, Overflow::Skip] {
        let limits = Limits {
            overflow,
            ..*limits
        };
        let stream = [BEFORE, block, AFTER].concat();
        every_run(stream.as_bytes(), &limits, |run, _| {
            assert_eq!((run.error, run.parser.counters().skipped), (None, 0));
            assert_eq!(run.datas().len(), 3);
        });
    }
}

pub(crate) struct Run {
    pub(crate) parser: Parser<Owned>,
    pub(crate) items: Vec<kit::Item>,
    pub(crate) error: Option<Error>,
    /// Bytes of all chunks but the part of the last one that was left.
    pub(crate) taken: usize,
}

/// Runs `stream` at every cut, for events and for items, in memory of exactly
/// the length that the limits need.
#[track_caller]
pub(crate) fn every_run(stream: &[u8], limits: &Limits, check: impl Fn(Run, bool)) {
    for cut in split::every(stream) {
        for wants_items in [true, false] {
            let memory = Owned(vec![0x55; limits.memory_len()]);
            let mut run = Run {
                parser: Parser::new(memory, *limits).expect("memory of that length"),
                items: Vec::new(),
                error: None,
                taken: 0,
            };
            for chunk in &cut.chunks {
                let mut input: &[u8] = chunk;
                let result =
                    engines::drain(&mut run.parser, &mut input, wants_items, &mut run.items);
                run.error = result.err();
                run.taken += chunk.len() - input.len();
                if run.error.is_some() {
                    break;
                }
            }
            check(run, wants_items);
        }
    }
}

impl Run {
    pub(crate) fn datas(&self) -> Vec<&[u8]> {
        self.items.iter().filter_map(data).collect()
    }

    /// The error, and the state that its documentation promises.
    pub(crate) fn has_stopped(&mut self, error: Error) {
        let Error::LimitPassed { offset, .. } = error else {
            panic!("{error} is of no limit");
        };
        let parser = &mut self.parser;
        assert_eq!(self.error, Some(error));
        assert_eq!(self.taken as u64, offset, "bytes after the error are left");
        assert_eq!(parser.counters().bytes, offset);
        for more in [&b""[..], b"x", b"\n\ndata: q\n\n"] {
            let mut input = more;
            assert_eq!(parser.next_event(&mut input).err(), Some(error));
            assert_eq!(parser.next_item(&mut input).err(), Some(error));
            assert_eq!(input, more, "nothing is taken after an error");
        }
        parser.finish();
        assert_eq!(parser.next_event(&mut &b"x"[..]).err(), Some(error));
        assert!(matches!(parser.take_unfinished(), Ok(None)));
        assert_eq!(parser.counters().bytes, offset);
        let committed =
            |parser: &Parser<Owned>| (parser.last_event_id().to_string(), parser.retry());
        assert_eq!(committed(parser), ("1".to_owned(), Some(5)));
        parser.reset();
        assert_eq!(parser.counters(), Counters::default());
        let mut input = &b"\xEF\xBB\xBFdata:q\n\n"[..];
        match parser.next_event(&mut input) {
            Ok(Some(event)) => {
                assert_eq!(
                    (event.data().to_str(), event.event_type().to_str()),
                    (Ok("q"), Ok("message"))
                );
                assert_eq!(event.last_event_id(), "1");
            }
            other => panic!("{other:?} after a reset"),
        }
        assert_eq!(committed(parser), ("1".to_owned(), Some(5)));
    }
}

pub(crate) fn passed(limit: Limit, max: u64, offset: usize) -> Error {
    let offset = offset as u64;
    Error::LimitPassed { limit, max, offset }
}

fn is_skipped(item: &kit::Item) -> bool {
    matches!(item, kit::Item::Skipped { .. })
}

pub(crate) fn line(item: &kit::Item) -> Option<(&[u8], u64)> {
    match item {
        kit::Item::Comment { prefix, len } | kit::Item::Ignored { prefix, len } => {
            Some((prefix, *len))
        }
        _ => None,
    }
}

fn data(item: &kit::Item) -> Option<&[u8]> {
    match item {
        kit::Item::Event { data, .. } => Some(data),
        _ => None,
    }
}

/// The blocks around the one on the edge.
pub(crate) const BEFORE: &str = "id: 1\nretry:5\ndata:a\n\n";
pub(crate) const AFTER: &str = "data:z\n\n";

/// What no stream here passes.
pub(crate) const ROOMY: Limits = Limits {
    data_len_max: 64,
    event_type_len_max: 64,
    id_len_max: 64,
    ..Limits::SMALL
};
