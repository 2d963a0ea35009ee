//! Line ends at every distance, with bytes before them that look alike: where
//! bytes are scanned by words or blocks, each length is a case of its own.

use sseam_core::{Limits, Parser};
use sseam_testkit::{self as kit, run, split};

use crate::bare::Bare;
use crate::engines::{Fixed, Growing, Grown};
use crate::tokens::Tokens;

/// Bytes that a scan by words may take for CR or LF: other control characters,
/// neighbours of CR and LF, and the same with the top bit set.
const LOOKALIKES: [u8; 12] = [
    0, 8, 9, 0x0B, 0x0C, 0x0E, 0x10, 0x7F, 0x80, 0x8A, 0x8D, 0xFF,
];

/// More than two strides of any scan.
const LEN_MAX: usize = 150;

#[test]
fn line_ends_are_found_at_every_distance() {
    for lookalike in LOOKALIKES {
        for len in 0..LEN_MAX {
            for line_end in ["\n", "\r", "\r\n"] {
                // One lookalike, at each place near the line end; then nothing else.
                for back in (0..len.min(20)).chain([len]) {
                    let mut value = vec![b'x'; len];
                    match len.checked_sub(back + 1) {
                        Some(at) => value[at] = lookalike,
                        None => value.fill(lookalike),
                    }
                    is_one_event(&value, line_end.as_bytes());
                }
            }
        }
    }
}

/// In one piece, and cut at some places near both ends.
fn is_one_event(value: &[u8], line_end: &[u8]) {
    let stream = [
        b"data: ", value, line_end, line_end, b"data: y", line_end, line_end,
    ]
    .concat();
    let mut parser = Parser::growing(Grown::default(), Limits::DEFAULT);
    for cut in [
        0,
        6,
        7,
        3 + stream.len() / 2,
        stream.len() - 8 - 3 * line_end.len(),
    ] {
        let mut found = Vec::new();
        let (head, tail) = stream.split_at(cut);
        for mut chunk in [head, tail] {
            while let Some(event) = parser.next_event(&mut chunk).expect("no limit is passed") {
                found.push(event.data().as_bytes().to_vec());
            }
        }
        assert_eq!(found, [value, b"y"], "{stream:?} cut at {cut}");
        parser.reset();
    }
}

/// Lines of every kind that grow by a byte each, with several lookalikes, held
/// against the oracle at every cut.
#[test]
fn lines_of_every_kind_and_length() {
    let drivers: [&dyn kit::Engine; 4] = [&Fixed, &Growing, &Bare, &Tokens];
    for (index, name) in [
        "data: ", "data:", "event: ", "id: ", ": ", "unknown", "retry:",
    ]
    .iter()
    .enumerate()
    {
        for len in (0..LEN_MAX).step_by(7) {
            let fill = |index: usize| LOOKALIKES[(index * index) % LOOKALIKES.len()];
            let value: Vec<u8> = (0..len)
                .map(|at| if at % 9 == 4 { fill(at + index) } else { b'1' })
                .collect();
            let line = [name.as_bytes(), &value].concat();
            let stream = [
                &line,
                &b"\n"[..],
                &line,
                b"\r\ndata: ",
                &value,
                b"\r\n",
                &line,
                b"\n\ndata\n\n",
            ]
            .concat();
            for driver in drivers {
                for setup in [
                    kit::Setup::unlimited(),
                    kit::Setup::unlimited().events_only(),
                ] {
                    for cut in split::every(&stream).step_by(3) {
                        run::one(driver, &setup, &stream, &cut);
                    }
                }
            }
        }
    }
}
