//! Wall-clock: contenders, corpora and reads in; medians out.
//!
//! On a machine with other load no time means much, but a ratio does. A corpus
//! is cut into pieces that take less time than a scheduler gives at a stretch;
//! each piece goes to every contender in turn, another one first each time, and
//! each is compared with sseam on the same piece.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::command::{Figure, agrees};
use crate::corpus::{COUNTED_LEN, Corpus, TIMED_LEN};
use crate::entry::{Entry, Session};

/// Whom the others are compared with.
const BASE: &str = "sseam-core";
/// How often a contender may look at an event again; the others wait for it.
const LOOKS_MAX: usize = 20;
/// About as many bytes are in a piece, in whole reads.
const PIECE_LEN: usize = 32 * 1024;
const SAMPLES_MIN: usize = 11;
const SAMPLES_MAX: usize = 2001;

/// Each corpus at each read, for about that many milliseconds each.
pub(crate) fn time(entries: &[Entry], names: &[&'static str], reads: &[usize], milliseconds: u64) {
    for name in names {
        let (short, long) = (Corpus::new(name, COUNTED_LEN), Corpus::new(name, TIMED_LEN));
        for &read_len in reads {
            let is_ready = |entry: &&Entry| {
                entry.streams.is_some() && !entry.is_hopeless(&short, read_len, LOOKS_MAX)
            };
            let ready: Vec<&Entry> = entries.iter().filter(is_ready).collect();
            let limit = Duration::from_millis(milliseconds);
            let samples = samples(&ready, &long, read_len, limit);
            print(&ready, &short, read_len, &samples);
        }
    }
}

/// Seconds for each byte: for each piece a list, with one time for each contender.
fn samples(entries: &[&Entry], corpus: &Corpus, read_len: usize, limit: Duration) -> Vec<Vec<f64>> {
    let (start, mut samples) = (Instant::now(), Vec::new());
    // To read all at once means all of the short corpus.
    let piece_len = PIECE_LEN.next_multiple_of(read_len.min(COUNTED_LEN));
    loop {
        let streams = entries.iter().filter_map(|entry| entry.streams);
        let mut sessions: Vec<Session> = streams.map(|streams| (streams.session)()).collect();
        for piece in corpus.bytes.chunks(piece_len) {
            let is_late = start.elapsed() > limit || samples.len() >= SAMPLES_MAX;
            if is_late && samples.len() >= SAMPLES_MIN {
                return samples;
            }
            let mut seconds = vec![0.0; sessions.len()];
            for turn in 0..sessions.len() {
                let index = (turn + samples.len()) % sessions.len();
                let start = Instant::now();
                sessions[index](black_box(piece), read_len);
                seconds[index] = start.elapsed().as_secs_f64() / piece.len() as f64;
            }
            samples.push(seconds);
        }
    }
}

fn print(entries: &[&Entry], corpus: &Corpus, read_len: usize, samples: &[Vec<f64>]) {
    let base = entries.iter().position(|entry| entry.name == BASE);
    for (index, contender) in entries.iter().enumerate() {
        let figure = Figure {
            part: "time",
            contender,
            corpus: corpus.name,
            read_len,
        };
        let is_right = agrees(contender, corpus, read_len);
        let mark = if is_right { "" } else { "*" };
        let seconds = median(samples.iter().map(|sample| sample[index]));
        figure.print(&format!("MB/s{mark}"), 1e-6 / seconds);
        if let Some(base) = base {
            let ratio = median(samples.iter().map(|sample| sample[index] / sample[base]));
            figure.print(&format!("times {BASE}{mark}"), ratio);
        }
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
