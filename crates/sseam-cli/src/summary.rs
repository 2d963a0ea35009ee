//! Counters to the last line on standard error: what the whole stream was, with
//! or without a filter on what was printed.

use std::io::{self, Write};

use serde::Serialize;
use sseam::{Counters, End, Text};

use crate::args::SummaryForm;
use crate::escape;
use crate::get::Figures;
use crate::json::{self, Shown};

/// What is known at the end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Summary<'a> {
    pub(crate) counters: Counters,
    pub(crate) last_event_id: Text<'a>,
    pub(crate) retry: Option<u64>,
    /// `None` if the run ended before its input did.
    pub(crate) end: Option<End>,
    /// Whether a line was a field or a comment; means something with an end.
    pub(crate) has_known_line: bool,
    /// Of a stream that came over a connection.
    pub(crate) figures: Option<Figures>,
}

#[derive(Serialize)]
struct JsonSummary<'a> {
    bytes: u64,
    lines: u64,
    events: u64,
    comments: u64,
    ignored_lines: u64,
    skipped: u64,
    last_event_id: Shown<'a>,
    retry: Option<u64>,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<Vec<&'static str>>,
    #[serde(flatten)]
    figures: Option<Figures>,
}

impl Summary<'_> {
    /// Writes it in the form asked for.
    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        is_terminal: bool,
        form: SummaryForm,
    ) -> io::Result<()> {
        match form {
            SummaryForm::Text => {
                writeln!(out, "sseam: {}", self.text())?;
                let figures = self.figures.and_then(|figures| figures.text());
                figures.map_or(Ok(()), |text| writeln!(out, "sseam: {text}"))
            }
            SummaryForm::Json => json::write_line(out, is_terminal, &self.json()),
            SummaryForm::None => Ok(()),
        }
    }

    fn json(&self) -> JsonSummary<'_> {
        let Counters {
            bytes,
            lines,
            events,
            comments,
            ignored_lines,
            skipped,
        } = self.counters;
        let pending = self.end.filter(End::is_truncated).map(pending_names);
        JsonSummary {
            bytes,
            lines,
            events,
            comments,
            ignored_lines,
            skipped,
            last_event_id: Shown(self.last_event_id),
            retry: self.retry,
            truncated: pending.is_some(),
            pending,
            figures: self.figures,
        }
    }

    fn text(&self) -> String {
        let Counters {
            bytes,
            lines,
            events,
            comments,
            ignored_lines,
            skipped,
        } = self.counters;
        let mut text = counted(events, "event", "events");
        for (count, one, many) in [
            (skipped, "skipped event", "skipped events"),
            (comments, "comment", "comments"),
            (ignored_lines, "ignored line", "ignored lines"),
        ] {
            if count > 0 {
                text += &format!(", {}", counted(count, one, many));
            }
        }
        text += &format!(", {}", counted(lines, "line", "lines"));
        text += &format!(", {}", counted(bytes, "byte", "bytes"));
        if let Some(retry) = self.retry {
            text += &format!("; retry after {retry} ms");
        }
        if !self.last_event_id.is_empty() {
            let id = escape::escaped(&self.last_event_id.to_string());
            text += &format!("; last event id {id}");
        }
        if self.end.is_some() && ignored_lines > 0 && !self.has_known_line {
            text += "; no line is a field or a comment of an event stream";
        }
        text
    }
}

/// What the end of input threw away, in words, and `advice` on lost data.
pub(crate) fn truncation(end: &End, advice: &str) -> String {
    let names = pending_names(*end).join(", ");
    let mut text = format!(
        "the stream broke off at byte {}; unfinished: {names}",
        end.offset
    );
    if end.data {
        text += advice;
    }
    text
}

fn pending_names(end: End) -> Vec<&'static str> {
    let pending = [
        (end.line, "line"),
        (end.data, "data"),
        (end.event, "event"),
        (end.id, "id"),
    ];
    let names = pending.into_iter().filter(|(is_pending, _)| *is_pending);
    names.map(|(_, name)| name).collect()
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
