/*
 * Reads the stream of an AI API from standard input, prints the text of the answer
 * as it comes, and tells on standard error what became of the answer:
 *
 *     cc answer.c -lsseam -o answer
 *     curl -N https://example.org/v1/responses ... | ./answer [DIALECT]
 *
 * Exit code: that of the command `sseam replay --text`; 0 only for an answer that
 * is whole, 20 where the stream broke off, 12 where the server reported a failure.
 */
#include <sseam.h>

#include <stdio.h>
#include <string.h>

/** The first bytes of the stream: a bare JSON error is no event stream. */
typedef struct {
    char bytes[4096];
    size_t len;
    int is_whole;
} head;

static void keep(head *it, const char *bytes, size_t len) {
    size_t room = sizeof it->bytes - it->len, n = len < room ? len : room;
    memcpy(it->bytes + it->len, bytes, n);
    it->len += n;
    it->is_whole = it->is_whole && n == len;
}

static void print(FILE *to, sseam_text *text) {
    sseam_str part;
    while (sseam_text_next(text, &part)) fwrite(part.ptr, 1, part.len, to);
}

/** Prints what the turn has to say of what it was given last. */
static void tell(sseam_turn *turn) {
    sseam_signal signal;
    signal.struct_size = sizeof signal;
    while (sseam_turn_next(turn, &signal) > 0) {
        switch (signal.kind) {
        case SSEAM_SIGNAL_TEXT:
        case SSEAM_SIGNAL_REFUSAL: print(stdout, &signal.text); break;
        case SSEAM_SIGNAL_ERROR:
            fputs("the server reports: ", stderr);
            print(stderr, &signal.code);
            fputs(" ", stderr);
            print(stderr, &signal.text);
            fputs("\n", stderr);
            break;
        default: break;
        }
    }
    fflush(stdout);
}

/** Takes a chunk; returns the status at its end. */
static sseam_status take(sseam_parser *parser, sseam_turn *turn, const char *bytes, size_t len) {
    sseam_item item;
    sseam_status status;
    size_t at = 0, used;
    item.struct_size = sizeof item;
    while ((status = sseam_parser_feed(parser, bytes + at, len - at, &used, &item)) > 0) {
        at += used;
        if (sseam_turn_observe(turn, &item) == SSEAM_OK) tell(turn);
    }
    return status;
}

/** Ends the turn, and says what became of the answer. */
static int outcome_of(sseam_parser *parser, sseam_turn *turn, sseam_status status,
                      const head *body) {
    sseam_str id = sseam_parser_last_event_id(parser), name;
    sseam_item item;
    sseam_end end;
    sseam_outcome outcome;
    item.struct_size = sizeof item;
    end.struct_size = sizeof end;
    outcome.struct_size = sizeof outcome;
    sseam_turn_observe_last_event_id(turn, id.ptr, id.len);
    if (sseam_turn_observe_body(turn, body->bytes, body->len, body->is_whole) == SSEAM_OK)
        tell(turn);
    if (status >= 0) {
        if (sseam_parser_finish(parser, &end) < 0) return 1;
        /* In lenient mode a last event without its blank line counts. */
        if (sseam_parser_take_unfinished(parser, &item) == SSEAM_EVENT &&
            sseam_turn_observe(turn, &item) == SSEAM_OK)
            tell(turn);
    }
    if (sseam_turn_finish(turn, status < 0 ? NULL : &end, status, &outcome) != SSEAM_OK) return 1;
    name = sseam_outcome_name(outcome.kind);
    fprintf(stderr, "%.*s", (int)name.len, name.ptr);
    if (outcome.code_len > 0) fprintf(stderr, " (%s)", outcome.code);
    if (outcome.open_calls > 0) fprintf(stderr, ", open tool calls: %u", (unsigned)outcome.open_calls);
    fputs("\n", stderr);
    return outcome.exit_code;
}

int main(int argc, char **argv) {
    static char buffer[16384];
    static head body = {{0}, 0, 1};
    sseam_options options;
    sseam_turn_options asked;
    sseam_parser *parser = NULL;
    sseam_turn *turn = NULL;
    sseam_status status = SSEAM_OK;
    size_t n;
    int code = 1;

    sseam_options_init(&options);
    options.max_data = 16 * 1024 * 1024;
    options.report = SSEAM_REPORT_IGNORED; /* some servers hide failures there */
    sseam_turn_options_init(&asked);
    if (argc > 1) asked.dialect = sseam_dialect_of_name(argv[1], strlen(argv[1]));
    if (sseam_parser_new(&options, NULL, &parser) == SSEAM_OK &&
        sseam_turn_new(&asked, NULL, &turn) == SSEAM_OK) {
        while (status >= 0 && (n = fread(buffer, 1, sizeof buffer, stdin)) > 0) {
            keep(&body, buffer, n);
            status = take(parser, turn, buffer, n);
        }
        code = outcome_of(parser, turn, status, &body);
    } else {
        fprintf(stderr, "no such dialect\n");
    }
    sseam_turn_free(turn);
    sseam_parser_free(parser);
    return code;
}
