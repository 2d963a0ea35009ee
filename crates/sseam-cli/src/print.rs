//! Items to lines on standard output.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use sseam::llm::{Value, find};
use sseam::{Event, Item, LineView, Skipped, Span, Text};

use crate::args::{OutputArgs, Print, limit_word};
use crate::escape;
use crate::json::{self, Shown};
use crate::source::Mark;
use crate::stop::Stop;

/// Writes what was asked for, in the form that was asked for.
pub(crate) struct Printer<'io> {
    out: BufWriter<&'io mut dyn Write>,
    form: Print,
    /// The one field of the data to print.
    field: Option<String>,
    is_lossy: bool,
    /// The only event type to print.
    filter: Option<String>,
    is_terminal: bool,
    /// When the bytes came that complete what is printed, if that is asked for.
    mark: Option<Mark>,
    is_timed: bool,
}

/// An event as it is printed.
#[derive(Serialize)]
struct EventLine<'a> {
    event: Shown<'a>,
    data: Shown<'a>,
    id: Shown<'a>,
    #[serde(flatten)]
    timing: Option<Timing>,
    #[serde(skip_serializing_if = "is_false")]
    unfinished: bool,
}

/// A line with what `--timing` adds.
#[derive(Serialize)]
struct TimedLine<'a> {
    #[serde(flatten)]
    line: ItemLine<'a>,
    #[serde(flatten)]
    timing: Option<Timing>,
}

#[derive(Clone, Copy, Serialize)]
pub(crate) struct Timing {
    t_ms: u64,
    read: u64,
}

/// What `--print items` prints besides events.
#[derive(Serialize)]
#[serde(untagged)]
enum ItemLine<'a> {
    Comment {
        comment: Shown<'a>,
        /// The full length of a comment of which only the beginning is kept.
        #[serde(skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
    },
    Ignored {
        ignored: Shown<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
    },
    Retry {
        retry: u64,
    },
    Skipped {
        skipped: SkippedLine<'a>,
    },
}

#[derive(Serialize)]
struct SkippedLine<'a> {
    limit: &'static str,
    max: u64,
    bytes: u64,
    event: Option<Shown<'a>>,
}

impl<'io> Printer<'io> {
    pub(crate) fn new(
        out: &'io mut dyn Write,
        is_terminal: bool,
        form: Print,
        args: &OutputArgs,
    ) -> Printer<'io> {
        Printer {
            out: BufWriter::with_capacity(BUFFER_LEN, out),
            form,
            field: args.field.clone(),
            is_lossy: args.lossy,
            filter: args.event.clone(),
            is_terminal,
            mark: None,
            is_timed: args.timing,
        }
    }

    /// Whether more than events is printed.
    pub(crate) const fn wants_items(&self) -> bool {
        matches!(self.form, Print::Items)
    }

    /// Prints an item, or refuses an event whose text is not valid.
    pub(crate) fn item(&mut self, item: &Item<'_>) -> Result<(), Stop> {
        let line = match item {
            Item::Event(event) => return self.event(event),
            Item::Comment(line) => {
                let (comment, bytes) = shown_line(line);
                ItemLine::Comment { comment, bytes }
            }
            Item::Ignored(line) => {
                let (ignored, bytes) = shown_line(line);
                ItemLine::Ignored { ignored, bytes }
            }
            Item::Retry(milliseconds) => ItemLine::Retry {
                retry: *milliseconds,
            },
            Item::Skipped(_) if self.leaves_out(item) => return Ok(()),
            Item::Skipped(skipped) => ItemLine::Skipped {
                skipped: skipped_line(skipped),
            },
            _ => return Ok(()),
        };
        let timing = self.timing();
        self.line(&TimedLine { line, timing }).map_err(Stop::Write)
    }

    /// Says when the bytes have come that complete what is printed next.
    pub(crate) fn mark(&mut self, mark: Option<Mark>) {
        self.mark = mark.filter(|_| self.is_timed);
    }

    /// What `--timing` adds to a line.
    pub(crate) fn timing(&self) -> Option<Timing> {
        self.mark.map(|mark| Timing {
            t_ms: mark.t_us / 1000,
            read: mark.read,
        })
    }

    /// Prints an event, or refuses one whose text is not valid.
    pub(crate) fn event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        self.event_with(event, event.data())
    }

    /// Prints an unfinished event. If the input ended within its data, without
    /// the beginning of a character at the end.
    pub(crate) fn unfinished(
        &mut self,
        event: &Event<'_>,
        is_within_data: bool,
    ) -> Result<(), Stop> {
        let data = event.data();
        let data = if is_within_data {
            without_cut(data)
        } else {
            data
        };
        self.event_with(event, data)
    }

    /// Hands on all that was printed so far.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn event_with(&mut self, event: &Event<'_>, data: Text<'_>) -> Result<(), Stop> {
        let (event_type, id) = (event.event_type(), event.last_event_id());
        // Text and signals are printed as part of an answer, not of an event.
        let is_of_answer = matches!(self.form, Print::Text | Print::Signals);
        if is_of_answer || self.is_other(Some(event_type)) {
            return Ok(());
        }
        if !self.is_lossy {
            for (field, text) in [("type", event_type), ("data", data), ("id", id)] {
                validate(field, text, event.span())?;
            }
        }
        if let Some(path) = &self.field {
            let found = find(data.as_bytes(), path).ok().flatten();
            let result = found.map_or(Ok(()), |value| self.value(value));
            return result.map_err(Stop::Write);
        }
        let result = match self.form {
            Print::Data => self.data(data),
            _ => self.line(&EventLine {
                event: Shown(event_type),
                data: Shown(data),
                id: Shown(id),
                timing: self.timing(),
                unfinished: !event.is_complete(),
            }),
        };
        result.map_err(Stop::Write)
    }

    /// Whether the filter leaves an event out, whole or skipped.
    pub(crate) fn leaves_out(&self, item: &Item<'_>) -> bool {
        match item {
            Item::Event(event) => self.is_other(Some(event.event_type())),
            Item::Skipped(skipped) => self.is_other(skipped.event_type()),
            _ => false,
        }
    }

    /// Whether the filter leaves out events of this type, `None` if unknown.
    fn is_other(&self, event_type: Option<Text<'_>>) -> bool {
        let (Some(filter), Some(event_type)) = (&self.filter, event_type) else {
            return false;
        };
        let is_shown_alike = self.is_lossy && event_type.to_string() == *filter;
        event_type != filter.as_str() && !is_shown_alike
    }

    /// Prints a part of a text.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        if self.is_terminal {
            return escape::print_escaped(&mut self.out, text);
        }
        self.out.write_all(text.as_bytes())
    }

    /// Prints a line of JSON.
    pub(crate) fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        json::write_line(&mut self.out, self.is_terminal, line)
    }

    fn value(&mut self, value: Value<'_>) -> io::Result<()> {
        for part in value.text().parts() {
            self.text(&part)?;
        }
        self.text("\n")
    }

    fn data(&mut self, data: Text<'_>) -> io::Result<()> {
        for chunk in data.chunks() {
            self.text(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                self.out.write_all("\u{FFFD}".as_bytes())?;
            }
        }
        self.out.write_all(b"\n")
    }
}

pub(crate) fn validate(field: &'static str, text: Text<'_>, span: Span) -> Result<(), Stop> {
    match text.to_str() {
        Ok(_) => Ok(()),
        Err(error) => Err(Stop::InvalidText {
            field,
            offset: error.offset,
            span,
        }),
    }
}

/// The kept part of a line, and its full length if that is more.
fn shown_line<'a>(line: &LineView<'a>) -> (Shown<'a>, Option<u64>) {
    if line.is_whole() {
        return (Shown(line.prefix()), None);
    }
    (Shown(without_cut(line.prefix())), Some(line.full_len()))
}

fn skipped_line<'a>(skipped: &Skipped<'a>) -> SkippedLine<'a> {
    SkippedLine {
        limit: limit_word(skipped.limit()),
        max: skipped.max(),
        bytes: skipped.bytes(),
        event: skipped.event_type().map(Shown),
    }
}

/// `text` without the beginning of a character at its end.
pub(crate) fn without_cut(text: Text<'_>) -> Text<'_> {
    let cut = match text.chunks().last() {
        Some(last) if begins_character(last.invalid()) => last.invalid().len(),
        _ => 0,
    };
    let bytes = text.as_bytes();
    Text::new(bytes.get(..bytes.len() - cut).unwrap_or(bytes))
}

/// Whether `bytes` are valid UTF-8 so far and want more.
fn begins_character(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// One write for each so many bytes of output.
const BUFFER_LEN: usize = 64 * 1024;
