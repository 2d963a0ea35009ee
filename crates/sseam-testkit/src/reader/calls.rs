//! Pieces of tool calls -> calls that are whole, or open.
//!
//! Rules:
//!
//! - A call is closed only if its arguments are whole and the API ended it.
//!   Whole is exactly one JSON value by brackets, strings and escapes, at most
//!   64 levels deep; free text and calls without arguments are exempt.
//! - The API's own successful end also ends a call that nobody ended, if its
//!   arguments came as JSON text and are whole.
//! - A call that its own item calls incomplete, or whose pieces are not what
//!   its repeat holds, never closes.
//! - Arguments that stand whole at the start of a call give way to pieces.
//! - Tools that run at the server are listed, but they are nobody's to run and
//!   so do not count.

use super::json::joined;
use crate::field::Tool;

/// What the arguments of a call are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON text.
    #[default]
    Json,
    /// Anything: a command, a patch, the action of an item.
    Free,
}

/// One call.
#[derive(Clone, Debug, Default)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) index: Option<u64>,
    pub(super) name: String,
    pub(super) form: Form,
    pub(super) is_servers: bool,
    /// What stood at the start, whole.
    pub(super) start: String,
    /// What came after it.
    pub(super) pieces: String,
    /// It came in one piece, so that it needs no end of its own.
    pub(super) is_whole: bool,
    /// Something says that a part is missing.
    pub(super) is_cut: bool,
    pub(super) is_closed: bool,
}

/// All calls of an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    all: Vec<Call>,
    closed: Vec<usize>,
    /// The one that was opened or continued last.
    pub(super) last: Option<usize>,
}

impl Calls {
    pub(super) fn open(&mut self, call: Call) -> usize {
        self.all.push(call);
        self.last = Some(self.all.len() - 1);
        self.all.len() - 1
    }

    pub(super) fn of(&mut self, at: usize) -> &mut Call {
        &mut self.all[at]
    }

    /// The latest call with this id.
    pub(super) fn with_id(&self, id: &str) -> Option<usize> {
        self.all
            .iter()
            .rposition(|call| !id.is_empty() && call.id == id)
    }

    /// The latest call with this index.
    pub(super) fn with_index(&self, index: u64) -> Option<usize> {
        self.all.iter().rposition(|call| call.index == Some(index))
    }

    /// The API ended this one.
    pub(super) fn end(&mut self, at: usize) {
        let call = &mut self.all[at];
        let arguments = call.arguments();
        let is_exempt = call.form == Form::Free || arguments.is_empty();
        if !call.is_closed && !call.is_cut && (is_exempt || is_whole(arguments)) {
            call.is_closed = true;
            self.closed.push(at);
        }
    }

    /// The answer ended well; `is_end_of_all` if that ends each call, too.
    pub(super) fn end_all(&mut self, is_end_of_all: bool) {
        for at in 0..self.all.len() {
            let call = &self.all[at];
            let is_told = call.form == Form::Json && !call.arguments().is_empty();
            if is_end_of_all || call.is_whole || is_told {
                self.end(at);
            }
        }
    }

    /// How many of the client's calls are, or are not, closed.
    pub(super) fn count(&self, is_closed: bool) -> u64 {
        let is_counted = |call: &&Call| !call.is_servers && call.is_closed == is_closed;
        self.all.iter().filter(is_counted).count() as u64
    }

    /// Those that closed, in that order, and then the others.
    pub(super) fn tools(&self) -> Vec<Tool> {
        let open = (0..self.all.len()).filter(|&at| !self.all[at].is_closed);
        let tool = |at: usize| Tool {
            name: joined(&self.all[at].name),
            arguments: joined(self.all[at].arguments()),
            closed: self.all[at].is_closed,
        };
        self.closed.iter().copied().chain(open).map(tool).collect()
    }
}

impl Call {
    /// What it was called with, as far as it is known.
    pub(super) fn arguments(&self) -> &str {
        match self.pieces.is_empty() {
            true => &self.start,
            false => &self.pieces,
        }
    }
}

/// Whether `text` is exactly one JSON value, by its brackets and strings.
fn is_whole(text: &str) -> bool {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let mut open = Vec::new();
    let mut is_string = false;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' if open.pop() != Some(byte) => return false,
            _ => {}
        }
        let is_value_over = open.is_empty() && !is_string && text.starts_with(['{', '[', '"']);
        if open.len() > DEPTH_MAX || (is_value_over && at + 1 < text.len()) {
            return false;
        }
    }
    let is_scalar = !text.starts_with(['{', '[', '"']);
    let is_one = !is_scalar || !text.contains([' ', '\t', '\r', '\n', '"', '{', '[', ',']);
    !text.is_empty() && open.is_empty() && !is_string && is_one
}

const DEPTH_MAX: usize = 64;
