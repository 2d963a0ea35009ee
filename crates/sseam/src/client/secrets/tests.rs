//! What of a request is not repeated.

use super::*;

#[track_caller]
fn check(text: &str, values: Vec<Vec<u8>>, expected: &str) {
    let kept = redact(text.as_bytes(), values);
    assert_eq!(String::from_utf8(kept).as_deref(), Ok(expected));
}

#[test]
fn tokens_of_headers() {
    let values = of_header(b"Bearer sk-12345");
    check(
        "bad key sk-12345 of Bearer",
        values.clone(),
        "bad key *** of Bearer",
    );
    check("got: Bearer sk-12345!", values, "got: ***!");
    check("key=abc", of_header(b"abc"), "key=***");
}

#[test]
fn values_of_queries_in_both_spellings() {
    let location = Location::parse("http://a/?key=s%2Fcret&q=a+b+c&n=1").expect("a URL");
    check(
        "s%2Fcret s/cret a b c 1",
        of_query(&location),
        "*** *** *** 1",
    );
}

#[test]
fn strings_of_bodies() {
    let body = br#"{"prompt":"tell me a\nstory","model":["gpt"],"n":1}"#;
    let text = "no model gpt for the prompt \"tell me a\nstory\", written tell me a\\nstory";
    check(
        text,
        of_body(body),
        "no model *** for the prompt \"***\", written ***",
    );
    check(
        std::str::from_utf8(body).unwrap_or_default(),
        of_body(body),
        "***",
    );
    check(
        "no password hunter2",
        of_body(b"user=me&password=hunter2"),
        "no password ***",
    );
}

#[test]
fn the_longest_first_and_short_ones_not_at_all() {
    let values = vec![
        b"abc".to_vec(),
        b"abcdef".to_vec(),
        b"x".to_vec(),
        Vec::new(),
    ];
    check("abcdef abc x", values, "*** *** x");
}
