//! Firmware on emulated machines, held against the oracle and the command.
//!
//! In: a machine. Out: a failure that names the stream, or nothing.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use sseam_testkit::vectors::{self, check_sequence, check_vector};
use sseam_testkit::{Capabilities, Engine, Limits, Setup, cases, run, split};

use super::harness::Harness;
use super::machine::{Guest, Machine};
use super::toolchain::output;

/// What fits the 4 KB that the harness has, on the smallest machine too.
const LIMITS: Limits = Limits {
    data: 2048,
    event_type: 256,
    id: 256,
    comment: 128,
    ..Limits::NONE
};

/// A stream that is longer costs an emulated UART too much time.
const STREAM_LEN_MAX: usize = 6 * 1024;

/// Length of the delta stream, as an answer of a few thousand words has.
const DELTAS_LEN: usize = 50 * 1024;

/// Runs vectors, sequences and cases through the harness on one machine.
pub(crate) fn conformance(machine: &Machine, release: &Path) -> Result<()> {
    let harness = Harness::new(
        machine.name,
        Guest::start(machine, &release.join("harness"), &[])?,
    )?;
    // The testkit tells a difference by a panic.
    let outcome = catch_unwind(AssertUnwindSafe(|| judge(&harness)));
    match outcome {
        Ok(Ok(told)) => println!("{}: {told}", machine.name),
        Ok(Err(error)) => return Err(error),
        Err(_) => bail!("{}: a stream gave another report, see above", machine.name),
    }
    harness.quit()
}

fn judge(harness: &Harness) -> Result<String> {
    let (mut streams, mut left_out) = (0, 0);
    for vector in vectors::hand() {
        let stream = vector.stream();
        if stream.len() > STREAM_LEN_MAX {
            left_out += 1;
            continue;
        }
        streams += 1;
        let setup = Setup::stop(LIMITS);
        // Where a limit is passed, the oracle alone knows what is right.
        let report = harness.run(&setup, &[&stream]);
        if report.failure.is_none() {
            check_vector(vector, &report, &Capabilities::ALL)
                .map_err(|error| anyhow::anyhow!("{}: {error}", vector.name))?;
        }
        for cut in cuts(&stream) {
            run::one(harness, &setup, &stream, &cut);
        }
        run::one(
            harness,
            &Setup::skip(tight()),
            &stream,
            &split::whole(&stream),
        );
    }
    for sequence in vectors::sequences() {
        let owned = sequence.streams();
        let chunks: Vec<Vec<&[u8]>> = owned.iter().map(|stream| vec![&stream[..]]).collect();
        let reports = harness.run_streams(&Setup::stop(LIMITS), &chunks);
        check_sequence(sequence, &reports, &Capabilities::ALL)
            .map_err(|error| anyhow::anyhow!("{}: {error}", sequence.name))?;
    }
    let mut judged_cases = 0;
    for case in cases::all().iter().filter(|case| case.generated.is_none()) {
        for stream in case.streams() {
            let whole = split::whole(&stream);
            run::one(harness, &Setup::stop(LIMITS), &stream, &whole);
            judged_cases += 1;
        }
    }
    Ok(format!(
        "{streams} hand vectors ({left_out} are longer than {STREAM_LEN_MAX} bytes), {} \
         sequences, {judged_cases} streams of cases, as the oracle says",
        vectors::sequences().len()
    ))
}

/// Limits that many vectors pass.
fn tight() -> Limits {
    Limits {
        data: 4,
        event_type: 4,
        id: 2,
        comment: 3,
        line: 24,
        ..Limits::NONE
    }
}

fn cuts(stream: &[u8]) -> Vec<split::Cut<'_>> {
    let mut cuts = vec![split::sized(stream, 3)];
    if stream.len() < 100 {
        cuts.push(split::byte_by_byte(stream));
    }
    cuts
}

/// Sends recorded streams over the UART and compares with what the command says.
pub(crate) fn uart(root: &Path, machine: &Machine, program: &Path) -> Result<()> {
    for (name, stream) in streams(root)? {
        let expected = replayed(root, &name, &stream)?;
        let mut guest = Guest::start(machine, program, &[])?;
        if guest.line()?.as_deref() != Some("ready") {
            bail!("{name}: the firmware is not ready");
        }
        guest.send(&stream)?;
        guest.send(b"event: quit\ndata\n\n")?;
        let mut lines = guest.finish()?;
        let summary = lines.pop().unwrap_or_default();
        if lines != expected {
            let at = lines
                .iter()
                .zip(&expected)
                .position(|(found, line)| found != line);
            let at = at.unwrap_or(lines.len().min(expected.len()));
            bail!(
                "{name}: line {} is {:?} and the command says {:?}",
                at + 1,
                lines.get(at),
                expected.get(at)
            );
        }
        println!("{}: {name}: {summary}, as the command says", machine.name);
    }
    Ok(())
}

/// The demo, and one answer that is as long as a real one.
pub(crate) fn streams(root: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let read = |name: &str| {
        let path = root.join("examples/streams").join(name);
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let answer = read("openai-chat.sse")?;
    let mut deltas = Vec::new();
    while deltas.len() < DELTAS_LEN {
        deltas.extend(&answer);
    }
    Ok(vec![
        ("demo".to_string(), read("demo.sse")?),
        ("deltas".to_string(), deltas),
    ])
}

/// The lines that `sseam replay` prints for a stream.
pub(crate) fn replayed(root: &Path, name: &str, stream: &[u8]) -> Result<Vec<String>> {
    let folder = super::toolchain::folder(root);
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}.sse"));
    fs::write(&path, stream)?;
    let mut command = Command::new(crate::step::sseam(root)?);
    command.arg("replay").arg(&path);
    let text = output(&mut command).context("sseam replay failed")?;
    Ok(text.lines().map(str::to_string).collect())
}
