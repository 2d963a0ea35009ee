//! The pull loop of a Rust program, for its count of instructions: `drive` is what
//! is counted. The corpora are those of tests/c/throughput.c, to the byte.
//!
//! The second argument chooses the loop: `parser` is `Parser::next_event`, which a
//! Rust caller compiles into its own code; `engine` is `Engine::step` and a view,
//! which is what adapters are built on.

use std::io::Write;

use sseam_core::{Engine, Event, Items, Limits, Memory, Parser, Step};

const CORPUS_LEN: usize = 256 * 1024;
const READ_LEN: usize = 1460;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, corpus, how] = arguments.as_slice() else {
        panic!("tiny|responses parser|engine");
    };
    let mut stream = Vec::new();
    for i in 0.. {
        if stream.len() >= CORPUS_LEN {
            break;
        }
        match corpus.as_str() {
            "tiny" => stream.extend_from_slice(b"data: x\n\n"),
            _ => response(&mut stream, i),
        }
    }
    let (events, sum) = match how.as_str() {
        "parser" => {
            let mut parser = Parser::growing(Grown(Vec::new()), Limits::DEFAULT);
            drive_parser(&mut parser, &stream)
        }
        _ => drive_engine(
            &mut Engine::new(Limits::DEFAULT),
            &mut vec![0; 2 << 20],
            &stream,
        ),
    };
    println!("{events} events, sum {sum}");
}

fn response(stream: &mut Vec<u8>, i: u32) {
    let token = i % 97;
    let data = format!(
        "{{\"type\":\"response.output_text.delta\",\"sequence_number\":{i},\
         \"item_id\":\"msg_68a1b2c3d4e5\",\"output_index\":0,\"content_index\":0,\
         \"delta\":\" token{token}\",\"logprobs\":[]}}"
    );
    let written = write!(
        stream,
        "event: response.output_text.delta\ndata: {data}\n\n"
    );
    written.expect("a vector takes all");
}

#[inline(never)]
fn drive_parser(parser: &mut Parser<Grown>, stream: &[u8]) -> (u64, u64) {
    let (mut events, mut sum) = (0, 0);
    for mut chunk in stream.chunks(READ_LEN) {
        while let Ok(Some(event)) = parser.next_event(&mut chunk) {
            events += 1;
            sum += weight(&event);
        }
    }
    (events, sum)
}

#[inline(never)]
fn drive_engine(engine: &mut Engine, memory: &mut [u8], stream: &[u8]) -> (u64, u64) {
    let (mut events, mut sum) = (0, 0);
    for mut chunk in stream.chunks(READ_LEN) {
        loop {
            let (used, step) = engine.step(memory, chunk, Items::EVENTS);
            if step != Step::Event {
                break;
            }
            events += 1;
            sum += weight(&engine.event(memory, chunk));
            chunk = &chunk[used..];
        }
    }
    (events, sum)
}

/// Looks at all that an event has to say, as the C loop does.
fn weight(event: &Event<'_>) -> u64 {
    let texts = [event.event_type(), event.data(), event.last_event_id()];
    let len: usize = texts.iter().map(|text| text.len()).sum();
    len as u64 + event.span().end - event.span().start
}

struct Grown(Vec<u8>);

impl Memory for Grown {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    fn grow(&mut self, len: usize) -> bool {
        self.0.resize(len.max(2 * self.0.len()), 0);
        true
    }
}
