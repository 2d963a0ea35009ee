//! What the fuzz targets share: the ways of driving the core, which are those of
//! the core's own tests.

#![forbid(unsafe_code)]

use sseam_testkit::Engine;

#[path = "../../crates/sseam-core/tests/it/engines.rs"]
mod engines;

#[path = "../../crates/sseam-core/tests/it/bare.rs"]
mod bare;

#[path = "../../crates/sseam-core/tests/it/tokens.rs"]
mod tokens;

/// Every way of driving the core; not each of them supports every setup.
pub const DRIVERS: [&dyn Engine; 4] = [
    &engines::Fixed,
    &engines::Growing,
    &bare::Bare,
    &tokens::Tokens,
];
