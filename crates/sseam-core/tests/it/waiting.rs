//! Liveness and back-off on a virtual clock: half hours pass in no time.

use std::time::Duration;

use sseam_core::{Backoff, Deadline, Delays, Liveness, Timeouts};

const NEVER: Timeouts = Timeouts::NONE;

fn millis(value: u64) -> Duration {
    Duration::from_millis(value)
}

fn seconds(value: u64) -> Duration {
    Duration::from_secs(value)
}

/// One that has been open since `now` of 0.
fn open(timeouts: Timeouts) -> Liveness {
    let mut liveness = Liveness::new(timeouts, millis(0));
    liveness.opened(millis(0));
    liveness
}

#[test]
fn each_deadline_fires_alone_at_its_time_and_not_before() {
    let time = Some(millis(300));
    let each = [
        (
            Timeouts {
                first_output: time,
                ..NEVER
            },
            Deadline::FirstOutput,
        ),
        (
            Timeouts {
                idle: time,
                ..NEVER
            },
            Deadline::Idle,
        ),
        (
            Timeouts {
                progress: time,
                ..NEVER
            },
            Deadline::Progress,
        ),
        (
            Timeouts {
                total: time,
                ..NEVER
            },
            Deadline::Total,
        ),
    ];
    for (timeouts, deadline) in each {
        let mut liveness = open(timeouts);
        assert_eq!(liveness.next_deadline(), Some(millis(300)), "{deadline:?}");
        assert_eq!(liveness.fired(millis(299)), None, "{deadline:?}");
        assert_eq!(liveness.fired(millis(300)), Some(deadline));
        // It stays so until something is done about it.
        assert_eq!(liveness.fired(millis(301)), Some(deadline));
    }
}

#[test]
fn without_timeouts_half_an_hour_of_silence_is_no_fault() {
    let mut liveness = open(NEVER);
    for minute in 0..30 {
        assert_eq!(liveness.fired(seconds(60 * minute)), None);
    }
    assert_eq!(liveness.next_deadline(), None);
}

#[test]
fn half_an_hour_of_comments_is_alive_and_no_progress() {
    let timeouts = Timeouts {
        idle: Some(seconds(60)),
        progress: Some(seconds(30 * 60)),
        ..NEVER
    };
    let mut liveness = open(timeouts);
    let mut now = 0;
    while now < 30 * 60 - 15 {
        now += 15;
        liveness.observe_bytes(seconds(now));
        assert_eq!(liveness.fired(seconds(now)), None, "after {now} s");
    }
    assert_eq!(liveness.fired(seconds(30 * 60)), Some(Deadline::Progress));
}

#[test]
fn what_resets_what() {
    let time = Some(millis(100));
    let timeouts = Timeouts {
        idle: time,
        progress: time,
        first_output: time,
        total: Some(seconds(9)),
    };
    let after = |act: fn(&mut Liveness, Duration)| {
        let mut liveness = open(timeouts);
        act(&mut liveness, millis(50));
        let mut fired = Vec::new();
        // What has fired is switched off, to see what comes next.
        while let Some(at) = liveness.next_deadline() {
            let Some(deadline) = liveness.fired(at) else {
                break;
            };
            fired.push((deadline, at.as_millis()));
            liveness = without(liveness, deadline, act);
        }
        fired
    };
    let total = (Deadline::Total, 9000);
    assert_eq!(
        after(Liveness::observe_bytes),
        [
            (Deadline::FirstOutput, 100),
            (Deadline::Progress, 100),
            (Deadline::Idle, 150),
            total,
        ]
    );
    assert_eq!(
        after(Liveness::observe_progress),
        [
            (Deadline::FirstOutput, 100),
            (Deadline::Idle, 150),
            (Deadline::Progress, 150),
            total,
        ]
    );
    assert_eq!(
        after(Liveness::observe_output),
        [(Deadline::Idle, 150), (Deadline::Progress, 150), total,]
    );
}

fn without(old: Liveness, deadline: Deadline, act: fn(&mut Liveness, Duration)) -> Liveness {
    let mut timeouts = *old.timeouts();
    match deadline {
        Deadline::FirstOutput => timeouts.first_output = None,
        Deadline::Idle => timeouts.idle = None,
        Deadline::Progress => timeouts.progress = None,
        _ => timeouts.total = None,
    }
    let mut liveness = open(timeouts);
    act(&mut liveness, millis(50));
    liveness
}

#[test]
fn between_connections_nothing_is_idle() {
    let time = Some(millis(100));
    let timeouts = Timeouts {
        idle: time,
        progress: time,
        total: Some(seconds(5)),
        ..NEVER
    };
    let mut liveness = Liveness::new(timeouts, seconds(0));
    assert_eq!(liveness.next_deadline(), Some(seconds(5)));
    liveness.opened(seconds(1));
    assert_eq!(liveness.next_deadline(), Some(millis(1100)));
    liveness.closed();
    liveness.observe_bytes(millis(1050));
    assert_eq!(liveness.fired(seconds(4)), None);
    liveness.opened(seconds(4));
    assert_eq!(liveness.next_deadline(), Some(millis(4100)));
    // The total is that of all connections together.
    assert_eq!(liveness.fired(seconds(6)), Some(Deadline::Idle));
    liveness.closed();
    assert_eq!(liveness.fired(seconds(6)), Some(Deadline::Total));
}

#[test]
fn output_counts_over_all_connections() {
    let mut liveness = open(Timeouts {
        first_output: Some(seconds(2)),
        ..NEVER
    });
    liveness.closed();
    assert_eq!(liveness.next_deadline(), Some(seconds(2)));
    liveness.opened(seconds(1));
    liveness.observe_output(seconds(1));
    assert_eq!(liveness.next_deadline(), None);
}

#[test]
fn a_busy_reader_does_not_blame_the_server() {
    let time = Some(seconds(10));
    let timeouts = Timeouts {
        idle: time,
        progress: time,
        first_output: time,
        total: Some(seconds(100)),
    };
    let mut liveness = open(timeouts);
    liveness.observe_bytes(seconds(1));
    assert_eq!(liveness.fired(seconds(6)), None);
    // From second 6 to second 50 the caller did something else.
    liveness.put_off(seconds(44), seconds(50));
    assert_eq!(liveness.fired(seconds(50)), None);
    assert_eq!(
        liveness.next_deadline(),
        Some(seconds(54)),
        "first output and progress"
    );
    assert_eq!(liveness.fired(seconds(99)), Some(Deadline::FirstOutput));
    // No time is put off into the future, and the total never.
    liveness.put_off(Duration::MAX, seconds(99));
    assert_eq!(liveness.next_deadline(), Some(seconds(100)));
    assert_eq!(liveness.fired(seconds(100)), Some(Deadline::Total));
}

#[test]
fn a_clock_that_runs_backwards_is_not_believed() {
    let mut liveness = open(Timeouts {
        idle: Some(seconds(10)),
        ..NEVER
    });
    liveness.observe_bytes(seconds(100));
    liveness.observe_bytes(seconds(3));
    assert_eq!(liveness.next_deadline(), Some(seconds(110)));
    assert_eq!(liveness.fired(seconds(110)), Some(Deadline::Idle));
    assert_eq!(liveness.fired(seconds(0)), Some(Deadline::Idle));
}

#[test]
fn the_longest_times_do_not_overflow() {
    let timeouts = Timeouts {
        idle: Some(Duration::MAX),
        total: Some(Duration::MAX),
        ..NEVER
    };
    let mut liveness = Liveness::new(timeouts, Duration::MAX);
    liveness.opened(Duration::MAX);
    liveness.put_off(Duration::MAX, Duration::MAX);
    assert_eq!(liveness.next_deadline(), Some(Duration::MAX));
    assert!(liveness.fired(Duration::MAX).is_some());
}

/// Of the random numbers the one that leaves a wait as it is, or nearly: a
/// millisecond is lost to rounding.
const MIDDLE: u32 = u32::MAX / 2 + 1;

fn waits(backoff: &mut Backoff, random: u32, count: usize) -> Vec<u128> {
    let next = || backoff.next_wait(random, None);
    std::iter::from_fn(next)
        .take(count)
        .map(|wait| wait.as_millis())
        .collect()
}

fn unlimited(base: u64) -> Backoff {
    Backoff::new(Delays {
        base: millis(base),
        ..Delays::UNLIMITED
    })
}

#[test]
fn waits_double_up_to_the_ceiling() {
    assert_eq!(waits(&mut unlimited(100), MIDDLE, 3), [100, 200, 400]);
    let mut backoff = Backoff::new(Delays::UNLIMITED);
    let expected = [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000];
    assert_eq!(waits(&mut backoff, MIDDLE, 8), expected);
}

#[test]
fn chance_moves_a_wait_by_a_quarter_at_most() {
    assert_eq!(waits(&mut unlimited(1000), 0, 2), [750, 1500]);
    assert_eq!(waits(&mut unlimited(1000), u32::MAX, 2), [1249, 2499]);
    // Neither below the floor nor above the ceiling.
    assert_eq!(waits(&mut unlimited(100), 0, 2), [100, 150]);
    assert_eq!(waits(&mut unlimited(30_000), u32::MAX, 1), [30_000]);
}

#[test]
fn attempts_have_a_maximum() {
    let attempts = |attempts_max| {
        let mut backoff = Backoff::new(Delays {
            attempts_max,
            ..Delays::DEFAULT
        });
        let made = waits(&mut backoff, MIDDLE, 100).len();
        assert_eq!(backoff.attempts() as usize, made);
        made
    };
    assert_eq!(attempts(0), 0);
    assert_eq!(attempts(1), 1);
    assert_eq!(attempts(5), 5);
    assert_eq!(attempts(u32::MAX), 100);
}

#[test]
fn fifty_refused_connections_and_then_an_event() {
    let mut backoff = Backoff::new(Delays {
        base: millis(1),
        floor: millis(1),
        ..Delays::UNLIMITED
    });
    let mut clock = Duration::ZERO;
    for _ in 0..50 {
        clock += backoff
            .next_wait(MIDDLE, None)
            .expect("unlimited never gives up");
    }
    assert_eq!(backoff.attempts(), 50);
    assert_eq!(clock, millis((1 << 15) - 1) + seconds(30) * 35);
    backoff.observe_event();
    assert_eq!(waits(&mut backoff, MIDDLE, 1), [1]);
}

#[test]
fn only_an_event_begins_anew() {
    let mut backoff = unlimited(100);
    assert_eq!(waits(&mut backoff, MIDDLE, 2), [100, 200]);
    // A connection that sent nothing but `retry` does not.
    backoff.set_retry(100);
    assert_eq!(waits(&mut backoff, MIDDLE, 1), [400]);
    backoff.observe_event();
    assert_eq!(waits(&mut backoff, MIDDLE, 1), [100]);
}

#[test]
fn the_servers_retry_is_kept_within_floor_and_ceiling() {
    let of = |retry| {
        let mut backoff = Backoff::new(Delays::UNLIMITED);
        backoff.set_retry(retry);
        waits(&mut backoff, MIDDLE, 2)
    };
    assert_eq!(of(0), [100, 200]);
    assert_eq!(of(3000), [3000, 6000]);
    assert_eq!(of(60_000), [30_000, 30_000]);
    assert_eq!(of(u64::MAX), [30_000, 30_000]);
}

#[test]
fn retry_after_is_a_lower_bound() {
    let mut backoff = unlimited(1000);
    assert_eq!(
        backoff.next_wait(MIDDLE, Some(millis(1))),
        Some(millis(1000))
    );
    assert_eq!(
        backoff.next_wait(MIDDLE, Some(seconds(90))),
        Some(seconds(90))
    );
    assert_eq!(
        backoff.next_wait(MIDDLE, Some(Duration::MAX)),
        Some(Duration::MAX)
    );
    assert_eq!(backoff.next_wait(MIDDLE, None), Some(millis(8000)));
}

#[test]
fn the_longest_delays_do_not_overflow() {
    let longest = Delays {
        base: Duration::MAX,
        floor: Duration::ZERO,
        ceiling: Duration::MAX,
        attempts_max: u32::MAX,
    };
    let mut backoff = Backoff::new(longest);
    for _ in 0..200 {
        let wait = backoff.next_wait(u32::MAX, None);
        assert!(wait.is_some_and(|wait| wait > seconds(1 << 50)));
    }
    // A floor over the ceiling wins.
    let odd = Delays {
        floor: seconds(9),
        ceiling: seconds(1),
        ..Delays::UNLIMITED
    };
    assert_eq!(waits(&mut Backoff::new(odd), 0, 2), [9000, 9000]);
}
