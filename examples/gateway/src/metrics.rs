//! What became of the answers comes in, figures in the text form of Prometheus go
//! out.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sseam_http::Observation;

/// What is counted since the start. All clones count together.
#[derive(Clone, Debug, Default)]
pub struct Metrics(Arc<Figures>);

#[derive(Debug, Default)]
struct Figures {
    /// Answers by what became of them.
    answers: Mutex<BTreeMap<&'static str, u64>>,
    /// Responses that pass at this moment.
    active: AtomicU64,
    bytes: AtomicU64,
}

impl Metrics {
    /// A response begins to pass.
    pub(crate) fn begin(&self) {
        self.0.active.fetch_add(1, Ordering::Relaxed);
    }

    /// It has ended.
    pub(crate) fn end(&self, seen: &Observation) {
        self.0.active.fetch_sub(1, Ordering::Relaxed);
        self.0.bytes.fetch_add(seen.bytes, Ordering::Relaxed);
        self.count(match &seen.result {
            Ok(outcome) => outcome.name(),
            Err(_) => "Unobservable",
        });
    }

    /// A request came to this, without a response that passes.
    pub(crate) fn count(&self, outcome: &'static str) {
        let answers = self.0.answers.lock();
        let mut answers = answers.unwrap_or_else(PoisonError::into_inner);
        *answers.entry(outcome).or_default() += 1;
    }

    /// How many answers came to this, by the name of their outcome.
    pub fn answers(&self, outcome: &str) -> u64 {
        let answers = self.0.answers.lock();
        let answers = answers.unwrap_or_else(PoisonError::into_inner);
        answers.get(outcome).copied().unwrap_or_default()
    }

    /// Responses that pass at this moment.
    pub fn active(&self) -> u64 {
        self.0.active.load(Ordering::Relaxed)
    }

    /// All figures, in the text form of Prometheus.
    pub fn text(&self) -> String {
        let mut text = String::from("# TYPE sseam_gateway_answers_total counter\n");
        let answers = self.0.answers.lock();
        for (outcome, count) in answers.unwrap_or_else(PoisonError::into_inner).iter() {
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "sseam_gateway_answers_total{{outcome=\"{outcome}\"}} {count}"
            );
        }
        let (active, bytes) = (self.active(), self.0.bytes.load(Ordering::Relaxed));
        let _ = write!(
            text,
            "# TYPE sseam_gateway_active gauge\nsseam_gateway_active {active}\n\
             # TYPE sseam_gateway_bytes_total counter\nsseam_gateway_bytes_total {bytes}\n"
        );
        text
    }
}
