//! Examples of sseam at work; see `examples/`.
