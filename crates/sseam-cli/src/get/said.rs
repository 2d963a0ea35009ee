//! What a client's error says to a person, and which flag changes it.

use sseam::client::{ClientError, EventSource, NotEventStream, RedirectError, RequestError, Unfit};
use sseam::llm::{Answer, Close, Dialect, Foreign, Timeout, TransportEnd, Turn};
use sseam::{GrowingMemory, Limits};

use crate::escape;
use crate::stop::Stop;
use crate::summary;

/// The error in words, on one line, without anything of the request.
pub(crate) fn words(error: &ClientError) -> String {
    match error {
        ClientError::TimedOut(timed_out) => {
            format!("{timed_out}; {} sets it", flag(timed_out.timeout))
        }
        ClientError::Truncated(truncated) if truncated.end.is_truncated() => {
            summary::truncation(&truncated.end, "") + transport(truncated.transport)
        }
        ClientError::Limit(error) => Stop::Parser(*error).to_string(),
        ClientError::NotEventStream(it) => match (foreign(it), it.reason()) {
            (Some(foreign), _) => {
                let (name, advice) = (foreign.name(), foreign.advice());
                format!("{error}; it is {name}: {advice}")
            }
            (None, Unfit::MissingContentType) => {
                format!("{error}; --allow-missing-content-type does without")
            }
            (None, Unfit::ContentType) => {
                format!("{error}; --any-content-type takes it for one all the same")
            }
            _ => error.to_string(),
        },
        ClientError::Redirect(RedirectError::Refused { .. }) => {
            format!("{error}; --follow-post follows 307 and 308")
        }
        ClientError::GaveUp { attempts, last } => {
            let times = if *attempts == 1 {
                "attempt"
            } else {
                "attempts"
            };
            let last = words(last);
            format!("gave up after {attempts} {times} to connect again: {last}")
        }
        // Those of TLS come from certificates, which say what they like.
        _ => escape::escaped(&error.to_string()),
    }
}

/// What the body of a response is, by its first bytes, if no event stream.
pub(crate) fn foreign(error: &NotEventStream) -> Option<Foreign> {
    let turn = Turn::new(Dialect::Plain);
    let mut answer = Answer::growing(GrowingMemory::new(), Limits::LARGE, turn);
    answer.feed(error.body(), |_| {});
    answer.end(Close::Transport(TransportEnd::Clean));
    answer.foreign()
}

/// What the server said with its refusal, without what the request held.
pub(crate) fn redacted_body(source: &EventSource, error: &ClientError) -> Vec<u8> {
    let (body, is_cut) = match error {
        ClientError::Status(error) => (error.body(), error.body_is_cut()),
        ClientError::NotEventStream(error) => (error.body(), error.body_is_cut()),
        ClientError::GaveUp { last, .. } => return redacted_body(source, last),
        _ => return Vec::new(),
    };
    match is_cut {
        true => source.redact_cut(body),
        false => source.redact(body),
    }
}

/// A body as it is shown: at most 2 KiB of it, on one line.
pub(crate) fn shown_body(redacted: &[u8]) -> Option<String> {
    let is_cut = redacted.len() > BODY_LEN_MAX;
    let text = String::from_utf8_lossy(redacted.get(..BODY_LEN_MAX).unwrap_or(redacted));
    let kept = text.trim_end();
    if kept.is_empty() {
        return None;
    }
    let dots = if is_cut { "…" } else { "" };
    Some(format!("it says: {}{dots}", escape::escaped(kept)))
}

/// What is wrong with the request, in words that name a flag.
pub(crate) fn refusal(error: RequestError) -> String {
    match error {
        RequestError::LastEventId => format!("--last-event-id: {error}"),
        RequestError::Certificates => format!("--cacert: {error}"),
        RequestError::Header | RequestError::Framing => format!("-H: {error}"),
        RequestError::Method | RequestError::Body => format!("-X: {error}"),
        _ => error.to_string(),
    }
}

const fn flag(timeout: Timeout) -> &'static str {
    match timeout {
        Timeout::Connect => "--connect-timeout",
        Timeout::Headers => "--header-timeout",
        Timeout::FirstOutput => "--first-output-timeout",
        Timeout::Idle => "--idle-timeout",
        Timeout::Progress => "--progress-timeout",
        _ => "--max-time",
    }
}

const fn transport(end: TransportEnd) -> &'static str {
    match end {
        TransportEnd::Cut => "; the body was cut",
        TransportEnd::Reset => "; the connection was reset",
        _ => "",
    }
}

/// So much of a server's explanation is shown.
const BODY_LEN_MAX: usize = 2048;
