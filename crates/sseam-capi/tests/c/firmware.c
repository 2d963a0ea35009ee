/* A pull loop for a microcontroller, or without it: the difference is its size. */
#define SSEAM_NO_HEAP
#include "sseam.h"

#if !defined(WITHOUT)
static SSEAM_PARSER_ARENA(arena, SSEAM_PARSER_STORAGE(512, 64, 64, 0));

extern volatile unsigned char uart[64];
volatile unsigned char uart[64];
volatile size_t seen;

static int run(void) {
    sseam_options options;
    sseam_parser *parser;
    sseam_item item;
    sseam_status status;
    size_t at = 0, used;
    sseam_options_init(&options);
    options.max_data = 512;
    options.max_type = options.max_id = 64;
    options.max_comment = 0;
    if (sseam_parser_init(&arena, sizeof arena, &options, &parser) != SSEAM_OK) return 1;
    item.struct_size = sizeof item;
    while ((status = sseam_parser_feed(parser, (const void *)(uart + at), sizeof uart - at, &used,
                                       &item)) > 0) {
        at += used;
        if (status == SSEAM_EVENT) seen += item.data.len;
    }
    return status < 0;
}
#endif

int main(void) {
#if !defined(WITHOUT)
    return run();
#else
    return 0;
#endif
}
