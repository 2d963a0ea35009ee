//! In: limits and chunks over a UART. Out: all that the parser tells of them, to
//! be held against the oracle.
//!
//! Each frame is a letter, a length of two bytes and so many bytes. The answer
//! to a frame is lines, the last of them a full stop.

#![no_std]
#![no_main]

use board::{Uart, entry, exit};
use demos::Hex;
use embedded_io::{Read, Write};
use sseam_core::{Engine, Error, Item, Items, Limits, Overflow, Step};

const FRAME_LEN_MAX: usize = 512;
const MEMORY_LEN: usize = 4096;

#[entry]
fn main() -> ! {
    let mut uart = Uart::new();
    let (mut frame, mut memory) = ([0; FRAME_LEN_MAX], [0; MEMORY_LEN]);
    let mut engine = Engine::new(Limits::SMALL);
    let mut want = Items::ALL;
    let _ = writeln!(uart, "ready");
    loop {
        let Some((kind, len)) = receive(&mut uart, &mut frame) else {
            exit(false)
        };
        let payload = frame.get(..len).unwrap_or_default();
        match kind {
            b'L' => match limits(payload).filter(|limits| limits.memory_len() <= MEMORY_LEN) {
                Some(limits) => {
                    engine = Engine::new(limits);
                    let wants_items = payload.get(37) == Some(&1);
                    want = if wants_items {
                        Items::ALL
                    } else {
                        Items::EVENTS
                    };
                    let id = payload.get(38..).unwrap_or_default();
                    if engine.set_last_event_id(&mut memory, id).is_err() {
                        let _ = writeln!(uart, "refused");
                    }
                }
                None => {
                    let _ = writeln!(uart, "refused");
                }
            },
            b'C' => feed(&mut uart, &mut engine, &mut memory, payload, want),
            b'F' => finish(&mut uart, &mut engine, &mut memory),
            b'R' => engine.reset(),
            _ => exit(kind == b'Q'),
        }
        let _ = writeln!(uart, ".");
    }
}

fn receive(uart: &mut Uart, frame: &mut [u8]) -> Option<(u8, usize)> {
    let mut head = [0; 3];
    fill(uart, &mut head);
    let len = usize::from(u16::from_le_bytes([head[1], head[2]]));
    fill(uart, frame.get_mut(..len)?);
    Some((head[0], len))
}

fn fill(uart: &mut Uart, mut room: &mut [u8]) {
    while !room.is_empty() {
        let len = uart.read(room).unwrap_or(0);
        room = room.get_mut(len..).unwrap_or_default();
    }
}

fn limits(payload: &[u8]) -> Option<Limits> {
    let short = |at: usize| {
        let bytes = payload.get(at..)?.first_chunk::<4>()?;
        let value = u32::from_le_bytes(*bytes);
        Some(if value == u32::MAX {
            usize::MAX
        } else {
            value as usize
        })
    };
    let long = |at: usize| Some(u64::from_le_bytes(*payload.get(at..)?.first_chunk::<8>()?));
    Some(Limits {
        line_len_max: short(0)?,
        data_len_max: short(4)?,
        event_type_len_max: short(8)?,
        id_len_max: short(12)?,
        comment_len_max: short(16)?,
        bytes_max: long(20)?,
        events_max: long(28)?,
        overflow: if payload.get(36)? == &1 {
            Overflow::Skip
        } else {
            Overflow::Stop
        },
    })
}

fn feed(uart: &mut Uart, engine: &mut Engine, memory: &mut [u8], chunk: &[u8], want: Items) {
    let mut rest = chunk;
    loop {
        let (used, step) = engine.step(memory, rest, want);
        if let Some(item) = engine.item(step, memory, rest) {
            print_item(uart, &item);
        }
        rest = rest.get(used..).unwrap_or_default();
        match step {
            Step::NeedInput | Step::Failed => return,
            Step::NeedMemory => {
                let _ = writeln!(uart, "memory {}", engine.memory_wanted());
                return;
            }
            _ => {}
        }
    }
}

fn print_item(uart: &mut Uart, item: &Item<'_>) {
    let _ = match item {
        Item::Event(event) => {
            let (event_type, data) = (event.event_type(), event.data());
            let (event_type, data) = (Hex(event_type.as_bytes()), Hex(data.as_bytes()));
            let (id, span) = (event.last_event_id(), event.span());
            let id = Hex(id.as_bytes());
            writeln!(
                uart,
                "event {event_type} {data} {id} {} {}",
                span.start, span.end
            )
        }
        Item::Comment(line) => {
            writeln!(
                uart,
                "comment {} {}",
                Hex(line.prefix().as_bytes()),
                line.full_len()
            )
        }
        Item::Ignored(line) => {
            writeln!(
                uart,
                "ignored {} {}",
                Hex(line.prefix().as_bytes()),
                line.full_len()
            )
        }
        Item::Retry(milliseconds) => writeln!(uart, "retry {milliseconds}"),
        Item::Skipped(skipped) => {
            let (limit, max, bytes) = (skipped.limit().name(), skipped.max(), skipped.bytes());
            let (span, head) = (skipped.span(), Hex(skipped.head().as_bytes()));
            let _ = write!(
                uart,
                "skipped {limit} {max} {bytes} {} {} ",
                span.start, span.end
            );
            match skipped.event_type() {
                Some(name) => writeln!(uart, "{head} {}", Hex(name.as_bytes())),
                None => writeln!(uart, "{head} unknown"),
            }
        }
        _ => writeln!(uart, "an item that nobody knows"),
    };
}

fn finish(uart: &mut Uart, engine: &mut Engine, memory: &mut [u8]) {
    let counters = engine.counters();
    let _ = writeln!(
        uart,
        "counters {} {} {} {} {} {}",
        counters.bytes,
        counters.lines,
        counters.events,
        counters.comments,
        counters.ignored_lines,
        counters.skipped
    );
    let end = engine.finish(memory);
    let _ = writeln!(uart, "last_event_id {}", Hex(engine.last_event_id(memory)));
    if let Some(milliseconds) = engine.retry() {
        let _ = writeln!(uart, "reconnect {milliseconds}");
    }
    if let Some(Error::LimitPassed { limit, max, offset }) = engine.error() {
        let _ = writeln!(uart, "failed {} {max} {offset}", limit.name());
        return;
    }
    let flag = u8::from;
    let _ = writeln!(
        uart,
        "pending {} {} {} {}",
        flag(end.line),
        flag(end.data),
        flag(end.event),
        flag(end.id)
    );
    if engine.take_unfinished(memory) == Step::Event {
        let event = engine.event(memory, &[]);
        let (event_type, data) = (event.event_type(), event.data());
        let (event_type, data) = (Hex(event_type.as_bytes()), Hex(data.as_bytes()));
        let id = event.last_event_id();
        let _ = writeln!(
            uart,
            "unfinished {event_type} {data} {}",
            Hex(id.as_bytes())
        );
    }
}
