//! What of a request is not repeated.

use super::*;

#[track_caller]
fn check(text: &str, values: Vec<Vec<u8>>, expected: &str) {
    let kept = redact(text.as_bytes(), values, false);
    assert_eq!(String::from_utf8(kept).as_deref(), Ok(expected));
}

#[test]
fn tokens_of_headers() {
    let values = of_header(&header::AUTHORIZATION, b"Bearer sk-12345");
    check(
        "bad key sk-12345 of Bearer",
        values.clone(),
        "bad key *** of Bearer",
    );
    check("got: Bearer sk-12345!", values, "got: ***!");
    check(
        "key=abc",
        of_header(&header::AUTHORIZATION, b"abc"),
        "key=***",
    );
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

#[test]
fn every_value_of_every_header() {
    let cookie = of_header(
        &header::COOKIE,
        b"session=SECRETCOOKIE; theme=dark; q=\"quoted\"",
    );
    check(
        "no session SECRETCOOKIE, theme: dark, quoted",
        cookie,
        "no session ***, theme: ***, ***",
    );
    let keys = HeaderName::from_static("x-keys");
    let several = of_header(&keys, b"alpha-secret, beta-secret,gamma=delta-secret");
    check(
        "alpha-secret beta-secret delta-secret gamma",
        several,
        "*** *** *** gamma",
    );
    let basic = of_header(&header::PROXY_AUTHORIZATION, b"Basic dXNlcjp3b3JkMQ==");
    check("Basic dXNlcjp3b3JkMQ== dXNlcjp3b3JkMQ", basic, "*** ***");
    let digest = of_header(
        &header::AUTHORIZATION,
        b"Digest username=\"Mufasa\", response=\"6629fae4\"",
    );
    check(
        "Digest of Mufasa is not 6629fae4",
        digest,
        "Digest of *** is not ***",
    );
}

#[test]
fn numbers_of_json_and_lines_of_text() {
    let json = of_body(br#"{"pin":123456789,"list":[-4567,8.25e10],"n":7,"on":true}"#);
    check(
        "pin 123456789, -4567, 8.25e10, 7, true",
        json,
        "pin ***, -***, ***, 7, true",
    );
    check("said secret", of_body(b"\"secret\""), "said ***");
    check("at secret", of_body(b"{\"a\":\"secret"), "at ***");
    let lines = of_body(b"first line\r\nsecond line\n\n[x] third\n");
    check(
        "first line, second line, [x] third, line",
        lines,
        "***, ***, ***, line",
    );
    check("not [x] third", of_body(b"[x] third\nother"), "not ***");
}

#[test]
fn values_that_are_escaped_where_they_come_back() {
    let value = "abc/def/\"gh\"\\\n\u{e9}\u{1F600}";
    for spelled in [
        value,
        r#"abc\/def\/\"gh\"\\\n\u00e9\uD83D\uDE00"#,
        r#"abc\u002Fdef/\u0022gh\u0022\\\u000aé😀"#,
        "abc%2Fdef%2f%22gh%22%5C%0A%C3%A9%F0%9F%98%80",
    ] {
        let text = format!("bad {spelled}.");
        check(&text, vec![value.as_bytes().to_vec()], "bad ***.");
    }
    // What only looks like an escape is compared as it is.
    check(r"100%zz \u12 \x", vec![br"\u12".to_vec()], r"100%zz *** \x");
    check(r"a\\b", vec![br"a\\b".to_vec()], "***");
    check(r"\ud800 abc", vec![b"abc".to_vec()], r"\ud800 ***");
}

#[test]
fn a_value_that_was_cut_off() {
    let kept = |text: &str, is_cut| {
        let kept = redact(text.as_bytes(), vec![b"sk-secret/123456".to_vec()], is_cut);
        String::from_utf8(kept).unwrap_or_default()
    };
    for cut in [
        "sk-",
        "sk-secret",
        r"sk-secret\",
        "sk-secret%2",
        r"sk-secret\u00",
    ] {
        let text = format!("bad key {cut}");
        assert_eq!(kept(&text, true), "bad key ***");
        assert_eq!(kept(&text, false), text);
    }
    for text in ["bad key sk", "sk-secret or so", "%", ""] {
        assert_eq!(kept(text, true), text);
    }
}
