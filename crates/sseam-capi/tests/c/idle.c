/*
 * Ten thousand idle streams, each allowed 1 MiB of data, with an id, after an event
 * in one chunk, one in several, and one of 100 KB; in the middle of the next one.
 */
#include "check.h"
#include "sseam.h"

#include <string.h>

enum { STREAMS = 10000, BYTES_MAX = 10 * 1000 * 1000 };

static size_t held, peak;

static void note(size_t more, size_t less) {
    held = held + more - less;
    if (held > peak) peak = held;
}

static void *give(void *user, size_t size) {
    (void)user;
    note(size, 0);
    return malloc(size);
}

static void *resize(void *user, void *memory, size_t old_size, size_t new_size) {
    (void)user;
    note(new_size, old_size);
    return realloc(memory, new_size);
}

static void take(void *user, void *memory, size_t size) {
    (void)user;
    note(0, size);
    free(memory);
}

static void feed(sseam_parser *p, const char *bytes, size_t len) {
    sseam_item item;
    size_t at = 0, used;
    sseam_status status;
    item.struct_size = sizeof item;
    while ((status = sseam_parser_feed(p, bytes + at, len - at, &used, &item)) > 0) at += used;
    CHECK(status == SSEAM_OK);
}

static void feed_text(sseam_parser *p, const char *text) { feed(p, text, strlen(text)); }

/** Resident memory in bytes, from Linux; 0 where it is not told. */
static size_t resident(void) {
    unsigned long total = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%lu %lu", &total, &pages) != 2) pages = 0;
    fclose(file);
    return pages * 4096u;
}

int main(void) {
    static sseam_parser *parsers[STREAMS];
    static char big[100000];
    sseam_allocator allocator;
    size_t before = resident(), i;
    memset(big, 'x', sizeof big);
    allocator.struct_size = sizeof allocator;
    allocator.alloc = give;
    allocator.realloc = resize;
    allocator.free = take;
    allocator.user = NULL;
    for (i = 0; i < STREAMS; i++) {
        CHECK(sseam_parser_new(NULL, &allocator, &parsers[i]) == SSEAM_OK);
        feed_text(parsers[i], "event: response.output_text.delta\nid: 1234\ndata: whole\n\n");
        feed_text(parsers[i], "event: response.output_text.delta\ndata: in two");
        feed_text(parsers[i], " chunks\n\ndata: ");
        feed(parsers[i], big, sizeof big);
        feed_text(parsers[i], "\n\n");
        feed_text(parsers[i], "data: next");
    }
    printf("%d idle streams: %lu bytes each, %lu in all, peak %lu; resident %lu more\n", STREAMS,
           (unsigned long)(held / STREAMS), (unsigned long)held, (unsigned long)peak,
           (unsigned long)(resident() - before));
    CHECK(held <= BYTES_MAX);
    for (i = 0; i < STREAMS; i++) sseam_parser_free(parsers[i]);
    CHECK(held == 0);
    return 0;
}
