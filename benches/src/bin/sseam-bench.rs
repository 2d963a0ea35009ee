//! Measures sseam and the floors, without anybody else's parser.

fn main() {
    sseam_benches::command::run(sseam_benches::OWN);
}
