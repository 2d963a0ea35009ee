/*
 * The pull loop of a C program, for its count of instructions: `drive` is what is
 * counted. The corpora are those of examples/throughput.rs, to the byte.
 *
 *     PROGRAM tiny|responses
 */
#include "check.h"
#include "sseam.h"

#include <string.h>

enum { CORPUS_LEN = 256 * 1024, READ_LEN = 1460 };

static unsigned long long events, sum;

int drive(sseam_parser *p, const char *stream, size_t len);

int drive(sseam_parser *p, const char *stream, size_t len) {
    sseam_item item;
    size_t from;
    item.struct_size = sizeof item;
    for (from = 0; from < len; from += READ_LEN) {
        const char *chunk = stream + from;
        size_t n = len - from < READ_LEN ? len - from : READ_LEN, used;
        sseam_status status;
        while ((status = sseam_parser_feed(p, chunk, n, &used, &item)) > 0) {
            chunk += used;
            n -= used;
            events++;
            sum += item.type.len + item.data.len + item.last_event_id.len + item.end - item.offset;
        }
        if (status < 0) return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    static char stream[CORPUS_LEN + 1000];
    size_t len = 0;
    int is_tiny = argc > 1 && strcmp(argv[1], "tiny") == 0, i;
    sseam_parser *p;
    for (i = 0; len < CORPUS_LEN; i++) {
        len += (size_t)(is_tiny ? sprintf(stream + len, "data: x\n\n")
                                : sprintf(stream + len,
                                          "event: response.output_text.delta\ndata: "
                                          "{\"type\":\"response.output_text.delta\","
                                          "\"sequence_number\":%d,\"item_id\":\"msg_68a1b2c3d4e5\","
                                          "\"output_index\":0,\"content_index\":0,"
                                          "\"delta\":\" token%d\",\"logprobs\":[]}\n\n",
                                          i, i % 97));
    }
    CHECK(sseam_parser_new(NULL, NULL, &p) == SSEAM_OK);
    if (drive(p, stream, len) != 0) return 1;
    printf("%llu events, sum %llu\n", events, sum);
    sseam_parser_free(p);
    return 0;
}
