//! Which proxy is taken for what.

use super::*;

/// The host of the proxy for `url`, or `-`, given variables as `name=value`.
#[track_caller]
fn check(variables: &[&str], url: &str, expected: &str) {
    let variable = |name: &str| {
        let mut pairs = variables.iter().filter_map(|pair| pair.split_once('='));
        pairs
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.to_owned())
    };
    let proxies = Proxies::of_variables(variable);
    let location = Location::parse(url).expect("a URL");
    let host = proxies
        .as_ref()
        .map(|proxies| proxies.of(&location).map_or("-", Proxy::host));
    assert_eq!(host, Ok(expected));
}

#[test]
fn by_the_scheme_and_else_the_one_for_all() {
    check(&[], "http://a/", "-");
    check(&["http_proxy=http://p:1"], "http://a/", "p");
    check(&["http_proxy=http://p:1"], "https://a/", "-");
    check(&["HTTPS_PROXY=q:1"], "https://a/", "q");
    check(&["all_proxy=p", "https_proxy=q"], "http://a/", "p");
    check(&["all_proxy=p", "https_proxy=q"], "https://a/", "q");
    check(&["http_proxy=", "HTTP_PROXY=p"], "http://a/", "-");
}

#[test]
fn not_by_what_a_request_could_have_set() {
    check(&["HTTP_PROXY=p"], "http://a/", "p");
    check(&["HTTP_PROXY=p", "REQUEST_METHOD=GET"], "http://a/", "-");
    check(&["http_proxy=p", "REQUEST_METHOD=GET"], "http://a/", "p");
}

#[test]
fn hosts_that_are_reached_directly() {
    let with = |names: &str, url: &str, expected: &str| {
        check(
            &["all_proxy=p", &format!("no_proxy={names}")],
            url,
            expected,
        );
    };
    with("a.com, .b.com", "http://a.com/", "-");
    with("a.com, .b.com", "http://x.A.com/", "-");
    with("a.com, .b.com", "http://b.com:8080/", "-");
    with("a.com, .b.com", "http://xa.com/", "p");
    with("a.com, .b.com", "http://c.com/", "p");
    with("*", "http://c.com/", "-");
    with("127.0.0.1", "http://127.0.0.1:8080/", "-");
    with("0.0.1", "http://127.0.0.1:8080/", "p");
    with("a, *", "http://[::1]/", "-");
    for name in ["::1", "[::1]", "0:0:0:0:0:0:0:1"] {
        with(name, "http://[::1]:8080/", "-");
        with(name, "https://[0:0::1]/", "-");
        with(name, "http://[::2]/", "p");
    }
    with("FD00::A", "http://[fd00::a]/", "-");
}

#[test]
fn a_proxy_that_cannot_be_spoken_to_is_not_gone_around() {
    let error = |url: &str| Proxies::one(url).err();
    assert_eq!(error("socks5://p:1"), Some(RequestError::Proxy));
    assert_eq!(error("ftp://p:1"), Some(RequestError::Proxy));
    assert_eq!(error("http://"), Some(RequestError::Proxy));
    assert_eq!(error("http://p:1"), None);
    // Not at another port than the one that was named.
    assert_eq!(error("http://p:65536"), Some(RequestError::Proxy));
    assert_eq!(error("me:word@p:99999"), Some(RequestError::Proxy));
    assert_eq!(error("me:word@[::1]:8080"), None);
    assert!(Proxies::of_variables(|_| Some("socks5://p".to_owned())).is_err());
}
