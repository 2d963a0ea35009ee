//! Facts that stand in two places and must agree.
//!
//! In: ARCHITECTURE.md, the core's `mod` lines and file headers, its enums, the
//! tests. Out: findings where a reader of one place would be misled.

use super::source::{Enum, Source};
use super::tree::Tree;
use super::{Finding, report};

const CORE: &str = "crates/sseam-core/src/";
const LIB: &str = "crates/sseam-core/src/lib.rs";
const MAP: &str = "ARCHITECTURE.md";
const CLIENT: &str = "crates/sseam/src/client.rs";
const CLIENT_HEADING: &str = "\n## The client, ";
const MAP_LINES_MAX: usize = 200;

/// The enums of the core each of whose variants is an edge that a test stands on.
const EDGES: &[&str] = &["Limit", "Error"];

/// A module of the core and the stage that it is.
#[derive(Debug, PartialEq, Eq)]
struct Stage {
    module: String,
    number: u32,
    line: usize,
}

/// A map that nobody reads to its end is none.
pub(crate) fn architecture_length(tree: &Tree, findings: &mut Vec<Finding>) {
    let Some(text) = tree.text(MAP) else {
        let message = "missing; write the code map in the order in which data passes".to_string();
        return report(findings, MAP, 0, message);
    };
    let lines = text.lines().count();
    if lines > MAP_LINES_MAX {
        let message = format!("{lines} lines; shorten it to {MAP_LINES_MAX}");
        report(findings, MAP, lines, message);
    }
}

/// The client's files stand in its part of the map, each of them.
pub(crate) fn client(tree: &Tree, findings: &mut Vec<Finding>) {
    let (Some(modules), Some(map)) = (tree.text(CLIENT), tree.text(MAP)) else {
        return;
    };
    let (_, part) = map.split_once(CLIENT_HEADING).unwrap_or_default();
    let (part, _) = part.split_once("\n## ").unwrap_or((part, ""));
    for (index, line) in modules.lines().enumerate() {
        let declared = line.strip_prefix("mod ");
        let Some((module, _)) = declared.and_then(|rest| rest.split_once(';')) else {
            continue;
        };
        if place_of_file(part, module).is_none() {
            let message = format!("{module}.rs is not in {MAP}; name it in the client's part");
            report(findings, CLIENT, index + 1, message);
        }
    }
}

/// The stages rise along `lib.rs`; ARCHITECTURE.md and each file repeat them.
pub(crate) fn stages(tree: &Tree, findings: &mut Vec<Finding>) {
    let Some(lib) = tree.text(LIB) else {
        return report(
            findings,
            LIB,
            0,
            "missing; the core begins here".to_string(),
        );
    };
    let stages = stages_of_lib(lib);
    if stages.is_empty() {
        let message = "no `mod name; // Stage N: …`; number the modules that bytes pass";
        report(findings, LIB, 1, message.to_string());
    }
    let mut last = 0;
    for stage in &stages {
        if stage.number < last || stage.number > last + 1 {
            let message = format!(
                "Stage {} follows Stage {last}; order the modules as bytes pass them, and leave \
                 no gap in the numbers",
                stage.number
            );
            report(findings, LIB, stage.line, message);
        }
        last = stage.number;
    }
    stages_of_files(tree, &stages, findings);
    if let Some(map) = tree.text(MAP) {
        compare(&stages, &stages_of_map(map, &stages), findings);
    }
}

fn stages_of_lib(lib: &str) -> Vec<Stage> {
    let stage = |(index, line): (usize, &str)| {
        let (declaration, comment) = line.split_once(';')?;
        let module = declaration.trim().rsplit_once("mod ")?.1.to_string();
        Some(Stage {
            module,
            number: number_in(comment)?,
            line: index + 1,
        })
    };
    lib.lines().enumerate().filter_map(stage).collect()
}

/// What the map says: each line that names a stage and files which are stages.
/// A second line that says the same of a file adds nothing.
fn stages_of_map(map: &str, known: &[Stage]) -> Vec<Stage> {
    let mut found: Vec<Stage> = Vec::new();
    for (index, line) in map.lines().enumerate() {
        let Some(number) = number_in(line) else {
            continue;
        };
        let named =
            |stage: &Stage| Some((place_of_file(line, &stage.module)?, stage.module.clone()));
        let mut named: Vec<(usize, String)> = known.iter().filter_map(named).collect();
        named.sort();
        for (_, module) in named {
            if !found
                .iter()
                .any(|stage| stage.module == module && stage.number == number)
            {
                found.push(Stage {
                    module,
                    number,
                    line: index + 1,
                });
            }
        }
    }
    found
}

/// Where the line names the module's file or folder, not one that ends alike.
fn place_of_file(line: &str, module: &str) -> Option<usize> {
    let is_word = |before: &str| before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let place = |end: &str| {
        let name = format!("{module}{end}");
        line.match_indices(&name)
            .map(|(at, _)| at)
            .find(|at| !is_word(&line[..*at]))
    };
    place(".rs").or_else(|| place("/"))
}

/// The number in the first `Stage N` of a line.
fn number_in(line: &str) -> Option<u32> {
    let rest = line.split_once("Stage ")?.1;
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// Reports the first place where the map departs from `lib.rs`.
fn compare(lib: &[Stage], map: &[Stage], findings: &mut Vec<Finding>) {
    let is_equal = |(a, b): &(&Stage, &Stage)| a.module == b.module && a.number == b.number;
    let agreeing = lib.iter().zip(map).take_while(is_equal).count();
    let said = |stage: &Stage| format!("Stage {} is {}.rs", stage.number, stage.module);
    let (line, message) = match (lib.get(agreeing), map.get(agreeing)) {
        (None, None) => return,
        (Some(next), None) => (
            0,
            format!(
                "does not say that {}; add it, stage and file on one line",
                said(next)
            ),
        ),
        (Some(next), Some(found)) => {
            let (found_said, next_said) = (said(found), said(next));
            let message = format!(
                "says {found_said} where {LIB} goes on with: {next_said}; bring both into one order"
            );
            (found.line, message)
        }
        (None, Some(found)) => (
            found.line,
            format!("says {}, and {LIB} does not; remove it", said(found)),
        ),
    };
    report(findings, MAP, line, message);
}

/// A staged file that names its stage on its first line names the right one.
fn stages_of_files(tree: &Tree, stages: &[Stage], findings: &mut Vec<Finding>) {
    for stage in stages {
        let path = format!("{CORE}{}.rs", stage.module);
        let said = tree
            .text(&path)
            .and_then(|text| number_in(text.lines().next()?));
        if let Some(said) = said.filter(|said| *said != stage.number) {
            let message = format!("says Stage {said}; {LIB} says Stage {}", stage.number);
            report(findings, &path, 1, message);
        }
    }
}

/// Each limit and each error has a test that names it.
pub(crate) fn edges_are_tested(tree: &Tree, findings: &mut Vec<Finding>) {
    let core = || tree.sources.iter().filter(|source| source.is_below(CORE));
    for name in EDGES {
        let mut is_there = false;
        for source in core() {
            for item in source.enums.iter().filter(|item| item.name == *name) {
                is_there = true;
                untested(tree, source, item, findings);
            }
        }
        if !is_there {
            let message = format!("no `enum {name}` in the core; name what can go wrong");
            report(findings, LIB, 0, message);
        }
    }
}

fn untested(tree: &Tree, source: &Source, item: &Enum, findings: &mut Vec<Finding>) {
    for (variant, line) in &item.variants {
        let pattern = [item.name.as_str(), ":", ":", variant];
        let names_it = |source: &&Source| source.lines_of(&pattern).next().is_some();
        if !tree
            .sources
            .iter()
            .filter(|source| source.is_test())
            .any(|source| names_it(&source))
        {
            let message = format!(
                "no test names `{0}::{variant}`; add one at its edge (max, and max + 1)",
                item.name
            );
            report(findings, &source.path, *line, message);
        }
    }
}
