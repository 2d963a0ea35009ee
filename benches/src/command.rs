//! The command line of the measuring programs: what to run in, figures out.
//!
//! They are called by `cargo xtask bench`, which builds them, runs `count` below
//! callgrind and makes the tables. What they print is one line for each figure:
//! part, contender, kind, corpus, length of a read, unit, value.

use std::fs;
use std::path::Path;

use crate::contender::Kind;
use crate::corpus::{COUNTED_LEN, Corpus, LINES, NAMES};
use crate::entry::Entry;
use crate::{count, pins, streams, time};

const USAGE: &str = "usage: list | pins | write FOLDER | check|count CONTENDER CORPUS,... READ,... \
                     | delay | linear | count-streams CONTENDER STREAMS | streams STREAMS \
                     | time CORPUS,... READ,... MILLISECONDS";

/// Runs the command that the arguments ask for.
///
/// # Panics
///
/// On a command line that it does not know, and where something that is
/// measured does not work.
pub fn run(entries: &[Entry]) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["list"] => list(entries),
        ["write", folder] => write(folder),
        ["pins"] => pins::print(),
        ["count", name, corpora, reads] => {
            count::count(entry(entries, name), &names(corpora), &numbers(reads));
        }
        ["check", name, corpora, reads] => {
            count::check(entry(entries, name), &names(corpora), &numbers(reads));
        }
        ["count-streams", name, streams] => {
            count::count_streams(entry(entries, name), number(streams));
        }
        ["time", corpora, reads, milliseconds] => {
            time::time(
                entries,
                &names(corpora),
                &numbers(reads),
                number(milliseconds) as u64,
            );
        }
        ["delay"] => streams::delay(entries),
        ["linear"] => streams::linear(entries),
        ["streams", streams] => streams::turns(entries, number(streams)),
        _ => panic!("{USAGE}"),
    }
}

fn list(entries: &[Entry]) {
    for entry in entries {
        println!("{}", entry.name);
    }
}

/// Writes every corpus, for programs in other languages.
fn write(folder: &str) {
    for name in NAMES {
        let corpus = Corpus::new(name, COUNTED_LEN);
        let path = Path::new(folder).join(format!("{name}.sse"));
        fs::write(&path, corpus.bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        println!("{name},{},{}", corpus.blocks, corpus.expected.events);
    }
}

fn entry<'e>(entries: &'e [Entry], name: &str) -> &'e Entry {
    let found = entries.iter().find(|entry| entry.name == name);
    found.unwrap_or_else(|| panic!("no contender named {name}"))
}

fn names(words: &str) -> Vec<&'static str> {
    let asked: Vec<&str> = words.split(',').collect();
    let known = NAMES.iter().chain(LINES);
    let found: Vec<&str> = match words {
        "all" => NAMES.to_vec(),
        _ => known.filter(|name| asked.contains(name)).copied().collect(),
    };
    assert!(
        words == "all" || found.len() == asked.len(),
        "a corpus of {words} does not exist"
    );
    found
}

fn numbers(words: &str) -> Vec<usize> {
    words.split(',').map(number).collect()
}

/// A number; `whole` is the longest read that there is.
fn number(word: &str) -> usize {
    match word {
        "whole" => WHOLE,
        _ => word
            .parse()
            .unwrap_or_else(|_| panic!("{word} is no number\n{USAGE}")),
    }
}

/// The length of a read that takes the whole corpus.
pub const WHOLE: usize = usize::MAX >> 8;

/// A figure: what was measured, on whom, with what, and what came out.
pub(crate) struct Figure<'f> {
    pub(crate) part: &'f str,
    pub(crate) contender: &'f Entry,
    pub(crate) corpus: &'f str,
    pub(crate) read_len: usize,
}

impl Figure<'_> {
    /// Prints the line of the figure.
    pub(crate) fn print(&self, unit: &str, value: f64) {
        let read = match self.read_len {
            WHOLE => "whole".to_string(),
            read_len => read_len.to_string(),
        };
        let Entry { name, kind, .. } = self.contender;
        let (part, corpus, kind) = (self.part, self.corpus, kind.name());
        println!("{part},{name},{kind},{corpus},{read},{unit},{value}");
    }
}

/// Whether a contender may be measured with this corpus at all; one that does
/// not see its events may, and is marked.
pub(crate) fn agrees(entry: &Entry, corpus: &Corpus, read_len: usize) -> bool {
    let agrees = entry.agrees(corpus, read_len);
    let (name, corpus) = (entry.name, corpus.name);
    assert!(
        agrees || entry.kind == Kind::Rival,
        "{name} sees other events than are in {corpus}"
    );
    agrees
}
