//! In: everything unknown. Out: every public function of the core, in one image
//! that links only if no panic is reachable in any of them.

#![no_std]
#![no_main]

use probes::{black_box, hidden};
use sseam_core::{
    Encoder, Engine, Error, Event, Field, Item, Items, Limit, Limits, Memory, Overflow, Parser,
    SetupError, Step, Text, Token, Tokenizer,
};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(bytes: &mut [u8], input: &[u8], limits: &Limits, number: u64) {
    limits_and_texts(limits, input, number);
    tokens(input);
    engine(bytes, input, limits);
    let mut parser = Parser::fit(&mut *bytes);
    parse(&mut parser, input);
    let mut parser = Parser::fit_with_lines(&mut *bytes, number as usize, hidden(Overflow::Skip));
    parse(&mut parser, input);
    if let Ok(mut parser) = Parser::new(&mut *bytes, *limits) {
        parse(&mut parser, input);
    }
    let mut parser = Parser::growing(&mut *bytes, *limits);
    parse(&mut parser, input);
    // A constant, as its documentation asks: too short an array is no program.
    const OWNED: Parser<[u8; 1024]> = Parser::with_array(Limits::SMALL);
    let mut parser = OWNED;
    parse(&mut parser, input);
    encode(bytes, input, number);
}

fn limits_and_texts(limits: &Limits, input: &[u8], number: u64) {
    black_box((
        limits.memory_len(),
        Limits::fit(number as usize),
        Limits::LARGE,
    ));
    for limit in [
        Limit::Line,
        Limit::Data,
        Limit::EventType,
        Limit::Id,
        Limit::Bytes,
        Limit::Events,
    ] {
        black_box((limits.value(hidden(limit)), hidden(limit).name()));
    }
    let text = Text::new(input);
    black_box((
        text.as_bytes(),
        text.len(),
        text.is_empty(),
        text.to_str().is_ok(),
        text == *"x",
    ));
    for chunk in text.chunks() {
        black_box((chunk.valid(), chunk.invalid()));
    }
    black_box((
        text.as_ref(),
        text == *input,
        Text::from("x"),
        Field::Data.name(),
    ));
}

fn tokens(mut input: &[u8]) {
    let mut tokenizer = Tokenizer::default();
    while let Some(token) = tokenizer.next_token(&mut input) {
        black_box((tokenizer.line_len(), tokenizer.is_within_line()));
        black_box((tokenizer.field_in_progress(), matches!(token, Token::Blank)));
    }
}

fn engine(bytes: &mut [u8], input: &[u8], limits: &Limits) {
    let mut engine = Engine::new(*limits);
    engine
        .set_last_event_id(bytes, input)
        .unwrap_or_else(|error| {
            black_box(error);
        });
    let want = Items::COMMENTS.with(hidden(Items::SKIPPED));
    black_box(want.contains(Items::RETRY));
    let (used, step) = engine.step(bytes, input, want);
    black_box(used);
    if matches!(step, Step::Event) {
        event(engine.event(bytes, input));
    }
    black_box(engine.item(step, bytes, input).is_some());
    let line = engine.line(bytes, input);
    black_box((line.prefix(), line.full_len(), line.is_whole()));
    let skipped = engine.skipped(bytes, input);
    black_box((
        skipped.limit(),
        skipped.max(),
        skipped.bytes(),
        skipped.span(),
    ));
    black_box((
        skipped.event_type(),
        skipped.head(),
        engine.retry(),
        engine.counters(),
    ));
    black_box((engine.last_event_id(bytes), engine.limits(), engine.error()));
    black_box((engine.memory_wanted(), engine.memory_held()));
    engine.adopt_memory(bytes);
    black_box(engine.finish(bytes));
    black_box(engine.unfinished_line(bytes).is_some());
    black_box(engine.take_unfinished(bytes));
    engine.resync();
    engine.reset();
    black_box(Engine::growing(*limits));
}

fn event(event: Event<'_>) {
    black_box((
        event.event_type(),
        event.data(),
        event.last_event_id(),
        event.span(),
    ));
    black_box(event.is_complete());
}

#[inline(never)]
fn parse<M: Memory>(parser: &mut Parser<M>, mut input: &[u8]) {
    let outcome: Result<(), SetupError> = parser.set_last_event_id(input);
    black_box(outcome.is_ok());
    while let Ok(Some(lent)) = parser.next_event(&mut input) {
        event(lent);
    }
    let outcome: Result<Option<Item<'_>>, Error> = parser.next_item(&mut input);
    black_box(outcome.is_ok());
    let end = parser.finish();
    black_box((end.is_clean(), end.is_truncated()));
    black_box(parser.unfinished_line().is_some());
    black_box(parser.error_of(hidden(Step::Failed)));
    if let Ok(Some(lent)) = parser.take_unfinished() {
        event(lent);
    }
    parser.resync();
    parser.reset();
    black_box((
        parser.last_event_id(),
        parser.retry(),
        parser.counters(),
        parser.limits(),
    ));
    black_box(parser.memory().bytes().len());
}

fn encode(out: &mut [u8], input: &[u8], number: u64) {
    if let Ok(mut block) = Encoder::event(input, input, Some(input)) {
        black_box(block.byte_len());
        while let Some(piece) = block.next_piece() {
            black_box(piece);
        }
    }
    black_box(Encoder::comment(input).write_to(out).is_ok());
    black_box(Encoder::retry(number).write_to(out).is_ok());
}
