//! The command line to what is asked: the only place that knows the flags.

mod dialect; // Flags about AI APIs.
mod duration; // `500ms` -> a duration.
mod get; // Flags of `get`.
mod serve; // Flags of `serve`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use sseam::{Limit, Limits, Overflow};

pub(crate) use dialect::{DialectArgs, OutcomeForm, Shows};
pub(crate) use get::{GetArgs, RequestArgs};
pub(crate) use serve::{FaultArgs, ResponseArgs, ServeArgs};

/// See what an event stream says, where it was cut, and why it ended.
#[derive(Debug, Parser)]
#[command(name = "sseam", version, after_help = ABOUT_EXIT_CODES)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Replay(Box<ReplayArgs>),
    Get(Box<GetArgs>),
    Serve(Box<ServeArgs>),
    /// Write a completion script to standard output.
    #[command(after_help = ABOUT_COMPLETIONS)]
    Completions {
        /// The shell that it is for.
        shell: Shell,
    },
    /// Write a man page to standard output.
    #[command(after_help = ABOUT_MAN)]
    Man {
        /// The command that it is about; without one, sseam itself.
        command: Option<String>,
    },
}

/// Print the events of a stream from a file or a pipe, or of a recording.
///
/// Events are printed as JSON lines in the order of the stream, whole or not at
/// all. Messages and a summary go to standard error.
#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT_REPLAY)]
pub(crate) struct ReplayArgs {
    /// The stream, or a recording of one; `-` is standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Feed the parser at most N bytes at a time; the lines stay the same.
    #[arg(long, value_name = "N")]
    pub(crate) chunk_size: Option<NonZeroUsize>,

    /// Print the event that the end of input cut short too, marked as unfinished.
    ///
    /// Without a last character that was cut. The exit code stays 20.
    #[arg(long)]
    pub(crate) deliver_unfinished: bool,

    /// Print this response of a recording that has several [default: 1].
    #[arg(long, value_name = "N")]
    pub(crate) response: Option<u32>,

    /// The last event id of the connection that this stream resumes.
    #[arg(long, value_name = "ID")]
    pub(crate) last_event_id: Option<String>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// What goes to standard output, and the summary.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// What to print.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Print::Events)]
    pub(crate) print: Print,

    /// Print one field of the data of each event, as `choices.0.delta.content`.
    ///
    /// A string's text, anything else as JSON, and a line feed; nothing where the
    /// data is no JSON or lacks the field.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["print", "text", "reasoning", "tools"])]
    pub(crate) field: Option<String>,

    /// Print only the events of this type; everything is counted all the same.
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,

    /// Show U+FFFD for text that is not valid UTF-8, as a browser does.
    ///
    /// Without it, a printed event with such text ends the run.
    #[arg(long)]
    pub(crate) lossy: bool,

    /// Add to each line when its last byte came, and with which read.
    ///
    /// `t_ms` counts from the request on. A file knows it if it is a recording.
    #[arg(long)]
    pub(crate) timing: bool,

    /// What to say on standard error about the whole stream.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = SummaryForm::Text)]
    pub(crate) summary: SummaryForm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Print {
    /// One JSON object per event: event, data, id.
    Events,
    /// Comments, ignored lines, retry times and skipped events too.
    Items,
    /// The data of each event and a line feed.
    Data,
    /// The text of the answer, output and refusal, without a line feed at its end.
    Text,
    /// What each event of the answer says, one JSON object for each: text, calls, usage.
    Signals,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryForm {
    /// One line for a person.
    Text,
    /// One JSON object on the last line.
    Json,
    /// Nothing.
    None,
}

/// How much one stream may hold and send.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// What happens when an event passes a limit; totals always stop.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = OverflowForm::Stop)]
    overflow: OverflowForm,

    /// Longest line in bytes [default: no limit].
    #[arg(long, value_name = "BYTES")]
    max_line: Option<usize>,

    /// Longest data of one event in bytes, and of all tool calls begun for --tools.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::LARGE.data_len_max)]
    max_data: usize,

    /// Longest event type in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::LARGE.event_type_len_max)]
    max_type: usize,

    /// Longest event id in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::LARGE.id_len_max)]
    max_id: usize,

    /// Most bytes of the whole stream [default: no limit].
    #[arg(long, value_name = "BYTES")]
    max_total: Option<u64>,

    /// Most events of the whole stream [default: no limit].
    #[arg(long, value_name = "N")]
    max_events: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OverflowForm {
    /// The run ends there, with exit code 22.
    Stop,
    /// The event is left out, and the stream goes on after it.
    Skip,
}

impl LimitArgs {
    /// The parser's limits.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            line_len_max: self.max_line.unwrap_or(Limits::LARGE.line_len_max),
            data_len_max: self.max_data,
            event_type_len_max: self.max_type,
            id_len_max: self.max_id,
            bytes_max: self.max_total.unwrap_or(Limits::LARGE.bytes_max),
            events_max: self.max_events.unwrap_or(Limits::LARGE.events_max),
            overflow: match self.overflow {
                OverflowForm::Stop => Overflow::Stop,
                OverflowForm::Skip => Overflow::Skip,
            },
            ..Limits::LARGE
        }
    }
}

/// The word for a limit in the output, which is the end of its flag's name.
pub(crate) const fn limit_word(limit: Limit) -> &'static str {
    match limit {
        Limit::Line => "line",
        Limit::Data => "data",
        Limit::EventType => "type",
        Limit::Id => "id",
        Limit::Bytes => "total",
        Limit::Events => "events",
        _ => limit.name(),
    }
}

const ABOUT_EXIT_CODES: &str = "\
Exit codes, the first cause in the order of the stream:
  0   the stream ended after a whole block, or the output's reader went away
  1   reading or writing failed on the way
  2   a flag is wrong, or the file cannot be read
  10  the answer is incomplete
  11  the model or a filter refused
  12  the server reports a failure
  20  the stream broke off inside a block, or before the end of the answer
  21  a wait was too long
  22  a limit was passed
  23  the text of a printed event is not valid UTF-8
  30  the response has another status than 200
  31  the input is no event stream
  40  there was no connection, or no response
  130 Ctrl-C ended it";

const ABOUT_REPLAY: &str = "\
Examples:
  sseam replay answer.sse
      {\"event\":\"message\",\"data\":\"hello\",\"id\":\"\"}
  sseam replay answer.sse --chunk-size 1
      the same lines, however the bytes were cut
  curl -N https://example.org/stream | sseam replay - --print items
      follow a stream: each line is written as soon as it is known
  sseam replay answer.sse --event message --print data
      the data alone, of one type of event
  sseam replay broken.sse --deliver-unfinished --lossy
      all that can be had from a stream that broke off
  sseam replay big.sse --max-data 65536 --overflow skip --print items
      leave large events out, and say which
  sseam replay answer.sse --summary json 2>&1 >/dev/null | tail -n 1
      the counters for a program
  sseam replay answer.sse --dialect auto --text
      the text of an answer; the exit code says whether it is all there
  sseam replay house.sse --end-event done --text-field delta.text --text
      the same for an API of your own

Exit codes: 0 whole, 1 reading or writing failed, 2 usage or unreadable file,
20 broke off, 22 a limit was passed, 23 text is not valid UTF-8, 31 no event
stream. With a dialect also: 10 incomplete, 11 refused, 12 failed or cancelled by
the server; and 20 is an answer without its end.";

const ABOUT_COMPLETIONS: &str = "\
Examples:
  sseam completions bash > ~/.local/share/bash-completion/completions/sseam
  sseam completions zsh > ~/.zfunc/_sseam
  sseam completions fish > ~/.config/fish/completions/sseam.fish";

const ABOUT_MAN: &str = "\
Examples:
  sseam man > ~/.local/share/man/man1/sseam.1
  sseam man replay > ~/.local/share/man/man1/sseam-replay.1";
