//! The tables: figures in, Markdown out, with sseam beside the best rival and
//! the floor of the same run.

use super::figure::Figure;
use super::grid::Grid;

/// Whom the ratios are about.
const OWN: &str = "sseam-core";
/// The floor that they are about.
const FLOOR: &str = "floor: line ends";

/// A table of a kind: which figures, what they show, which way is better.
struct Kind {
    part: &'static str,
    /// The unit of the value in a cell.
    unit: &'static str,
    /// The unit of the value in parentheses beside it; none if empty.
    beside: &'static str,
    title: &'static str,
    /// Whether there is a table for each read, or a column.
    by_read: bool,
    /// Whether rows of ratios end the table, and the better value is the lower.
    ratios: Option<Better>,
}

#[derive(Clone, Copy, PartialEq)]
enum Better {
    Lower,
    Higher,
}

const KINDS: &[Kind] = &[
    Kind {
        part: "instructions",
        unit: "instructions/event",
        beside: "instructions/byte",
        title: "Instructions per event (per byte)",
        by_read: true,
        ratios: Some(Better::Lower),
    },
    Kind {
        part: "time",
        unit: "MB/s",
        beside: "times sseam-core",
        title: "MB/s (time as a multiple of sseam-core's, median of interleaved rounds)",
        by_read: true,
        ratios: Some(Better::Higher),
    },
    Kind {
        part: "long",
        unit: "instructions/byte",
        beside: "",
        title: "Instructions per byte of one long line, by length of a read",
        by_read: false,
        ratios: None,
    },
    Kind {
        part: "linear",
        unit: "ns/byte",
        beside: "",
        title: "Nanoseconds per byte of one long line, by length of a read",
        by_read: false,
        ratios: None,
    },
    Kind {
        part: "heap",
        unit: "calls/event",
        beside: "",
        title: "Heap calls per event after warm-up",
        by_read: true,
        ratios: None,
    },
    Kind {
        part: "delay",
        unit: "bytes",
        beside: "",
        title: "Bytes by which an event comes later than its last byte, at most",
        by_read: false,
        ratios: None,
    },
    Kind {
        part: "mcu",
        unit: "instructions/byte",
        beside: "",
        title: "Instructions per byte on microcontrollers, by length of a read",
        by_read: false,
        ratios: None,
    },
    Kind {
        part: "flash",
        unit: ".text",
        beside: "",
        title: "Bytes of code on microcontrollers",
        by_read: false,
        ratios: None,
    },
];

/// All tables for which there are figures.
pub(crate) fn tables(figures: &[Figure]) -> String {
    let mut text = String::new();
    for kind in KINDS {
        let its: Vec<&Figure> = figures.iter().filter(|it| it.part == kind.part).collect();
        let reads = if kind.by_read {
            reads(&its)
        } else {
            vec![None]
        };
        for read in reads {
            let of_read = |it: &&&Figure| read.is_none_or(|read| it.read == read);
            let its: Vec<&Figure> = its.iter().filter(of_read).copied().collect();
            let grid = grid(kind, &its);
            if !grid.is_empty() {
                let at = read
                    .map(|read| format!(", reads of {read}"))
                    .unwrap_or_default();
                text.push_str(&format!("\n### {}{at}\n\n{grid}\n", kind.title));
            }
        }
    }
    text + &streams(figures)
}

/// The lengths of reads, in their order.
fn reads<'f>(figures: &[&'f Figure]) -> Vec<Option<&'f str>> {
    let mut reads = Vec::new();
    for figure in figures {
        let read = Some(figure.read.as_str());
        if !reads.contains(&read) {
            reads.push(read);
        }
    }
    reads
}

fn grid(kind: &Kind, figures: &[&Figure]) -> Grid {
    let mut grid = Grid::default();
    for figure in figures {
        let column = column(kind, figure);
        if figure.unit() == kind.unit {
            let mark = if figure.is_right() { "" } else { "*" };
            let beside = figures.iter().find(|it| {
                let is_same = it.contender == figure.contender && it.corpus == figure.corpus;
                is_same && it.read == figure.read && it.unit() == kind.beside
            });
            let beside = beside
                .map(|it| format!(" ({:.2})", it.value))
                .unwrap_or_default();
            let cell = format!("{}{beside}{mark}", rounded(figure.value));
            grid.set(&figure.contender, &column, cell);
        } else if figure.unit() == "done" {
            let cell = format!("{:.1} % done", figure.value * 100.0);
            grid.set(&figure.contender, &column, cell);
        }
    }
    if let Some(better) = kind.ratios {
        ratios(kind, better, figures, &mut grid);
    }
    grid
}

fn column(kind: &Kind, figure: &Figure) -> String {
    match kind.by_read || kind.part == "delay" {
        true => figure.corpus.clone(),
        false => format!("{} {}", figure.corpus, figure.read),
    }
}

/// Three digits, or all of those before the point.
fn rounded(value: f64) -> String {
    match value {
        0.0 => "0".to_string(),
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The best rival that sees the events, and how far sseam is from it and from
/// the floor.
fn ratios(kind: &Kind, better: Better, figures: &[&Figure], grid: &mut Grid) {
    let its = || figures.iter().filter(|it| it.unit() == kind.unit);
    for own in its().filter(|it| it.contender == OWN) {
        let column = column(kind, own);
        let same = |it: &&&Figure| it.corpus == own.corpus && it.read == own.read;
        let rivals = its()
            .filter(same)
            .filter(|it| it.kind == "rival" && it.is_right());
        let best = rivals.min_by(|a, b| match better {
            Better::Lower => a.value.total_cmp(&b.value),
            Better::Higher => b.value.total_cmp(&a.value),
        });
        let times = |other: &Figure| match better {
            Better::Lower => other.value / own.value,
            Better::Higher => own.value / other.value,
        };
        if let Some(best) = best {
            grid.set("best rival", &column, short(&best.contender).to_string());
            grid.set(
                "times better than it",
                &column,
                format!("{:.2}", times(best)),
            );
        }
        if let Some(floor) = its().filter(same).find(|it| it.contender == FLOOR) {
            grid.set(
                "times the floor",
                &column,
                format!("{:.2}", 1.0 / times(floor)),
            );
        }
    }
}

/// The name without the version.
fn short(contender: &str) -> &str {
    contender.split(' ').next().unwrap_or(contender)
}

/// Many streams: one row for each contender, one column for each unit.
fn streams(figures: &[Figure]) -> String {
    let mut grid = Grid::default();
    for figure in figures.iter().filter(|it| it.part == "streams") {
        grid.set(&figure.contender, figure.unit(), rounded(figure.value));
    }
    if grid.is_empty() {
        return String::new();
    }
    format!("\n### Many streams in turns, reads of 64 bytes\n\n{grid}\n")
}
