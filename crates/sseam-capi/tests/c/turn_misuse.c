/*
 * Every misuse of a turn that can be seen has a status, and changes nothing; every
 * code has its name; run under sanitizers.
 */
#include "check.h"
#include "sseam.h"

#include <string.h>

static SSEAM_TURN_ARENA(arena);

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
    sseam_turn *bad[2], *out = (sseam_turn *)&arena;
    sseam_item item;
    sseam_signal signal;
    sseam_outcome outcome;
    size_t i;
    memset(&item, 0, sizeof item);
    item.struct_size = sizeof item;
    item.kind = SSEAM_EVENT;
    signal.struct_size = sizeof signal;
    signal.kind = 77;
    outcome.struct_size = sizeof outcome;
    outcome.kind = 77;
    bad[0] = NULL;
    bad[1] = (sseam_turn *)(uintptr_t)1;
    for (i = 0; i < 2; i++) {
        CHECK(sseam_turn_observe(bad[i], &item) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_turn_next(bad[i], &signal) == SSEAM_ERR_ARGUMENT && signal.kind == 77);
        CHECK(sseam_turn_observe_body(bad[i], "{}", 2, 1) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_turn_observe_last_event_id(bad[i], "x", 1) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_turn_finish(bad[i], NULL, 0, &outcome) == SSEAM_ERR_ARGUMENT);
        CHECK(outcome.kind == 77);
        CHECK(sseam_turn_state(bad[i]) == 0);
        CHECK(sseam_turn_dialect(bad[i]) == SSEAM_DIALECT_AUTO);
        sseam_turn_free(bad[i]);
    }
    CHECK(sseam_turn_init(NULL, sizeof arena, NULL, &out) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_turn_init(arena.bytes + 1, sizeof arena - 1, NULL, &out) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_turn_init(&arena, sseam_turn_size() - 1, NULL, &out) == SSEAM_ERR_MEMORY);
    CHECK(sseam_turn_init(&arena, sizeof arena, NULL, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_turn_new(NULL, NULL, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(out == (sseam_turn *)&arena);
    CHECK(sseam_turn_size() <= sizeof arena && sseam_turn_align() <= 8);
    sseam_turn_options_init_sized(NULL, sizeof(sseam_turn_options));
}

static void options(void) {
    sseam_turn_options asked;
    sseam_marker markers[4];
    sseam_turn *turn = NULL;
    char much[256];
    memset(much, 'x', sizeof much);
    memset(markers, 0, sizeof markers);
    sseam_turn_options_init(&asked);
    asked.dialect = 11;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_ARGUMENT);
    asked.dialect = -1;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_ARGUMENT);
    asked.dialect = SSEAM_DIALECT_CUSTOM;
    asked.mode = 3;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_ARGUMENT);
    asked.mode = SSEAM_MODE_STRICT;
    asked.markers = markers;
    asked.marker_count = 1;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_ARGUMENT);
    markers[0].kind = SSEAM_MARKER_END_DATA;
    markers[0].value.ptr = much;
    markers[0].value.len = sizeof much;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_MEMORY);
    markers[0].value.len = (size_t)-1;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_ARGUMENT);
    markers[0].value = str("\xFF");
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_UTF8);
    markers[0].value = str("[DONE]");
    markers[0].reserved = 1;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_ARGUMENT);
    markers[0].reserved = 0;
    asked.marker_count = (size_t)-1 / 8;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_ARGUMENT);
    asked.marker_count = 1;
    asked.markers = NULL;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_ARGUMENT);
    asked.markers = markers;
    asked.marker_count = 4;
    markers[1].kind = SSEAM_MARKER_REQUEST_NUMBER;
    markers[1].value = str("seven");
    markers[2].kind = SSEAM_MARKER_REQUEST_ID;
    markers[2].value = str("a");
    markers[3].kind = SSEAM_MARKER_END_FIELD;
    markers[3].path = str("a.b");
    markers[3].value = str("true");
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_ERR_ARGUMENT);
    markers[1].value = str("-7");
    CHECK(turn == NULL);
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_OK && turn != NULL);
    CHECK(sseam_turn_dialect(turn) == SSEAM_DIALECT_CUSTOM);
    sseam_turn_free(turn);
}

/** An older header has fewer options; what a newer one has more must be 0. */
static void headers_of_another_age(void) {
    struct {
        sseam_turn_options options;
        size_t newer;
    } asked;
    sseam_turn *turn = NULL;
    sseam_turn_options_init_sized(&asked.options, sizeof asked);
    CHECK(asked.newer == 0 && asked.options.struct_size == sizeof asked);
    CHECK(sseam_turn_new(&asked.options, NULL, &turn) == SSEAM_OK);
    sseam_turn_free(turn);
    asked.newer = 1;
    CHECK(sseam_turn_new(&asked.options, NULL, &turn) == SSEAM_ERR_VERSION);
    asked.options.struct_size = offsetof(sseam_turn_options, mode);
    asked.options.dialect = SSEAM_DIALECT_COHERE;
    asked.options.mode = 4711;
    CHECK(sseam_turn_new(&asked.options, NULL, &turn) == SSEAM_OK);
    CHECK(sseam_turn_dialect(turn) == SSEAM_DIALECT_COHERE);
    sseam_turn_free(turn);
    asked.options.struct_size = 1;
    CHECK(sseam_turn_new(&asked.options, NULL, &turn) == SSEAM_ERR_ARGUMENT);
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
    sseam_turn *turn = NULL;
    memset(&allocator, 0, sizeof allocator);
    allocator.struct_size = sizeof allocator;
    CHECK(sseam_turn_new(NULL, &allocator, &turn) == SSEAM_ERR_ARGUMENT);
    allocator.alloc = no_memory;
    allocator.free = no_free;
    CHECK(sseam_turn_new(NULL, &allocator, &turn) == SSEAM_ERR_MEMORY && turn == NULL);
}

static void items_and_signals(void) {
    sseam_turn_options asked;
    sseam_turn *turn;
    sseam_item item;
    sseam_signal signal;
    sseam_outcome outcome;
    sseam_text none;
    sseam_str part;
    size_t needed = 77;
    char out[8] = "unchang";
    sseam_turn_options_init(&asked);
    asked.dialect = SSEAM_DIALECT_PLAIN;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_OK);
    signal.struct_size = sizeof signal;
    CHECK(sseam_turn_next(turn, &signal) == 0);
    CHECK(sseam_turn_observe(turn, NULL) == SSEAM_ERR_ARGUMENT);
    memset(&item, 0, sizeof item);
    CHECK(sseam_turn_observe(turn, &item) == SSEAM_ERR_ARGUMENT);
    item.struct_size = sizeof item;
    item.kind = 4711;
    CHECK(sseam_turn_observe(turn, &item) == SSEAM_OK && sseam_turn_next(turn, &signal) == 0);
    item.kind = SSEAM_EVENT;
    item.data.len = 1;
    CHECK(sseam_turn_observe(turn, &item) == SSEAM_ERR_ARGUMENT);
    /* An item that no parser made. */
    item.data = str("a\xFF");
    CHECK(sseam_turn_observe(turn, &item) == SSEAM_OK);
    CHECK(sseam_turn_next(turn, NULL) == SSEAM_ERR_ARGUMENT);
    signal.struct_size = 4;
    CHECK(sseam_turn_next(turn, &signal) == SSEAM_ERR_ARGUMENT);
    signal.struct_size = sizeof signal;
    CHECK(sseam_turn_next(turn, &signal) == SSEAM_SIGNAL_TEXT && signal.kind == 1);
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
    CHECK(sseam_turn_next(turn, &signal) == 0 && sseam_turn_next(turn, &signal) == 0);
    CHECK(sseam_turn_observe_body(turn, NULL, 1, 0) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_turn_observe_last_event_id(turn, NULL, 1) == SSEAM_ERR_ARGUMENT);
    outcome.struct_size = sizeof outcome - 1;
    CHECK(sseam_turn_finish(turn, NULL, 0, &outcome) == SSEAM_ERR_ARGUMENT);
    outcome.struct_size = sizeof outcome;
    CHECK(sseam_turn_finish(turn, NULL, 19, &outcome) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_turn_finish(turn, NULL, 0, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_turn_finish(turn, NULL, SSEAM_CLOSE_CLEAN, &outcome) == SSEAM_OK);
    CHECK(outcome.kind == SSEAM_OUTCOME_ENDED && outcome.exit_code == 0);
    CHECK(outcome.flags == SSEAM_OUTCOME_HAS_OUTPUT);
    sseam_turn_free(turn);
}

/** Each way of closing: the code, and what becomes of an answer without events. */
static void closes(void) {
    static const struct {
        sseam_close close;
        sseam_outcome_kind kind;
        int exit_code, cause;
    } all[] = {
        {SSEAM_CLOSE_CLEAN, SSEAM_OUTCOME_TRUNCATED, 20, SSEAM_CLOSE_CLEAN},
        {SSEAM_TRUNCATED, SSEAM_OUTCOME_TRUNCATED, 20, SSEAM_CLOSE_CLEAN},
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
        {SSEAM_ERR_LINE_TOO_LONG, SSEAM_OUTCOME_LIMIT_EXCEEDED, 22, SSEAM_LIMIT_LINE},
        {SSEAM_ERR_DATA_TOO_LONG, SSEAM_OUTCOME_LIMIT_EXCEEDED, 22, SSEAM_LIMIT_DATA},
        {SSEAM_ERR_TYPE_TOO_LONG, SSEAM_OUTCOME_LIMIT_EXCEEDED, 22, SSEAM_LIMIT_TYPE},
        {SSEAM_ERR_ID_TOO_LONG, SSEAM_OUTCOME_LIMIT_EXCEEDED, 22, SSEAM_LIMIT_ID},
        {SSEAM_ERR_TOTAL, SSEAM_OUTCOME_LIMIT_EXCEEDED, 22, SSEAM_LIMIT_TOTAL_BYTES},
        {SSEAM_ERR_MEMORY, SSEAM_OUTCOME_LIMIT_EXCEEDED, 22, SSEAM_LIMIT_MEMORY},
        {SSEAM_ERR_UTF8, SSEAM_OUTCOME_INVALID_TEXT, 23, 0},
    };
    sseam_turn *turn;
    sseam_outcome outcome;
    size_t i;
    outcome.struct_size = sizeof outcome;
    CHECK(sseam_turn_init(&arena, sizeof arena, NULL, &turn) == SSEAM_OK);
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK(sseam_turn_finish(turn, NULL, all[i].close, &outcome) == SSEAM_OK);
        CHECK(outcome.kind == all[i].kind && outcome.exit_code == all[i].exit_code);
        CHECK(outcome.cause == all[i].cause && outcome.flags == 0);
        CHECK(outcome.dialect == SSEAM_DIALECT_AUTO && outcome.cursor_kind == 0);
    }
}

/** A skipped event whose type is not known is no event of the default type. */
static void skipped_types(void) {
    sseam_turn_options asked;
    sseam_marker end;
    sseam_turn *turn;
    sseam_item item;
    memset(&end, 0, sizeof end);
    end.kind = SSEAM_MARKER_END_EVENT;
    end.value = str("message");
    sseam_turn_options_init(&asked);
    asked.dialect = SSEAM_DIALECT_CUSTOM;
    asked.markers = &end;
    asked.marker_count = 1;
    CHECK(sseam_turn_init(&arena, sizeof arena, &asked, &turn) == SSEAM_OK);
    memset(&item, 0, sizeof item);
    item.struct_size = sizeof item;
    item.kind = SSEAM_SKIPPED;
    item.flags = SSEAM_ITEM_TYPE_UNKNOWN;
    item.limit = SSEAM_LIMIT_TYPE;
    CHECK(sseam_turn_observe(turn, &item) == SSEAM_OK);
    CHECK((sseam_turn_state(turn) & SSEAM_TURN_TERMINAL) == 0);
    item.flags = 0;
    CHECK(sseam_turn_observe(turn, &item) == SSEAM_OK);
    CHECK(sseam_turn_state(turn) & SSEAM_TURN_TERMINAL);
    CHECK(sseam_turn_state(turn) & SSEAM_TURN_OVER);
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
        {SSEAM_SIGNAL_MALFORMED, "malformed"},
        {SSEAM_SIGNAL_OTHER, "other"},
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
    CHECK(sseam_turn_abi_version() == SSEAM_TURN_ABI_VERSION);
}

int main(void) {
    null_and_misaligned();
    options();
    headers_of_another_age();
    allocators();
    items_and_signals();
    closes();
    skipped_types();
    names();
    puts("every misuse of a turn has its status");
    return 0;
}
