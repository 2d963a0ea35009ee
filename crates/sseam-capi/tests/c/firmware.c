/*
 * A pull loop for a microcontroller, the same with a turn that gives the text of an
 * answer (WITH_TURN), or neither (WITHOUT): the differences are their sizes.
 */
#define SSEAM_NO_HEAP
#include "sseam.h"

#if !defined(WITHOUT)
static SSEAM_PARSER_ARENA(arena, SSEAM_PARSER_STORAGE(512, 64, 64, 0));

#if defined(WITH_TURN)
static SSEAM_TURN_ARENA(turn_arena);
static sseam_turn *turn;

static void tell(const sseam_item *item) {
    sseam_signal signal;
    sseam_str part;
    extern volatile size_t seen;
    signal.struct_size = sizeof signal;
    if (sseam_turn_observe(turn, item) != SSEAM_OK) return;
    while (sseam_turn_next(turn, &signal) > 0)
        if (signal.kind == SSEAM_SIGNAL_TEXT)
            while (sseam_text_next(&signal.text, &part)) seen += part.len;
}
#endif

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
#if defined(WITH_TURN)
    if (sseam_turn_init(&turn_arena, sizeof turn_arena, NULL, &turn) != SSEAM_OK) return 1;
#endif
    item.struct_size = sizeof item;
    while ((status = sseam_parser_feed(parser, (const void *)(uart + at), sizeof uart - at, &used,
                                       &item)) > 0) {
        at += used;
#if defined(WITH_TURN)
        tell(&item);
#else
        if (status == SSEAM_EVENT) seen += item.data.len;
#endif
    }
#if defined(WITH_TURN)
    {
        sseam_outcome outcome;
        outcome.struct_size = sizeof outcome;
        if (sseam_turn_finish(turn, NULL, status, &outcome) != SSEAM_OK) return 1;
        return outcome.exit_code;
    }
#else
    return status < 0;
#endif
}
#endif

int main(void) {
#if !defined(WITHOUT)
    return run();
#else
    return 0;
#endif
}
