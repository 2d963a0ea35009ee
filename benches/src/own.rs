//! The project's own contenders: the core's parser in the ways it can be used.

use sseam_core::{Limits, Memory, Parser};

use crate::contender::{Contender, Sink};

/// Event memory that grows, as in the crate `sseam`, without its dependencies.
#[derive(Debug, Default)]
pub struct Growing(Vec<u8>);

impl Memory for Growing {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    fn grow(&mut self, len: usize) -> bool {
        self.0.reserve(len.saturating_sub(self.0.len()));
        self.0.resize(self.0.capacity(), 0);
        true
    }
}

/// `next_event` over fixed memory, data as bytes.
pub struct Core(Parser<&'static mut [u8]>);

impl Core {
    fn parser() -> Parser<&'static mut [u8]> {
        let limits = Limits {
            data_len_max: 16 * 1024 * 1024,
            ..Limits::DEFAULT
        };
        let memory = vec![0; limits.memory_len()].leak();
        Parser::new(memory, limits).expect("the memory is as long as the limits want")
    }
}

impl Contender for Core {
    const NAME: &'static str = "sseam-core";

    fn new() -> Self {
        Core(Core::parser())
    }

    fn feed(&mut self, mut chunk: &'static [u8], sink: &mut impl Sink) {
        while let Some(event) = self.0.next_event(&mut chunk).expect("within limits") {
            sink.event(event.event_type().as_bytes(), event.data().as_bytes());
        }
    }
}

/// `next_event`, then `to_str` on the data.
pub struct CoreText(Parser<&'static mut [u8]>);

impl Contender for CoreText {
    const NAME: &'static str = "sseam-core to_str";

    fn new() -> Self {
        CoreText(Core::parser())
    }

    fn feed(&mut self, mut chunk: &'static [u8], sink: &mut impl Sink) {
        while let Some(event) = self.0.next_event(&mut chunk).expect("within limits") {
            let data = event.data().to_str().expect("the corpora are UTF-8");
            sink.event(event.event_type().as_bytes(), data.as_bytes());
        }
    }
}

/// `next_event` over memory that begins empty and grows on demand.
pub struct CoreGrowing(Parser<Growing>);

impl Contender for CoreGrowing {
    const NAME: &'static str = "sseam-core growing";

    fn new() -> Self {
        CoreGrowing(Parser::growing(Growing::default(), Limits::LARGE))
    }

    fn feed(&mut self, mut chunk: &'static [u8], sink: &mut impl Sink) {
        while let Some(event) = self.0.next_event(&mut chunk).expect("within limits") {
            sink.event(event.event_type().as_bytes(), event.data().as_bytes());
        }
    }
}
