//! The plot that the README shows: a record of figures in, an SVG out.
//!
//! It shows instructions, not time: they are the same on a busy machine.

use std::env;
use std::error::Error;
use std::fs;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Outcome<T> = Result<T, Box<dyn Error>>;

/// The figure that all others are divided by.
const BASE: &str = "sseam-core";
const PART: &str = "instructions";
const READ: &str = "1460";
const UNIT: &str = "instructions/event";

const CORPORA: &[&str] = &[
    "chat",
    "responses",
    "anthropic",
    "tiny",
    "chinese",
    "multiline",
    "crlf",
    "big",
];

/// Who is shown, and in which colour; colours that also differ in brightness.
const SHOWN: &[(&str, RGBColor)] = &[
    ("sseam-core", RGBColor(0, 90, 181)),
    ("sse-core", RGBColor(230, 97, 0)),
    ("sse-stream", RGBColor(253, 184, 99)),
    ("sseer", RGBColor(178, 171, 210)),
    ("sse-parse", RGBColor(128, 115, 172)),
    ("eventsource-stream", RGBColor(150, 150, 150)),
];

/// Higher bars end here, with their value written at the top.
const TIMES_MAX: f64 = 10.0;
const SIZE: (u32, u32) = (960, 380);
/// Pixels to the left and below for the axes, above for the legend.
const MARGINS: (i32, i32, i32) = (48, 30, 62);
/// Behind everything, so that it can be read on a dark page.
const BACKGROUND: RGBColor = WHITE;
const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(225, 225, 225);

fn main() -> Outcome<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [record, plot] = arguments.as_slice() else {
        return Err("usage: sseam-bench-plot RECORD.csv PLOT.svg".into());
    };
    let record = fs::read_to_string(record)?;
    let area = SVGBackend::new(plot, SIZE).into_drawing_area();
    area.fill(&BACKGROUND)?;
    legend(&area)?;
    axes(&area)?;
    for (group, corpus) in CORPORA.iter().enumerate() {
        bars(&area, group, corpus, &record)?;
    }
    area.present()?;
    Ok(())
}

/// The value of a contender, by its name without a version.
fn value(record: &str, contender: &str, corpus: &str) -> Option<f64> {
    record.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [part, name, _, its_corpus, read, unit, value] = fields.as_slice() else {
            return None;
        };
        let is_named = name.split(' ').next() == Some(contender) && is_whole_name(name);
        let is_its = (*part, *its_corpus, *read) == (PART, corpus, READ);
        let is_it = is_named && is_its && unit.trim_end_matches('*') == UNIT;
        is_it.then(|| value.parse().ok())?
    })
}

/// `sse-core 0.2.3` and `sseam-core`, and not `sseam-core to_str`.
fn is_whole_name(name: &str) -> bool {
    name.split(' ')
        .nth(1)
        .is_none_or(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

fn text(size: i32, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    let style = ("sans-serif", size).into_text_style(&SIZE).color(&INK);
    style.pos(Pos::new(horizontal, vertical))
}

fn legend(area: &Area) -> Outcome<()> {
    let title = "Instructions per event as a multiple of sseam-core's, reads of 1460 bytes \
                 (lower is better)";
    area.draw_text(title, &text(15, HPos::Left, VPos::Top), (MARGINS.0, 10))?;
    let mut x = MARGINS.0;
    for (name, color) in SHOWN {
        area.draw(&Rectangle::new([(x, 36), (x + 11, 47)], color.filled()))?;
        area.draw_text(name, &text(13, HPos::Left, VPos::Center), (x + 16, 42))?;
        x += 40 + 7 * name.len() as i32;
    }
    Ok(())
}

/// Where a multiple lies on the page.
fn height(times: f64) -> i32 {
    let (bottom, top) = (SIZE.1 as i32 - MARGINS.1, MARGINS.2);
    bottom - (times.min(TIMES_MAX) / TIMES_MAX * f64::from(bottom - top)) as i32
}

fn axes(area: &Area) -> Outcome<()> {
    for times in 0..=TIMES_MAX as i32 {
        let y = height(f64::from(times));
        let (left, right) = (MARGINS.0, SIZE.0 as i32 - 10);
        let color = if times <= 1 { INK } else { GRID };
        area.draw(&PathElement::new(
            [(left, y), (right, y)],
            color.stroke_width(1),
        ))?;
        let label = format!("{times}×");
        area.draw_text(&label, &text(12, HPos::Right, VPos::Center), (left - 6, y))?;
    }
    Ok(())
}

fn bars(area: &Area, group: usize, corpus: &str, record: &str) -> Outcome<()> {
    let base = value(record, BASE, corpus).ok_or("no figure of sseam-core")?;
    let width = (SIZE.0 as i32 - 10 - MARGINS.0) / CORPORA.len() as i32;
    let left = MARGINS.0 + width * group as i32;
    let bar = (width - 12) / SHOWN.len() as i32;
    for (index, (name, color)) in SHOWN.iter().enumerate() {
        let Some(value) = value(record, name, corpus) else {
            continue;
        };
        let times = value / base;
        let x = left + 6 + bar * index as i32;
        let corners = [(x, height(times)), (x + bar - 2, height(0.0))];
        area.draw(&Rectangle::new(corners, color.filled()))?;
        let label = if times < 9.95 {
            format!("{times:.1}")
        } else {
            format!("{times:.0}")
        };
        let middle = (x + bar / 2 - 1, height(times) - 2);
        area.draw_text(&label, &text(9, HPos::Center, VPos::Bottom), middle)?;
    }
    let middle = (left + width / 2, height(0.0) + 6);
    area.draw_text(corpus, &text(13, HPos::Center, VPos::Top), middle)?;
    Ok(())
}
