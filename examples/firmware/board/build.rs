//! In: the feature that names a machine. Out: `memory.x`, where its memory is.

use std::path::PathBuf;
use std::{env, fs};

/// What `qemu-system-*` emulates.
const MACHINES: &[(&str, &str)] = &[
    (
        "AN386",
        "FLASH : ORIGIN = 0x00000000, LENGTH = 4M\n  RAM : ORIGIN = 0x20000000, LENGTH = 4M",
    ),
    (
        "LM3S",
        "FLASH : ORIGIN = 0x00000000, LENGTH = 256K\n  RAM : ORIGIN = 0x20000000, LENGTH = 64K",
    ),
    (
        "MICROBIT",
        "FLASH : ORIGIN = 0x00000000, LENGTH = 256K\n  RAM : ORIGIN = 0x20000000, LENGTH = 16K",
    ),
    ("VIRT", "RAM : ORIGIN = 0x80000000, LENGTH = 16M"),
];

const RISCV_REGIONS: &[&str] = &["TEXT", "RODATA", "DATA", "BSS", "HEAP", "STACK"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let is_asked = |name: &str| env::var_os(format!("CARGO_FEATURE_{name}")).is_some();
    let machine = MACHINES.iter().find(|(name, _)| is_asked(name));
    let (name, memory) = machine.ok_or("name a machine: --features an386|lm3s|microbit|virt")?;
    let mut script = format!("MEMORY {{\n  {memory}\n}}\n");
    if *name == "VIRT" {
        for region in RISCV_REGIONS {
            script.push_str(&format!("REGION_ALIAS(\"REGION_{region}\", RAM);\n"));
        }
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    fs::write(out.join("memory.x"), script)?;
    println!("cargo:rustc-link-search={}", out.display());
    println!("cargo:rerun-if-changed=build.rs");
    Ok(())
}
