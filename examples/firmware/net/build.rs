//! In: the target. Out: the linker scripts that its start-up crate wants.

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    let is_riscv = target.starts_with("riscv");
    let scripts: &[&str] = if is_riscv {
        &["memory.x", "link.x"]
    } else {
        &["link.x"]
    };
    for script in scripts {
        println!("cargo:rustc-link-arg-bins=-T{script}");
    }
    println!("cargo:rustc-link-arg-bins=--nmagic");
    println!("cargo:rerun-if-changed=build.rs");
}
