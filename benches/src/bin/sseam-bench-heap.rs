//! Counts what sseam asks the heap for.

use sseam_benches::heap::{self, Asked};

fn main() {
    heap::run(sseam_benches::OWN, |run| {
        let info = allocation_counter::measure(run);
        Asked {
            calls: info.count_total,
            kept: info.bytes_current,
        }
    });
}
