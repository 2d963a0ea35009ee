//! Stage 0 of the core and what is announced: limits, errors, text, views, and
//! how each of them is shown.

use core::cmp::Ordering;
use core::fmt::{Formatter, Result as Shown};

use sseam_core::{
    EncodeError, Encoded, Encoder, End, Error, Event, Field, InvalidText, Item, Items, Limit,
    Limits, LineView, Overflow, SetupError, Skipped, Span, Step, Text, Token, Tokenizer,
};

use crate::{debug, display, export};

type Bytes = &'static [u8];

export! {
    fn limits_memory_len(limits: &Limits) -> usize = limits.memory_len();
    fn limits_fit(len: usize) -> Limits = Limits::fit(len);
    fn limits_value(limits: &Limits, limit: Limit) -> u64 = limits.value(limit);
    fn limit_name(limit: Limit) -> &'static str = limit.name();
    fn items_with(items: Items, other: Items) -> Items = items.with(other);
    fn items_contains(items: Items, other: Items) -> bool = items.contains(other);
    fn end_is_clean(end: &End) -> bool = end.is_clean();
    fn end_is_truncated(end: &End) -> bool = end.is_truncated();
}

export! {
    fn text_new(bytes: Bytes) -> Text<'static> = Text::new(bytes);
    fn text_from(text: &'static str) -> Text<'static> = Text::from(text);
    fn text_as_bytes(text: Text<'static>) -> Bytes = text.as_bytes();
    fn text_as_ref(text: &'static Text<'static>) -> Bytes = text.as_ref();
    fn text_len(text: Text<'static>) -> usize = text.len();
    fn text_is_empty(text: Text<'static>) -> bool = text.is_empty();
    fn text_to_str(text: Text<'static>) -> Result<&'static str, InvalidText> = text.to_str();
    fn text_next_chunk(text: Text<'static>) -> Option<core::str::Utf8Chunk<'static>> =
        text.chunks().next();
    fn text_eq_str(text: Text<'static>, other: &str) -> bool = text == *other;
    fn text_eq_bytes(text: Text<'static>, other: Bytes) -> bool = text == *other;
    fn text_cmp(text: Text<'static>, other: Text<'static>) -> Ordering = text.cmp(&other);
}

export! {
    fn event_new(name: Bytes, data: Bytes, id: Bytes) -> Event<'static> =
        Event::new(name, data, id);
    fn line_new(prefix: Bytes, len: u64) -> LineView<'static> = LineView::new(prefix, len);
    fn skipped_new(limit: Limit, max: u64, bytes: u64, head: Bytes) -> Skipped<'static> =
        Skipped::new(limit, max, bytes, Some(head), head);
    fn event_event_type(event: &Event<'static>) -> Text<'static> = event.event_type();
    fn event_data(event: &Event<'static>) -> Text<'static> = event.data();
    fn event_last_event_id(event: &Event<'static>) -> Text<'static> = event.last_event_id();
    fn event_span(event: &Event<'static>) -> Span = event.span();
    fn event_is_complete(event: &Event<'static>) -> bool = event.is_complete();
    fn line_prefix(line: &LineView<'static>) -> Text<'static> = line.prefix();
    fn line_full_len(line: &LineView<'static>) -> u64 = line.full_len();
    fn line_is_whole(line: &LineView<'static>) -> bool = line.is_whole();
    fn skipped_limit(skipped: &Skipped<'static>) -> Limit = skipped.limit();
    fn skipped_max(skipped: &Skipped<'static>) -> u64 = skipped.max();
    fn skipped_bytes(skipped: &Skipped<'static>) -> u64 = skipped.bytes();
    fn skipped_span(skipped: &Skipped<'static>) -> Span = skipped.span();
    fn skipped_event_type(skipped: &Skipped<'static>) -> Option<Text<'static>> =
        skipped.event_type();
    fn skipped_head(skipped: &Skipped<'static>) -> Text<'static> = skipped.head();
}

export! {
    fn show_error(it: &Error, f: &mut Formatter<'_>) -> Shown = display(it, f);
    fn show_setup_error(it: &SetupError, f: &mut Formatter<'_>) -> Shown = display(it, f);
    fn show_encode_error(it: &EncodeError, f: &mut Formatter<'_>) -> Shown = display(it, f);
    fn show_invalid_text(it: &InvalidText, f: &mut Formatter<'_>) -> Shown = display(it, f);
    fn show_end(it: &End, f: &mut Formatter<'_>) -> Shown = display(it, f);
    fn show_text(it: &Text<'static>, f: &mut Formatter<'_>) -> Shown = display(it, f);
}

// Not `Limits`, `Counters` and `Engine`: what derives `Debug` for more than five
// fields calls a function of `core` that compares the number of names with that
// of values. Both are written by the same derive, but that function is compiled
// for all callers, and nobody proves it.
export! {
    fn debug_limit(it: &Limit, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_overflow(it: &Overflow, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_error(it: &Error, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_setup_error(it: &SetupError, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_encode_error(it: &EncodeError, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_invalid_text(it: &InvalidText, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_end(it: &End, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_text(it: &Text<'static>, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_event(it: &Event<'static>, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_line(it: &LineView<'static>, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_skipped(it: &Skipped<'static>, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_item(it: &Item<'static>, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_items(it: &Items, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_span(it: &Span, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_step(it: &Step, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_field(it: &Field, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_token(it: &Token<'static>, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_tokenizer(it: &Tokenizer, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_encoder(it: &Encoder, f: &mut Formatter<'_>) -> Shown = debug(it, f);
    fn debug_encoded(it: &Encoded<'static>, f: &mut Formatter<'_>) -> Shown = debug(it, f);
}
