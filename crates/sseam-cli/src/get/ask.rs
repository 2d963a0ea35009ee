//! Flags and the files that they name to a request.

use std::fs;
use std::io::Read;
use std::path::Path;

use sseam::client::Request;
use sseam::llm::{Dialect, Turn};

use crate::args::{GetArgs, RequestArgs};
use crate::source;

/// Makes the request; `turn` says whose events are expected.
///
/// # Errors
///
/// What is wrong with a flag or a file, in words that show no value.
pub(crate) fn request(
    args: &GetArgs,
    turn: Option<Turn>,
    stdin: &mut dyn Read,
) -> Result<Request, String> {
    let mut inputs = Inputs { stdin: Some(stdin) };
    let RequestArgs {
        method,
        last_event_id,
        cacert,
        ..
    } = &args.request;
    let body = inputs.body(&args.request)?;
    let default = if body.is_some() { "POST" } else { "GET" };
    let method = method.as_deref().unwrap_or(default);
    let mut request = Request::new(method, &args.url)
        .turn(turn.unwrap_or(Turn::new(Dialect::Plain)))
        .limits(args.limits.limits())
        .connect_timeout(args.waits.connect_timeout.0)
        .header_timeout(args.waits.header_timeout.0)
        .first_output_timeout(args.waits.first_output_timeout.0)
        .idle_timeout(args.waits.idle_timeout.0)
        .progress_timeout(args.waits.progress_timeout.0)
        .total_timeout(args.waits.max_time.0)
        .reconnect(args.waits.delays())
        .retry_post(args.waits.retry_post)
        .follow_post(args.request.follow_post)
        .allow_missing_content_type(args.request.allow_missing_content_type)
        .allow_any_content_type(args.request.any_content_type)
        .strict_text(args.dialect.shows(&args.output).is_some() && !args.output.lossy)
        .settle(args.waits.settle)
        .proxy_from_env();
    let mut has_type = false;
    for (name, value) in inputs.headers(&args.request.header)? {
        has_type |= name.eq_ignore_ascii_case("content-type");
        request = request.header(name, value);
    }
    if let Some((body, content_type)) = body {
        if !has_type {
            request = request.header("Content-Type", content_type);
        }
        request = request.body(body);
    }
    if let Some(id) = last_event_id {
        request = request.last_event_id(id);
    }
    if let Some(path) = cacert {
        request = request.root_certificates(read(path)?);
    }
    Ok(request)
}

/// What the files that flags name hold.
struct Inputs<'io> {
    /// Until a flag has taken it.
    stdin: Option<&'io mut dyn Read>,
}

impl Inputs<'_> {
    /// The body and its content type, as curl makes them.
    fn body(&mut self, args: &RequestArgs) -> Result<Option<(Vec<u8>, &'static str)>, String> {
        if !args.data.is_empty() {
            let parts = args.data.iter().map(|part| self.part(part, true));
            let parts: Vec<Vec<u8>> = parts.collect::<Result<_, _>>()?;
            return Ok(Some((
                parts.join(&b'&'),
                "application/x-www-form-urlencoded",
            )));
        }
        if args.json.is_empty() {
            return Ok(None);
        }
        let parts = args.json.iter().map(|part| self.part(part, false));
        let parts: Vec<Vec<u8>> = parts.collect::<Result<_, _>>()?;
        Ok(Some((parts.concat(), "application/json")))
    }

    /// A part of the body, or what the file holds that it names.
    fn part(&mut self, part: &str, is_stripped: bool) -> Result<Vec<u8>, String> {
        let Some(path) = part.strip_prefix('@') else {
            return Ok(part.as_bytes().to_vec());
        };
        let mut bytes = self.file(path)?;
        if is_stripped {
            // As curl does, so that a file may end with a line feed.
            bytes.retain(|byte| !b"\r\n\0".contains(byte));
        }
        Ok(bytes)
    }

    /// The headers of all flags, in their order.
    fn headers(&mut self, flags: &[String]) -> Result<Vec<(String, Vec<u8>)>, String> {
        let mut headers = Vec::new();
        for flag in flags {
            let Some(path) = flag.strip_prefix('@') else {
                headers.push(header(flag.as_bytes()).ok_or(HEADER_WANTED)?);
                continue;
            };
            let bytes = self.file(path)?;
            for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
                let line = line.trim_ascii();
                if line.is_empty() {
                    continue;
                }
                let name = source::name(path.as_ref());
                let number = index + 1;
                let wanted = || format!("{name}, line {number}: {HEADER_WANTED}");
                headers.push(header(line).ok_or_else(wanted)?);
            }
        }
        Ok(headers)
    }

    /// What a file holds, or standard input.
    fn file(&mut self, path: &str) -> Result<Vec<u8>, String> {
        if path != "-" {
            return read(path.as_ref());
        }
        let stdin = self.stdin.take();
        let stdin = stdin.ok_or("only one flag can read standard input")?;
        let mut bytes = Vec::new();
        let result = stdin.read_to_end(&mut bytes);
        result.map_err(|error| format!("standard input: cannot be read: {error}"))?;
        Ok(bytes)
    }
}

/// `Name: value`, or `Name;` for one without a value.
fn header(line: &[u8]) -> Option<(String, Vec<u8>)> {
    let (name, value) = match line.iter().position(|byte| *byte == b':') {
        Some(at) => (line.get(..at)?, line.get(at + 1..)?.trim_ascii()),
        None => (line.strip_suffix(b";")?, &b""[..]),
    };
    let name = std::str::from_utf8(name).ok()?;
    (!name.is_empty()).then(|| (name.to_owned(), value.to_vec()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let name = source::name(path);
    fs::read(path).map_err(|error| format!("{name}: cannot be read: {error}"))
}

const HEADER_WANTED: &str = "a header is `Name: value`";
