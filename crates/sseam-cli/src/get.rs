//! The command `get`: a request to lines as events come, what became of the
//! answer, figures, and an exit code.

mod ask; // Flags -> a request.
mod measure; // Reads and items -> figures.
mod said; // An error -> words.
mod intake; // Reads -> the recording, figures, and what they are of.
mod reading; // A source -> lines.
mod conclude; // What is known at the end -> lines on standard error.
mod interrupt; // Ctrl-C -> the end.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sseam::End;
use sseam::client::{Canceller, ClientError, EventSource, Report};
use sseam::llm::{Dialect, Ending, Outcome, TransportEnd, Turn};

pub(crate) use measure::Figures;

use crate::Console;
use crate::args::{GetArgs, Print};
use crate::exit::Exit;
use crate::print::Printer;
use crate::recording::Recorder;
use crate::source;
use crate::stop::Stop;
use crate::told::Told;
use crate::verdict::{Failure, Verdict, lacks_blank_line};

use conclude::{Forms, Seen};
use intake::Intake;
use measure::milliseconds;
use reading::{Ended, Reading};

/// Runs the command.
pub(crate) fn get(args: &GetArgs, console: &mut Console<'_>) -> Exit {
    let result = prepare(args, console);
    let (mut source, intake) = match result {
        Ok(prepared) => prepared,
        Err(message) => {
            say(console.stderr, &message);
            return Exit::Usage;
        }
    };
    let seen = Arc::clone(&locked(&intake).seen);
    let forms = Forms::new(args, console.is_stderr_terminal);
    if console.ends_on_interrupt {
        interrupt::end_on_interrupt(&seen, &forms);
    }
    let shows = args.dialect.shows(&args.output);
    let form = match shows {
        Some(_) => Print::Text,
        None => args.output.print,
    };
    let is_terminal = console.is_stdout_terminal;
    let printer = Printer::new(console.stdout, is_terminal, form, &args.output);
    let told = Told::new(shows, args.output.lossy, args.limits.limits().data_len_max);
    let mut reading = Reading {
        printer,
        told,
        intake: &intake,
        seen: &seen,
        name: &forms.name,
    };
    let mut ended = reading.run(&mut source, console.stderr);
    if let Err(stop) = reading.end() {
        ended.stop.get_or_insert(stop);
    }
    locked(&seen).is_over = true;
    let report = source.report();
    if let Err(stop) = locked(&intake).leave(report.elapsed) {
        ended.stop.get_or_insert(stop);
    }
    let verdict = verdict(&source, &report, &ended, &reading.told);
    conclude(
        &source,
        &seen,
        &forms,
        (&report, &ended, &verdict),
        console.stderr,
    )
}

/// Checks all that can be checked before the request is made.
fn prepare(
    args: &GetArgs,
    console: &mut Console<'_>,
) -> Result<(EventSource, Arc<Mutex<Intake>>), String> {
    let turn = args.dialect.turn(&args.output)?;
    let request = ask::request(args, turn, console.stdin)?;
    let turn = turn.unwrap_or(Turn::new(Dialect::Plain));
    let intake = Arc::new(Mutex::new(Intake::new(Seen::new(turn))));
    let canceller = Arc::new(OnceLock::<Canceller>::new());
    let (taker, cancel) = (Arc::clone(&intake), Arc::clone(&canceller));
    let request = request.on_read(move |read| {
        let is_over = locked(&taker).take(&read);
        if let (true, Some(canceller)) = (is_over, cancel.get()) {
            canceller.cancel();
        }
    });
    let (taker, cancel) = (Arc::clone(&intake), Arc::clone(&canceller));
    let request = request.on_connection(move |step| {
        let is_over = locked(&taker).step(&step);
        if let (true, Some(canceller)) = (is_over, cancel.get()) {
            canceller.cancel();
        }
    });
    let source = request.open().map_err(said::refusal)?;
    // It was empty, and is ours alone.
    let _ = canceller.set(source.canceller());
    if let Some(path) = &args.record {
        // Only now: a mistake in another flag leaves an old recording as it was.
        locked(&intake).recorder = Some(recorder(path, args.force)?);
    }
    Ok((source, intake))
}

/// Makes the file of a recording.
pub(crate) fn recorder(path: &Path, overwrites: bool) -> Result<Recorder, String> {
    let name = source::name(path);
    Recorder::create(path, overwrites).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => format!("{name} exists; --force overwrites it"),
        _ => format!("{name}: cannot be written: {error}"),
    })
}

/// What became of the answer.
fn verdict(source: &EventSource, report: &Report, ended: &Ended, told: &Told) -> Verdict {
    let close = ended.stop.as_ref().map(Stop::close);
    let is_failed = matches!(report.outcome.ending, Ending::Failed);
    let is_settled = report.outcome.seen.terminal || is_failed;
    let outcome = match close.filter(|_| !is_settled) {
        Some(close) => {
            // It changes nothing where the answer has had its end.
            let mut answer = source.answer().clone();
            answer.end(close);
            answer.outcome()
        }
        None => report.outcome,
    };
    let foreign = match (&ended.stop, &ended.error) {
        (Some(Stop::Foreign(foreign)), _) => Some(*foreign),
        (None, Some(ClientError::NotEventStream(error))) => said::foreign(error),
        _ => None,
    };
    Verdict::new(outcome, failure(source, &outcome, told))
        .with_foreign(foreign)
        .with_hint(lacks_blank_line(source.answer()))
}

/// What the server said about its failure, without what it was asked with.
fn failure(source: &EventSource, outcome: &Outcome, told: &Told) -> Failure {
    Failure::new(outcome, told.message(), |text, is_cut| match is_cut {
        true => source.redact_cut(text),
        false => source.redact(text),
    })
}

/// Says how it ended, and counts.
fn conclude(
    source: &EventSource,
    seen: &Mutex<Seen>,
    forms: &Forms,
    (report, ended, verdict): (&Report, &Ended, &Verdict),
    stderr: &mut dyn Write,
) -> Exit {
    let name = &forms.name;
    if let Some(stop) = &ended.stop {
        if stop.is_quiet() {
            return stop.exit();
        }
        say(stderr, &format!("{}: {stop}", stop.about(name)));
    }
    if let Some(error) = ended
        .error
        .as_ref()
        .filter(|error| !is_told(error, verdict))
    {
        say(stderr, &format!("{name}: {}", said::words(error)));
        let body = said::redacted_body(source, error);
        if let Some(body) = said::shown_body(&body) {
            say(stderr, &format!("{name}: {body}"));
        }
    }
    let end = ended.error.as_ref().and_then(truncated).map(|(end, _)| end);
    let seen = locked(seen);
    let figures = figures(report, &seen);
    forms.write(stderr, verdict, (&seen, figures, end));
    verdict.exit(ended.stop.as_ref())
}

/// Whether the outcome says the same in the words of the dialect.
fn is_told(error: &ClientError, verdict: &Verdict) -> bool {
    let is_clean = |it: &sseam::client::Truncated| {
        it.transport == TransportEnd::Clean && !it.end.is_truncated()
    };
    let is_known = verdict.outcome.seen.dialect != Dialect::Plain;
    is_known && matches!(error, ClientError::Truncated(it) if is_clean(it))
}

/// How a stream broke off, if that is what ended it.
fn truncated(error: &ClientError) -> Option<(End, TransportEnd)> {
    match error {
        ClientError::Truncated(truncated) => Some((truncated.end, truncated.transport)),
        ClientError::GaveUp { last, .. } => truncated(last),
        _ => None,
    }
}

fn figures(report: &Report, seen: &Seen) -> Figures {
    seen.measure.complete(Figures {
        requests: report.requests,
        connections: report.connections,
        reads: report.reads,
        elapsed_ms: milliseconds(report.elapsed),
        first_byte_ms: report.first_byte.map(milliseconds),
        first_text_ms: report.first_output.map(milliseconds),
        longest_gap_ms: milliseconds(report.longest_gap),
        late_fault: report.outcome.seen.late_fault,
        short_end: report.has_short_end,
        ..Figures::default()
    })
}

/// What another thread left behind when it panicked is still what it saw.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn say(stderr: &mut dyn Write, message: &str) {
    let _ = writeln!(stderr, "sseam: {message}");
}
