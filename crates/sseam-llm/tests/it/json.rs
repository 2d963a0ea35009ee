//! JSON: validity, strings and paths against serde_json, and what hostile JSON
//! costs.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value;
use sseam_llm::{Dialect, JSON_DEPTH_MAX, JsonFault, Payload, Piece, Turn, find};

use crate::run::{is_linear, run};

/// JSON as it might be written: spaces, escapes and all.
fn json() -> impl Strategy<Value = String> {
    let string = prop_oneof![
        "[a-d]{0,9}".prop_map(|text| format!("{text:?}")),
        prop::collection::vec(escape(), 0..12).prop_map(|parts| format!("\"{}\"", parts.concat())),
    ];
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?([eE][-+]?[0-9])?",
        string.clone(),
    ];
    let space = prop_oneof![Just(""), Just(" "), Just("\n"), Just("\t\r\n ")];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        let member = (key(), space.clone(), inner.clone())
            .prop_map(|(key, space, value)| format!("{space}{key}{space}:{space}{value}{space}"));
        let element = (space.clone(), inner).prop_map(|(space, value)| format!("{space}{value}"));
        prop_oneof![
            prop::collection::vec(member, 0..5).prop_map(|all| format!("{{{}}}", all.join(","))),
            prop::collection::vec(element, 0..5).prop_map(|all| format!("[{}]", all.join(","))),
        ]
    })
}

/// Few keys, so that some are there twice and some are found; also escaped.
fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "\"a\"",
        "\"b\"",
        "\"\\u0061\"",
        "\"c\"",
        "\"0\"",
        "\"\"",
        "\"\\ud83d\\ude80\"",
        "\"error\"",
    ])
}

/// A piece of a string's body.
fn escape() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -!#-\\[\\]-~]{1,9}",
        2 => "[é世🚀]{1,4}",
        2 => prop::sample::select(vec!["\\n", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\t"])
            .prop_map(str::to_owned),
        2 => any::<char>().prop_map(units),
        1 => "\\\\u[dD][89abAB][0-9a-fA-F]{2}",
        1 => "\\\\u[dD][c-fC-F][0-9a-fA-F]{2}",
    ]
}

/// A character as UTF-16 escapes.
fn units(character: char) -> String {
    let mut buffer = [0; 2];
    let units = character.encode_utf16(&mut buffer);
    units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// Bytes near JSON: cut, and with a byte changed.
fn near_json() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop::sample::select(b"{}[],:\"\\0-.eEtfnu x\n\x00\xff".to_vec());
    (
        json(),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        bytes,
        0..4,
    )
        .prop_map(|(json, cut, at, byte, how)| {
            let mut json = json.into_bytes();
            if how == 1 {
                json.truncate(cut.index(json.len() + 1));
            }
            if how >= 2 && !json.is_empty() {
                let at = at.index(json.len());
                json[at] = byte;
            }
            json
        })
}

/// The text of a JSON string's body by UTF-16, as a browser reads it.
fn decoded(body: &str) -> String {
    let mut units = Vec::new();
    let mut rest = body.chars();
    while let Some(character) = rest.next() {
        let mut buffer = [0; 2];
        match character {
            '\\' => match rest.next().expect("an escape") {
                'u' => {
                    let digits: String = rest.by_ref().take(4).collect();
                    units.push(u16::from_str_radix(&digits, 16).expect("digits"));
                }
                'n' => units.push(10),
                'r' => units.push(13),
                't' => units.push(9),
                'b' => units.push(8),
                'f' => units.push(12),
                other => units.push(other as u16),
            },
            other => units.extend_from_slice(other.encode_utf16(&mut buffer)),
        }
    }
    String::from_utf16_lossy(&units)
}

fn piece_of(json: &str) -> Piece<'_> {
    find(json.as_bytes(), "")
        .expect("JSON")
        .expect("a value")
        .string()
        .expect("a string")
}

/// Whether there are fewer than four bytes behind the `\u` at this offset: serde
/// says then that the input ended, also where one of them is no digit.
fn is_short_escape(json: &[u8], offset: usize) -> bool {
    let escape = json.get(offset..).unwrap_or_default();
    escape.starts_with(b"\\u") && escape.len() < 6
}

#[test]
fn an_escape_without_digits_is_wrong_also_near_the_end() {
    for json in [r#"["\u"]"#, r#""\u0""#, r#"{"a":"\u12x"#, r#""\uq"#] {
        let error = find(json.as_bytes(), "").expect_err("no JSON");
        assert_eq!(error.fault, JsonFault::Unexpected, "{json}");
        assert_eq!(Some(error.offset), json.find('\\'), "{json}");
    }
    let cut = find(br#""\u12"#, "").expect_err("no JSON");
    assert_eq!(cut.fault, JsonFault::Truncated);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn what_is_json_is_what_serde_takes(json in near_json()) {
        let oracle = serde_json::from_slice::<IgnoredAny>(&json);
        let ours = find(&json, "");
        prop_assert_eq!(ours.is_ok(), oracle.is_ok(), "{:?} and {:?}", ours, oracle);
        if let (Err(ours), Err(oracle)) = (ours, oracle) {
            let is_cut = ours.fault == JsonFault::Truncated;
            let is_short = is_short_escape(&json, ours.offset);
            prop_assert!(is_cut || is_short || !oracle.is_eof(), "{:?} and {:?}", ours, oracle);
        }
    }

    #[test]
    fn cut_json_is_truncated(json in json(), cut in any::<prop::sample::Index>()) {
        let cut = &json.as_bytes()[..cut.index(json.len())];
        if let Err(error) = find(cut, "") {
            prop_assert_eq!(error.fault, JsonFault::Truncated, "{:?}", error);
        }
    }

    #[test]
    fn paths_lead_where_serde_leads(json in json(), path in prop::collection::vec(key(), 1..4)) {
        let Ok(oracle) = serde_json::from_str::<Value>(&json) else {
            return Ok(()); // A lone half of a pair, which serde refuses.
        };
        let name = |key: &&str| serde_json::from_str::<String>(key).unwrap();
        let names: Vec<String> = path.iter().map(name).collect();
        prop_assume!(!names.is_empty() && names.iter().any(|name| !name.is_empty()));
        let expected = names.iter().try_fold(&oracle, |value, name| match value {
            Value::Array(all) => all.get(name.parse::<usize>().ok()?),
            _ => value.get(name),
        });
        let found = find(json.as_bytes(), &names.join(".")).unwrap();
        let found = found.map(|value| serde_json::from_slice::<Value>(value.raw()).unwrap());
        prop_assert_eq!(found.as_ref(), expected);
    }

    #[test]
    fn strings_decode_as_utf_16(parts in prop::collection::vec(escape(), 0..12)) {
        let body = parts.concat();
        let json = format!("\"{body}\"");
        let piece = piece_of(&json);
        let expected = decoded(&body);
        prop_assert_eq!(piece.to_string(), expected.clone());
        prop_assert!(piece == expected.as_str());
        prop_assert_eq!(piece.text_len(), expected.len());
        let mut buffer = vec![7; expected.len() + 1];
        prop_assert_eq!(piece.decode_into(&mut buffer), Ok(expected.as_str()));
        if !expected.is_empty() {
            let mut short = vec![7; expected.len() - 1];
            prop_assert!(piece.decode_into(&mut short).is_err());
            prop_assert!(short.iter().all(|byte| *byte == 7));
        }
        if let Ok(oracle) = serde_json::from_str::<String>(&json) {
            prop_assert_eq!(expected, oracle);
        }
    }

    /// Text that is cut between UTF-16 units, into deltas, is joined again.
    #[test]
    fn deltas_join_as_one_string(
        text in ".{0,8}",
        cuts in prop::collection::vec(0..9_usize, 0..6),
    ) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(units.len())).collect();
        cuts.extend([0, units.len()]);
        cuts.sort_unstable();
        let mut stream = String::new();
        for pair in cuts.windows(2) {
            let body: String =
                units[pair[0]..pair[1]].iter().map(|unit| format!("\\u{unit:04x}")).collect();
            let delta = format!("{{\"content\":\"{body}\"}}");
            stream += &format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\n");
        }
        stream += "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n";
        prop_assert_eq!(run(Turn::new(Dialect::OpenAiChat), stream.as_bytes()).text, text);
    }

    /// Bytes that are not UTF-8 read as a browser reads them.
    #[test]
    fn malformed_utf_8_reads_as_in_a_browser(
        mut bytes in prop::collection::vec(any::<u8>(), 0..24),
    ) {
        bytes.retain(|byte| !matches!(byte, b'"' | b'\\') && *byte >= b' ');
        let json = [b"\"", bytes.as_slice(), b"\""].concat();
        let piece = find(&json, "").unwrap().unwrap().text();
        prop_assert_eq!(piece.to_string(), String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn a_lone_half_is_a_replacement_character() {
    for (body, text) in [
        (r"\ud83d", "\u{FFFD}"),
        (r"\ude80", "\u{FFFD}"),
        (r"\ud83d\ud83d\ude80", "\u{FFFD}🚀"),
        (r"\ud83d\n", "\u{FFFD}\n"),
        (r"\ud83dx", "\u{FFFD}x"),
        (r"\ude80\ud83d", "\u{FFFD}\u{FFFD}"),
        (r"\\ud83d", r"\ud83d"),
        (r"\\\ud83d", "\\\u{FFFD}"),
    ] {
        assert_eq!(piece_of(&format!("\"{body}\"")).to_string(), text, "{body}");
    }
}

#[test]
fn depth_is_bounded() {
    for (depth, is_ok) in [(JSON_DEPTH_MAX, true), (JSON_DEPTH_MAX + 1, false)] {
        let array = "[".repeat(depth) + &"]".repeat(depth);
        let object = "{\"a\":".repeat(depth - 1) + "{}" + &"}".repeat(depth - 1);
        for json in [array, object] {
            let found = find(json.as_bytes(), "");
            assert_eq!(found.is_ok(), is_ok, "{depth}");
            assert!(is_ok || found.unwrap_err().fault == JsonFault::TooDeep);
        }
    }
    // An event's own containers count too.
    let inside = |depth: usize| {
        let value = "[".repeat(depth) + &"]".repeat(depth);
        let stream = format!(
            "data: {{\"choices\":[{{\"delta\":{{\"x\":{value},\"content\":\"a\"}}}}]}}\n\n"
        );
        run(Turn::new(Dialect::OpenAiChat), stream.as_bytes()).text
    };
    assert_eq!(inside(JSON_DEPTH_MAX - 4), "a");
    assert_eq!(inside(JSON_DEPTH_MAX - 3), "");
}

fn look_into(json: &[u8]) {
    let _ = std::hint::black_box(find(json, "a.b.c"));
    let _ = std::hint::black_box(Payload::of(json));
}

#[test]
fn hostile_json_costs_linear_time() {
    type Shape = fn(usize) -> String;
    let shapes: [(&str, Shape); 6] = [
        ("a long string", |n| {
            format!("{{\"a\":\"{}\"}}", "x".repeat(n))
        }),
        ("escapes", |n| {
            format!("{{\"a\":\"{}\"}}", "\\\\".repeat(n / 2))
        }),
        ("surrogates", |n| {
            format!("{{\"a\":\"{}\"}}", "\\ud83d".repeat(n / 6))
        }),
        ("brackets", |n| "[".repeat(n)),
        ("equal keys", |n| {
            format!("{{{}\"a\":1}}", "\"a\":{\"b\":{\"c\":1}},".repeat(n / 22))
        }),
        ("flat array", |n| format!("[{}1]", "[],".repeat(n / 3))),
    ];
    for (what, shape) in shapes {
        let (short, long) = (shape(50_000), shape(500_000));
        let is_linear = is_linear(
            || look_into(short.as_bytes()),
            || look_into(long.as_bytes()),
        );
        assert!(is_linear, "{what}");
    }
}

#[test]
fn a_megabyte_of_text_in_one_delta() {
    let long = "长\\n".repeat(200_000);
    let json = format!("{{\"x\":\"{long}\",\"a\":{{\"b\":{{\"c\":\"{long}\"}}}}}}");
    let piece = find(json.as_bytes(), "a.b.c").unwrap().unwrap().text();
    assert_eq!(piece.text_len(), 800_000);
    // Malformed bytes in a run cost no more than others.
    let malformed = [b"\"".as_slice(), &[0xE4; 1_000_000], b"\""].concat();
    let start = Instant::now();
    let piece = find(&malformed, "").unwrap().unwrap().text();
    assert_eq!(piece.text_len(), 3_000_000);
    assert!(start.elapsed() < Duration::from_secs(2));
}
