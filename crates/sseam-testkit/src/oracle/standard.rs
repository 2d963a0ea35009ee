//! The standard, word for word, without limits: HTML, "Server-sent events",
//! "Interpreting an event stream".
//!
//! The quotes are the standard's. What it has no words for, such as counters,
//! spans and what was pending, is the design's and kept out of its sentences.

use super::line::{Line, Meaning, retry_value, split};
use crate::{Counters, Item, Pending, Report, Setup, Unfinished};

/// What the standard makes of `stream`.
///
/// Of `setup`, the overflow mode and the limits are ignored, but for how much
/// of a comment or an ignored line is kept.
pub fn standard(stream: &[u8], setup: &Setup) -> Report {
    let (lines, rest) = split(stream);
    let mut client = Client::new(setup);
    for line in lines {
        client.process(line);
    }
    client.finish(stream, rest)
}

/// "A data buffer, an event type buffer, and a last event ID buffer must be
/// associated with it", and the last event ID string of its event source.
struct Client<'a> {
    setup: &'a Setup,
    data_buffer: Vec<u8>,
    event_type_buffer: Vec<u8>,
    last_event_id_buffer: Vec<u8>,
    last_event_id_string: Vec<u8>,
    /// Where the first line after the last blank line starts.
    block_start: Option<usize>,
    items: Vec<Item>,
    counters: Counters,
    retry: Option<u64>,
}

impl<'a> Client<'a> {
    fn new(setup: &'a Setup) -> Self {
        Self {
            setup,
            data_buffer: Vec::new(),
            event_type_buffer: Vec::new(),
            // The text starts with an empty buffer, so a new connection's
            // first blank line would clear the ID. Browsers seed it instead.
            last_event_id_buffer: setup.last_event_id.clone(),
            last_event_id_string: setup.last_event_id.clone(),
            block_start: None,
            items: Vec::new(),
            counters: Counters::default(),
            retry: None,
        }
    }

    /// "Lines must be processed, in the order they are received, as follows".
    fn process(&mut self, line: Line<'_>) {
        self.counters.lines += 1;
        let block_start = *self.block_start.get_or_insert(line.start);
        match line.meaning() {
            Meaning::Blank => {
                self.dispatch(block_start, line.end);
                self.block_start = None;
            }
            // "Ignore the line."
            Meaning::Comment(text) => {
                self.counters.comments += 1;
                let (prefix, len) = self.prefix(text);
                self.items.push(Item::Comment { prefix, len });
            }
            Meaning::Field(name, value) => {
                if !self.process_field(name, value) {
                    self.counters.ignored_lines += 1;
                    let (prefix, len) = self.prefix(line.bytes);
                    self.items.push(Item::Ignored { prefix, len });
                }
            }
        }
    }

    /// "The steps to process the field given a field name and a field value
    /// depend on the field name"; `false` for "the field is ignored".
    fn process_field(&mut self, name: &[u8], value: &[u8]) -> bool {
        match name {
            // "Set the event type buffer to the field value."
            b"event" => self.event_type_buffer = value.to_vec(),
            // "Append the field value to the data buffer, then append a single
            // U+000A LINE FEED (LF) character to the data buffer."
            b"data" => {
                self.data_buffer.extend(value);
                self.data_buffer.push(b'\n');
            }
            // "If the field value does not contain U+0000 NULL, then set the
            // last event ID buffer to the field value."
            b"id" if !value.contains(&0) => self.last_event_id_buffer = value.to_vec(),
            // "Set the event stream's reconnection time to that integer."
            b"retry" => match retry_value(value) {
                Some(milliseconds) => {
                    self.retry = Some(milliseconds);
                    self.items.push(Item::Retry(milliseconds));
                }
                None => return false,
            },
            _ => return false,
        }
        true
    }

    /// "When the user agent is required to dispatch the event, the user agent
    /// must process the data buffer, the event type buffer, and the last event
    /// ID buffer".
    fn dispatch(&mut self, block_start: usize, blank_line_end: usize) {
        // "Set the last event ID string of the event source to the value of
        // the last event ID buffer. The buffer does not get reset".
        self.last_event_id_string = self.last_event_id_buffer.clone();
        // "Set the data buffer and the event type buffer to the empty string"
        // in either of the following cases.
        let mut data = std::mem::take(&mut self.data_buffer);
        let event_type = std::mem::take(&mut self.event_type_buffer);
        // "If the data buffer is an empty string, [...] return."
        if data.is_empty() {
            return;
        }
        // "If the data buffer's last character is a U+000A LINE FEED (LF)
        // character, then remove the last character from the data buffer."
        if data.last() == Some(&b'\n') {
            data.pop();
        }
        self.counters.events += 1;
        self.items.push(Item::Event {
            event_type: type_or_message(event_type),
            data,
            id: self.last_event_id_string.clone(),
            span: (block_start as u64, blank_line_end as u64 + 1),
        });
    }

    /// "Once the end of the file is reached, any pending data must be
    /// discarded."
    fn finish(mut self, stream: &[u8], rest: Line<'_>) -> Report {
        let pending = Pending {
            line: !rest.bytes.is_empty(),
            data: !self.data_buffer.is_empty(),
            event: !self.event_type_buffer.is_empty(),
            id: self.last_event_id_buffer != self.last_event_id_string,
        };
        self.counters.bytes = stream.len() as u64;
        if !self.setup.want_items {
            self.items.retain(|item| matches!(item, Item::Event { .. }));
        }
        Report {
            unfinished: self.unfinished(rest),
            items: self.items,
            counters: self.counters,
            retry: self.retry,
            last_event_id: self.last_event_id_string,
            pending: pending.if_any(),
            failure: None,
        }
    }

    /// As if a line end and a blank line followed, except that an unterminated
    /// line counts only if it is `data` with its colon seen.
    fn unfinished(&mut self, rest: Line<'_>) -> Option<Unfinished> {
        if let Meaning::Field(b"data", value) = rest.meaning()
            && rest.bytes.contains(&b':')
        {
            self.process_field(b"data", value);
        }
        let data = self.data_buffer.strip_suffix(b"\n")?.to_vec();
        let event_type = type_or_message(std::mem::take(&mut self.event_type_buffer));
        Some(Unfinished {
            event_type,
            data,
            id: self.last_event_id_string.clone(),
        })
    }

    fn prefix(&self, bytes: &[u8]) -> (Vec<u8>, u64) {
        (
            bytes[..bytes.len().min(self.setup.limits.comment)].to_vec(),
            bytes.len() as u64,
        )
    }
}

/// "Initialize event's type attribute to `message`"; "if the event type buffer
/// has a value other than the empty string, change the type".
pub(super) fn type_or_message(event_type_buffer: Vec<u8>) -> Vec<u8> {
    if event_type_buffer.is_empty() {
        b"message".to_vec()
    } else {
        event_type_buffer
    }
}
