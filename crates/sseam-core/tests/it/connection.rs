//! What a parser is asked between streams and in the middle of them: reset,
//! resync, a last event id from elsewhere.

use sseam_core::{Counters, Error, Limit, Limits, Memory, Overflow, Parser, SetupError};
use sseam_testkit::{self as kit, split};

use crate::engines::{self, Grown};

type Small = Parser<[u8; 1024]>;

/// Feeds a chunk and gives the data of its events.
#[track_caller]
fn datas<M: Memory>(parser: &mut Parser<M>, mut chunk: &[u8]) -> Vec<String> {
    let mut datas = Vec::new();
    while let Some(event) = parser.next_event(&mut chunk).expect("no limit is passed") {
        datas.push(event.data().to_string());
    }
    datas
}

fn small() -> Small {
    Small::with_array(Limits::SMALL)
}

/// Wherever a connection breaks off, the next one is read as the first was.
#[test]
fn reset_begins_anew_at_any_point() {
    let stream = b"\xEF\xBB\xBFid: 1\nretry: 5\ndata: a\n\n\
        event: t\r\ndata: b\r\ndata: c\r\nid: 2\0\nid: 3\n: x\n";
    let next = b"\xEF\xBB\xBFdata: d\n\nevent\nid\ndata: e\n\n";
    for at in 0..=stream.len() {
        for ends in [false, true] {
            let mut parser = small();
            datas(&mut parser, &stream[..at]);
            let (id, retry) = (parser.last_event_id().to_string(), parser.retry());
            if ends {
                parser.finish();
            }
            parser.reset();
            assert_eq!(parser.counters(), Counters::default());
            assert_eq!(
                (parser.last_event_id().to_string(), parser.retry()),
                (id.clone(), retry)
            );
            let mut input = &next[..];
            let event = parser.next_event(&mut input).unwrap().unwrap();
            assert_eq!(
                (event.data().to_str(), event.last_event_id().to_str()),
                (Ok("d"), Ok(&id[..]))
            );
            assert_eq!(
                (event.span().start, event.event_type().to_str()),
                (3, Ok("message"))
            );
            let event = parser.next_event(&mut input).unwrap().unwrap();
            assert_eq!(
                (event.data().to_str(), event.last_event_id().to_str()),
                (Ok("e"), Ok(""))
            );
            assert!(parser.finish().is_clean());
            assert_eq!(
                (parser.counters().events, parser.counters().skipped),
                (2, 0)
            );
        }
    }
}

#[test]
fn reset_ends_an_error_and_a_skipped_block() {
    for overflow in [Overflow::Stop, Overflow::Skip] {
        let limits = Limits {
            data_len_max: 2,
            overflow,
            ..Limits::SMALL
        };
        let mut parser = Parser::<[u8; 1024]>::with_array(limits);
        let failed = parser.next_event(&mut &b"data: abc\nid: 9\n"[..]).is_err();
        assert_eq!(failed, overflow == Overflow::Stop);
        parser.reset();
        assert_eq!(datas(&mut parser, b"data: x\n\n"), ["x"]);
        assert_eq!(
            (parser.counters().skipped, parser.last_event_id().len()),
            (0, 0)
        );
    }
}

/// At every place of a stream where bytes may be lost: what was begun is dropped,
/// up to and with the block in which reading goes on.
#[test]
fn resync_goes_on_after_the_next_blank_line() {
    let stream = b"id: 1\nretry: 5\ndata: a\n\nid: 2\nevent: t\ndata: b";
    let rest = b"st of a line\ndata: lost\nid: 3\nretry: 6\nevent: u\n: x\ny\n\ndata: c\n\n";
    for at in 0..=stream.len() {
        for cut in split::every(rest) {
            let mut parser = small();
            let before = datas(&mut parser, &stream[..at]);
            let (id, retry, counters) = (
                parser.last_event_id().to_string(),
                parser.retry(),
                parser.counters(),
            );
            parser.resync();
            let mut items = Vec::new();
            for chunk in &cut.chunks {
                engines::drain(&mut parser, &mut &**chunk, true, &mut items).expect("no limit");
            }
            let start = (at + rest.len() - b"data: c\n\n".len()) as u64;
            let event = kit::Item::Event {
                event_type: b"message".to_vec(),
                data: b"c".to_vec(),
                id: id.clone().into_bytes(),
                span: (start, start + 9),
            };
            assert_eq!(items, [event], "cut {cut} after {at} bytes");
            assert_eq!(
                (parser.retry(), parser.last_event_id().to_string()),
                (retry, id)
            );
            let expected = Counters {
                bytes: (at + rest.len()) as u64,
                lines: counters.lines + 10,
                events: before.len() as u64 + 1,
                skipped: 1,
                ..counters
            };
            assert_eq!(parser.counters(), expected);
            assert!(parser.finish().is_clean());
        }
    }
}

/// The first line end after a loss ends the line that was hit, be it none.
#[test]
fn resync_never_takes_the_end_of_the_broken_line_for_a_blank_line() {
    for (rest, expected) in [
        (&b"\ndata: x\n\ndata: y\n\n"[..], "y"),
        (b"\r\ndata: x\r\n\r\ndata: y\r\n\r\n", "y"),
        (b"\r\rdata: y\r\r", "y"),
        (b"\n\ndata: y\n\n", "y"),
    ] {
        for stream in [
            &b""[..],
            b"data: a",
            b"data: a\n",
            b"data: a\r",
            b"data: a\n\n",
            b"\xEF\xBB",
        ] {
            let mut parser = small();
            let before = datas(&mut parser, stream).len() as u64;
            parser.resync();
            assert_eq!(datas(&mut parser, rest), [expected]);
            assert_eq!(
                (parser.counters().skipped, parser.counters().events),
                (1, before + 1)
            );
        }
    }
}

#[test]
fn resync_twice_before_a_blank_line_counts_once() {
    let mut parser = small();
    datas(&mut parser, b"data: a\n");
    parser.resync();
    parser.resync();
    datas(&mut parser, b"data: b\ndata");
    parser.resync();
    assert_eq!(datas(&mut parser, b": c\n\ndata: d\n\n"), ["d"]);
    assert_eq!(parser.counters().skipped, 1);
    parser.resync();
    assert_eq!(datas(&mut parser, b"\n\ndata: e\n\n"), ["e"]);
    assert_eq!(parser.counters().skipped, 2);
}

/// A block that passed a limit and then lost bytes is counted once and not told:
/// what it was is not known any more.
#[test]
fn resync_within_a_skipped_block() {
    let limits = Limits {
        data_len_max: 2,
        overflow: Overflow::Skip,
        ..Limits::SMALL
    };
    let mut parser = Parser::<[u8; 1024]>::with_array(limits);
    let mut items = Vec::new();
    let mut feed = |parser: &mut Small, mut chunk: &[u8]| {
        engines::drain(parser, &mut chunk, true, &mut items).expect("it is skipped");
        items.len()
    };
    assert_eq!(feed(&mut parser, b"id: 7\ndata: abc\n"), 0);
    parser.resync();
    assert_eq!(feed(&mut parser, b"data: abcd\n\n"), 0);
    assert_eq!(
        (parser.counters().skipped, parser.last_event_id().len()),
        (1, 0)
    );
    assert_eq!(feed(&mut parser, b"data: ok\n\n"), 1);
}

#[test]
fn resync_ends_neither_an_error_nor_the_stream() {
    let limits = Limits {
        data_len_max: 2,
        ..Limits::SMALL
    };
    let mut parser = Parser::<[u8; 1024]>::with_array(limits);
    let error = parser.next_event(&mut &b"data: abc"[..]).err();
    assert!(matches!(
        error,
        Some(Error::LimitPassed {
            limit: Limit::Data,
            max: 2,
            offset: 8
        })
    ));
    parser.resync();
    assert_eq!(parser.next_event(&mut &b"\n\ndata: a\n\n"[..]).err(), error);
    let mut parser = small();
    parser.finish();
    parser.resync();
    assert_eq!(
        parser.next_event(&mut &b"\n\ndata: a\n\n"[..]).err(),
        Some(Error::Finished)
    );
    assert!(matches!(parser.take_unfinished(), Ok(None)));
}

#[test]
fn nothing_is_unfinished_in_a_block_that_lost_bytes() {
    let mut parser = small();
    datas(&mut parser, b"data: a\n");
    parser.resync();
    datas(&mut parser, b"x\ndata: b");
    let end = parser.finish();
    assert_eq!(
        (end.line, end.data, end.event, end.id),
        (true, false, false, false)
    );
    assert!(matches!(parser.take_unfinished(), Ok(None)));
}

#[test]
fn input_after_the_end_is_refused_until_a_reset() {
    let mut parser = small();
    datas(&mut parser, b"data: a\n");
    let end = parser.finish();
    assert_eq!((end.is_truncated(), end.offset), (true, 8));
    assert!(
        matches!(parser.next_event(&mut &b""[..]), Ok(None)),
        "no input is no misuse"
    );
    for _ in 0..2 {
        let mut input = &b"\n"[..];
        assert_eq!(parser.next_event(&mut input).err(), Some(Error::Finished));
        assert_eq!(parser.next_item(&mut input).err(), Some(Error::Finished));
        assert_eq!((input.len(), parser.counters().bytes), (1, 8));
    }
    assert_eq!(parser.finish(), end);
    assert_eq!(
        Error::Finished.to_string(),
        "input after the end of the stream, without a reset"
    );
    parser.reset();
    assert_eq!(datas(&mut parser, b"data: b\n\n"), ["b"]);
}

#[test]
fn an_initial_id_is_held_to_its_limit_and_its_bytes() {
    let limits = Limits {
        id_len_max: 3,
        ..Limits::SMALL
    };
    let mut parser = Parser::<[u8; 1024]>::with_array(limits);
    assert_eq!(parser.set_last_event_id(b"abc"), Ok(()));
    let refused = [
        (&b"abcd"[..], SetupError::IdTooLong { len: 4, max: 3 }),
        (b"\r", SetupError::IdByte { at: 0 }),
        (b"a\n", SetupError::IdByte { at: 1 }),
        (b"ab\0", SetupError::IdByte { at: 2 }),
    ];
    for (id, error) in refused {
        assert_eq!(parser.set_last_event_id(id), Err(error));
        assert_eq!(
            parser.last_event_id(),
            "abc",
            "a refused id changes nothing"
        );
    }
    assert_eq!(datas(&mut parser, b"data: a\n\n"), ["a"]);
    assert_eq!(
        parser.last_event_id(),
        "abc",
        "a blank line does not clear it"
    );
    assert_eq!(parser.set_last_event_id(b""), Ok(()));
    assert!(parser.last_event_id().is_empty());
    let shown: Vec<_> = refused.iter().map(|(_, error)| error.to_string()).collect();
    assert!(
        shown[0].contains('4') && shown[0].contains('3'),
        "{}",
        shown[0]
    );
    assert!(shown[3].contains('2'), "{}", shown[3]);
}

/// The id that was set holds until the stream sets another; a line that had
/// begun before is not that other.
#[test]
fn an_id_may_be_set_in_the_middle_of_a_stream() {
    let stream = b"id: 12\ndata: a\n\ndata: b\n\n";
    for at in 0..=stream.len() {
        let mut parser = small();
        let before = datas(&mut parser, &stream[..at]);
        parser.set_last_event_id(b"new").expect("it is short");
        assert_eq!(parser.last_event_id(), "new");
        let mut input = &stream[at..];
        let mut events = before.len();
        while let Some(event) = parser.next_event(&mut input).expect("no limit") {
            // The colon makes the line one of an id.
            let id = if at < b"id:".len() { "12" } else { "new" };
            assert_eq!(event.last_event_id(), id, "set after {at} bytes");
            events += 1;
        }
        assert_eq!(events, 2);
        assert!(parser.finish().is_clean());
    }
}

#[test]
fn an_id_that_was_pending_gives_way_to_the_one_that_is_set() {
    let mut parser = small();
    datas(&mut parser, b"id: 12\n");
    parser.set_last_event_id(b"new").expect("it is short");
    assert!(!parser.finish().id);
}

/// Slots for ids rotate; none of these may be taken for another.
#[test]
fn ids_do_not_mix() {
    let mut parser = Parser::growing(Grown::default(), Limits::DEFAULT);
    for round in 0..10 {
        let given = format!("given {round} {}", "x".repeat(round * 7));
        parser
            .set_last_event_id(given.as_bytes())
            .expect("it is short");
        assert_eq!(
            datas(
                &mut parser,
                format!("id: pending {round}\nid: void\0").as_bytes()
            ),
            [""; 0]
        );
        assert_eq!(parser.last_event_id(), &given[..]);
        assert_eq!(datas(&mut parser, b" and more\ndata\n\n"), [""]);
        assert_eq!(parser.last_event_id(), &format!("pending {round}")[..]);
    }
}
