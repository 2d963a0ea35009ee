//! Seconds, the three forms of a date, and what is neither.

use super::*;

fn wait(value: &str) -> Option<u64> {
    let date = b"Sun, 06 Nov 1994 08:49:30 GMT";
    retry_after(value.as_bytes(), Some(date)).map(|wait| wait.as_secs())
}

#[test]
fn seconds_as_they_are() {
    assert_eq!(wait("0"), Some(0));
    assert_eq!(wait(" 120 "), Some(120));
    assert_eq!(wait("99999999999999999999999"), Some(u64::MAX));
}

#[test]
fn three_forms_of_one_date() {
    assert_eq!(wait("Sun, 06 Nov 1994 08:49:37 GMT"), Some(7));
    assert_eq!(wait("Sunday, 06-Nov-94 08:49:37 GMT"), Some(7));
    assert_eq!(wait("Sun Nov  6 08:49:37 1994"), Some(7));
    // What is past is no wait.
    assert_eq!(wait("Sun, 06 Nov 1994 08:00:00 GMT"), Some(0));
}

#[test]
fn days_are_counted_right() {
    let at = |date| seconds(date).expect(date);
    assert_eq!(at("Thu, 01 Jan 1970 00:00:00 GMT"), 0);
    assert_eq!(at("Sun, 06 Nov 1994 08:49:37 GMT"), 784_111_777);
    assert_eq!(at("Tue, 29 Feb 2000 23:59:59 GMT"), 951_868_799);
    assert_eq!(at("Mon, 01 Mar 2100 00:00:00 GMT"), 4_107_542_400);
    assert_eq!(at("Thu, 31 Dec 2026 23:59:60 GMT"), 1_798_761_600);
}

#[test]
fn what_is_no_time_is_no_wait() {
    for value in [
        "",
        "-1",
        "1.5",
        "soon",
        "Sun, 32 Nov 1994 08:49:37 GMT",
        "Mon, 29 Feb 2100 00:00:00 GMT",
        "Sun, 06 Now 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994",
        "Sun, 06 Nov 1960 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
    ] {
        assert_eq!(wait(value), None, "{value:?}");
    }
    assert_eq!(retry_after(b"\xFF", None), None);
}

#[test]
fn without_a_date_the_clock_of_this_machine_counts() {
    let past = retry_after(b"Sun, 06 Nov 1994 08:49:37 GMT", None);
    assert_eq!(past, Some(Duration::ZERO));
    let future = retry_after(b"Mon, 01 Mar 2100 00:00:00 GMT", Some(b"nonsense"));
    assert!(future.is_some_and(|wait| wait.as_secs() > 1_000_000_000));
}
