//! Durations at their edges.

use super::*;

#[test]
fn units_and_edges() {
    let ms = |text| parse_duration(text).map(|duration| duration.as_millis());
    assert_eq!(ms("0"), Ok(0));
    assert_eq!(ms("0ms"), Ok(0));
    assert_eq!(ms("300ms"), Ok(300));
    assert_eq!(ms("5s"), Ok(5000));
    assert_eq!(ms("2m"), Ok(120_000));
    assert_eq!(ms("43200m"), Ok(u128::from(MILLISECONDS_MAX)));
    for wrong in [
        "",
        "5",
        "s",
        "5 s",
        "-1s",
        "1.5s",
        "5h",
        "5S",
        "99999999999999999999s",
    ] {
        assert_eq!(ms(wrong), Err(WANTED.to_owned()), "{wrong}");
    }
    for long in ["43201m", "18446744073709551615s"] {
        assert_eq!(ms(long), Err("longer than 30 days".to_owned()), "{long}");
    }
    assert_eq!(parse_timeout("0"), Ok(Timeout(None)));
    assert_eq!(
        parse_timeout("1ms"),
        Ok(Timeout(Some(Duration::from_millis(1))))
    );
}
