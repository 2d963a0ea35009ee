//! The C interface, called from Rust: as a C program would, pointer by pointer.

mod answers;
mod conformance;
mod engines;
mod misuse;
mod struct_size;
mod surroundings;
mod turns;
mod waiting;
