//! The command line of the measuring programs: what to run in, figures out.
//!
//! `count` is meant to be run by callgrind with `--toggle-collect` on
//! `sseam_measured_feed` and `--dump-before` on `sseam_measured_dump`; each dump
//! is then one line of what this prints.

use crate::contender::{Entry, sseam_measured_dump};
use crate::corpus::{COUNTED_LEN, Corpus, NAMES};

/// Runs the command that the arguments ask for.
///
/// # Panics
///
/// On a command line that it does not know, and where a parser that is not
/// known to deviate does not see the events of a corpus.
pub fn run(entries: &[Entry]) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["list"] => entries.iter().for_each(|entry| println!("{}", entry.name)),
        ["count", name, corpora, reads] => count(entry(entries, name), corpora, reads),
        _ => panic!("usage: list | count CONTENDER CORPUS,... READ,..."),
    }
}

fn entry<'e>(entries: &'e [Entry], name: &str) -> &'e Entry {
    let found = entries.iter().find(|entry| entry.name == name);
    found.unwrap_or_else(|| panic!("no contender named {name}"))
}

fn count(entry: &Entry, corpora: &str, reads: &str) {
    for corpus in corpora_of(corpora, COUNTED_LEN) {
        for read_len in reads.split(',') {
            let read_len: usize = read_len.parse().expect("a read length");
            let agrees = entry.agrees(&corpus, read_len);
            let events = (entry.count)(corpus.bytes, read_len);
            assert!(!agrees || !entry.has_events || events == corpus.expected.events);
            sseam_measured_dump();
            println!(
                "{},{read_len},{},{},{}",
                corpus.name,
                corpus.bytes.len(),
                corpus.blocks,
                if agrees { "agrees" } else { "deviates" },
            );
        }
    }
}

/// The corpora of these names, parted by commas; `all` are all of them.
pub fn corpora_of(names: &str, len: usize) -> Vec<Corpus> {
    let asked: Vec<&str> = names.split(',').collect();
    let is_asked = |name: &&&str| names == "all" || asked.contains(*name);
    let found: Vec<Corpus> = NAMES
        .iter()
        .filter(is_asked)
        .map(|name| Corpus::new(name, len))
        .collect();
    assert!(!found.is_empty(), "no corpus among {names}");
    found
}
