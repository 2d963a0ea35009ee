//! Streams of AI APIs as they are met in the field, and the right verdicts.
//!
//! In: `field.json`, collected from public threads and recorded answers. Out:
//! cases, and what differs between an observation and a case. The rules of
//! comparing are those of the file's own judge: what a case leaves out is free.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use crate::vectors::parsed;

/// What somebody saw of one answer, from its bytes to its ending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The exit code that the ending has in the command.
    pub exit: u8,
    /// Text and refusals, and reasoning where it was wanted, in stream order.
    pub text: String,
    /// Reasoning, wanted or not.
    pub reasoning: String,
    /// The calls in the order in which they closed, then those that are open.
    pub tools: Vec<Tool>,
    /// The common reason, such as `stop` or `unreadable`.
    pub reason: Option<String>,
    /// Calls of the client's tools that must not be run.
    pub open_calls: u64,
    /// Calls of the client's tools that are whole.
    pub closed_calls: u64,
    /// All tokens of the prompt.
    pub input_tokens: Option<u64>,
    /// All tokens of the answer, those of its thoughts included.
    pub output_tokens: Option<u64>,
    /// Completed without any output.
    pub empty: bool,
    /// Some output came.
    pub output: bool,
    /// What the API said of its failure.
    pub message: String,
    /// The API's name or number of its failure.
    pub code: String,
    /// What the stream was read as.
    pub dialect: String,
}

/// One call of a tool, the server's own tools included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tool {
    /// Its name, or the type of its item where it has none.
    pub name: String,
    /// As they were sent; an object as its JSON text.
    pub arguments: String,
    /// Whole, and ended by the API.
    pub closed: bool,
}

/// What counts as the end of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// What the API's relatives in the field do; strict for most APIs.
    #[default]
    Default,
    /// The API's own end to the letter.
    Strict,
    /// A finish reason is enough, and an event without its blank line counts.
    Lenient,
}

/// One stream of the field and what is right about it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Unique, such as `K2ab`.
    pub id: String,
    /// The sort of fault, for all cases whose `id` begins alike.
    pub kind: String,
    /// Where it was met.
    pub source: String,
    /// In a few words.
    pub what: String,
    /// What to read it as.
    pub dialect: String,
    /// Further options of the command.
    pub args: Vec<String>,
    /// The verdict is the same when the dialect is to be found out.
    pub auto: bool,
    /// The bytes.
    pub stream: String,
    /// What is right.
    pub expect: Expect,
}

/// What a case asks for; `None` is free.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Expect {
    /// Any of these.
    pub exit: Vec<u8>,
    /// See [`Seen::text`].
    pub text: Option<String>,
    /// All of them, in order.
    pub tools: Option<Vec<ExpectedTool>>,
    /// See [`Seen::reason`].
    pub reason: Option<String>,
    /// See [`Seen::open_calls`].
    pub open_calls: Option<u64>,
    /// See [`Seen::closed_calls`].
    pub closed_calls: Option<u64>,
    /// See [`Seen::input_tokens`].
    pub input_tokens: Option<u64>,
    /// See [`Seen::output_tokens`].
    pub output_tokens: Option<u64>,
    /// See [`Seen::empty`].
    pub empty: Option<bool>,
    /// See [`Seen::output`].
    pub output: Option<bool>,
    /// Stands within [`Seen::message`].
    pub message_contains: Option<String>,
    /// What `auto` must not take it for.
    pub not_dialect: Option<String>,
}

/// Name, arguments, and whether it is closed.
pub type ExpectedTool = (String, ExpectedArguments, bool);

/// How arguments are compared.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum ExpectedArguments {
    /// The same text, or the same JSON.
    Same(String),
    /// Text that stands within.
    Contains {
        /// The text.
        contains: String,
    },
    /// Whatever they are.
    Free,
}

/// All cases.
pub fn all() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| parsed("field.json", FIELD_JSON));
    &CASES
}

impl Case {
    /// The mode that its options ask for.
    pub fn mode(&self) -> Mode {
        match self.args.iter().position(|arg| arg == "--mode") {
            Some(at) if self.args[at + 1] == "strict" => Mode::Strict,
            Some(_) => Mode::Lenient,
            None => Mode::Default,
        }
    }

    /// Whether its text is to hold reasoning too.
    pub fn wants_reasoning(&self) -> bool {
        self.args.iter().any(|arg| arg == "--reasoning")
    }
}

/// Holds `seen` against `expect`: what differs, in words.
pub fn differences(expect: &Expect, seen: &Seen) -> Vec<String> {
    let mut found = Vec::new();
    if !expect.exit.contains(&seen.exit) {
        found.push(format!("exit {}, right {:?}", seen.exit, expect.exit));
    }
    differ("text", &expect.text, &Some(seen.text.clone()), &mut found);
    differ("reason", &expect.reason, &seen.reason, &mut found);
    let numbers = [
        ("open_calls", expect.open_calls, Some(seen.open_calls)),
        ("closed_calls", expect.closed_calls, Some(seen.closed_calls)),
        ("input_tokens", expect.input_tokens, seen.input_tokens),
        ("output_tokens", expect.output_tokens, seen.output_tokens),
        (
            "empty",
            expect.empty.map(u64::from),
            Some(seen.empty.into()),
        ),
        (
            "output",
            expect.output.map(u64::from),
            Some(seen.output.into()),
        ),
    ];
    for (name, right, is) in numbers {
        differ(name, &right, &is, &mut found);
    }
    if let Some(part) = &expect.message_contains
        && !seen.message.contains(part)
    {
        found.push(format!("message {:?} lacks {part:?}", seen.message));
    }
    if expect.not_dialect.as_ref() == Some(&seen.dialect) {
        found.push(format!("taken for {}", seen.dialect));
    }
    if let Some(tools) = &expect.tools
        && !are_tools_right(tools, &seen.tools)
    {
        found.push(format!("tools {:?}, right {tools:?}", seen.tools));
    }
    found
}

/// Whether two texts of arguments are the same, or the same JSON.
pub fn are_same_arguments(left: &str, right: &str) -> bool {
    let json = |text| serde_json::from_str::<Value>(text).ok();
    left == right || (json(left).is_some() && json(left) == json(right))
}

fn differ<T: PartialEq + std::fmt::Debug>(
    name: &str,
    right: &Option<T>,
    is: &Option<T>,
    found: &mut Vec<String>,
) {
    if right.is_some() && right != is {
        found.push(format!("{name} {is:?}, right {right:?}"));
    }
}

fn are_tools_right(right: &[ExpectedTool], tools: &[Tool]) -> bool {
    let is_right = |((name, arguments, closed), tool): (&ExpectedTool, &Tool)| {
        let are_right = match arguments {
            ExpectedArguments::Same(text) => are_same_arguments(text, &tool.arguments),
            ExpectedArguments::Contains { contains } => tool.arguments.contains(contains),
            ExpectedArguments::Free => true,
        };
        *name == tool.name && *closed == tool.closed && are_right
    };
    right.len() == tools.len() && right.iter().zip(tools).all(is_right)
}

const FIELD_JSON: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../testdata/cases/field.json"
));
