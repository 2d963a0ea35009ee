//! Figures of made-up streams.

use super::*;

fn at(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn heartbeats_and_the_timeout_that_suits_them() {
    let mut measure = Measure::default();
    for index in 0..1000 {
        measure.read(at(index * 15_000));
        measure.keep_alive();
    }
    assert_eq!(measure.intervals.len(), INTERVALS_MAX);
    let of = |longest_gap_ms| {
        measure.complete(Figures {
            reads: 1000,
            longest_gap_ms,
            ..Figures::default()
        })
    };
    assert_eq!(of(15_000).heartbeat_ms, Some(15_000));
    assert_eq!(of(15_000).idle_timeout_ms, Some(45_000));
    assert_eq!(of(20_001).idle_timeout_ms, Some(61_000));
}

#[test]
fn without_heartbeats_the_longest_gap_counts() {
    let of = |reads, longest_gap_ms| {
        Measure::default().complete(Figures {
            reads,
            longest_gap_ms,
            ..Figures::default()
        })
    };
    assert_eq!(of(0, 0).idle_timeout_ms, None);
    assert_eq!(of(1, 0).idle_timeout_ms, Some(10_000));
    assert_eq!(of(1, 7000).idle_timeout_ms, Some(21_000));
    assert_eq!(of(1, 7000).heartbeat_ms, None);
    // Two in one read were held up.
    let mut measure = Measure::default();
    measure.read(at(5));
    measure.keep_alive();
    measure.keep_alive();
    assert!(measure.intervals.is_empty());
}

#[test]
fn events_that_were_held_up() {
    for (silence, events, is_held_up) in [(2000, 8, true), (1999, 8, false), (2000, 7, false)] {
        let mut measure = Measure::default();
        measure.read(at(100));
        measure.read(at(100 + silence));
        (0..events).for_each(|_| measure.event());
        measure.read(at(9999));
        measure.event();
        let figures = measure.complete(Figures::default());
        let expected = is_held_up.then_some((events, silence));
        assert_eq!(figures.held_up_events.zip(figures.held_up_ms), expected);
        assert_eq!(figures.warning().is_some(), is_held_up);
    }
}

#[test]
fn words() {
    let figures = Figures {
        late_fault: false,
        short_end: false,
        requests: 2,
        reads: 9,
        elapsed_ms: 61_950,
        first_byte_ms: Some(120),
        first_text_ms: Some(1000),
        longest_gap_ms: 999,
        heartbeat_ms: Some(15_049),
        idle_timeout_ms: Some(46_000),
        held_up_events: Some(20),
        held_up_ms: Some(8300),
        connections: 2,
    };
    assert_eq!(
        figures.text().as_deref(),
        Some(
            "first byte after 120 ms, first text after 1.0 s, longest gap 999 ms, \
             heartbeat every 15.0 s, 61.9 s in all, 2 requests; an --idle-timeout of 46s would do"
        )
    );
    let warning = figures.warning().expect("it is held up");
    assert!(
        warning.starts_with("20 events came in one read after 8.3 s "),
        "{warning}"
    );
    assert_eq!(Figures::default().text(), None);
    assert_eq!(Figures::default().warning(), None);
}
