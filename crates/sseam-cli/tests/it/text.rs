//! Text that is not valid UTF-8: refused by default, replaced if asked to.

use sseam_cli::Exit;
use sseam_testkit::{Setup, oracle, vectors};

use crate::command::{replay, replay_at_every_size};

#[track_caller]
fn check_refused(stream: &[u8], stdout: &str, parts: &[&str]) {
    let ran = replay_at_every_size(stream, &["--print", "data", "--summary", "json"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::InvalidText, stdout));
    let messages = ran.messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    for part in parts {
        assert!(messages[0].contains(part), "{} without {part}", messages[0]);
    }
    assert_eq!(ran.summary()["truncated"], false);
}

#[test]
fn an_event_is_named_by_span_field_and_offset() {
    let bad = b"data: ok\n\ndata: ab\xFFc\n\ndata: never\n\n";
    check_refused(
        bad,
        "ok\n",
        &["bytes 10 to 22", "its data ", "offset 2 ", "--lossy"],
    );
    let bad = b"event: \xE4\xBDx\ndata: x\n\n";
    check_refused(bad, "", &["bytes 0 to 20", "its type ", "offset 0 "]);
    let bad = b"id: 12\xC0\ndata: x\n\n";
    check_refused(bad, "", &["bytes 0 to 17", "its id ", "offset 2 "]);
}

/// The id stays, and so does what is wrong with it.
#[test]
fn an_id_of_a_block_without_data_counts_once_it_is_printed() {
    check_refused(
        b"id: \xFF\n\ndata: x\n\n",
        "",
        &["bytes 7 to 16", "its id "],
    );
}

#[test]
fn replaced_as_a_browser_does() {
    let stream = b"event: \xF8\xFF\nid: \xED\xA0\x80\ndata: \xE2\x82|\xC0\x80|\xF4\x90\x80\x80\n\n";
    let ran = replay_at_every_size(stream, &["--lossy"]);
    let expected = concat!(
        "{\"event\":\"\u{FFFD}\u{FFFD}\",\"data\":\"\u{FFFD}|\u{FFFD}\u{FFFD}|",
        "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\",\"id\":\"\u{FFFD}\u{FFFD}\u{FFFD}\"}\n"
    );
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Clean, expected));
    let ran = replay_at_every_size(b"data: a\xFFb\n\n", &["--lossy", "--print", "data"]);
    assert_eq!(ran.stdout, "a\u{FFFD}b\n");
}

/// Only what is printed must be valid.
#[test]
fn what_is_filtered_out_is_not_looked_at() {
    let stream = b"event: a\ndata: \xFF\n\nevent: b\ndata: ok\n\n";
    let ran = replay_at_every_size(stream, &["--event", "b", "--print", "data"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Clean, "ok\n"));
    let ran = replay(b"event: \xFF\ndata: x\n\n", &["--event", "\u{FFFD}"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Clean, ""));
}

/// With replacement, a type is called what it is shown as.
#[test]
fn a_filter_sees_what_is_shown() {
    let stream = b"event: \xFF\ndata: x\n\n";
    let ran = replay(
        stream,
        &["--lossy", "--print", "data", "--event", "\u{FFFD}"],
    );
    assert_eq!(ran.stdout, "x\n");
}

#[test]
fn comments_ignored_lines_and_skipped_types_are_shown_with_replacement() {
    let stream = b":a\xFF\nb\xFF: c\nevent: \xFF\ndata: long\n\n";
    let args = ["--print=items", "--overflow=skip", "--max-data=2"];
    let ran = replay_at_every_size(stream, &args);
    let expected = "{\"comment\":\"a\u{FFFD}\"}\n{\"ignored\":\"b\u{FFFD}: c\"}\n{\"skipped\":\
                    {\"limit\":\"data\",\"max\":2,\"bytes\":4,\"event\":\"\u{FFFD}\"}}\n";
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Clean, expected));
}

#[track_caller]
fn check_unfinished(stream: &[u8], args: &[&str], exit: Exit, data: &str) {
    let args = [&["--deliver-unfinished", "--print=data"], args].concat();
    let ran = replay_at_every_size(stream, &args);
    assert_eq!((ran.exit, ran.stdout.as_str()), (exit, data));
}

/// What the end of input cut is not the stream's fault.
#[test]
fn a_cut_last_character_is_dropped() {
    for args in [&[][..], &["--lossy"]] {
        for cut in ["a\u{E9}", "a你", "a\u{1F680}"] {
            for len in 2..cut.len() {
                let stream = [b"data: ", &cut.as_bytes()[..len]].concat();
                check_unfinished(&stream, args, Exit::Truncated, "a\n");
            }
        }
        // A character that is whole stays.
        check_unfinished("data: a你".as_bytes(), args, Exit::Truncated, "a你\n");
        check_unfinished(b"data: a\ndata: \xE4", args, Exit::Truncated, "a\n\n");
    }
}

/// What a line end cut is the stream's fault, as is what never was a character.
#[test]
fn what_is_not_cut_by_the_end_is_invalid() {
    for stream in [
        &b"data: a\xE4\xBD\n"[..],
        b"data: a\xE4\xBD\nid: 7",
        b"data: a\xE4\xBD\nevent: \xE4\xBD",
        b"data: a\xE4\xBD\nx\xE4\xBD",
        b"data: a\xE4\xBD\n: \xE4\xBD",
        b"data: a\xFF",
    ] {
        check_unfinished(stream, &[], Exit::InvalidText, "");
        check_unfinished(stream, &["--lossy"], Exit::Truncated, "a\u{FFFD}\n");
    }
    check_unfinished(b"data: a\xFFb\xE4", &[], Exit::InvalidText, "");
    check_unfinished(
        b"data: a\xFFb\xE4",
        &["--lossy"],
        Exit::Truncated,
        "a\u{FFFD}b\n",
    );
}

/// A line in which one more byte would pass a limit is a line like any other.
#[test]
fn a_cut_last_character_at_a_limit() {
    for (args, exit, data) in [
        (&["--max-data=3"][..], Exit::Truncated, "a\n"),
        (&["--max-line=9"], Exit::Truncated, "a\n"),
        (&["--max-total=9"], Exit::Truncated, "a\n"),
        (&["--max-data=3", "--overflow=skip"], Exit::Truncated, "a\n"),
    ] {
        check_unfinished(b"data: a\xE4\xBD", args, exit, data);
    }
    for args in ["--max-id=2", "--max-type=2"] {
        for field in ["id", "event"] {
            let stream = [b"data: a\xE4\xBD\n", field.as_bytes(), b": \xE4\xBD"].concat();
            check_unfinished(&stream, &[args], Exit::InvalidText, "");
        }
    }
}

/// All vectors: the event that lacks its blank line is the oracle's, but for a
/// last character that was cut.
#[test]
fn unfinished_events_of_all_vectors() {
    let mut count = 0;
    for vector in vectors::all() {
        let stream = vector.stream();
        let report = oracle::limited(&stream, &Setup::unlimited());
        let large = ["--max-type=1000000", "--max-id=1000000"];
        let args = [&["--lossy", "--deliver-unfinished"], &large[..]].concat();
        let ran = replay(&stream, &args);
        let last = ran.json_lines().pop().unwrap_or_default();
        let Some(unfinished) = report.unfinished else {
            assert!(last.get("unfinished").is_none(), "{}", vector.name);
            continue;
        };
        assert_eq!(last["unfinished"], true, "{}", vector.name);
        let shown = last["data"].as_str().expect("a string");
        let data = String::from_utf8_lossy(&unfinished.data).into_owned();
        let is_cut = data.strip_suffix('\u{FFFD}') == Some(shown);
        assert!(
            shown == data || is_cut,
            "{}: {shown:?}, {data:?}",
            vector.name
        );
        assert_eq!(
            last["event"],
            *String::from_utf8_lossy(&unfinished.event_type)
        );
        assert_eq!(last["id"], *String::from_utf8_lossy(&unfinished.id));
        count += 1;
    }
    assert!(count > 20, "{count}");
}
