/*
 * How long to wait, from C++: a client's loop on a virtual clock, whose deadline ends
 * a turn.
 */
#include "check.h"
#include "sseam.hpp"

using std::chrono::milliseconds;

static void deadlines() {
    sseam::timeouts timeouts;
    timeouts.idle_ms = 1000;
    timeouts.total_ms = 10000;
    sseam::liveness liveness(timeouts, milliseconds(0));
    CHECK(liveness.next_deadline() == milliseconds(10000));
    liveness.opened(milliseconds(100));
    CHECK(liveness.next_deadline() == milliseconds(1100));
    liveness.observe_bytes(milliseconds(900));
    liveness.observe_progress(milliseconds(950));
    liveness.observe_output(milliseconds(1000));
    liveness.put_off(milliseconds(50), milliseconds(1050));
    const sseam::liveness copy = liveness;
    CHECK(copy.next_deadline() == milliseconds(2050));
    const sseam_deadline fired = liveness.fired(milliseconds(2050));
    CHECK(fired == SSEAM_DEADLINE_IDLE);
    liveness.closed();
    CHECK(liveness.fired(milliseconds(2050)) == SSEAM_DEADLINE_NONE);
    std::error_code ec;
    sseam::answer answer = sseam::answer::create(sseam::answer_options(), ec);
    CHECK(!ec);
    answer.end(fired);
    const sseam::outcome outcome = answer.outcome();
    CHECK(!ec && outcome.kind() == sseam::outcome_kind::timed_out && outcome.exit_code() == 21);
    CHECK(outcome.name() == "TimedOut" && outcome.c().cause == SSEAM_CLOSE_TIMEOUT_IDLE);
    sseam::liveness for_ever(sseam::timeouts(), milliseconds(-5));
    CHECK(for_ever && !for_ever.next_deadline());
    timeouts.struct_size = 1;
    const sseam::liveness refused(timeouts, milliseconds(0));
    CHECK(!refused && !refused.next_deadline());
}

static void waits() {
    sseam::delays delays;
    delays.attempts_max = 2;
    sseam::backoff backoff(delays);
    backoff.set_retry(1000);
    CHECK(backoff.next_wait(0) == milliseconds(750));
    CHECK(backoff.next_wait(0, milliseconds(9000)) == milliseconds(9000));
    CHECK(!backoff.next_wait(0) && backoff.attempts() == 2);
    delays.struct_size = 1;
    sseam::backoff refused(delays);
    CHECK(backoff && !refused && !refused.next_wait(0));
    backoff.observe_event();
    CHECK(backoff.attempts() == 0 && backoff.next_wait(0xFFFFFFFF).has_value());
}

int main() {
    deadlines();
    waits();
    std::puts("deadlines and waits come when they must");
}
