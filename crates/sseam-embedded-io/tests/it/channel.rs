//! Owned events through queues, from the task that reads to the one that acts.

use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::channel::Channel;
use heapless::spsc::Queue;
use sseam_core::{Limit, Limits, OwnedEvent, Parser, TooLong};

use crate::engines::poll_once;

type Message = OwnedEvent<16, 8, 8>;

fn owned(stream: &[u8]) -> Result<Message, TooLong> {
    let mut parser = Parser::<[u8; 832]>::with_array(Limits::SMALL);
    let event = parser.next_event(&mut &*stream).unwrap().unwrap();
    event.try_into()
}

#[test]
fn through_a_queue_of_heapless() {
    let mut queue: Queue<Message, 4> = Queue::new();
    let (mut sender, mut receiver) = queue.split();
    for stream in [
        &b"id: 1\nevent: led\ndata: on\n\n"[..],
        b"data: a\ndata: b\n\n",
    ] {
        sender.enqueue(owned(stream).unwrap()).unwrap();
    }
    let first = receiver.dequeue().unwrap();
    assert_eq!(
        (first.event_type(), first.data()),
        ("led".into(), "on".into())
    );
    assert_eq!(first.last_event_id(), "1");
    let second = receiver.dequeue().unwrap();
    assert_eq!(
        (second.event_type(), second.data()),
        ("message".into(), "a\nb".into())
    );
    assert_eq!(receiver.dequeue(), None);
}

#[test]
fn through_a_channel_of_embassy() {
    let channel: Channel<NoopRawMutex, Message, 1> = Channel::new();
    channel.try_send(owned(b"data: x\n\n").unwrap()).unwrap();
    assert!(poll_once(channel.send(owned(b"data: y\n\n").unwrap())).is_none());
    assert_eq!(poll_once(channel.receive()).unwrap().data(), "x");
}

#[test]
fn what_does_not_fit_is_never_cut() {
    assert!(owned(b"data: 0123456789abcdef\n\n").is_ok());
    let too_long = |limit, len, max| Err(TooLong { limit, len, max });
    assert_eq!(
        owned(b"data: 0123456789abcdefg\n\n"),
        too_long(Limit::Data, 17, 16)
    );
    assert_eq!(
        owned(b"event: 123456789\ndata\n\n"),
        too_long(Limit::EventType, 9, 8)
    );
    assert_eq!(owned(b"id: 123456789\ndata\n\n"), too_long(Limit::Id, 9, 8));
    assert_eq!(
        owned(b"id: 123456789\ndata\n\n").unwrap_err().to_string(),
        "id_len_max of the copy is 8, the event has 9 bytes"
    );
    assert!(!format!("{:?}", owned(b"data: secret\n\n")).contains("secret"));
}
