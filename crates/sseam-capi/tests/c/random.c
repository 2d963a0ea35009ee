/*
 * Random calls on random parsers for a while, under sanitizers: any order, any
 * arguments that a caller may pass, allocations that fail, callbacks that stop,
 * free and call back. And a law that needs no oracle: however the same bytes are
 * cut, fed and stored, the same is told.
 *
 *     PROGRAM SECONDS [SEED]
 */
#include "check.h"
#include "sseam.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t seed;

static uint64_t draw(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static size_t below(size_t n) { return n == 0 ? 0 : (size_t)(draw() % n); }

/* ---- An allocator that fails now and then, and counts ---- */

static long blocks, bytes;

static void *give(void *user, size_t size) {
    if (*(int *)user && below(8) == 0) return NULL;
    blocks++;
    bytes += (long)size;
    return malloc(size);
}

static void *resize(void *user, void *memory, size_t old_size, size_t new_size) {
    if (*(int *)user && below(8) == 0) return NULL;
    bytes += (long)new_size - (long)old_size;
    return realloc(memory, new_size);
}

static void take(void *user, void *memory, size_t size) {
    (void)user;
    blocks--;
    bytes -= (long)size;
    free(memory);
}

/* ---- Streams ---- */

static size_t stream(char *out, size_t max) {
    static const char *const parts[] = {
        "data", "data:", "data: x", "event: e", "id: 7", "id:", "id: a\xFF", "retry: 12", "retry: x",
        ":", ": comment", "\n", "\n", "\n\n", "\r", "\r\n", "\r\n\r\n", "\xEF\xBB\xBF", "other: y",
        "data: a long value of a line that does not end soon", "\xE4\xBD\xA0", "\xC3", " "};
    size_t len = 0, wanted = below(max);
    while (len < wanted) {
        const char *part = parts[below(sizeof parts / sizeof *parts)];
        size_t n = strlen(part);
        if (below(16) == 0) {
            out[len++] = (char)draw();
        } else if (len + n <= wanted) {
            memcpy(out + len, part, n);
            len += n;
        } else {
            out[len++] = '\n';
        }
    }
    return len;
}

static void some_options(sseam_options *options) {
    sseam_options_init(options);
    options->max_line = below(3) == 0 ? below(40) : 0;
    options->max_data = below(60);
    options->max_type = below(10);
    options->max_id = below(10);
    options->max_comment = below(20);
    options->max_total_bytes = below(6) == 0 ? below(200) : 0;
    options->max_events = below(6) == 0 ? below(5) : 0;
    options->on_overflow = (uint32_t)below(2);
    options->utf8 = (uint32_t)below(2);
    options->report = (uint32_t)below(8);
}

/* ---- What was told, as a hash ---- */

typedef struct {
    uint64_t hash, items;
} told;

static void tell(told *it, const void *memory, size_t len) {
    const unsigned char *byte = (const unsigned char *)memory;
    size_t i;
    for (i = 0; i < len; i++) it->hash = (it->hash ^ byte[i]) * 0x100000001B3u;
}

static void tell_str(told *it, sseam_str view) {
    CHECK(view.ptr != NULL);
    tell(it, &view.len, sizeof view.len);
    tell(it, view.ptr, view.len);
}

static int tell_item(void *user, const sseam_item *item) {
    told *it = (told *)user;
    uint32_t flags = item->flags & ~(uint32_t)SSEAM_ITEM_IN_INPUT;
    it->items++;
    tell(it, &item->kind, sizeof item->kind);
    tell(it, &flags, sizeof flags);
    tell(it, &item->limit, sizeof item->limit);
    tell_str(it, item->type);
    tell_str(it, item->data);
    tell_str(it, item->last_event_id);
    tell(it, &item->offset, sizeof item->offset);
    tell(it, &item->end, sizeof item->end);
    tell(it, &item->full_len, sizeof item->full_len);
    tell(it, &item->retry_ms, sizeof item->retry_ms);
    tell(it, &item->limit_max, sizeof item->limit_max);
    return 0;
}

static void tell_end(told *it, sseam_parser *p) {
    sseam_stats stats;
    sseam_end end;
    sseam_item item;
    sseam_error error;
    sseam_status status;
    stats.struct_size = sizeof stats;
    end.struct_size = sizeof end;
    item.struct_size = sizeof item;
    error.struct_size = sizeof error;
    CHECK(sseam_parser_stats(p, &stats) == SSEAM_OK);
    tell(it, &stats.bytes, sizeof stats - offsetof(sseam_stats, bytes));
    tell_str(it, sseam_parser_last_event_id(p));
    status = sseam_parser_error(p, &error);
    tell(it, &status, sizeof status);
    tell(it, &error.limit, sizeof error.limit);
    tell(it, &error.max, sizeof error.max);
    tell(it, &error.offset, sizeof error.offset);
    status = sseam_parser_finish(p, &end);
    tell(it, &status, sizeof status);
    if (status >= 0) {
        tell(it, &end.pending, sizeof end.pending);
        tell(it, &end.offset, sizeof end.offset);
        do status = sseam_parser_take_unfinished(p, &item);
        while (status == SSEAM_ERR_MEMORY);
        tell(it, &status, sizeof status);
        if (status == SSEAM_EVENT) tell_item(it, &item);
    }
}

/* ---- The law ---- */

static told run(const char *s, size_t len, const sseam_options *options, size_t chunk_max,
                int in_place, int by_callback, int failing) {
    sseam_allocator allocator;
    sseam_parser *p = NULL;
    sseam_status status = SSEAM_OK;
    void *memory = NULL;
    size_t at = 0;
    told it;
    it.hash = 0xCBF29CE484222325u;
    it.items = 0;
    allocator.struct_size = sizeof allocator;
    allocator.alloc = give;
    allocator.realloc = below(2) ? resize : NULL;
    allocator.free = take;
    allocator.user = &failing;
    if (in_place) {
        size_t size = sseam_parser_size(options);
        memory = malloc(size);
        CHECK(memory != NULL && sseam_parser_init(memory, size, options, &p) == SSEAM_OK);
    } else {
        while (sseam_parser_new(options, &allocator, &p) == SSEAM_ERR_MEMORY) {}
    }
    while (at < len && (status == SSEAM_OK || status == SSEAM_ERR_MEMORY)) {
        size_t n = 1 + below(chunk_max), done = 0, used = 0;
        char *chunk;
        if (n > len - at) n = len - at;
        chunk = (char *)malloc(n);
        CHECK(chunk != NULL);
        memcpy(chunk, s + at, n);
        do {
            sseam_item item;
            item.struct_size = sizeof item;
            if (by_callback) {
                status = sseam_parser_feed_all(p, chunk + done, n - done, &used, tell_item, &it);
            } else {
                status = sseam_parser_feed(p, chunk + done, n - done, &used, &item);
                CHECK(status <= 0 || used > 0);
                if (status > 0) tell_item(&it, &item);
            }
            done += used;
        } while (status > 0 || status == SSEAM_ERR_MEMORY);
        CHECK(status != SSEAM_OK || done == n);
        memset(chunk, 0xDD, n);
        free(chunk);
        at += n;
    }
    tell_end(&it, p);
    sseam_parser_free(p);
    free(memory);
    return it;
}

static void law(void) {
    char s[400];
    size_t len = stream(s, sizeof s);
    sseam_options options;
    told first;
    int i;
    some_options(&options);
    first = run(s, len, &options, sizeof s, 1, 0, 0);
    for (i = 0; i < 4; i++) {
        told other = run(s, len, &options, 1 + below(20), i & 1, (int)below(2), (int)below(2));
        if (other.hash == first.hash && other.items == first.items) continue;
        fprintf(stderr, "told differently: run %d\n", i);
        fwrite(s, 1, len, stderr);
        exit(1);
    }
    CHECK(blocks == 0 && bytes == 0);
}

/* ---- Any call in any order ---- */

typedef struct {
    sseam_parser *parser;
    int is_freed;
} wild;

static int wild_item(void *user, const sseam_item *item) {
    wild *it = (wild *)user;
    told sink = {0, 0};
    size_t used;
    tell_item(&sink, item);
    if (below(8) == 0) CHECK(sseam_parser_reset(it->parser) == SSEAM_ERR_REENTRANT);
    if (below(8) == 0)
        CHECK(sseam_parser_feed_all(it->parser, "x", 1, &used, wild_item, it) == SSEAM_ERR_REENTRANT);
    if (below(64) == 0) {
        sseam_parser_free(it->parser);
        it->is_freed = 1;
    }
    return below(8) == 0;
}

static void any_order(void) {
    int failing = 1, calls = (int)below(60);
    sseam_allocator allocator;
    sseam_options options;
    wild it = {NULL, 0};
    some_options(&options);
    allocator.struct_size = sizeof allocator;
    allocator.alloc = give;
    allocator.realloc = below(2) ? resize : NULL;
    allocator.free = take;
    allocator.user = &failing;
    if (sseam_parser_new(&options, &allocator, &it.parser) != SSEAM_OK) return;
    while (calls-- > 0 && !it.is_freed) {
        char s[100];
        size_t len = stream(s, sizeof s), used;
        sseam_item item;
        told sink = {0, 0};
        item.struct_size = below(sizeof item + 40);
        switch (below(9)) {
        case 0: (void)sseam_parser_reset(it.parser); break;
        case 1: (void)sseam_parser_resync(it.parser); break;
        case 2: if (sseam_parser_finish(it.parser, NULL) > 99) abort(); break;
        case 3: tell_end(&sink, it.parser); break;
        case 4: if (sseam_parser_set_last_event_id(it.parser, s, len) > 0) abort(); break;
        case 5:
            if (sseam_parser_feed_all(it.parser, s, len, &used, wild_item, &it) > 99) abort();
            break;
        default:
            if (item.struct_size > sizeof item) item.struct_size = sizeof item;
            if (sseam_parser_feed(it.parser, s, len, &used, &item) > 99) abort();
            CHECK(used <= len);
        }
    }
    if (!it.is_freed) sseam_parser_free(it.parser);
    CHECK(blocks == 0 && bytes == 0);
}

/* ---- What was encoded comes back ---- */

static void round_trip(void) {
    char data[60], wire[400];
    size_t len = stream(data, sizeof data), needed, used;
    sseam_str view, none = {NULL, 0};
    sseam_parser *p;
    sseam_item item;
    view.ptr = data;
    view.len = len;
    item.struct_size = sizeof item;
    CHECK(sseam_encode_event(none, view, none, wire, sizeof wire, &needed) == SSEAM_OK);
    CHECK(sseam_parser_new(NULL, NULL, &p) == SSEAM_OK);
    CHECK(sseam_parser_feed(p, wire, needed, &used, &item) == SSEAM_EVENT && used == needed);
    CHECK(item.data.len <= len);
    CHECK(sseam_utf8_replace(data, len, wire, sizeof wire, &needed) == SSEAM_OK);
    CHECK(needed >= len);
    sseam_parser_free(p);
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 5;
    unsigned long rounds = 0;
    time_t start = time(NULL);
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 88172645463325252u;
    while (difftime(time(NULL), start) < seconds) {
        int i;
        for (i = 0; i < 200; i++, rounds++) {
            law();
            any_order();
            round_trip();
        }
    }
    printf("%lu rounds of random calls, nothing found\n", rounds);
    return 0;
}
