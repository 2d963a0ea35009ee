//! Stage 5 of the core and the way back: parsers over each kind of memory, and
//! the encoder.

use sseam_core::{
    Counters, EncodeError, Encoded, Encoder, End, Error, Event, Item, Limits, Memory, Parser,
    SetupError, Text,
};

use crate::export;

type Bytes = &'static [u8];
type Lent = &'static mut [u8];
type Fixed = Parser<[u8; 1024]>;

/// A memory that can grow, and of which nothing is known.
pub struct Growing(Lent);

impl Memory for Growing {
    fn bytes(&self) -> &[u8] {
        self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self.0
    }

    fn grow(&mut self, len: usize) -> bool {
        core::hint::black_box(len) > self.0.len()
    }

    fn give_back(&mut self, held: usize) {
        core::hint::black_box(held);
    }
}

export! {
    fn parser_with_array() -> Fixed = const { Parser::with_array(Limits::SMALL) };
    fn parser_fit(memory: Lent) -> Parser<Lent> = Parser::fit(memory);
    fn parser_new(memory: Lent, limits: Limits) -> Result<Parser<Lent>, SetupError> =
        Parser::new(memory, limits);
    fn parser_new_array(memory: [u8; 1024], limits: Limits) -> Result<Fixed, SetupError> =
        Parser::new(memory, limits);
    fn parser_growing(memory: Growing, limits: Limits) -> Parser<Growing> =
        Parser::growing(memory, limits);
    fn parser_clone(parser: &Fixed) -> Fixed = parser.clone();
}

/// The functions of a parser over one kind of memory.
macro_rules! export_parser {
    (
        $memory:ty:
        $next_event:ident $next_item:ident $finish:ident $take_unfinished:ident $reset:ident
        $resync:ident $set_last_event_id:ident $last_event_id:ident $retry:ident
        $counters:ident $limits:ident $bytes:ident
    ) => {
        export! {
            fn $next_event(parser: &'static mut Parser<$memory>, input: &mut Bytes)
                -> Result<Option<Event<'static>>, Error> = parser.next_event(input);
            fn $next_item(parser: &'static mut Parser<$memory>, input: &mut Bytes)
                -> Result<Option<Item<'static>>, Error> = parser.next_item(input);
            fn $finish(parser: &mut Parser<$memory>) -> End = parser.finish();
            fn $take_unfinished(parser: &'static mut Parser<$memory>)
                -> Result<Option<Event<'static>>, Error> = parser.take_unfinished();
            fn $reset(parser: &mut Parser<$memory>) -> () = parser.reset();
            fn $resync(parser: &mut Parser<$memory>) -> () = parser.resync();
            fn $set_last_event_id(parser: &mut Parser<$memory>, id: Bytes)
                -> Result<(), SetupError> = parser.set_last_event_id(id);
            fn $last_event_id(parser: &Parser<$memory>) -> Text<'_> = parser.last_event_id();
            fn $retry(parser: &Parser<$memory>) -> Option<u64> = parser.retry();
            fn $counters(parser: &Parser<$memory>) -> Counters = parser.counters();
            fn $limits(parser: &Parser<$memory>) -> &Limits = parser.limits();
            fn $bytes(parser: &Parser<$memory>) -> &[u8] = parser.memory().bytes();
        }
    };
}

export_parser! {
    [u8; 1024]: fixed_next_event fixed_next_item fixed_finish fixed_take_unfinished fixed_reset
    fixed_resync fixed_set_last_event_id fixed_last_event_id fixed_retry fixed_counters
    fixed_limits fixed_bytes
}

export_parser! {
    Lent: lent_next_event lent_next_item lent_finish lent_take_unfinished lent_reset
    lent_resync lent_set_last_event_id lent_last_event_id lent_retry lent_counters
    lent_limits lent_bytes
}

export_parser! {
    Growing: growing_next_event growing_next_item growing_finish growing_take_unfinished
    growing_reset growing_resync growing_set_last_event_id growing_last_event_id growing_retry
    growing_counters growing_limits growing_bytes
}

export! {
    fn encoder_event(event_type: Bytes, data: Bytes, id: Option<Bytes>)
        -> Result<Encoded<'static>, EncodeError> = Encoder::event(event_type, data, id);
    fn encoder_comment(text: Bytes) -> Encoded<'static> = Encoder::comment(text);
    fn encoder_retry(milliseconds: u64) -> Encoded<'static> = Encoder::retry(milliseconds);
    fn encoded_next_piece(encoded: &'static mut Encoded<'static>) -> Option<Bytes> =
        encoded.next_piece();
    fn encoded_write_to(encoded: Encoded<'static>, out: Lent) -> Result<usize, EncodeError> =
        encoded.write_to(out);
    fn encoded_byte_len(encoded: Encoded<'static>) -> usize = encoded.byte_len();
}
