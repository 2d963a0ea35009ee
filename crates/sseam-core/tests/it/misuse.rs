//! Calls that no documentation allows: views that were never announced, memory
//! that is not the one that was lent before, chunks that were not fed. Nothing
//! sensible can come out; what must not come out is a panic, and the engine must
//! be as new after a reset and a blank line.

use proptest::prelude::*;
use sseam_core::{Engine, Items, Limits, Overflow, Step};

use crate::law1::{config, stream};

/// One call.
#[derive(Debug, Clone)]
enum Call {
    Step {
        chunk: usize,
        len: usize,
        want: u8,
    },
    /// Takes a whole event, and makes no step with the same chunk after it.
    #[cfg(feature = "wide-scan")]
    Whole {
        chunk: usize,
        len: usize,
    },
    Resize(usize),
    Spoil(u8),
    Adopt,
    Finish,
    TakeUnfinished,
    Reset,
    Resync,
    SetId(usize),
    View {
        chunk: usize,
        len: usize,
    },
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_order_of_calls_makes_the_engine_panic(
        chunks in prop::collection::vec(stream(), 1..4),
        calls in prop::collection::vec(call(), 1..40),
        limits in limits(),
        grows in any::<bool>(),
    ) {
        let mut engine = if grows { Engine::growing(limits) } else { Engine::new(limits) };
        let mut memory = vec![0x55; if grows { 0 } else { limits.memory_len() }];
        for call in &calls {
            make(call, &mut engine, &mut memory, &chunks);
            view(&engine, &memory, &chunks[0]);
        }
        is_as_new_after_a_reset(engine, memory, &limits)?;
    }
}

/// The chunk is longer than the one that was looked at, and no part of it may be
/// taken past the limit of all bytes.
#[cfg(feature = "wide-scan")]
#[test]
fn a_longer_chunk_than_the_one_looked_at_stops_at_the_limit() {
    let limits = Limits {
        bytes_max: 12,
        ..Limits::SMALL
    };
    let mut memory = [0; Limits::SMALL.memory_len()];
    let mut engine = Engine::new(limits);
    engine.step(&mut memory, b"\n", Items::EVENTS);
    assert!(engine.whole_event(b"data: abc").is_none());
    let (used, step) = engine.step(&mut memory, b"data: abcdefghi", Items::EVENTS);
    assert_eq!((used, step), (11, Step::Failed));
    assert_eq!(
        engine.step(&mut memory, b"x", Items::EVENTS).1,
        Step::Failed
    );
}

fn make(call: &Call, engine: &mut Engine, memory: &mut Vec<u8>, chunks: &[Vec<u8>]) {
    match *call {
        Call::Step { chunk, len, want } => {
            let chunk = part(chunks, chunk, len);
            #[cfg(feature = "wide-scan")]
            if want % 3 == 0 {
                engine.whole_event(chunk);
            }
            engine.step(memory, chunk, items(want));
        }
        #[cfg(feature = "wide-scan")]
        Call::Whole { chunk, len } => whole(engine, memory, part(chunks, chunk, len)),
        Call::Resize(len) => memory.resize(len, 0xAA),
        Call::Spoil(byte) => memory.fill(byte),
        Call::Adopt => engine.adopt_memory(memory),
        Call::Finish => drop(engine.finish(memory).to_string()),
        Call::TakeUnfinished => drop(engine.take_unfinished(memory)),
        Call::Reset => engine.reset(),
        Call::Resync => engine.resync(),
        Call::SetId(len) => drop(engine.set_last_event_id(memory, &b"a longer id"[..len])),
        Call::View { chunk, len } => view(engine, memory, part(chunks, chunk, len)),
    }
}

/// What a whole event shows, and that it lies in the chunk.
#[cfg(feature = "wide-scan")]
fn whole(engine: &mut Engine, memory: &[u8], chunk: &[u8]) {
    if let Some(whole) = engine.whole_event(chunk) {
        assert!(whole.rest().len() < chunk.len());
        let event = whole.with_id(engine.last_event_id(memory));
        std::hint::black_box(format!("{event:?}"));
    }
}

/// Everything that can be looked at, announced or not.
fn view(engine: &Engine, memory: &[u8], chunk: &[u8]) {
    let shown = format!("{:?} {:?}", engine.event(memory, chunk), engine.error());
    let lines = format!(
        "{:?} {:?}",
        engine.line(memory, chunk),
        engine.skipped(memory, chunk)
    );
    let unfinished = format!("{:?}", engine.unfinished_line(memory));
    let mut len = shown.len() + lines.len() + unfinished.len();
    len += engine.last_event_id(memory).len();
    len += engine.memory_wanted().min(1) + engine.memory_held().min(1);
    for step in [
        Step::Event,
        Step::Comment,
        Step::Ignored,
        Step::Retry,
        Step::Skipped,
        Step::Failed,
    ] {
        len += format!("{:?}", engine.item(step, memory, chunk)).len();
    }
    std::hint::black_box(len);
}

fn is_as_new_after_a_reset(
    mut engine: Engine,
    mut memory: Vec<u8>,
    limits: &Limits,
) -> Result<(), TestCaseError> {
    engine.reset();
    let chunk = b"\n\ndata: a\n\n";
    let expected = if limits.bytes_max < 11
        || limits.events_max == 0
        || limits.data_len_max == 0
        || limits.line_len_max < 7
    {
        return Ok(());
    } else {
        Step::Event
    };
    loop {
        let (used, step) = engine.step(&mut memory, chunk, Items::EVENTS);
        if step != Step::NeedMemory {
            prop_assert_eq!((used, step), (chunk.len(), expected));
            prop_assert_eq!(engine.event(&memory, chunk).data().as_bytes(), b"a");
            return Ok(());
        }
        prop_assert!(engine.memory_wanted() <= limits.memory_len());
        memory.resize(engine.memory_wanted(), 0xAA);
        engine.adopt_memory(&mut memory);
    }
}

fn part(chunks: &[Vec<u8>], chunk: usize, len: usize) -> &[u8] {
    let chunk = &chunks[chunk % chunks.len()];
    &chunk[..len.min(chunk.len())]
}

fn items(bits: u8) -> Items {
    [
        Items::COMMENTS,
        Items::IGNORED,
        Items::RETRY,
        Items::SKIPPED,
    ]
    .into_iter()
    .enumerate()
    .filter(|(index, _)| bits >> index & 1 == 1)
    .fold(Items::EVENTS, |all, (_, items)| all.with(items))
}

fn step((chunk, len, want): (usize, usize, u8)) -> Call {
    Call::Step { chunk, len, want }
}

#[cfg(feature = "wide-scan")]
fn whole_or_step((chunk, len, _): (usize, usize, u8)) -> Call {
    Call::Whole { chunk, len }
}

#[cfg(not(feature = "wide-scan"))]
use step as whole_or_step;

fn call() -> impl Strategy<Value = Call> {
    let len = || prop_oneof![0..10_usize, 0..200_usize];
    prop_oneof![
        8 => (0..4_usize, len(), any::<u8>()).prop_map(step),
        2 => (0..4_usize, len(), any::<u8>()).prop_map(whole_or_step),
        2 => len().prop_map(Call::Resize),
        1 => any::<u8>().prop_map(Call::Spoil),
        2 => Just(Call::Adopt),
        1 => Just(Call::Finish),
        1 => Just(Call::TakeUnfinished),
        1 => Just(Call::Reset),
        1 => Just(Call::Resync),
        1 => (0..11_usize).prop_map(Call::SetId),
        2 => (0..4_usize, len()).prop_map(|(chunk, len)| Call::View { chunk, len }),
    ]
}

fn limits() -> impl Strategy<Value = Limits> {
    let small = |end: usize| prop_oneof![2 => Just(end * 8), 1 => 0..end];
    let total = |end: u64| prop_oneof![2 => Just(u64::MAX), 1 => 0..end];
    let lens = (small(24), small(12), small(6), small(6), small(9));
    (lens, total(120), total(4), any::<bool>()).prop_map(|(lens, bytes_max, events_max, skips)| {
        Limits {
            line_len_max: lens.0,
            data_len_max: lens.1,
            event_type_len_max: lens.2,
            id_len_max: lens.3,
            comment_len_max: lens.4,
            bytes_max,
            events_max,
            overflow: if skips {
                Overflow::Skip
            } else {
                Overflow::Stop
            },
        }
    })
}
