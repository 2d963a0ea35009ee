//! A guest as an engine of the testkit: a stream in chunks goes out over its
//! UART, a report comes back.

use std::cell::RefCell;

use anyhow::{Context, Result, bail};
use sseam_testkit::{
    Counters, Engine, Failure, Item, Limit, Overflow, Pending, Report, Setup, Unfinished,
};

use super::machine::Guest;

/// What the firmware's frames hold at most.
const FRAME_LEN_MAX: usize = 512;

/// The harness firmware, running.
pub(crate) struct Harness {
    name: String,
    guest: RefCell<Guest>,
}

impl Harness {
    /// Takes over a guest that has just been started.
    pub(crate) fn new(name: &str, guest: Guest) -> Result<Harness> {
        match guest.line()?.as_deref() {
            Some("ready") => Ok(Harness {
                name: name.to_string(),
                guest: RefCell::new(guest),
            }),
            other => bail!("the harness says {other:?} and not that it is ready"),
        }
    }

    /// Ends the guest.
    pub(crate) fn quit(self) -> Result<()> {
        let mut guest = self.guest.into_inner();
        guest.send(b"Q\0\0")?;
        guest.finish()?;
        Ok(())
    }

    /// Sends one frame and hands each line of the answer to `take`.
    fn ask(
        &self,
        kind: u8,
        payload: &[u8],
        mut take: impl FnMut(&str) -> Result<()>,
    ) -> Result<()> {
        let mut frame = vec![kind];
        let len = u16::try_from(payload.len()).context("a frame is too long")?;
        frame.extend(len.to_le_bytes());
        frame.extend(payload);
        let mut guest = self.guest.borrow_mut();
        guest.send(&frame)?;
        loop {
            let line = guest
                .line()?
                .context("the guest ended in the middle of an answer")?;
            if line == "." {
                return Ok(());
            }
            take(&line).with_context(|| format!("the guest says {line:?}"))?;
        }
    }

    fn ask_all(&self, setup: &Setup, streams: &[Vec<&[u8]>]) -> Result<Vec<Report>> {
        self.ask(b'L', &packed(setup), |_| bail!("limits are refused"))?;
        let mut reports = Vec::new();
        for (index, chunks) in streams.iter().enumerate() {
            if index > 0 {
                self.ask(b'R', &[], |_| bail!("a reset says nothing"))?;
            }
            let mut report = Report::default();
            for chunk in chunks {
                // An empty chunk is a frame too; a long one is several.
                for part in chunk
                    .chunks(FRAME_LEN_MAX)
                    .chain(chunk.is_empty().then_some(*chunk))
                {
                    self.ask(b'C', part, |line| read(line, &mut report))?;
                }
            }
            self.ask(b'F', &[], |line| read(line, &mut report))?;
            reports.push(report);
        }
        Ok(reports)
    }
}

impl Engine for Harness {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, setup: &Setup, chunks: &[&[u8]]) -> Report {
        self.run_streams(setup, &[chunks.to_vec()]).remove(0)
    }

    fn run_streams(&self, setup: &Setup, streams: &[Vec<&[u8]>]) -> Vec<Report> {
        match self.ask_all(setup, streams) {
            Ok(reports) => reports,
            // The testkit knows no failing engine; a step is told by a panic.
            Err(error) => panic!("{}: {error:#}", self.name),
        }
    }
}

fn packed(setup: &Setup) -> Vec<u8> {
    let limits = &setup.limits;
    let mut bytes = Vec::new();
    for value in [
        limits.line,
        limits.data,
        limits.event_type,
        limits.id,
        limits.comment,
    ] {
        bytes.extend(u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
    }
    bytes.extend(limits.bytes.to_le_bytes());
    bytes.extend(limits.events.to_le_bytes());
    bytes.push(u8::from(setup.overflow == Overflow::Skip));
    bytes.push(u8::from(setup.want_items));
    bytes.extend(&setup.last_event_id);
    bytes
}

/// Takes in one line of the guest's.
fn read(line: &str, report: &mut Report) -> Result<()> {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |at: usize| -> Result<u64> { Ok(words.get(at).context("too short")?.parse()?) };
    let bytes = |at: usize| bytes(words.get(at).context("too short")?);
    let flag = |at: usize| Ok::<bool, anyhow::Error>(number(at)? == 1);
    match words[0] {
        "event" => report.items.push(Item::Event {
            event_type: bytes(1)?,
            data: bytes(2)?,
            id: bytes(3)?,
            span: (number(4)?, number(5)?),
        }),
        "comment" => report.items.push(Item::Comment {
            prefix: bytes(1)?,
            len: number(2)?,
        }),
        "ignored" => report.items.push(Item::Ignored {
            prefix: bytes(1)?,
            len: number(2)?,
        }),
        "retry" => report.items.push(Item::Retry(number(1)?)),
        "skipped" => report.items.push(Item::Skipped {
            limit: limit(words[1])?,
            max: number(2)?,
            bytes: number(3)?,
            span: (number(4)?, number(5)?),
            head: bytes(6)?,
            event_type: if words.get(7) == Some(&"unknown") {
                None
            } else {
                Some(bytes(7)?)
            },
        }),
        "counters" => {
            report.counters = Counters {
                bytes: number(1)?,
                lines: number(2)?,
                events: number(3)?,
                comments: number(4)?,
                ignored_lines: number(5)?,
                skipped: number(6)?,
            }
        }
        "last_event_id" => report.last_event_id = bytes(1)?,
        "reconnect" => report.retry = Some(number(1)?),
        "pending" => {
            let pending = Pending {
                line: flag(1)?,
                data: flag(2)?,
                event: flag(3)?,
                id: flag(4)?,
            };
            report.pending = pending.if_any();
        }
        "failed" => {
            let (limit, max, offset) = (limit(words[1])?, number(2)?, number(3)?);
            report.failure = Some(Failure { limit, max, offset });
        }
        "unfinished" => {
            let (event_type, data, id) = (bytes(1)?, bytes(2)?, bytes(3)?);
            report.unfinished = Some(Unfinished {
                event_type,
                data,
                id,
            });
        }
        _ => bail!("nobody knows such a line"),
    }
    Ok(())
}

fn limit(name: &str) -> Result<Limit> {
    Ok(match name {
        "line_len_max" => Limit::Line,
        "data_len_max" => Limit::Data,
        "event_type_len_max" => Limit::EventType,
        "id_len_max" => Limit::Id,
        "bytes_max" => Limit::Bytes,
        "events_max" => Limit::Events,
        _ => bail!("nobody knows the limit {name}"),
    })
}

fn bytes(word: &str) -> Result<Vec<u8>> {
    let digits = word.strip_prefix('x').context("no bytes")?;
    let byte = |at: usize| {
        digits
            .get(at..at + 2)
            .map(|pair| u8::from_str_radix(pair, 16))
    };
    (0..digits.len())
        .step_by(2)
        .map(|at| Ok(byte(at).context("half a byte")??))
        .collect()
}
