//! What goes out: whole blocks over transports that take a few bytes at a time.

use sseam_core::{EncodeError, Encoder};
use sseam_embedded_io::{AsyncEventWriter, EventWriter, Outgoing, Request, WriteError, write};

use crate::engines::poll_once;
use crate::transport::Sink;

#[test]
fn blocks_arrive_whole_however_few_bytes_are_taken() {
    for most in 1..20 {
        let mut writer = EventWriter::new(Sink {
            most,
            ..Sink::default()
        });
        writer.retry(1500).unwrap();
        writer.event(b"note", b"a\r\nb", None).unwrap();
        writer.comment(b"ping").unwrap();
        writer.flush().unwrap();
        let taken = writer.into_sink().taken;
        assert_eq!(
            taken,
            b"retry: 1500\nevent: note\ndata: a\ndata: b\n\n: ping\n"
        );
    }
}

#[test]
fn the_same_in_a_task() {
    let mut writer = AsyncEventWriter::new(Sink {
        most: 3,
        ..Sink::default()
    });
    poll_once(async {
        writer.retry(1500).await.unwrap();
        writer.event(b"", b"a", Some(b"")).await.unwrap();
        writer.comment(b"").await.unwrap();
        writer.flush().await.unwrap();
    })
    .unwrap();
    assert_eq!(
        writer.into_sink().taken,
        b"retry: 1500\nid: \ndata: a\n\n: \n"
    );
}

#[test]
fn a_transport_that_takes_nothing_is_an_error() {
    let mut writer = EventWriter::new(Sink::default());
    assert_eq!(writer.comment(b"x"), Err(WriteError::TookNothing));
}

#[test]
fn nothing_is_sent_of_what_cannot_be() {
    let mut writer = EventWriter::new(Sink {
        most: 9,
        ..Sink::default()
    });
    let error = writer.event(b"a\nb", b"", None).unwrap_err();
    assert_eq!(error, WriteError::Encode(EncodeError::EventType { at: 1 }));
    assert!(writer.into_sink().taken.is_empty());
}

#[test]
fn requests_go_the_same_way() {
    let request = Request::get("/", "h").encode().unwrap();
    let mut sink = Sink {
        most: 2,
        ..Sink::default()
    };
    let mut outgoing = Outgoing::new(request);
    write(&mut sink, &mut outgoing).unwrap();
    assert!(outgoing.is_done());
    assert_eq!(sink.taken.len(), request.byte_len());
    assert!(sink.taken.ends_with(b"\r\n\r\n"));
    let mut empty = Outgoing::new(Encoder::comment(b""));
    write(&mut sink, &mut empty).unwrap();
}
