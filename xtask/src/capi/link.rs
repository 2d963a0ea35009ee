//! Programs that others build: beside another Rust library, from an installed
//! prefix by three ways, and within their own CMake tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::cc;
use super::{default_prefix, prefix};
use crate::step::{self, Done, Step};
use crate::tool;

pub(super) const REPLAY: &str = "examples/c/replay.c";
pub(super) const DEMO: &str = "examples/streams/demo.sse";

const CMAKE: &[tool::Tool] = &[tool::CMAKE, tool::MAKE, tool::CXX];

pub(crate) fn steps(root: &Path) -> Vec<Step> {
    let step = |name: &str, work: fn(&Path) -> Result<Done>| {
        let root = root.to_path_buf();
        Step::call(format!("link {name}"), move || work(&root)).needs(&[tool::CC])
    };
    vec![
        step("beside other Rust libraries", neighbours),
        step("plain", plain),
        step("pkg-config", pkg_config).needs(&[tool::PKG_CONFIG]),
        step("find_package", find_package).needs(CMAKE),
        step("add_subdirectory", add_subdirectory).needs(CMAKE),
    ]
}

/// A static library with std and one without, both beside ours in one program.
fn neighbours(root: &Path) -> Result<Done> {
    let folder = cc::folder(root)?;
    let main = "crates/sseam-capi/tests/c/neighbours.c";
    for name in ["with_std", "without_std"] {
        let library = folder.join(format!("lib{name}.a"));
        let mut command = Command::new("rustc");
        command
            .current_dir(root)
            .args(["--edition", "2024", "--crate-type", "staticlib", "-O"]);
        command
            .args(["-C", "panic=abort", "-C", "lto=fat", "-o"])
            .arg(&library);
        step::run(command.arg(format!("crates/sseam-capi/tests/neighbours/{name}.rs")))?;
    }
    let prefix = default_prefix(root);
    for (define, libraries) in [
        ("WITH_STD", &["with_std"][..]),
        ("WITHOUT_STD", &["without_std"]),
    ] {
        for ours_first in [true, false] {
            let program = folder.join("neighbours");
            let mut command = Command::new("gcc");
            command
                .current_dir(root)
                .arg(format!("-D{define}"))
                .arg("-I")
                .arg(prefix.join("include"));
            command.arg(main).arg("-o").arg(&program);
            let mut archives: Vec<PathBuf> = libraries
                .iter()
                .map(|name| folder.join(format!("lib{name}.a")))
                .collect();
            let at = if ours_first { 0 } else { archives.len() };
            archives.insert(at, prefix.join("lib/libsseam.a"));
            command
                .args(archives)
                .args(["-lpthread", "-ldl", "-lm", "-lgcc_s"]);
            step::run(&mut command)?;
            cc::run(&program, &[])?;
        }
    }
    Ok(Done::Passed)
}

/// A copy of the prefix, elsewhere: what is installed must not know where it was.
fn moved_prefix(root: &Path) -> Result<PathBuf> {
    let to = cc::folder(root)?.join("moved prefix");
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    step::run(
        Command::new("cp")
            .arg("-a")
            .arg(default_prefix(root))
            .arg(&to),
    )?;
    Ok(to)
}

/// Runs the replayer on a stream; with its library where the loader finds it.
fn replays(root: &Path, program: &Path, lib: Option<&Path>) -> Result<()> {
    let mut command = Command::new(program);
    if let Some(lib) = lib {
        command.env("LD_LIBRARY_PATH", lib);
    }
    let printed = cc::output(command.stdin(fs::File::open(root.join(DEMO))?))?;
    ensure!(
        printed.starts_with("{\"event\":\"response.output_text.delta\""),
        "{printed}"
    );
    Ok(())
}

fn plain(root: &Path) -> Result<Done> {
    let (prefix, program) = (moved_prefix(root)?, cc::folder(root)?.join("plain"));
    let lib = prefix.join("lib");
    for flags in [&[][..], &["-static"], &["-nodefaultlibs", "-lc"]] {
        let mut command = Command::new("gcc");
        command
            .current_dir(root)
            .arg("-I")
            .arg(prefix.join("include"))
            .arg(REPLAY)
            .arg("-L");
        command
            .arg(&lib)
            .args(["-lsseam", "-o"])
            .arg(&program)
            .args(flags);
        step::run(&mut command)?;
        replays(root, &program, Some(&lib))?;
    }
    Ok(Done::Passed)
}

fn pkg_config(root: &Path) -> Result<Done> {
    let (prefix, program) = (moved_prefix(root)?, cc::folder(root)?.join("pkg-config"));
    let lib = prefix.join("lib");
    let ask = |arguments: &[&str]| {
        let mut command = Command::new("pkg-config");
        cc::output(
            command
                .env("PKG_CONFIG_PATH", lib.join("pkgconfig"))
                .args(arguments),
        )
    };
    ensure!(
        ask(&["--modversion", "sseam"])?.trim() == prefix::VERSION,
        "another version"
    );
    let flags = ask(&["--cflags", "--libs", "sseam"])?;
    // The prefix has a space in its name, which pkg-config escapes for a shell.
    let script = format!("gcc {REPLAY} -o '{}' {flags}", program.display());
    step::run(Command::new("sh").current_dir(root).args(["-c", &script]))?;
    replays(root, &program, Some(&lib))?;
    Ok(Done::Passed)
}

fn cmake(folder: &Path, source: &Path, arguments: &[String]) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let mut configure = Command::new("cmake");
    configure
        .arg("-S")
        .arg(source)
        .arg("-B")
        .arg(folder)
        .args(arguments);
    step::run(&mut configure)?;
    step::run(Command::new("cmake").arg("--build").arg(folder))
}

fn find_package(root: &Path) -> Result<Done> {
    let prefix = moved_prefix(root)?;
    let source = root.join("crates/sseam-capi/tests/cmake/find_package");
    for shared in ["ON", "OFF"] {
        let folder = cc::folder(root)?.join(format!("find-package-{shared}"));
        let arguments = [
            format!("-DCMAKE_PREFIX_PATH={}", prefix.display()),
            format!("-DBUILD_SHARED_LIBS={shared}"),
            format!("-DSSEAM_WANTED={}", prefix::VERSION),
            format!("-DREPLAY={}", root.join(REPLAY).display()),
        ];
        cmake(&folder, &source, &arguments)?;
        for program in ["follows", "static", "shared"] {
            replays(root, &folder.join(program), None)?;
        }
        let needed = cc::output(
            Command::new("readelf")
                .arg("-d")
                .arg(folder.join("follows")),
        )?;
        ensure!(
            needed.contains("libsseam.so") == (shared == "ON"),
            "BUILD_SHARED_LIBS={shared}"
        );
    }
    // A release that is asked for and not there is refused.
    let folder = cc::folder(root)?.join("find-package-too-new");
    let mut command = Command::new("cmake");
    command
        .arg("-S")
        .arg(&source)
        .arg("-B")
        .arg(&folder)
        .arg("-DSSEAM_WANTED=99.0");
    command.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    ensure!(
        !command.output()?.status.success(),
        "version 99.0 was found"
    );
    Ok(Done::Passed)
}

/// As a part of another tree, built by Cargo from there; then installed, and found
/// where it was installed. And without Cargo: one clear error.
fn add_subdirectory(root: &Path) -> Result<Done> {
    let source = root.join("crates/sseam-capi/tests/cmake/add_subdirectory");
    let folder = cc::folder(root)?.join("add-subdirectory");
    let tree = format!("-DSSEAM_TREE={}", root.display());
    cmake(&folder, &source, std::slice::from_ref(&tree))?;
    for program in ["c_program", "cpp_program"] {
        replays(root, &folder.join(program), None)?;
    }
    let to = cc::folder(root)?.join("installed");
    let mut install = Command::new("cmake");
    step::run(
        install
            .arg("--install")
            .arg(&folder)
            .arg("--prefix")
            .arg(&to),
    )?;
    ensure!(
        to.join("lib/libsseam.a").exists() && to.join("include/sseam.hpp").exists(),
        "installed"
    );
    let consumer = root.join("crates/sseam-capi/tests/cmake/find_package");
    let arguments = [
        format!("-DCMAKE_PREFIX_PATH={}", to.display()),
        format!("-DSSEAM_WANTED={}", prefix::VERSION),
        format!("-DREPLAY={}", root.join(REPLAY).display()),
    ];
    cmake(
        &cc::folder(root)?.join("find-installed"),
        &consumer,
        &arguments,
    )?;
    let mut command = Command::new("cmake");
    command
        .arg("-S")
        .arg(&source)
        .arg("-B")
        .arg(cc::folder(root)?.join("no-cargo"))
        .arg(&tree);
    let output = command.arg("-DSSEAM_CARGO=SSEAM_CARGO-NOTFOUND").output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(
        !output.status.success() && told.contains("rustup.rs"),
        "without cargo: {told}"
    );
    Ok(Done::Passed)
}
