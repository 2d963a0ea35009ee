//! Tests of the crate through its public API.

mod run; // Bytes of a stream -> everything a turn says about it.
mod examples; // The example streams, against their expected values.
