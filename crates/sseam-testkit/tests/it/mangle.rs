//! Streams made worse, and that nobody is taken in by them.

use std::collections::BTreeMap;

use sseam_testkit::field::{self, Mode};
use sseam_testkit::generate::Rng;
use sseam_testkit::mangle::{blocks, mangle, sources};
use sseam_testkit::reader;

#[test]
fn blocks_are_the_stream() {
    for case in field::all() {
        let blocks = blocks(case.stream.as_bytes());
        assert_eq!(blocks.concat(), case.stream.as_bytes(), "{}", case.id);
        assert!(blocks.len() < 40, "{}", case.id);
    }
    let count = |stream: &str| blocks(stream.as_bytes()).len();
    assert_eq!(count("a\n\nb\r\n\r\nc\r\rd"), 4);
}

#[test]
fn seeds_decide() {
    let sources = sources("anthropic");
    let sources: Vec<_> = sources.iter().map(Vec::as_slice).collect();
    for seed in 0..100 {
        let [once, again] = [(); 2].map(|()| mangle(&mut Rng::new(seed), &sources));
        assert_eq!(once, again);
    }
}

/// Whatever is done to a stream, Completed stays a promise.
#[test]
fn mangled_streams_are_read() {
    for dialect in reader::DIALECTS {
        let sources = sources(dialect);
        let sources: Vec<_> = sources.iter().map(Vec::as_slice).collect();
        let mut exits = BTreeMap::new();
        for seed in 0..1000 {
            let mut rng = Rng::new(seed);
            let mangled = mangle(&mut rng, &sources);
            for mode in [Mode::Default, Mode::Strict, Mode::Lenient] {
                let seen = reader::read(dialect, mode, 0, false, &mangled.stream);
                let is_well = seen.open_calls == 0 && seen.code.is_empty();
                assert!(
                    seen.exit != 0 || is_well,
                    "{seed} {dialect}: {:?}",
                    mangled.steps
                );
                assert!(
                    !seen.empty || (seen.exit == 0 && !seen.output),
                    "{seed} {dialect}"
                );
                *exits.entry(seen.exit).or_insert(0) += 1;
            }
        }
        // Without an API there is nothing but a clean end and another.
        let count_min = if *dialect == "plain" { 2 } else { 4 };
        assert!(exits.len() >= count_min, "{dialect}: {exits:?}");
    }
}
