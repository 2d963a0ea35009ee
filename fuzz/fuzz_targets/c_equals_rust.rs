//! The C functions, called as a C program would, say of a stream what the Rust
//! parser says, item by item: pull and callback, in place and growing. And an
//! answer says of it, in some dialect, what it says in Rust, signal by signal.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sseam_testkit::{Engine, generate, split};

#[path = "../../crates/sseam-capi/tests/it/engines.rs"]
mod capi;

#[path = "../../crates/sseam-capi/tests/it/drive.rs"]
mod drive;

use capi::{Call, Capi, Place};
use drive::{Ask, MODES};
use sseam_llm::Dialect;

const CALLS: [Capi; 4] = [
    Capi {
        call: Call::Pull,
        place: Place::Lent,
    },
    Capi {
        call: Call::Pull,
        place: Place::Heap,
    },
    Capi {
        call: Call::Callback,
        place: Place::Lent,
    },
    Capi {
        call: Call::Callback,
        place: Place::Heap,
    },
];

fuzz_target!(|bytes: &[u8]| {
    let input = generate::fuzz_input(bytes);
    let cut = split::random(input.stream, input.cut_seed);
    let [rust, ..] = sseam_fuzz::DRIVERS;
    for call in CALLS {
        if call.supports(&input.setup, input.stream.len()) {
            let expected = rust.run(&input.setup, &cut.chunks);
            let found = call.run(&input.setup, &cut.chunks);
            assert_eq!(
                found,
                expected,
                "{} and {}, {cut}",
                call.name(),
                rust.name()
            );
        }
    }
    let add = |seed: usize, byte: &u8| seed.wrapping_mul(31).wrapping_add((*byte).into());
    let seed = bytes.iter().fold(0, add);
    let (dialect, mode) = (Dialect::ALL[seed % Dialect::ALL.len()], MODES[seed % 3]);
    let ask = Ask::of(dialect, mode);
    let expected = drive::rust(&ask, &cut.chunks);
    let found = drive::capi(&ask, &cut.chunks);
    assert_eq!(found, expected, "{dialect}, {mode:?}, {cut}");
});
