//! The published figures as tables.
//!
//! In: figures by their names. Out: the part of a document that is between its
//! two marks.

use super::figures::{Figures, PROGRAMS};
use super::machine::MACHINES;
use super::probe::LEVELS;

/// The parts that are shown, by the names of their probes.
const PARTS: &[(&str, &str)] = &[
    ("parser", "parser: `next_event` and its views"),
    ("parsers3", "three parsers of three capacities"),
    (
        "parser_stop",
        "parser of constant limits that stops at an event too large",
    ),
    (
        "parser_skip",
        "the same, which skips it and tells: `next_item`",
    ),
    ("log", "parser, and defmt logs each event"),
    ("tokenizer", "tokenizer alone"),
    ("encoder", "encoder"),
    ("io_chunked", "chunked bodies"),
    ("io_head", "head of an answer"),
    ("responses_llm", "answers of OpenAI Responses"),
    ("chat_llm", "answers of Chat Completions"),
    ("anthropic_llm", "answers of Anthropic Messages"),
    ("gemini_llm", "answers of Gemini"),
    (
        "every_llm",
        "answers of every API that is known, and which it is",
    ),
    (
        "responses_llm_answer",
        "OpenAI Responses from bytes: parser and answer",
    ),
    ("chat_llm_answer", "Chat Completions from bytes"),
    ("every_llm_answer", "every API from bytes"),
    (
        "llm_all",
        "every function of `sseam-llm` and the parser, `Display` too",
    ),
    ("httparse", "httparse: head of an answer, 16 fields"),
    ("httparse_chunk", "httparse: size of a chunk"),
    ("picojson", "picojson: stream, 32-bit integers, no floats"),
    ("serde_json_core", "serde-json-core: three fields"),
];

/// What the README says of them.
pub(super) fn summary(figures: &Figures) -> String {
    let mut text = String::from(
        "| bytes at opt s | parser, flash | its state | its stack | tokenizer alone, flash | \
         one API's answers, flash |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for target in super::TARGETS {
        let of = |key: &str| figures.get(&format!("{target} {key}")).copied();
        let flash = |probe: &str| {
            let (text, rodata) = (format!("s {probe} text"), format!("s {probe} rodata"));
            let sum = of(&text)
                .zip(of(&rodata))
                .map(|(text, rodata)| text + rodata);
            sum.map(|sum| sum.to_string()).unwrap_or_default()
        };
        text.push_str(&format!(
            "| {target} | {} | {} | {} | {} | {} |\n",
            flash("parser"),
            of("- state parser").unwrap_or(0),
            of("s parser stack").unwrap_or(0),
            flash("tokenizer"),
            flash("responses_llm"),
        ));
    }
    text + "\n"
}

/// All of them, for the document of their own.
pub(super) fn all(figures: &Figures) -> String {
    let mut text = goals_table(figures);
    let targets: Vec<&str> = super::TARGETS.to_vec();
    for target in &targets {
        text.push_str(&flash_table(figures, target));
    }
    text.push_str(&state_table(figures, &targets));
    text.push_str(&count_table(figures));
    text.push_str(&program_table(figures));
    text.push_str(&budget_table(figures));
    text
}

/// What the parser was meant to cost, and what it costs.
fn goals_table(figures: &Figures) -> String {
    let target = super::TARGETS[0];
    let of = |key: &str| {
        let key = format!("{target} {key}");
        figures.get(&key).copied().unwrap_or(0)
    };
    let further = of("s parsers3 text").saturating_sub(of("s parser text")) / 2;
    let count = |stream: &str| {
        let key = format!("an386 s icount {stream}-4096");
        figures.get(&key).copied().unwrap_or(0)
    };
    let rows = [
        ("parser, `.text`", 2048, of("s parser text")),
        ("parser, `.rodata`", 0, of("s parser rodata")),
        ("parser, `.bss`", 0, of("s parser bss")),
        ("parser, longest chain of calls", 160, of("s parser stack")),
        ("state besides the memory lent", 160, of("- state parser")),
        ("each further capacity", 40, further),
        ("tokenizer alone, `.text`", 900, of("s tokenizer text")),
        ("defmt, built in and not used", 0, 0),
        (
            "instructions per 100 bytes, `data` alone",
            1200,
            count("chat"),
        ),
        ("the same, `event` and `data`", 1200, count("blocks")),
        (
            "the same, `event`, `id` and 43 bytes of `data`",
            1200,
            count("delta71"),
        ),
    ];
    let row = |(what, goal, measured): (&str, u64, u64)| {
        let verdict = if measured <= goal { "met" } else { "missed" };
        format!("| {what} | {goal} | {measured} | {verdict} |\n")
    };
    let rows: String = rows.into_iter().map(row).collect();
    format!(
        "Goals on {target} at opt s, in bytes\n\n\
         | what | goal | measured | |\n| --- | ---: | ---: | --- |\n{rows}\n"
    )
}

/// Whole images: what a program takes of a machine.
fn program_table(figures: &Figures) -> String {
    let mut text = String::from(
        "Whole programs at opt s in bytes, with start-up code, vectors, the messages of their \
         panic handler and the driver of the UART; stack is the deepest that was seen\n\n\
         | machine | program | flash | static memory | stack |\n\
         | --- | --- | ---: | ---: | ---: |\n",
    );
    for machine in MACHINES {
        for program in PROGRAMS {
            let of = |what: &str| figures.get(&format!("{} s {program} {what}", machine.name));
            let (Some(flash), Some(memory)) = (of("flash"), of("static")) else {
                continue;
            };
            let stack = of("stack").map(u64::to_string).unwrap_or_default();
            text.push_str(&format!(
                "| {} | `{program}` | {flash} | {memory} | {stack} |\n",
                machine.what
            ));
        }
    }
    text + "\n"
}

/// What the modem's program leaves of a machine of 32 KB.
fn budget_table(figures: &Figures) -> String {
    const MACHINE_LEN: u64 = 32 * 1024;
    let of = |what: &str| {
        let key = format!("an386 s modem {what}");
        figures.get(&key).copied().unwrap_or(0)
    };
    let (stack, fixed) = (of("stack"), of("static"));
    let (memory, buffers) = (of("event-memory"), of("buffers"));
    let rest = stack.saturating_sub(memory + buffers);
    let left = MACHINE_LEN.saturating_sub(stack + fixed);
    format!(
        "`modem` in a machine of 32 KB of RAM, as measured on mps2-an386\n\n\
         | what | bytes |\n| --- | ---: |\n\
         | event memory (data 1,024, ids and types 64 each) | {memory} |\n\
         | read buffers of head and body | {buffers} |\n\
         | the rest of the deepest stack: state and calls | {rest} |\n\
         | static memory, `.data` and `.bss` | {fixed} |\n\
         | left for the application | {left} |\n\n"
    )
}

fn flash_table(figures: &Figures, target: &str) -> String {
    let mut text = format!(
        "**{target}**: bytes of flash, `.text` + `.rodata`, and of it `memcpy` and the like; then \
         the longest chain of calls in bytes of stack\n\n\
         | part | opt s | opt z | opt 3 | stack at s | panics |\n\
         | --- | ---: | ---: | ---: | ---: | --- |\n"
    );
    for (probe, what) in PARTS {
        let of = |level: &str, what: &str| figures.get(&format!("{target} {level} {probe} {what}"));
        let flash = |level: &str| {
            let (text, rodata) = (of(level, "text")?, of(level, "rodata")?);
            let copying = of(level, "text-of-memcpy").copied().unwrap_or(0);
            let copying = if copying > 0 {
                format!(" ({copying})")
            } else {
                String::new()
            };
            Some(format!("{text} + {rodata}{copying}"))
        };
        let panics = match of("s", "panics") {
            Some(0) => "none",
            _ => "reachable",
        };
        if flash(LEVELS[0]).is_none() {
            continue;
        }
        let cells: Vec<String> = LEVELS
            .iter()
            .map(|level| flash(level).unwrap_or_default())
            .collect();
        let stack = of("s", "stack").copied().unwrap_or(0);
        text.push_str(&format!(
            "| {what} | {} | {stack} | {panics} |\n",
            cells.join(" | ")
        ));
    }
    text + "\n"
}

fn state_table(figures: &Figures, targets: &[&str]) -> String {
    let mut text = String::from(
        "State in bytes, besides the memory that the caller lends; `Turn` and `Signals` are of \
         `sseam-llm`\n\n\
         | target | engine | parser over a slice | tokenizer | `Turn` | `Signals` |\n\
         | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for target in targets {
        let of = |what: &&str| {
            let key = format!("{target} - state {what}");
            figures.get(&key).copied().unwrap_or(0).to_string()
        };
        let states = ["engine", "parser", "tokenizer", "turn", "signals"];
        let cells: Vec<String> = states.iter().map(of).collect();
        text.push_str(&format!("| {target} | {} |\n", cells.join(" | ")));
    }
    text + "\n"
}

/// The streams and reads that are counted, in the order of the columns.
const COUNTS: &[&str] = &["4096", "256", "64", "1", "0"];

fn count_table(figures: &Figures) -> String {
    let mut text = String::from(
        "Instructions per byte at opt s, by the length of a read; the last column is the \
         tokenizer alone\n\n\
         | machine | stream | 4096 | 256 | 64 | 1 | tokenizer |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let streams = [
        ("chat", "`data` alone, 201 bytes an event"),
        ("blocks", "`event` and `data`, 114 bytes"),
        ("delta71", "`event`, `id` and `data`, 71 bytes"),
    ];
    for machine in MACHINES {
        for (stream, what) in streams {
            let of = |read_len: &&str| {
                let key = format!("{} s icount {stream}-{read_len}", machine.name);
                let hundredths = figures.get(&key)?;
                Some(format!("{}.{:02}", hundredths / 100, hundredths % 100))
            };
            if let Some(cells) = COUNTS.iter().map(of).collect::<Option<Vec<_>>>() {
                text.push_str(&format!(
                    "| {} | {what} | {} |\n",
                    machine.what,
                    cells.join(" | ")
                ));
            }
        }
    }
    text + "\n"
}
