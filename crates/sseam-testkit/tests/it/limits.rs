//! Each limit of the oracle at `max` and `max + 1`, in both modes, by hand.

use sseam_testkit::{Limits, Setup, oracle};

const NONE: Limits = Limits::NONE;

#[track_caller]
fn check_stop(limits: Limits, stream: &[u8], expected: &str) {
    let report = oracle::limited(stream, &Setup::stop(limits));
    assert_eq!(report.render_items(), expected);
    assert!(
        report
            .failure
            .is_none_or(|failure| failure.offset == report.counters.bytes)
    );
}

#[track_caller]
fn check_skip(limits: Limits, stream: &[u8], expected: &str) {
    let report = oracle::limited(stream, &Setup::skip(limits));
    assert_eq!(report.render_items(), expected);
}

#[test]
fn data_counts_values_and_joining_lfs() {
    let limits = |data| Limits { data, ..NONE };
    let passed = "event \"message\" \"ab\\ncd\" id \"\" 0..18\nclean\n";
    check_stop(limits(5), b"data: ab\ndata:cd\n\n", passed);
    check_stop(
        limits(4),
        b"data: ab\ndata:cd\n\n",
        "failed: data max 4 at 15\n",
    );
    check_stop(
        limits(3),
        b"data: ab\ndata:cd\n\n",
        "failed: data max 3 at 14\n",
    );
    // The LF is charged by the first byte of the value,
    check_stop(
        limits(2),
        b"data: ab\ndata:cd\n\n",
        "failed: data max 2 at 14\n",
    );
    // or by the line end of a bare name,
    check_stop(
        limits(2),
        b"data: ab\ndata\r\n\n",
        "failed: data max 2 at 13\n",
    );
    // and not before the name is known.
    check_stop(limits(2), b"data: ab\ndata", "truncated: line data\n");
    check_stop(
        limits(2),
        b"data: ab\ndatax\n\ndata\n",
        "ignored \"datax\" of 5\n\
        event \"message\" \"ab\" id \"\" 0..16\ntruncated: data\n",
    );
    check_stop(
        limits(0),
        b"data\n\n",
        "event \"message\" \"\" id \"\" 0..6\nclean\n",
    );
    check_stop(
        limits(0),
        b"data: \n\ndata: x",
        "event \"message\" \"\" id \"\" 0..8\n\
        failed: data max 0 at 14\n",
    );
    check_stop(limits(0), b"data\ndata\n\n", "failed: data max 0 at 9\n");
}

#[test]
fn type_and_id_count_their_value() {
    let event_type = |event_type| Limits { event_type, ..NONE };
    check_stop(event_type(2), b"event: ab\n\n", "clean\n");
    check_stop(event_type(1), b"event: ab\n\n", "failed: type max 1 at 8\n");
    check_stop(
        event_type(0),
        b"event: \nevent:  ",
        "failed: type max 0 at 15\n",
    );
    let id = |id| Limits { id, ..NONE };
    check_stop(id(2), b"id:ab\n\n", "clean\n");
    check_stop(id(1), b"id:ab\n\n", "failed: id max 1 at 4\n");
    check_stop(
        id(1),
        b"id:a\0bcd\n\n",
        "ignored \"id:a\\0bcd\" of 8\nclean\n",
    );
    check_stop(id(1), b"id:ab\0cd\n\n", "failed: id max 1 at 4\n");
}

#[test]
fn line_counts_all_lines_but_no_line_end_and_no_bom() {
    let line = |line| Limits { line, ..NONE };
    check_stop(line(3), b":ab\r\n\r\n", "comment \"ab\" of 2\nclean\n");
    check_stop(line(2), b":ab\r\n\r\n", "failed: line max 2 at 2\n");
    check_stop(line(0), b"\xEF\xBB\xBF\n\r\n", "clean\n");
    check_stop(line(0), b"\xEF\xBB\xBFx", "failed: line max 0 at 3\n");
    // What might be a mark is charged by the byte that disproves it.
    check_stop(line(0), b"\xEF\xBB", "truncated: line\n");
    check_stop(line(1), b"\xEF\xBBx", "failed: line max 1 at 2\n");
    check_stop(line(2), b"\xEF\xBBx", "failed: line max 2 at 2\n");
    check_stop(line(3), b"\xEF\xBBx", "truncated: line\n");
    check_stop(line(0), b"\xEF\r", "failed: line max 0 at 1\n");
    check_stop(line(1), b"\xEF\r", "ignored \"\\xEF\" of 1\nclean\n");
    check_stop(line(0), b"\n\xEF", "failed: line max 0 at 1\n");
}

#[test]
fn totals() {
    let bytes = |bytes| Limits { bytes, ..NONE };
    let event = "event \"message\" \"\" id \"\" 0..6\n";
    check_stop(
        bytes(7),
        b"data\r\r\n",
        "event \"message\" \"\" id \"\" 0..6\nclean\n",
    );
    check_stop(
        bytes(6),
        b"data\r\r\n",
        &format!("{event}failed: bytes max 6 at 6\n"),
    );
    check_stop(bytes(0), b"\xEF", "failed: bytes max 0 at 0\n");
    check_stop(bytes(2), b"\xEF\xBB\xBF", "failed: bytes max 2 at 2\n");
    let events = |events| Limits { events, ..NONE };
    let stream = b"data\n\n\nid:1\n\ndata\n\r\n";
    let second = "event \"message\" \"\" id \"1\" 13..19\n";
    check_stop(events(2), stream, &format!("{event}{second}clean\n"));
    check_stop(
        events(1),
        stream,
        &format!("{event}failed: events max 1 at 18\n"),
    );
    check_skip(
        events(1),
        stream,
        &format!("{event}failed: events max 1 at 18\n"),
    );
    check_stop(events(0), b"data\n", "truncated: data\n");
}

#[test]
fn one_byte_that_passes_several_limits() {
    let limits = Limits {
        line: 6,
        data: 0,
        bytes: 6,
        ..NONE
    };
    check_stop(limits, b"data: x", "failed: bytes max 6 at 6\n");
    check_stop(
        Limits { bytes: 7, ..limits },
        b"data: x",
        "failed: line max 6 at 6\n",
    );
    check_stop(
        Limits {
            line: 7,
            bytes: 7,
            ..limits
        },
        b"data: x",
        "failed: data max 0 at 6\n",
    );
}

#[test]
fn skipping_over_data() {
    let limits = |data| Limits { data, ..NONE };
    check_skip(
        limits(4),
        b"data:abc\nid:7\nretry:5\n:c\nu\ndata:defg\ndata\nevent:e\n\ndata:x\n\n",
        "retry 5\ncomment \"c\" of 1\nignored \"u\" of 1\n\
         skipped data max 4 came to 9 type \"e\" head \"abc\\n\" 0..51\n\
         event \"message\" \"x\" id \"7\" 51..59\nclean\n",
    );
    check_skip(
        limits(3),
        b"data:abc\ndata:d\n\n",
        "skipped data max 3 came to 5 type \"message\" head \"abc\" 0..17\nclean\n",
    );
    check_skip(limits(0), b"data:abc\ndata:d\n", "truncated: data\n");
    check_skip(limits(0), b"id:1\ndata:abc", "truncated: line id\n");
}

#[test]
fn skipping_over_a_type() {
    let limits = Limits {
        event_type: 1,
        ..NONE
    };
    check_skip(
        limits,
        b"data:x\nevent:abc\ndata:y\n\n",
        "skipped type max 1 came to 3 type unknown head \"x\" 0..25\nclean\n",
    );
    check_skip(
        limits,
        b"event:abc\nevent:d\n\ndata\n\n",
        "skipped type max 1 came to 3 type \"d\" head \"\" 0..19\n\
         event \"message\" \"\" id \"\" 19..25\nclean\n",
    );
    check_skip(
        limits,
        b"event:abc\nevent\n\n",
        "skipped type max 1 came to 3 type \"message\" head \"\" 0..17\nclean\n",
    );
    check_skip(limits, b"event:abc\n", "truncated: event\n");
    check_skip(limits, b"event:abc", "truncated: line\n");
}

#[test]
fn skipping_over_an_id() {
    let limits = Limits { id: 1, ..NONE };
    check_skip(
        limits,
        b"id:1\n\nid:23\ndata\n\ndata\n\n",
        "skipped id max 1 came to 2 type \"message\" head \"\" 6..18\n\
         event \"message\" \"\" id \"1\" 18..24\nclean\n",
    );
    check_skip(
        limits,
        b"id:23\nid:4\ndata\n\n",
        "skipped id max 1 came to 2 type \"message\" head \"\" 0..17\nclean\n",
    );
    check_skip(
        limits,
        b"id:23\x00456\n\n",
        "ignored \"id:23\\0456\" of 9\nskipped id max 1 came to 2 type \"message\" \
         head \"\" 0..11\n\
         clean\n",
    );
}

#[test]
fn skipping_over_a_line() {
    let limits = |line| Limits { line, ..NONE };
    check_skip(
        limits(8),
        b"data:a\ndata: bcd\n\n",
        "skipped line max 8 came to 9 type \"message\" head \"a\\nbc\" 0..18\nclean\n",
    );
    check_skip(
        limits(6),
        b"data:a\nevent:long\nid:long2\n\n",
        "skipped line max 6 came to 10 type \"long\" head \"a\" 0..28\nclean\n",
    );
    // Over before the colon: the joining LF is not charged yet.
    check_skip(
        limits(4),
        b"data\ndata:\n\n",
        "skipped line max 4 came to 5 type \"message\" head \"\" 0..12\nclean\n",
    );
    check_skip(
        limits(0),
        b"\xEF\n\n",
        "ignored \"\\xEF\" of 1\nskipped line max 0 came to 1 type \"message\" \
         head \"\" 0..3\nclean\n",
    );
}

#[test]
fn totals_stop_a_skip() {
    let limits = Limits {
        data: 0,
        bytes: 8,
        ..NONE
    };
    check_skip(limits, b"data:abc\n\n", "failed: bytes max 8 at 8\n");
    let limits = Limits {
        data: 0,
        events: 0,
        ..NONE
    };
    check_skip(
        limits,
        b"data:abc\n\ndata\n\n",
        "skipped data max 0 came to 3 type \"message\" \
         head \"\" 0..10\nfailed: events max 0 at 15\n",
    );
}
