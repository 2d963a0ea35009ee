//! The answers of AI APIs through C and C++: every example stream, whole and cut
//! short at every byte, says what it says in Rust; in little memory; misused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::cc::{self, Library, Program, SANITIZED};
use crate::step::{self, Done, Step};
use crate::tool;

const C: &str = "crates/sseam-capi/tests/c/answers.c";
const CPP: &str = "crates/sseam-capi/tests/c/answers.cpp";

/// A program run on the corpus: compiler, flags, source, library, and one cut in
/// how many it takes.
type Run = (
    &'static str,
    &'static [&'static str],
    &'static str,
    Library,
    &'static str,
);

const NO_EXCEPTIONS: &[&str] = &["-fno-exceptions", "-fno-rtti"];

const RUNS: &[Run] = &[
    ("gcc -std=c99", &[], C, Library::Static, "2"),
    ("clang -std=c11", &[], C, Library::Shared, "11"),
    ("gcc -std=c2x", SANITIZED, C, Library::Static, "31"),
    ("g++ -std=c++17", &[], CPP, Library::Static, "3"),
    ("clang++ -std=c++20", &[], CPP, Library::Shared, "13"),
    ("g++ -std=c++17", NO_EXCEPTIONS, CPP, Library::Shared, "17"),
    ("g++ -std=c++2b", SANITIZED, CPP, Library::Shared, "61"),
];

pub(crate) fn steps(root: &Path) -> Vec<Step> {
    let step = |name: &str, work: fn(&Path) -> Result<Done>| {
        let root = root.to_path_buf();
        let tools = [tool::CC, tool::CXX, tool::CLANG, tool::VALGRIND];
        Step::call(format!("answers {name}"), move || work(&root)).needs(&tools)
    };
    vec![
        step("through C and C++", corpus),
        step("in little memory", |root| sanitized(root, "small_memory")),
        step("misused", |root| sanitized(root, "answer_misuse")),
        step("as the command prints them", example),
    ]
}

fn corpus(root: &Path) -> Result<Done> {
    let path = cc::folder(root)?.join("answers");
    let name = path.display().to_string();
    let examples = step::built(root, &["--example", "answers"])?.join("examples");
    step::run(Command::new(examples.join("answers")).arg(&name))?;
    let mut runs = Vec::new();
    for (index, (compiler, flags, source, library, every)) in RUNS.iter().enumerate() {
        let program = Program {
            name: &format!("answers-{index}"),
            compiler,
            flags,
            source,
            library: *library,
            last: &[],
        }
        .build(root)?;
        let mut command = Command::new(program);
        command.args([&name, *every]);
        runs.push(command);
    }
    let mut checked = Command::new("valgrind");
    checked.args(["--quiet", "--leak-check=full", "--error-exitcode=9"]);
    checked.arg(cc::folder(root)?.join("answers-0"));
    checked.arg(&path).arg("4999");
    runs.push(checked);
    cc::run_all(runs)?;
    Ok(Done::Passed)
}

fn sanitized(root: &Path, name: &str) -> Result<Done> {
    for (library, compiler) in [
        (Library::Static, "gcc -std=c99"),
        (Library::Shared, "clang -std=c11"),
    ] {
        // Clang's sanitizers are a package of their own on some machines.
        let flags = match library {
            Library::Static => SANITIZED,
            Library::Shared => &[],
        };
        let program = Program {
            name,
            compiler,
            flags,
            source: &format!("crates/sseam-capi/tests/c/{name}.c"),
            library,
            last: &[],
        };
        cc::run(&program.build(root)?, &[])?;
    }
    Ok(Done::Passed)
}

/// The examples print the text that the command prints, with its exit code.
fn example(root: &Path) -> Result<Done> {
    let programs = [
        ("gcc -std=c99", "examples/c/answer.c"),
        ("g++ -std=c++17", "examples/cpp/answer.cpp"),
    ];
    let programs = programs.map(|(compiler, source)| {
        let program = Program {
            name: &format!("example-{}", source.rsplit('/').next().unwrap_or(source)),
            compiler,
            flags: &[],
            source,
            library: Library::Static,
            last: &[],
        };
        program.build(root)
    });
    let command = step::sseam(root)?;
    let streams = streams(root)?;
    for program in programs {
        let program = program?;
        for path in &streams {
            let expected = Command::new(&command)
                .args(["replay", "--text", "--dialect", "auto"])
                .arg(path)
                .output()?;
            let found = Command::new(&program)
                .stdin(fs::File::open(path)?)
                .output()?;
            ensure!(
                expected.stdout == found.stdout && expected.status.code() == found.status.code(),
                "{}: {expected:?}, and by {} {found:?}",
                path.display(),
                program.display()
            );
        }
    }
    let count = streams.len();
    ensure!(count >= 150, "only {count} streams were compared");
    println!("{count} answers as the command prints them");
    Ok(Done::Passed)
}

/// The recorded streams, a body that is none, and the answers from the field that
/// need no flags.
fn streams(root: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = vec![root.join("examples/streams/error-body.json")];
    for entry in fs::read_dir(root.join("examples/streams"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "sse") {
            paths.push(path);
        }
    }
    let folder = cc::folder(root)?.join("field");
    fs::create_dir_all(&folder)?;
    let json = fs::read(root.join("testdata/cases/field.json"))?;
    let cases: Vec<Value> = serde_json::from_slice(&json)?;
    for case in &cases {
        let word = |name: &str| case[name].as_str().context("a case lacks a word");
        if case["auto"] == true && case["args"].as_array().is_some_and(Vec::is_empty) {
            let path = folder.join(word("id")?);
            fs::write(&path, word("stream")?)?;
            paths.push(path);
        }
    }
    Ok(paths)
}
