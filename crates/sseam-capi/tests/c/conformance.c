/*
 * The corpus through the C functions: pull and callback, in place and growing, at
 * every cut. Each chunk is memory of its own; what was taken of it is overwritten
 * before the next call, and all of it is freed after the last.
 */
static const char *const MODES[] = {"pull, in place", "pull, growing", "callback, in place",
                                    "callback, growing"};

#include "harness.h"

typedef struct {
    text *out;
    int want_items;
} listener;

static int on_item(void *user, const sseam_item *item) {
    listener *it = (listener *)user;
    if (item->struct_size < sizeof *item) abort();
    put_item(it->out, item, it->want_items);
    return 0;
}

static sseam_status feed(int mode, sseam_parser *p, char *chunk, size_t len, listener *to) {
    sseam_item item;
    sseam_status status;
    size_t at = 0, used;
    item.struct_size = sizeof item;
    if (mode >= 2) {
        status = sseam_parser_feed_all(p, chunk, len, &used, on_item, to);
        if (status == SSEAM_OK && used != len) abort();
        return status;
    }
    while ((status = sseam_parser_feed(p, chunk + at, len - at, &used, &item)) > 0) {
        if (used == 0 || item.kind != status) abort();
        put_item(to->out, &item, to->want_items);
        /* The views have ended, so these bytes are ours again. */
        spoil(chunk + at, used);
        at += used;
    }
    if (status == SSEAM_OK && at + used != len) abort();
    return status;
}

static void run(int mode, const job *it, const cut *how, text out[STREAMS_MAX]) {
    sseam_options options;
    sseam_parser *p = NULL;
    void *memory = NULL;
    size_t i;
    if (mode % 2 == 0) {
        size_t size;
        set_options(&options, it, it->longest);
        size = sseam_parser_size(&options);
        memory = malloc(size);
        if (memory == NULL || (uintptr_t)memory % sseam_parser_align() != 0) abort();
        memset(memory, 0xEE, size);
        if (sseam_parser_init(memory, size, &options, &p) != SSEAM_OK) abort();
    } else {
        set_options(&options, it, (size_t)-1);
        if (sseam_parser_new(&options, NULL, &p) != SSEAM_OK) abort();
    }
    if (sseam_parser_set_last_event_id(p, it->id.ptr, it->id.len) != SSEAM_OK) abort();
    for (i = 0; i < it->streams; i++) {
        const char *bytes = it->stream[i].ptr;
        size_t len = it->stream[i].len, at = 0, n;
        sseam_status status = SSEAM_OK;
        int is_first = 1;
        listener to;
        to.out = &out[i];
        to.want_items = it->want_items;
        if (i > 0 && sseam_parser_reset(p) != SSEAM_OK) abort();
        do {
            char *chunk;
            n = next_len(how, is_first, at, len);
            is_first = 0;
            if (how->with_empty) {
                char *empty = chunk_of(NULL, 0);
                if (feed(mode, p, empty, 0, &to) < 0) abort();
                free(empty);
            }
            chunk = chunk_of(bytes + at, n);
            status = feed(mode, p, chunk, n, &to);
            spoil(chunk, n);
            free(chunk);
            at += n;
        } while (status == SSEAM_OK && at < len);
        put_ending(&out[i], p);
    }
    sseam_parser_free(p);
    free(memory);
}

int main(int argc, char **argv) { return conform(argc, argv, 4); }
