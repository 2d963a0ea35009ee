#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod memory; // What the engine gathers events in, growing on demand.

pub use memory::{GrowingMemory, KEPT_LEN_MAX};
pub use sseam_core::*;
