//! The flags of `get`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueHint;
use sseam::Delays;

use super::duration::{Timeout, parse_duration, parse_timeout};
use super::{DialectArgs, LimitArgs, OutputArgs};

/// Ask a server for a stream and print its events as they come.
///
/// Events are printed as `replay` prints them. Messages and a summary go to
/// standard error; what the request holds in a header, the query or the body is
/// replaced by *** there, but for the last event id, with which one goes on. The
/// first Ctrl-C ends it at once.
#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT_GET)]
pub(crate) struct GetArgs {
    /// The address, http or https.
    #[arg(value_hint = ValueHint::Url)]
    pub(crate) url: String,

    /// Write what comes and when to FILE, for `sseam replay` and `sseam serve`.
    ///
    /// Only its owner may read it. It holds nothing of the request.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<PathBuf>,

    /// Overwrite the recording if there is one.
    #[arg(long, requires = "record")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) request: RequestArgs,

    #[command(flatten)]
    pub(crate) waits: WaitArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// What is asked.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Request")]
pub(crate) struct RequestArgs {
    /// The method [default: GET, or POST with a body].
    #[arg(short = 'X', long = "request", value_name = "METHOD")]
    pub(crate) method: Option<String>,

    /// Send a header; `@FILE` reads one from each line, `@-` from standard input.
    ///
    /// One of the same name replaces what is sent by default: Accept,
    /// Accept-Encoding, Cache-Control, Content-Type, User-Agent.
    #[arg(short = 'H', long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,

    /// Send this body by POST, as a form; `@FILE` reads it without line ends.
    ///
    /// Several are joined with `&`.
    #[arg(short = 'd', long, value_name = "BODY", conflicts_with = "json")]
    pub(crate) data: Vec<String>,

    /// Send this body by POST, as JSON; `@FILE` reads it as it is.
    ///
    /// Several are joined.
    #[arg(long, value_name = "BODY")]
    pub(crate) json: Vec<String>,

    /// The last event id of the stream that this one goes on with.
    #[arg(long, value_name = "ID")]
    pub(crate) last_event_id: Option<String>,

    /// Follow 307 and 308 with a body too.
    #[arg(long)]
    pub(crate) follow_post: bool,

    /// Take a response without a content type for an event stream.
    #[arg(long)]
    pub(crate) allow_missing_content_type: bool,

    /// Take a response of any content type for an event stream, or of none.
    ///
    /// What its bytes show to be something else is refused all the same.
    #[arg(long)]
    pub(crate) any_content_type: bool,

    /// Trust the certificates in FILE (PEM) instead of the public ones.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) cacert: Option<PathBuf>,
}

/// How long to wait, and how often to try.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Waiting (500ms, 5s, 2m; a timeout of 0 is none)")]
pub(crate) struct WaitArgs {
    /// Longest wait for a connection, TLS included.
    #[arg(long, value_name = "TIME", value_parser = parse_timeout, default_value = "5s")]
    pub(crate) connect_timeout: Timeout,

    /// Longest wait for the head of the response.
    #[arg(long, value_name = "TIME", value_parser = parse_timeout, default_value = "60s")]
    pub(crate) header_timeout: Timeout,

    /// Longest wait for the first output.
    #[arg(long, value_name = "TIME", value_parser = parse_timeout, default_value = "0")]
    pub(crate) first_output_timeout: Timeout,

    /// Longest silence; every byte ends it, comments too.
    #[arg(long, value_name = "TIME", value_parser = parse_timeout, default_value = "60s")]
    pub(crate) idle_timeout: Timeout,

    /// Longest time without progress; comments and keep-alives are none.
    #[arg(long, value_name = "TIME", value_parser = parse_timeout, default_value = "0")]
    pub(crate) progress_timeout: Timeout,

    /// How long to wait for more once all choices of an answer have finished.
    ///
    /// Where an API has an end of its own that may come or not: `[DONE]`, usage.
    /// Then the answer is complete, also if the server keeps the connection open.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "2s")]
    pub(crate) settle: Duration,

    /// Longest time in all.
    #[arg(long, value_name = "TIME", value_parser = parse_timeout, default_value = "0")]
    pub(crate) max_time: Timeout,

    /// Connect again up to N times in a row without an event, or `unlimited`.
    ///
    /// After a broken connection, a stream that ended too soon, most timeouts, and
    /// the statuses 408, 429 and 5xx. A request with a body is not repeated unless
    /// --retry-post says so.
    #[arg(long, value_name = "N", value_parser = parse_attempts, default_value = "0")]
    pub(crate) reconnect: u32,

    /// First wait before connecting again, give or take a quarter; 100ms to 30s.
    ///
    /// Doubled each time, up to 30 s; a server's `retry` takes its place, and its
    /// `Retry-After` may make it longer.
    #[arg(long, value_name = "TIME", value_parser = parse_delay, default_value = "500ms")]
    pub(crate) reconnect_delay: Duration,

    /// Repeat a request with a body too, before its first event.
    ///
    /// The server may have begun the work: it is then paid twice.
    #[arg(long, requires = "reconnect")]
    pub(crate) retry_post: bool,
}

impl WaitArgs {
    /// When to connect again.
    pub(crate) fn delays(&self) -> Delays {
        Delays {
            base: self.reconnect_delay,
            attempts_max: self.reconnect,
            ..Delays::DEFAULT
        }
    }
}

/// Parses a first wait. Others would not be kept to, so they are refused.
fn parse_delay(text: &str) -> Result<Duration, String> {
    let delay = parse_duration(text)?;
    let Delays { floor, ceiling, .. } = Delays::DEFAULT;
    match (floor..=ceiling).contains(&delay) {
        true => Ok(delay),
        false => Err("wanted is a time from 100ms to 30s".to_owned()),
    }
}

fn parse_attempts(text: &str) -> Result<u32, String> {
    match text {
        "unlimited" => Ok(u32::MAX),
        _ => text
            .parse()
            .map_err(|_| "wanted is a number, or `unlimited`".to_owned()),
    }
}

const ABOUT_GET: &str = "\
Examples:
  sseam get https://example.org/events
      {\"event\":\"message\",\"data\":\"hello\",\"id\":\"\"}
  sseam get https://api.openai.com/v1/responses -H @key --json @ask.json \\
      --dialect openai-responses --text
      the text of an answer; the file `key` has the line `Authorization: Bearer …`
  sseam get http://house:8000/generate --json '{\"prompt\":\"Hi\"}' \\
      --end-data '[DONE]' --text-field content --text
      the same for a server of your own
  sseam get https://example.org/events --reconnect 5 --last-event-id 42
      go on after an event, and connect again where the connection is lost
  sseam get https://example.org/events --record events.rec --timing
      see when each event came, and keep it for later

The proxy variables HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY are heeded.

Exit codes: 0 whole, 1 reading or writing failed, 2 usage or a recording that
exists, 10 incomplete, 11 refused, 12 failed or cancelled by the server, 20 broke
off or ended too soon, 21 timed out, 22 a limit was passed, 23 text is not valid
UTF-8, 30 HTTP status, 31 no event stream, 40 no connection or response,
130 Ctrl-C.";
