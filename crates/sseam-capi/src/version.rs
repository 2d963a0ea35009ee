//! Which release this is, and which binary interface: nothing in, numbers out.
//!
//! The release and the interface are counted apart. A program may run with any
//! library of the same interface number, be it older or newer than its header.

use core::ffi::{CStr, c_char};

/// Major version of this header.
pub const SSEAM_VERSION_MAJOR: u32 = 0;
/// Minor version of this header.
pub const SSEAM_VERSION_MINOR: u32 = 1;
/// Patch version of this header.
pub const SSEAM_VERSION_PATCH: u32 = 0;

/// Number of the binary interface; the shared library is `libsseam.so.N`. It
/// rises when a program that was built before would no longer run.
pub const SSEAM_ABI_VERSION: u32 = 1;

/// Gives the library's version as `SSEAM_VERSION_NUMBER` does that of the
/// header: major * 0x10000 + minor * 0x100 + patch.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_version_number() -> u32 {
    number(
        SSEAM_VERSION_MAJOR,
        SSEAM_VERSION_MINOR,
        SSEAM_VERSION_PATCH,
    )
}

/// Gives the library's version as text, such as `1.2.3`, that ends with NUL.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_version_string() -> *const c_char {
    TEXT.as_ptr()
}

/// Gives the library's `SSEAM_ABI_VERSION`. Where it is not that of your header,
/// use nothing else of the library.
#[unsafe(no_mangle)]
pub extern "C" fn sseam_abi_version() -> u32 {
    SSEAM_ABI_VERSION
}

const fn number(major: u32, minor: u32, patch: u32) -> u32 {
    major << 16 | minor << 8 | patch
}

const TEXT: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(text) => text,
        Err(_) => c"",
    };

/// Reads a decimal number at compile time.
const fn decimal(text: &str) -> u32 {
    let (bytes, mut at, mut number) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        number = number * 10 + (bytes[at] - b'0') as u32;
        at += 1;
    }
    number
}

// The header's numbers are written above, where a C reader sees them.
const _: () = assert!(SSEAM_VERSION_MAJOR == decimal(env!("CARGO_PKG_VERSION_MAJOR")));
const _: () = assert!(SSEAM_VERSION_MINOR == decimal(env!("CARGO_PKG_VERSION_MINOR")));
const _: () = assert!(SSEAM_VERSION_PATCH == decimal(env!("CARGO_PKG_VERSION_PATCH")));
// Three different numbers, or a part that stands in another's place is not seen.
const _: () = assert!(number(1, 2, 3) == 0x01_02_03);
