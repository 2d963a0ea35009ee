/*
 * Reads an event stream from standard input and prints each event as a line of
 * JSON, the same lines as the command `sseam replay -`:
 *
 *     cc replay.c -lsseam -o replay
 *     curl -N https://example.org/events | ./replay
 *
 * Exit code: 0 whole, 20 broken off inside an event, 22 over a limit, 23 not
 * UTF-8, 1 otherwise.
 */
#include <sseam.h>

#include <stdio.h>

static void print_string(sseam_str text) {
    size_t i;
    putchar('"');
    for (i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        switch (byte) {
        case '"': fputs("\\\"", stdout); break;
        case '\\': fputs("\\\\", stdout); break;
        case '\b': fputs("\\b", stdout); break;
        case '\t': fputs("\\t", stdout); break;
        case '\n': fputs("\\n", stdout); break;
        case '\f': fputs("\\f", stdout); break;
        case '\r': fputs("\\r", stdout); break;
        default:
            if (byte < 0x20) printf("\\u%04x", byte);
            else putchar(byte);
        }
    }
    putchar('"');
}

static void print_event(const sseam_item *event) {
    fputs("{\"event\":", stdout);
    print_string(event->type);
    fputs(",\"data\":", stdout);
    print_string(event->data);
    fputs(",\"id\":", stdout);
    print_string(event->last_event_id);
    fputs("}\n", stdout);
}

/** Tells why the parser has stopped, and returns the exit code for it. */
static int failed(const sseam_parser *parser, sseam_status status) {
    sseam_error error;
    error.struct_size = sizeof error;
    if (sseam_parser_error(parser, &error) < 0)
        fprintf(stderr, "%s, at byte %llu\n", sseam_strerror(status),
                (unsigned long long)error.offset);
    if (status == SSEAM_ERR_UTF8) return 23;
    return status <= SSEAM_ERR_LINE_TOO_LONG && status >= SSEAM_ERR_TOTAL ? 22 : 1;
}

int main(void) {
    static char buffer[16384];
    sseam_options options;
    sseam_parser *parser;
    sseam_item item;
    sseam_status status;
    size_t n;
    int code = 0;

    sseam_options_init(&options);
    options.max_data = 16 * 1024 * 1024;
    options.utf8 = SSEAM_UTF8_STRICT; /* JSON is UTF-8 */
    if (sseam_parser_new(&options, NULL, &parser) != SSEAM_OK) return 1;

    item.struct_size = sizeof item;
    while (code == 0 && (n = fread(buffer, 1, sizeof buffer, stdin)) > 0) {
        size_t at = 0, used;
        while ((status = sseam_parser_feed(parser, buffer + at, n - at, &used, &item)) > 0) {
            at += used;
            if (status == SSEAM_EVENT) print_event(&item);
        }
        if (status < 0) code = failed(parser, status);
    }
    if (code == 0 && sseam_parser_finish(parser, NULL) == SSEAM_TRUNCATED) {
        fprintf(stderr, "the stream broke off inside an event\n");
        code = 20;
    }
    sseam_parser_free(parser);
    return code;
}
