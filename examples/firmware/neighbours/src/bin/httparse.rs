//! In: a whole answer. Out: what httparse's response parser costs.

#![no_std]
#![no_main]

use neighbours as _;

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(input: &[u8]) -> usize {
    let mut headers = [httparse::EMPTY_HEADER; 16];
    let mut response = httparse::Response::new(&mut headers);
    match response.parse(input) {
        Ok(httparse::Status::Complete(len)) => len + usize::from(response.code.unwrap_or(0)),
        _ => 0,
    }
}
