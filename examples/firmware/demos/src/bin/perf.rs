//! In: streams made of one event again and again. Out: instructions per byte.
//!
//! To be run with `-icount shift=0,align=off,sleep=off`.

#![no_std]
#![no_main]

use core::hint::black_box;

use board::{Count, Uart, entry, exit};
use embedded_io::Write;
use sseam_core::{Limits, Parser, Token, Tokenizer};

/// What an AI API sends for each few letters of its answer, in three forms.
const EVENTS: [(&str, &[u8]); 3] = [
    (
        "delta71",
        b"event: delta\nid: 42\ndata: {\"choices\":[{\"delta\":{\"content\":\"hello\"}}]}\n\n",
    ),
    (
        "chat",
        b"data: {\"id\":\"chatcmpl-C1x9\",\"object\":\"chat.completion.chunk\",\
        \"created\":1790000200,\"model\":\"gpt-4.1-2025-04-14\",\"choices\":[{\"index\":0,\
        \"delta\":{\"content\":\"Sure\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n",
    ),
    (
        "blocks",
        b"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\
        \"delta\":{\"type\":\"text_delta\",\"text\":\"Sure\"}}\n\n",
    ),
];

const READ_LENS: [usize; 4] = [4096, 256, 64, 1];

const STREAM_LEN: usize = 8192;

#[entry]
fn main() -> ! {
    let mut uart = Uart::new();
    let mut stream = [0; STREAM_LEN];
    let mut is_good = true;
    for (name, event) in EVENTS {
        let count = STREAM_LEN / event.len();
        for (place, byte) in stream.iter_mut().zip(event.iter().cycle()) {
            *place = *byte;
        }
        let stream = &stream[..count * event.len()];
        for read_len in READ_LENS {
            let mut parser = Parser::<[u8; 832]>::with_array(Limits::SMALL);
            let (events, instructions) =
                measure(|| parse(black_box(&mut parser), black_box(stream), read_len));
            is_good &= events == count;
            report(&mut uart, name, read_len, stream.len(), instructions);
        }
        let mut tokenizer = Tokenizer::new();
        let (blanks, instructions) =
            measure(|| tokenize(black_box(&mut tokenizer), black_box(stream)));
        is_good &= blanks == count;
        report(&mut uart, name, 0, stream.len(), instructions);
    }
    exit(is_good)
}

fn measure(work: impl FnOnce() -> usize) -> (usize, u64) {
    let count = Count::start();
    let result = black_box(work());
    (result, count.instructions())
}

/// One line for the table; a read length of 0 is the tokenizer alone.
fn report(uart: &mut Uart, name: &str, read_len: usize, bytes: usize, instructions: u64) {
    let hundredths = instructions * 100 / bytes as u64;
    let _ = writeln!(
        uart,
        "icount {name} {read_len} {bytes} {instructions} {}.{:02}",
        hundredths / 100,
        hundredths % 100
    );
}

#[inline(never)]
fn parse(parser: &mut Parser<[u8; 832]>, stream: &[u8], read_len: usize) -> usize {
    let mut events = 0;
    for chunk in stream.chunks(read_len) {
        let mut input = chunk;
        while let Ok(Some(event)) = parser.next_event(&mut input) {
            black_box(event.data());
            events += 1;
        }
    }
    events
}

#[inline(never)]
fn tokenize(tokenizer: &mut Tokenizer, stream: &[u8]) -> usize {
    let (mut blanks, mut input) = (0, stream);
    while let Some(token) = tokenizer.next_token(&mut input) {
        blanks += usize::from(matches!(black_box(token), Token::Blank));
    }
    blanks
}
