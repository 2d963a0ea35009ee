//! What the libraries do when C calls them: the corpus at every cut in every way,
//! misuse, random calls, memory and figures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::cc::{self, Library, Program, SANITIZED};
use super::{artifact, default_prefix};
use crate::step::{self, Done, Step, cargo};
use crate::tool;

/// How long random calls are made: as long as two fuzz targets run.
const RANDOM_SECONDS: &str = "20";

/// A program run on the corpus: name, compiler, flags, source, library, how.
type Run = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
    Library,
    How,
);

enum How {
    /// Every job.
    All,
    /// One job in so many, of at most so many bytes: what is slower by far.
    Sample(&'static str, &'static str),
}

const C: &str = "crates/sseam-capi/tests/c/conformance.c";
const CPP: &str = "crates/sseam-capi/tests/c/conformance.cpp";

const RUNS: &[Run] = &[
    (
        "corpus-c99-static",
        "gcc -std=c99",
        &[],
        C,
        Library::Static,
        How::All,
    ),
    (
        "corpus-c11-shared",
        "clang -std=c11",
        &[],
        C,
        Library::Shared,
        How::All,
    ),
    (
        "corpus-c2x-static",
        "clang -std=c2x",
        &[],
        C,
        Library::Static,
        How::Sample("4", "5000"),
    ),
    (
        "corpus-c2x-shared",
        "gcc -std=c2x",
        &[],
        C,
        Library::Shared,
        How::Sample("4", "5000"),
    ),
    (
        "corpus-c99-sanitized",
        "gcc -std=c99",
        SANITIZED,
        C,
        Library::Static,
        How::Sample("2", "200000"),
    ),
    (
        "corpus-cpp17-static",
        "g++ -std=c++17",
        &[],
        CPP,
        Library::Static,
        How::All,
    ),
    (
        "corpus-cpp20-shared",
        "clang++ -std=c++20",
        &[],
        CPP,
        Library::Shared,
        How::All,
    ),
    (
        "corpus-cpp17-no-exceptions",
        "g++ -std=c++17",
        &["-fno-exceptions", "-fno-rtti"],
        CPP,
        Library::Shared,
        How::Sample("4", "5000"),
    ),
    (
        "corpus-cpp23-sanitized",
        "g++ -std=c++2b",
        SANITIZED,
        CPP,
        Library::Shared,
        How::Sample("8", "5000"),
    ),
];

const TOOLS: &[tool::Tool] = &[tool::CC, tool::CXX, tool::CLANG];

pub(crate) fn steps(root: &Path) -> Vec<Step> {
    let step = |name: &str, work: fn(&Path) -> Result<Done>| {
        let root = root.to_path_buf();
        Step::call(name, move || work(&root)).needs(TOOLS)
    };
    vec![
        step("corpus through C and C++", corpus),
        step("valgrind", valgrind).needs(&[tool::VALGRIND]),
        step("misuse", misuse),
        step("waiting", waiting),
        step("random calls", random),
        step("old-client", |root| {
            small(root, "old_client", Library::Shared, &[])
        }),
        step("idle streams", |root| {
            small(root, "idle", Library::Static, &[])
        }),
        step("throughput", throughput).needs(&[tool::VALGRIND]),
        step("sizes", sizes),
    ]
}

/// Writes the corpus and returns its path.
fn write_corpus(root: &Path) -> Result<PathBuf> {
    let path = cc::folder(root)?.join("corpus");
    let examples = step::built(root, &["--example", "corpus"])?.join("examples");
    step::run(Command::new(examples.join("corpus")).arg(&path))?;
    Ok(path)
}

fn corpus(root: &Path) -> Result<Done> {
    let corpus = write_corpus(root)?;
    let corpus = corpus.to_str().context("the path is not UTF-8")?;
    let mut runs = Vec::new();
    for &(name, compiler, flags, source, library, ref how) in RUNS {
        let program = Program {
            name,
            compiler,
            flags,
            source,
            library,
            last: &[],
        }
        .build(root)?;
        if flags == SANITIZED {
            is_sanitized(&program)?;
        }
        let mut command = Command::new(program);
        command.arg(corpus);
        if let How::Sample(every, longest) = *how {
            command.args([every, longest]);
        }
        runs.push(command);
    }
    cc::run_all(runs)?;
    Ok(Done::Passed)
}

/// A sanitizer that is not there finds nothing.
fn is_sanitized(program: &Path) -> Result<()> {
    let symbols = cc::output(Command::new("nm").arg(program))?;
    if !symbols.contains("__asan_init") || !symbols.contains("__ubsan_handle") {
        bail!("{} is not sanitized", program.display());
    }
    Ok(())
}

fn valgrind(root: &Path) -> Result<Done> {
    let corpus = cc::folder(root)?.join("corpus");
    for (program, arguments) in [
        (
            "corpus-c99-static",
            vec![corpus.display().to_string(), "100".into(), "1000".into()],
        ),
        (
            "corpus-cpp17-static",
            vec![corpus.display().to_string(), "100".into(), "1000".into()],
        ),
        ("wrapper-0", Vec::new()),
        ("wrapper-1", Vec::new()),
    ] {
        let mut command = Command::new("valgrind");
        command.args(["--quiet", "--leak-check=full", "--error-exitcode=9"]);
        command.arg(cc::folder(root)?.join(program)).args(arguments);
        step::run(&mut command)?;
    }
    Ok(Done::Passed)
}

fn misuse(root: &Path) -> Result<Done> {
    for (name, compiler, library) in [
        ("misuse-static", "gcc -std=c99", Library::Static),
        ("misuse-shared", "gcc -std=c11", Library::Shared),
    ] {
        let source = "crates/sseam-capi/tests/c/misuse.c";
        let program = Program {
            name,
            compiler,
            flags: SANITIZED,
            source,
            library,
            last: &[],
        };
        cc::run(&program.build(root)?, &[])?;
    }
    Ok(Done::Passed)
}

fn waiting(root: &Path) -> Result<Done> {
    for (name, compiler, flags, library) in [
        ("waiting.c", "gcc -std=c99", SANITIZED, Library::Static),
        ("waiting.c", "clang -std=c11", &[], Library::Shared),
        ("waiting.cpp", "g++ -std=c++17", SANITIZED, Library::Shared),
        ("waiting.cpp", "clang++ -std=c++2b", &[], Library::Static),
    ] {
        let program = Program {
            name: &format!("{name}-{}", &compiler[..3]),
            compiler,
            flags,
            source: &format!("crates/sseam-capi/tests/c/{name}"),
            library,
            last: &[],
        };
        cc::run(&program.build(root)?, &[])?;
    }
    Ok(Done::Passed)
}

fn random(root: &Path) -> Result<Done> {
    let program = Program {
        name: "random",
        compiler: "gcc -std=c99",
        flags: SANITIZED,
        source: "crates/sseam-capi/tests/c/random.c",
        library: Library::Static,
        last: &[],
    }
    .build(root)?;
    is_sanitized(&program)?;
    cc::run(&program, &[RANDOM_SECONDS])?;
    Ok(Done::Passed)
}

fn small(root: &Path, name: &str, library: Library, arguments: &[&str]) -> Result<Done> {
    let source = format!("crates/sseam-capi/tests/c/{name}.c");
    let compiler = "gcc -std=c99";
    let program = Program {
        name,
        compiler,
        flags: &[],
        source: &source,
        library,
        last: &[],
    };
    cc::run(&program.build(root)?, arguments)?;
    Ok(Done::Passed)
}

/// Instructions of the C pull loop, and of two loops of Rust, for each event.
fn throughput(root: &Path) -> Result<Done> {
    let program = Program {
        name: "throughput",
        compiler: "gcc -std=c99",
        flags: &["-O2"],
        source: "crates/sseam-capi/tests/c/throughput.c",
        library: Library::Static,
        last: &[],
    }
    .build(root)?;
    let mut build = cargo(
        root,
        &["build", "--quiet", "--release", "--package", "sseam-capi"],
    );
    build.args([
        "--features",
        "wide-scan",
        "--example",
        "throughput",
        "--target-dir",
    ]);
    step::run(build.arg(root.join("target/capi-rust")))?;
    let rust = root.join("target/capi-rust/release/examples/throughput");
    println!("instructions per event, reads of 1460 bytes, consumer included:");
    for corpus in ["responses", "tiny"] {
        let c = per_event(root, &program, &[corpus])?;
        let engine = per_event(root, &rust, &[corpus, "engine"])?;
        let parser = per_event(root, &rust, &[corpus, "parser"])?;
        println!(
            "    {corpus:<10} C pull {c:6.1}   Engine::step {engine:6.1} ({:+.1} %)   \
             Parser::next_event {parser:6.1} ({:+.1} %)",
            100.0 * (c / engine - 1.0),
            100.0 * (c / parser - 1.0)
        );
        if c > 1.10 * engine {
            bail!("the C loop takes more than 1.1 times what the Rust engine takes on {corpus}");
        }
    }
    Ok(Done::Passed)
}

fn per_event(root: &Path, program: &Path, arguments: &[&str]) -> Result<f64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--toggle-collect=*drive*"]);
    command.arg(format!(
        "--callgrind-out-file={}",
        cc::folder(root)?.join("callgrind").display()
    ));
    let output = command
        .arg(program)
        .args(arguments)
        .output()
        .context("cannot start valgrind")?;
    let (printed, told) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let number = |text: &str, word: &str| {
        let after = text.split_once(word)?.1;
        let before = |text: &str| text.split_whitespace().next().map(str::to_string);
        before(after)?.parse::<f64>().ok()
    };
    let events = printed
        .split_whitespace()
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    match (number(&told, "Collected :"), events) {
        (Some(instructions), Some(events)) if instructions > 0.0 => Ok(instructions / events),
        _ => bail!("callgrind counted nothing:\n{printed}{told}"),
    }
}

/// What is shipped, and what a parser is.
fn sizes(root: &Path) -> Result<Done> {
    let lib = default_prefix(root).join("lib");
    let without = artifact::build(
        root,
        None,
        artifact::Core::Installed,
        artifact::Answers::Out,
    )?;
    let shared = [
        ("libsseam.so, stripped", Some(lib.join("libsseam.so"))),
        ("the same without answers", without.shared_library),
    ];
    for (name, library) in shared {
        let stripped = cc::folder(root)?.join("stripped.so");
        fs::copy(library.context("no shared library")?, &stripped)?;
        step::run(Command::new("strip").arg(&stripped))?;
        println!("{name:<28} {:>7} bytes", fs::metadata(&stripped)?.len());
    }
    let archives = [lib.join("libsseam.a"), without.static_library];
    for (name, library) in ["libsseam.a, of one object", "the same without answers"]
        .iter()
        .zip(&archives)
    {
        println!("{name:<28} {:>7} bytes", fs::metadata(library)?.len());
        println!("{}", cc::output(Command::new("size").arg(library))?);
    }
    small(root, "sizes", Library::Shared, &[])
}
