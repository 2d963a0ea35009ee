//! The C interface, called from Rust: as a C program would, pointer by pointer.

mod answers;
mod calls;
mod conformance;
mod drive;
mod engines;
mod field;
mod memory;
mod misuse;
mod struct_size;
mod surroundings;
mod waiting;
