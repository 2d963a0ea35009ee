//! An event that is encoded and parsed again is the same event, with CR and CRLF
//! in its data become LF and an empty type become `message`; what could not come
//! back is refused.
//!
//! The first two bytes are the lengths of the type and of the id, 255 for no id;
//! then come type, id and data.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sseam_core::{Encoder, Limits, Parser};

fuzz_target!(|bytes: &[u8]| {
    let [type_len, id_len, rest @ ..] = bytes else {
        return;
    };
    let (event_type, rest) = rest.split_at(rest.len().min(usize::from(*type_len)));
    let id_len_max = if *id_len == NO_ID { 0 } else { *id_len };
    let (id, data) = rest.split_at(rest.len().min(usize::from(id_len_max)));
    let id = (*id_len != NO_ID).then_some(id);

    let may_inject = |value: &[u8]| value.iter().any(|byte| matches!(byte, b'\r' | b'\n' | 0));
    let Ok(encoded) = Encoder::event(event_type, data, id) else {
        return assert!(may_inject(event_type) || id.is_some_and(may_inject));
    };
    assert!(!may_inject(event_type) && !id.is_some_and(may_inject));
    let mut wire = vec![0; encoded.byte_len()];
    assert_eq!(encoded.write_to(&mut wire), Ok(wire.len()));

    // A comment that says anything may stand before it.
    let mut comment = vec![0; Encoder::comment(data).byte_len()];
    assert_eq!(
        Encoder::comment(data).write_to(&mut comment),
        Ok(comment.len())
    );
    let stream = [comment, wire].concat();
    let mut memory = vec![0; 8 * bytes.len() + 64];
    let limits = Limits {
        data_len_max: bytes.len(),
        event_type_len_max: bytes.len(),
        id_len_max: bytes.len() + 6,
        ..Limits::SMALL
    };
    let mut parser = Parser::new(&mut memory[..], limits).expect("there is memory enough");
    parser.set_last_event_id(b"before").expect("it is short");
    let mut events = 0;
    for chunk in stream.chunks(1 + usize::from(*type_len) % 64) {
        let mut input = chunk;
        while let Some(event) = parser.next_event(&mut input).expect("no limit is passed") {
            let expected_type = if event_type.is_empty() {
                b"message"
            } else {
                event_type
            };
            assert_eq!(event.event_type().as_bytes(), expected_type);
            assert_eq!(event.data().as_bytes(), with_lf(data));
            assert_eq!(event.last_event_id().as_bytes(), id.unwrap_or(b"before"));
            events += 1;
        }
    }
    assert_eq!(events, 1);
    assert!(parser.finish().is_clean());
});

fn with_lf(text: &[u8]) -> Vec<u8> {
    let mut normal = Vec::new();
    for (index, &byte) in text.iter().enumerate() {
        match byte {
            b'\n' if index > 0 && text[index - 1] == b'\r' => {}
            b'\r' => normal.push(b'\n'),
            _ => normal.push(byte),
        }
    }
    normal
}

const NO_ID: u8 = 255;
