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

/** Takes a chunk and prints its text, two lines that are all that many need. */
static void take(sseam_answer *answer, const char *bytes, size_t len) {
    sseam_str part;
    size_t at;
    for (at = 0; sseam_answer_text(answer, bytes, len, &at, &part) > 0;)
        fwrite(part.ptr, 1, part.len, stdout);
    fflush(stdout);
}

/** Says what became of the answer. */
static int tell(sseam_answer *answer) {
    sseam_outcome outcome;
    sseam_str name, advice;
    outcome.struct_size = sizeof outcome;
    if (sseam_answer_outcome(answer, &outcome) != SSEAM_OK) return 1;
    name = sseam_outcome_name(outcome.kind);
    fprintf(stderr, "%.*s", (int)name.len, name.ptr);
    if (outcome.code_len > 0) fprintf(stderr, " (%s)", outcome.code);
    if (outcome.message_len > 0) fprintf(stderr, ": %s", outcome.message);
    if (outcome.open_calls > 0) fprintf(stderr, ", open tool calls: %u", (unsigned)outcome.open_calls);
    advice = sseam_foreign_advice(outcome.foreign);
    if (advice.len > 0) {
        name = sseam_foreign_name(outcome.foreign);
        fprintf(stderr, ": %.*s; %.*s", (int)name.len, name.ptr, (int)advice.len, advice.ptr);
    }
    fputs("\n", stderr);
    return outcome.exit_code;
}

int main(int argc, char **argv) {
    static char buffer[16384];
    sseam_answer_options options;
    sseam_answer *answer;
    size_t n;
    int code;

    sseam_answer_options_init(&options);
    options.max_data = 16 * 1024 * 1024;
    if (argc > 1) options.dialect = sseam_dialect_of_name(argv[1], strlen(argv[1]));
    if (sseam_answer_new(&options, NULL, &answer) != SSEAM_OK) {
        fprintf(stderr, "no such dialect\n");
        return 1;
    }
    while ((n = fread(buffer, 1, sizeof buffer, stdin)) > 0) take(answer, buffer, n);
    sseam_answer_end(answer, SSEAM_CLOSE_CLEAN);
    take(answer, NULL, 0); /* what only the end tells */
    code = tell(answer);
    sseam_answer_free(answer);
    return code;
}
