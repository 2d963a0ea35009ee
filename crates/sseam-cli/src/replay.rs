//! The command `replay`: a file or standard input, fed in chunks, to lines, a
//! message where something went wrong, a summary, and an exit code.

use std::io::Write;
use std::num::NonZeroUsize;

use sseam::llm::{Dialect, Turn};
use sseam::{SetupError, Span};

use crate::Console;
use crate::args::{Print, ReplayArgs, SummaryForm};
use crate::exit::Exit;
use crate::print::Printer;
use crate::progress::Progress;
use crate::session::{self, Ending, Session};
use crate::source::{self, Source};
use crate::stop::Stop;
use crate::summary;
use crate::told::Told;

/// Runs the command.
pub(crate) fn replay(args: &ReplayArgs, console: &mut Console<'_>) -> Exit {
    let Console {
        stdin,
        stdout,
        stderr,
        is_stdout_terminal,
        is_stderr_terminal,
        ..
    } = console;
    let turn = match args.dialect.turn(&args.output) {
        Ok(turn) => turn,
        Err(message) => {
            say(*stderr, &message);
            return Exit::Usage;
        }
    };
    let mut session = match begin(args, turn, *stdout, *is_stdout_terminal) {
        Ok(session) => session,
        Err(error) => {
            say(*stderr, &session::refusal(error));
            return Exit::Usage;
        }
    };
    let mut source = match Source::open(&args.file, *stdin, args.response) {
        Ok(source) => source,
        Err(error) => {
            let name = source::name(&args.file);
            say(*stderr, &format!("{name}: cannot be read: {error}"));
            return Exit::Usage;
        }
    };
    // On one terminal, lines that go by are progress enough, and it would mix.
    let is_watched = *is_stderr_terminal && !*is_stdout_terminal;
    let mut progress = Progress::new(is_watched, source.len());
    let chunk_len = args.chunk_size.map_or(usize::MAX, NonZeroUsize::get);
    let stop = copy(
        &mut source,
        &mut session,
        chunk_len,
        &mut |bytes, events| {
            progress.show(*stderr, bytes, events);
        },
    );
    progress.clear(*stderr);
    if let Some(note) = source.note() {
        say(*stderr, &format!("{}: {note}", source.name()));
    }
    let ending = session.end(stop.err());
    let has_verdict = turn.is_some();
    report(
        (&ending, has_verdict),
        args,
        source.name(),
        *stderr,
        *is_stderr_terminal,
    )
}

/// A session that prints what the flags ask for.
fn begin<'io>(
    args: &ReplayArgs,
    turn: Option<Turn>,
    stdout: &'io mut dyn Write,
    is_terminal: bool,
) -> Result<Session<'io>, SetupError> {
    let shows = args.dialect.shows(&args.output);
    let form = match shows {
        Some(_) => Print::Text,
        None => args.output.print,
    };
    let printer = Printer::new(stdout, is_terminal, form, &args.output);
    let limits = args.limits.limits();
    let told = Told::new(shows, args.output.lossy, limits.data_len_max);
    Session::new(
        (printer, told),
        turn.unwrap_or(Turn::new(Dialect::Plain)),
        limits,
        args.last_event_id.as_deref(),
        args.deliver_unfinished,
    )
}

/// Feeds all of the source, at most `chunk_len` bytes at a time.
fn copy(
    source: &mut Source<'_>,
    session: &mut Session<'_>,
    chunk_len: usize,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), Stop> {
    let mut buffer = vec![0; BUFFER_LEN];
    loop {
        if source.is_followed() {
            session.flush()?;
        }
        let count = source.read(&mut buffer).map_err(|error| Stop::Read {
            error,
            offset: source.offset(),
        })?;
        if count == 0 {
            let offset = source.offset();
            return match source.cut() {
                Some(is_broken) => Err(Stop::Cut { offset, is_broken }),
                None => Ok(()),
            };
        }
        session.mark(source.mark());
        for chunk in buffer.get(..count).unwrap_or_default().chunks(chunk_len) {
            session.feed(chunk)?;
        }
        progress(source.offset(), session.counters().events);
    }
}

/// Says how it ended, and counts.
fn report(
    (ending, has_verdict): (&Ending<'_>, bool),
    args: &ReplayArgs,
    name: &str,
    stderr: &mut dyn Write,
    is_terminal: bool,
) -> Exit {
    let truncation = ending.summary.end.filter(|end| end.is_truncated());
    let form = args.output.summary;
    let exit = match (&ending.stop, truncation) {
        (Some(stop), _) if stop.is_quiet() => return stop.exit(),
        (Some(stop), _) => {
            say(stderr, &format!("{}: {stop}", stop.about(name)));
            stop.exit()
        }
        (None, Some(end)) => {
            // In JSON, `truncated` and `pending` say it.
            if form != SummaryForm::Json {
                let advice = match args.deliver_unfinished {
                    true => "",
                    false => "; --deliver-unfinished prints what there is",
                };
                say(
                    stderr,
                    &format!("{name}: {}", summary::truncation(&end, advice)),
                );
            }
            Exit::Truncated
        }
        (None, None) => Exit::Clean,
    };
    if let Some(Span { start, end }) = ending.unread {
        let words = format!("the answer was over; bytes {start} to {end} were not read");
        say(stderr, &format!("{name}: {words}"));
    }
    let exit = match has_verdict {
        true => {
            let verdict = &ending.verdict;
            verdict.tell(name, form, args.dialect.outcome, (stderr, is_terminal));
            verdict.exit(ending.stop.as_ref())
        }
        false => exit,
    };
    // Nobody is left to be told that standard error is closed.
    let _ = ending.summary.write(stderr, is_terminal, form);
    exit
}

fn say(stderr: &mut dyn Write, message: &str) {
    let _ = writeln!(stderr, "sseam: {message}");
}

/// Bytes asked for in one read.
const BUFFER_LEN: usize = 64 * 1024;
