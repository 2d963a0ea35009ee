//! Libraries and headers in, a prefix out that needs no Rust: it can be moved,
//! packed and installed as it is, since its files find each other.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::artifact::Built;

/// The release, as Cargo states it.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Lays out `include`, `lib`, `lib/pkgconfig` and `lib/cmake/sseam`.
pub(crate) fn lay_out(root: &Path, built: &Built, prefix: &Path) -> Result<()> {
    lay_out_as(root, built, prefix, VERSION)
}

/// The same for another release than this one.
pub(crate) fn lay_out_as(root: &Path, built: &Built, prefix: &Path, version: &str) -> Result<()> {
    let (include, lib) = (prefix.join("include"), prefix.join("lib"));
    let (pkgconfig, cmake) = (lib.join("pkgconfig"), lib.join("cmake/sseam"));
    for folder in [&include, &pkgconfig, &cmake] {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    for header in ["sseam.h", "sseam.hpp"] {
        copy(&root.join("include").join(header), &include.join(header))?;
    }
    let name = built
        .static_library
        .file_name()
        .context("a library has a name")?;
    copy(&built.static_library, &lib.join(name))?;
    if let Some(shared) = &built.shared_library {
        lay_out_shared(shared, &lib, version)?;
    }
    write(&pkgconfig.join("sseam.pc"), &filled(PKGCONFIG, version)?)?;
    write(&cmake.join("sseamConfig.cmake"), &filled(CONFIG, version)?)?;
    write(
        &cmake.join("sseamConfigVersion.cmake"),
        &filled(CONFIG_VERSION, version)?,
    )
}

/// `libsseam.so.VERSION`, and the two links by which it is found: at run time by
/// the number of its interface, at link time without any.
fn lay_out_shared(shared: &Path, lib: &Path, version: &str) -> Result<()> {
    if shared.extension().is_none_or(|extension| extension != "so") {
        let name = shared.file_name().context("a library has a name")?;
        return copy(shared, &lib.join(name));
    }
    let real = format!("libsseam.so.{version}");
    copy(shared, &lib.join(&real))?;
    for link in [
        format!("libsseam.so.{}", abi_version()?),
        "libsseam.so".to_string(),
    ] {
        let link = lib.join(link);
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link)?;
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(&real, &link)
            .with_context(|| format!("cannot link {}", link.display()))?;
        #[cfg(not(unix))]
        copy(shared, &link)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn filled(template: &str, version: &str) -> Result<String> {
    let text = template.replace("@VERSION@", version);
    Ok(text.replace("@ABI@", &abi_version()?))
}

/// `SSEAM_ABI_VERSION`, from the committed header.
pub(crate) fn abi_version() -> Result<String> {
    let header = include_str!("../../../include/sseam.h");
    let value = |line: &str| {
        line.strip_prefix("#define SSEAM_ABI_VERSION ")
            .map(str::to_string)
    };
    header
        .lines()
        .find_map(value)
        .context("sseam.h has no SSEAM_ABI_VERSION")
}

const PKGCONFIG: &str = "\
prefix=${pcfiledir}/../..
libdir=${prefix}/lib
includedir=${prefix}/include

Name: sseam
Description: Server-Sent Events (text/event-stream) for C and C++
Version: @VERSION@
Libs: -L${libdir} -lsseam
Cflags: -I${includedir}
";

const CONFIG: &str = r#"# sseam::static and sseam::shared are the libraries; sseam::sseam is the one
# that BUILD_SHARED_LIBS asks for.
get_filename_component(_sseam_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET sseam::static)
  add_library(sseam::static STATIC IMPORTED)
  set_target_properties(sseam::static PROPERTIES
    IMPORTED_LOCATION "${_sseam_prefix}/lib/libsseam.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_sseam_prefix}/include")
endif()

if(NOT TARGET sseam::shared AND EXISTS "${_sseam_prefix}/lib/libsseam.so")
  add_library(sseam::shared SHARED IMPORTED)
  set_target_properties(sseam::shared PROPERTIES
    IMPORTED_LOCATION "${_sseam_prefix}/lib/libsseam.so.@VERSION@"
    IMPORTED_SONAME "libsseam.so.@ABI@"
    INTERFACE_INCLUDE_DIRECTORIES "${_sseam_prefix}/include")
endif()

if(NOT TARGET sseam::sseam)
  add_library(sseam::sseam INTERFACE IMPORTED)
  if(BUILD_SHARED_LIBS AND TARGET sseam::shared)
    set_target_properties(sseam::sseam PROPERTIES INTERFACE_LINK_LIBRARIES sseam::shared)
  else()
    set_target_properties(sseam::sseam PROPERTIES INTERFACE_LINK_LIBRARIES sseam::static)
  endif()
endif()

unset(_sseam_prefix)
"#;

const CONFIG_VERSION: &str = r#"set(PACKAGE_VERSION "@VERSION@")

# Before 1.0 a minor release may change what C++ code sees; later, a major one.
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _sseam_have "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _sseam_want "${PACKAGE_FIND_VERSION}")
string(REGEX MATCH "^[0-9]+" _sseam_have_major "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+" _sseam_want_major "${PACKAGE_FIND_VERSION}")

set(PACKAGE_VERSION_COMPATIBLE FALSE)
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  if(_sseam_have_major EQUAL 0)
    if(_sseam_have STREQUAL _sseam_want OR PACKAGE_FIND_VERSION STREQUAL _sseam_want_major)
      set(PACKAGE_VERSION_COMPATIBLE TRUE)
    endif()
  elseif(_sseam_have_major EQUAL _sseam_want_major)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
  endif()
endif()
if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
"#;
