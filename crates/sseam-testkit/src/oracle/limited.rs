//! The standard under limits, with both overflow modes.
//!
//! A limit is a statement about prefixes: it is passed at the first byte with
//! which the stream *so far* holds more than the limit allows. Since the whole
//! stream is at hand, that byte's offset is computed from the whole line:
//! [`first_over`] is the only place that knows it.
//!
//! What a limit counts:
//!
//! - `line`: all bytes of any line but its line end and the byte-order mark.
//!   Bytes that might be a mark are charged by the byte that disproves it.
//! - `data`: values and the LFs between them. From a block's second data line
//!   on, the LF is charged by the first byte that makes the line more than a
//!   name with its colon: of the value, else of the line end.
//! - `event_type`: the value. `id`: the value up to its first NUL.
//! - `bytes`, `events`: the stream. They stop in both modes.
//!
//! A block that passed a limit in skip mode goes on as any other, except that
//! it is never an event. This oracle saves no memory, so "is not stored any
//! more" shows in three places only: `head` ends where the limit was passed, a
//! type over its limit is unknown, and an id over its limit is ignored.

use super::line::{BOM, Line, Meaning, retry_value, split};
use super::standard::type_or_message;
use crate::{Counters, Failure, Item, Limit, Limits, Overflow, Pending, Report, Setup, Unfinished};

/// What the standard, `setup.limits` and `setup.overflow` make of `stream`.
pub fn limited(stream: &[u8], setup: &Setup) -> Report {
    let mut report = match usize::try_from(setup.limits.bytes) {
        // The first byte over is the one at offset `max`, whatever it is. What
        // came before it has its meaning without it.
        Ok(max) if stream.len() > max => {
            let mut report = within_bytes(&stream[..max], setup);
            report.pending = None;
            report.unfinished = None;
            let over = Failure {
                limit: Limit::Bytes,
                max: max as u64,
                offset: max as u64,
            };
            report.failure = report.failure.or(Some(over));
            report
        }
        _ => within_bytes(stream, setup),
    };
    if !setup.want_items {
        report
            .items
            .retain(|item| matches!(item, Item::Event { .. }));
    }
    report
}

/// The same for a stream of which all bytes pass the limit of the stream.
fn within_bytes(stream: &[u8], setup: &Setup) -> Report {
    let (lines, rest) = split(stream);
    let mut run = Run::new(setup);
    for line in lines {
        if let Err(failure) = run.terminated(line) {
            return run.failed(failure);
        }
    }
    match run.hold_against_limits(rest, false) {
        Ok(()) => run.finish(stream, rest),
        Err(failure) => run.failed(failure),
    }
}

struct Run<'a> {
    setup: &'a Setup,
    block: Block,
    id_buffer: Vec<u8>,
    /// Its `retry`, `last_event_id`, counters and items are filled as they
    /// come.
    report: Report,
}

/// The lines since the last blank line.
struct Block {
    start: Option<usize>,
    data_lines: u64,
    /// The data lines' values, joined with LF; no LF after the last.
    data: Vec<u8>,
    /// `None` once it was too long, until an `event` line that fits.
    event_type: Option<Vec<u8>>,
    over: Option<Over>,
}

/// The first limit that a block passed.
struct Over {
    limit: Limit,
    /// What the line, type or id came to; data is known at the blank line.
    bytes: u64,
    head: Vec<u8>,
}

impl Block {
    const EMPTY: Self = Self {
        start: None,
        data_lines: 0,
        data: Vec::new(),
        event_type: Some(Vec::new()),
        over: None,
    };

    /// The LF that joins the next data line to those before it, if any.
    fn joining_lf(&self) -> &'static [u8] {
        if self.data_lines > 0 { b"\n" } else { b"" }
    }
}

impl<'a> Run<'a> {
    fn new(setup: &'a Setup) -> Self {
        Self {
            setup,
            block: Block::EMPTY,
            id_buffer: setup.last_event_id.clone(),
            report: Report {
                last_event_id: setup.last_event_id.clone(),
                ..Report::default()
            },
        }
    }

    fn terminated(&mut self, line: Line<'_>) -> Result<(), Failure> {
        self.block.start.get_or_insert(line.start);
        self.hold_against_limits(line, true)?;
        match line.meaning() {
            Meaning::Blank => self.dispatch(line)?,
            Meaning::Comment(text) => {
                self.report.counters.comments += 1;
                let (prefix, len) = self.prefix(text);
                self.report.items.push(Item::Comment { prefix, len });
            }
            Meaning::Field(name, value) => {
                if !self.process_field(name, value) {
                    self.report.counters.ignored_lines += 1;
                    let (prefix, len) = self.prefix(line.bytes);
                    self.report.items.push(Item::Ignored { prefix, len });
                }
            }
        }
        self.report.counters.lines += 1;
        Ok(())
    }

    /// Tests the limits of lines and fields, unless the block passed one
    /// already.
    fn hold_against_limits(&mut self, line: Line<'_>, is_terminated: bool) -> Result<(), Failure> {
        if self.block.over.is_some() {
            return Ok(());
        }
        let Some((offset, limit)) =
            first_over(line, is_terminated, &self.block, &self.setup.limits)
        else {
            return Ok(());
        };
        if self.setup.overflow == Overflow::Stop {
            return Err(self.failure(limit, offset));
        }
        let bytes = match (limit, line.meaning()) {
            (Limit::EventType, Meaning::Field(_, value)) => value.len(),
            (Limit::Id, Meaning::Field(_, value)) => before_nul(value).len(),
            (_, _) => line.bytes.len(),
        };
        let max = self.setup.limits.data;
        let head = gathered_before(offset, limit, line, &self.block, max);
        self.block.over = Some(Over {
            limit,
            bytes: bytes as u64,
            head,
        });
        Ok(())
    }

    fn process_field(&mut self, name: &[u8], value: &[u8]) -> bool {
        let limits = &self.setup.limits;
        match name {
            b"event" => {
                self.block.event_type = (value.len() <= limits.event_type).then(|| value.to_vec());
            }
            b"data" => {
                self.block.data.extend(self.block.joining_lf());
                self.block.data.extend(value);
                self.block.data_lines += 1;
            }
            b"id" if value.contains(&0) => return false,
            b"id" if value.len() <= limits.id => self.id_buffer = value.to_vec(),
            // Too long: the previous one stays, and the block is skipped.
            b"id" => {}
            b"retry" => match retry_value(value) {
                Some(milliseconds) => {
                    self.report.retry = Some(milliseconds);
                    self.report.items.push(Item::Retry(milliseconds));
                }
                None => return false,
            },
            _ => return false,
        }
        true
    }

    fn dispatch(&mut self, blank_line: Line<'_>) -> Result<(), Failure> {
        let will_be_event = self.block.over.is_none() && self.block.data_lines > 0;
        if will_be_event && self.report.counters.events == self.setup.limits.events {
            return Err(self.failure(Limit::Events, blank_line.end));
        }
        self.report.last_event_id = self.id_buffer.clone();
        let block = std::mem::replace(&mut self.block, Block::EMPTY);
        let event_type = block.event_type.map(type_or_message);
        let start = block.start.unwrap_or(blank_line.start);
        let span = (start as u64, blank_line.end as u64 + 1);
        match (block.over, event_type) {
            (Some(Over { limit, bytes, head }), event_type) => {
                let bytes = if limit == Limit::Data {
                    block.data.len() as u64
                } else {
                    bytes
                };
                let max = self.setup.limits.max_of(limit);
                self.report.counters.skipped += 1;
                self.report.items.push(Item::Skipped {
                    limit,
                    max,
                    bytes,
                    span,
                    event_type,
                    head,
                });
            }
            (None, Some(event_type)) if will_be_event => {
                self.report.counters.events += 1;
                let id = self.id_buffer.clone();
                self.report.items.push(Item::Event {
                    event_type,
                    data: block.data,
                    id,
                    span,
                });
            }
            (None, _) => {}
        }
        Ok(())
    }

    fn finish(mut self, stream: &[u8], rest: Line<'_>) -> Report {
        let block = &self.block;
        self.report.counters.bytes = stream.len() as u64;
        self.report.pending = Pending {
            line: !rest.bytes.is_empty(),
            data: block.data_lines > 0,
            event: block
                .event_type
                .as_ref()
                .is_none_or(|event_type| !event_type.is_empty()),
            id: self.id_buffer != self.report.last_event_id,
        }
        .if_any();
        self.report.unfinished = self.unfinished(rest);
        self.report
    }

    fn unfinished(&mut self, rest: Line<'_>) -> Option<Unfinished> {
        if self.block.over.is_some() {
            return None;
        }
        if let Meaning::Field(b"data", value) = rest.meaning()
            && rest.bytes.contains(&b':')
        {
            self.process_field(b"data", value);
        }
        let block = std::mem::replace(&mut self.block, Block::EMPTY);
        let event_type = block.event_type.map(type_or_message)?;
        let id = self.report.last_event_id.clone();
        // The LF of a further line without any value has not been charged yet.
        let fits = block.data.len() <= self.setup.limits.data;
        (block.data_lines > 0 && fits).then_some(Unfinished {
            event_type,
            data: block.data,
            id,
        })
    }

    fn failure(&self, limit: Limit, offset: usize) -> Failure {
        Failure {
            limit,
            max: self.setup.limits.max_of(limit),
            offset: offset as u64,
        }
    }

    fn failed(self, failure: Failure) -> Report {
        let counters = Counters {
            bytes: failure.offset,
            ..self.report.counters
        };
        Report {
            counters,
            failure: Some(failure),
            ..self.report
        }
    }

    fn prefix(&self, bytes: &[u8]) -> (Vec<u8>, u64) {
        (
            bytes[..bytes.len().min(self.setup.limits.comment)].to_vec(),
            bytes.len() as u64,
        )
    }
}

/// The first byte of `line`, or of its line end, that passes a limit.
fn first_over(
    line: Line<'_>,
    is_terminated: bool,
    block: &Block,
    limits: &Limits,
) -> Option<(usize, Limit)> {
    // Where the value starts, as an offset, and which of its bytes count.
    let over_value =
        |value: &[u8], counted: usize, max: usize| passed(line.end - value.len(), counted, max);
    let field = match line.meaning() {
        Meaning::Field(b"data", value) => {
            let has_joined = is_terminated || !value.is_empty();
            let gathered = block.data.len() + block.joining_lf().len();
            match limits.data.checked_sub(gathered) {
                Some(room) => over_value(value, value.len(), room),
                None => has_joined.then_some(line.end - value.len()),
            }
            .map(|offset| (offset, Limit::Data))
        }
        Meaning::Field(b"event", value) => over_value(value, value.len(), limits.event_type)
            .map(|offset| (offset, Limit::EventType)),
        Meaning::Field(b"id", value) => {
            over_value(value, before_nul(value).len(), limits.id).map(|offset| (offset, Limit::Id))
        }
        _ => None,
    };
    let whole_line =
        line_over(line, is_terminated, limits.line).map(|offset| (offset, Limit::Line));
    // The earlier byte; of limits passed by one byte, the line's.
    whole_line
        .into_iter()
        .chain(field)
        .min_by_key(|(offset, _)| *offset)
}

/// The byte that passes the line limit.
fn line_over(line: Line<'_>, is_terminated: bool, max: usize) -> Option<usize> {
    let over = passed(line.start, line.bytes.len(), max)?;
    // At the start of the stream, the first bytes may be a byte-order mark
    // and are no line yet. The byte after them makes them one.
    let is_first = line.start == 0;
    let held = line
        .bytes
        .iter()
        .zip(BOM)
        .take_while(|(byte, mark)| is_first && byte == mark);
    let disproved = held.count();
    let is_disproved = is_terminated || disproved < line.bytes.len();
    is_disproved.then_some(over.max(disproved))
}

/// Of `counted` bytes from offset `first` on, the first one over `max`.
fn passed(first: usize, counted: usize, max: usize) -> Option<usize> {
    (counted > max).then_some(first.saturating_add(max))
}

/// The block's data at the moment before the byte at `offset` came.
///
/// If that byte is over by what it adds to the data, the LF that it brought
/// with it may still have fitted: the head is as long as the limit.
fn gathered_before(
    offset: usize,
    limit: Limit,
    line: Line<'_>,
    block: &Block,
    max: usize,
) -> Vec<u8> {
    let mut data = block.data.clone();
    if let Meaning::Field(b"data", value) = line.meaning() {
        let value_start = line.end - value.len();
        if limit == Limit::Data {
            data.extend(block.joining_lf());
            data.extend(value);
            data.truncate(max);
        } else if value_start < offset {
            data.extend(block.joining_lf());
            data.extend(&value[..(offset - value_start).min(value.len())]);
        }
    }
    data
}

fn before_nul(value: &[u8]) -> &[u8] {
    value.split(|&byte| byte == 0).next().unwrap_or(value)
}
