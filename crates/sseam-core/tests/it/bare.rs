//! The engine itself, driven as an adapter with a ring buffer would: a stream in
//! chunks comes in, a report goes out.

#[cfg(feature = "wide-scan")]
use sseam_core::Item;
use sseam_core::{Engine, Items, Step};
use sseam_testkit as kit;

use crate::engines;

/// The engine, with its memory moved and its leftovers spoilt between steps.
pub(crate) struct Bare;

impl kit::Engine for Bare {
    fn name(&self) -> &str {
        "Engine, memory moved between steps"
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let mut run = Run {
            engine: Engine::growing(engines::limits(setup)),
            memory: Vec::new(),
            report: kit::Report::default(),
            shrinks: false,
        };
        run.set_last_event_id(&setup.last_event_id);
        let want = if setup.want_items {
            Items::ALL
        } else {
            Items::EVENTS
        };
        for chunk in chunks {
            if run.feed(chunk, want) == Step::Failed {
                break;
            }
        }
        run.finish()
    }
}

struct Run {
    engine: Engine,
    memory: Vec<u8>,
    report: kit::Report,
    /// Whether the memory shrinks at the end of the next chunk.
    shrinks: bool,
}

impl Run {
    fn set_last_event_id(&mut self, id: &[u8]) {
        while self.engine.set_last_event_id(&mut self.memory, id).is_err() {
            self.grow();
        }
    }

    fn feed(&mut self, chunk: &[u8], want: Items) -> Step {
        let mut rest = chunk;
        loop {
            if let Some(after) = self.whole_event(rest) {
                rest = after;
                continue;
            }
            let (used, step) = self.engine.step(&mut self.memory, rest, want);
            let item = self.engine.item(step, &self.memory, rest);
            self.report.items.extend(item.map(engines::owned));
            rest = &rest[used..];
            // What lies behind the held bytes is nobody's.
            let held = self.engine.memory_held();
            match step {
                Step::Event | Step::Skipped => {}
                Step::NeedMemory => {
                    assert_eq!(used, 0, "a step that lacks memory takes nothing");
                    self.grow();
                }
                Step::NeedInput => {
                    self.leave_behind(held);
                    return step;
                }
                Step::Failed => return step,
                _ => self.memory[held..].fill(0xAA),
            }
        }
    }

    /// Takes an event that lies whole at the front of the chunk, every other
    /// time, so that a step meets whole events too; gives what comes after it.
    #[cfg(feature = "wide-scan")]
    fn whole_event<'c>(&mut self, chunk: &'c [u8]) -> Option<&'c [u8]> {
        let is_its_turn = self.report.items.len().is_multiple_of(2);
        let whole = is_its_turn.then(|| self.engine.whole_event(chunk))??;
        let event = whole.with_id(self.engine.last_event_id(&self.memory));
        self.report.items.push(engines::owned(Item::Event(event)));
        Some(whole.rest())
    }

    #[cfg(not(feature = "wide-scan"))]
    fn whole_event<'c>(&mut self, _chunk: &'c [u8]) -> Option<&'c [u8]> {
        None
    }

    fn finish(mut self) -> kit::Report {
        let end = self.engine.finish(&self.memory);
        self.report.retry = self.engine.retry();
        self.report.counters = engines::counters(self.engine.counters());
        self.report.last_event_id = self.engine.last_event_id(&self.memory).to_vec();
        self.report.failure = engines::failure(self.engine.error());
        if self.report.failure.is_none() {
            self.report.pending = engines::pending(end);
            let mut step = self.engine.take_unfinished(&mut self.memory);
            if step == Step::NeedMemory {
                self.grow();
                step = self.engine.take_unfinished(&mut self.memory);
            }
            let event = (step == Step::Event).then(|| self.engine.event(&self.memory, &[]));
            self.report.unfinished = event.map(engines::unfinished);
        }
        self.report
    }

    /// Loses what lies behind the held bytes, and every other time the room for it
    /// too; between the two a small chunk may go on with a value in memory.
    fn leave_behind(&mut self, held: usize) {
        if self.shrinks {
            self.memory.truncate(held);
        } else if let Some(rest) = self.memory.get_mut(held..) {
            rest.fill(0xAA);
        }
        self.shrinks = !self.shrinks;
    }

    fn grow(&mut self) {
        const SPARE: usize = 40;
        self.memory
            .resize(self.engine.memory_wanted() + SPARE, 0xAA);
        self.engine.adopt_memory(&mut self.memory);
    }
}
