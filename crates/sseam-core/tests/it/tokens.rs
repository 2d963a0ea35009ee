//! The tokenizer alone, with an assembly as plain as can be: a stream in chunks
//! comes in, a report goes out.
//!
//! Whoever has events larger than memory drives the tokenizer like this, and
//! what it leaves to its caller is visible here: joining pieces, and the
//! standard's steps for fields and for dispatch.

use sseam_core::{Field, Token, Tokenizer};
use sseam_testkit as kit;

/// The tokenizer and vectors to collect its pieces in; it has no limits.
pub(crate) struct Tokens;

impl kit::Engine for Tokens {
    fn name(&self) -> &str {
        "Tokenizer, naive assembly"
    }

    fn supports(&self, setup: &kit::Setup, _stream_len: usize) -> bool {
        let kept = setup.limits.comment;
        setup.limits
            == kit::Limits {
                comment: kept,
                ..kit::Limits::NONE
            }
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let mut assembly = Assembly::new(setup);
        for chunk in chunks {
            let mut input: &[u8] = chunk;
            while let Some(token) = assembly.tokenizer.next_token(&mut input) {
                let consumed = assembly.bytes + (chunk.len() - input.len()) as u64;
                assembly.take(token, consumed);
            }
            assert!(input.is_empty(), "`None` means that the input is used up");
            assembly.bytes += chunk.len() as u64;
        }
        assembly.finish()
    }
}

struct Assembly<'s> {
    setup: &'s kit::Setup,
    tokenizer: Tokenizer,
    /// Bytes of the chunks before this one.
    bytes: u64,
    /// The pieces so far of the line in progress.
    line: Vec<u8>,
    /// The standard's buffers.
    data: Vec<u8>,
    event_type: Vec<u8>,
    id: Vec<u8>,
    block_start: Option<u64>,
    report: kit::Report,
}

impl<'s> Assembly<'s> {
    fn new(setup: &'s kit::Setup) -> Self {
        Self {
            setup,
            tokenizer: Tokenizer::new(),
            bytes: 0,
            line: Vec::new(),
            data: Vec::new(),
            event_type: Vec::new(),
            id: setup.last_event_id.clone(),
            block_start: None,
            report: kit::Report {
                last_event_id: setup.last_event_id.clone(),
                ..kit::Report::default()
            },
        }
    }

    /// `consumed` bytes of the stream have been taken with this token.
    fn take(&mut self, token: Token<'_>, consumed: u64) {
        let (bytes, ends_line) = match token {
            Token::Value {
                bytes, ends_line, ..
            }
            | Token::Comment { bytes, ends_line }
            | Token::Ignored { bytes, ends_line } => (bytes, ends_line),
            Token::Blank => return self.dispatch(consumed),
        };
        assert!(
            ends_line || !bytes.is_empty(),
            "an empty piece says nothing"
        );
        self.line.extend(bytes);
        if !ends_line {
            return;
        }
        let line = std::mem::take(&mut self.line);
        let line_len = self.tokenizer.line_len();
        self.block_start.get_or_insert(consumed - 1 - line_len);
        self.report.counters.lines += 1;
        match token {
            Token::Value { field, .. } => self.process(field, &line, line_len),
            Token::Comment { .. } => {
                assert_eq!(line.len() as u64 + 1, line_len, "a comment and its colon");
                self.report.counters.comments += 1;
                let (prefix, len) = (self.prefix(&line), line.len() as u64);
                self.tell(kit::Item::Comment { prefix, len });
            }
            _ => {
                assert_eq!(
                    line.len() as u64,
                    line_len,
                    "an ignored line is given whole"
                );
                self.ignore(&line, line_len);
            }
        }
    }

    /// The standard's steps for a field.
    fn process(&mut self, field: Field, value: &[u8], line_len: u64) {
        match field {
            Field::Data => {
                self.data.extend(value);
                self.data.push(b'\n');
            }
            Field::Event => self.event_type = value.to_vec(),
            Field::Id if !value.contains(&0) => self.id = value.to_vec(),
            Field::Retry if is_number(value) => {
                let digits = std::str::from_utf8(value).expect("digits are ASCII");
                match digits.parse() {
                    Ok(milliseconds) => {
                        self.report.retry = Some(milliseconds);
                        self.tell(kit::Item::Retry(milliseconds));
                    }
                    Err(_) => self.refuse(field, value, line_len),
                }
            }
            Field::Id | Field::Retry => self.refuse(field, value, line_len),
        }
    }

    /// A line that is ignored for its value: the tokenizer gave the value alone,
    /// so its name, colon and space are put before it again.
    fn refuse(&mut self, field: Field, value: &[u8], line_len: u64) {
        let mut line = field.name().to_vec();
        let separator_len = line_len - (line.len() + value.len()) as u64;
        line.extend(&b": "[..separator_len as usize]);
        line.extend(value);
        self.ignore(&line, line_len);
    }

    fn ignore(&mut self, line: &[u8], len: u64) {
        self.report.counters.ignored_lines += 1;
        let prefix = self.prefix(line);
        self.tell(kit::Item::Ignored { prefix, len });
    }

    /// The standard's steps for dispatch.
    fn dispatch(&mut self, consumed: u64) {
        self.report.counters.lines += 1;
        self.report.last_event_id.clone_from(&self.id);
        let start = self.block_start.take().unwrap_or(consumed - 1);
        let event_type = std::mem::take(&mut self.event_type);
        let mut data = std::mem::take(&mut self.data);
        if data.pop().is_none() {
            return;
        }
        self.report.counters.events += 1;
        self.report.items.push(kit::Item::Event {
            event_type: type_or_message(event_type),
            data,
            id: self.id.clone(),
            span: (start, consumed),
        });
    }

    fn finish(mut self) -> kit::Report {
        self.report.counters.bytes = self.bytes;
        self.report.pending = kit::Pending {
            line: self.tokenizer.is_within_line(),
            data: !self.data.is_empty(),
            event: !self.event_type.is_empty(),
            id: self.id != self.report.last_event_id,
        }
        .if_any();
        if self.tokenizer.field_in_progress() == Some(Field::Data) {
            self.data.append(&mut self.line);
            self.data.push(b'\n');
        }
        if self.data.pop().is_some() {
            self.report.unfinished = Some(kit::Unfinished {
                event_type: type_or_message(self.event_type),
                data: self.data,
                id: self.report.last_event_id.clone(),
            });
        }
        self.report
    }

    fn tell(&mut self, item: kit::Item) {
        if self.setup.want_items {
            self.report.items.push(item);
        }
    }

    fn prefix(&self, line: &[u8]) -> Vec<u8> {
        line[..line.len().min(self.setup.limits.comment)].to_vec()
    }
}

fn is_number(value: &[u8]) -> bool {
    !value.is_empty() && value.iter().all(u8::is_ascii_digit)
}

fn type_or_message(event_type: Vec<u8>) -> Vec<u8> {
    if event_type.is_empty() {
        b"message".to_vec()
    } else {
        event_type
    }
}
