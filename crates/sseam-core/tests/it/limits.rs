//! Each limit at its value and one above, at every cut: what passes, what the
//! error says, what is left of the parser, and what a skipped block tells.
//!
//! The block that stands on the edge comes between two others, so that each run
//! also shows what went before and what comes after.

use sseam_core::{Limit, Limits, Overflow};

use crate::edges::{AFTER, BEFORE, Edge, ROOMY, at_max, every_run, line, passed};

#[test]
fn line_len_max() {
    let limits = Limits {
        line_len_max: 10,
        ..ROOMY
    };
    // In a block that is skipped, a line that is too long still acts.
    let lines = [
        ("data: 4567", "data: 45678", ("message", "4567", "9")),
        (":234567890", ":2345678901", ("message", "", "9")),
        ("unknown890", "unknown8901", ("message", "", "9")),
        ("retry:7890", "retry:78901", ("message", "", "9")),
        ("event: 789", "event: 7890", ("7890", "", "9")),
        ("id:  56789", "id:  567890", ("message", "", " 567890")),
        ("data      ", "data       ", ("message", "", "9")),
        ("dat\u{e9}67890", "dat\u{e9}678901", ("message", "", "9")),
    ];
    for (fits, over, (event_type, head, id)) in lines {
        at_max(&limits, &format!("{fits}\ndata\n\n"));
        let edge = Edge {
            limit: Limit::Line,
            over: &format!("id: 9\n{over}\ndata: b\n\n"),
            offset: 6 + 10,
        };
        edge.stops(&limits);
        edge.skips(&limits, (11, Some(event_type), head, id));
    }
}

#[test]
fn line_len_max_leaves_out_the_byte_order_mark() {
    let limits = Limits {
        line_len_max: 7,
        ..ROOMY
    };
    for (stream, offset) in [
        (&b"\xEF\xBB\xBFdata: x\n\n"[..], None),
        (b"\xEF\xBB\xBFdata: xy\n\n", Some(3 + 7)),
        (b"\xEF\xBBdata:\n\n", None),
        (b"\xEF\xBBdata: \n\n", Some(7)),
    ] {
        every_run(stream, &limits, |run, _| {
            let failed = run
                .error
                .map(|error| error == passed(Limit::Line, 7, offset.unwrap_or(0)));
            assert_eq!(failed, offset.map(|_| true), "{:?}", run.error);
        });
    }
}

#[test]
fn data_len_max() {
    let limits = Limits {
        data_len_max: 4,
        ..ROOMY
    };
    let blocks = [
        ("data:abcd\n\n", "id: 9\ndata:abcde\n\n", 6 + 9, "abcd"),
        (
            "data: ab\ndata: c\n\n",
            "id: 9\ndata: ab\ndata: cd\n\n",
            6 + 9 + 7,
            "ab\nc",
        ),
        (
            "data:abcd\n\n",
            "id: 9\ndata:abcd\ndata\n\n",
            6 + 10 + 4,
            "abcd",
        ),
        (
            "data:abcd\n\n",
            "id: 9\ndata:abcd\ndata:\n\n",
            6 + 10 + 5,
            "abcd",
        ),
        (
            "data:abc\ndata:\n\n",
            "id: 9\ndata:abc\ndata:d\n\n",
            6 + 9 + 5,
            "abc\n",
        ),
    ];
    for (fits, over, offset, head) in blocks {
        at_max(&limits, fits);
        let edge = Edge {
            limit: Limit::Data,
            over,
            offset,
        };
        edge.stops(&limits);
        edge.skips(&limits, (5, Some("message"), head, "9"));
    }
}

#[test]
fn data_len_max_counts_lines_without_a_value() {
    let limits = Limits {
        data_len_max: 4,
        ..ROOMY
    };
    at_max(&limits, &format!("{}\n", "data\n".repeat(5)));
    let edge = Edge {
        limit: Limit::Data,
        over: &format!("id: 9\n{}\n", "data\n".repeat(6)),
        offset: 6 + 5 * 5 + 4,
    };
    edge.stops(&limits);
    edge.skips(&limits, (5, Some("message"), "\n\n\n\n", "9"));
}

#[test]
fn data_len_max_counts_the_event_and_not_the_read() {
    let limits = Limits {
        data_len_max: 4,
        ..ROOMY
    };
    let stream = b"data:abcd\n\n".repeat(100);
    every_run(&stream, &limits, |run, _| {
        assert_eq!(run.datas().len(), 100)
    });
}

#[test]
fn event_type_len_max() {
    let limits = Limits {
        event_type_len_max: 3,
        ..ROOMY
    };
    at_max(&limits, "event: abc\ndata: b\n\n");
    for (over, offset, head) in [
        ("id: 9\nevent: abcd\ndata: b\n\n", 6 + 10, ""),
        ("id: 9\ndata: b\nevent: abcd\n\n", 6 + 8 + 10, "b"),
        ("event: abcd\nid: 9\ndata: b\n\n", 10, ""),
    ] {
        let edge = Edge {
            limit: Limit::EventType,
            over,
            offset,
        };
        edge.stops(&limits);
        edge.skips(&limits, (4, None, head, "9"));
    }
    // A later type that fits is the type that the event would have had.
    let edge = Edge {
        limit: Limit::EventType,
        over: "id: 9\nevent: abcd\nevent: xyz\ndata\n\n",
        offset: 6 + 10,
    };
    edge.skips(&limits, (4, Some("xyz"), "", "9"));
}

#[test]
fn id_len_max() {
    let limits = Limits {
        id_len_max: 2,
        ..ROOMY
    };
    at_max(&limits, "id: 98\ndata: b\n\n");
    // What comes after a NUL makes the line void and no longer.
    at_max(&limits, "id: 98\0 and more\ndata: b\n\n");
    for over in ["id: 987\ndata: b\n\n", "id: 987\0\ndata: b\n\n"] {
        let edge = Edge {
            limit: Limit::Id,
            over,
            offset: 4 + 2,
        };
        edge.stops(&limits);
        // The previous id stays.
        edge.skips(&limits, (3, Some("message"), "", "1"));
    }
}

#[test]
fn bytes_max() {
    let block = "id: 9\ndata: b\n\n";
    for overflow in [Overflow::Stop, Overflow::Skip] {
        let stream = [BEFORE, block, AFTER].concat();
        let limits = |bytes_max| Limits {
            bytes_max,
            overflow,
            ..ROOMY
        };
        let len = stream.len() as u64;
        every_run(stream.as_bytes(), &limits(len), |run, _| {
            assert_eq!((run.error, run.datas().len()), (None, 3));
        });
        let max = (BEFORE.len() + block.len() - 1) as u64;
        every_run(stream.as_bytes(), &limits(max), |mut run, _| {
            run.has_stopped(passed(Limit::Bytes, max, max as usize));
            assert_eq!(run.datas(), [b"a"]);
        });
        every_run(stream.as_bytes(), &limits(0), |run, _| {
            assert_eq!(run.error, Some(passed(Limit::Bytes, 0, 0)));
        });
    }
}

#[test]
fn events_max() {
    let block = "id: 1\ndata: b\n\n: no event\n\nevent: none\n\n";
    for overflow in [Overflow::Stop, Overflow::Skip] {
        let limits = Limits {
            events_max: 2,
            overflow,
            ..ROOMY
        };
        let stream = [BEFORE, block].concat();
        every_run(stream.as_bytes(), &limits, |run, _| {
            assert_eq!((run.error, run.datas().len()), (None, 2));
        });
        let offset = stream.len() + AFTER.len() - 1;
        let stream = [&stream, AFTER].concat();
        every_run(stream.as_bytes(), &limits, |mut run, _| {
            run.has_stopped(passed(Limit::Events, 2, offset));
            assert_eq!(run.datas(), [b"a", b"b"]);
        });
    }
}

/// Blocks of one `data` line, with a type or without, which are the most common
/// and may be taken at one look: what fits, and what passes the limit by one.
#[test]
fn line_len_max_of_a_whole_block() {
    one_look(
        Limit::Line,
        8,
        ["data: 78\n\n", "data: 789\n\n"],
        8,
        (MESSAGE, "78"),
    );
    one_look(
        Limit::Line,
        8,
        ["event: 8\ndata\n\n", "event: 89\ndata: x\n\n"],
        8,
        (Some("89"), ""),
    );
    one_look(
        Limit::Line,
        8,
        ["event:t\ndata: 78\n\n", "event:t\ndata: 789\n\n"],
        16,
        (Some("t"), "78"),
    );
}

#[test]
fn data_len_max_of_a_whole_block() {
    one_look(
        Limit::Data,
        2,
        ["data: ab\n\n", "data: abc\n\n"],
        8,
        (MESSAGE, "ab"),
    );
    one_look(
        Limit::Data,
        2,
        ["event:t\ndata: ab\n\n", "event:t\ndata: abc\n\n"],
        16,
        (Some("t"), "ab"),
    );
}

#[test]
fn event_type_len_max_of_a_whole_block() {
    one_look(
        Limit::EventType,
        2,
        ["event:ab\ndata:x\n\n", "event:abc\ndata:x\n\n"],
        8,
        (None, ""),
    );
}

fn one_look(
    limit: Limit,
    max: usize,
    [fits, over]: [&str; 2],
    offset: usize,
    (event_type, head): (Option<&str>, &str),
) {
    let mut limits = ROOMY;
    match limit {
        Limit::Line => limits.line_len_max = max,
        Limit::Data => limits.data_len_max = max,
        _ => limits.event_type_len_max = max,
    }
    at_max(&limits, fits);
    let edge = Edge {
        limit,
        over,
        offset,
    };
    edge.stops(&limits);
    edge.skips(&limits, (max as u64 + 1, event_type, head, "1"));
}

const MESSAGE: Option<&str> = Some("message");

#[test]
fn comment_len_max() {
    let limits = Limits {
        comment_len_max: 4,
        ..ROOMY
    };
    let stream = b": abc\n: abcd\nnone\nnonee\nid\0\nid:1\0\nretry\nretry:\n\n";
    let kept: [(&[u8], u64); 8] = [
        (b" abc", 4),
        (b" abc", 5),
        (b"none", 4),
        (b"none", 5),
        (b"id\0", 3),
        (b"id:1", 5),
        (b"retr", 5),
        (b"retr", 6),
    ];
    every_run(stream, &limits, |run, wants_items| {
        let lines: Vec<(&[u8], u64)> = run.items.iter().filter_map(line).collect();
        assert_eq!(lines, if wants_items { &kept[..] } else { &[] });
        assert_eq!(run.error, None);
    });
}

#[test]
fn errors_name_their_limit() {
    let names = [
        (Limit::Line, "line_len_max"),
        (Limit::Data, "data_len_max"),
        (Limit::EventType, "event_type_len_max"),
        (Limit::Id, "id_len_max"),
        (Limit::Bytes, "bytes_max"),
        (Limit::Events, "events_max"),
    ];
    for (limit, name) in names {
        let shown = passed(limit, 7, 42).to_string();
        assert_eq!(
            shown,
            format!("{name} of 7 was passed at byte 42 of the stream")
        );
        assert_eq!(limit.name(), name);
    }
}
