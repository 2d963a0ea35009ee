//! In: transports that nobody knows. Out: every blocking function of the adapter
//! crate, in one image that links only if no panic is reachable in any of them.

#![no_std]
#![no_main]

use core::task::Poll;

use probes::transport::Transport;
use probes::{black_box, hidden};
use sseam_core::Limits;
use sseam_embedded_io::{
    ChunkedDecoder, EventReader, EventWriter, Framing, HeadDecoder, InPlaceReader, Outgoing,
    Request, Response, write,
};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(buffer: &mut [u8], memory: &mut [u8], input: &[u8], limits: &Limits) {
    blocking(buffer, memory, input, limits);
    in_place(memory, input, limits);
    http(buffer, input);
    writers(buffer, input);
}

fn blocking(buffer: &mut [u8], memory: &mut [u8], input: &[u8], limits: &Limits) {
    let response = Response::new(Transport, [0; 32]);
    let Ok(mut reader) = EventReader::new(response, &mut *buffer, &mut *memory, *limits) else {
        return;
    };
    black_box(reader.set_last_event_id(input).is_ok());
    black_box(reader.source_mut().head().is_ok());
    black_box(reader.source_mut().event_stream().is_ok());
    while let Ok(Some(event)) = reader.next_event() {
        black_box((event.event_type(), event.data()));
    }
    black_box(reader.next_item().is_ok());
    black_box((
        reader.last_event_id(),
        reader.retry(),
        reader.counters(),
        reader.limits(),
    ));
    reader.resync();
    black_box(reader.take_unfinished().is_some());
    black_box(reader.source());
    black_box(
        reader
            .reset(Response::new(Transport, [0; 32]))
            .into_source(),
    );
    black_box(reader.into_parts().unread);
    if let Ok(mut reader) = EventReader::new(Transport, &mut *buffer, &mut *memory, *limits) {
        black_box(matches!(
            reader.next_event_if_ready(),
            Ok(Poll::Ready(Some(_)))
        ));
        black_box(matches!(
            reader.next_item_if_ready(),
            Ok(Poll::Ready(Some(_)))
        ));
    }
}

fn in_place(memory: &mut [u8], input: &[u8], limits: &Limits) {
    let Ok(mut reader) = InPlaceReader::new(Transport, &mut *memory, *limits) else {
        return;
    };
    black_box(reader.set_last_event_id(input).is_ok());
    black_box(reader.next_event().is_ok());
    black_box(reader.next_item().is_ok());
    black_box((reader.last_event_id(), reader.retry(), reader.counters()));
    reader.resync();
    black_box(reader.take_unfinished().is_some());
    black_box(reader.reset(Transport));
    black_box(reader.into_source());
}

fn http(buffer: &mut [u8], input: &[u8]) {
    let (mut rest, mut decoder) = (input, ChunkedDecoder::default());
    while let Ok(Some(piece)) = decoder.next_piece(&mut rest) {
        black_box(piece);
    }
    black_box(decoder.is_done());
    let mut head = HeadDecoder::new(hidden(4096));
    if let Ok(Some(head)) = head.decode(&mut rest) {
        black_box((head.framing(), head.check().is_ok()));
    }
    for mut framing in [Framing::CHUNKED, Framing::Length(9), Framing::UntilClose] {
        black_box(framing.strip(buffer, hidden(7)).is_ok());
        black_box((framing.is_done(), framing.may_end()));
    }
    let text = core::str::from_utf8(input).unwrap_or_default();
    let request = Request {
        authorization: Some(text),
        last_event_id: input,
        fields: &[(text, text)],
        ..Request::post(text, text, input)
    };
    if let Ok(mut encoded) = hidden(request).encode() {
        black_box((encoded.byte_len(), encoded.write_to(buffer).is_ok()));
        black_box(encoded.next_piece());
        black_box(write(&mut Transport, &mut Outgoing::new(encoded)).is_ok());
    }
    black_box(Request::get(text, text).encode().is_ok());
}

fn writers(buffer: &mut [u8], input: &[u8]) {
    let mut writer = EventWriter::new(Transport);
    black_box(writer.event(input, input, Some(input)).is_ok());
    black_box(writer.comment(input).is_ok());
    black_box(writer.retry(buffer.len() as u64).is_ok());
    black_box(writer.flush().is_ok());
    black_box(writer.into_sink());
}
