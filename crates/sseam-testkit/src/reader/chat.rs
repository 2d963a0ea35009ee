//! OpenAI Chat Completions, and the servers that speak it.
//!
//! Rules:
//!
//! - Text stands in `choices[].delta.content` (a string, or a list of parts),
//!   in `delta.refusal`, in `message` where there is no delta, or in `text`. A
//!   `message` after deltas repeats them. Of `reasoning` and
//!   `reasoning_content` the first that is not empty counts, then
//!   `reasoning_details`; never two of them. Only the chosen choice is given
//!   out, but the finishes of all count.
//! - A new id of a tool call opens another call, whatever its index says. An
//!   index without id continues its latest call, or opens one of its own.
//!   Neither continues the last call. Arguments may be an object.
//! - A finish closes nothing by itself. Of several the weightiest stands, and
//!   so it does of `finish_reason` and `native_finish_reason`.
//! - `[DONE]` is the end if no choice that was seen has a finish, or all have
//!   one; strict mode wants all, and at least one. Without it, the end of the
//!   stream is the end if every choice that was seen finished with a known word
//!   and none said anything after its finish; lenient mode wants one finish,
//!   strict mode never takes it.
//! - The end closes calls whose choice finished, if they are whole; without a
//!   finish only those that hold JSON. A failed answer closes none.
//! - A splice is another `id` after output, with a role beside it or after an
//!   id that came twice. Chunks without choices do not count here.
//! - An ignored line named `error` is a failure.

use super::Mode;
use super::answer::{Answer, Speech};
use super::calls::{Call, Form};
use super::drive::{Api, told};
use super::faults::{details, is_truthy};
use super::json::{arguments, filled, list, text};
use super::lines::Stream;
use super::usage::Usage;
use serde_json::Value;

/// What has to be remembered between chunks.
#[derive(Debug, Default)]
pub(super) struct Chat {
    choices: Vec<Choice>,
    /// The id of the answer, and how often it came.
    id: Option<(String, u64)>,
    /// Something was said after a finish.
    is_finish_worthless: bool,
}

#[derive(Debug, Default)]
struct Choice {
    index: u64,
    has_finish: bool,
    /// Of its finishes one was a known word.
    is_known: bool,
    /// Some chunk had a delta that holds anything.
    has_delta: bool,
    /// The call of before there were tools.
    function_call: Option<usize>,
    text: String,
    reasoning: String,
    refusal: String,
    /// Where a choice speaks that is not the chosen one.
    aside: Option<Answer>,
}

impl Api for Chat {
    fn kind(&self, event_type: &str, _value: &Value) -> String {
        event_type.to_owned()
    }

    fn holds_output(&self, _event_type: &str) -> bool {
        true
    }

    fn output_keys(&self) -> &'static [&'static str] {
        &["choices"]
    }

    fn is_start(&mut self, _kind: &str, value: &Value, answer: &Answer) -> bool {
        let id = text(value, &["id"]);
        let choices = list(&value["choices"]);
        if id.is_empty() || choices.is_empty() {
            return false;
        }
        let has_role = choices.iter().any(|choice| {
            !text(choice, &["delta", "role"]).is_empty()
                || !text(choice, &["message", "role"]).is_empty()
        });
        let (known, count) = self.id.take().unwrap_or((id.to_owned(), 0));
        let is_start = known != id && (has_role || (count > 1 && !answer.is_ended));
        self.id = Some((id.to_owned(), if known == id { count + 1 } else { 1 }));
        is_start
    }

    fn output(&mut self, _kind: &str, value: &Value, answer: &mut Answer) {
        for (at, part) in list(&value["choices"]).iter().enumerate() {
            let index = part["index"].as_u64().unwrap_or(at as u64);
            let choice = self.choice(index);
            let had_finish = choice.has_finish;
            let had_output = std::mem::take(&mut answer.has_output);
            if index == answer.choice {
                choice.take(part, answer);
            } else {
                // What another choice says is output, but it is not given out.
                let mut aside = choice.aside.take().unwrap_or_else(Answer::aside);
                choice.take(part, &mut aside);
                answer.has_output = std::mem::take(&mut aside.has_output);
                choice.aside = Some(aside);
            }
            self.is_finish_worthless |= had_finish && answer.has_output;
            answer.has_output |= had_output;
        }
    }

    fn facts(&mut self, _kind: &str, value: &Value, answer: &mut Answer) {
        usage(&mut answer.usage, &value["usage"]);
        usage(&mut answer.usage, &value["x_groq"]["usage"]);
        for (at, part) in list(&value["choices"]).iter().enumerate() {
            usage(&mut answer.usage, &part["usage"]);
            if is_truthy(&part["error"]) {
                answer.fail(details(&part["error"]));
            }
            let index = part["index"].as_u64().unwrap_or(at as u64);
            let choice = self.choice(index);
            for reason in [&part["finish_reason"], &part["native_finish_reason"]] {
                if let Some(word) = answer.finish(reason) {
                    choice.has_finish = true;
                    choice.is_known |= word.is_known;
                }
            }
        }
    }

    fn done(&mut self, answer: &mut Answer) {
        let finished = self
            .choices
            .iter()
            .filter(|choice| choice.has_finish)
            .count();
        let is_end = match answer.mode {
            Mode::Lenient => true,
            Mode::Default => finished == 0 || finished == self.choices.len(),
            Mode::Strict => finished > 0 && finished == self.choices.len(),
        };
        if is_end && !answer.is_ended {
            self.end(answer);
        }
    }

    fn error_line(&mut self, value: &str, answer: &mut Answer) {
        answer.fail(told(value));
    }

    fn close(&mut self, _stream: &Stream, answer: &mut Answer) {
        let mut known = self.choices.iter().map(|choice| choice.is_known);
        let is_end = match answer.mode {
            Mode::Lenient => known.any(|is_known| is_known),
            Mode::Default => {
                !self.choices.is_empty() && known.all(|it| it) && !self.is_finish_worthless
            }
            Mode::Strict => false,
        };
        if is_end && !answer.is_ended && !answer.is_over {
            self.end(answer);
        }
    }
}

impl Chat {
    fn choice(&mut self, index: u64) -> &mut Choice {
        let at = self.choices.iter().position(|choice| choice.index == index);
        let at = at.unwrap_or_else(|| {
            self.choices.push(Choice {
                index,
                ..Choice::default()
            });
            self.choices.len() - 1
        });
        &mut self.choices[at]
    }

    fn end(&mut self, answer: &mut Answer) {
        answer.is_ended = true;
        let chosen = answer.choice;
        let is_finished = self.choice(chosen).has_finish;
        if (is_finished && !answer.is_failed()) || answer.is_success() {
            answer.calls.end_all(is_finished);
        }
    }
}

impl Choice {
    /// Takes what one chunk says of this choice.
    fn take(&mut self, part: &Value, answer: &mut Answer) {
        let (delta, message) = (&part["delta"], &part["message"]);
        self.has_delta |= filled(delta).is_some();
        if filled(delta).is_some() {
            self.speak(delta, false, answer);
        }
        if filled(message).is_some() {
            self.speak(message, self.has_delta, answer);
        }
        if filled(delta).is_none() && filled(message).is_none() {
            answer.say(Speech::Text, text(part, &["text"]));
        }
    }

    fn speak(&mut self, delta: &Value, is_repeat: bool, answer: &mut Answer) {
        let (thoughts, words, declined) = content(&delta["content"]);
        let reasoning = match reasoning(delta) {
            told if told.is_empty() => thoughts,
            told => told,
        };
        let refusal = declined + text(delta, &["refusal"]);
        let said = [
            (Speech::Reasoning, &mut self.reasoning, reasoning),
            (Speech::Text, &mut self.text, words),
            (Speech::Refusal, &mut self.refusal, refusal),
        ];
        for (speech, given, told) in said {
            let new = match is_repeat {
                true => answer.repeat(given, &told),
                false => told,
            };
            answer.say(speech, &new);
            given.push_str(&new);
        }
        answer.has_output |= !is_repeat && is_media(delta);
        for call in list(&delta["tool_calls"]) {
            tool_call(call, is_repeat, answer);
        }
        let function = &delta["function_call"];
        if self.function_call.is_some() || tells_call(function, "arguments") {
            let is_known = self.function_call.is_some();
            let at = self
                .function_call
                .unwrap_or_else(|| answer.open(Call::default()));
            self.function_call = Some(at);
            take_arguments(at, function, "arguments", is_repeat && is_known, answer);
        }
    }
}

/// Reasoning, text and refusal in a string or a list of parts.
fn content(content: &Value) -> (String, String, String) {
    let (mut reasoning, mut words, mut refusal) = Default::default();
    if let Some(text) = content.as_str() {
        words = text.to_owned();
    }
    for part in list(content) {
        match text(part, &["type"]) {
            "thinking" => {
                reasoning += text(part, &["thinking"]);
                for thought in list(&part["thinking"]) {
                    reasoning += text(thought, &["text"]);
                }
            }
            "text" | "output_text" => words += text(part, &["text"]),
            "refusal" => refusal += text(part, &["refusal"]),
            _ => {}
        }
    }
    (reasoning, words, refusal)
}

/// The first place that holds reasoning.
fn reasoning(delta: &Value) -> String {
    let of = |value: &Value| match value {
        Value::String(text) => text.clone(),
        object => ["text", "content", "summary"]
            .iter()
            .map(|key| text(object, &[*key]).to_owned())
            .find(|text| !text.is_empty())
            .unwrap_or_default(),
    };
    let named = ["reasoning", "reasoning_content"]
        .iter()
        .map(|key| of(&delta[*key]));
    let details = list(&delta["reasoning_details"]).iter().map(of).collect();
    named
        .chain([details])
        .find(|text: &String| !text.is_empty())
        .unwrap_or_default()
}

/// Output that is no text: sound, images, reasoning that nobody can read.
fn is_media(delta: &Value) -> bool {
    let is_image = |part: &Value| text(part, &["type"]).contains("image");
    !text(delta, &["audio", "data"]).is_empty()
        || !text(delta, &["audio", "transcript"]).is_empty()
        || !list(&delta["images"]).is_empty()
        || !list(&delta["reasoning_details"]).is_empty()
        || list(&delta["content"]).iter().any(is_image)
}

fn tool_call(part: &Value, is_repeat: bool, answer: &mut Answer) {
    let (id, index) = (text(part, &["id"]), part["index"].as_u64());
    let found = match (id, index) {
        ("", Some(index)) => answer.calls.with_index(index),
        ("", None) => answer.calls.last,
        (id, _) => answer.calls.with_id(id),
    };
    let (body, key) = match part["custom"].is_object() {
        true => (&part["custom"], "input"),
        false => (&part["function"], "arguments"),
    };
    if found.is_none() && id.is_empty() && !tells_call(body, key) {
        return;
    }
    let at = found.unwrap_or_else(|| {
        answer.open(Call {
            id: id.to_owned(),
            index,
            form: if key == "input" {
                Form::Free
            } else {
                Form::Json
            },
            ..Call::default()
        })
    });
    let is_known = found.is_some();
    take_arguments(at, body, key, is_repeat && is_known, answer);
}

/// Whether there is enough of a call to open one.
fn tells_call(body: &Value, key: &str) -> bool {
    is_truthy(&body["name"]) || !arguments(&body[key]).is_empty()
}

fn take_arguments(at: usize, body: &Value, key: &str, is_repeat: bool, answer: &mut Answer) {
    let told = arguments(&body[key]);
    let given = answer.calls.of(at).pieces.clone();
    let new = match is_repeat {
        true => answer.repeat(&given, &told),
        false => told,
    };
    answer.piece(at, &new);
    let call = answer.calls.of(at);
    if call.name.is_empty() {
        call.name = text(body, &["name"]).to_owned();
    }
}

fn usage(usage: &mut Usage, value: &Value) {
    usage.tell(value, &["prompt_tokens"], &["completion_tokens"]);
}
