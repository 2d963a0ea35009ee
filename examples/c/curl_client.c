/*
 * An event source on libcurl that does what such clients get wrong: it takes every
 * byte of a write callback, checks the answer before it parses, resumes with
 * Last-Event-ID, has no total timeout but an idle one, and can be stopped.
 *
 *     cc curl_client.c -lsseam -lcurl -o curl_client
 *     ./curl_client URL [IDLE_SECONDS [ATTEMPTS_MAX]]
 *
 * Exit code: 0 after the server said 204, 30 and 31 for a wrong status or content
 * type, 21 idle, 40 gave up, 130 stopped by Ctrl-C, 1 otherwise.
 */
#define _POSIX_C_SOURCE 200809L

#include <sseam.h>

#include <curl/curl.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Older versions take any number but the length for an error. */
#if !defined(CURL_WRITEFUNC_ERROR)
#define CURL_WRITEFUNC_ERROR 0xFFFFFFFF
#endif

enum verdict { UNKNOWN, IS_STREAM, WRONG_STATUS, WRONG_TYPE, NO_CONTENT };

typedef struct {
    CURL *curl;
    sseam_parser *parser;
    sseam_status status; /* why the write callback gave up, if it did */
    enum verdict verdict;
    int is_idle;
    long idle_seconds;
    curl_off_t seen;      /* bytes, when something last moved */
    struct timespec since; /* and when that was */
    unsigned long events;
} client;

static volatile sig_atomic_t stopped;

static void on_signal(int number) {
    (void)number;
    stopped = 1;
}

/** What the response is, once its head is known. */
static enum verdict judge(CURL *curl) {
    long status = 0;
    const char *type = NULL;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type);
    if (status == 204) return NO_CONTENT;
    if (status != 200) return WRONG_STATUS;
    if (type == NULL || strncmp(type, "text/event-stream", 17) != 0) return WRONG_TYPE;
    return IS_STREAM;
}

/**
 * Takes all of the bytes, always: a short count is an error to libcurl, and after
 * CURL_WRITEFUNC_PAUSE the same bytes would come again.
 */
static size_t on_body(char *bytes, size_t size, size_t count, void *user) {
    client *it = (client *)user;
    size_t len = size * count, at = 0, used;
    sseam_item item;
    if (it->verdict == UNKNOWN) it->verdict = judge(it->curl);
    if (it->verdict != IS_STREAM) return CURL_WRITEFUNC_ERROR;
    item.struct_size = sizeof item;
    while ((it->status = sseam_parser_feed(it->parser, bytes + at, len - at, &used, &item)) > 0) {
        at += used;
        if (it->status != SSEAM_EVENT) continue;
        it->events++;
        printf("%.*s %.*s: %.*s\n", (int)item.last_event_id.len, item.last_event_id.ptr,
               (int)item.type.len, item.type.ptr, (int)item.data.len, item.data.ptr);
        fflush(stdout);
    }
    return it->status < 0 ? CURL_WRITEFUNC_ERROR : len;
}

/** Is called at least once a second, also while nothing moves. */
static int on_progress(void *user, curl_off_t total, curl_off_t now, curl_off_t up_total,
                       curl_off_t up_now) {
    client *it = (client *)user;
    struct timespec time;
    (void)total;
    (void)up_total;
    (void)up_now;
    clock_gettime(CLOCK_MONOTONIC, &time);
    if (now != it->seen) {
        it->seen = now;
        it->since = time;
    }
    /* CURLOPT_LOW_SPEED_LIMIT would end a healthy stream of short heartbeats. */
    it->is_idle = time.tv_sec - it->since.tv_sec >= it->idle_seconds;
    return stopped || it->is_idle;
}

/** The request's headers; the id comes from the stream and has no CR, LF or NUL. */
static struct curl_slist *headers(const sseam_parser *parser) {
    struct curl_slist *list = curl_slist_append(NULL, "Accept: text/event-stream");
    sseam_str id = sseam_parser_last_event_id(parser);
    list = curl_slist_append(list, "Cache-Control: no-store");
    if (id.len > 0) {
        char *line = (char *)malloc(id.len + 32);
        if (line == NULL) return list;
        sprintf(line, "Last-Event-ID: %.*s", (int)id.len, id.ptr);
        list = curl_slist_append(list, line);
        free(line);
    }
    return list;
}

/** One connection, from its request to its end. */
static CURLcode connect_once(client *it, const char *url) {
    struct curl_slist *list = headers(it->parser);
    CURLcode code;
    curl_easy_reset(it->curl);
    curl_easy_setopt(it->curl, CURLOPT_URL, url);
    curl_easy_setopt(it->curl, CURLOPT_HTTPHEADER, list);
    curl_easy_setopt(it->curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(it->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(it->curl, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(it->curl, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
    curl_easy_setopt(it->curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(it->curl, CURLOPT_WRITEDATA, it);
    curl_easy_setopt(it->curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(it->curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(it->curl, CURLOPT_XFERINFODATA, it);
    it->verdict = UNKNOWN;
    it->status = SSEAM_OK;
    it->seen = -1;
    code = curl_easy_perform(it->curl);
    /* Without a body, the write callback was never called. */
    if (it->verdict == UNKNOWN && code == CURLE_OK) it->verdict = judge(it->curl);
    curl_slist_free_all(list);
    return code;
}

static void wait_milliseconds(uint64_t milliseconds) {
    struct timespec time;
    time.tv_sec = (time_t)(milliseconds / 1000);
    time.tv_nsec = (long)(milliseconds % 1000) * 1000000;
    nanosleep(&time, NULL);
}

/** Connects again and again; the exit code is its reason to stop. */
static int run(client *it, const char *url, long attempts_max) {
    long attempts = 0;
    for (;;) {
        uint64_t wait = 3000;
        unsigned long before = it->events;
        CURLcode code = connect_once(it, url);
        if (stopped) return 130;
        if (it->status < 0) {
            fprintf(stderr, "%s\n", sseam_strerror(it->status));
            return 1;
        }
        if (it->is_idle) fprintf(stderr, "nothing came for %ld s\n", it->idle_seconds);
        switch (it->verdict) {
        case NO_CONTENT: return 0;
        case WRONG_STATUS: return 30;
        case WRONG_TYPE: return 31;
        default: break;
        }
        if (code != CURLE_OK && !it->is_idle) fprintf(stderr, "%s\n", curl_easy_strerror(code));
        if (sseam_parser_finish(it->parser, NULL) == SSEAM_TRUNCATED)
            fprintf(stderr, "broken off inside an event; it will be asked for again\n");
        attempts = it->events > before ? 0 : attempts + 1;
        if (attempts >= attempts_max) return it->is_idle ? 21 : 40;
        /* Keeps the last event id and the reconnection time. */
        sseam_parser_reset(it->parser);
        sseam_parser_retry(it->parser, &wait);
        wait_milliseconds(wait);
    }
}

int main(int argc, char **argv) {
    client it;
    int code = 1;
    if (argc < 2) {
        fprintf(stderr, "usage: curl_client URL [IDLE_SECONDS [ATTEMPTS_MAX]]\n");
        return 2;
    }
    memset(&it, 0, sizeof it);
    it.idle_seconds = argc > 2 ? atol(argv[2]) : 60;
    signal(SIGINT, on_signal);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    it.curl = curl_easy_init();
    if (it.curl != NULL && sseam_parser_new(NULL, NULL, &it.parser) == SSEAM_OK)
        code = run(&it, argv[1], argc > 3 ? atol(argv[3]) : 5);
    sseam_parser_free(it.parser);
    curl_easy_cleanup(it.curl);
    curl_global_cleanup();
    return code;
}
