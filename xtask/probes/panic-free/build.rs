//! How the probe is linked: with every symbol defined, or not at all.
//!
//! Elsewhere than on Linux, that is what linkers do unasked.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,defs");
        // For memcpy and its like, which a library without std does not bring.
        println!("cargo::rustc-cdylib-link-arg=-lc");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
