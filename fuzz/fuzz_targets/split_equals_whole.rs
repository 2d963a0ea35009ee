//! Law 1: a stream cut in any way gives what it gives in one piece. The oracle
//! has no part in this, so that a fault it shares with the core shows as well.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sseam_testkit::{generate, split};

fuzz_target!(|bytes: &[u8]| {
    let input = generate::fuzz_input(bytes);
    let (setup, stream) = (&input.setup, input.stream);
    for driver in sseam_fuzz::DRIVERS {
        if !driver.supports(setup, stream.len()) {
            continue;
        }
        let whole = driver.run(setup, &[stream]);
        for cut in [
            split::random(stream, input.cut_seed),
            split::with_empty_chunks(split::byte_by_byte(stream)),
        ] {
            let pieces = driver.run(setup, &cut.chunks);
            assert!(
                pieces == whole,
                "{}, {cut}:\n{pieces}\nis not\n{whole}",
                driver.name()
            );
        }
    }
});
