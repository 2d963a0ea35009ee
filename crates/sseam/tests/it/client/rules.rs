//! What is sent, what is followed, and what is taken for an event stream.

use std::time::Duration;

use sseam::client::{ClientError, RedirectError, Request, RequestError, Unfit};
use sseam::llm::Ending;
use sseam_testkit::server::{Answer, End, Server};

use super::setup::{Run, millis, read, run, run_against};

fn redirect(status: u16, location: &str) -> Answer {
    Answer::status(status).header("location", location)
}

fn stream() -> Answer {
    Answer::stream().send("data: a\n\n")
}

/// The headers that must not leave their origin, and one that may.
const SECRETS: [&str; 6] = [
    "authorization",
    "cookie",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
];

fn with_secrets(mut request: Request) -> Request {
    for name in SECRETS {
        request = request.header(name, "secret");
    }
    request.header("x-trace", "open")
}

#[test]
fn every_kind_of_redirect_is_followed() {
    for status in [301, 302, 303, 307, 308] {
        for location in ["/next", "next", "?next", "./x/../next"] {
            let server = Server::start(vec![redirect(status, location), stream()]);
            let run = run(Request::get(server.url("/events")));
            assert_eq!(run.data, ["a"], "{status} {location}");
            assert!(server.requests()[1].target.contains("next"));
        }
    }
}

#[test]
fn five_redirects_and_not_six() {
    let hops = |count: usize| {
        let mut script = vec![redirect(302, "/again"); count];
        // The last of them has a status of its own.
        script[count - 1] = redirect(308, "/again");
        script.push(stream());
        Server::start(script)
    };
    let server = hops(5);
    assert_eq!(run(Request::get(server.url("/"))).data, ["a"]);
    let server = hops(6);
    let run = run(Request::get(server.url("/")));
    assert!(matches!(
        run.error,
        Some(ClientError::Redirect(RedirectError::TooMany {
            status: 308
        }))
    ));
    assert_eq!(run.report.outcome.ending, Ending::FailedStatus(308));
    assert_eq!(run.report.outcome.exit_code(), 30);
    assert_eq!(server.requests().len(), 6);
}

#[test]
fn redirects_elsewhere_are_none() {
    let status = 307;
    let error = |location: &str| {
        let run = run_against(redirect(status, location), |request| request);
        assert_eq!(run.report.outcome.exit_code(), 30);
        assert_eq!(run.report.outcome.ending, Ending::FailedStatus(status));
        match run.error {
            Some(ClientError::Redirect(error)) => error,
            other => panic!("{location}: {other:?}"),
        }
    };
    assert_eq!(error("ftp://127.0.0.1/"), RedirectError::Scheme { status });
    assert_eq!(
        error("file:///etc/passwd"),
        RedirectError::Scheme { status }
    );
    assert_eq!(
        error("http://user:word@127.0.0.1/"),
        RedirectError::Location { status }
    );
    // A port that is none is not the default one, on the same host or another.
    for location in ["http://127.0.0.1:99999/", "//127.0.0.1:65616/"] {
        assert_eq!(error(location), RedirectError::Location { status });
    }
    // Without an address it is a status like any other.
    let run = run_against(Answer::status(302), |request| request);
    assert_eq!(run.report.outcome.ending, Ending::FailedStatus(302));
}

#[test]
fn secrets_do_not_leave_their_origin_and_do_not_come_back() {
    // Ports are known once they are open, so the chain is made from its end.
    let third = Server::start(vec![redirect(302, "/again"), stream()]);
    let second = Server::start(vec![redirect(307, &third.url("/third"))]);
    let first = Server::start(vec![redirect(302, &second.url("/second"))]);
    let run = run(with_secrets(Request::get(first.url("/first"))));
    assert_eq!(run.data, ["a"]);
    let all = [
        (&first, 0, true),
        (&second, 0, false),
        (&third, 0, false),
        (&third, 1, false),
    ];
    for (server, index, sees) in all {
        let request = &server.requests()[index];
        for name in SECRETS {
            assert_eq!(request.header(name).is_some(), sees, "{name}");
        }
        assert_eq!(request.header("x-trace"), Some("open"));
    }
}

#[test]
fn the_name_of_a_host_stays_at_its_origin() {
    let other = Server::start(vec![stream()]);
    let first = Server::start(vec![
        redirect(302, "/again"),
        redirect(302, &other.url("/other")),
    ]);
    let request = Request::get(first.url("/")).header("Host", "tenant.internal");
    assert_eq!(run(request).data, ["a"]);
    let hosts = |server: &Server| -> Vec<_> {
        let requests = server.requests();
        let host =
            |request: &sseam_testkit::server::Request| request.header("host").map(str::to_owned);
        requests.iter().filter_map(host).collect()
    };
    assert_eq!(hosts(&first), ["tenant.internal"; 2]);
    assert_eq!(hosts(&other), [other.address().to_string()]);
}

#[test]
fn a_post_is_sent_on_only_if_allowed() {
    let post = |server: &Server| Request::post(server.url("/"), "body");
    for status in [301, 302, 303, 307, 308] {
        let server = Server::start(vec![redirect(status, "/next"), stream()]);
        let run = run(post(&server));
        let Some(ClientError::Redirect(error)) = run.error else {
            panic!("{status}");
        };
        assert_eq!(error, RedirectError::Refused { status });
        assert_eq!(run.report.outcome.exit_code(), 30);
        assert_eq!(server.requests().len(), 1);
    }
    for (status, follows) in [
        (301, false),
        (302, false),
        (303, false),
        (307, true),
        (308, true),
    ] {
        let server = Server::start(vec![redirect(status, "/next"), stream()]);
        let run = run(post(&server).follow_post(true));
        assert_eq!(run.error.is_none(), follows, "{status}");
        if follows {
            let again = &server.requests()[1];
            assert_eq!(
                (again.method.as_str(), &again.body[..]),
                ("POST", &b"body"[..])
            );
        }
    }
}

fn of_type(value: &str) -> Run {
    let answer = Answer::status(200)
        .header("content-type", value)
        .send("data: a\n\n");
    run_against(answer, |request| request)
}

#[test]
fn the_content_type_is_read_as_http_says() {
    for value in [
        "text/event-stream",
        "Text/Event-Stream",
        "text/event-stream;charset=utf-8",
        " text/event-stream ; charset=\"utf-8\"; x=y",
    ] {
        assert_eq!(of_type(value).data, ["a"], "{value}");
    }
    for value in [
        "text/event-streams",
        "application/json",
        "text/plain;text/event-stream",
        "",
    ] {
        let run = of_type(value);
        let Some(ClientError::NotEventStream(error)) = run.error else {
            panic!("{value}");
        };
        assert_eq!(
            (error.reason(), error.body()),
            (Unfit::ContentType, &b"data: a\n\n"[..])
        );
        assert_eq!(run.report.outcome.exit_code(), 31);
    }
    let missing = || Answer::status(200).send("data: a\n\n");
    let run = run_against(missing(), |request| request);
    let Some(ClientError::NotEventStream(error)) = run.error else {
        panic!("no content type");
    };
    assert_eq!(error.reason(), Unfit::MissingContentType);
    let run = run_against(missing(), |request| {
        request.allow_missing_content_type(true)
    });
    assert_eq!(run.data, ["a"]);
    // What is there and wrong stays wrong.
    let json = Answer::status(200).header("content-type", "application/json");
    let run = run_against(json, |request| request.allow_missing_content_type(true));
    assert!(matches!(run.error, Some(ClientError::NotEventStream(_))));
}

#[test]
fn what_is_compressed_is_no_stream() {
    for (value, is_stream) in [
        ("identity", true),
        ("Identity", true),
        ("none, utf-8", true),
        ("gzip", false),
        ("identity, br", false),
    ] {
        let run = run_against(stream().header("content-encoding", value), |request| {
            request
        });
        let reason = match &run.error {
            Some(ClientError::NotEventStream(error)) => Some(error.reason()),
            _ => None,
        };
        assert_eq!(run.data.len(), usize::from(is_stream), "{value}");
        assert_eq!(
            reason,
            (!is_stream).then_some(Unfit::ContentEncoding),
            "{value}"
        );
    }
}

#[test]
fn a_head_of_64_kib_and_not_one_byte_more() {
    let head = |len: usize| {
        let start = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx: ";
        let rest = "\r\ntransfer-encoding: chunked\r\n\r\n";
        let fill = "x".repeat(len - start.len() - rest.len());
        let raw_head = Some(format!("{start}{fill}{rest}"));
        let answer = Answer {
            raw_head,
            ..stream()
        };
        // The connection stays: nothing has ended.
        let server = Server::start(vec![answer.end(End::Hold); 3]);
        let delays = sseam::Delays {
            base: millis(1),
            floor: millis(1),
            ..sseam::Delays::DEFAULT
        };
        let request = Request::get(server.url("/")).reconnect(delays);
        let run = read(&mut request.open().expect("a request"), 1);
        (run, server.requests().len())
    };
    let (run, _) = head(64 * 1024);
    assert_eq!(run.data, ["a"], "{:?}", run.error);
    let (run, requests) = head(64 * 1024 + 1);
    assert!(
        matches!(run.error, Some(ClientError::HeadTooLong)),
        "{:?}",
        run.error
    );
    assert_eq!(run.report.outcome.exit_code(), 40);
    // The next would be as long.
    assert_eq!(requests, 1);
}

#[test]
fn success_of_another_kind_is_a_failure() {
    for status in [201, 202, 203, 205, 206, 300, 304, 405] {
        let answer = Answer { status, ..stream() };
        let run = run_against(answer, |request| request);
        assert_eq!(run.report.outcome.ending, Ending::FailedStatus(status));
        assert_eq!(run.report.outcome.exit_code(), 30);
    }
}

#[test]
fn a_body_of_text_that_never_ends_is_shown_and_left() {
    let answer = Answer::status(200).header("content-type", "text/html");
    let answer = answer.send("<html>").end(End::Hold);
    let run = run_against(answer, |request| request.error_body_timeout(millis(200)));
    let Some(ClientError::NotEventStream(error)) = run.error else {
        panic!("HTML");
    };
    assert_eq!(error.body(), b"<html>");
    assert!(run.elapsed < Duration::from_secs(2));
}

#[test]
fn the_last_id_is_sent_as_it_is_or_not_at_all() {
    let sent = |id: &str| {
        let server = Server::start(vec![stream()]);
        run(Request::get(server.url("/")).last_event_id(id));
        server.requests()[0]
            .header("last-event-id")
            .map(str::to_owned)
    };
    assert_eq!(sent("7").as_deref(), Some("7"));
    assert_eq!(sent("你好 \u{1F600}").as_deref(), Some("你好 \u{1F600}"));
    assert_eq!(sent(""), None);
    assert_eq!(sent("a\tb"), None);
    assert_eq!(sent("a\u{1b}b"), None);
    assert_eq!(sent("a\u{85}b"), None);
    // As a header of the caller's own it is the same thing, and changes.
    let server = Server::start(vec![
        Answer::stream().send("id: 9\ndata: a\n\n"),
        Answer::stream().send("data: b\n\n").end(End::Hold),
    ]);
    let request = Request::get(server.url("/")).header("Last-Event-ID", "8");
    let request = request.reconnect(sseam::Delays {
        base: millis(1),
        floor: millis(1),
        ..sseam::Delays::UNLIMITED
    });
    read(&mut request.open().expect("a request"), 2);
    let ids: Vec<_> = server
        .requests()
        .iter()
        .map(|request| request.header("last-event-id").map(str::to_owned))
        .collect();
    assert_eq!(ids, [Some("8".to_owned()), Some("9".to_owned())]);
}

#[test]
fn what_is_sent() {
    let server = Server::start(vec![stream(), stream()]);
    let request = Request::post(server.url("/p?q=1"), "{\"a\":1}");
    run(request.header("content-type", "application/json"));
    let request = &server.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.target.as_str()),
        ("POST", "/p?q=1")
    );
    assert_eq!(request.header("accept"), Some("text/event-stream"));
    assert_eq!(request.header("content-length"), Some("7"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.body, b"{\"a\":1}");
    assert_eq!(
        request.header("host").map(str::to_owned),
        Some(server.address().to_string())
    );
    assert!(
        request
            .header("user-agent")
            .is_some_and(|agent| agent.starts_with("sseam/"))
    );
    // Own headers win; several of one name are all sent.
    let request = Request::get(server.url("/"))
        .header("user-agent", "mine")
        .header("cache-control", "max-age=1")
        .header("x-two", "1")
        .header("x-two", "2");
    run(request);
    let request = &server.requests()[1];
    assert_eq!(request.header("user-agent"), Some("mine"));
    assert_eq!(request.header("cache-control"), Some("max-age=1"));
    let twice = request
        .headers
        .iter()
        .filter(|(name, _)| name == "x-two")
        .count();
    assert_eq!(twice, 2);
}

#[test]
fn a_large_body_is_sent_whole() {
    let server = Server::start(vec![stream()]);
    let body = vec![b'x'; 3 << 20];
    assert_eq!(
        run(Request::post(server.url("/"), body.clone())).data,
        ["a"]
    );
    assert!(server.requests()[0].body == body);
}

#[test]
fn what_cannot_be_asked_for() {
    let error = |request: Request| request.open().err();
    let get = |url: &str| error(Request::get(url));
    assert_eq!(get("nonsense"), Some(RequestError::Url));
    assert_eq!(get("ftp://a/"), Some(RequestError::Scheme));
    assert_eq!(
        get("http://me:word@a/"),
        Some(RequestError::UserInformation)
    );
    let a = || Request::get("http://a/");
    assert_eq!(error(a().body("x")), Some(RequestError::Body));
    assert_eq!(
        error(Request::new("G T", "http://a/")),
        Some(RequestError::Method)
    );
    assert_eq!(error(a().header("a b", "c")), Some(RequestError::Header));
    assert_eq!(
        error(a().header("a", "b\r\nc: d")),
        Some(RequestError::Header)
    );
    // How a body is sent is not the caller's to say.
    for (name, value) in [
        ("Content-Length", "10"),
        ("content-length", "0"),
        ("Transfer-Encoding", "chunked"),
        ("Expect", "100-continue"),
    ] {
        let post = Request::post("http://a/", "abc").header(name, value);
        assert_eq!(error(post), Some(RequestError::Framing), "{name}");
        assert_eq!(error(a().header(name, value)), Some(RequestError::Framing));
    }
    assert_eq!(get("http://127.0.0.1:99999/"), Some(RequestError::Url));
    assert_eq!(
        error(a().last_event_id("a\nb")),
        Some(RequestError::LastEventId)
    );
    let limits = sseam::Limits {
        id_len_max: 3,
        ..sseam::Limits::LARGE
    };
    assert_eq!(
        error(a().limits(limits).last_event_id("1234")),
        Some(RequestError::LastEventId)
    );
    assert_eq!(error(a().limits(limits).last_event_id("123")), None);
    #[cfg(feature = "client-rustls")]
    for pem in [
        "",
        "nonsense",
        "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
    ] {
        let request = Request::get("https://a/").root_certificates(pem);
        assert_eq!(error(request), Some(RequestError::Certificates), "{pem:?}");
    }
    #[cfg(not(feature = "client-rustls"))]
    assert_eq!(get("https://a/"), Some(RequestError::NoTls));
}

#[test]
fn a_name_with_several_addresses_is_tried_at_each() {
    // `localhost` is ::1 too on most machines, where nobody listens.
    let server = Server::start(vec![stream()]);
    let port = server.address().port();
    assert_eq!(
        run(Request::get(format!("http://localhost:{port}/"))).data,
        ["a"]
    );
}

#[test]
fn an_address_of_version_6() {
    use std::io::{Read, Write};
    let Ok(listener) = std::net::TcpListener::bind("[::1]:0") else {
        println!("no IPv6 here");
        return;
    };
    let port = listener.local_addr().expect("an address").port();
    let thread = std::thread::spawn(move || {
        let (mut client, _) = listener.accept()?;
        let mut head = [0; 4096];
        let len = client.read(&mut head)?;
        client
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: a\n\n")?;
        Ok::<_, std::io::Error>(String::from_utf8_lossy(&head[..len]).into_owned())
    });
    assert_eq!(
        run(Request::get(format!("http://[::1]:{port}/"))).data,
        ["a"]
    );
    let head = thread.join().expect("a server").expect("a request");
    assert!(
        head.to_ascii_lowercase()
            .contains(&format!("host: [::1]:{port}\r\n")),
        "{head}"
    );
}
