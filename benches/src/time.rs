//! Wall-clock: contenders, corpora and reads in; medians out.
//!
//! On a machine with other load no time means much, but a ratio does: all
//! contenders take the same corpus in turns, each round begins with another one,
//! and each is compared with sseam within its round.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::command::{Figure, agrees};
use crate::corpus::{COUNTED_LEN, Corpus, TIMED_LEN};
use crate::entry::Entry;

/// Whom the others are compared with.
const BASE: &str = "sseam-core";
/// How often a contender may look at an event again; the others wait for it.
const LOOKS_MAX: usize = 20;
const ROUNDS_MIN: usize = 5;
const ROUNDS_MAX: usize = 101;

/// Each corpus at each read, for about that many milliseconds each.
pub(crate) fn time(entries: &[Entry], names: &[&'static str], reads: &[usize], milliseconds: u64) {
    for name in names {
        for &read_len in reads {
            // Small reads cost a hundred times as much.
            let len = if read_len < 256 {
                COUNTED_LEN
            } else {
                TIMED_LEN
            };
            let corpus = Corpus::new(name, len);
            let ready = |entry: &&Entry| !entry.is_hopeless(&corpus, read_len, LOOKS_MAX);
            let ready: Vec<&Entry> = entries.iter().filter(ready).collect();
            let rounds = rounds(
                &ready,
                &corpus,
                read_len,
                Duration::from_millis(milliseconds),
            );
            print(&ready, &corpus, read_len, &rounds);
        }
    }
}

/// The seconds that each contender took in each round.
fn rounds(entries: &[&Entry], corpus: &Corpus, read_len: usize, limit: Duration) -> Vec<Vec<f64>> {
    let start = Instant::now();
    let mut rounds = Vec::new();
    while rounds.len() < ROUNDS_MIN || (start.elapsed() < limit && rounds.len() < ROUNDS_MAX) {
        let mut seconds = vec![0.0; entries.len()];
        for turn in 0..entries.len() {
            let index = (turn + rounds.len()) % entries.len();
            let start = Instant::now();
            black_box((entries[index].count)(corpus.bytes, read_len));
            seconds[index] = start.elapsed().as_secs_f64();
        }
        rounds.push(seconds);
    }
    rounds
}

fn print(entries: &[&Entry], corpus: &Corpus, read_len: usize, rounds: &[Vec<f64>]) {
    let base = entries.iter().position(|entry| entry.name == BASE);
    for (index, contender) in entries.iter().enumerate() {
        let figure = Figure {
            part: "time",
            contender,
            corpus: corpus.name,
            read_len,
        };
        let mark = if is_right(contender, corpus, read_len) {
            ""
        } else {
            "*"
        };
        let seconds = median(rounds.iter().map(|round| round[index]));
        figure.print(
            &format!("MB/s{mark}"),
            corpus.bytes.len() as f64 / seconds / 1e6,
        );
        if let Some(base) = base {
            let ratio = median(rounds.iter().map(|round| round[index] / round[base]));
            figure.print(&format!("times {BASE}{mark}"), ratio);
        }
    }
}

/// Checked on the short corpus, which has the same kinds of events.
fn is_right(entry: &Entry, corpus: &Corpus, read_len: usize) -> bool {
    agrees(entry, &Corpus::new(corpus.name, COUNTED_LEN), read_len)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
