/*
 * A Responses stream whose first and last events are of 40 KB, in 1 KiB of event
 * memory: with SKIP the text is right and the answer completed, since the type of
 * the event that was left out says so; with FAIL the limit was exceeded. Parser and
 * turn lie in static memory.
 */
#include "check.h"
#include "sseam.h"

#include <string.h>

enum { LONG = 40 * 1024, STREAM_MAX = 3 * LONG };

static char stream[STREAM_MAX];
static size_t len;

static void add(const char *bytes) {
    size_t n = strlen(bytes);
    CHECK(len + n < sizeof stream);
    memcpy(stream + len, bytes, n);
    len += n;
}

static void add_response(const char *kind, const char *status, int number) {
    char line[200];
    size_t i;
    sprintf(line, "event: response.%s\ndata: {\"type\":\"response.%s\",\"response\":{\"status\":"
                  "\"%s\",\"instructions\":\"", kind, kind, status);
    add(line);
    for (i = 0; i < LONG / 8; i++) add("long ago");
    sprintf(line, "\"},\"sequence_number\":%d}\n\n", number);
    add(line);
}

static void add_delta(const char *delta, int number) {
    char line[200];
    sprintf(line, "event: response.output_text.delta\ndata: {\"type\":"
                  "\"response.output_text.delta\",\"delta\":\"%s\",\"sequence_number\":%d}\n\n",
            delta, number);
    add(line);
}

static SSEAM_PARSER_ARENA(parser_arena, SSEAM_PARSER_STATE + 1024);
static SSEAM_TURN_ARENA(turn_arena);

/** Reads the stream; the outcome, and the text in `out`. */
static sseam_outcome answer(sseam_dialect dialect, uint32_t on_overflow, size_t size, char *out,
                            size_t capacity) {
    sseam_options options;
    sseam_turn_options asked;
    sseam_parser *parser;
    sseam_turn *turn;
    sseam_item item;
    sseam_signal signal;
    sseam_end end;
    sseam_outcome outcome;
    sseam_status status = SSEAM_OK;
    size_t from, at, used, needed, out_len = 0;
    item.struct_size = sizeof item;
    signal.struct_size = sizeof signal;
    end.struct_size = sizeof end;
    outcome.struct_size = sizeof outcome;
    sseam_options_init(&options);
    options.max_data = 512;
    options.max_type = options.max_id = 64;
    options.max_comment = 0;
    options.on_overflow = on_overflow;
    CHECK(sseam_parser_init(&parser_arena, sizeof parser_arena, &options, &parser) == SSEAM_OK);
    sseam_turn_options_init(&asked);
    asked.dialect = dialect;
    CHECK(sseam_turn_init(&turn_arena, sizeof turn_arena, &asked, &turn) == SSEAM_OK);
    for (from = 0; from < len && status >= 0; from += size) {
        size_t n = size < len - from ? size : len - from;
        for (at = 0; (status = sseam_parser_feed(parser, stream + from + at, n - at, &used,
                                                 &item)) > 0; at += used) {
            CHECK(sseam_turn_observe(turn, &item) == SSEAM_OK);
            while (sseam_turn_next(turn, &signal) > 0) {
                if (signal.kind != SSEAM_SIGNAL_TEXT) continue;
                CHECK(sseam_text_decode(&signal.text, out + out_len, capacity - out_len,
                                        &needed) == SSEAM_OK);
                out_len += needed;
            }
        }
    }
    if (status >= 0) CHECK(sseam_parser_finish(parser, &end) == SSEAM_OK);
    CHECK(sseam_turn_finish(turn, status < 0 ? NULL : &end, status, &outcome) == SSEAM_OK);
    sseam_turn_free(turn);
    sseam_parser_free(parser);
    out[out_len] = '\0';
    return outcome;
}

int main(void) {
    static const size_t sizes[] = {1, 7, 1460, STREAM_MAX};
    static const sseam_dialect dialects[] = {SSEAM_DIALECT_OPENAI_RESPONSES, SSEAM_DIALECT_AUTO};
    char text[200];
    size_t i, j;
    add_response("created", "in_progress", 0);
    add_delta("Hel", 1);
    add_delta("lo, ", 2);
    add_delta("\\ud83d", 3); /* a pair of surrogates that two deltas share */
    add_delta("\\ude80", 4);
    add_delta(" \xE4\xB8\x96\xE7\x95\x8C", 5);
    add_response("completed", "completed", 6);
    CHECK(len > 80000);
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (j = 0; j < 2; j++) {
            sseam_outcome it =
                answer(dialects[j], SSEAM_OVERFLOW_SKIP, sizes[i], text, sizeof text);
            CHECK(strcmp(text, "Hello, \xF0\x9F\x9A\x80 \xE4\xB8\x96\xE7\x95\x8C") == 0);
            CHECK(it.kind == SSEAM_OUTCOME_COMPLETED && it.reason == SSEAM_REASON_STOP);
            CHECK(it.exit_code == 0 && it.skipped == 2);
            CHECK((it.flags & SSEAM_OUTCOME_HAS_GAP) == 0);
            it = answer(dialects[j], SSEAM_OVERFLOW_FAIL, sizes[i], text, sizeof text);
            CHECK(it.kind == SSEAM_OUTCOME_LIMIT_EXCEEDED && it.exit_code == 22);
            CHECK(it.cause == SSEAM_LIMIT_DATA && text[0] == '\0');
        }
    }
    printf("%lu bytes of stream through %lu bytes of parser and %lu of turn\n",
           (unsigned long)len, (unsigned long)sizeof parser_arena, (unsigned long)sizeof turn_arena);
    return 0;
}
