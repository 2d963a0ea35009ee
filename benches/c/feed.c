/*
 * The pull loop of a C program: a stream and lengths of reads in; one line out
 * for each length, which is about one dump of callgrind's.
 *
 *     feed NAME FILE BLOCKS EVENTS READ...
 */
#include <stdio.h>
#include <stdlib.h>

#include <sseam.h>

/* Does as little as can be done with an event that is not optimised away. */
static volatile size_t seen_len;

/* Callgrind collects within this; the name is in the command that starts it. */
__attribute__((noinline)) static unsigned long
sseam_measured_feed(sseam_parser *parser, const char *bytes, size_t len)
{
    unsigned long events = 0;
    size_t at = 0, used = 0;
    sseam_item item;
    sseam_status status;

    item.struct_size = sizeof item;
    while ((status = sseam_parser_feed(parser, bytes + at, len - at, &used, &item)) > 0) {
        at += used;
        if (status == SSEAM_EVENT) {
            seen_len = item.data.len;
            events++;
        }
    }
    if (status < 0) {
        fprintf(stderr, "feed: status %d\n", (int)status);
        exit(EXIT_FAILURE);
    }
    return events;
}

/* Callgrind writes down and clears its counts whenever this is entered. */
__attribute__((noinline)) static void sseam_measured_dump(void)
{
    __asm__ volatile("");
}

static char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    char *bytes;
    long end;

    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (end = ftell(file)) < 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    rewind(file);
    *len = (size_t)end;
    bytes = malloc(*len + 1);
    if (bytes == NULL || fread(bytes, 1, *len, file) != *len) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    return bytes;
}

static unsigned long feed_all(const char *bytes, size_t len, size_t read_len)
{
    sseam_parser *parser = NULL;
    unsigned long events = 0;
    size_t at;

    if (sseam_parser_new(NULL, NULL, &parser) != SSEAM_OK) {
        fputs("feed: no parser\n", stderr);
        exit(EXIT_FAILURE);
    }
    for (at = 0; at < len; at += read_len) {
        size_t rest = len - at;
        events += sseam_measured_feed(parser, bytes + at, rest < read_len ? rest : read_len);
    }
    sseam_parser_free(parser);
    return events;
}

int main(int argc, char **argv)
{
    char *bytes;
    size_t len;
    int index;

    if (argc < 6) {
        fputs("usage: feed NAME FILE BLOCKS EVENTS READ...\n", stderr);
        return EXIT_FAILURE;
    }
    bytes = read_file(argv[2], &len);
    for (index = 5; index < argc; index++) {
        size_t read_len = (size_t)strtoul(argv[index], NULL, 10);
        unsigned long events = feed_all(bytes, len, read_len);
        sseam_measured_dump();
        if (events != strtoul(argv[4], NULL, 10)) {
            fprintf(stderr, "feed: %lu events in %s\n", events, argv[1]);
            return EXIT_FAILURE;
        }
        printf("instructions,libsseam from C,own,%s,%s,dump/%s/%zu,%lu\n", argv[1], argv[index],
               argv[3], len, events);
    }
    free(bytes);
    return EXIT_SUCCESS;
}
