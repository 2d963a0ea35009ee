//! The way of each event through an API.
//!
//! Rules:
//!
//! - Whether an event fails the answer is looked up before the API sees it, and
//!   the API sees it all the same: output may stand beside a failure.
//! - A failure by itself ends nothing: output goes on to count after it.
//! - An event of the type `error` fails the answer, with plain text or cut JSON
//!   too. Empty data is a sign of life even there.
//! - An unreadable event counts before the API's own end, unless its type says
//!   that it never holds output, or is none of the API's.
//! - Bare lines fail the answer if they are JSON that says so, together or one
//!   by one, or are cut JSON whose first key is `error`.
//! - A start of an answer is a splice after output, were it the first start:
//!   the head of an answer was lost then. Before any output it is nothing;
//!   after the own end nothing is read any more, failures included.
//! - In lenient mode the event that lacks its blank line counts, if it is
//!   readable; if not, it was cut, which is no news.
//! - A body without events that is no event stream: exit 31, unless it is one
//!   JSON object that says that it failed.

use super::Mode;
use super::answer::Answer;
use super::faults::{self, Fault};
use super::json::{self, Data, data, parse};
use super::lines::{Piece, Stream};
use crate::field::Seen;
use serde_json::Value;

/// What an API makes of its events.
pub(super) trait Api {
    /// What an event is called: by its data, or else by its type.
    fn kind(&self, event_type: &str, value: &Value) -> String {
        match json::text(value, &["type"]) {
            "" => event_type.to_owned(),
            kind => kind.to_owned(),
        }
    }

    /// Whether an event of this type may hold output, or the only reason.
    fn holds_output(&self, event_type: &str) -> bool;

    /// The keys that say that an event is no bare failure.
    fn output_keys(&self) -> &'static [&'static str];

    /// Whether a list is each of its members.
    fn takes_lists(&self) -> bool {
        false
    }

    /// Whether another answer starts here.
    fn is_start(&mut self, _kind: &str, _value: &Value, _answer: &Answer) -> bool {
        false
    }

    /// Takes what counts only before the end: text, calls.
    fn output(&mut self, kind: &str, value: &Value, answer: &mut Answer);

    /// Takes what counts after the end, too, and the end itself.
    fn facts(&mut self, kind: &str, value: &Value, answer: &mut Answer);

    /// Takes `[DONE]`.
    fn done(&mut self, _answer: &mut Answer) {}

    /// Takes an ignored line named `error`.
    fn error_line(&mut self, _value: &str, _answer: &mut Answer) {}

    /// Takes a body that is one JSON document; `false` if it is no answer.
    fn document(&mut self, _value: &Value, _answer: &mut Answer) -> bool {
        false
    }

    /// Takes the clean end of the stream.
    fn close(&mut self, stream: &Stream, answer: &mut Answer);
}

/// Reads the whole stream.
pub(super) fn drive(api: &mut dyn Api, mut answer: Answer, stream: &Stream) -> Seen {
    if stream.is_no_event_stream() {
        return body(api, answer, stream);
    }
    for piece in &stream.pieces {
        match piece {
            _ if answer.is_over => {}
            Piece::Event(event_type, data) => event(api, event_type, data, &mut answer),
            Piece::Bare(lines) => {
                if let Some(fault) = bare(lines) {
                    answer.fail(fault);
                }
                let named = lines.iter().filter_map(|line| error_value(line));
                named.for_each(|value| api.error_line(value, &mut answer));
            }
        }
    }
    if let (Mode::Lenient, false, Some((event_type, text))) =
        (answer.mode, answer.is_over, &stream.unfinished)
        && data(text) != Data::Unreadable
    {
        event(api, event_type, text, &mut answer);
    }
    api.close(stream, &mut answer);
    answer.seen()
}

/// The failure that ignored lines tell.
pub(super) fn bare(lines: &[String]) -> Option<Fault> {
    let whole = lines.join("\n");
    let texts = std::iter::once(&whole).chain(lines);
    let found = texts
        .filter_map(|text| parse(text.trim()))
        .find_map(|value| faults::find(&value, &[]));
    found.or_else(|| cut_error(&whole))
}

/// The value of an ignored line named `error`, unless it says nothing.
pub(super) fn error_value(line: &str) -> Option<&str> {
    let value = line.strip_prefix("error:")?.trim();
    let is_nothing = parse(value).is_some_and(|value| !faults::is_truthy(&value));
    (!value.is_empty() && !is_nothing).then_some(value)
}

/// The failure that text tells of which it is known that it tells one.
pub(super) fn told(text: &str) -> Fault {
    match parse(text) {
        Some(value) => faults::details(&value),
        None => faults::details(&Value::from(text)),
    }
}

fn event(api: &mut dyn Api, event_type: &str, text: &str, answer: &mut Answer) {
    let data = data(text);
    if event_type == "error" && !text.trim().is_empty() {
        answer.fail(told(text));
    }
    match data {
        Data::SignOfLife => {}
        Data::Done => api.done(answer),
        Data::Json(Value::Array(values)) if api.takes_lists() => {
            values
                .iter()
                .for_each(|value| object(api, event_type, value, answer));
        }
        Data::Json(value) => object(api, event_type, &value, answer),
        Data::Unreadable => {
            let is_error = event_type == "error";
            if !answer.is_ended && !is_error && api.holds_output(event_type) {
                answer.is_unreadable = true;
            }
        }
    }
}

fn object(api: &mut dyn Api, event_type: &str, value: &Value, answer: &mut Answer) {
    if !value.is_object() || answer.is_over {
        return;
    }
    let kind = api.kind(event_type, value);
    if let Some(fault) = faults::find(value, api.output_keys()) {
        answer.fail(fault);
    }
    if api.is_start(&kind, value, answer) {
        match (answer.is_ended, answer.has_output) {
            (true, _) => answer.is_over = true,
            (false, true) => answer.splice(),
            (false, false) => {}
        }
    }
    if answer.is_over {
        return;
    }
    if !answer.is_ended {
        api.output(&kind, value, answer);
    }
    api.facts(&kind, value, answer);
}

fn body(api: &mut dyn Api, mut answer: Answer, stream: &Stream) -> Seen {
    let document = stream.document();
    let fault = match &document {
        Some(value) if value.is_object() => faults::find(value, api.output_keys()),
        Some(_) => None,
        None => cut_error(&String::from_utf8_lossy(&stream.body)),
    };
    let is_answer = document.is_some_and(|value| api.document(&value, &mut answer));
    let is_failed = fault.is_some();
    if let Some(fault) = fault {
        answer.fail(fault);
    }
    let seen = answer.seen();
    match is_answer || is_failed {
        true => seen,
        false => Seen { exit: 31, ..seen },
    }
}

/// JSON that was cut, and whose first key is `error`.
fn cut_error(text: &str) -> Option<Fault> {
    let inside = text.trim().strip_prefix('{')?.trim_start();
    let value = inside.strip_prefix("\"error\"")?.trim_start();
    let value = value.strip_prefix(':')?.trim_start();
    let is_cut = |error: serde_json::Error| error.is_eof();
    let is_cut = serde_json::from_str::<Value>(text).is_err_and(is_cut);
    (is_cut && value.starts_with(['{', '"'])).then(|| Fault {
        code: String::new(),
        message: value.to_owned(),
    })
}
