//! The items and parts of OpenAI Responses, and what repeats them.
//!
//! Rules:
//!
//! - An item is known by its id, and only without one by its `output_index`:
//!   the latest that has it. An id that nobody has belongs to an item that was
//!   seen without an id at that index, or to a new item.
//! - A part is known by its item, what it is, and its number. What came by
//!   deltas is repeated by the `done` of the text, of the part, of the item and
//!   of the response; each is text itself where nothing came before.

use super::answer::{Answer, Speech};
use super::json::{list, text};
use serde_json::Value;

/// One item of the output.
#[derive(Clone, Debug, Default)]
pub(super) struct Item {
    id: String,
    index: Option<u64>,
    /// The call that it is, if it is one.
    pub(super) call: Option<usize>,
    parts: Vec<(PartKey, String)>,
}

/// Which part of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKey {
    /// Of the content: text, or a refusal if it is one.
    Content(u64, bool),
    /// A thought, by number.
    Thought(u64),
    /// A summary of thoughts.
    Summary(u64),
    /// A command for a shell.
    Command(u64),
}

/// All items.
#[derive(Clone, Debug, Default)]
pub(super) struct Items(Vec<Item>);

impl Items {
    /// The item that is meant, made if need be.
    pub(super) fn of(&mut self, id: &str, index: Option<u64>) -> &mut Item {
        let is_meant = |item: &Item| match id.is_empty() {
            false => item.id == id,
            true => index.is_none() || item.index == index,
        };
        let is_adopted = |item: &Item| {
            let is_nowhere = item.index.is_none() && item.id.is_empty();
            is_nowhere || (item.id.is_empty() && item.index == index)
        };
        let found = self.0.iter().rposition(is_meant);
        let at = found.or_else(|| self.0.iter().rposition(is_adopted));
        let at = at.unwrap_or_else(|| {
            self.0.push(Item::default());
            self.0.len() - 1
        });
        let item = &mut self.0[at];
        if !id.is_empty() {
            item.id = id.to_owned();
        }
        item.index = item.index.or(index);
        item
    }
}

impl Item {
    /// What was given out of a part.
    pub(super) fn part(&mut self, key: PartKey) -> &mut String {
        let at = self.parts.iter().position(|part| part.0 == key);
        let at = at.unwrap_or_else(|| {
            self.parts.push((key, String::new()));
            self.parts.len() - 1
        });
        &mut self.parts[at].1
    }

    /// A piece of a part.
    pub(super) fn delta(&mut self, key: PartKey, piece: &str, answer: &mut Answer) {
        self.part(key).push_str(piece);
        answer.say(key.speech(), piece);
    }

    /// A whole part, which may repeat its pieces.
    pub(super) fn whole(&mut self, key: PartKey, whole: &str, answer: &mut Answer) {
        let new = answer.repeat(self.part(key), whole);
        self.delta(key, &new, answer);
    }

    /// A whole item's texts: its content and its summary.
    pub(super) fn texts(&mut self, item: &Value, answer: &mut Answer) {
        for (number, part) in (0..).zip(list(&item["summary"])) {
            self.whole(PartKey::Summary(number), text(part, &["text"]), answer);
        }
        for (number, part) in (0..).zip(list(&item["content"])) {
            self.content(number, part, answer);
        }
    }

    /// A whole part of the content, of whatever type.
    pub(super) fn content(&mut self, number: u64, part: &Value, answer: &mut Answer) {
        let (key, field) = match text(part, &["type"]) {
            "output_text" | "text" => (PartKey::Content(number, false), "text"),
            "refusal" => (PartKey::Content(number, true), "refusal"),
            "reasoning_text" => (PartKey::Thought(number), "text"),
            _ => return,
        };
        self.whole(key, text(part, &[field]), answer);
    }
}

impl PartKey {
    fn speech(self) -> Speech {
        match self {
            PartKey::Content(_, false) => Speech::Text,
            PartKey::Content(_, true) => Speech::Refusal,
            PartKey::Thought(_) | PartKey::Summary(_) => Speech::Reasoning,
            PartKey::Command(_) => unreachable!("a command is not said"),
        }
    }
}
