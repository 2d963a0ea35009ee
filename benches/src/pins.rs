//! Which streams the corpora are: a corpus in, nothing out, or a panic where the
//! generator has come to write something else.
//!
//! Figures of different days are only worth comparing on the same bytes.

use crate::corpus::{COUNTED_LEN, Corpus, LINES, NAMES, TIMED_LEN};

/// Name, length asked for, hash of the stream, count and hash of its events.
type Pin = (&'static str, usize, u64, u64, u64);

/// Panics unless the corpus is the pinned one, or of a length that is not pinned.
pub(crate) fn check(corpus: &Corpus, len: usize) {
    let is_its = |pin: &&Pin| pin.0 == corpus.name && (pin.1 == len || pin.1 == 0);
    if let Some(pin) = PINS.iter().find(is_its) {
        let found = pin_of(corpus, pin.1);
        assert!(
            *pin == found,
            "corpus {} has changed: {found:?}",
            corpus.name
        );
    }
}

fn pin_of(corpus: &Corpus, len: usize) -> Pin {
    let expected = corpus.expected;
    (
        corpus.name,
        len,
        corpus.bytes_hash(),
        expected.events,
        expected.hash,
    )
}

/// Prints the table below, for when a corpus is changed on purpose.
pub fn print() {
    let repeated = NAMES
        .iter()
        .flat_map(|name| [(name, COUNTED_LEN), (name, TIMED_LEN)]);
    let all = repeated.chain(LINES.iter().map(|name| (name, 0)));
    for (name, len) in all {
        let (name, len, bytes, events, hash) = pin_of(&Corpus::unchecked(name, len), len);
        println!("    ({name:?}, {len}, 0x{bytes:016X}, {events}, 0x{hash:016X}),");
    }
}

#[rustfmt::skip]
const PINS: &[Pin] = &[
    ("chat", 262144, 0xE3DE485FDE3460BE, 999, 0x5BFF1ACFC4ADE65E),
    ("chat", 4194304, 0x3444E03E1279B19D, 15961, 0xE978ACF126225153),
    ("responses", 262144, 0x973668FE07979462, 1130, 0x9060087F6D5D14E2),
    ("responses", 4194304, 0xE6EC83D97EC3A8D3, 17984, 0x6C0DF3432DCB4CAE),
    ("anthropic", 262144, 0x93EB3BCAB75792C8, 1939, 0x12FA51562BBE8C02),
    ("anthropic", 4194304, 0xDCDE0BFEED0066A5, 30975, 0x2A62E6B6BDCC21E5),
    ("tiny", 262144, 0x1524D955D5641A25, 29128, 0xC4CEAB19C66188C5),
    ("tiny", 4194304, 0x9897E95FBDA4DC65, 466034, 0x9DA5CB846166A73D),
    ("chinese", 262144, 0xDC3FD81175A48CCF, 2694, 0xE00FD9D25E0CEE72),
    ("chinese", 4194304, 0x8D7356345944EEF4, 43126, 0x9044F234E50B5E98),
    ("big", 262144, 0xA7BD3209FA071F61, 4, 0xE7BAADE7CD2DCD85),
    ("big", 4194304, 0xEB2B9008FB74008F, 64, 0xD699D760120DF81D),
    ("multiline", 262144, 0x81BCCA008552639F, 196, 0x5304C5C2CC54FADB),
    ("multiline", 4194304, 0x0E01185A1B90170C, 3128, 0x7BFED8DDCCDED626),
    ("heartbeat", 262144, 0xF603258E2B804EBE, 0, 0xCBF29CE484222325),
    ("heartbeat", 4194304, 0x4AABAA18F08B7681, 0, 0xCBF29CE484222325),
    ("crlf", 262144, 0x4FBDAFBABEFBBC23, 1116, 0x39FE36BC9C6F3B67),
    ("crlf", 4194304, 0x4AE1F75DE1E6DF41, 17757, 0x38A8099C01061D59),
    ("line64k", 0, 0xA20B47CFB5CDD56D, 1, 0x692A61B65EEBC64E),
    ("line8m", 0, 0x5E5AEEDA5ADCD97A, 1, 0xE0EDE1C59661499C),
];
