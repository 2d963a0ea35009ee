//! Stages 2 to 4 of the core: the tokenizer, and the engine in any state.

use sseam_core::{
    Counters, End, Engine, Error, Event, Field, Item, Items, Limits, LineView, SetupError, Skipped,
    Step, Token, Tokenizer,
};

use crate::export;

type Bytes = &'static [u8];
type Lent<'m> = &'m mut [u8];

export! {
    fn tokenizer_new() -> Tokenizer = Tokenizer::new();
    fn tokenizer_default() -> Tokenizer = Tokenizer::default();
    fn tokenizer_next_token(tokenizer: &mut Tokenizer, input: &mut Bytes)
        -> Option<Token<'static>> = tokenizer.next_token(input);
    fn tokenizer_line_len(tokenizer: &Tokenizer) -> u64 = tokenizer.line_len();
    fn tokenizer_is_within_line(tokenizer: &Tokenizer) -> bool = tokenizer.is_within_line();
    fn tokenizer_field_in_progress(tokenizer: &Tokenizer) -> Option<Field> =
        tokenizer.field_in_progress();
    fn field_name(field: Field) -> Bytes = field.name();
}

export! {
    fn engine_new(limits: Limits) -> Engine = Engine::new(limits);
    fn engine_growing(limits: Limits) -> Engine = Engine::growing(limits);
    fn engine_step(engine: &mut Engine, memory: Lent<'_>, chunk: Bytes, want: Items)
        -> (usize, Step) = engine.step(memory, chunk, want);
    fn engine_event(engine: &Engine, memory: Bytes, chunk: Bytes) -> Event<'static> =
        engine.event(memory, chunk);
    fn engine_item(engine: &Engine, step: Step, memory: Bytes, chunk: Bytes)
        -> Option<Item<'static>> = engine.item(step, memory, chunk);
    fn engine_line(engine: &Engine, memory: Bytes, chunk: Bytes) -> LineView<'static> =
        engine.line(memory, chunk);
    fn engine_skipped(engine: &Engine, memory: Bytes, chunk: Bytes) -> Skipped<'static> =
        engine.skipped(memory, chunk);
    fn engine_retry(engine: &Engine) -> Option<u64> = engine.retry();
    fn engine_last_event_id(engine: &Engine, memory: Bytes) -> Bytes =
        engine.last_event_id(memory);
    fn engine_counters(engine: &Engine) -> Counters = engine.counters();
    fn engine_limits(engine: &Engine) -> &Limits = engine.limits();
    fn engine_error(engine: &Engine) -> Option<Error> = engine.error();
    fn engine_memory_wanted(engine: &Engine) -> usize = engine.memory_wanted();
    fn engine_memory_held(engine: &Engine) -> usize = engine.memory_held();
    fn engine_adopt_memory(engine: &mut Engine, memory: Lent<'_>) -> () =
        engine.adopt_memory(memory);
    fn engine_finish(engine: &mut Engine, memory: Bytes) -> End = engine.finish(memory);
    fn engine_take_unfinished(engine: &mut Engine, memory: Lent<'_>) -> Step =
        engine.take_unfinished(memory);
    fn engine_reset(engine: &mut Engine) -> () = engine.reset();
    fn engine_resync(engine: &mut Engine) -> () = engine.resync();
    fn engine_set_last_event_id(engine: &mut Engine, memory: Lent<'_>, id: Bytes)
        -> Result<(), SetupError> = engine.set_last_event_id(memory, id);
    fn engine_clone(engine: &Engine) -> Engine = engine.clone();
}

#[cfg(feature = "wide-scan")]
export! {
    fn engine_whole_event(engine: &mut Engine, chunk: Bytes)
        -> Option<sseam_core::WholeEvent<'static>> = engine.whole_event(chunk);
    fn whole_event_rest(whole: &sseam_core::WholeEvent<'static>) -> Bytes = whole.rest();
    fn whole_event_with_id(whole: sseam_core::WholeEvent<'static>, id: Bytes)
        -> Event<'static> = whole.with_id(id);
}
