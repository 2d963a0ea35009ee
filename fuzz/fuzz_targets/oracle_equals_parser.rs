//! Every driver says of a stream what the oracle says, which is a transcription
//! of the standard.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sseam_testkit::{generate, run, split};

fuzz_target!(|bytes: &[u8]| {
    let input = generate::fuzz_input(bytes);
    let cut = split::random(input.stream, input.cut_seed);
    for driver in sseam_fuzz::DRIVERS {
        if driver.supports(&input.setup, input.stream.len()) {
            run::one(driver, &input.setup, input.stream, &cut);
        }
    }
});
