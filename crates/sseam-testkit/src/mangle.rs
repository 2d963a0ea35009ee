//! A seed and real streams -> a stream as a broken network or proxy makes it.
//!
//! Random bytes are hardly ever an answer of an AI API. What is made here is
//! joined from pieces of real streams of one API, so that most of it is known
//! to a reader, and something about it is wrong: events are lacking, come
//! twice, in another order, or from another answer; data is cut; lines stand
//! between that belong to no event; the end never comes.
//!
//! The same seed and sources make the same stream, everywhere and for ever.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::field;
use crate::generate::Rng;

/// A stream, and what was done to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mangled {
    /// The bytes.
    pub stream: Vec<u8>,
    /// Each step in words, for the message of a test that fails.
    pub steps: Vec<String>,
}

/// Mangles one of `sources`, with pieces of the others.
///
/// One in eight streams is left as it is.
///
/// # Panics
///
/// If there are no sources.
pub fn mangle(rng: &mut Rng, sources: &[&[u8]]) -> Mangled {
    let source = rng.below(sources.len());
    let mut mangler = Mangler {
        blocks: blocks(sources[source]),
        steps: vec![format!("source {source}")],
    };
    if !rng.one_in(8) {
        for _ in 0..1 + rng.below(3) {
            mangler.step(rng, sources);
        }
    }
    let mut stream = mangler.blocks.concat();
    if rng.one_in(8) {
        stream.truncate(rng.below(stream.len() + 1));
        mangler.steps.push(format!("ends after {}", stream.len()));
    }
    Mangled {
        stream,
        steps: mangler.steps,
    }
}

/// The real streams of one dialect: those of the field and the examples. `auto`
/// has those of all.
///
/// # Panics
///
/// If the examples are not where they belong.
pub fn sources(dialect: &str) -> Vec<Vec<u8>> {
    let is_meant = |of: &str| of == dialect || dialect == "auto";
    let cases = field::all().iter().filter(|case| is_meant(&case.dialect));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/streams");
    let read = |name: &str| fs::read(folder.join(name)).unwrap_or_else(|_| panic!("no {name}"));
    let expected: Value = serde_json::from_slice(&read("expected.json")).expect("it is JSON");
    let text = |example: &Value, key| example[key].as_str().unwrap_or("").to_owned();
    let examples = expected.as_array().into_iter().flatten();
    let examples = examples.filter(|example| is_meant(&text(example, "dialect")));
    cases
        .map(|case| case.stream.clone().into_bytes())
        .chain(examples.map(|example| read(&text(example, "file"))))
        .collect()
}

/// A stream's blocks, each with its blank line; the last may lack it.
pub fn blocks(stream: &[u8]) -> Vec<Vec<u8>> {
    let mut blocks = Vec::new();
    let (mut start, mut end) = (0, 0);
    while end < stream.len() {
        let rest = &stream[end..];
        let blank = BLANK_LINES.iter().find(|blank| rest.starts_with(blank));
        end += blank.map_or(1, |blank| blank.len());
        if blank.is_some() || end == stream.len() {
            blocks.push(stream[start..end].to_vec());
            start = end;
        }
    }
    blocks
}

struct Mangler {
    blocks: Vec<Vec<u8>>,
    steps: Vec<String>,
}

impl Mangler {
    /// One thing that goes wrong.
    fn step(&mut self, rng: &mut Rng, sources: &[&[u8]]) {
        let at = rng.below(self.blocks.len());
        let step = match rng.below(10) {
            _ if self.blocks.is_empty() => return,
            0 => {
                self.blocks.remove(at);
                format!("drops {at}")
            }
            1 => {
                let to = rng.below(self.blocks.len() + 1);
                self.blocks.insert(to, self.blocks[at].clone());
                format!("repeats {at} at {to}")
            }
            2 => {
                let other = rng.below(self.blocks.len());
                self.blocks.swap(at, other);
                format!("swaps {at} and {other}")
            }
            3 | 4 => self.splice(rng, at, sources),
            5 => self.cut(rng, at),
            6 => {
                self.blocks.truncate(at);
                format!("stops before {at}")
            }
            7 => self.insert(at, rng.pick(BARE)),
            8 => self.insert(at, rng.pick(SIGNS_OF_LIFE)),
            _ => self.insert(at, rng.pick(NOISE)),
        };
        self.steps.push(step);
    }

    /// Events of another stream come in between, or in place of the rest.
    fn splice(&mut self, rng: &mut Rng, at: usize, sources: &[&[u8]]) -> String {
        let source = rng.below(sources.len());
        let others = blocks(sources[source]);
        let from = rng.below(others.len());
        let to = match rng.one_in(2) {
            true => others.len(),
            false => from + 1 + rng.below(others.len() - from),
        };
        if rng.one_in(2) {
            self.blocks.truncate(at);
        }
        let count = self.blocks.len();
        let piece = others[from..to].iter().cloned();
        self.blocks.splice(at..at, piece);
        format!("splices {from}..{to} of source {source} at {at} of {count}")
    }

    /// An event loses the end of its last line, but not its blank line.
    fn cut(&mut self, rng: &mut Rng, at: usize) -> String {
        let block = &mut self.blocks[at];
        let text_len = block.trim_ascii_end().len();
        let len = rng.below(text_len + 1);
        block.truncate(len);
        block.extend(b"\n\n");
        format!("cuts {at} after {len}")
    }

    fn insert(&mut self, at: usize, text: &str) -> String {
        self.blocks.insert(at, text.as_bytes().to_vec());
        format!("inserts {text:?} at {at}")
    }
}

const BLANK_LINES: &[&[u8]] = &[b"\r\n\r\n", b"\n\n", b"\r\r"];

/// Lines that are no fields; the last has no line end of its own.
const BARE: &[&str] = &[
    "{\"error\":{\"message\":\"upstream gone\",\"type\":\"server_error\",\"code\":502}}\n\n",
    "{\n  \"error\": {\n    \"message\": \"worker lost\",\n    \"code\": 500\n  }\n}\n\n",
    "{\"error\":{}}\n\n",
    "{\"status\":\"ok\",\"queue\":2}\n\n",
    "{\"detail\":\"not found\"}\n",
    "{\"error\":{\"message\":\"cut he\n\n",
    "error: {\"code\":500,\"message\":\"shift is off\"}\n\n",
    "Internal Server Error\n\n",
];

/// What only shows that somebody is there.
const SIGNS_OF_LIFE: &[&str] = &[
    ":\n\n",
    ": keep-alive\n\n",
    ":\r\n\r\n",
    "\n",
    "data:\n\n",
    "data\n\n",
    "data: ping\n\n",
    "data: : PROCESSING\n\n",
    "event: ping\ndata: {\"type\": \"ping\"}\n\n",
    "event: ping\ndata: {\"type\": \"pi\n\n",
    "id: 7\nretry: 100\n\n",
];

/// Whole events of no API, or of any.
const NOISE: &[&str] = &[
    "data: [DONE]\n\n",
    "event: done\ndata: [DONE]\n\n",
    "data: {\"error\":{\"message\":\"out of memory\",\"code\":\"oom\"}}\n\n",
    "event: error\ndata: {\"type\":\"error\",\"message\":\"bucket is dry\"}\n\n",
    "event: error\ndata: no such model\n\n",
    "data: {\"code\":0,\"message\":\"Success\"}\n\n",
    "data: {\"code\":429,\"message\":\"slow down\"}\n\n",
    "data: {\"error\":null}\n\n",
    "data: {\"a\n\n",
    "data: data: {\"a\":1}\n\n",
    "data: The service is restarting, please try again later.\n\n",
    "data: {\"heartbeat\":true}\n\n",
    "data: null\n\n",
    "data: []\n\n",
];
