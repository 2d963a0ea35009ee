//! Example streams, answers from the field and other people's faults in, one file out,
//! which the C and C++ tests of answers run whole and cut short at every byte. The
//! expected text is what `sseam-llm` says.
//!
//! A job is a word, then numbers and strings, each string as `LENGTH:BYTES `; the
//! outcomes of cut streams are told where they change.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

use sseam_core::{Limits, Overflow};
use sseam_llm::{Dialect, Mode};
use sseam_testkit::{cases, field};

#[path = "../tests/it/drive.rs"]
#[expect(dead_code, reason = "the tests drive answers in more ways")]
mod drive;

use drive::{Ask, MODES, Rust, rust};

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).expect("the file to write");
    let mut jobs = Jobs {
        out: BufWriter::new(File::create(path)?),
        count: 0,
    };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/streams");
    for file in fs::read_dir(folder)?.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".sse") && name != "error-body.json" {
            continue;
        }
        let stream = fs::read(file.path())?;
        for mode in MODES {
            for dialect in [dialect_of(&name), Dialect::Auto] {
                jobs.write(&name, &Ask::of(dialect, mode), &stream, true)?;
            }
        }
        for (overflow, data_len_max) in [(Overflow::Skip, 64), (Overflow::Stop, 200)] {
            let limits = Limits {
                data_len_max,
                overflow,
                comment_len_max: 64,
                ..Limits::SMALL
            };
            let ask = Ask::of(dialect_of(&name), Mode::Default);
            jobs.write(&name, &Ask { limits, ..ask }, &stream, true)?;
        }
    }
    for case in cases::layer("profile").filter(|case| !case.streams().is_empty()) {
        for dialect in Dialect::ALL {
            let stream = case.streams().concat();
            let ask = Ask::of(*dialect, Mode::Default);
            jobs.write(&case.id, &ask, &stream, stream.len() < 2000)?;
        }
    }
    for case in field::all() {
        let mode = match case.mode() {
            field::Mode::Default => Mode::Default,
            field::Mode::Strict => Mode::Strict,
            field::Mode::Lenient => Mode::Lenient,
        };
        let own = case.dialect.parse().expect("a dialect");
        for dialect in [Some(own), case.auto.then_some(Dialect::Auto)] {
            let Some(dialect) = dialect else { continue };
            let stream = case.stream.as_bytes();
            jobs.write(&case.id, &Ask::of(dialect, mode), stream, true)?;
        }
    }
    println!("{} jobs", jobs.count);
    jobs.out.flush()
}

/// Which API a file is of: its name begins with the dialect's.
fn dialect_of(name: &str) -> Dialect {
    let begins = |dialect: &&Dialect| name.starts_with(dialect.name());
    let longest = Dialect::ALL
        .iter()
        .filter(begins)
        .max_by_key(|it| it.name().len());
    longest.copied().unwrap_or(Dialect::OpenAiChat)
}

struct Jobs {
    out: BufWriter<File>,
    count: usize,
}

impl Jobs {
    fn write(&mut self, name: &str, ask: &Ask, stream: &[u8], is_cut: bool) -> io::Result<()> {
        self.count += 1;
        write!(self.out, "answer ")?;
        self.string(name.as_bytes())?;
        let limits = ask.limits;
        let skips = usize::from(ask.skips());
        let (dialect, mode, choice) = (ask.dialect_code(), ask.mode_code(), ask.choice);
        write!(self.out, "{dialect} {mode} {choice} ")?;
        let lens = [
            limits.data_len_max,
            limits.event_type_len_max,
            limits.id_len_max,
        ];
        let numbers = [limits.comment_len_max, skips, ask.markers.len()];
        for number in lens.iter().chain(&numbers) {
            write!(self.out, "{number} ")?;
        }
        for (kind, path, value) in ask.markers {
            write!(self.out, "{kind} ")?;
            self.string(path.as_bytes())?;
            self.string(value.as_bytes())?;
        }
        let whole = rust(ask, &[stream]);
        self.string(stream)?;
        self.string(whole.signals.as_bytes())?;
        self.string(whole.outcome.as_bytes())?;
        let cuts = if is_cut {
            outcomes(ask, stream)
        } else {
            Vec::new()
        };
        write!(self.out, "{} ", cuts.len())?;
        for (at, outcome) in cuts {
            write!(self.out, "{at} ")?;
            self.string(outcome.as_bytes())?;
        }
        self.out.write_all(b"\n")
    }

    fn string(&mut self, bytes: &[u8]) -> io::Result<()> {
        write!(self.out, "{}:", bytes.len())?;
        self.out.write_all(bytes)?;
        self.out.write_all(b" ")
    }
}

/// From which cut on the outcome is which.
fn outcomes(ask: &Ask, stream: &[u8]) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut run = Rust::new(ask);
    for (at, byte) in stream.iter().enumerate() {
        let outcome = run.clone().finish().outcome;
        if found.last().is_none_or(|(_, last)| *last != outcome) {
            found.push((at, outcome));
        }
        run.feed(&[*byte]);
    }
    found
}
