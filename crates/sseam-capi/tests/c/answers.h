/*
 * What the C and the C++ programs for answers share: the corpus of examples/answers.rs,
 * and what was heard as text; see tests/it/drive.rs. The program that includes it
 * says in `run` how a stream is run, and in `WAYS` in how many ways.
 */
#ifndef SSEAM_TEST_ANSWERS_H
#define SSEAM_TEST_ANSWERS_H

#include "text.h"

/* ---- What was said ---- */

/** The same text, read part by part and decoded at once. */
static void put_decoded(text *out, sseam_text *piece) {
    sseam_str part;
    size_t needed = 77, start;
    char *buffer, digits[24];
    sseam_status status = sseam_text_decode(piece, NULL, 0, &needed);
    if (status != (needed > 0 ? SSEAM_ERR_MEMORY : SSEAM_OK)) abort();
    put(out, digits, (size_t)sprintf(digits, "%lu:", (unsigned long)needed));
    buffer = chunk_of(NULL, needed);
    if (sseam_text_decode(piece, buffer, needed, &needed) != SSEAM_OK) abort();
    start = out->len;
    while (sseam_text_next(piece, &part)) {
        if (part.len == 0) abort();
        put(out, part.ptr, part.len);
    }
    if (out->len - start != needed) abort();
    if (needed > 0 && memcmp(out->bytes + start, buffer, needed) != 0) abort();
    free(buffer);
    put(out, " ", 1);
}

static void put_name(text *out, sseam_str name) {
    if (name.len == 0) abort();
    put(out, name.ptr, name.len);
    put(out, " ", 1);
}

static void put_signed(text *out, long number) {
    char digits[24];
    put(out, digits, (size_t)sprintf(digits, "%ld ", number));
}

/** The last number of a line has no space behind it. */
static void put_last(text *out, uint64_t number) {
    put_number(out, number);
    out->len--;
    put_end(out);
}

/** A view, by its length and a sum of its bytes. */
static void put_view(text *out, sseam_str view) {
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < view.len; i++) sum = sum * 31 + (unsigned char)view.ptr[i];
    put_number(out, view.len);
    put_number(out, sum);
}

/** An item; of kind `SSEAM_SIGNALS` there is none. */
static void put_item(text *out, sseam_status kind, const sseam_item *item) {
    static const sseam_str none = {"", 0};
    int is = kind != SSEAM_SIGNALS;
    if (is && item->kind != kind) abort();
    put(out, "item ", 5);
    put_signed(out, kind);
    put_number(out, is ? item->flags & ~(uint32_t)SSEAM_ITEM_IN_INPUT : 0);
    put_signed(out, is ? item->limit : 0);
    put_view(out, is ? item->type : none);
    put_view(out, is ? item->data : none);
    put_view(out, is ? item->last_event_id : none);
    put_number(out, is ? item->offset : 0);
    put_number(out, is ? item->end : 0);
    put_number(out, is ? item->full_len : 0);
    put_number(out, is ? item->retry_ms : 0);
    put_last(out, is ? item->limit_max : 0);
}

static void put_usage(text *out, const sseam_usage *usage) {
    put_number(out, usage->has);
    put_number(out, usage->input);
    put_number(out, usage->input_cached);
    put_number(out, usage->input_cache_written);
    put_number(out, usage->output);
    put_number(out, usage->output_reasoning);
    put_number(out, usage->total);
}

static void put_signal(text *out, sseam_signal *signal) {
    put_name(out, sseam_signal_name(signal->kind));
    put_number(out, signal->flags);
    put_number(out, signal->key);
    put_number(out, signal->choice);
    put_name(out, sseam_reason_name(signal->reason));
    put_decoded(out, &signal->text);
    put_decoded(out, &signal->code);
    put_usage(out, &signal->usage);
    put_last(out, signal->offset);
}

static void put_field(text *out, const char *bytes, uint32_t len) {
    if (strlen(bytes) > len || bytes[len] != '\0') abort();
    put_bytes(out, bytes, len);
}

static void put_outcome(text *out, const sseam_outcome *outcome) {
    sseam_str foreign = sseam_foreign_word(outcome->foreign);
    put_name(out, sseam_outcome_name(outcome->kind));
    put_signed(out, outcome->exit_code);
    put_name(out, sseam_reason_name(outcome->reason));
    put_name(out, sseam_dialect_name(outcome->dialect));
    put_signed(out, outcome->cause);
    put_number(out, outcome->flags);
    put_number(out, outcome->closed_calls);
    put_number(out, outcome->open_calls);
    put_number(out, outcome->unreadable);
    put_number(out, outcome->skipped);
    put_number(out, outcome->place_event);
    put_number(out, outcome->place_offset);
    put_number(out, outcome->place_byte);
    put_signed(out, outcome->resubscribe);
    put_signed(out, outcome->cursor_kind);
    put_number(out, outcome->cursor_number);
    put_bytes(out, foreign.ptr, foreign.len);
    put_field(out, outcome->cursor, outcome->cursor_len);
    put_field(out, outcome->word, outcome->word_len);
    put_field(out, outcome->code, outcome->code_len);
    put_field(out, outcome->id, outcome->id_len);
    put_field(out, outcome->model, outcome->model_len);
    put_field(out, outcome->message, outcome->message_len);
    put_usage(out, &outcome->usage);
    out->len--;
    put_end(out);
}

/* ---- The corpus ---- */

enum { MARKERS_MAX = 8 };

typedef struct {
    sseam_str name, stream, signals, outcome;
    sseam_dialect dialect;
    sseam_mode mode;
    uint32_t choice;
    size_t max_data, max_type, max_id, max_comment;
    int skip;
    size_t marker_count, cuts;
    sseam_marker markers[MARKERS_MAX];
} job;

static int read_job(reader *in, job *out) {
    size_t i;
    if (in->end - in->at < 10 || memcmp(in->at, "answer ", 7) != 0) return 0;
    in->at += 7;
    out->name = read_bytes(in);
    out->dialect = (sseam_dialect)read_number(in);
    out->mode = (sseam_mode)read_number(in);
    out->choice = (uint32_t)read_number(in);
    out->max_data = (size_t)read_number(in);
    out->max_type = (size_t)read_number(in);
    out->max_id = (size_t)read_number(in);
    out->max_comment = (size_t)read_number(in);
    out->skip = (int)read_number(in);
    out->marker_count = (size_t)read_number(in);
    if (out->marker_count > MARKERS_MAX) abort();
    for (i = 0; i < out->marker_count; i++) {
        out->markers[i].kind = (sseam_marker_kind)read_number(in);
        out->markers[i].reserved = 0;
        out->markers[i].path = read_bytes(in);
        out->markers[i].value = read_bytes(in);
    }
    out->stream = read_bytes(in);
    out->signals = read_bytes(in);
    out->outcome = read_bytes(in);
    out->cuts = (size_t)read_number(in);
    return 1;
}

static void set_options(sseam_answer_options *options, const job *it) {
    sseam_answer_options_init(options);
    options->max_data = it->max_data;
    options->max_type = it->max_type;
    options->max_id = it->max_id;
    options->max_comment = it->max_comment;
    options->on_overflow = it->skip ? SSEAM_OVERFLOW_SKIP : SSEAM_OVERFLOW_FAIL;
    options->dialect = it->dialect;
    options->mode = it->mode;
    options->choice = it->choice;
    options->markers = it->markers;
    options->marker_count = it->marker_count;
}

/* ---- What the program that includes this says ---- */

/** Runs the first `len` bytes in chunks of `size`; writes what is heard, and the outcome. */
static void run(int way, const job *it, size_t len, size_t size, text *signals, text *outcome);

/* ---- Everything run ---- */

static unsigned long runs, jobs, failures, completed;

static void compare(const job *it, int way, size_t len, const char *what, const text *found,
                    sseam_str want) {
    if (found->len == want.len && memcmp(found->bytes, want.ptr, want.len) == 0) return;
    failures++;
    fprintf(stderr, "%.*s, way %d, %lu bytes: %s, expected:\n", (int)it->name.len, it->name.ptr,
            way, (unsigned long)len, what);
    fwrite(want.ptr, 1, want.len < 3000 ? want.len : 3000, stderr);
    fprintf(stderr, "found:\n");
    fwrite(found->bytes, 1, found->len < 3000 ? found->len : 3000, stderr);
    if (failures > 5) exit(1);
}

static void check(const job *it, int way, size_t len, size_t size, text *out, sseam_str outcome) {
    out[0].len = out[1].len = 0;
    run(way, it, len, size, &out[0], &out[1]);
    runs++;
    if (len == it->stream.len) compare(it, way, len, "signals", &out[0], it->signals);
    compare(it, way, len, "outcome", &out[1], outcome);
    if (out[1].len > 9 && memcmp(out[1].bytes, "Completed", 9) == 0) completed++;
}

/** Each stream in several chunks, and cut short at every byte. */
static void check_job(const job *it, reader *in, int ways, unsigned long every, text *out) {
    static const size_t sizes[] = {(size_t)-1, 1, 7, 1460};
    size_t i, cut, at = 0;
    int way;
    sseam_str outcome = {"", 0};
    for (way = 0; way < ways; way++)
        for (i = 0; i < sizeof sizes / sizeof *sizes; i++)
            check(it, way, it->stream.len, sizes[i], out, it->outcome);
    /* An outcome holds from one cut up to the next that is named. */
    for (cut = 0; cut <= it->cuts; cut++) {
        size_t end = cut < it->cuts ? (size_t)read_number(in) : it->stream.len;
        for (; cut > 0 && at < end; at++)
            if (at % every == 0)
                check(it, (int)(at % (size_t)ways), at, at % 5 ? (size_t)-1 : 7, out, outcome);
        at = end;
        if (cut < it->cuts) outcome = read_bytes(in);
    }
    in->at++; /* the line feed */
}

/** `PROGRAM CORPUS [EVERY]`: one cut in EVERY. */
static int conform(int argc, char **argv, int ways) {
    unsigned long every = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    static text out[2];
    text corpus = {NULL, 0, 0};
    reader in;
    job it;
    if (!read_corpus(argc, argv, &corpus, &in)) return 2;
    while (read_job(&in, &it)) {
        jobs++;
        check_job(&it, &in, ways, every, out);
    }
    if (in.at < in.end) failures++;
    printf("%s: %lu jobs, %lu runs, %lu of them completed, %lu failures\n", argv[0], jobs, runs,
           completed, failures);
    free(out[0].bytes);
    free(out[1].bytes);
    free(corpus.bytes);
    return failures > 0 || jobs < 300 || completed == 0;
}

#endif
