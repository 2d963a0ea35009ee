//! No panic is reachable: an image of every public function is linked against a
//! panic handler that calls what nobody defines.

use std::path::Path;
use std::process::Command;

/// Whether the image links at this level, and what the linker said.
fn links(level: &str, features: &[&str]) -> (bool, String) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/panic_free");
    let output = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .args(features)
        .env(
            "CARGO_TARGET_DIR",
            concat!(env!("CARGO_TARGET_TMPDIR"), "/panic_free"),
        )
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level)
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo starts");
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn no_panic_is_reachable() {
    for level in ["s", "3"] {
        let (does_link, said) = links(level, &[]);
        assert!(does_link, "at {level}:\n{said}");
    }
    let (does_link, said) = links("3", &["--features", "panics"]);
    assert!(
        !does_link && said.contains("a_panic_is_reachable"),
        "{said}"
    );
}
