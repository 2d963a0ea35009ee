//! Addresses and where redirects lead.

use super::*;

fn at(url: &str) -> Location {
    Location::parse(url).expect(url)
}

fn joined(base: &str, reference: &str) -> String {
    let joined = at(base).join(reference.as_bytes(), 301);
    joined.map_or_else(
        |error| format!("{error:?}"),
        |location| location.uri().to_string(),
    )
}

#[test]
fn only_http_without_user_information() {
    let refused = |url| Location::parse(url).expect_err(url);
    assert_eq!(refused("ftp://a/"), RequestError::Scheme);
    assert_eq!(refused("/path"), RequestError::Url);
    assert_eq!(refused(""), RequestError::Url);
    assert_eq!(refused("http://"), RequestError::Url);
    assert_eq!(refused("http://user@a/"), RequestError::UserInformation);
    assert_eq!(
        refused("https://user:word@a/"),
        RequestError::UserInformation
    );
    assert_eq!(at("http://a/b#c").uri(), "http://a/b");
    assert!(at("HTTPS://a").is_secure());
}

#[test]
fn references_as_in_the_examples_of_rfc_3986() {
    let base = "http://a/b/c/d?q";
    for (reference, expected) in [
        ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g/"),
        ("?y", "http://a/b/c/d?y"),
        ("g?y", "http://a/b/c/g?y"),
        ("", "http://a/b/c/d?q"),
        (".", "http://a/b/c/"),
        ("..", "http://a/b/"),
        ("../g", "http://a/b/g"),
        ("../../../g", "http://a/g"),
        ("g#s", "http://a/b/c/g"),
        ("http://x:8080/y", "http://x:8080/y"),
        ("/a b\u{e9}", "http://a/a%20b%C3%A9"),
    ] {
        assert_eq!(joined(base, reference), expected, "{reference:?}");
    }
    assert_eq!(joined("http://a", "x"), "http://a/x");
}

#[test]
fn other_schemes_and_user_information_are_no_way_to_go() {
    assert_eq!(joined("http://a/", "ftp://a/"), "Scheme { status: 301 }");
    assert_eq!(
        joined("http://a/", "file:///etc/passwd"),
        "Scheme { status: 301 }"
    );
    assert_eq!(
        joined("http://a/", "http://user@b/"),
        "Location { status: 301 }"
    );
}

#[test]
fn a_port_is_a_number_up_to_65535_or_the_default() {
    let port = |url: &str| Location::parse(url).map(|location| location.port());
    assert_eq!(port("http://a:65535/"), Ok(65535));
    assert_eq!(port("http://[::1]:8080/"), Ok(8080));
    assert_eq!(port("http://[::1]/"), Ok(80));
    assert_eq!(port("https://a:/"), Ok(443));
    for port_text in ["65536", "99999", "4294967376", "+80", "8o", "-1", "80:80"] {
        for host in ["a", "127.0.0.1", "[::1]"] {
            let url = format!("http://{host}:{port_text}/");
            assert_eq!(port(&url), Err(RequestError::Url), "{url}");
            assert_eq!(
                joined("http://a/", &url),
                "Location { status: 301 }",
                "{url}"
            );
            assert_eq!(
                joined("http://a/", &url[5..]),
                "Location { status: 301 }",
                "{url}"
            );
        }
    }
}

#[test]
fn origins() {
    let same = |a, b| at(a).is_same_origin(&at(b));
    assert!(same("http://a/b", "http://A:80/c?d"));
    assert!(same("https://a", "https://a:443"));
    assert!(!same("http://a", "https://a"));
    assert!(!same("http://a", "http://a:81"));
    assert!(!same("http://a", "http://b"));
}

#[test]
fn nothing_but_the_origin_is_shown() {
    let location = at("https://host:81/secret?key=secret");
    assert_eq!(location.to_string(), "https://host:81");
    assert_eq!(format!("{location:?}"), "Location(https://host:81/…)");
}
