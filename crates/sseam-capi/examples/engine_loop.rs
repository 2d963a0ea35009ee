//! The pull loop of a Rust program, for the instruction counts that the C loop is
//! held against: a corpus's name in, how many events it held out.
use std::io::Write;
use sseam_core::{Limits, Parser, Memory};
struct Grown(Vec<u8>);
impl Memory for Grown {
    fn bytes(&self) -> &[u8] { &self.0 }
    fn bytes_mut(&mut self) -> &mut [u8] { &mut self.0 }
    fn grow(&mut self, len: usize) -> bool { self.0.resize(len.max(self.0.len()*2), 0); true }
}
#[inline(never)]
fn drive(parser: &mut Parser<Grown>, stream: &[u8]) -> (u64, u64) {
    let (mut events, mut sum) = (0, 0);
    for mut chunk in stream.chunks(1460) {
        while let Ok(Some(event)) = parser.next_event(&mut chunk) {
            events += 1;
            sum += (event.data().len() + event.event_type().len() + event.last_event_id().len()) as u64 + event.span().end - event.span().start;
        }
    }
    (events, sum)
}
fn main() {
    let mut b: Vec<u8> = Vec::new();
    let mut i = 0;
    let tiny = std::env::args().nth(1).unwrap().starts_with('t');
    while b.len() < 256 * 1024 {
        if tiny { b.extend_from_slice(b"data: x\n\n"); } else {
            write!(b, "event: response.output_text.delta\ndata: {{\"type\":\"response.output_text.delta\",\"sequence_number\":{},\"item_id\":\"msg_68a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5\",\"output_index\":0,\"content_index\":0,\"delta\":\" token{}\",\"logprobs\":[]}}\n\n", i, i % 97).unwrap(); i += 1;
        }
    }
    let mut p = Parser::growing(Grown(Vec::new()), Limits::DEFAULT);
    println!("{:?}", drive(&mut p, &b));
}
