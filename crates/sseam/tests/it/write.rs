//! The way back: blocks to any `Write`, and to events again.

use std::io::{self, ErrorKind, Write};

use sseam::{Encoder, EventReader, WriteBlock};

#[test]
fn what_is_written_is_read_again() {
    let long = "x".repeat(5000);
    let data: [&str; 9] = [
        "", "a", " a", "\n", "a\n\nb", "a\nb\n", "data: a", &long, "\u{FEFF}",
    ];
    let mut wire = Vec::new();
    for data in data {
        let block = Encoder::event(b"note", data.as_bytes(), Some(b"7")).unwrap();
        wire.write_block(block).unwrap();
        wire.write_block(Encoder::comment(b"ping\npong")).unwrap();
        wire.write_block(Encoder::retry(15)).unwrap();
    }
    let mut reader = EventReader::new(&wire[..]);
    for data in data {
        let event = reader.next_event().unwrap().unwrap();
        assert_eq!(
            (event.event_type(), event.data()),
            ("note".into(), data.into())
        );
        assert_eq!(event.last_event_id(), "7");
    }
    assert_eq!(reader.next_event().unwrap(), None);
    assert_eq!(reader.counters().comments, 2 * 9);
    assert_eq!(reader.retry(), Some(15));
}

#[test]
fn the_bytes_are_the_same_whatever_the_writer_takes_at_a_time() {
    for len in [0, 1, 1022, 1023, 1024, 1025, 3000] {
        let data = ["x".repeat(len), "y".repeat(len)].join("\n");
        let block = Encoder::event(b"note", data.as_bytes(), None).unwrap();
        let mut expected = vec![0; block.byte_len()];
        block.write_to(&mut expected).unwrap();

        let mut whole = Vec::new();
        whole.write_block(block).unwrap();
        assert_eq!(whole, expected);

        let mut slow = Slow::default();
        let writer: &mut dyn Write = &mut slow;
        writer.write_block(block).unwrap();
        assert_eq!(slow.bytes, expected);
    }
}

#[test]
fn a_short_block_is_one_write() {
    let mut writes = Writes(0);
    let block = Encoder::event(b"note", b"two\nlines", Some(b"7")).unwrap();
    writes.write_block(block).unwrap();
    assert_eq!(writes.0, 1);
}

#[test]
fn a_writer_that_fails_is_an_error() {
    let mut room = [0; 8];
    let error = (&mut room[..])
        .write_block(Encoder::retry(123))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WriteZero);
}

/// Takes a byte at a time, and is interrupted before each.
#[derive(Default)]
struct Slow {
    bytes: Vec<u8>,
    was_interrupted: bool,
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.was_interrupted = !self.was_interrupted;
        if self.was_interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        self.bytes.extend(bytes.first());
        Ok(bytes.len().min(1))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts its writes.
struct Writes(usize);

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
