/*
 * The answers of AI APIs through the C functions: what is heard of every example
 * stream, whole and cut short at every byte, is what `sseam-llm` says; and the text
 * alone is that of the signals. In place and on the heap; each chunk is memory of its
 * own, which is overwritten once its signals were read.
 */
#include "answers.h"

static void feed(sseam_answer *answer, char *chunk, size_t len, text *signals, text *words) {
    sseam_item item;
    sseam_signal signal;
    sseam_status status;
    size_t at = 0, used, from;
    item.struct_size = sizeof item;
    signal.struct_size = sizeof signal;
    while ((status = sseam_answer_feed(answer, chunk + at, len - at, &used, &item)) > 0) {
        put_item(signals, status, &item);
        while (sseam_answer_next(answer, &signal) > 0) {
            if (signal.kind == SSEAM_SIGNAL_TEXT || signal.kind == SSEAM_SIGNAL_REFUSAL) {
                size_t needed;
                from = words->len;
                (void)sseam_text_decode(&signal.text, NULL, 0, &needed);
                for (; needed > 0; needed--) put(words, "?", 1);
                (void)sseam_text_decode(&signal.text, words->bytes + from, words->len - from,
                                        &needed);
            }
            put_signal(signals, &signal);
        }
        spoil(chunk + at, used);
        at += used;
    }
    if (status != SSEAM_OK || at + used != len) abort();
}

/** The same through the function that gives text alone. */
static void feed_text(sseam_answer *answer, const char *chunk, size_t len, text *words) {
    sseam_str part;
    size_t at = 0;
    while (sseam_answer_text(answer, chunk, len, &at, &part) > 0) {
        if (part.len == 0) abort();
        put(words, part.ptr, part.len);
    }
    if (at != len) abort();
}

static void finish(sseam_answer *answer, text *outcome) {
    sseam_outcome out;
    out.struct_size = sizeof out;
    if (sseam_answer_outcome(answer, &out) != SSEAM_OK) abort();
    put_outcome(outcome, &out);
    sseam_answer_free(answer);
}

static void run(int way, const job *it, size_t len, size_t size, text *signals, text *outcome) {
    static text words[2];
    sseam_answer_options options;
    sseam_answer *answer, *second;
    void *memory = NULL;
    size_t at, n;
    words[0].len = words[1].len = 0;
    set_options(&options, it);
    if (way == 0) {
        size_t memory_len = sseam_answer_size(&options);
        memory = chunk_of(NULL, memory_len);
        memset(memory, 0xEE, memory_len);
        if (sseam_answer_init(memory, memory_len, &options, &answer) != SSEAM_OK) abort();
    } else if (sseam_answer_new(&options, NULL, &answer) != SSEAM_OK) {
        abort();
    }
    if (sseam_answer_new(&options, NULL, &second) != SSEAM_OK) abort();
    for (at = 0; at < len; at += n) {
        char *chunk;
        n = size < len - at ? size : len - at;
        chunk = chunk_of(it->stream.ptr + at, n);
        feed_text(second, chunk, n, &words[1]);
        feed(answer, chunk, n, signals, &words[0]);
        spoil(chunk, n);
        free(chunk);
    }
    if (sseam_answer_end(answer, SSEAM_CLOSE_CLEAN) != SSEAM_OK) abort();
    if (sseam_answer_end(second, SSEAM_CLOSE_CLEAN) != SSEAM_OK) abort();
    feed_text(second, NULL, 0, &words[1]);
    feed(answer, NULL, 0, signals, &words[0]);
    if (words[0].len != words[1].len) abort();
    if (words[0].len > 0 && memcmp(words[0].bytes, words[1].bytes, words[0].len) != 0) abort();
    finish(answer, outcome);
    n = outcome->len;
    finish(second, outcome);
    if (outcome->len != 2 * n || memcmp(outcome->bytes, outcome->bytes + n, n) != 0) abort();
    outcome->len = n;
    free(memory);
}

int main(int argc, char **argv) { return conform(argc, argv, 2); }
