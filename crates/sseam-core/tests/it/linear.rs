//! Time over length and over cuts: one huge line or event comes in, in one read
//! and in reads of 1024 bytes, and a ratio goes out.
//!
//! Times are those that the thread had on a processor, the shortest of several
//! runs, and a ratio above its bound is measured again: another process may slow
//! a run down, none can speed it up. A cost that grows with the square of the
//! length would make ratios of thousands.

use std::hint::black_box;
use std::iter;
use std::time::Duration;

use sseam_core::{Limits, Parser};

/// The line end comes in a read of its own, so that both ways must copy the
/// line: in one read with its line end it would not be copied at all, and what
/// was measured would be the speed of memory.
#[test]
fn a_huge_line_costs_no_more_in_small_reads() {
    let line = [b"data: ".to_vec(), vec![b'x'; LEN]].concat();
    small_reads_cost_no_more(&line);
}

#[test]
fn a_huge_event_of_alternating_lines_costs_no_more_in_small_reads() {
    let lines = b"data: x\nevent: y\n".repeat(LEN / 17);
    small_reads_cost_no_more(&lines);
}

/// Four times the bytes cost four times as much, in reads of 1024 bytes and of
/// one byte.
#[test]
fn time_grows_with_length_alone() {
    let lines = [
        b"data: x\nevent: y\n".repeat(LEN / 17),
        b"data\n".repeat(LEN / 5),
        b"id: 1\n".repeat(LEN / 6),
        b": x\nx\nretry: 1\n".repeat(LEN / 15),
        [b"data:".to_vec(), vec![b'x'; LEN]].concat(),
        [b":".to_vec(), vec![b'x'; LEN]].concat(),
        vec![b'x'; LEN],
    ];
    for stream in &lines {
        // Short enough for the caches, or it is them that is measured.
        for (read_len, part) in [(1024, 8), (1, 32)] {
            let stream = &stream[..stream.len() / part];
            let quarter = &stream[..stream.len() / 4];
            at_most(4.0 * 1.3, || {
                shortest(stream, read_len) / shortest(quarter, read_len)
            });
        }
    }
}

fn small_reads_cost_no_more(stream: &[u8]) {
    at_most(READS_RATIO_MAX, || {
        shortest(stream, 1024) / shortest(stream, stream.len())
    });
}

/// Measures until the ratio is within its bound, a few times at most.
#[track_caller]
fn at_most(max: f64, ratio: impl Fn() -> f64) {
    let mut least = f64::MAX;
    for _ in 0..ATTEMPTS {
        least = least.min(ratio());
        if least <= max {
            return;
        }
    }
    panic!("{least:.2} times as long, and at most {max} is allowed");
}

/// The shortest time, in seconds, in which the stream was parsed in reads of
/// this length; the line end and the blank line come after them.
fn shortest(stream: &[u8], read_len: usize) -> f64 {
    let limits = Limits {
        data_len_max: LEN + 1,
        ..Limits::SMALL
    };
    let mut memory = vec![0x55; limits.memory_len()];
    let mut time = || {
        let mut parser = Parser::new(&mut memory[..], limits).expect("memory of that length");
        let start = time_on_processor();
        for chunk in stream.chunks(read_len).chain(iter::once(&b"\n\n"[..])) {
            let mut input: &[u8] = chunk;
            while let Some(event) = parser.next_event(&mut input).expect("within the limits") {
                black_box(event.data().len());
            }
        }
        time_on_processor() - start
    };
    let shortest: Duration = (0..RUNS).map(|_| time()).min().unwrap_or_default();
    shortest.as_secs_f64()
}

#[cfg(unix)]
fn time_on_processor() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("the clock does not run backwards")
}

/// Time on the wall will do where nothing else is at hand.
#[cfg(not(unix))]
fn time_on_processor() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

const RUNS: usize = 5;
const ATTEMPTS: usize = 10;

/// Without optimization a call costs as much as a read's bytes.
const READS_RATIO_MAX: f64 = if cfg!(debug_assertions) { 2.0 } else { 1.3 };

const LEN: usize = if cfg!(debug_assertions) {
    1 << 20
} else {
    8 << 20
};
