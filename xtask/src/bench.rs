//! `cargo xtask bench`: how fast sseam is, beside the other parsers and the
//! floors of the same run.
//!
//! In: parts, or none for all of them. Out: one report with tables, a record of
//! all figures and a plot of them. What measures is in `benches/`; here its
//! programs are built, run and compared.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use anyhow::Result;

use crate::step::{self, Done, Step, Tally};
use crate::tool;

mod figure; // A line of what was measured.
mod programs; // The programs that measure, and callgrind.
mod parallel; // Counts on every core.
mod c_loop; // What the C library takes.
mod firmware; // What the commands for microcontrollers measure.
mod grid; // A table.
mod report; // Figures as tables, with ratios.
mod record; // What a whole run leaves behind.
mod budget; // Figures beside those that were committed.

use figure::Figure;
use programs::Programs;

#[derive(clap::Args)]
pub(crate) struct BenchArguments {
    /// The parts to measure (all of them when none is named)
    #[arg(value_name = "PART")]
    parts: Vec<Part>,
    /// Less of everything, for a first look: under two minutes once it is built
    #[arg(long)]
    quick: bool,
    /// Also the C loop, and flash and instructions of every microcontroller
    #[arg(long)]
    all: bool,
    /// Counts sseam's own instructions only and compares them with the budgets
    #[arg(long, conflicts_with_all = ["parts", "quick"])]
    check: bool,
    /// Counts like --check and makes the counts the budgets
    #[arg(long, conflicts_with_all = ["parts", "quick", "check"])]
    set_budgets: bool,
    /// Installs the tools that are missing (as root, where apt-get is used)
    #[arg(long)]
    install: bool,
}

/// What can be measured.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Instructions of every contender on every corpus, counted by callgrind
    Instructions,
    /// Instructions and time per byte of one long line: linear, however it is cut
    Linear,
    /// Wall-clock, interleaved
    Time,
    /// Heap calls per event
    Heap,
    /// Bytes between an event's last byte and its delivery
    Delay,
    /// Many parsers in turns: memory, instructions and time
    Streams,
    /// Instructions of a C program's loop; with --all, or when named
    C,
    /// Flash and instructions of every microcontroller; with --all, or when named
    Mcu,
    /// Wall-clock by criterion, which keeps its own records; only when named
    Criterion,
}

/// What a plain run measures.
const PLAIN: &[Part] = &[
    Part::Instructions,
    Part::Linear,
    Part::Time,
    Part::Heap,
    Part::Delay,
    Part::Streams,
];

/// What was measured so far; steps add to it.
type Figures = Rc<RefCell<Vec<Figure>>>;

/// Measures what is asked for and reports it.
pub(crate) fn bench(root: &Path, arguments: &BenchArguments) -> Result<Tally> {
    let figures = Figures::default();
    let steps = if arguments.check || arguments.set_budgets {
        budget_steps(root, arguments.set_budgets, &figures)
    } else {
        part_steps(root, arguments, &figures)
    };
    tool::require(&steps, arguments.install)?;
    let tally = step::run_all(steps);
    println!("{}", report::tables(&figures.borrow()));
    Ok(tally)
}

/// What `bench --check` does, for the tests of the host: none where counts are
/// others than those of the budgets.
pub(crate) fn check_steps(root: &Path) -> Vec<Step> {
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        budget_steps(root, false, &Figures::default())
    } else {
        Vec::new()
    }
}

/// The build, a step for each part, and the record.
fn part_steps(root: &Path, arguments: &BenchArguments, figures: &Figures) -> Vec<Step> {
    let is_whole = arguments.parts.is_empty();
    let mut parts = match is_whole {
        true => PLAIN.to_vec(),
        false => arguments.parts.clone(),
    };
    if arguments.all && c_loop::exists(root) {
        parts.push(Part::C);
    }
    if arguments.all && firmware::exists(root) {
        parts.push(Part::Mcu);
    }
    let mut steps = vec![build_step(root, Programs::Rivals)];
    steps.extend(
        parts
            .iter()
            .map(|&part| part_step(root, part, arguments.quick, figures)),
    );
    if is_whole && !arguments.quick {
        let (root, figures) = (root.to_path_buf(), Rc::clone(figures));
        steps.push(Step::call("record", move || {
            record::write(&root, &figures.borrow())
        }));
    }
    steps
}

fn build_step(root: &Path, programs: Programs) -> Step {
    let root = root.to_path_buf();
    Step::call("build benches", move || {
        programs.build(&root).map(|()| Done::Passed)
    })
}

fn part_step(root: &Path, part: Part, quick: bool, figures: &Figures) -> Step {
    let (root, figures) = (root.to_path_buf(), Rc::clone(figures));
    let add = move |measure: fn(&Path, bool) -> Result<Vec<Figure>>| {
        move || {
            let measured = measure(&root, quick)?;
            figures.borrow_mut().extend(measured);
            Ok(Done::Passed)
        }
    };
    match part {
        Part::Instructions => {
            Step::call("instructions", add(instructions)).needs(&[tool::VALGRIND])
        }
        Part::Linear => Step::call("linear", add(linear)).needs(&[tool::VALGRIND]),
        Part::Time => Step::call("time", add(time)),
        Part::Heap => Step::call("heap", add(heap)),
        Part::Delay => Step::call("delay", add(delay)),
        Part::Streams => Step::call("streams", add(streams)).needs(&[tool::VALGRIND]),
        Part::C => Step::call("c", add(c)).needs(&[tool::VALGRIND]),
        Part::Mcu => Step::call("mcu", add(mcu)),
        Part::Criterion => Step::call("criterion", add(criterion)),
    }
}

/// Reads of a network, of a file, and the two that cut nearly everything.
const READS: &str = "1460,16384,16,1";
/// Reads of a quick run.
const READS_QUICK: &str = "1460";

fn instructions(root: &Path, quick: bool) -> Result<Vec<Figure>> {
    let contenders = Programs::Rivals.contenders(root)?;
    let counted = parallel::map(&contenders, |contender| {
        let is_brief = quick && contender != "sseam-core";
        let reads = if is_brief { READS_QUICK } else { READS };
        println!("{contender}");
        Programs::Rivals.count(root, contender, "all", reads)
    })?;
    Ok(counted.concat())
}

/// Reads that cut a long line.
const CUTS: &str = "16,256,4096,65536";

/// sseam's instructions, which are exact, and everybody's time, which has a limit
/// for those who are quadratic.
fn linear(root: &Path, quick: bool) -> Result<Vec<Figure>> {
    let mut figures = long_lines(root, Programs::Rivals)?;
    if !quick {
        figures.extend(Programs::Rivals.run(root, &["linear"])?);
    }
    Ok(figures)
}

fn long_lines(root: &Path, programs: Programs) -> Result<Vec<Figure>> {
    let counted = parallel::map(&["sseam-core", "sseam growing"], |name| {
        programs.count(root, name, "line64k,line8m", CUTS)
    })?;
    let as_long = |figure| Figure {
        part: "long".to_string(),
        ..figure
    };
    let mut figures: Vec<Figure> = counted.concat().into_iter().map(as_long).collect();
    figures.retain(|figure| figure.unit() == "instructions/byte");
    Ok(figures)
}

fn time(root: &Path, quick: bool) -> Result<Vec<Figure>> {
    let (reads, milliseconds) = if quick {
        ("1460", "500")
    } else {
        (TIMED_READS, "2000")
    };
    Programs::Rivals.run(root, &["time", "all", reads, milliseconds])
}

/// Reads whose time is taken.
const TIMED_READS: &str = "1460,16384,whole,256,16,1";

fn heap(root: &Path, _: bool) -> Result<Vec<Figure>> {
    Programs::Rivals.run_heap(root, &["calls"])
}

fn delay(root: &Path, _: bool) -> Result<Vec<Figure>> {
    Programs::Rivals.run(root, &["delay"])
}

/// Memory and time of as many streams as a server might have; instructions of
/// fewer, since their number changes none.
fn streams(root: &Path, quick: bool) -> Result<Vec<Figure>> {
    let count = if quick { "10000" } else { "100000" };
    let mut figures = Programs::Rivals.run_heap(root, &["idle", count])?;
    figures.extend(Programs::Rivals.run(root, &["streams", count])?);
    let is_bytes = |figure: &&Figure| figure.unit() == "bytes/stream";
    let names = figures
        .iter()
        .filter(is_bytes)
        .map(|figure| figure.contender.clone());
    let counted = parallel::map(&names.collect::<Vec<_>>(), |name| {
        Programs::Rivals.count_streams(root, name)
    })?;
    figures.extend(counted.concat());
    Ok(figures)
}

fn c(root: &Path, _: bool) -> Result<Vec<Figure>> {
    c_loop::measure(root, READS)
}

fn mcu(root: &Path, _: bool) -> Result<Vec<Figure>> {
    firmware::measure(root)
}

fn criterion(root: &Path, _: bool) -> Result<Vec<Figure>> {
    step::run(&mut Programs::Rivals.cargo(root, &["bench"]))?;
    Ok(Vec::new())
}

/// What has budgets, at which reads: the engine at all of them, what is built on
/// it at one. Owned events are left out, as the heap's instructions are not ours.
const BUDGETED: &[(&str, &str)] = &[
    ("sseam-core", READS),
    ("sseam-core to_str", READS_QUICK),
    ("sseam-core tokenizer", READS_QUICK),
    ("sseam-core encoder", READS_QUICK),
    ("sseam growing", READS_QUICK),
    ("sseam reader", READS_QUICK),
];

/// Workspaces that no other command looks at.
const WORKSPACES: &[&str] = &["benches", "benches/rivals", "benches/plot"];

fn budget_steps(root: &Path, set: bool, figures: &Figures) -> Vec<Step> {
    let formatting = WORKSPACES.iter().map(|workspace| {
        let manifest = format!("{workspace}/Cargo.toml");
        let command = step::cargo(root, &["fmt", "--manifest-path", &manifest, "--check"]);
        Step::command(format!("fmt {workspace}"), command).needs(&[tool::RUSTFMT])
    });
    let build = build_step(root, Programs::Own);
    let (root, figures) = (root.to_path_buf(), Rc::clone(figures));
    let count = move || {
        let counted = budgeted(&root)?;
        figures.borrow_mut().extend_from_slice(&counted);
        let is_budget = |figure: &Figure| figure.unit() != "instructions/byte" || is_long(figure);
        let counted: Vec<Figure> = counted.into_iter().filter(is_budget).collect();
        match set {
            true => budget::set(&root, &counted)?,
            false => budget::check(&root, &counted)?,
        }
        Ok(Done::Passed)
    };
    let mut steps: Vec<Step> = formatting.collect();
    steps.extend([build, Step::call("budgets", count).needs(&[tool::VALGRIND])]);
    steps
}

/// Whether a figure has bytes as its only unit.
fn is_long(figure: &Figure) -> bool {
    figure.part != "instructions"
}

fn budgeted(root: &Path) -> Result<Vec<Figure>> {
    let counted = parallel::map(BUDGETED, |(name, reads)| {
        Programs::Own.count(root, name, "all", reads)
    })?;
    let mut figures = counted.concat();
    figures.extend(long_lines(root, Programs::Own)?);
    figures.extend(Programs::Own.count_streams(root, "sseam growing")?);
    Ok(figures)
}

#[cfg(test)]
mod tests;
