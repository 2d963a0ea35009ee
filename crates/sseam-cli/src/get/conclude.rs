//! What is known at the end, or at an interrupt, to lines on standard error.

use std::io::Write;
use std::time::Duration;

use sseam::llm::{Close, Turn};
use sseam::{Counters, End, Text};

use super::measure::{Figures, Measure};
use crate::args::{GetArgs, OutcomeForm, SummaryForm};
use crate::summary::Summary;
use crate::verdict::{Failure, Verdict};

/// What has come so far; also read by the thread of the interrupt.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) turn: Turn,
    /// What the server said about its failure, without what it was asked with.
    pub(crate) failure: Failure,
    pub(crate) counters: Counters,
    pub(crate) last_event_id: Vec<u8>,
    pub(crate) retry: Option<u64>,
    pub(crate) measure: Measure,
    pub(crate) requests: u32,
    pub(crate) connections: u32,
    pub(crate) reads: u64,
    pub(crate) first_byte: Option<Duration>,
    pub(crate) first_text: Option<Duration>,
    /// The end is being told: an interrupt need not do it too.
    pub(crate) is_over: bool,
}

/// How to tell it.
#[derive(Debug, Clone)]
pub(crate) struct Forms {
    /// What messages call the server.
    pub(crate) name: String,
    summary: SummaryForm,
    outcome: Option<OutcomeForm>,
    is_terminal: bool,
}

impl Seen {
    pub(crate) fn new(turn: Turn) -> Seen {
        Seen {
            turn,
            failure: Failure::default(),
            counters: Counters::default(),
            last_event_id: Vec::new(),
            retry: None,
            measure: Measure::default(),
            requests: 0,
            connections: 0,
            reads: 0,
            first_byte: None,
            first_text: None,
            is_over: false,
        }
    }

    /// What became of an answer that the user ended.
    pub(crate) fn cancelled(&mut self) -> Verdict {
        let outcome = self.turn.finish_with(&End::at(0), Close::Cancelled);
        Verdict::new(outcome, std::mem::take(&mut self.failure))
    }
}

impl Forms {
    pub(crate) fn new(args: &GetArgs, is_terminal: bool) -> Forms {
        Forms {
            name: name(&args.url),
            summary: args.output.summary,
            outcome: args.dialect.outcome,
            is_terminal,
        }
    }

    /// Writes what became of the answer, and the figures.
    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        verdict: &Verdict,
        (seen, figures, end): (&Seen, Figures, Option<End>),
    ) {
        let is_terminal = self.is_terminal;
        verdict.tell(
            &self.name,
            self.summary,
            self.outcome,
            (&mut *out, is_terminal),
        );
        let summary = Summary {
            counters: seen.counters,
            last_event_id: Text::new(&seen.last_event_id),
            retry: seen.retry,
            end,
            has_known_line: true,
            figures: Some(figures),
        };
        // Nobody is left to be told that standard error is closed.
        if self.summary == SummaryForm::Text {
            for note in figures.notes() {
                let _ = writeln!(out, "sseam: {}: {note}", self.name);
            }
        }
        if let Some(warning) = figures.warning()
            && self.summary == SummaryForm::Text
        {
            let _ = writeln!(out, "sseam: {}: {warning}", self.name);
        }
        let _ = summary.write(out, is_terminal, self.summary);
    }
}

/// The host and the port: a path may hold a key, and a query does.
fn name(url: &str) -> String {
    let uri: Option<ureq::http::Uri> = url.parse().ok();
    let host = uri.as_ref().and_then(|uri| uri.authority());
    let host = host.map(|authority| authority.as_str());
    let host = host.and_then(|text| text.rsplit('@').next());
    crate::escape::escaped(host.unwrap_or("the URL"))
}
