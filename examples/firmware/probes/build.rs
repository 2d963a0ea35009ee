//! In: nothing. Out: how a probe is linked: without a runtime, from its own
//! entry, without what nobody calls, and with the calls still to be seen.

fn main() {
    for argument in ["--entry=probe", "--gc-sections", "--emit-relocs"] {
        println!("cargo:rustc-link-arg-bins={argument}");
    }
    if std::env::var_os("CARGO_FEATURE_LOG").is_some() {
        // Where defmt's strings go: into the file, not into flash.
        println!("cargo:rustc-link-arg-bin=log=-Tdefmt.x");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
