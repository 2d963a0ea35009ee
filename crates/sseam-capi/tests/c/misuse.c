/*
 * Every misuse that can be seen has a status, and changes nothing; run under
 * sanitizers, so that what is refused was not looked at either.
 */
#include "check.h"
#include "sseam.h"

#include <stdlib.h>
#include <string.h>

static const char EVENT[] = "id: 7\ndata: x\n\n";
enum { EVENT_LEN = sizeof EVENT - 1 };

static sseam_parser *made(void) {
    sseam_parser *p = NULL;
    CHECK(sseam_parser_new(NULL, NULL, &p) == SSEAM_OK && p != NULL);
    return p;
}

static sseam_status feed(sseam_parser *p, const char *bytes, size_t len, size_t *used,
                         sseam_item *item) {
    item->struct_size = sizeof *item;
    return sseam_parser_feed(p, bytes, len, used, item);
}

static void null_and_misaligned_parsers(void) {
    sseam_parser *bad[2];
    size_t i, used = 9;
    sseam_item item;
    sseam_end end;
    sseam_stats stats;
    sseam_error error;
    uint64_t retry = 1;
    bad[0] = NULL;
    bad[1] = (sseam_parser *)(uintptr_t)1;
    for (i = 0; i < 2; i++) {
        sseam_parser *p = bad[i];
        item.kind = 77;
        end.struct_size = sizeof end;
        stats.struct_size = sizeof stats;
        error.struct_size = sizeof error;
        CHECK(feed(p, EVENT, EVENT_LEN, &used, &item) == SSEAM_ERR_ARGUMENT && used == 0);
        CHECK(item.kind == 77);
        CHECK(sseam_parser_finish(p, &end) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_parser_take_unfinished(p, &item) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_parser_reset(p) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_parser_resync(p) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_parser_set_last_event_id(p, "x", 1) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_parser_last_event_id(p).len == 0 && sseam_parser_last_event_id(p).ptr != NULL);
        CHECK(sseam_parser_retry(p, &retry) == SSEAM_ERR_ARGUMENT && retry == 1);
        CHECK(sseam_parser_stats(p, &stats) == SSEAM_ERR_ARGUMENT);
        CHECK(sseam_parser_error(p, &error) == SSEAM_ERR_ARGUMENT);
        sseam_parser_free(p);
    }
}

static int never(void *user, const sseam_item *item) {
    (void)user;
    (void)item;
    abort();
}

static void other_pointers(void) {
    sseam_parser *p = made();
    sseam_item item;
    size_t used = 9;
    item.struct_size = sizeof item;
    CHECK(sseam_parser_feed(p, EVENT, EVENT_LEN, NULL, &item) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_feed(p, EVENT, EVENT_LEN, &used, NULL) == SSEAM_ERR_ARGUMENT && used == 0);
    CHECK(sseam_parser_feed(p, NULL, 1, &used, &item) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_feed(p, NULL, 0, &used, &item) == SSEAM_OK);
    CHECK(sseam_parser_feed(p, EVENT, (size_t)-1, &used, &item) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_feed(p, EVENT, (size_t)-1 / 2 + 1, &used, &item) == SSEAM_ERR_ARGUMENT);
    item.struct_size = 0;
    CHECK(sseam_parser_feed(p, EVENT, EVENT_LEN, &used, &item) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_feed_all(p, EVENT, EVENT_LEN, &used, NULL, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_feed_all(p, EVENT, EVENT_LEN, NULL, never, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_feed_all(p, NULL, 0, &used, never, NULL) == SSEAM_OK);
    CHECK(sseam_parser_take_unfinished(p, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_retry(p, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_stats(p, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_error(p, NULL) == SSEAM_OK);
    CHECK(sseam_parser_set_last_event_id(p, NULL, 1) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_new(NULL, NULL, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(feed(p, EVENT, EVENT_LEN, &used, &item) == SSEAM_EVENT && used == EVENT_LEN);
    sseam_parser_free(p);
}

static void memory_for_a_parser(void) {
    static SSEAM_PARSER_ARENA(arena, SSEAM_PARSER_STORAGE(32, 8, 8, 0));
    sseam_options options;
    sseam_parser *p = NULL;
    sseam_item item;
    size_t size, used, i;
    sseam_options_init(&options);
    options.max_data = 32;
    options.max_type = options.max_id = 8;
    options.max_comment = 0;
    size = sseam_parser_size(&options);
    CHECK(size > 0 && size <= sizeof arena);
    CHECK(sizeof arena % sseam_parser_align() == 0);
    CHECK(sseam_parser_init(NULL, size, &options, &p) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_init(arena.bytes + 1, size, &options, &p) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_parser_init(&arena, size - 1, &options, &p) == SSEAM_ERR_MEMORY);
    CHECK(sseam_parser_init(&arena, 0, &options, &p) == SSEAM_ERR_MEMORY && p == NULL);
    CHECK(sseam_parser_init(&arena, sizeof arena, &options, NULL) == SSEAM_ERR_ARGUMENT);
    memset(&arena, 0xEE, sizeof arena);
    CHECK(sseam_parser_init(&arena, size, &options, &p) == SSEAM_OK);
    for (i = size; i < sizeof arena; i++) CHECK(arena.bytes[i] == 0xEE);
    CHECK(feed(p, EVENT, EVENT_LEN, &used, &item) == SSEAM_EVENT);
    sseam_parser_free(p);
    CHECK(sseam_options_fit(&options, 1000) == SSEAM_OK && sseam_parser_size(&options) == 1000);
    CHECK(sseam_options_fit(&options, 1) == SSEAM_ERR_MEMORY);
    CHECK(sseam_options_fit(NULL, 1000) == SSEAM_ERR_ARGUMENT);
    options.max_id = (size_t)-1;
    CHECK(sseam_parser_size(&options) == 0);
    CHECK(sseam_parser_init(&arena, sizeof arena, &options, &p) == SSEAM_ERR_MEMORY);
    options.max_id = (size_t)-1 / 3 + 1;
    CHECK(sseam_parser_size(&options) == 0);
}

static void options_that_do_not_exist(void) {
    sseam_options options;
    sseam_parser *p = NULL;
    int i;
    for (i = 0; i < 5; i++) {
        sseam_options_init(&options);
        if (i == 0) options.on_overflow = 2;
        if (i == 1) options.utf8 = 2;
        if (i == 2) options.report = 8;
        if (i == 3) options.reserved = 1;
        if (i == 4) options.struct_size = 1;
        CHECK(sseam_parser_size(&options) == 0);
        CHECK(sseam_parser_new(&options, NULL, &p) == SSEAM_ERR_ARGUMENT && p == NULL);
    }
}

static void state(void) {
    sseam_parser *p = made();
    sseam_item item;
    sseam_end end;
    size_t used;
    end.struct_size = sizeof end;
    item.struct_size = sizeof item;
    CHECK(sseam_parser_take_unfinished(p, &item) == SSEAM_ERR_STATE);
    CHECK(feed(p, "data: cut", 9, &used, &item) == SSEAM_OK);
    CHECK(sseam_parser_finish(p, &end) == SSEAM_TRUNCATED && end.pending == SSEAM_PENDING_LINE);
    CHECK(sseam_parser_finish(p, NULL) == SSEAM_TRUNCATED);
    CHECK(feed(p, "x", 1, &used, &item) == SSEAM_ERR_STATE && used == 0);
    CHECK(feed(p, "", 0, &used, &item) == SSEAM_OK);
    CHECK(sseam_parser_reset(p) == SSEAM_OK && sseam_parser_resync(p) == SSEAM_OK);
    sseam_parser_free(p);
}

/* Views of the parser's own memory, fed back. */
static void own_bytes(void) {
    sseam_parser *p = made();
    sseam_item item;
    sseam_str id;
    size_t used;
    CHECK(feed(p, EVENT, EVENT_LEN, &used, &item) == SSEAM_EVENT);
    id = sseam_parser_last_event_id(p);
    CHECK(id.len == 1);
    CHECK(feed(p, id.ptr, id.len, &used, &item) == SSEAM_ERR_ARGUMENT && used == 0);
    CHECK(sseam_parser_set_last_event_id(p, id.ptr, id.len) == SSEAM_ERR_ARGUMENT);
    sseam_parser_free(p);
}

typedef struct {
    sseam_parser *parser;
    int frees, calls, stops;
} plan;

static int meddle(void *user, const sseam_item *item) {
    plan *it = (plan *)user;
    sseam_item other;
    size_t used = 9;
    uint64_t retry;
    it->calls++;
    CHECK(feed(it->parser, EVENT, EVENT_LEN, &used, &other) == SSEAM_ERR_REENTRANT && used == 0);
    CHECK(sseam_parser_feed_all(it->parser, "", 0, &used, meddle, user) == SSEAM_ERR_REENTRANT);
    CHECK(sseam_parser_reset(it->parser) == SSEAM_ERR_REENTRANT);
    CHECK(sseam_parser_resync(it->parser) == SSEAM_ERR_REENTRANT);
    CHECK(sseam_parser_finish(it->parser, NULL) == SSEAM_ERR_REENTRANT);
    CHECK(sseam_parser_take_unfinished(it->parser, &other) == SSEAM_ERR_REENTRANT);
    CHECK(sseam_parser_set_last_event_id(it->parser, "x", 1) == SSEAM_ERR_REENTRANT);
    CHECK(sseam_parser_last_event_id(it->parser).len == 1);
    CHECK(sseam_parser_retry(it->parser, &retry) == SSEAM_OK);
    if (it->frees) {
        sseam_parser_free(it->parser);
        sseam_parser_free(it->parser);
    }
    CHECK(item->data.len == 1 && item->data.ptr[0] == 'x' && item->last_event_id.ptr[0] == '7');
    return it->stops;
}

static void calls_from_the_callback(void) {
    char twice[2 * EVENT_LEN];
    size_t used;
    plan it;
    memcpy(twice, EVENT, EVENT_LEN);
    memcpy(twice + EVENT_LEN, EVENT, EVENT_LEN);
    memset(&it, 0, sizeof it);
    it.parser = made();
    CHECK(sseam_parser_feed_all(it.parser, twice, sizeof twice, &used, meddle, &it) == SSEAM_OK);
    CHECK(used == sizeof twice && it.calls == 2);
    it.stops = -1;
    CHECK(sseam_parser_feed_all(it.parser, twice, sizeof twice, &used, meddle, &it) == SSEAM_STOPPED);
    CHECK(used == EVENT_LEN && it.calls == 3);
    it.stops = 0;
    it.frees = 1;
    CHECK(sseam_parser_feed_all(it.parser, twice, sizeof twice, &used, meddle, &it) == SSEAM_STOPPED);
    CHECK(used == EVENT_LEN && it.calls == 4);
}

static void texts(void) {
    char out[64];
    size_t needed = 9;
    sseam_str none, text, wrong;
    none.ptr = NULL;
    none.len = 0;
    text.ptr = "a\nb";
    text.len = 3;
    wrong.ptr = NULL;
    wrong.len = 1;
    CHECK(sseam_utf8_replace("a\xE2\x82z", 4, out, sizeof out, &needed) == SSEAM_OK && needed == 5);
    CHECK(memcmp(out, "a\xEF\xBF\xBDz", 5) == 0);
    CHECK(sseam_utf8_replace("\xFF", 1, out, 2, &needed) == SSEAM_ERR_MEMORY && needed == 3);
    CHECK(sseam_utf8_replace(NULL, 1, out, 2, &needed) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_utf8_replace("x", 1, NULL, 2, &needed) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_utf8_replace("x", 1, out, 2, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_encode_event(none, text, none, NULL, 0, &needed) == SSEAM_ERR_MEMORY);
    CHECK(needed == 17 && sseam_encode_event(none, text, none, out, 17, &needed) == SSEAM_OK);
    CHECK(memcmp(out, "data: a\ndata: b\n\n", 17) == 0);
    CHECK(sseam_encode_event(text, text, none, out, 64, &needed) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_encode_event(none, wrong, none, out, 64, &needed) == SSEAM_ERR_ARGUMENT);
    CHECK(sseam_encode_comment(text, out, 64, &needed) == SSEAM_OK && needed == 8);
    CHECK(sseam_encode_retry(7, out, 64, &needed) == SSEAM_OK && needed == 9);
    CHECK(sseam_encode_retry(7, out, 64, NULL) == SSEAM_ERR_ARGUMENT);
    CHECK(strcmp(sseam_status_name(SSEAM_ERR_MEMORY), "SSEAM_ERR_MEMORY") == 0);
    CHECK(strcmp(sseam_status_name(-50), "SSEAM_UNKNOWN") == 0);
    CHECK(strlen(sseam_strerror(SSEAM_ERR_REENTRANT)) > 8 && strlen(sseam_strerror(12345)) > 8);
}

int main(void) {
    null_and_misaligned_parsers();
    other_pointers();
    memory_for_a_parser();
    options_that_do_not_exist();
    state();
    own_bytes();
    calls_from_the_callback();
    texts();
    puts("every misuse has its status");
    return 0;
}
