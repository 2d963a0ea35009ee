/*
 * Every misuse of an answer that can be seen has a status, and changes nothing; every
 * code has its name; run under sanitizers.
 */
#include "check.h"
#include "sseam.h"

#include <string.h>

/* Enough for the default options. */
static SSEAM_ANSWER_ARENA(arena, SSEAM_ANSWER_STORAGE(1 << 20, 256, 1024, 512));

static int is(sseam_str name, const char *expected) {
    return name.len == strlen(expected) && memcmp(name.ptr, expected, name.len) == 0;
}

static sseam_str str(const char *bytes) {
    sseam_str view;
    view.ptr = bytes;
    view.len = strlen(bytes);
    return view;
}

static void null_and_misaligned(void) {
    sseam_answer *bad[2], *out = (sseam_answer *)&arena;
    sseam_item item;
    sseam_signal signal;
    sseam_outcome outcome;
    sseam_stats stats;
    sseam_str part;
    uint64_t ms = 77;
    size_t i, used = 9, at = 0;
    item.struct_size = sizeof item;
    item.kind = 77;
    signal.struct_size = sizeof signal;
    signal.kind = 77;
    outcome.struct_size = sizeof outcome;
    outcome.kind = 77;
    stats.struct_size = sizeof stats;
    bad[0] = NULL;
    bad[1] = (sseam_answer *)(uintptr_t)1;
    for (i = 0; i < 2; i++) {
        CHECK(sseam_answer_feed(bad[i], "data\n\n", 6, &used, &item) == SSEAM_ERR_ARGUMENT);
        CHECK(used == 0 && item.kind == 77);
        CHECK(sseam_answer_next(bad[i], &signal) == SSEAM_ERR_ARGUMENT && signal.kind == 77);
        CHECK(sseam_answer_text(bad[i], "x", 1, &at, &part) == SSEAM_ERR_ARGUMENT && at == 0);
        CHECK(sseam_answer_end(bad[i], SSEAM_CLOSE_CLEAN) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_answer_outcome(bad[i], &outcome) == SSEAM_ERR_ARGUMENT);
        CHECK(outcome.kind == 77);
        CHECK(sseam_answer_reopen(bad[i]) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_answer_set_last_event_id(bad[i], "x", 1) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_answer_last_event_id(bad[i]).len == 0);
        CHECK(sseam_answer_retry(bad[i], &ms) == SSEAM_ERR_ARGUMENT && ms == 77);
        CHECK(sseam_answer_stats(bad[i], &stats) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_answer_wants(bad[i], &ms) == SSEAM_WANTS_NOTHING && ms == 77);
        CHECK(sseam_answer_state(bad[i]) == 0);
        CHECK(sseam_answer_dialect(bad[i]) == SSEAM_DIALECT_AUTO);
        CHECK(sseam_answer_foreign(bad[i]) == SSEAM_FOREIGN_NONE);
        sseam_answer_free(bad[i]);
    }
    CHECK(sseam_answer_init(NULL, sizeof arena, NULL, &out) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_init(arena.bytes + 1, sizeof arena - 1, NULL, &out) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_init(&arena, sseam_answer_size(NULL) - 1, NULL, &out) == SSEAM_ERR_MEMORY);
    CHECK(sseam_answer_init(&arena, sizeof arena, NULL, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_new(NULL, NULL, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(out == (sseam_answer *)&arena);
    CHECK(sseam_answer_size(NULL) <= sizeof arena && sseam_answer_align() <= 8);
    sseam_answer_options_init_sized(NULL, sizeof(sseam_answer_options));
}

static void options(void) {
    sseam_answer_options asked;
    sseam_marker markers[4];
    sseam_answer *answer = NULL;
    char much[256];
    memset(much, 'x', sizeof much);
    memset(markers, 0, sizeof markers);
    sseam_answer_options_init(&asked);
    asked.dialect = 11;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    asked.dialect = -1;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_size(&asked) == 0);
    asked.dialect = SSEAM_DIALECT_CUSTOM;
    asked.utf8 = 2;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    asked.utf8 = SSEAM_UTF8_STRICT;
    asked.on_overflow = 2;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    asked.on_overflow = SSEAM_OVERFLOW_SKIP;
    asked.mode = 3;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    asked.mode = SSEAM_MODE_STRICT;
    asked.markers = markers;
    asked.marker_count = 1;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    markers[0].kind = SSEAM_MARKER_END_DATA;
    markers[0].value.ptr = much;
    markers[0].value.len = sizeof much;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_MEMORY);
    markers[0].value.len = (size_t)-1;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    markers[0].value = str("\xFF");
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_UTF8);
    markers[0].value = str("[DONE]");
    markers[0].reserved = 1;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    markers[0].reserved = 0;
    asked.marker_count = (size_t)-1 / 8;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    asked.marker_count = 1;
    asked.markers = NULL;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    asked.markers = markers;
    asked.marker_count = 4;
    markers[1].kind = SSEAM_MARKER_REQUEST_NUMBER;
    markers[1].value = str("seven");
    markers[2].kind = SSEAM_MARKER_REQUEST_ID;
    markers[2].value = str("a");
    markers[3].kind = SSEAM_MARKER_END_FIELD;
    markers[3].path = str("a.b");
    markers[3].value = str("true");
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_ERR_ARGUMENT);
    markers[1].value = str("-7");
    CHECK(answer == NULL);
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_OK && answer != NULL);
    CHECK(sseam_answer_dialect(answer) == SSEAM_DIALECT_CUSTOM);
    sseam_answer_free(answer);
}

/** Limits that fit into what there is. */
static void fit(void) {
    sseam_answer_options asked;
    sseam_answer *answer;
    sseam_answer_options_init(&asked);
    CHECK(sseam_answer_options_fit(NULL, sizeof arena) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_options_fit(&asked, SSEAM_ANSWER_STATE / 2) == SSEAM_ERR_MEMORY);
    CHECK(sseam_answer_options_fit(&asked, SSEAM_ANSWER_STATE + 2048) == SSEAM_OK);
    CHECK(sseam_answer_size(&asked) == SSEAM_ANSWER_STATE + 2048 && asked.max_comment == 256);
    CHECK(sseam_answer_init(&arena, SSEAM_ANSWER_STATE + 2048, &asked, &answer) == SSEAM_OK);
    asked.struct_size = sizeof(size_t);
    CHECK(sseam_answer_options_fit(&asked, sizeof arena) == SSEAM_ERR_ARGUMENT);
}

/** An older header has fewer options; what a newer one has more must be 0. */
static void headers_of_another_age(void) {
    struct {
        sseam_answer_options options;
        size_t newer;
    } asked;
    sseam_answer *answer = NULL;
    sseam_answer_options_init_sized(&asked.options, sizeof asked);
    CHECK(asked.newer == 0 && asked.options.struct_size == sizeof asked);
    CHECK(sseam_answer_new(&asked.options, NULL, &answer) == SSEAM_OK);
    sseam_answer_free(answer);
    asked.newer = 1;
    CHECK(sseam_answer_new(&asked.options, NULL, &answer) == SSEAM_ERR_VERSION);
    asked.options.struct_size = offsetof(sseam_answer_options, mode);
    asked.options.dialect = SSEAM_DIALECT_COHERE;
    asked.options.mode = 4711;
    CHECK(sseam_answer_new(&asked.options, NULL, &answer) == SSEAM_OK);
    CHECK(sseam_answer_dialect(answer) == SSEAM_DIALECT_COHERE);
    sseam_answer_free(answer);
    asked.options.struct_size = 1;
    CHECK(sseam_answer_new(&asked.options, NULL, &answer) == SSEAM_ERR_ARGUMENT);
}

static void *no_memory(void *user, size_t size) {
    (void)user;
    (void)size;
    return NULL;
}

static void no_free(void *user, void *memory, size_t size) {
    (void)user;
    (void)memory;
    (void)size;
}

static void allocators(void) {
    sseam_allocator allocator;
    sseam_answer *answer = NULL;
    memset(&allocator, 0, sizeof allocator);
    allocator.struct_size = sizeof allocator;
    CHECK(sseam_answer_new(NULL, &allocator, &answer) == SSEAM_ERR_ARGUMENT);
    allocator.alloc = no_memory;
    allocator.free = no_free;
    CHECK(sseam_answer_new(NULL, &allocator, &answer) == SSEAM_ERR_MEMORY && answer == NULL);
}

static void chunks_and_signals(void) {
    sseam_answer_options asked;
    sseam_answer *answer;
    sseam_item item;
    sseam_signal signal;
    sseam_outcome outcome;
    sseam_text none;
    sseam_stats stats;
    sseam_str part, id;
    size_t needed = 77, used, at;
    uint64_t ms = 3000;
    char out[8] = "unchang";
    static const char stream[] = "retry: 7\nid: 5\ndata: a\xFF\n\n";
    size_t len = sizeof stream - 1;
    sseam_answer_options_init(&asked);
    asked.dialect = SSEAM_DIALECT_PLAIN;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_OK);
    signal.struct_size = sizeof signal;
    item.struct_size = sizeof item;
    stats.struct_size = sizeof stats;
    CHECK(sseam_answer_next(answer, &signal) == 0);
    CHECK(sseam_answer_feed(answer, stream, len, NULL, &item) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_feed(answer, NULL, 1, &used, &item) == SSEAM_ERR_ARGUMENT && used == 0);
    CHECK(sseam_answer_feed(answer, stream, (size_t)-1, &used, &item) == SSEAM_ERR_ARGUMENT);
    item.struct_size = 4;
    CHECK(sseam_answer_feed(answer, stream, len, &used, &item) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_text(answer, NULL, 1, &at, &part) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_text(answer, stream, len, NULL, &part) == SSEAM_ERR_ARGUMENT);
    at = 0;
    CHECK(sseam_answer_text(answer, stream, len, &at, NULL) == SSEAM_ERR_ARGUMENT);
    at = len + 1;
    CHECK(sseam_answer_text(answer, stream, len, &at, &part) == SSEAM_ERR_ARGUMENT);
    item.struct_size = sizeof item;
    CHECK(sseam_answer_feed(answer, stream, len, &used, &item) == SSEAM_RETRY && item.retry_ms == 7);
    CHECK(sseam_answer_feed(answer, stream + used, len - used, &at, &item) == SSEAM_EVENT);
    CHECK(used + at == len && item.data.len == 2 && item.flags == SSEAM_ITEM_IN_INPUT);
    CHECK(sseam_answer_retry(answer, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_retry(answer, &ms) == SSEAM_RETRY && ms == 7);
    id = sseam_answer_last_event_id(answer);
    CHECK(is(id, "5"));
    /* Its own bytes are refused, and the signals are gone with that. */
    CHECK(sseam_answer_set_last_event_id(answer, id.ptr, id.len) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_next(answer, &signal) == 0);
    CHECK(sseam_answer_feed(answer, id.ptr, id.len, &used, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_set_last_event_id(answer, "a\nb", 3) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_set_last_event_id(answer, NULL, 1) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_set_last_event_id(answer, arena.bytes, 1025) == SSEAM_ERR_ID_TOO_LONG);
    CHECK(sseam_answer_stats(answer, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_stats(answer, &stats) == SSEAM_OK && stats.events == 1);
    CHECK(stats.bytes == len);
    CHECK(sseam_answer_feed(answer, stream, len, &used, NULL) == SSEAM_RETRY);
    CHECK(sseam_answer_feed(answer, stream + used, len - used, &at, NULL) == SSEAM_EVENT);
    CHECK(sseam_answer_next(answer, NULL) == SSEAM_ERR_ARGUMENT);
    signal.struct_size = 4;
    CHECK(sseam_answer_next(answer, &signal) == SSEAM_ERR_ARGUMENT);
    signal.struct_size = sizeof signal;
    CHECK(sseam_answer_next(answer, &signal) == SSEAM_SIGNAL_TEXT && signal.kind == 1);
    CHECK(sseam_text_decode(&signal.text, out, 4, &needed) == SSEAM_ERR_MEMORY && needed == 5);
    CHECK(strcmp(out, "unchang") == 0);
    CHECK(sseam_text_decode(&signal.text, out, sizeof out, &needed) == SSEAM_OK);
    CHECK(memcmp(out, "a\xEF\xBF\xBD\n", 5) == 0);
    CHECK(sseam_text_decode(&signal.text, NULL, 5, &needed) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_text_decode(&signal.text, out, 8, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_text_decode(NULL, out, 8, &needed) == SSEAM_ERR_ARGUMENT && needed == 0);
    CHECK(sseam_text_next(NULL, &part) == 0 && sseam_text_next(&signal.text, NULL) == 0);
    memset(&none, 0, sizeof none);
    CHECK(sseam_text_next(&none, &part) == 0);
    CHECK(sseam_text_decode(&none, NULL, 0, &needed) == SSEAM_OK && needed == 0);
    CHECK(sseam_answer_next(answer, &signal) == 0 && sseam_answer_next(answer, &signal) == 0);
    outcome.struct_size = sizeof outcome - 1;
    CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_outcome(answer, NULL) == SSEAM_ERR_ARGUMENT);
    outcome.struct_size = sizeof outcome;
    CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_OK);
    CHECK(outcome.kind == SSEAM_OUTCOME_CANCELLED && outcome.cause == SSEAM_CLOSE_CANCELLED);
    CHECK(sseam_answer_end(answer, 19) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_answer_end(answer, SSEAM_CLOSE_CLEAN) == SSEAM_OK);
    CHECK(sseam_answer_end(answer, SSEAM_CLOSE_RESET) == SSEAM_OK);
    CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_OK);
    CHECK(outcome.kind == SSEAM_OUTCOME_ENDED && outcome.exit_code == 0);
    CHECK(outcome.flags == SSEAM_OUTCOME_HAS_OUTPUT);
    CHECK(sseam_answer_feed(answer, stream, len, &used, &item) == SSEAM_OK && used == len);
    sseam_answer_free(answer);
}

/** Input that was left in the middle is forgotten when the next one begins. */
static void input_left_behind(void) {
    static const char first[] = "data: one\n\ndata: two\n\n", second[] = "data: three\n\n";
    sseam_answer_options asked;
    sseam_answer *answer;
    sseam_str part;
    size_t at = 0;
    sseam_answer_options_init(&asked);
    asked.dialect = SSEAM_DIALECT_PLAIN;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_OK);
    CHECK(sseam_answer_text(answer, first, sizeof first - 1, &at, &part) == 1 && is(part, "one"));
    at = 0;
    CHECK(sseam_answer_text(answer, second, sizeof second - 1, &at, &part) == 1);
    CHECK(is(part, "three"));
}

/** What is heard of a body that is none. */
static void foreign(void) {
    static const char page[] = "<!DOCTYPE html>\n<p>login";
    static const char failure[] = "{\"error\":{\"code\":\"x\",\"message\":\"no\"}}";
    sseam_answer *answer;
    sseam_signal signal;
    sseam_outcome outcome;
    size_t used, errors = 0;
    signal.struct_size = sizeof signal;
    outcome.struct_size = sizeof outcome;
    CHECK(sseam_answer_init(&arena, sizeof arena, NULL, &answer) == SSEAM_OK);
    while (sseam_answer_feed(answer, page, sizeof page - 1, &used, NULL) > 0) break;
    CHECK(sseam_answer_end(answer, SSEAM_CLOSE_CLEAN) == SSEAM_OK);
    CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_OK);
    CHECK(outcome.kind == SSEAM_OUTCOME_NOT_EVENT_STREAM && outcome.exit_code == 31);
    CHECK(outcome.foreign == SSEAM_FOREIGN_HTML);
    CHECK(sseam_answer_foreign(answer) == SSEAM_FOREIGN_HTML);
    CHECK(is(sseam_foreign_name(outcome.foreign), "an HTML page"));
    CHECK(is(sseam_foreign_word(outcome.foreign), "html"));
    CHECK(sseam_foreign_advice(outcome.foreign).len > 20);
    CHECK(sseam_foreign_name(SSEAM_FOREIGN_NONE).len == 0 && sseam_foreign_word(99).len == 0);
    CHECK(sseam_answer_wants(answer, NULL) == SSEAM_WANTS_NOTHING);
    /* A new connection, and a failure in a line without an end. */
    CHECK(sseam_answer_reopen(answer) == SSEAM_OK);
    CHECK(sseam_answer_wants(answer, NULL) == SSEAM_WANTS_MORE);
    CHECK(sseam_answer_feed(answer, failure, sizeof failure - 1, &used, NULL) == SSEAM_OK);
    CHECK(sseam_answer_end(answer, SSEAM_CLOSE_CLEAN) == SSEAM_OK);
    while (sseam_answer_feed(answer, NULL, 0, &used, NULL) > 0)
        while (sseam_answer_next(answer, &signal) > 0)
            errors += signal.kind == SSEAM_SIGNAL_ERROR;
    CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_OK);
    CHECK(outcome.kind == SSEAM_OUTCOME_FAILED && errors == 1 && strcmp(outcome.code, "x") == 0);
    CHECK(strcmp(outcome.message, "no") == 0);
}

/** Text that is no UTF-8 stops the reading of who wants it to be. */
static void strict_text(void) {
    static const char stream[] = "data: good\n\ndata: b\xFF\n\ndata: late\n\n";
    sseam_answer_options asked;
    sseam_answer *answer;
    sseam_outcome outcome;
    sseam_str part;
    size_t at = 0, parts = 0;
    outcome.struct_size = sizeof outcome;
    sseam_answer_options_init(&asked);
    asked.dialect = SSEAM_DIALECT_PLAIN;
    asked.utf8 = SSEAM_UTF8_STRICT;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_OK);
    while (sseam_answer_text(answer, stream, sizeof stream - 1, &at, &part) > 0) parts++;
    CHECK(at == sizeof stream - 1 && parts <= 2);
    CHECK(sseam_answer_wants(answer, NULL) == SSEAM_WANTS_NOTHING);
    CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_OK);
    CHECK(outcome.kind == SSEAM_OUTCOME_INVALID_TEXT && outcome.exit_code == 23);
    CHECK(outcome.place_event == 2 && outcome.place_offset == 12 && outcome.place_byte == 1);
}

/** Whose choices have finished is waited for, and then no more. */
static void settling(void) {
    static const char stream[] =
        "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    sseam_answer_options asked;
    sseam_answer *answer;
    sseam_outcome outcome;
    sseam_str part;
    uint64_t ms = 7;
    size_t at = 0;
    outcome.struct_size = sizeof outcome;
    sseam_answer_options_init(&asked);
    CHECK(asked.settle_ms == 2000);
    asked.settle_ms = 1234;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_OK);
    CHECK(sseam_answer_wants(answer, &ms) == SSEAM_WANTS_MORE && ms == 7);
    CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_OK);
    CHECK(outcome.flags & SSEAM_OUTCOME_MAY_ASK_AGAIN);
    while (sseam_answer_text(answer, stream, sizeof stream - 1, &at, &part) > 0) {
    }
    CHECK(sseam_answer_dialect(answer) == SSEAM_DIALECT_OPENAI_CHAT);
    CHECK(sseam_answer_state(answer) == (SSEAM_ANSWER_OUTPUT | SSEAM_ANSWER_FINISHED));
    CHECK(sseam_answer_wants(answer, &ms) == SSEAM_WANTS_MORE_UNTIL_QUIET && ms == 1234);
    CHECK(sseam_answer_end(answer, SSEAM_CLOSE_SETTLED) == SSEAM_OK);
    CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_OK);
    CHECK(outcome.kind == SSEAM_OUTCOME_COMPLETED && strcmp(outcome.word, "stop") == 0);
    CHECK((outcome.flags & SSEAM_OUTCOME_MAY_ASK_AGAIN) == 0);
}

/** A call that is put together in memory of eighty bytes, and one that does not fit. */
static void tool_calls(void) {
    static const char stream[] =
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":"
        "{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\"}}]}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":"
        "{\"arguments\":\"1}\"}}]}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n"
        "data: [DONE]\n\n";
    static char memory[80], longer[160];
    sseam_answer *answer;
    sseam_signal signal;
    sseam_calls calls;
    sseam_call call;
    sseam_status status;
    size_t at, used, found, round, needed;
    for (round = 0; round < 3; round++) {
        found = needed = 0;
        CHECK(sseam_answer_init(&arena, sizeof arena, NULL, &answer) == SSEAM_OK);
        CHECK(sseam_calls_init(&calls, memory, round == 0 ? sizeof memory : 35) == SSEAM_OK);
        signal.struct_size = sizeof signal;
        call.struct_size = sizeof call;
        for (at = 0; sseam_answer_feed(answer, stream + at, sizeof stream - 1 - at, &used, NULL) > 0;
             at += used) {
            while (sseam_answer_next(answer, &signal) > 0) {
                while ((status = sseam_calls_observe(&calls, &signal, &call)) == SSEAM_ERR_MEMORY) {
                    needed = sseam_calls_needed(&calls);
                    CHECK(needed > 35 && needed <= sizeof longer);
                    if (round == 1) break;
                    memcpy(longer, memory, 35);
                    CHECK(sseam_calls_grow(&calls, longer, sizeof longer) == SSEAM_OK);
                }
                if (status != SSEAM_CALL) continue;
                CHECK(is(call.id, "c") && is(call.name, "f") && is(call.arguments, "{\"a\":1}"));
                found++;
            }
        }
        CHECK(found == (round != 1) && (needed > 0) == (round != 0));
    }
}

/** Each way of closing: the code, and what becomes of an answer without events. */
static void closes(void) {
    static const struct {
        sseam_close close;
        sseam_outcome_kind kind;
        int exit_code, cause;
    } all[] = {
        {SSEAM_CLOSE_CLEAN, SSEAM_OUTCOME_TRUNCATED, 20, SSEAM_CLOSE_CLEAN},
        {SSEAM_CLOSE_SETTLED, SSEAM_OUTCOME_TRUNCATED, 20, SSEAM_CLOSE_CLEAN},
        {SSEAM_CLOSE_CUT, SSEAM_OUTCOME_TRUNCATED, 20, SSEAM_CLOSE_CUT},
        {SSEAM_CLOSE_RESET, SSEAM_OUTCOME_TRUNCATED, 20, SSEAM_CLOSE_RESET},
        {SSEAM_CLOSE_TIMEOUT_CONNECT, SSEAM_OUTCOME_TIMED_OUT, 21, SSEAM_CLOSE_TIMEOUT_CONNECT},
        {SSEAM_CLOSE_TIMEOUT_HEADERS, SSEAM_OUTCOME_TIMED_OUT, 21, SSEAM_CLOSE_TIMEOUT_HEADERS},
        {SSEAM_CLOSE_TIMEOUT_FIRST_OUTPUT, SSEAM_OUTCOME_TIMED_OUT, 21,
         SSEAM_CLOSE_TIMEOUT_FIRST_OUTPUT},
        {SSEAM_CLOSE_TIMEOUT_IDLE, SSEAM_OUTCOME_TIMED_OUT, 21, SSEAM_CLOSE_TIMEOUT_IDLE},
        {SSEAM_CLOSE_TIMEOUT_PROGRESS, SSEAM_OUTCOME_TIMED_OUT, 21, SSEAM_CLOSE_TIMEOUT_PROGRESS},
        {SSEAM_CLOSE_TIMEOUT_TOTAL, SSEAM_OUTCOME_TIMED_OUT, 21, SSEAM_CLOSE_TIMEOUT_TOTAL},
        {SSEAM_CLOSE_CANCELLED, SSEAM_OUTCOME_CANCELLED, 130, SSEAM_CLOSE_CANCELLED},
        {SSEAM_CLOSE_NOT_EVENT_STREAM, SSEAM_OUTCOME_NOT_EVENT_STREAM, 31, 0},
        {SSEAM_CLOSE_NO_RESPONSE, SSEAM_OUTCOME_TRANSPORT_FAILED, 40, 0},
        {429, SSEAM_OUTCOME_FAILED_STATUS, 30, 429},
    };
    sseam_answer *answer;
    sseam_outcome outcome;
    size_t i;
    outcome.struct_size = sizeof outcome;
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK(sseam_answer_init(&arena, sizeof arena, NULL, &answer) == SSEAM_OK);
        CHECK(sseam_answer_end(answer, all[i].close) == SSEAM_OK);
        CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_OK);
        CHECK(outcome.kind == all[i].kind && outcome.exit_code == all[i].exit_code);
        CHECK(outcome.cause == all[i].cause && outcome.flags == SSEAM_OUTCOME_MAY_ASK_AGAIN);
        CHECK(outcome.dialect == SSEAM_DIALECT_AUTO && outcome.cursor_kind == 0);
    }
}

/** A limit that the stream passes is part of the outcome. */
static void limits(void) {
    static const char stream[] = "data: 123456789\n\n";
    sseam_answer_options asked;
    sseam_answer *answer;
    sseam_outcome outcome;
    size_t used;
    outcome.struct_size = sizeof outcome;
    sseam_answer_options_init(&asked);
    asked.max_data = 8;
    CHECK(sseam_answer_init(&arena, sizeof arena, &asked, &answer) == SSEAM_OK);
    CHECK(sseam_answer_feed(answer, stream, sizeof stream - 1, &used, NULL) == SSEAM_OK);
    CHECK(used == sizeof stream - 1 && sseam_answer_wants(answer, NULL) == SSEAM_WANTS_NOTHING);
    CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_OK);
    CHECK(outcome.kind == SSEAM_OUTCOME_LIMIT_EXCEEDED && outcome.cause == SSEAM_LIMIT_DATA);
    CHECK(outcome.exit_code == 22);
}

typedef struct {
    int32_t code;
    const char *name;
} named;

static void names_are(const named *all, size_t count, sseam_str (*name_of)(int32_t)) {
    size_t i;
    for (i = 0; i < count; i++) CHECK(is(name_of(all[i].code), all[i].name));
    CHECK(is(name_of(-1), "other") && is(name_of(99), "other"));
}

#define NAMES_ARE(all, name_of) names_are(all, sizeof all / sizeof *all, name_of)

static void names(void) {
    static const named dialects[] = {
        {SSEAM_DIALECT_AUTO, "auto"},
        {SSEAM_DIALECT_PLAIN, "plain"},
        {SSEAM_DIALECT_CUSTOM, "custom"},
        {SSEAM_DIALECT_OPENAI_RESPONSES, "openai-responses"},
        {SSEAM_DIALECT_OPENAI_CHAT, "openai-chat"},
        {SSEAM_DIALECT_ANTHROPIC, "anthropic"},
        {SSEAM_DIALECT_GEMINI, "gemini"},
        {SSEAM_DIALECT_GEMINI_INTERACTIONS, "gemini-interactions"},
        {SSEAM_DIALECT_COHERE, "cohere"},
        {SSEAM_DIALECT_MCP_2025, "mcp-2025"},
        {SSEAM_DIALECT_MCP_2026, "mcp-2026"},
    };
    static const named signals[] = {
        {SSEAM_SIGNAL_TEXT, "text"},
        {SSEAM_SIGNAL_REASONING, "reasoning"},
        {SSEAM_SIGNAL_REFUSAL, "refusal"},
        {SSEAM_SIGNAL_TOOL_OPENED, "tool_opened"},
        {SSEAM_SIGNAL_TOOL_ARGUMENTS, "tool_arguments"},
        {SSEAM_SIGNAL_TOOL_CLOSED, "tool_closed"},
        {SSEAM_SIGNAL_OTHER_CHOICE, "other_choice"},
        {SSEAM_SIGNAL_FINISH, "finish"},
        {SSEAM_SIGNAL_USAGE, "usage"},
        {SSEAM_SIGNAL_KEEP_ALIVE, "keep_alive"},
        {SSEAM_SIGNAL_TERMINAL, "terminal"},
        {SSEAM_SIGNAL_ERROR, "error"},
        {SSEAM_SIGNAL_UNREADABLE, "unreadable"},
        {SSEAM_SIGNAL_OTHER, "other"},
        {SSEAM_SIGNAL_ANSWER, "answer"},
    };
    static const named reasons[] = {
        {SSEAM_REASON_NONE, "none"},
        {SSEAM_REASON_STOP, "stop"},
        {SSEAM_REASON_STOP_SEQUENCE, "stop_sequence"},
        {SSEAM_REASON_TOOL_CALLS, "tool_calls"},
        {SSEAM_REASON_OTHER, "other"},
        {SSEAM_REASON_MAX_OUTPUT, "max_output"},
        {SSEAM_REASON_CONTEXT_WINDOW, "context_window"},
        {SSEAM_REASON_PAUSED, "paused"},
        {SSEAM_REASON_CONTENT_FILTER, "content_filter"},
        {SSEAM_REASON_UNFINISHED, "unfinished"},
        {SSEAM_REASON_RECONNECT, "reconnect"},
        {SSEAM_REASON_MODEL_REFUSED, "model_refused"},
        {SSEAM_REASON_PROMPT_BLOCKED, "prompt_blocked"},
        {SSEAM_REASON_OUTPUT_BLOCKED, "output_blocked"},
        {SSEAM_REASON_CANCELLED, "cancelled"},
        {SSEAM_REASON_ERROR, "error"},
        {SSEAM_REASON_OPEN_CALL, "open_call"},
        {SSEAM_REASON_LOST, "lost"},
        {SSEAM_REASON_UNREADABLE, "unreadable"},
    };
    static const named outcomes[] = {
        {SSEAM_OUTCOME_COMPLETED, "Completed"},
        {SSEAM_OUTCOME_ENDED, "Ended"},
        {SSEAM_OUTCOME_INCOMPLETE, "Incomplete"},
        {SSEAM_OUTCOME_REFUSED, "Refused"},
        {SSEAM_OUTCOME_FAILED, "Failed"},
        {SSEAM_OUTCOME_CANCELLED, "Cancelled"},
        {SSEAM_OUTCOME_TRUNCATED, "Truncated"},
        {SSEAM_OUTCOME_TIMED_OUT, "TimedOut"},
        {SSEAM_OUTCOME_LIMIT_EXCEEDED, "LimitExceeded"},
        {SSEAM_OUTCOME_INVALID_TEXT, "InvalidText"},
        {SSEAM_OUTCOME_FAILED_STATUS, "FailedStatus"},
        {SSEAM_OUTCOME_NOT_EVENT_STREAM, "NotEventStream"},
        {SSEAM_OUTCOME_TRANSPORT_FAILED, "TransportFailed"},
        {SSEAM_OUTCOME_OTHER, "other"},
        {0, "other"},
    };
    size_t i;
    NAMES_ARE(dialects, sseam_dialect_name);
    NAMES_ARE(signals, sseam_signal_name);
    NAMES_ARE(reasons, sseam_reason_name);
    NAMES_ARE(outcomes, sseam_outcome_name);
    for (i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        const char *name = dialects[i].name;
        CHECK(sseam_dialect_of_name(name, strlen(name)) == dialects[i].code);
    }
    CHECK(sseam_dialect_of_name("openai", 6) == -1 && sseam_dialect_of_name(NULL, 0) == -1);
    CHECK(sseam_dialect_of_name(NULL, 7) == -1);
    CHECK(sseam_answer_abi_version() == SSEAM_ANSWER_ABI_VERSION);
}

int main(void) {
    null_and_misaligned();
    options();
    headers_of_another_age();
    allocators();
    fit();
    chunks_and_signals();
    input_left_behind();
    foreign();
    strict_text();
    settling();
    tool_calls();
    closes();
    limits();
    names();
    puts("every misuse of an answer has its status");
    return 0;
}
