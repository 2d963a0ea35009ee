//! What compiling alone can show: both headers under every standard, where each
//! field lies, and that all versions are one.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::cc::{self, Library, Program, STRICT};
use super::{artifact, default_prefix, prefix};
use crate::step::{self, Done, Step};
use crate::tool;

/// A compiler with its standard, and flags beyond.
type Variant = (&'static str, &'static [&'static str]);

const C: &[Variant] = &[
    ("gcc -std=c90", &[]),
    ("gcc -std=c99", &[]),
    ("gcc -std=c11", &[]),
    ("gcc -std=c2x", &[]),
    ("clang -std=c90", &[]),
    ("clang -std=c99", &[]),
    ("clang -std=c11", &[]),
    ("clang -std=c2x", &[]),
];

const CXX: &[Variant] = &[
    ("g++ -std=c++17", &[]),
    ("g++ -std=c++20", &[]),
    ("g++ -std=c++2b", &[]),
    ("g++ -std=c++17", &["-fno-exceptions", "-fno-rtti"]),
    ("g++ -std=c++2b", &["-fno-exceptions", "-fno-rtti"]),
    ("clang++ -std=c++17", &[]),
    ("clang++ -std=c++20", &[]),
    ("clang++ -std=c++2b", &[]),
    ("clang++ -std=c++17", &["-fno-exceptions", "-fno-rtti"]),
];

/// Compilers for pointers of 4 bytes; none of them needs a library there.
const ILP32: &[&str] = &[
    "gcc -m32 -ffreestanding",
    "clang --target=armv7m-none-eabi -ffreestanding",
    "clang --target=riscv32-none-elf -ffreestanding",
];

const TOOLS: &[tool::Tool] = &[tool::CC, tool::CXX, tool::CLANG];

pub(crate) fn steps(root: &Path) -> Vec<Step> {
    let step = |name: &str, work: fn(&Path) -> Result<Done>| {
        let root = root.to_path_buf();
        Step::call(name, move || work(&root)).needs(TOOLS)
    };
    vec![
        step("headers under every standard", headers),
        step("layout for LP64 and ILP32", layout),
        step("versions", versions),
    ]
}

/// Each header alone, first and twice; then the wrapper's own test, linked.
fn headers(root: &Path) -> Result<Done> {
    let folder = cc::folder(root)?;
    let c = folder.join("header.c");
    let use_macros = "#include <sseam.h>\n#include <sseam.h>\n\
        typedef SSEAM_PARSER_ARENA(arena, SSEAM_PARSER_STORAGE(1, 1, 1, 1));\n\
        int used(void);\nint used(void) { sseam_options o; sseam_options_init(&o);\n\
        return (int)sizeof(arena) + SSEAM_VERSION_NUMBER + SSEAM_ERR_UTF8; }\n";
    fs::write(&c, use_macros)?;
    let cpp = folder.join("header.cpp");
    fs::write(
        &cpp,
        "#include <sseam.hpp>\n#include <sseam.hpp>\nint main() {}\n",
    )?;
    let include = default_prefix(root).join("include");
    let mut compiled = Vec::new();
    for (variants, source) in [(C, &c), (CXX, &cpp)] {
        for (compiler, flags) in variants {
            for firmware in [&[][..], &["-DSSEAM_NO_HEAP"]] {
                let mut words = compiler.split(' ');
                let mut command = Command::new(words.next().unwrap_or("cc"));
                command.args(words).args(STRICT).args(*flags).args(firmware);
                command.args(["-fsyntax-only", "-I"]).arg(&include);
                command.arg(source);
                compiled.push(command);
            }
        }
    }
    cc::run_all(compiled)?;
    for (index, (compiler, flags)) in CXX.iter().enumerate() {
        let program = Program {
            name: &format!("wrapper-{index}"),
            compiler,
            flags,
            source: "crates/sseam-capi/tests/c/wrapper.cpp",
            library: if index % 2 == 0 {
                Library::Static
            } else {
                Library::Shared
            },
            last: &[],
        };
        cc::run(&program.build(root)?, &[])?;
    }
    Ok(Done::Passed)
}

fn layout(root: &Path) -> Result<Done> {
    let include = default_prefix(root).join("include");
    for compiler in ["gcc", "clang"].iter().chain(ILP32) {
        let mut words = compiler.split(' ');
        let mut command = Command::new(words.next().unwrap_or("cc"));
        command
            .current_dir(root)
            .args(words)
            .args(STRICT)
            .args(["-std=c11", "-fsyntax-only"]);
        command
            .arg("-I")
            .arg(&include)
            .arg("crates/sseam-capi/tests/c/layout.c");
        step::run(&mut command)?;
    }
    Ok(Done::Passed)
}

/// The release of Cargo = header = library = pkg-config = file name, the interface
/// of header = library = soname; and once more in a copy of the tree whose release
/// is 7.8.9, since 0.1.0 cannot tell its first part from its last.
fn versions(root: &Path) -> Result<Done> {
    compare(root, &default_prefix(root), prefix::VERSION)?;
    let copy = root.join("target/capi-version");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    fs::create_dir_all(&copy)?;
    fs::copy(root.join("Cargo.toml"), copy.join("Cargo.toml"))?;
    for folder in NEEDED {
        copy_folder(&root.join(folder), &copy.join(folder))?;
    }
    for path in [
        "Cargo.toml",
        "crates/sseam-capi/artifact/Cargo.toml",
        "crates/sseam-capi/src/version.rs",
        "include/sseam.h",
    ] {
        let file = copy.join(path);
        fs::write(&file, renumbered(&fs::read_to_string(&file)?))?;
    }
    let built = artifact::build(
        &copy,
        None,
        artifact::Core::Installed,
        artifact::Answers::In,
    )?;
    let there = default_prefix(&copy);
    prefix::lay_out_as(&copy, &built, &there, "7.8.9")?;
    compare(&copy, &there, "7.8.9")?;
    Ok(Done::Passed)
}

/// What the libraries are made from.
const NEEDED: &[&str] = &[
    "crates/sseam-core",
    "crates/sseam-llm",
    "crates/sseam-capi",
    "include",
];

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true if entry.file_name() == "target" => {}
            true => copy_folder(&entry.path(), &to)?,
            false => drop(fs::copy(entry.path(), &to)?),
        }
    }
    Ok(())
}

fn renumbered(text: &str) -> String {
    let [major, minor, patch] = parts(prefix::VERSION);
    text.replace(
        "members = [\"crates/*\", \"examples\", \"xtask\"]",
        "members = [\"crates/*\"]",
    )
    .replace("exclude = [", "exclude = [\"examples\", ")
    .replace("sseam-testkit = { path = \"crates/sseam-testkit\" }\n", "")
    .replace(&format!("\"{}\"", prefix::VERSION), "\"7.8.9\"")
    .replace(&format!("MAJOR: u32 = {major};"), "MAJOR: u32 = 7;")
    .replace(&format!("MINOR: u32 = {minor};"), "MINOR: u32 = 8;")
    .replace(&format!("PATCH: u32 = {patch};"), "PATCH: u32 = 9;")
    .replace(&format!("VERSION_MAJOR {major}"), "VERSION_MAJOR 7")
    .replace(&format!("VERSION_MINOR {minor}"), "VERSION_MINOR 8")
    .replace(&format!("VERSION_PATCH {patch}"), "VERSION_PATCH 9")
}

fn parts(version: &str) -> [&str; 3] {
    let mut parts = version.splitn(3, '.');
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

fn compare(root: &Path, prefix: &Path, version: &str) -> Result<()> {
    let program = Program {
        name: "version",
        compiler: "gcc -std=c99",
        flags: &[],
        source: "crates/sseam-capi/tests/c/version.c",
        library: Library::Shared,
        last: &[],
    };
    cc::run(&program.build(root)?, &[version, &prefix::abi_version()?])?;
    let pc = fs::read_to_string(prefix.join("lib/pkgconfig/sseam.pc"))?;
    if !pc.lines().any(|line| line == format!("Version: {version}")) {
        bail!("sseam.pc has another version than {version}");
    }
    if !prefix
        .join("lib")
        .join(format!("libsseam.so.{version}"))
        .exists()
    {
        bail!("no libsseam.so.{version}");
    }
    let config = fs::read_to_string(prefix.join("lib/cmake/sseam/sseamConfigVersion.cmake"))?;
    if !config.contains(&format!("set(PACKAGE_VERSION \"{version}\")")) {
        bail!("the CMake version file has another version than {version}");
    }
    Ok(())
}
