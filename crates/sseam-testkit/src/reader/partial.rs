//! Gemini's arguments in pieces, each with a path -> one JSON object.
//!
//! Rules: a path is `$`, then names (`.a`, `['a']`) and numbers (`[0]`). A
//! string goes on while its last piece said `willContinue`. Pieces come in
//! order: a path never goes back to what is finished, and a list grows by one.
//! Whatever breaks this leaves the call open, and so does a string that would
//! go on when the call ends.

use super::json::text;
use serde_json::Value;

/// The arguments of one call so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Partial {
    root: Value,
    last: Vec<Step>,
    is_string_open: bool,
    is_broken: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Number(usize),
}

impl Partial {
    /// Takes one member of `partialArgs`.
    pub(super) fn take(&mut self, part: &Value) {
        let path = steps(text(part, &["jsonPath"])).unwrap_or_default();
        let is_same = path == self.last;
        self.is_broken |= path.is_empty() || is_same != self.is_string_open;
        if !is_same && !self.is_new(&path) {
            self.is_broken = true;
        }
        if self.is_broken {
            return;
        }
        let place = place(&mut self.root, &path);
        match (place.as_str(), part["stringValue"].as_str()) {
            (Some(said), Some(more)) if is_same => *place = Value::from(said.to_owned() + more),
            (_, Some(more)) => *place = Value::from(more),
            (_, None) => *place = scalar(part),
        }
        self.is_string_open = part["willContinue"] == true;
        self.last = path;
    }

    /// The JSON, or what there is of it.
    pub(super) fn text(&self) -> String {
        match &self.root {
            Value::Null => String::new(),
            root => root.to_string(),
        }
    }

    pub(super) fn is_whole(&self) -> bool {
        !self.is_broken && !self.is_string_open
    }

    /// Whether a path leads to where nothing is, right behind what there is.
    fn is_new(&self, path: &[Step]) -> bool {
        let shared = path
            .iter()
            .zip(&self.last)
            .take_while(|(a, b)| a == b)
            .count();
        let Some((step, container)) = path.get(shared).zip(found(&self.root, &path[..shared]))
        else {
            return false;
        };
        let is_next = match (step, container) {
            (Step::Name(name), Value::Object(members)) => !members.contains_key(name),
            (Step::Number(number), Value::Array(members)) => *number == members.len(),
            (_, Value::Null) => step.is_first(),
            _ => false,
        };
        is_next && path[shared + 1..].iter().all(Step::is_first)
    }
}

impl Step {
    /// Whether it may be the first of its container.
    fn is_first(&self) -> bool {
        !matches!(self, Step::Number(1..))
    }
}

fn found<'v>(root: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(root, |value, step| match step {
        Step::Name(name) => value.get(name),
        Step::Number(number) => value.get(number),
    })
}

/// The place at the end of a path of which [`Partial::is_new`] was true, or
/// which is there already.
fn place<'v>(root: &'v mut Value, path: &[Step]) -> &'v mut Value {
    path.iter().fold(root, |value, step| match step {
        Step::Name(name) => &mut value[name.as_str()],
        Step::Number(number) => {
            if value.is_null() {
                *value = Value::Array(Vec::new());
            }
            let list = value
                .as_array_mut()
                .expect("`is_new` saw a list or nothing");
            if *number == list.len() {
                list.push(Value::Null);
            }
            &mut list[*number]
        }
    })
}

fn scalar(part: &Value) -> Value {
    let keys = ["numberValue", "boolValue", "nullValue"];
    let told = keys
        .iter()
        .find_map(|key| part.get(*key).map(|value| (*key, value)));
    match told {
        Some(("nullValue", _)) | None => Value::Null,
        Some((_, value)) => value.clone(),
    }
}

fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(name) = rest.strip_prefix('.') {
            let end = name.find(['.', '[']).unwrap_or(name.len());
            steps.push(Step::Name(name[..end].to_owned()));
            rest = &name[end..];
            continue;
        }
        let (inside, after) = rest.strip_prefix('[')?.split_once(']')?;
        let name = inside.trim_matches(['\'', '"']);
        steps.push(match inside.parse() {
            Ok(number) => Step::Number(number),
            Err(_) => Step::Name(name.to_owned()),
        });
        rest = after;
    }
    Some(steps)
}
