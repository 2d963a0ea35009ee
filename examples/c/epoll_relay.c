/*
 * A relay over many streams on one thread: reads N connections with epoll, parses
 * each, and writes every event out again, encoded, to standard output. After all
 * connections are open it allocates nothing: the allocator counts, and the program
 * fails if it was called.
 *
 *     cc epoll_relay.c -lsseam -o epoll_relay
 *     ./epoll_relay PORT STREAMS
 */
#define _POSIX_C_SOURCE 200809L

#include <sseam.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { STREAMS_MAX = 1000, DATA_MAX = 4096, ID_MAX = 64, TYPE_MAX = 64 };

typedef struct {
    int socket;
    int in_body; /* the head of the response has ended */
    unsigned line_ends;
    sseam_parser *parser;
} stream;

static stream streams[STREAMS_MAX];
static unsigned long allocations;

/* ---- The allocator: counts, and serves the parsers from one block ---- */

static unsigned char *block;
static size_t block_len, block_used;

static void *give(void *user, size_t size) {
    size_t at = (block_used + 15) / 16 * 16;
    (void)user;
    allocations++;
    if (size > block_len - at) return NULL;
    block_used = at + size;
    return block + at;
}

static void take(void *user, void *memory, size_t size) {
    (void)user;
    (void)memory;
    (void)size;
}

/* ---- Out ---- */

static int write_out(const char *bytes, size_t len) {
    while (len > 0) {
        ssize_t n = write(STDOUT_FILENO, bytes, len);
        if (n <= 0) return 0;
        bytes += n;
        len -= (size_t)n;
    }
    return 1;
}

static int relay(const sseam_item *event) {
    static char wire[2 * DATA_MAX + ID_MAX + TYPE_MAX + 64];
    sseam_str none = {NULL, 0};
    sseam_str type = event->type;
    size_t len;
    sseam_status status;
    if (type.len == 7 && memcmp(type.ptr, "message", 7) == 0) type.len = 0;
    status = sseam_encode_event(type, event->data,
                                event->last_event_id.len > 0 ? event->last_event_id : none, wire,
                                sizeof wire, &len);
    return status == SSEAM_OK && write_out(wire, len);
}

/* ---- In ---- */

/** Leaves out the head of the response; a real program checks it. */
static size_t body_from(stream *it, const char *bytes, size_t len) {
    size_t at = 0;
    while (!it->in_body && at < len) {
        char byte = bytes[at++];
        if (byte == '\n') it->line_ends++;
        else if (byte != '\r') it->line_ends = 0;
        it->in_body = it->line_ends == 2;
    }
    return at;
}

/** What one readable socket has; 0 at its end. */
static int read_stream(stream *it) {
    static char buffer[4096]; /* one for all: a parser copies what it still needs */
    ssize_t n = read(it->socket, buffer, sizeof buffer);
    sseam_item item;
    sseam_status status;
    size_t at, used;
    if (n <= 0) return 0;
    item.struct_size = sizeof item;
    at = body_from(it, buffer, (size_t)n);
    while ((status = sseam_parser_feed(it->parser, buffer + at, (size_t)n - at, &used, &item)) > 0) {
        at += used;
        if (status == SSEAM_EVENT && !relay(&item)) return 0;
    }
    return status == SSEAM_OK;
}

/* ---- Setting up ---- */

static int open_stream(stream *it, unsigned short port) {
    static const char request[] =
        "GET /many HTTP/1.0\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    it->socket = socket(AF_INET, SOCK_STREAM, 0);
    return it->socket >= 0 &&
           connect(it->socket, (struct sockaddr *)&address, sizeof address) == 0 &&
           write(it->socket, request, sizeof request - 1) == (ssize_t)sizeof request - 1;
}

/** In-place parsers, whose memory is fixed: each costs what its options say. */
static int make_parser(stream *it) {
    sseam_options options;
    size_t size;
    sseam_options_init(&options);
    options.max_data = DATA_MAX;
    options.max_id = ID_MAX;
    options.max_type = TYPE_MAX;
    options.max_comment = 0;
    size = sseam_parser_size(&options);
    return sseam_parser_init(give(NULL, size), size, &options, &it->parser) == SSEAM_OK;
}

int main(int argc, char **argv) {
    int count = argc > 2 ? atoi(argv[2]) : 0, open = 0, i, epoll = epoll_create1(0);
    unsigned long before;
    if (count < 1 || count > STREAMS_MAX || epoll < 0) return 2;
    block_len = (size_t)count * 8192;
    block = (unsigned char *)malloc(block_len);
    if (block == NULL) return 1;
    for (i = 0; i < count; i++) {
        struct epoll_event event;
        event.events = EPOLLIN;
        event.data.ptr = &streams[i];
        if (!make_parser(&streams[i]) || !open_stream(&streams[i], (unsigned short)atoi(argv[1])) ||
            epoll_ctl(epoll, EPOLL_CTL_ADD, streams[i].socket, &event) != 0)
            return 1;
        open++;
    }
    before = allocations;
    while (open > 0) {
        struct epoll_event events[64];
        int n = epoll_wait(epoll, events, 64, 10000);
        if (n <= 0) return 21;
        for (i = 0; i < n; i++) {
            stream *it = (stream *)events[i].data.ptr;
            if (read_stream(it)) continue;
            if (sseam_parser_finish(it->parser, NULL) != SSEAM_OK) fprintf(stderr, "broken off\n");
            close(it->socket);
            sseam_parser_free(it->parser);
            open--;
        }
    }
    fprintf(stderr, "%d streams, %lu allocations at the start, %lu after it\n", count, before,
            allocations - before);
    take(NULL, block, block_len);
    free(block);
    return allocations == before ? 0 : 1;
}
