//! Links without start-up code, and without what nothing reaches.

fn main() {
    for argument in ["-nostartfiles", "-Wl,-e,probe", "-Wl,--gc-sections", "-lc"] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
