//! Vectors, cases and random streams in, one file out, which the C and C++ tests
//! run at every cut: no test data is written twice.
//!
//! A job is a word, then numbers and strings, each string as `LENGTH:BYTES `. The
//! expected text of a report is what `harness.h` writes, from the oracle.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;

use sseam_testkit::{
    Engine, Failure, Item, Limit, Limits, Overflow, Report, Setup, Unfinished, cases, generate,
    oracle, vectors,
};

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).expect("the file to write");
    let mut jobs = Jobs {
        out: BufWriter::new(File::create(path)?),
        count: 0,
    };
    for vector in vectors::all() {
        for setup in [Setup::unlimited(), Setup::unlimited().events_only()] {
            jobs.write(&vector.name, &setup, &[vector.stream()], true)?;
        }
    }
    for sequence in vectors::sequences() {
        jobs.write(
            &sequence.name,
            &Setup::unlimited(),
            &sequence.streams(),
            true,
        )?;
    }
    for case in cases::all()
        .iter()
        .filter(|case| !case.streams().is_empty())
    {
        for (setup, _) in case.setups() {
            jobs.write(&case.id, &setup, &case.streams(), case.generated.is_none())?;
        }
    }
    jobs.random(0..6_000)?;
    println!("{} jobs", jobs.count);
    jobs.out.flush()
}

struct Jobs {
    out: BufWriter<File>,
    count: usize,
}

impl Jobs {
    /// Random streams under random limits, as the Rust tests run them.
    fn random(&mut self, seeds: Range<u64>) -> std::io::Result<()> {
        for seed in seeds {
            let mut rng = generate::Rng::new(seed);
            let setup = generate::setup(&mut rng);
            let stream = generate::stream(&mut rng, 120);
            let Limits {
                line,
                bytes,
                events,
                ..
            } = setup.limits;
            // A limit of 0 means none in C, where the others mean what they say.
            if line != 0 && bytes != 0 && events != 0 {
                self.write(&format!("seed {seed}"), &setup, &[stream], false)?;
            }
        }
        Ok(())
    }

    fn write(
        &mut self,
        name: &str,
        setup: &Setup,
        streams: &[Vec<u8>],
        at_every_cut: bool,
    ) -> std::io::Result<()> {
        let whole: Vec<Vec<&[u8]>> = streams.iter().map(|stream| vec![&stream[..]]).collect();
        let reports = oracle::Oracle.run_streams(setup, &whole);
        let limits = &setup.limits;
        self.count += 1;
        write!(
            self.out,
            "job {} ",
            if at_every_cut { "all" } else { "few" }
        )?;
        self.string(name.as_bytes())?;
        let none_is_0 = |max: u64, none: u64| if max == none { 0 } else { max };
        let numbers = [
            none_is_0(limits.line as u64, usize::MAX as u64),
            limits.data as u64,
            limits.event_type as u64,
            limits.id as u64,
            limits.comment as u64,
            none_is_0(limits.bytes, u64::MAX),
            none_is_0(limits.events, u64::MAX),
            u64::from(setup.overflow == Overflow::Skip),
            u64::from(setup.want_items),
            streams.len() as u64,
        ];
        for number in numbers {
            write!(self.out, "{number} ")?;
        }
        self.string(&setup.last_event_id)?;
        for (stream, report) in streams.iter().zip(&reports) {
            self.string(stream)?;
            self.string(&rendered(report))?;
        }
        self.out.write_all(b"\n")
    }

    fn string(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        write!(self.out, "{}:", bytes.len())?;
        self.out.write_all(bytes)?;
        self.out.write_all(b" ")
    }
}

/// A report as `harness.h` writes one.
#[derive(Default)]
struct Text(Vec<u8>);

impl Text {
    fn word(mut self, word: &str) -> Text {
        self.0.extend(word.as_bytes());
        self.0.push(b' ');
        self
    }

    fn number(self, number: u64) -> Text {
        self.word(&number.to_string())
    }

    fn bytes(mut self, bytes: &[u8]) -> Text {
        let mut length = String::new();
        let _ = write!(length, "{}:", bytes.len());
        self.0.extend(length.as_bytes());
        self.0.extend(bytes);
        self.0.push(b' ');
        self
    }

    fn end(mut self) -> Text {
        self.0.push(b'\n');
        self
    }
}

fn rendered(report: &Report) -> Vec<u8> {
    let text = report.items.iter().fold(Text::default(), item);
    let counters = &report.counters;
    let text = text
        .word("counters")
        .number(counters.bytes)
        .number(counters.lines);
    let text = text.number(counters.events).number(counters.comments);
    let text = text
        .number(counters.ignored_lines)
        .number(counters.skipped)
        .end();
    let text = match report.retry {
        Some(retry) => text.word("retry").number(retry).end(),
        None => text.word("no-retry").end(),
    };
    let text = text.word("id").bytes(&report.last_event_id).end();
    if let Some(Failure { limit, max, offset }) = report.failure {
        return text
            .word("failed")
            .number(code(limit))
            .number(max)
            .number(offset)
            .end()
            .0;
    }
    let pending = report.pending.unwrap_or_default();
    let bits = [pending.line, pending.data, pending.event, pending.id];
    let bits = bits
        .iter()
        .rev()
        .fold(0, |bits, &bit| bits * 2 + u64::from(bit));
    let text = text.word("pending").number(bits).end();
    match &report.unfinished {
        Some(Unfinished {
            event_type,
            data,
            id,
        }) => {
            text.word("unfinished")
                .bytes(event_type)
                .bytes(data)
                .bytes(id)
                .end()
                .0
        }
        None => text.0,
    }
}

fn item(text: Text, item: &Item) -> Text {
    match item {
        Item::Event {
            event_type,
            data,
            id,
            span,
        } => {
            let text = text.word("event").bytes(event_type).bytes(data).bytes(id);
            text.number(span.0).number(span.1).end()
        }
        Item::Comment { prefix, len } => text.word("comment").bytes(prefix).number(*len).end(),
        Item::Ignored { prefix, len } => text.word("ignored").bytes(prefix).number(*len).end(),
        Item::Retry(retry) => text.word("retried").number(*retry).end(),
        Item::Skipped {
            limit,
            max,
            bytes,
            span,
            event_type,
            head,
        } => {
            let text = text
                .word("skipped")
                .number(code(*limit))
                .number(*max)
                .number(*bytes);
            let text = text.number(span.0).number(span.1);
            let text = match event_type {
                Some(event_type) => text.word("type").bytes(event_type),
                None => text.word("unknown"),
            };
            text.bytes(head).end()
        }
    }
}

/// The header's code for a limit.
fn code(limit: Limit) -> u64 {
    match limit {
        Limit::Line => 1,
        Limit::Data => 2,
        Limit::EventType => 3,
        Limit::Id => 4,
        Limit::Bytes => 5,
        Limit::Events => 6,
    }
}
