//! Measures sseam, the floors and the rivals in one program.

fn main() {
    let entries = [sseam_benches::OWN, sseam_bench_rivals::RIVALS].concat();
    sseam_benches::command::run(&entries);
}
