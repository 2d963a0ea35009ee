/*
 * How long to wait, from C: the deadlines of a stream in their order, the waits of a
 * back-off, and every misuse that can be seen.
 */
#include "check.h"
#include "sseam.h"

#include <string.h>

/** Half of all numbers are smaller. */
#define MIDDLE 0x7FFFFFFFu

static void a_stream_from_start_to_end(void) {
    sseam_timeouts timeouts;
    sseam_liveness it, copy;
    sseam_timeouts_init(&timeouts);
    timeouts.first_output_ms = 5000;
    timeouts.idle_ms = 1000;
    timeouts.progress_ms = 3000;
    timeouts.total_ms = 60000;
    CHECK(sseam_liveness_init(&it, &timeouts, 100) == SSEAM_OK);
    CHECK(sseam_liveness_next_deadline(&it) == 5100);
    CHECK(sseam_liveness_opened(&it, 200) == SSEAM_OK);
    CHECK(sseam_liveness_next_deadline(&it) == 1200);
    CHECK(sseam_liveness_observe_bytes(&it, 1100) == SSEAM_OK);
    CHECK(sseam_liveness_fired(&it, 2099) == SSEAM_DEADLINE_NONE);
    copy = it;
    CHECK(sseam_liveness_fired(&copy, 2100) == SSEAM_DEADLINE_IDLE);
    CHECK(sseam_liveness_put_off(&it, 500, 2100) == SSEAM_OK);
    CHECK(sseam_liveness_next_deadline(&it) == 2600);
    CHECK(sseam_liveness_observe_bytes(&it, 2590) == SSEAM_OK);
    CHECK(sseam_liveness_observe_bytes(&it, 3500) == SSEAM_OK);
    CHECK(sseam_liveness_fired(&it, 3700) == SSEAM_DEADLINE_PROGRESS);
    CHECK(sseam_liveness_observe_progress(&it, 3700) == SSEAM_OK);
    CHECK(sseam_liveness_closed(&it) == SSEAM_OK);
    CHECK(sseam_liveness_fired(&it, 5599) == SSEAM_DEADLINE_NONE);
    CHECK(sseam_liveness_fired(&it, 5600) == SSEAM_DEADLINE_FIRST_OUTPUT);
    CHECK(sseam_liveness_observe_output(&it, 5700) == SSEAM_OK);
    /* An earlier time than the last one is taken for the last one. */
    CHECK(sseam_liveness_fired(&it, 0) == SSEAM_DEADLINE_NONE);
    CHECK(sseam_liveness_next_deadline(&it) == 60100);
    CHECK(sseam_liveness_fired(&it, 60100) == SSEAM_DEADLINE_TOTAL);
    CHECK(SSEAM_DEADLINE_IDLE == SSEAM_CLOSE_TIMEOUT_IDLE);
    CHECK(SSEAM_DEADLINE_TOTAL == SSEAM_CLOSE_TIMEOUT_TOTAL);
    CHECK(sseam_liveness_init(&it, NULL, (uint64_t)-1) == SSEAM_OK);
    CHECK(sseam_liveness_opened(&it, 7) == SSEAM_OK);
    CHECK(sseam_liveness_next_deadline(&it) == SSEAM_FOREVER);
}

static void attempts(void) {
    sseam_delays delays;
    sseam_backoff it;
    uint64_t wait = 77;
    sseam_delays_init(&delays);
    CHECK(delays.base_ms == 500 && delays.floor_ms == 100 && delays.ceiling_ms == 30000);
    CHECK(sseam_backoff_init(&it, NULL) == SSEAM_OK);
    CHECK(sseam_backoff_next_wait(&it, MIDDLE, 0, &wait) == 0 && wait == 77);
    delays.attempts_max = 3;
    CHECK(sseam_backoff_init(&it, &delays) == SSEAM_OK);
    CHECK(sseam_backoff_next_wait(&it, MIDDLE, 0, &wait) == 1 && wait == 499);
    CHECK(sseam_backoff_next_wait(&it, MIDDLE, 0, &wait) == 1 && wait == 999);
    CHECK(sseam_backoff_next_wait(&it, MIDDLE, 60000, &wait) == 1 && wait == 60000);
    CHECK(sseam_backoff_next_wait(&it, MIDDLE, 0, &wait) == 0 && wait == 60000);
    CHECK(sseam_backoff_attempts(&it) == 3);
    CHECK(sseam_backoff_observe_event(&it) == SSEAM_OK && sseam_backoff_attempts(&it) == 0);
    CHECK(sseam_backoff_set_retry(&it, 2000) == SSEAM_OK);
    CHECK(sseam_backoff_next_wait(&it, 0, 0, &wait) == 1 && wait == 1500);
    delays.attempts_max = SSEAM_UNLIMITED;
    CHECK(sseam_backoff_init(&it, &delays) == SSEAM_OK);
    for (wait = 0; sseam_backoff_attempts(&it) < 1000;)
        CHECK(sseam_backoff_next_wait(&it, MIDDLE, 0, &wait) == 1);
    CHECK(wait <= 30000 && wait >= 22500);
}

static void misuse(void) {
    sseam_liveness zero, it;
    sseam_backoff none;
    struct {
        sseam_timeouts timeouts;
        uint64_t newer;
    } asked;
    struct {
        sseam_delays delays;
        uint64_t newer;
    } patient;
    sseam_liveness *bad[3];
    sseam_backoff *worse[3];
    uint64_t wait = 77;
    size_t i;
    memset(&zero, 0, sizeof zero);
    memset(&none, 0, sizeof none);
    bad[0] = NULL;
    bad[1] = (sseam_liveness *)(uintptr_t)1;
    bad[2] = &zero;
    worse[0] = NULL;
    worse[1] = (sseam_backoff *)(uintptr_t)1;
    worse[2] = &none;
    for (i = 0; i < 3; i++) {
        CHECK(sseam_liveness_opened(bad[i], 0) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_liveness_closed(bad[i]) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_liveness_observe_bytes(bad[i], 0) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_liveness_observe_progress(bad[i], 0) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_liveness_observe_output(bad[i], 0) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_liveness_put_off(bad[i], 0, 0) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_liveness_next_deadline(bad[i]) == SSEAM_FOREVER);
        CHECK(sseam_liveness_fired(bad[i], SSEAM_FOREVER) == SSEAM_DEADLINE_NONE);
        CHECK(sseam_backoff_set_retry(worse[i], 0) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_backoff_observe_event(worse[i]) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_backoff_attempts(worse[i]) == 0);
        CHECK(sseam_backoff_next_wait(worse[i], 0, 0, &wait) == 0 && wait == 77);
    }
    CHECK(sseam_liveness_init(NULL, NULL, 0) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_backoff_init(NULL, NULL) == SSEAM_ERR_ARGUMENT);
    sseam_timeouts_init_sized(NULL, sizeof asked);
    sseam_delays_init_sized(NULL, sizeof patient);
    sseam_timeouts_init_sized(&asked.timeouts, sizeof asked);
    sseam_delays_init_sized(&patient.delays, sizeof patient);
    CHECK(sseam_liveness_init(&it, &asked.timeouts, 0) == SSEAM_OK);
    CHECK(sseam_backoff_init(&none, &patient.delays) == SSEAM_OK);
    CHECK(sseam_backoff_next_wait(&none, 0, 0, NULL) == 0);
    CHECK(sseam_backoff_attempts(&none) == 0);
    asked.newer = patient.newer = 1;
    CHECK(sseam_liveness_init(&it, &asked.timeouts, 0) == SSEAM_ERR_VERSION);
    CHECK(sseam_backoff_init(&none, &patient.delays) == SSEAM_ERR_VERSION);
    asked.timeouts.struct_size = sizeof asked.timeouts;
    asked.timeouts.reserved = 1;
    CHECK(sseam_liveness_init(&it, &asked.timeouts, 0) == SSEAM_ERR_ARGUMENT);
    asked.timeouts.struct_size = 0;
    CHECK(sseam_liveness_init(&it, &asked.timeouts, 0) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_waiting_abi_version() == SSEAM_WAITING_ABI_VERSION);
}

int main(void) {
    a_stream_from_start_to_end();
    attempts();
    misuse();
    puts("deadlines and waits come when they must");
    return 0;
}
