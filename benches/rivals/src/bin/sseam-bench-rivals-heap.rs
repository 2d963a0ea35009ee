//! Counts what sseam and the rivals ask the heap for.

use sseam_benches::heap::{self, Asked};

fn main() {
    let entries = [sseam_benches::OWN, sseam_bench_rivals::RIVALS].concat();
    heap::run(&entries, |run| {
        let info = allocation_counter::measure(run);
        Asked {
            calls: info.count_total,
            kept: info.bytes_current,
        }
    });
}
