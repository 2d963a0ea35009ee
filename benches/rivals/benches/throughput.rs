//! Throughput by criterion: every contender on every corpus at every read.
//!
//! `cargo bench --manifest-path benches/rivals/Cargo.toml -- responses/1460`
//! takes one group of them; all of them take a quarter of an hour.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use sseam_benches::command::WHOLE;
use sseam_benches::corpus::{COUNTED_LEN, Corpus, NAMES};

/// How often a contender may look at an event again.
const LOOKS_MAX: usize = 20;

const READS: &[(&str, usize)] = &[
    ("1", 1),
    ("16", 16),
    ("256", 256),
    ("1460", 1460),
    ("16384", 16384),
    ("whole", WHOLE),
];

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500))
        .configure_from_args();
    let entries = [sseam_benches::OWN, sseam_bench_rivals::RIVALS].concat();
    for name in NAMES {
        let corpus = Corpus::new(name, COUNTED_LEN);
        for (read, read_len) in READS {
            let mut group = criterion.benchmark_group(format!("{name}/{read}"));
            group.throughput(Throughput::Bytes(corpus.bytes.len() as u64));
            for entry in &entries {
                let Some(streams) = entry.streams else {
                    continue;
                };
                if entry.is_hopeless(&corpus, *read_len, LOOKS_MAX) {
                    continue;
                }
                let mut session = (streams.session)();
                group.bench_function(BenchmarkId::from_parameter(entry.name), |bencher| {
                    bencher.iter(|| session(corpus.bytes, *read_len));
                });
            }
            group.finish();
        }
    }
    criterion.final_summary();
}
