/*
 * What the C and the C++ conformance programs share: the corpus, the cuts, and a
 * report as text. The program that includes it names its MODES first, and says in
 * `run` how the streams of a job are run in each.
 */
#ifndef SSEAM_TEST_HARNESS_H
#define SSEAM_TEST_HARNESS_H

#include "text.h"

/* ---- A report as text; the expected one comes from the oracle ---- */

static void put_word(text *out, const char *word) {
    put(out, word, strlen(word));
    put(out, " ", 1);
}

static void put_str(text *out, sseam_str view) {
    if (view.ptr == NULL) {
        fprintf(stderr, "a view is NULL\n");
        abort();
    }
    put_bytes(out, view.ptr, view.len);
}

static void put_item(text *out, const sseam_item *item, int want_items) {
    if (item->kind == SSEAM_EVENT) {
        put_word(out, "event");
        put_str(out, item->type);
        put_str(out, item->data);
        put_str(out, item->last_event_id);
        put_number(out, item->offset);
        put_number(out, item->end);
        put_end(out);
        return;
    }
    if (!want_items) return;
    switch (item->kind) {
    case SSEAM_COMMENT:
    case SSEAM_IGNORED:
        put_word(out, item->kind == SSEAM_COMMENT ? "comment" : "ignored");
        put_str(out, item->data);
        put_number(out, item->full_len);
        break;
    case SSEAM_RETRY:
        put_word(out, "retried");
        put_number(out, item->retry_ms);
        break;
    case SSEAM_SKIPPED:
        put_word(out, "skipped");
        put_number(out, (uint64_t)item->limit);
        put_number(out, item->limit_max);
        put_number(out, item->full_len);
        put_number(out, item->offset);
        put_number(out, item->end);
        put_word(out, item->flags & SSEAM_ITEM_TYPE_UNKNOWN ? "unknown" : "type");
        if (!(item->flags & SSEAM_ITEM_TYPE_UNKNOWN)) put_str(out, item->type);
        put_str(out, item->data);
        break;
    default:
        fprintf(stderr, "an item of kind %d\n", (int)item->kind);
        abort();
    }
    put_end(out);
}

/** All that is told after the input: counters, state, ending. */
static void put_ending(text *out, sseam_parser *p) {
    sseam_stats stats;
    sseam_error error;
    sseam_end end;
    sseam_item item;
    uint64_t retry = 0;
    stats.struct_size = sizeof stats;
    error.struct_size = sizeof error;
    end.struct_size = sizeof end;
    item.struct_size = sizeof item;
    if (sseam_parser_stats(p, &stats) != SSEAM_OK) abort();
    put_word(out, "counters");
    put_number(out, stats.bytes);
    put_number(out, stats.lines);
    put_number(out, stats.events);
    put_number(out, stats.comments);
    put_number(out, stats.ignored_lines);
    put_number(out, stats.skipped);
    put_end(out);
    if (sseam_parser_retry(p, &retry) == SSEAM_RETRY) {
        put_word(out, "retry");
        put_number(out, retry);
    } else {
        put_word(out, "no-retry");
    }
    put_end(out);
    put_word(out, "id");
    put_str(out, sseam_parser_last_event_id(p));
    put_end(out);
    if (sseam_parser_error(p, &error) != SSEAM_OK) {
        put_word(out, "failed");
        put_number(out, (uint64_t)error.limit);
        put_number(out, error.max);
        put_number(out, error.offset);
        put_end(out);
        if (sseam_parser_finish(p, &end) != error.status) abort();
        return;
    }
    if (sseam_parser_finish(p, &end) != (end.pending ? SSEAM_TRUNCATED : SSEAM_OK)) abort();
    put_word(out, "pending");
    put_number(out, end.pending);
    put_end(out);
    if (sseam_parser_take_unfinished(p, &item) == SSEAM_EVENT) {
        put_word(out, "unfinished");
        put_str(out, item.type);
        put_str(out, item.data);
        put_str(out, item.last_event_id);
        put_end(out);
    }
}

/* ---- The corpus ---- */

enum { STREAMS_MAX = 8 };

typedef struct {
    int at_every_cut;
    sseam_str name, id;
    uint64_t limits[7];
    int skip, want_items;
    size_t streams;
    sseam_str stream[STREAMS_MAX], expected[STREAMS_MAX];
    size_t longest;
} job;

static int read_job(reader *in, job *out) {
    size_t i;
    if (in->end - in->at < 8 || memcmp(in->at, "job ", 4) != 0) return 0;
    out->at_every_cut = in->at[4] == 'a';
    in->at += 8;
    out->name = read_bytes(in);
    for (i = 0; i < 7; i++) out->limits[i] = read_number(in);
    out->skip = (int)read_number(in);
    out->want_items = (int)read_number(in);
    out->streams = (size_t)read_number(in);
    if (out->streams > STREAMS_MAX) abort();
    out->id = read_bytes(in);
    out->longest = out->id.len;
    for (i = 0; i < out->streams; i++) {
        out->stream[i] = read_bytes(in);
        out->expected[i] = read_bytes(in);
        if (out->stream[i].len + out->id.len > out->longest)
            out->longest = out->stream[i].len + out->id.len;
    }
    in->at++; /* the line feed */
    return 1;
}

static size_t at_most(uint64_t number, size_t max) {
    return number < max ? (size_t)number : max;
}

/** `clamp` is what no value of the streams is longer than. */
static void set_options(sseam_options *options, const job *it, size_t clamp) {
    sseam_options_init(options);
    options->max_line = (size_t)it->limits[0];
    options->max_data = at_most(it->limits[1], clamp);
    options->max_type = at_most(it->limits[2], clamp);
    options->max_id = at_most(it->limits[3], clamp);
    options->max_comment = at_most(it->limits[4], clamp);
    options->max_total_bytes = it->limits[5];
    options->max_events = it->limits[6];
    options->on_overflow = it->skip ? SSEAM_OVERFLOW_SKIP : SSEAM_OVERFLOW_FAIL;
    options->report = it->want_items
        ? SSEAM_REPORT_COMMENTS | SSEAM_REPORT_RETRY | SSEAM_REPORT_IGNORED : 0;
}

/* ---- Cuts ---- */

/** Chunks of `size` bytes, or two with the first of `first`; empty ones between. */
typedef struct {
    size_t first, size;
    int with_empty;
} cut;

static size_t next_len(const cut *how, int is_first, size_t at, size_t len) {
    size_t wanted = is_first && how->first != (size_t)-1 ? how->first : how->size;
    return wanted < len - at ? wanted : len - at;
}

/* ---- What the program that includes this says ---- */

static void run(int mode, const job *it, const cut *how, text out[STREAMS_MAX]);

/* ---- Everything run against everything ---- */

static unsigned long runs, jobs, failures;

static void check(int mode, const job *it, const cut *how, text out[STREAMS_MAX]) {
    size_t i;
    for (i = 0; i < it->streams; i++) out[i].len = 0;
    run(mode, it, how, out);
    runs++;
    for (i = 0; i < it->streams; i++) {
        sseam_str want = it->expected[i];
        if (out[i].len == want.len && memcmp(out[i].bytes, want.ptr, want.len) == 0) continue;
        failures++;
        fprintf(stderr, "%s, %.*s, first %ld, size %lu%s:\nexpected:\n", MODES[mode],
                (int)it->name.len, it->name.ptr, (long)how->first, (unsigned long)how->size,
                how->with_empty ? ", empty chunks" : "");
        fwrite(want.ptr, 1, want.len < 2000 ? want.len : 2000, stderr);
        fprintf(stderr, "found:\n");
        fwrite(out[i].bytes, 1, out[i].len < 2000 ? out[i].len : 2000, stderr);
        if (failures > 5) exit(1);
    }
}

static void check_cuts(int mode, const job *it, text out[STREAMS_MAX]) {
    static const size_t sizes[] = {(size_t)-1, 1, 2, 3, 7, 1000};
    size_t i, step;
    cut how;
    how.first = (size_t)-1;
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (it->longest > 100000 && sizes[i] < 1000) continue;
        how.size = sizes[i];
        for (how.with_empty = 0; how.with_empty < 2; how.with_empty++)
            check(mode, it, &how, out);
    }
    how.size = (size_t)-1;
    step = it->at_every_cut && it->longest <= 4096 ? 1 : it->longest / 24 + 1;
    if (it->longest > 100000) step = it->longest / 3 + 1;
    for (i = 0; i <= it->longest; i += step) {
        how.first = i;
        how.with_empty = (int)(i % 2);
        check(mode, it, &how, out);
    }
}

/** `PROGRAM CORPUS [EVERY [LONGEST]]`: one job in EVERY, of at most LONGEST bytes. */
static int conform(int argc, char **argv, int modes) {
    unsigned long every = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, number = 0;
    size_t longest = argc > 3 ? strtoul(argv[3], NULL, 10) : (size_t)-1;
    static text out[STREAMS_MAX];
    text corpus = {NULL, 0, 0};
    reader in;
    job it;
    size_t n;
    int mode;
    if (!read_corpus(argc, argv, &corpus, &in)) return 2;
    while (read_job(&in, &it)) {
        if (number++ % every != 0 || it.longest > longest) continue;
        jobs++;
        for (mode = 0; mode < modes; mode++) check_cuts(mode, &it, out);
    }
    if (in.at < in.end) failures++;
    printf("%s: %lu jobs, %lu runs, %lu failures\n", argv[0], jobs, runs, failures);
    for (n = 0; n < STREAMS_MAX; n++) free(out[n].bytes);
    free(corpus.bytes);
    return failures > 0 || jobs < 50;
}

#endif
