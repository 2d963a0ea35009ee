//! Faults that other people's parsers, clients and firmware had, each with its
//! source.
//!
//! The parser's cases can be run as they are; the other layers' have fields of
//! their own in [`Case::more`] for the crates that run them.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::vectors::{ExpectedEvent, check_events, latin1, parsed};
use crate::{Capabilities, Failure, Limit, Limits, Report, Setup};

/// One fault and what is right instead.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Unique, such as `P07`.
    pub id: String,
    /// Where it was reported.
    pub source: String,
    /// In a few words.
    pub kind: String,
    /// `parser`, `profile`, `client`, `embedded` or `ffi`.
    pub layer: String,
    /// What the user saw.
    pub symptom: String,
    /// The stream, each code point 0 to 255 one byte.
    pub input: Option<String>,
    /// A stream that is too long to write down.
    #[serde(rename = "gen")]
    pub generated: Option<Generated>,
    /// The offsets at which it was cut; equal ones are empty chunks.
    pub chunks: Option<Vec<usize>>,
    /// The events, or prose.
    pub expected: Expected,
    /// How many events there are after each chunk.
    pub expected_after_chunk: Option<Vec<u64>>,
    /// The state at the end of input.
    pub expected_state: Option<ExpectedState>,
    /// The events with the unfinished one delivered.
    pub expected_lenient: Option<Vec<ExpectedEvent>>,
    /// The events of the stream where `expected` is prose.
    #[serde(alias = "sse_events")]
    pub expected_events: Option<Vec<ExpectedEvent>>,
    /// Where [`RESET_MARK`] stands in the input.
    pub reset_at: Option<usize>,
    /// The fields that only some layers have: `script`, `client`, `situation`,
    /// `http`, `repeat`, `note` and others.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// `prefix`, `unit` repeated, `suffix`.
#[derive(Clone, Debug, Deserialize)]
pub struct Generated {
    prefix: String,
    unit: String,
    repeat: usize,
    suffix: String,
    /// How many bytes each read gives.
    pub read_size: usize,
}

/// What a case asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Expected {
    /// These events.
    Events(Vec<ExpectedEvent>),
    /// What a test must show, for a human to write.
    Prose(String),
}

/// The state at the end of input, as far as a case names it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedState {
    retry_ms: Option<u64>,
    comments: Option<u64>,
    last_event_id: Option<String>,
    incomplete_at_eof: Option<bool>,
}

/// Stands in an input where the connection is replaced.
pub const RESET_MARK: &[u8] = b"|RESET|";

/// All cases of all layers.
pub fn all() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| parsed("cases.json", CASES_JSON));
    &CASES
}

/// The cases of one layer.
pub fn layer(name: &str) -> impl Iterator<Item = &'static Case> {
    all().iter().filter(move |case| case.layer == name)
}

/// The cases that every engine is run on.
pub fn parser() -> impl Iterator<Item = &'static Case> {
    layer("parser")
}

impl Case {
    /// The streams: one, or two with a reset between them, or none where there
    /// is nothing to parse.
    ///
    /// # Panics
    ///
    /// If the file's reset offset does not point at [`RESET_MARK`].
    pub fn streams(&self) -> Vec<Vec<u8>> {
        if let Some(generated) = &self.generated {
            return vec![generated.stream()];
        }
        let Some(input) = &self.input else {
            return Vec::new();
        };
        let stream = latin1(input);
        let Some(at) = self.reset_at else {
            return vec![stream];
        };
        let after = stream[at..]
            .strip_prefix(RESET_MARK)
            .expect("reset_at points at the mark");
        vec![stream[..at].to_vec(), after.to_vec()]
    }

    /// The events that a parser gives for its streams, if it has any.
    pub fn events(&self) -> Option<&[ExpectedEvent]> {
        match (&self.expected, &self.expected_events) {
            (Expected::Events(events), _) => Some(events),
            (Expected::Prose(_), Some(events)) => Some(events),
            (Expected::Prose(_), None) => None,
        }
    }

    /// The setups to run it with, and the failure that each must end in.
    ///
    /// The caps of generated cases are read from their prose.
    pub fn setups(&self) -> Vec<(Setup, Option<Failure>)> {
        let data = |max| {
            Setup::stop(Limits {
                data: max,
                ..Limits::NONE
            })
        };
        // The generated lines are `data: ` and one value.
        let over = |max: u64| Failure {
            limit: Limit::Data,
            max,
            offset: max + 6,
        };
        match self.id.as_str() {
            "L03" => vec![(data(8 << 20), None), (data(1 << 20), Some(over(1 << 20)))],
            "L07" => vec![(data(65536), Some(over(65536)))],
            "L10" => vec![(Setup::stop(Limits::DEFAULT), None)],
            "L11" => vec![(data(4096), None)],
            "L13" => vec![(data(200_000), None), (data(199_999), Some(over(199_999)))],
            _ => vec![(Setup::unlimited(), None)],
        }
    }

    /// Holds the reports of its streams against it, as far as `capabilities`
    /// reach. Not for generated cases, whose expectation is prose.
    ///
    /// # Errors
    ///
    /// What differs, in words.
    pub fn check(&self, reports: &[Report], capabilities: &Capabilities) -> Result<(), String> {
        let (Some(last), Some(expected)) = (reports.last(), self.events()) else {
            return Err("nothing to check".to_owned());
        };
        let items = reports
            .iter()
            .flat_map(|report| &report.items)
            .cloned()
            .collect();
        check_events(
            expected,
            &Report {
                items,
                ..Report::default()
            },
        )?;
        if let Some(state) = &self.expected_state {
            state.check(last, capabilities)?;
        }
        let Some(lenient) = self
            .expected_lenient
            .as_ref()
            .filter(|_| capabilities.unfinished)
        else {
            return Ok(());
        };
        let unfinished = last.unfinished.as_ref().map(|event| ExpectedEvent {
            event_type: String::from_utf8_lossy(&event.event_type).into_owned(),
            data: String::from_utf8_lossy(&event.data).into_owned(),
            id: String::from_utf8_lossy(&event.id).into_owned(),
        });
        match lenient.get(expected.len()) == unfinished.as_ref() {
            true => Ok(()),
            false => Err(format!(
                "unfinished is {unfinished:?}, expected {lenient:?}"
            )),
        }
    }
}

impl Generated {
    /// The stream.
    pub fn stream(&self) -> Vec<u8> {
        let Self {
            prefix,
            unit,
            repeat,
            suffix,
            ..
        } = self;
        [latin1(prefix), latin1(unit).repeat(*repeat), latin1(suffix)].concat()
    }
}

impl ExpectedState {
    fn check(&self, report: &Report, capabilities: &Capabilities) -> Result<(), String> {
        let is_incomplete = report.pending.is_some();
        let last_event_id = String::from_utf8_lossy(&report.last_event_id).into_owned();
        let is_right = (!capabilities.retry || is_named(&self.retry_ms, &report.retry))
            && (!capabilities.counters
                || is_named(&self.comments, &Some(report.counters.comments)))
            && (!capabilities.last_event_id || is_named(&self.last_event_id, &Some(last_event_id)))
            && (!capabilities.pending || is_named(&self.incomplete_at_eof, &Some(is_incomplete)));
        if is_right {
            Ok(())
        } else {
            Err(format!("expected {self:?}, found\n{report}"))
        }
    }
}

/// Whether `expected` says nothing or names what was found.
fn is_named<T: PartialEq>(expected: &Option<T>, found: &Option<T>) -> bool {
    expected.is_none() || expected == found
}

const CASES_JSON: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../testdata/cases/cases.json"
));
