//! The flags of `serve`.

use std::net::IpAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueHint;

use super::duration::parse_duration;

/// Serve a stream to clients, with the faults that they must stand.
///
/// Every request gets the stream, whatever its path and method. The address goes
/// to standard output, a line for each request to standard error. A client that
/// sends `Last-Event-ID` gets what follows that event, and 204 if that is
/// nothing. A client that closes its side of the connection has left.
#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT_SERVE)]
pub(crate) struct ServeArgs {
    /// A stream as it is, or a recording, which keeps its cuts and its timing.
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "upstream")]
    pub(crate) file: Option<PathBuf>,

    /// Listen on this port; 0 is any that is free.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,

    /// Listen on this address; 0.0.0.0 lets other machines in.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,

    /// End after N requests; a connection without a request is none.
    #[arg(long, value_name = "N")]
    pub(crate) requests: Option<NonZeroU64>,

    #[command(flatten)]
    pub(crate) response: ResponseArgs,

    #[command(flatten)]
    pub(crate) faults: FaultArgs,

    #[command(flatten)]
    pub(crate) recorder: RecorderArgs,
}

/// The response.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Response")]
pub(crate) struct ResponseArgs {
    /// Send N bytes at a time, each in a chunk of its own.
    ///
    /// Without it an event at a time, or as it was recorded.
    #[arg(long, value_name = "N", conflicts_with = "upstream")]
    pub(crate) chunk_size: Option<NonZeroUsize>,

    /// Wait before each piece but the first; without it not at all, or as it was
    /// recorded.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with = "upstream")]
    pub(crate) delay: Option<Duration>,

    /// Send a comment whenever nothing was sent for so long, between events.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with = "upstream")]
    pub(crate) heartbeat: Option<Duration>,

    /// Answer with this status [default: 200, or as it was recorded].
    #[arg(
        long, value_name = "CODE", value_parser = clap::value_parser!(u16).range(200..600),
        conflicts_with = "upstream"
    )]
    pub(crate) status: Option<u16>,

    /// Say that it is TYPE [default: text/event-stream, or as it was recorded].
    #[arg(long, value_name = "TYPE", value_parser = parse_value, conflicts_with = "upstream")]
    pub(crate) content_type: Option<String>,

    /// Add a header to the response, such as `Access-Control-Allow-Origin: *`.
    #[arg(
        short = 'H', long, value_name = "NAME: VALUE", value_parser = parse_header,
        conflicts_with = "upstream"
    )]
    pub(crate) header: Vec<(String, String)>,

    /// End the body with the connection rather than with a last chunk.
    #[arg(long, conflicts_with = "upstream")]
    pub(crate) no_chunked: bool,

    /// Serve this response of a recording that has several.
    #[arg(long, value_name = "N", conflicts_with = "upstream")]
    pub(crate) response: Option<u32>,
}

/// Where it goes wrong. Offsets count the bytes of the file's stream from 0, also
/// for a client that resumes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Faults")]
#[group(id = "fault", multiple = false)]
pub(crate) struct FaultArgs {
    /// Close the connection at this byte, without the end that HTTP demands.
    #[arg(long, value_name = "OFFSET", conflicts_with = "upstream")]
    pub(crate) cut_at: Option<usize>,

    /// Reset the connection at this byte.
    #[arg(long, value_name = "OFFSET", conflicts_with = "upstream")]
    pub(crate) drop_at: Option<usize>,

    /// Fall silent at this byte and keep the connection; heartbeats go on.
    #[arg(long, value_name = "OFFSET", conflicts_with = "upstream")]
    pub(crate) stall_at: Option<usize>,
}

/// The recorder.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Recorder")]
pub(crate) struct RecorderArgs {
    /// Pass requests on to this address, and what it answers back, untouched.
    ///
    /// It stands for the base URL of an application: the path of a request is
    /// put behind it. When the application leaves, the upstream's connection is
    /// closed too.
    #[arg(long, value_name = "URL", requires = "record", conflicts_with = "file")]
    pub(crate) upstream: Option<String>,

    /// Write what the upstream answers and when to FILE, for `sseam replay` and
    /// `sseam serve`. Nothing of a request but its method and path.
    #[arg(long, value_name = "FILE", requires = "upstream", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<PathBuf>,

    /// Overwrite the recording if there is one.
    #[arg(long, requires = "record")]
    pub(crate) force: bool,

    /// Trust the certificates in FILE (PEM) instead of the public ones.
    #[arg(long, value_name = "FILE", requires = "upstream", value_hint = ValueHint::FilePath)]
    pub(crate) cacert: Option<PathBuf>,
}

fn parse_header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("wanted is `Name: value`")?;
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err("that name is none of a header".to_owned());
    }
    Ok((name.to_owned(), parse_value(value)?))
}

/// A header's value, into which no other header can be put.
fn parse_value(text: &str) -> Result<String, String> {
    match text.chars().any(char::is_control) {
        true => Err("a header holds no control characters".to_owned()),
        false => Ok(text.trim().to_owned()),
    }
}

const ABOUT_SERVE: &str = "\
Examples:
  sseam serve answer.sse --port 8080
      http://127.0.0.1:8080/
  sseam serve answer.sse --chunk-size 1 --delay 5ms
      byte by byte: what a parser must stand
  sseam serve answer.sse --cut-at 100
      what a client makes of a connection that is lost
  sseam serve answer.sse --stall-at 100 --heartbeat 1s
      comments keep coming, the answer does not
  sseam serve error.json --status 429 --content-type application/json
      a failure before the stream
  sseam serve --upstream https://api.example.com/v1 --record answer.rec --port 8080
      let an application use http://127.0.0.1:8080 as its base URL, and see later,
      with `sseam replay answer.rec`, what it was sent, in which pieces, and when

Exit codes: 0 after so many requests, 1 the port cannot be had, 2 usage,
unreadable file, or a recording that exists.";
