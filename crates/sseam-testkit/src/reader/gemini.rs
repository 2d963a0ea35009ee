//! Gemini, `alt=sse`.
//!
//! Rules:
//!
//! - Everything may be wrapped in `response` (Code Assist).
//! - Text stands in `candidates[].content.parts[].text`; with `thought` it is
//!   reasoning. Inline data, files, code and its results are output, not text.
//! - There is no end of its own. The clean end of the stream is the end if each
//!   candidate that was seen has a known `finishReason`, whatever follows it;
//!   in lenient mode one known finish is enough. A blocked prompt is an end.
//! - A `functionCall` without `willContinue` is whole, and ended at once. With
//!   it, more comes in calls without a name, or of the same name or id, until
//!   one does not continue. The arguments come in pieces then.
//! - Thoughts are parts of the output.

use super::Mode;
use super::answer::{Answer, Speech};
use super::calls::Call;
use super::drive::Api;
use super::faults::{details, is_truthy};
use super::json::{arguments, list, text};
use super::lines::Stream;
use super::partial::Partial;
use super::words::{PROMPT_BLOCKED, plain};
use serde_json::Value;

/// What has to be remembered between events.
#[derive(Debug, Default)]
pub(super) struct Gemini {
    candidates: Vec<Candidate>,
    /// The call of the chosen candidate that goes on.
    pending: Option<(usize, Partial)>,
}

#[derive(Debug, Default)]
struct Candidate {
    index: u64,
    /// A known finish came.
    has_finish: bool,
}

impl Api for Gemini {
    fn kind(&self, event_type: &str, _value: &Value) -> String {
        event_type.to_owned()
    }

    fn holds_output(&self, _event_type: &str) -> bool {
        true
    }

    fn output_keys(&self) -> &'static [&'static str] {
        &["candidates", "promptFeedback", "usageMetadata", "response"]
    }

    fn output(&mut self, _kind: &str, value: &Value, answer: &mut Answer) {
        for (at, told) in list(&unwrapped(value)["candidates"]).iter().enumerate() {
            let index = told["index"].as_u64().unwrap_or(at as u64);
            for part in list(&told["content"]["parts"]) {
                match index == answer.choice {
                    true => self.part(part, answer),
                    false => answer.has_output |= !part.is_null(),
                }
            }
            self.candidate(index);
        }
    }

    fn facts(&mut self, _kind: &str, value: &Value, answer: &mut Answer) {
        let value = unwrapped(value);
        let output = ["candidatesTokenCount", "thoughtsTokenCount"];
        answer
            .usage
            .tell(&value["usageMetadata"], &["promptTokenCount"], &output);
        if is_truthy(&value["error"]) {
            answer.fail(details(&value["error"]));
        }
        for (at, told) in list(&value["candidates"]).iter().enumerate() {
            let index = told["index"].as_u64().unwrap_or(at as u64);
            if let Some(word) = answer.finish(&told["finishReason"]) {
                let candidate = self.candidate(index);
                candidate.has_finish |= word.is_known;
            }
        }
        let blocked = plain(text(value, &["promptFeedback", "blockReason"]));
        if !blocked.is_empty() && blocked != "block_reason_unspecified" {
            answer.end_with(PROMPT_BLOCKED);
            answer.is_ended = true;
        }
    }

    fn close(&mut self, _stream: &Stream, answer: &mut Answer) {
        let mut finished = self.candidates.iter().map(|candidate| candidate.has_finish);
        answer.is_ended |= match answer.mode {
            Mode::Lenient => finished.any(|it| it),
            _ => !self.candidates.is_empty() && finished.all(|it| it),
        };
    }
}

impl Gemini {
    fn candidate(&mut self, index: u64) -> &mut Candidate {
        let at = self
            .candidates
            .iter()
            .position(|candidate| candidate.index == index);
        let at = at.unwrap_or_else(|| {
            self.candidates.push(Candidate {
                index,
                ..Candidate::default()
            });
            self.candidates.len() - 1
        });
        &mut self.candidates[at]
    }

    fn part(&mut self, part: &Value, answer: &mut Answer) {
        let speech = match part["thought"] == true {
            true => Speech::Reasoning,
            false => Speech::Text,
        };
        answer.say(speech, text(part, &["text"]));
        answer.has_output |= OTHER_OUTPUT.iter().any(|key| is_truthy(&part[*key]));
        if part["functionCall"].is_object() {
            self.call(&part["functionCall"], answer);
        }
    }

    fn call(&mut self, told: &Value, answer: &mut Answer) {
        let (id, name) = (text(told, &["id"]), text(told, &["name"]));
        let continued = self.pending.take().filter(|(at, _)| {
            let call = answer.calls.of(*at);
            let is_id = id.is_empty() || id == call.id;
            is_id && (name.is_empty() || name == call.name)
        });
        let is_nothing = continued.is_none() && told.as_object().is_some_and(|it| it.is_empty());
        if is_nothing {
            return;
        }
        let (at, mut partial) = continued.unwrap_or_else(|| {
            let call = Call {
                id: id.to_owned(),
                name: name.to_owned(),
                ..Call::default()
            };
            (answer.open(call), Partial::default())
        });
        answer.piece(at, &arguments(&told["args"]));
        let parts = list(&told["partialArgs"]);
        parts.iter().for_each(|part| partial.take(part));
        answer.has_output |= !parts.is_empty();
        let call = answer.calls.of(at);
        if !partial.text().is_empty() {
            call.pieces = partial.text();
        }
        call.is_cut = !partial.is_whole();
        match told["willContinue"] == true {
            true => {
                // Nothing but its own end closes it.
                call.is_cut = true;
                self.pending = Some((at, partial));
            }
            false => answer.calls.end(at),
        }
    }
}

/// What Code Assist wraps.
fn unwrapped(value: &Value) -> &Value {
    match value["response"].is_object() {
        true => &value["response"],
        false => value,
    }
}

const OTHER_OUTPUT: &[&str] = &[
    "inlineData",
    "fileData",
    "executableCode",
    "codeExecutionResult",
];
