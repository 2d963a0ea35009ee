//! Expected values: single streams (`hand`, `random`) and whole connections
//! (`sequences`), as `standard.md` describes their fields.
//!
//! The files are part of the binary, so that a test finds them from any
//! directory and on any target.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::render::quoted;
use crate::{Capabilities, Item, Report};

/// One stream and what it means.
#[derive(Clone, Debug, Deserialize)]
pub struct Vector {
    /// Unique; the part before the first `-` is the group.
    pub name: String,
    input: Option<String>,
    input_b64: Option<String>,
    /// In order, as text after replacement decoding.
    pub events: Vec<ExpectedEvent>,
    /// The last accepted value.
    pub retry: Option<u64>,
    /// Whether the last value is above `u64::MAX`: saturating and keeping the
    /// previous value are both accepted.
    pub retry_overflow: bool,
    /// The value before the one that overflowed.
    pub retry_previous: Option<u64>,
    /// The committed id at the end of input, as text.
    pub last_event_id: String,
    /// Whether the end of input throws anything away.
    pub pending_at_eof: bool,
    /// What it throws away.
    pub pending: Vec<String>,
    /// Why this vector exists.
    #[serde(default)]
    pub note: String,
}

/// An event as text after replacement decoding.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ExpectedEvent {
    /// The type, `message` by default.
    #[serde(rename = "event")]
    pub event_type: String,
    /// The data.
    pub data: String,
    /// The last event ID at dispatch.
    pub id: String,
}

/// Several connections of one event source.
#[derive(Clone, Debug, Deserialize)]
pub struct Sequence {
    /// Unique.
    pub name: String,
    streams: Vec<String>,
    /// Per connection, its events.
    pub events: Vec<Vec<ExpectedEvent>>,
    /// Per connection, the `Last-Event-ID` that it is opened with.
    pub header: Vec<Option<String>>,
}

impl Vector {
    /// The stream.
    ///
    /// # Panics
    ///
    /// If the file has neither or both forms of the input, or a malformed one.
    pub fn stream(&self) -> Vec<u8> {
        match (&self.input, &self.input_b64) {
            (Some(text), None) => latin1(text),
            (None, Some(text)) => base64(text),
            _ => panic!(
                "{}: exactly one of input and input_b64 is needed",
                self.name
            ),
        }
    }

    /// Whether every cut of it would take too long; a sample must do.
    pub fn is_long(&self) -> bool {
        self.name.starts_with("long-")
    }
}

impl Sequence {
    /// The streams, one per connection.
    pub fn streams(&self) -> Vec<Vec<u8>> {
        self.streams.iter().map(|text| latin1(text)).collect()
    }
}

/// Hand-written vectors, one rule each.
pub fn hand() -> &'static [Vector] {
    static HAND: LazyLock<Vec<Vector>> = LazyLock::new(|| parsed("hand.json", HAND_JSON));
    &HAND
}

/// Random streams with Chromium's answers.
pub fn random() -> &'static [Vector] {
    static RANDOM: LazyLock<Vec<Vector>> = LazyLock::new(|| parsed("random.json", RANDOM_JSON));
    &RANDOM
}

/// [`hand`], then [`random`].
pub fn all() -> impl Iterator<Item = &'static Vector> {
    hand().iter().chain(random())
}

/// Several connections each, with a reset between them.
pub fn sequences() -> &'static [Sequence] {
    static SEQUENCES: LazyLock<Vec<Sequence>> =
        LazyLock::new(|| parsed("sequences.json", SEQUENCES_JSON));
    &SEQUENCES
}

/// Holds a report against a vector, as far as `capabilities` reach.
///
/// # Errors
///
/// What differs, in words.
pub fn check_vector(
    vector: &Vector,
    report: &Report,
    capabilities: &Capabilities,
) -> Result<(), String> {
    check_events(&vector.events, report)?;
    if let Some(failure) = report.failure {
        return Err(format!("{failure} without limits"));
    }
    let retries = match vector.retry_overflow {
        true => vec![vector.retry_previous, Some(u64::MAX)],
        false => vec![vector.retry],
    };
    if capabilities.retry && !retries.contains(&report.retry) {
        return Err(format!(
            "retry is {:?}, not one of {retries:?}",
            report.retry
        ));
    }
    let last_event_id = String::from_utf8_lossy(&report.last_event_id);
    if capabilities.last_event_id && last_event_id != vector.last_event_id {
        return Err(format!(
            "last event ID is {last_event_id:?}, not {:?}",
            vector.last_event_id
        ));
    }
    let pending = report
        .pending
        .map(|pending| pending.names())
        .unwrap_or_default();
    let is_as_expected =
        report.pending.is_some() == vector.pending_at_eof && pending == vector.pending;
    if capabilities.pending && !is_as_expected {
        return Err(format!(
            "pending is {:?}, not {:?}",
            report.pending, vector.pending
        ));
    }
    Ok(())
}

/// Holds the events of a report against expected ones, as text.
///
/// # Errors
///
/// The first event that differs.
pub fn check_events(expected: &[ExpectedEvent], report: &Report) -> Result<(), String> {
    let found: Vec<ExpectedEvent> = report.events().filter_map(ExpectedEvent::of).collect();
    if let Some(at) = expected
        .iter()
        .zip(&found)
        .position(|(expected, found)| expected != found)
    {
        return Err(format!(
            "event {at} is {}, not {}",
            found[at].show(),
            expected[at].show()
        ));
    }
    if found.len() != expected.len() {
        return Err(format!("{} events, not {}", found.len(), expected.len()));
    }
    Ok(())
}

/// Holds the reports of a whole sequence against it.
///
/// # Errors
///
/// The first connection that differs, and how.
pub fn check_sequence(
    sequence: &Sequence,
    reports: &[Report],
    capabilities: &Capabilities,
) -> Result<(), String> {
    if reports.len() != sequence.events.len() {
        return Err(format!(
            "{} reports, not {}",
            reports.len(),
            sequence.events.len()
        ));
    }
    for (at, (expected, report)) in sequence.events.iter().zip(reports).enumerate() {
        check_events(expected, report).map_err(|error| format!("connection {at}: {error}"))?;
        let Some(header) = sequence.header.get(at + 1) else {
            continue;
        };
        let last_event_id = String::from_utf8_lossy(&report.last_event_id);
        if capabilities.last_event_id && last_event_id != header.as_deref().unwrap_or("") {
            return Err(format!(
                "after connection {at}: {last_event_id:?}, not {header:?}"
            ));
        }
    }
    Ok(())
}

impl ExpectedEvent {
    /// An event item as text; `None` for other items.
    pub fn of(item: &Item) -> Option<Self> {
        let Item::Event {
            event_type,
            data,
            id,
            ..
        } = item
        else {
            return None;
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Some(Self {
            event_type: text(event_type),
            data: text(data),
            id: text(id),
        })
    }

    fn show(&self) -> String {
        let Self {
            event_type,
            data,
            id,
        } = self;
        let [event_type, data, id] = [event_type, data, id].map(|text| quoted(text.as_bytes()));
        format!("{event_type} {data} id {id}")
    }
}

/// Each code point 0 to 255 is one byte.
pub(crate) fn latin1(text: &str) -> Vec<u8> {
    let byte = |character| u8::try_from(u32::from(character));
    text.chars()
        .map(byte)
        .collect::<Result<_, _>>()
        .expect("code points are at most 255")
}

pub(crate) fn parsed<T: serde::de::DeserializeOwned>(name: &str, json: &str) -> T {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("testdata/{name}: {error}"))
}

/// One vector is written this way; a crate for it would be heavier.
fn base64(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text
        .bytes()
        .filter(|&byte| byte != b'=')
        .map(|byte| {
            ALPHABET
                .iter()
                .position(|&digit| digit == byte)
                .expect("a base64 digit")
        })
        .map(|digit| digit as u32)
        .collect();
    digits
        .chunks(4)
        .flat_map(|group| {
            let bits = group.iter().fold(0, |bits, digit| bits << 6 | digit);
            let bytes = (bits << (6 * (4 - group.len()))).to_be_bytes();
            bytes.into_iter().skip(1).take(group.len() - 1)
        })
        .collect()
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const HAND_JSON: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../testdata/vectors/hand.json"
));
const RANDOM_JSON: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../testdata/vectors/random.json"
));
const SEQUENCES_JSON: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../testdata/vectors/sequences.json"
));
