//! Engines with one fault each: the runners must catch every one, or passing
//! them would prove nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sseam_testkit::oracle::limited;
use sseam_testkit::{Capabilities, Engine, Item, Report, Setup, run};

struct Faulty {
    name: &'static str,
    run: fn(&Setup, &[&[u8]]) -> Report,
}

impl Engine for Faulty {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&self, setup: &Setup, chunks: &[&[u8]]) -> Report {
        (self.run)(setup, chunks)
    }
}

/// Each changes what the oracle says in one way.
const FAULTS: &[Faulty] = &[
    Faulty {
        name: "takes a CRLF that was cut for two line ends",
        run: |setup, chunks| {
            let mut stream = Vec::new();
            for chunk in chunks {
                let is_cut_pair = stream.last() == Some(&b'\r') && chunk.first() == Some(&b'\n');
                stream.extend(if is_cut_pair { b"\n".as_slice() } else { b"" });
                stream.extend(*chunk);
            }
            limited(&stream, setup)
        },
    },
    Faulty {
        name: "takes an empty chunk for the end",
        run: |setup, chunks| {
            let read: Vec<_> = chunks
                .iter()
                .copied()
                .take_while(|c| !c.is_empty())
                .collect();
            limited(&read.concat(), setup)
        },
    },
    Faulty {
        name: "delivers an unfinished event",
        run: |setup, chunks| limited(&[&chunks.concat()[..], b"\n\n"].concat(), setup),
    },
    Faulty {
        name: "is off by one in the span",
        run: |setup, chunks| {
            let mut report = limited(&chunks.concat(), setup);
            for item in &mut report.items {
                if let Item::Event { span, .. } = item {
                    span.1 += 1;
                }
            }
            report
        },
    },
];

#[test]
fn vectors_catch_every_fault() {
    for fault in FAULTS {
        let result = catch_unwind(AssertUnwindSafe(|| run::vectors(fault)));
        assert!(result.is_err(), "an engine that {} passed", fault.name);
        let result = catch_unwind(AssertUnwindSafe(|| run::random(fault, 0..1000, 80)));
        assert!(result.is_err(), "an engine that {} passed", fault.name);
    }
}

/// What an engine cannot say is not held against it, and nothing else is lost.
#[test]
fn capabilities_reduce_both_sides() {
    struct EventsOnly;
    impl Engine for EventsOnly {
        fn name(&self) -> &str {
            "events only"
        }
        fn capabilities(&self) -> Capabilities {
            Capabilities {
                raw_bytes: false,
                ..Capabilities::EVENTS
            }
        }
        fn run(&self, setup: &Setup, chunks: &[&[u8]]) -> Report {
            let report = limited(&chunks.concat(), setup);
            Report {
                retry: Some(1),
                pending: None,
                ..report
            }
        }
    }
    assert_eq!(run::vectors(&EventsOnly).left_out, 0);
    assert!(run::sequences(&EventsOnly).runs > 0 && run::cases(&EventsOnly).runs > 0);
    assert_eq!(run::random(&EventsOnly, 0..1000, 80).streams, 1000);
}
