//! Budgets: the instructions that were counted last time in, what has become
//! worse out.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::figure::{Figure, HEADER};

/// Where they are committed.
const PATH: &str = "benches/budgets.csv";
/// How much more than its budget a figure may be: compilers differ a little.
const SLACK: f64 = 1.03;

/// Fails where a figure is over its budget, has none, or is not there any more.
pub(crate) fn check(root: &Path, counted: &[Figure]) -> Result<()> {
    let text = fs::read_to_string(root.join(PATH)).with_context(|| PATH.to_string())?;
    let budgets: Vec<Figure> = text
        .lines()
        .skip(1)
        .map(Figure::parse)
        .collect::<Result<_>>()?;
    let findings = findings(&budgets, counted);
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        count => bail!("{count} figures differ from {PATH}; `--set-budgets` writes it anew"),
    }
}

/// What is over its budget, and what has no partner. A figure that is far below
/// its budget is only told: until the budget is lowered, that much may slip back.
pub(crate) fn findings(budgets: &[Figure], counted: &[Figure]) -> Vec<String> {
    let of = |figures: &[Figure], it: &Figure| {
        let found = figures.iter().find(|other| is_same(other, it));
        found.map(|other| other.value)
    };
    let mut findings = Vec::new();
    for figure in counted {
        match of(budgets, figure) {
            None => findings.push(format!("no budget for {figure}")),
            Some(budget) if figure.value > budget * SLACK => {
                let more = (figure.value / budget - 1.0) * 100.0;
                findings.push(format!("{more:.1} % over its budget of {budget}: {figure}"));
            }
            Some(budget) if figure.value < budget / SLACK => {
                let less = (1.0 - figure.value / budget) * 100.0;
                println!(
                    "{less:.1} % below its budget of {budget}, which may be lowered: {figure}"
                );
            }
            Some(_) => {}
        }
    }
    let is_gone = |budget: &&Figure| of(counted, budget).is_none();
    let gone = budgets.iter().filter(is_gone);
    findings.extend(gone.map(|budget| format!("was not counted: {budget}")));
    findings
}

fn is_same(a: &Figure, b: &Figure) -> bool {
    (&a.part, &a.contender, &a.corpus, &a.read) == (&b.part, &b.contender, &b.corpus, &b.read)
}

/// Makes what was counted the budgets.
pub(crate) fn set(root: &Path, counted: &[Figure]) -> Result<()> {
    let lines = counted.iter().map(|figure| format!("{figure}\n"));
    let text = format!("{HEADER}\n{}", lines.collect::<String>());
    fs::write(root.join(PATH), text).with_context(|| PATH.to_string())
}
