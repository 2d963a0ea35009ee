//! Stage 2, tokens used: the numbers of an API in, the same numbers with one
//! meaning for all APIs out.

/// Tokens used, as far as the API said; one meaning over all of them.
///
/// ```
/// use sseam_core::Event;
/// use sseam_llm::{Dialect, Signal, Turn};
///
/// // Anthropic tells what was read from its cache beside the input; here it is
/// // part of it, as it is with the others.
/// let data = br#"{"type":"message_delta","delta":{},
///     "usage":{"input_tokens":9,"cache_read_input_tokens":5,"output_tokens":16}}"#;
/// let mut turn = Turn::new(Dialect::Anthropic);
/// let event = Event::new(b"message_delta", data, b"");
/// let usage = turn.observe(&event).find_map(|signal| match signal {
///     Signal::Usage(usage) => Some(usage),
///     _ => None,
/// });
/// let usage = usage.unwrap();
/// assert_eq!((usage.input, usage.input_cached), (Some(14), Some(5)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Usage {
    /// Of the prompt, all of them: what came from a cache is part of it.
    pub input: Option<u64>,
    /// Of those, what was read from a cache.
    pub input_cached: Option<u64>,
    /// Of those, what was written to a cache.
    pub input_cache_written: Option<u64>,
    /// Of the answer, all of them: reasoning is part of it.
    pub output: Option<u64>,
    /// Of those, reasoning.
    pub output_reasoning: Option<u64>,
    /// What the API calls the sum.
    pub total: Option<u64>,
}

/// Numbers as an API tells them: the fields of [`Usage`], of which some APIs
/// leave parts out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Told {
    counts: [u64; COUNTS],
    /// Bit `i`: count `i` was told.
    known: u8,
    /// The input is told without what the cache holds.
    pub(crate) leaves_cache_out: bool,
    /// The output is told without reasoning.
    pub(crate) leaves_reasoning_out: bool,
}

/// What is counted; the order is that of [`Usage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    Input,
    InputCached,
    InputCacheWritten,
    Output,
    OutputReasoning,
    Total,
}

const COUNTS: usize = Count::Total as usize + 1;

impl Usage {
    /// Nothing said.
    pub const UNKNOWN: Usage = Usage {
        input: None,
        input_cached: None,
        input_cache_written: None,
        output: None,
        output_reasoning: None,
        total: None,
    };
}

impl Told {
    pub(crate) const NOTHING: Told = Told {
        counts: [0; COUNTS],
        known: 0,
        leaves_cache_out: false,
        leaves_reasoning_out: false,
    };

    /// Whether nothing was said.
    pub(crate) const fn is_unknown(&self) -> bool {
        self.known == 0
    }

    /// Notes a number; nothing where there is none.
    pub(crate) fn set(&mut self, count: Count, number: Option<u64>) {
        let (at, number) = (count as usize, number.map_or((0, 0), |number| (number, 1)));
        if let Some(place) = self.counts.get_mut(at) {
            *place = number.0;
        }
        self.known = self.known & !(1 << at) | number.1 << at;
    }

    pub(crate) fn get(&self, count: Count) -> Option<u64> {
        let is_known = self.known & 1 << count as usize != 0;
        self.counts
            .get(count as usize)
            .copied()
            .filter(|_| is_known)
    }

    /// The same numbers with the meaning that they have here.
    pub(crate) fn translated(&self) -> Usage {
        let cached = self.get(Count::InputCached);
        let written = self.get(Count::InputCacheWritten);
        let reasoning = self.get(Count::OutputReasoning);
        let (mut input, mut output) = (self.get(Count::Input), self.get(Count::Output));
        if self.leaves_cache_out {
            input = sum(sum(input, cached), written);
        }
        if self.leaves_reasoning_out {
            output = sum(output, reasoning);
        }
        Usage {
            input,
            input_cached: cached,
            input_cache_written: written,
            output,
            output_reasoning: reasoning,
            total: self.get(Count::Total),
        }
    }

    /// Takes later numbers. They are cumulative, so the last one wins; but one
    /// that falls back to nothing is a chunk that did not count.
    pub(crate) fn update(&mut self, later: &Told) {
        let pairs = self.counts.iter_mut().zip(later.counts).enumerate();
        for (at, (old, new)) in pairs {
            let (is_told, was_told) = (later.known & 1 << at != 0, self.known & 1 << at != 0);
            if is_told && (new > 0 || !was_told) {
                *old = new;
            }
        }
        self.known |= later.known;
        self.leaves_cache_out |= later.leaves_cache_out;
        self.leaves_reasoning_out |= later.leaves_reasoning_out;
    }
}

/// The sum of what was said; nothing if neither was.
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (one, other) => one.or(other),
    }
}
