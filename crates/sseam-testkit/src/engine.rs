//! What a crate implements to be run on vectors, cases and random streams.
//!
//! An engine takes a stream in chunks and gives a [`Report`]. One that cannot
//! say everything states so in its [`Capabilities`]; both its reports and the
//! oracle's are then reduced to what it can say before they are compared.

use crate::report::{Counters, Item, Report, Setup, Unfinished};

/// Something that reads an event stream: a parser, a reader, a command.
pub trait Engine {
    /// For messages, such as `core::Parser` or `C pull, in place`.
    fn name(&self) -> &str;

    /// What its reports say.
    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    /// Whether it can run a stream of `stream_len` bytes under `setup`.
    ///
    /// An engine in a small fixed memory, or without one of the limits,
    /// refuses here; such runs are counted as left out.
    fn supports(&self, setup: &Setup, stream_len: usize) -> bool {
        let _ = (setup, stream_len);
        true
    }

    /// Runs one stream to its end, to a failure, or to both.
    ///
    /// Every chunk is fed, also an empty one: it must change nothing.
    fn run(&self, setup: &Setup, chunks: &[&[u8]]) -> Report;

    /// Runs several streams, with a reset between them: the last event ID and
    /// the retry value go on, everything else starts anew.
    ///
    /// An engine that has a reset runs it here. The default starts a new
    /// engine per stream with the last event ID of the one before; without
    /// that capability, it has to be replaced.
    fn run_streams(&self, setup: &Setup, streams: &[Vec<&[u8]>]) -> Vec<Report> {
        let mut setup = setup.clone();
        let mut retry = None;
        let mut reports = Vec::new();
        for chunks in streams {
            let mut report = self.run(&setup, chunks);
            retry = report.retry.or(retry);
            report.retry = retry;
            setup.last_event_id.clone_from(&report.last_event_id);
            reports.push(report);
        }
        reports
    }

    /// How many events were given when each chunk was used up.
    ///
    /// The default ends the stream after each chunk instead, which is the same
    /// for every engine whose end of input gives no event.
    fn events_after_chunks(&self, setup: &Setup, chunks: &[&[u8]]) -> Vec<u64> {
        (1..=chunks.len())
            .map(|count| self.run(setup, &chunks[..count]).event_count())
            .collect()
    }
}

/// What an engine's reports say beyond the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Bytes as they were; otherwise text after replacement decoding.
    pub raw_bytes: bool,
    /// Where an event lay.
    pub spans: bool,
    /// Comments, ignored lines, retries, skipped blocks.
    pub items: bool,
    /// Full lengths of comments and ignored lines, heads of skipped blocks.
    pub item_details: bool,
    /// The counters.
    pub counters: bool,
    /// The retry value.
    pub retry: bool,
    /// The committed last event ID.
    pub last_event_id: bool,
    /// What the end of input threw away.
    pub pending: bool,
    /// The event without its blank line.
    pub unfinished: bool,
    /// Limit, value and offset of a failure.
    pub failure: bool,
}

impl Capabilities {
    /// The whole report.
    pub const ALL: Self = Self {
        raw_bytes: true,
        spans: true,
        items: true,
        item_details: true,
        counters: true,
        retry: true,
        last_event_id: true,
        pending: true,
        unfinished: true,
        failure: true,
    };

    /// Events as bytes, and nothing else.
    pub const EVENTS: Self = Self {
        raw_bytes: true,
        spans: false,
        items: false,
        item_details: false,
        counters: false,
        retry: false,
        last_event_id: false,
        pending: false,
        unfinished: false,
        failure: false,
    };

    /// `report` without what these capabilities do not cover.
    pub fn reduce(&self, report: &Report) -> Report {
        let wanted = |item: &&Item| self.items || matches!(item, Item::Event { .. });
        let text = |bytes: &[u8]| self.text(bytes);
        Report {
            items: report
                .items
                .iter()
                .filter(wanted)
                .map(|item| self.reduce_item(item))
                .collect(),
            counters: if self.counters {
                report.counters
            } else {
                Counters::default()
            },
            retry: report.retry.filter(|_| self.retry),
            last_event_id: if self.last_event_id {
                text(&report.last_event_id)
            } else {
                Vec::new()
            },
            pending: report.pending.filter(|_| self.pending),
            failure: report.failure.filter(|_| self.failure),
            unfinished: report
                .unfinished
                .as_ref()
                .filter(|_| self.unfinished)
                .map(|event| {
                    let Unfinished {
                        event_type,
                        data,
                        id,
                    } = event;
                    Unfinished {
                        event_type: text(event_type),
                        data: text(data),
                        id: text(id),
                    }
                }),
        }
    }

    fn reduce_item(&self, item: &Item) -> Item {
        let mut item = item.clone();
        match &mut item {
            Item::Event {
                event_type,
                data,
                id,
                span,
            } => {
                for bytes in [event_type, data, id] {
                    *bytes = self.text(bytes);
                }
                *span = if self.spans { *span } else { (0, 0) };
            }
            Item::Comment { prefix, len } | Item::Ignored { prefix, len } => {
                *prefix = self.text(prefix);
                *len = if self.item_details { *len } else { 0 };
            }
            Item::Retry(_) => {}
            Item::Skipped {
                span,
                event_type,
                head,
                ..
            } => {
                *event_type = event_type
                    .as_deref()
                    .map(|event_type| self.text(event_type));
                *head = if self.item_details {
                    self.text(head)
                } else {
                    Vec::new()
                };
                *span = if self.spans { *span } else { (0, 0) };
            }
        }
        item
    }

    fn text(&self, bytes: &[u8]) -> Vec<u8> {
        if self.raw_bytes {
            bytes.to_vec()
        } else {
            String::from_utf8_lossy(bytes).into_owned().into_bytes()
        }
    }
}
