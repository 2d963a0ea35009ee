/*
 * The answers of AI APIs through the C functions: what a turn says of every example
 * stream, whole and cut short at every byte, is what `sseam-llm` says. Turn and
 * parser in place and on the heap; each chunk is memory of its own, which is
 * overwritten once its signals were read.
 */
#include "turns.h"

typedef struct {
    sseam_parser *parser;
    sseam_turn *turn;
    text *signals;
} answer;

static void observe(answer *it, const sseam_item *item) {
    sseam_signal signal;
    signal.struct_size = sizeof signal;
    if (sseam_turn_observe(it->turn, item) != SSEAM_OK) abort();
    while (sseam_turn_next(it->turn, &signal) > 0) put_signal(it->signals, &signal);
}

static sseam_status feed(answer *it, char *chunk, size_t len) {
    sseam_item item;
    sseam_status status;
    size_t at = 0, used;
    item.struct_size = sizeof item;
    while ((status = sseam_parser_feed(it->parser, chunk + at, len - at, &used, &item)) > 0) {
        observe(it, &item);
        spoil(chunk + at, used);
        at += used;
    }
    return status;
}

static void finish(answer *it, sseam_status status, text *outcome) {
    sseam_str id = sseam_parser_last_event_id(it->parser);
    sseam_item item;
    sseam_end end;
    sseam_outcome out;
    item.struct_size = sizeof item;
    end.struct_size = sizeof end;
    out.struct_size = sizeof out;
    if (sseam_turn_observe_last_event_id(it->turn, id.ptr, id.len) != SSEAM_OK) abort();
    if (status < 0) {
        if (sseam_turn_finish(it->turn, NULL, status, &out) != SSEAM_OK) abort();
    } else {
        if (sseam_parser_finish(it->parser, &end) < 0) abort();
        if (sseam_turn_state(it->turn) & SSEAM_TURN_WANTS_UNFINISHED &&
            sseam_parser_take_unfinished(it->parser, &item) == SSEAM_EVENT)
            observe(it, &item);
        if (sseam_turn_finish(it->turn, &end, status, &out) != SSEAM_OK) abort();
    }
    put_outcome(outcome, &out);
}

static void run(int way, const job *it, size_t len, size_t size, text *signals, text *outcome) {
    sseam_options options;
    sseam_turn_options asked;
    void *memory[2] = {NULL, NULL};
    sseam_status status = SSEAM_OK;
    answer to;
    size_t at, n;
    to.signals = signals;
    set_options(&options, it);
    set_turn_options(&asked, it);
    if (way == 0) {
        size_t parser_len = sseam_parser_size(&options), turn_len = sseam_turn_size();
        memory[0] = chunk_of(NULL, parser_len);
        memory[1] = chunk_of(NULL, turn_len);
        memset(memory[1], 0xEE, turn_len);
        if (sseam_parser_init(memory[0], parser_len, &options, &to.parser) != SSEAM_OK) abort();
        if (sseam_turn_init(memory[1], turn_len, &asked, &to.turn) != SSEAM_OK) abort();
    } else {
        if (sseam_parser_new(&options, NULL, &to.parser) != SSEAM_OK) abort();
        if (sseam_turn_new(&asked, NULL, &to.turn) != SSEAM_OK) abort();
    }
    for (at = 0; at < len && status >= 0; at += n) {
        char *chunk;
        n = size < len - at ? size : len - at;
        chunk = chunk_of(it->stream.ptr + at, n);
        status = feed(&to, chunk, n);
        spoil(chunk, n);
        free(chunk);
    }
    finish(&to, status, outcome);
    sseam_turn_free(to.turn);
    sseam_parser_free(to.parser);
    free(memory[0]);
    free(memory[1]);
}

int main(int argc, char **argv) { return conform(argc, argv, 2); }
