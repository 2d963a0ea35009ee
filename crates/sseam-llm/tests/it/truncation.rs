//! Every example stream, cut at every byte, in every mode: no cut may be taken
//! for a whole answer.
//!
//! The outcomes also stand in a table that is
//! committed; `UPDATE=1 cargo test -p sseam-llm` writes it anew.

use std::fmt::Write as _;
use std::fs;

use sseam_core::{Item, Limits, Memory, Parser};
use sseam_llm::{Dialect, Ending, Mode, Turn};

use crate::examples::{Example, all};
use crate::judge::{Seen, has_terminal};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/truncation.md");

const MODES: [Mode; 3] = [Mode::Default, Mode::Strict, Mode::Lenient];

#[derive(Clone, Debug)]
struct Grown(Vec<u8>);

impl Memory for Grown {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    fn grow(&mut self, len: usize) -> bool {
        self.0.resize(len, 0);
        true
    }
}

/// The outcomes of one example in one mode: a name, and from which cut on.
fn outcomes(example: &Example, turn: Turn, mode: Mode) -> Vec<(usize, String)> {
    let stream = example.stream();
    let mut turn = turn.with_mode(mode);
    let mut parser = Parser::growing(Grown(Vec::new()), Limits::DEFAULT);
    let mut events = Vec::new();
    let mut found: Vec<(usize, String)> = Vec::new();
    for at in 0..=stream.len() {
        let outcome = ending(example, parser.clone(), turn, &events, mode, at);
        if found.last().is_none_or(|(_, last)| *last != outcome) {
            found.push((at, outcome));
        }
        let mut input = stream.get(at..at + 1).unwrap_or_default();
        while let Some(item) = parser.next_item(&mut input).expect("no limit") {
            if let Item::Event(event) = &item {
                events.push(Seen::of(event));
            }
            let _ = turn.observe_item(&item);
        }
    }
    found
}

/// The name of the outcome where the stream ends, after it was judged.
fn ending(
    example: &Example,
    mut parser: Parser<Grown>,
    mut turn: Turn,
    events: &[Seen],
    mode: Mode,
    at: usize,
) -> String {
    let mut events = events.to_vec();
    let dialect = turn.dialect();
    let end = parser.finish();
    if let Some(line) = parser.unfinished_line() {
        let _ = turn.observe_item(&Item::Ignored(line));
    }
    if turn.wants_unfinished()
        && let Some(event) = parser.take_unfinished().expect("memory")
    {
        events.push(Seen::of(&event));
        turn.observe(&event);
    }
    let outcome = turn.finish(&end);
    let is_whole = has_terminal(turn.dialect(), mode, &events);
    let file = &example.file;
    if !is_whole {
        assert!(
            !outcome.is_completed(),
            "{file} as {dialect} in {mode:?} mode, cut at {at}"
        );
        let is_answer = matches!(outcome.ending, Ending::Refused(_) | Ending::Incomplete(_));
        let reconnects = outcome.seen.dialect == Dialect::Mcp2025;
        assert!(
            !is_answer || reconnects,
            "{file} as {dialect}, {mode:?}, cut at {at}: {outcome}"
        );
    } else {
        let is_truncated = matches!(outcome.ending, Ending::Truncated(_));
        assert!(
            !is_truncated,
            "{file} as {dialect} in {mode:?} mode, cut at {at}: {outcome}"
        );
    }
    if matches!(outcome.ending, Ending::Ended) {
        assert!(
            end.is_clean() && dialect == Dialect::Plain,
            "{file} cut at {at}"
        );
    }
    outcome.name().to_owned()
}

/// A cell: from which cut on which outcome, the same in a row once.
fn cell(found: &[(usize, String)]) -> String {
    let mut cell = String::new();
    let cut_between = found.len() > 6;
    for (at, name) in found.iter().take(if cut_between { 2 } else { 6 }) {
        let _ = write!(
            cell,
            "{}{at} {name}",
            if cell.is_empty() { "" } else { ", " }
        );
    }
    if cut_between {
        let _ = write!(cell, ", and so on in turn");
    }
    cell
}

fn table() -> String {
    let mut table = String::from(
        "# Outcomes of cut streams\n\n\
         Each example stream ends after its first N bytes. A cell tells from which N on the\n\
         outcome is which; the last one is that of the whole stream, whose length is given.\n\
         Written by a test of `sseam-llm`: `UPDATE=1 cargo test -p sseam-llm`.\n\n\
         | stream | bytes | as | default | strict | lenient |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for example in all() {
        let len = example.stream().len();
        let dialects = [example.dialect(), Dialect::Auto];
        let is_known = !matches!(example.dialect(), Dialect::Plain | Dialect::Custom);
        for dialect in dialects.into_iter().take(1 + usize::from(is_known)) {
            let turn = match dialect {
                Dialect::Auto => Turn::new(dialect),
                _ => example.turn(),
            };
            let cells = MODES.map(|mode| cell(&outcomes(&example, turn, mode)));
            let [default, strict, lenient] = cells.map(|it| it.clone());
            let file = &example.file;
            let _ = writeln!(
                table,
                "| {file} | {len} | {dialect} | {default} | {strict} | {lenient} |"
            );
        }
    }
    table
}

#[test]
fn no_cut_stream_is_taken_for_a_whole_answer() {
    let table = table();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(TABLE, &table).expect("the table is written");
    }
    let committed = fs::read_to_string(TABLE).unwrap_or_default();
    assert!(
        committed == table,
        "{TABLE} is old: write it anew with UPDATE=1"
    );
}
