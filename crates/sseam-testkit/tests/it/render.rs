//! A snapshot of the text form.

use sseam_testkit::{Limits, Report, Setup, oracle};

#[test]
fn every_kind_of_item() {
    let stream = b"\xEF\xBB\xBF: ping\nretry: 1500\nfoo: x\r\nid: 1\ndata: a\ndata: b\xFF\n\n\
        event: \xE4\xBD\xA0\ndata: abcdefghi\n\nevent:e\ndata";
    let setup = Setup::skip(Limits {
        data: 4,
        comment: 3,
        ..Limits::NONE
    });
    let expected = r#"
comment " pi" of 5
retry 1500
ignored "foo" of 6
event "message" "a\nb\xFF" id "1" 3..54
skipped data max 4 came to 9 type "你" head "abcd" 54..82
bytes 94 lines 11 events 1 comments 1 ignored_lines 1 skipped 1
retry 1500 last_event_id "1"
truncated: line event
"#;
    assert_eq!(format!("\n{}", oracle::limited(stream, &setup)), expected);
}

#[test]
fn long_data_and_failure() {
    let stream = format!("data: {}\n\ndata: x", "a".repeat(1000));
    let limits = Limits {
        bytes: 1010,
        ..Limits::NONE
    };
    let report = oracle::limited(stream.as_bytes(), &Setup::stop(limits));
    let (head, tail) = ("a".repeat(100), "a".repeat(50));
    let expected = format!(
        "event \"message\" \"{head}…{tail}\" (1000 bytes) id \"\" 0..1008\n\
         failed: bytes max 1010 at 1010\n"
    );
    assert_eq!(report.render_items(), expected);
}

#[test]
fn nothing() {
    assert_eq!(Report::default().render_items(), "clean\n");
}
