//! The head of a response and its body come in, the outcome of the answer goes out.
//!
//! The body of a response that is no event stream is no answer: it is read for what
//! its server says, up to a length, by an [`Answer`] that is asked for nothing else.

use http::{HeaderMap, StatusCode};
use sseam::llm::{Answer, Close, Dialect, Ending, Heard, Next, Outcome, TransportEnd, Turn, Wants};
use sseam::{Counters, GrowingMemory, Limits, Unfit};

use crate::response::unfit;

/// Bytes of a body that are looked at where its head says that it is no answer, but
/// for instance why there is none: 64 KiB.
pub const EXPLANATION_LEN_MAX: usize = 64 * 1024;

/// What is to become of a response.
#[derive(Debug)]
pub(crate) struct Judge {
    answer: Answer<GrowingMemory>,
    role: Role,
}

/// What the body is read for.
#[derive(Debug)]
enum Role {
    /// It is the answer.
    Answer,
    /// It says why there is none.
    Explanation {
        /// The turn of the answer that there is not.
        turn: Box<Turn>,
        /// How that ends.
        close: Close,
        /// Bytes that are still looked at.
        left: usize,
    },
    /// There is none, and need be none: a message of MCP was accepted.
    Accepted,
}

/// What a head says of its body.
pub(crate) enum Claim {
    /// It is an event stream.
    Stream,
    /// There is none.
    Nothing,
    /// It is in an encoding that is not undone here.
    Encoded,
    /// It may explain why there is no stream, which ends so.
    Explanation(Close),
}

/// What the head of a response says of its body.
pub(crate) fn claim(status: StatusCode, headers: &HeaderMap, turn: &Turn) -> Claim {
    let is_mcp = matches!(turn.dialect(), Dialect::Mcp2025 | Dialect::Mcp2026);
    let unfit = unfit(headers, is_mcp);
    match status.as_u16() {
        // What an encoded body says cannot be known, so its status alone is told.
        200 if unfit == Some(Unfit::ContentEncoding) => Claim::Encoded,
        // Servers forget it; what is none is told by its bytes.
        200 if matches!(unfit, None | Some(Unfit::MissingContentType)) => Claim::Stream,
        200 => Claim::Explanation(Close::NotEventStream),
        204 => Claim::Nothing,
        status => Claim::Explanation(Close::Status(status)),
    }
}

impl Judge {
    /// One whose body is the answer.
    pub(crate) fn of_stream(turn: Turn, limits: Limits) -> Box<Self> {
        Box::new(Judge {
            answer: answer(turn, limits),
            role: Role::Answer,
        })
    }

    /// One whose body says why there is no answer.
    pub(crate) fn of_explanation(turn: Turn, close: Close) -> Box<Self> {
        // An API is recognised by its failures, whatever the caller expects.
        let dialect = match turn.dialect() {
            Dialect::Plain | Dialect::Custom => Dialect::Auto,
            dialect => dialect,
        };
        Box::new(Judge {
            answer: answer(Turn::new(dialect), Limits::DEFAULT),
            role: Role::Explanation {
                turn: Box::new(turn),
                close,
                left: EXPLANATION_LEN_MAX,
            },
        })
    }

    /// One without a body.
    pub(crate) fn of_accepted(turn: Turn) -> Box<Self> {
        Box::new(Judge {
            answer: answer(turn, Limits::DEFAULT),
            role: Role::Accepted,
        })
    }

    /// Reads an answer with other limits, from its first byte on.
    pub(crate) fn set_limits(&mut self, limits: Limits) {
        if self.is_answer() {
            self.answer = answer(*self.answer.turn(), limits);
        }
    }

    /// Changes how an answer is read.
    pub(crate) fn change(
        &mut self,
        change: impl FnOnce(Answer<GrowingMemory>) -> Answer<GrowingMemory>,
    ) {
        let turn = *self.answer.turn();
        let before = std::mem::replace(&mut self.answer, answer(turn, Limits::DEFAULT));
        self.answer = change(before);
    }

    /// Whether what is heard is the answer, and not an explanation.
    pub(crate) const fn is_answer(&self) -> bool {
        matches!(self.role, Role::Answer)
    }

    /// Takes bytes off the front of `input` until there is something to be heard.
    pub(crate) fn next<'a, 'c: 'a>(&'a mut self, input: &mut &'c [u8]) -> Option<Heard<'a>> {
        self.answer.next(input)
    }

    /// Takes all of a chunk; what is heard is not asked for.
    pub(crate) fn read(&mut self, chunk: &[u8]) {
        let window = match &mut self.role {
            Role::Explanation { left, .. } => {
                let window = chunk.get(..*left).unwrap_or(chunk);
                *left -= window.len();
                window
            }
            _ => chunk,
        };
        let mut rest = window;
        loop {
            let (used, next) = self.answer.step(rest);
            rest = rest.get(used..).unwrap_or_default();
            if next == Next::NeedInput {
                return;
            }
        }
    }

    /// Takes the end of the body.
    pub(crate) fn end(&mut self, close: Close) {
        self.answer.end(close);
    }

    /// What is wanted of the body.
    pub(crate) fn wants(&self) -> Wants {
        match self.role {
            Role::Explanation { left: 0, .. } | Role::Accepted => Wants::Nothing,
            Role::Explanation { .. } => Wants::More,
            Role::Answer => self.answer.wants(),
        }
    }

    /// The API's own end was seen.
    pub(crate) const fn is_terminal(&self) -> bool {
        self.is_answer() && self.answer.turn().is_terminal()
    }

    /// What was counted of the body.
    pub(crate) const fn counters(&self) -> Counters {
        self.answer.counters()
    }

    /// The answer as it stands.
    pub(crate) const fn answer(&self) -> &Answer<GrowingMemory> {
        &self.answer
    }

    /// What became of the answer, as it stands.
    pub(crate) fn outcome(&mut self) -> Outcome {
        let mut told = self.answer.outcome();
        match &self.role {
            Role::Answer => {}
            Role::Accepted => told.ending = Ending::Ended,
            Role::Explanation { turn, close, .. } => {
                let mut answer = answer(**turn, Limits::DEFAULT);
                answer.end(*close);
                let (code, message) = (told.seen.code, told.seen.message);
                told = answer.outcome();
                (told.seen.code, told.seen.message) = (code, message);
            }
        }
        told
    }
}

fn answer(turn: Turn, limits: Limits) -> Answer<GrowingMemory> {
    let memory = GrowingMemory::with_len_max(Answer::memory_len(&limits));
    Answer::growing(memory, limits, turn)
}

/// How a body ends that gave as much as was promised.
pub(crate) const CLEAN: Close = Close::Transport(TransportEnd::Clean);
