/*
 * A program of an earlier release: its structs end sooner. It is compiled against
 * these declarations, not against today's header, and linked to today's library.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *ptr;
    size_t len;
} old_str;

/* Without `last_event_id` and what follows. */
typedef struct {
    size_t struct_size;
    int32_t kind;
    uint32_t flags;
    int32_t limit;
    old_str type, data;
} old_item;

/* Without `max_comment` and what follows. */
typedef struct {
    size_t struct_size, max_line, max_data, max_type, max_id;
} old_options;

typedef struct {
    size_t struct_size, memory;
    uint64_t bytes, lines;
} old_stats;

void sseam_options_init_sized(old_options *, size_t);
int32_t sseam_parser_new(const old_options *, const void *, void **);
int32_t sseam_parser_feed(void *, const void *, size_t, size_t *, old_item *);
int32_t sseam_parser_stats(const void *, old_stats *);
void sseam_parser_free(void *);

int main(void) {
    static const char STREAM[] = "event: old\nid: 1\ndata: client\n\ndata: too long by far\n\n";
    struct {
        old_options options;
        unsigned char guard[64];
    } asked;
    struct {
        old_item item;
        unsigned char guard[128];
    } got;
    struct {
        old_stats stats;
        unsigned char guard[64];
    } counted;
    size_t used, i;
    int32_t status;
    void *p;
    memset(&asked, 0xA5, sizeof asked);
    memset(&got, 0xA5, sizeof got);
    memset(&counted, 0xA5, sizeof counted);
    sseam_options_init_sized(&asked.options, sizeof asked.options);
    asked.options.max_data = 8;
    if (asked.options.max_type != 256 || asked.options.max_id != 1024) return 1;
    if (sseam_parser_new(&asked.options, NULL, &p) != 0) return 2;
    got.item.struct_size = sizeof got.item;
    status = sseam_parser_feed(p, STREAM, sizeof STREAM - 1, &used, &got.item);
    if (status != 1 || got.item.kind != 1 || got.item.struct_size != sizeof got.item) return 3;
    if (got.item.type.len != 3 || memcmp(got.item.data.ptr, "client", 6) != 0) return 4;
    status = sseam_parser_feed(p, STREAM + used, sizeof STREAM - 1 - used, &used, &got.item);
    if (status != -4) return 5;
    counted.stats.struct_size = sizeof counted.stats;
    if (sseam_parser_stats(p, &counted.stats) != 0 || counted.stats.lines != 4) return 6;
    for (i = 0; i < 64; i++)
        if (asked.guard[i] != 0xA5 || got.guard[i] != 0xA5 || counted.guard[i] != 0xA5) return 7;
    sseam_parser_free(p);
    puts("an old client runs with the new library");
    return 0;
}
