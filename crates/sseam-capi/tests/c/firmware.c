/*
 * A pull loop for a microcontroller, one that gives the text of an answer of an AI API
 * (WITH_ANSWER), or neither (WITHOUT): the differences are their sizes.
 */
#define SSEAM_NO_HEAP
#include "sseam.h"

#if !defined(WITHOUT)
extern volatile unsigned char uart[64];
volatile unsigned char uart[64];
volatile size_t seen;
#endif

#if defined(WITH_ANSWER)
static SSEAM_ANSWER_ARENA(arena, SSEAM_ANSWER_STORAGE(512, 64, 64, 0));

static int run(void) {
    sseam_answer_options options;
    sseam_answer *answer;
    sseam_outcome outcome;
    sseam_str part;
    size_t at = 0;
    sseam_answer_options_init(&options);
    options.max_data = 512;
    options.max_type = options.max_id = 64;
    if (sseam_answer_init(&arena, sizeof arena, &options, &answer) != SSEAM_OK) return 1;
    while (sseam_answer_text(answer, (const void *)uart, sizeof uart, &at, &part) > 0)
        seen += part.len;
    sseam_answer_end(answer, SSEAM_CLOSE_CLEAN);
    outcome.struct_size = sizeof outcome;
    if (sseam_answer_outcome(answer, &outcome) != SSEAM_OK) return 1;
    return outcome.exit_code;
}
#elif !defined(WITHOUT)
static SSEAM_PARSER_ARENA(arena, SSEAM_PARSER_STORAGE(512, 64, 64, 0));

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
