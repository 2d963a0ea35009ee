/*
 * No heap at all, as on a microcontroller with lwIP: the parser lives in a static
 * array whose length is known to the linker, and bytes come in small segments.
 *
 * `on_segment` is what a receive callback would be: lwIP hands over a chain of
 * buffers, and each is fed where it lies. Standard input stands for the network.
 *
 *     cc static_arena.c -lsseam -o static_arena
 */
#include <sseam.h>

#include <stdio.h>

enum { DATA_MAX = 512, TYPE_MAX = 64, ID_MAX = 64, SEGMENT_LEN = 48 };

static SSEAM_PARSER_ARENA(arena, SSEAM_PARSER_STORAGE(DATA_MAX, TYPE_MAX, ID_MAX, 0));
static sseam_parser *parser;

static int setup(void) {
    sseam_options options;
    sseam_options_init(&options);
    options.max_data = DATA_MAX;
    options.max_type = TYPE_MAX;
    options.max_id = ID_MAX;
    options.max_comment = 0;
    /* An event that is too big costs that event, not the connection. */
    options.on_overflow = SSEAM_OVERFLOW_SKIP;
    if (sseam_abi_version() != SSEAM_ABI_VERSION) return 0;
    return sseam_parser_init(&arena, sizeof arena, &options, &parser) == SSEAM_OK;
}

/** One buffer of the network's; its bytes are ours until we return. */
static sseam_status on_segment(const void *payload, size_t len) {
    const char *bytes = (const char *)payload;
    sseam_item item;
    sseam_status status;
    size_t at = 0, used;
    item.struct_size = sizeof item;
    while ((status = sseam_parser_feed(parser, bytes + at, len - at, &used, &item)) > 0) {
        at += used;
        if (status == SSEAM_EVENT)
            printf("%.*s: %.*s\n", (int)item.type.len, item.type.ptr, (int)item.data.len,
                   item.data.ptr);
        else if (status == SSEAM_SKIPPED)
            printf("(an event of %lu bytes left out)\n", (unsigned long)item.full_len);
    }
    return status;
}

int main(void) {
    char segment[SEGMENT_LEN];
    sseam_end end;
    size_t n;
    if (!setup()) return 1;
    while ((n = fread(segment, 1, sizeof segment, stdin)) > 0) {
        sseam_status status = on_segment(segment, n);
        if (status < 0) {
            fprintf(stderr, "%s\n", sseam_strerror(status));
            return 1;
        }
    }
    end.struct_size = sizeof end;
    if (sseam_parser_finish(parser, &end) == SSEAM_TRUNCATED)
        fprintf(stderr, "broken off at byte %lu\n", (unsigned long)end.offset);
    return 0;
}
