//! A seed -> a stream, limits, a setup; the same everywhere, for ever.
//!
//! Uniform bytes hardly ever make a field. What is generated here is biased to
//! what parsers get wrong: names, nearly names, each kind of line end, NUL,
//! byte-order marks and parts of them, multi-byte characters whole and cut.

use crate::{Limits, Overflow, Setup};

/// Splitmix64: no dependency, good enough, and equal on every platform.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        // The bias of a remainder does not matter for tests.
        (self.bits() >> 16).checked_rem(end as u64).unwrap_or(0) as usize
    }

    /// True once in `count` times.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// One of `choices`.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn pick<'c, T: ?Sized>(&mut self, choices: &[&'c T]) -> &'c T {
        choices[self.below(choices.len())]
    }
}

/// A stream of at most about `len_max` bytes: lines of fields, or a soup of
/// pieces, or both.
pub fn stream(rng: &mut Rng, len_max: usize) -> Vec<u8> {
    let len = rng.below(len_max + 1);
    let mut stream = Vec::new();
    if rng.one_in(3) {
        stream.extend(rng.pick(&[BOM, &BOM[..1], &BOM[..2], b"\xEF\xBB\xBF\xEF\xBB\xBF"]));
    }
    let soup_weight = rng.below(4);
    let line_end = rng.pick(&[b"\n".as_slice(), b"\r\n", b"\r", b""]);
    while stream.len() < len {
        match rng.below(4) < soup_weight {
            true => stream.extend(rng.pick(PIECES)),
            false => push_line(rng, line_end, &mut stream),
        }
    }
    stream
}

/// Limits of which each is off, or small enough to be passed often; one in
/// four times all are off, or hardly any stream would come to its end.
///
/// Those of lines and of all bytes are rarer, since nearly every stream passes
/// them before it passes anything else.
pub fn limits(rng: &mut Rng) -> Limits {
    let is_free = rng.one_in(4);
    let mut small = |end: usize, rarity: usize| match !is_free && rng.one_in(rarity) {
        true => rng.below(end),
        false => usize::MAX,
    };
    Limits {
        line: small(24, 8),
        data: small(12, 3),
        event_type: small(8, 3),
        id: small(8, 3),
        comment: small(8, 2),
        bytes: total(small(120, 10)),
        events: total(small(4, 6)),
    }
}

/// A setup with random limits, mode and last event ID that fit each other.
pub fn setup(rng: &mut Rng) -> Setup {
    let limits = limits(rng);
    let overflow = if rng.one_in(2) {
        Overflow::Stop
    } else {
        Overflow::Skip
    };
    let last_event_id = rng.pick(&[b"".as_slice(), b"", b"7", b"\xE4\xBD\xA0", b"an older id"]);
    let last_event_id = last_event_id[..last_event_id.len().min(limits.id)].to_vec();
    Setup {
        limits,
        overflow,
        last_event_id,
        want_items: !rng.one_in(4),
    }
}

/// What a fuzzer's bytes stand for.
#[derive(Clone, Debug)]
pub struct FuzzInput<'d> {
    /// Drawn from the first 8 bytes.
    pub setup: Setup,
    /// For [`crate::split::random`], drawn from the first 8 bytes.
    pub cut_seed: u64,
    /// The bytes after the first 8, as they are, so that the fuzzer's own
    /// mutations and dictionary reach the parser.
    pub stream: &'d [u8],
}

/// Reads a fuzzer's bytes; fewer than 8 are a stream under no limits.
pub fn fuzz_input(bytes: &[u8]) -> FuzzInput<'_> {
    match bytes.split_first_chunk() {
        Some((head, stream)) => {
            let mut rng = Rng::new(u64::from_le_bytes(*head));
            FuzzInput {
                setup: setup(&mut rng),
                cut_seed: rng.bits(),
                stream,
            }
        }
        None => FuzzInput {
            setup: Setup::unlimited(),
            cut_seed: 0,
            stream: bytes,
        },
    }
}

/// Calls `visit` with every concatenation of up to `count_max` of `tokens`,
/// shorter ones first; returns how many there were.
pub fn sequences(tokens: &[&[u8]], count_max: u32, mut visit: impl FnMut(&[u8])) -> u64 {
    let mut stream = Vec::new();
    let mut visited = 0;
    for count in 0..=count_max {
        for number in 0..(tokens.len() as u64).pow(count) {
            stream.clear();
            let mut digits = number;
            for _ in 0..count {
                stream.extend(tokens[(digits % tokens.len() as u64) as usize]);
                digits /= tokens.len() as u64;
            }
            visit(&stream);
            visited += 1;
        }
    }
    visited
}

/// What a stream is made of, for [`sequences`].
pub const TOKENS: &[&[u8]] = &[
    b"data", b"event", b"id", b"retry", b":", b" ", b"\r", b"\n", b"\0", BOM, b"x", b"1", b"\xFF",
];

/// Single bytes, for [`sequences`]: those of a byte-order mark one by one, and
/// those that the tokenizer knows.
pub const BYTES: &[&[u8]] = &[
    b"\xEF", b"\xBB", b"\xBF", b":", b" ", b"\r", b"\n", b"\0", b"i", b"d", b"1", b"\xFF",
];

fn push_line(rng: &mut Rng, line_end: &[u8], stream: &mut Vec<u8>) {
    if !rng.one_in(4) {
        let name = if rng.one_in(8) {
            rng.pick(PIECES)
        } else {
            rng.pick(NAMES)
        };
        stream.extend(name);
        stream.extend(rng.pick(&[b":".as_slice(), b": ", b": ", b":", b":  ", b""]));
        if name == b"retry" && !rng.one_in(3) {
            stream.extend(rng.pick(RETRY_VALUES));
        } else {
            for _ in 0..rng.below(4) {
                stream.extend(rng.pick(PIECES));
            }
        }
    }
    let is_usual = !line_end.is_empty() && !rng.one_in(8);
    stream.extend(if is_usual {
        line_end
    } else {
        rng.pick(&[b"\n".as_slice(), b"\r", b"\r\n"])
    });
}

/// "No limit" stays that where `usize` is narrower.
fn total(max: usize) -> u64 {
    if max == usize::MAX {
        u64::MAX
    } else {
        max as u64
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

const NAMES: &[&[u8]] = &[
    b"data", b"data", b"data", b"data", b"event", b"event", b"id", b"id", b"retry", b"",
];

const RETRY_VALUES: &[&[u8]] = &[
    b"0",
    b"1",
    b"1500",
    b"007",
    b"",
    b" ",
    b"-1",
    b"+1",
    b"1x",
    b"1.5",
    b"18446744073709551615",
    b"18446744073709551616",
    b"00000000000000000000000000000042",
    b"\xD9\xA1",
];

const PIECES: &[&[u8]] = &[
    b"data",
    b"data:",
    b"dat",
    b"dataa",
    b"Data",
    b"event",
    b"event:",
    b"even",
    b"events",
    b"id",
    b"id:",
    b"i",
    b"ids",
    b"retry",
    b"retry:",
    b"retr",
    b"message",
    b":",
    b":",
    b" ",
    b"  ",
    b"\n",
    b"\n",
    b"\n\n",
    b"\r",
    b"\r\r",
    b"\r\n",
    b"\r\n\r\n",
    b"\n\r",
    b"\0",
    b"\0",
    BOM,
    b"\xEF",
    b"\xEF\xBB",
    b"\xBB\xBF",
    b"\xBF",
    b"x",
    b"y",
    b"1",
    b"42",
    b"[DONE]",
    b"{\"a\":1}",
    b"\t",
    b"\x0B",
    b"\x0C",
    b"\xC2\x85",
    b"\xE2\x80\xA8",
    b"\xC3\xA9",
    b"\xC3",
    b"\xA9",
    b"\xE4\xBD\xA0",
    b"\xE4\xBD",
    b"\xF0\x9F\x98\x80",
    b"\xF0\x9F\x98",
    b"\xC0\x8A",
    b"\xC4\x8A",
    b"\xED\xA0\x80",
    b"\xFF",
    b"\xFE",
    b"longer than small",
];
