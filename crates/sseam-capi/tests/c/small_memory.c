/*
 * A Responses stream whose first and last events are of 40 KB, in 1 KiB of event
 * memory: with SKIP the text is right and the answer completed, since the type of
 * the event that was left out says so; with FAIL the limit was exceeded. The
 * answer lies in static memory.
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

static SSEAM_ANSWER_ARENA(arena, SSEAM_ANSWER_STATE + 1024);

/** Reads the stream; the outcome, and the text in `out`. */
static sseam_outcome read_answer(sseam_dialect dialect, uint32_t on_overflow, size_t size,
                                 char *out, size_t capacity) {
    sseam_answer_options options;
    sseam_answer *answer;
    sseam_outcome outcome;
    sseam_str part;
    size_t from, at, out_len = 0;
    outcome.struct_size = sizeof outcome;
    sseam_answer_options_init(&options);
    options.max_data = 448;
    options.max_type = options.max_id = 64;
    options.max_comment = 0;
    options.on_overflow = on_overflow;
    options.dialect = dialect;
    CHECK(sseam_answer_init(&arena, sizeof arena, &options, &answer) == SSEAM_OK);
    for (from = 0; from < len; from += size) {
        size_t n = size < len - from ? size : len - from;
        for (at = 0; sseam_answer_text(answer, stream + from, n, &at, &part) > 0;) {
            CHECK(part.len < capacity - out_len);
            memcpy(out + out_len, part.ptr, part.len);
            out_len += part.len;
        }
    }
    CHECK(sseam_answer_end(answer, SSEAM_CLOSE_CLEAN) == SSEAM_OK);
    CHECK(sseam_answer_outcome(answer, &outcome) == SSEAM_OK);
    sseam_answer_free(answer);
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
                read_answer(dialects[j], SSEAM_OVERFLOW_SKIP, sizes[i], text, sizeof text);
            CHECK(strcmp(text, "Hello, \xF0\x9F\x9A\x80 \xE4\xB8\x96\xE7\x95\x8C") == 0);
            CHECK(it.kind == SSEAM_OUTCOME_COMPLETED && it.reason == SSEAM_REASON_STOP);
            CHECK(it.exit_code == 0 && it.skipped == 2);
            CHECK((it.flags & SSEAM_OUTCOME_HAS_GAP) == 0);
            it = read_answer(dialects[j], SSEAM_OVERFLOW_FAIL, sizes[i], text, sizeof text);
            CHECK(it.kind == SSEAM_OUTCOME_LIMIT_EXCEEDED && it.exit_code == 22);
            CHECK(it.cause == SSEAM_LIMIT_DATA && text[0] == '\0');
        }
    }
    printf("%lu bytes of stream through %lu bytes of answer\n", (unsigned long)len,
           (unsigned long)sizeof arena);
    return 0;
}
