/*
 * sseam: Server-Sent Events (text/event-stream) for C.
 *
 * Bytes in, whole events out, however the bytes were cut on the way. The parser
 * allocates nothing that was not asked for, waits for nothing, reads no clock,
 * has no global state, and holds no more than its options say.
 *
 *     sseam_parser *p;
 *     sseam_item item;
 *     size_t at, used;
 *     sseam_status status = sseam_parser_new(NULL, NULL, &p);
 *
 *     item.struct_size = sizeof item;
 *     while ((n = read(fd, buffer, sizeof buffer)) > 0) {
 *         for (at = 0; (status = sseam_parser_feed(p, buffer + at, n - at, &used, &item)) > 0;
 *              at += used) {
 *             if (status == SSEAM_EVENT)
 *                 printf("%.*s\n", (int)item.data.len, item.data.ptr);
 *         }
 *         if (status < 0) break;
 *     }
 *     if (sseam_parser_finish(p, NULL) == SSEAM_TRUNCATED) puts("broken off");
 *     sseam_parser_free(p);
 *
 * Statuses of 0 and above are fine, below 0 are errors. Outputs are written on
 * success only, but `*used` and `*needed` always. Every struct begins with
 * `struct_size`, which you set to its size; that is how old programs run with
 * new libraries. No function throws, jumps or aborts.
 *
 * docs/c-api.md is the tour; sseam.hpp is the same for C++.
 */

#ifndef SSEAM_H
#define SSEAM_H

/* Generated from crates/sseam-capi by `cargo xtask header`; do not edit. */

#include <stddef.h>
#include <stdint.h>

/* Define SSEAM_NO_HEAP where the library has none, as for firmware. */
#if !defined(SSEAM_NO_HEAP)
#define SSEAM_HEAP 1
#endif

#if !defined(SSEAM_MUST_USE)
#if defined(__cplusplus) && __cplusplus >= 201703L
#define SSEAM_MUST_USE [[nodiscard]]
#elif defined(__GNUC__)
#define SSEAM_MUST_USE __attribute__((warn_unused_result))
#else
#define SSEAM_MUST_USE
#endif
#endif

/** Major version of this header. */
#define SSEAM_VERSION_MAJOR 0

/** Minor version of this header. */
#define SSEAM_VERSION_MINOR 1

/** Patch version of this header. */
#define SSEAM_VERSION_PATCH 0

/**
 * Number of the binary interface; the shared library is `libsseam.so.N`. It
 * rises when a program that was built before would no longer run.
 */
#define SSEAM_ABI_VERSION 1

/**
 * All went well, and there is nothing to tell: from `sseam_parser_feed`, the
 * input is used up.
 */
#define SSEAM_OK 0

/** An event is complete. */
#define SSEAM_EVENT 1

/** A comment line ended. Only with `SSEAM_REPORT_COMMENTS`. */
#define SSEAM_COMMENT 2

/** A `retry` line set the reconnection time. Only with `SSEAM_REPORT_RETRY`. */
#define SSEAM_RETRY 3

/** The callback asked to stop; the parser can go on. */
#define SSEAM_STOPPED 4

/** An event passed a limit and was left out. Only with `SSEAM_OVERFLOW_SKIP`. */
#define SSEAM_SKIPPED 5

/** The input ended inside an event, which was thrown away as the standard says. */
#define SSEAM_TRUNCATED 6

/**
 * A line without effect ended: an unknown field, a `retry` that is no number,
 * an id with a NUL. Only with `SSEAM_REPORT_IGNORED`.
 */
#define SSEAM_IGNORED 7

/**
 * An argument is no good: a null or misaligned pointer, a length over
 * `PTRDIFF_MAX`, an option that does not exist, an id with a line end. Nothing
 * was changed.
 */
#define SSEAM_ERR_ARGUMENT (-1)

/**
 * Memory is too short, or the allocator gave none. Nothing is lost: free some
 * and feed the same bytes, from `*used` on, again; fewer are refused.
 */
#define SSEAM_ERR_MEMORY (-2)

/** A line is longer than `max_line`. */
#define SSEAM_ERR_LINE_TOO_LONG (-3)

/** An event's data is longer than `max_data`. */
#define SSEAM_ERR_DATA_TOO_LONG (-4)

/** An event's type is longer than `max_type`. */
#define SSEAM_ERR_TYPE_TOO_LONG (-5)

/** An id is longer than `max_id`. */
#define SSEAM_ERR_ID_TOO_LONG (-6)

/** The stream sent more than `max_total_bytes` or `max_events`. */
#define SSEAM_ERR_TOTAL (-7)

/** An event is not valid UTF-8. Only with `SSEAM_UTF8_STRICT`. */
#define SSEAM_ERR_UTF8 (-8)

/**
 * The call does not fit the parser's state: input after `sseam_parser_finish`,
 * or `sseam_parser_take_unfinished` before it.
 */
#define SSEAM_ERR_STATE (-9)

/**
 * A struct of a newer release asks for something that this library does not
 * know.
 */
#define SSEAM_ERR_VERSION (-10)

/**
 * The parser is in the middle of a call: this one came from its own callback
 * or allocator.
 */
#define SSEAM_ERR_REENTRANT (-11)

/** The library contradicts itself: please report it. */
#define SSEAM_ERR_INTERNAL (-99)

/** None. */
#define SSEAM_LIMIT_NONE 0

/** `max_line` */
#define SSEAM_LIMIT_LINE 1

/** `max_data` */
#define SSEAM_LIMIT_DATA 2

/** `max_type` */
#define SSEAM_LIMIT_TYPE 3

/** `max_id` */
#define SSEAM_LIMIT_ID 4

/** `max_total_bytes` */
#define SSEAM_LIMIT_TOTAL_BYTES 5

/** `max_events` */
#define SSEAM_LIMIT_EVENTS 6

/** The item is an unfinished event, from `sseam_parser_take_unfinished`. */
#define SSEAM_ITEM_UNFINISHED 1

/**
 * `type` or `data` may point into the bytes that were passed to this call; where
 * it is not set, they do not, and those bytes are free already.
 */
#define SSEAM_ITEM_IN_INPUT 2

/** The type of a skipped event is not known, because it was itself too long. */
#define SSEAM_ITEM_TYPE_UNKNOWN 4

/** A line had begun and not ended. */
#define SSEAM_PENDING_LINE 1

/** At least one line of data had ended. */
#define SSEAM_PENDING_DATA 2

/** A type had been set. */
#define SSEAM_PENDING_TYPE 4

/** An id had been set that differs from the last event id. */
#define SSEAM_PENDING_ID 8

/** `on_overflow`: the parser stops with an error, for the caller to decide. */
#define SSEAM_OVERFLOW_FAIL 0

/**
 * `on_overflow`: the event is left out and reported as `SSEAM_SKIPPED`. Its id
 * counts, so that a reconnect goes past it. Totals fail all the same.
 */
#define SSEAM_OVERFLOW_SKIP 1

/** `utf8`: bytes are given out as they came. */
#define SSEAM_UTF8_PASS 0

/** `utf8`: an event whose type, data or id is not valid UTF-8 is an error. */
#define SSEAM_UTF8_STRICT 1

/** `report`: comments are items too. */
#define SSEAM_REPORT_COMMENTS 1

/** `report`: reconnection times are items too. */
#define SSEAM_REPORT_RETRY 2

/** `report`: lines without effect are items too. */
#define SSEAM_REPORT_IGNORED 4

/**
 * Turns the bytes of one stream after the other into events.
 *
 * A parser may move between threads and be used by one at a time; functions
 * that take it as `const` may run together. Different parsers share nothing.
 */
typedef struct sseam_parser sseam_parser;

/**
 * What a function came to: an error where it is negative. Treat a code that
 * you do not know as an error if it is negative, and as a kind of item to be
 * left alone if it is not.
 */
typedef int32_t sseam_status;

/**
 * How a parser shall work. Call `sseam_options_init` first, then change what
 * you want changed.
 *
 * What is exactly as long as a limit passes, one byte more does not, wherever
 * the input was cut.
 */
typedef struct sseam_options {
    /** `sizeof(sseam_options)`, set by `sseam_options_init`. */
    size_t struct_size;
    /**
     * Longest line in bytes, without its line end; 0 for no limit, which costs
     * no memory. Default 0.
     */
    size_t max_line;
    /**
     * Longest data of one event in bytes, with the line feeds that join its
     * lines. Default 1 MiB.
     */
    size_t max_data;
    /** Longest event type in bytes. Default 256. */
    size_t max_type;
    /** Longest id in bytes. Default 1024. */
    size_t max_id;
    /**
     * How much of a comment or of an ignored line is kept to be shown; longer
     * ones are no error. Default 512.
     */
    size_t max_comment;
    /** Most bytes of one stream; 0 for no limit. Default 0. */
    uint64_t max_total_bytes;
    /** Most events of one stream; 0 for no limit. Default 0. */
    uint64_t max_events;
    /** `SSEAM_OVERFLOW_FAIL` (default) or `SSEAM_OVERFLOW_SKIP`. */
    uint32_t on_overflow;
    /** `SSEAM_UTF8_PASS` (default) or `SSEAM_UTF8_STRICT`. */
    uint32_t utf8;
    /** `SSEAM_REPORT_...` bits. Default 0: events alone. */
    uint32_t report;
    /** Must be 0. */
    uint32_t reserved;
} sseam_options;

#if defined(SSEAM_HEAP)
/**
 * Where a parser or an answer on the heap gets its memory. Sizes are given back as they were
 * asked for, so an arena needs no headers of its own.
 *
 * The functions must not throw, and must not use what they serve.
 */
typedef struct sseam_allocator {
    /** `sizeof(sseam_allocator)`, set by the caller. */
    size_t struct_size;
    /** Gives `size` bytes, aligned as by `malloc`, or NULL. */
    void *(*alloc)(void *user, size_t size);
    /**
     * Resizes memory of `old_size` bytes, or gives NULL and leaves it as it is.
     * NULL instead of a function: `alloc`, a copy and `free` take its place.
     */
    void *(*realloc)(void *user, void *memory, size_t old_size, size_t new_size);
    /** Takes back memory of `size` bytes; never NULL. */
    void (*free)(void *user, void *memory, size_t size);
    /** Passed to the functions. */
    void *user;
} sseam_allocator;
#endif

/** Which limit was passed. */
typedef int32_t sseam_limit;

/**
 * Bytes with their length: never NULL from the library, not ended by NUL, and
 * they may hold NUL. `printf("%.*s", (int)s.len, s.ptr)` shows them.
 */
typedef struct sseam_str {
    /** The first byte. */
    const char *ptr;
    /** How many there are. */
    size_t len;
} sseam_str;

/**
 * One thing that the stream said. Set `struct_size` before each first use.
 *
 * Views are valid until the next call on the same parser that takes a pointer
 * to it without `const`, and only while you leave the bytes that you passed to
 * this call unchanged.
 */
typedef struct sseam_item {
    /** `sizeof(sseam_item)`, set by the caller. */
    size_t struct_size;
    /**
     * `SSEAM_EVENT`, `SSEAM_COMMENT`, `SSEAM_RETRY`, `SSEAM_SKIPPED` or
     * `SSEAM_IGNORED`; may be another one with a newer library.
     */
    sseam_status kind;
    /** `SSEAM_ITEM_...` bits; ignore those that you do not know. */
    uint32_t flags;
    /** SKIPPED: the first limit that the event passed. */
    sseam_limit limit;
    /** EVENT, SKIPPED: the event's type, `message` where the stream names none. */
    sseam_str type;
    /**
     * EVENT: the data. SKIPPED: its beginning, never to be taken for the data.
     * COMMENT: the text after the colon. IGNORED: the line. Of the last two at
     * most `max_comment` bytes.
     */
    sseam_str data;
    /**
     * EVENT: the last event id when the event was complete, which an earlier
     * event may have set. Points into the parser's memory, or is empty.
     */
    sseam_str last_event_id;
    /** EVENT, SKIPPED: offset in the stream of the event's first byte. */
    uint64_t offset;
    /** EVENT, SKIPPED: offset one past the first byte of its blank line's end. */
    uint64_t end;
    /**
     * How long `data` is, or would be if it had not been cut. SKIPPED: what the
     * bytes that `limit` counts came to.
     */
    uint64_t full_len;
    /** RETRY: the reconnection time in milliseconds. */
    uint64_t retry_ms;
    /** SKIPPED: the value of that limit. */
    uint64_t limit_max;
} sseam_item;

/** Is given each item; a result other than 0 stops. Must not throw or `longjmp`. */
typedef int (*sseam_item_callback)(void *user, const sseam_item *item);

/** What the end of input threw away. */
typedef struct sseam_end {
    /** `sizeof(sseam_end)`, set by the caller. */
    size_t struct_size;
    /** Bytes of event memory that were in use. */
    size_t held;
    /** Bytes of the stream. */
    uint64_t offset;
    /** `SSEAM_PENDING_...` bits; 0 after a whole event. */
    uint32_t pending;
    /** Always 0. */
    uint32_t reserved;
} sseam_end;

/** What was counted since the start or the last reset. */
typedef struct sseam_stats {
    /** `sizeof(sseam_stats)`, set by the caller. */
    size_t struct_size;
    /** Bytes of event memory that the parser holds now. */
    size_t memory;
    /** Bytes taken, a byte-order mark included. */
    uint64_t bytes;
    /** Lines that ended, blank ones included. */
    uint64_t lines;
    /** Events given out. */
    uint64_t events;
    /** Comment lines that ended. */
    uint64_t comments;
    /** Lines that ended and had no effect. */
    uint64_t ignored_lines;
    /** Events that were left out. */
    uint64_t skipped;
} sseam_stats;

/** Why the parser has stopped. */
typedef struct sseam_error {
    /** `sizeof(sseam_error)`, set by the caller. */
    size_t struct_size;
    /** What `sseam_parser_feed` returned, and returns until a reset. */
    sseam_status status;
    /** The limit that was passed, `SSEAM_LIMIT_NONE` for other errors. */
    sseam_limit limit;
    /** Always 0. */
    uint32_t reserved;
    /** The value of that limit. */
    uint64_t max;
    /**
     * Offset in the stream of the first byte over the limit; for
     * `SSEAM_ERR_UTF8`, of the first byte of the event.
     */
    uint64_t offset;
} sseam_error;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/**
 * Gives the library's version as `SSEAM_VERSION_NUMBER` does that of the
 * header: major * 0x10000 + minor * 0x100 + patch.
 */
uint32_t sseam_version_number(void);

/** Gives the library's version as text, such as `1.2.3`, that ends with NUL. */
const char *sseam_version_string(void);

/**
 * Gives the library's `SSEAM_ABI_VERSION`. Where it is not that of your header,
 * use nothing else of the library.
 */
uint32_t sseam_abi_version(void);

/**
 * Says in a sentence what a status means.
 *
 * Works for every number; the text is constant, in English, and ends with NUL.
 */
const char *sseam_strerror(sseam_status status);

/**
 * Gives the name of a status, such as `SSEAM_ERR_MEMORY`, for logs.
 *
 * Works for every number; the text is constant and ends with NUL.
 */
const char *sseam_status_name(sseam_status status);

/**
 * Sets every option to its default. Use the macro `sseam_options_init`, which
 * passes the size.
 *
 * Contract: `options` is NULL, which does nothing, or points to `struct_size` writable
 * bytes. A size below that of `struct_size` itself does nothing either.
 */
void sseam_options_init_sized(sseam_options *options, size_t struct_size);

/**
 * Makes the limits such that a parser fits into `memory_len` bytes, with as
 * much of it for data as can be; for machines where memory is what there is.
 *
 * Returns `SSEAM_ERR_MEMORY` where that is not enough for any parser.
 *
 * Contract: `options` is NULL, which is refused, or was set up by `sseam_options_init`.
 */
sseam_status sseam_options_fit(sseam_options *options, size_t memory_len);

/**
 * Says how many bytes `sseam_parser_init` needs for these options; 0 where they
 * are no good. Constant for the same options and library.
 *
 * Contract: `options` is NULL, for the defaults, or was set up by `sseam_options_init`.
 */
size_t sseam_parser_size(const sseam_options *options);

/** Says at which alignment `sseam_parser_init` needs its memory. */
size_t sseam_parser_align(void);

/**
 * Makes a parser in memory that the caller keeps for as long as the parser
 * lives. Nothing is ever allocated, and there is nothing to be freed.
 *
 * The first `sseam_parser_size(options)` bytes are zeroed and used. `options`
 * may be NULL for the defaults. Writes `*out` on `SSEAM_OK` and nothing
 * otherwise: `SSEAM_ERR_MEMORY` where `memory_len` is too short,
 * `SSEAM_ERR_ARGUMENT` where memory is not aligned or an option does not exist.
 *
 * Contract: `memory` is NULL, which is refused, or points to `memory_len` bytes that
 * nobody else uses, and that are neither moved nor copied, until the parser was
 * freed or is given up.
 */
SSEAM_MUST_USE
sseam_status sseam_parser_init(void *memory,
                               size_t memory_len,
                               const sseam_options *options,
                               sseam_parser **out);

/**
 * Ends a parser. One from `sseam_parser_new` gives its memory back to its
 * allocator; memory lent to `sseam_parser_init` is the caller's again.
 *
 * From the parser's own callback the end is put off until that call returns,
 * which it then does with `SSEAM_STOPPED`; no further item is given. From its
 * allocator, the call does nothing.
 *
 * Contract: `parser` is NULL, which does nothing, or a parser that was not freed.
 */
void sseam_parser_free(sseam_parser *parser);

#if defined(SSEAM_HEAP)
/**
 * Makes a parser whose event memory grows on demand, up to its limits.
 *
 * It begins with none, grows while an event lies in several chunks or lines,
 * and gives back what a large event has left. An event that lies whole in one
 * chunk needs none. Both pointers may be NULL: default options; `malloc`,
 * `realloc` and `free`. Writes `*out` on `SSEAM_OK` and nothing otherwise.
 *
 * Firmware libraries lack this function: use `sseam_parser_init` there.
 *
 * Contract: The functions of `allocator` keep the contract of that struct for as long as
 * the parser lives.
 */
SSEAM_MUST_USE
sseam_status sseam_parser_new(const sseam_options *options,
                              const sseam_allocator *allocator,
                              sseam_parser **out);
#endif

/**
 * Takes bytes off the front of the input until there is one item to tell.
 *
 * Returns the item's kind, and then `*out` is the item; or `SSEAM_OK`, and then
 * the input is used up; or an error. `*used` is always how many bytes were
 * taken, at least one for each item. Call it again with the rest until it
 * returns `SSEAM_OK`:
 *
 *     while ((status = sseam_parser_feed(p, s + at, n - at, &used, &item)) > 0) {
 *         at += used;
 *         if (status == SSEAM_EVENT) handle(item.type, item.data);
 *     }
 *
 * An error stays until `sseam_parser_reset`, but `SSEAM_ERR_MEMORY`,
 * `SSEAM_ERR_ARGUMENT` and `SSEAM_ERR_REENTRANT`, after which the call may be
 * made again with the same bytes. Bytes before the error are taken, and events
 * before it have been given out.
 *
 * Contract: `bytes` points to `len` bytes, or `len` is 0. The bytes are not the parser's
 * own, such as those of an earlier view. `out->struct_size` is set.
 */
SSEAM_MUST_USE
sseam_status sseam_parser_feed(sseam_parser *parser,
                               const void *bytes,
                               size_t len,
                               size_t *used,
                               sseam_item *out);

/**
 * Takes all of the input and gives each item to a function.
 *
 * Returns `SSEAM_OK` when the input is used up, `SSEAM_STOPPED` when the
 * function returned something other than 0 (the parser can go on with the bytes
 * from `*used` on), or an error as `sseam_parser_feed`.
 *
 * The function may read the parser's state and may free it; a call that would
 * change it returns `SSEAM_ERR_REENTRANT`. Where the function freed the parser,
 * no further item is given and `SSEAM_STOPPED` is returned.
 *
 * Contract: As for `sseam_parser_feed`. `on_item` returns: it must not throw and not jump.
 */
SSEAM_MUST_USE
sseam_status sseam_parser_feed_all(sseam_parser *parser,
                                   const void *bytes,
                                   size_t len,
                                   size_t *used,
                                   sseam_item_callback on_item,
                                   void *user);

/**
 * Tells that the input has ended.
 *
 * Returns `SSEAM_OK` after a whole event, `SSEAM_TRUNCATED` where the stream
 * broke off inside one, and fills `*out` in both cases; or the error that the
 * parser has stopped with. Calling it again gives the same answer. Input is
 * refused with `SSEAM_ERR_STATE` from now on until `sseam_parser_reset`.
 *
 * Contract: `parser` is NULL, which is refused, or a parser. `out` is NULL, for a caller
 * who does not want the details, or its `struct_size` is set.
 */
SSEAM_MUST_USE
sseam_status sseam_parser_finish(sseam_parser *parser,
                                 sseam_end *out);

/**
 * Gives out, once, the event that the end of input threw away.
 *
 * To be called after `sseam_parser_finish`. Returns `SSEAM_EVENT` with the flag
 * `SSEAM_ITEM_UNFINISHED`, or `SSEAM_OK` where there is no data. An unfinished
 * line counts only if it is `data` and its colon was seen. The event's id is
 * the one before it: its own is never committed.
 *
 * Contract: `parser` is NULL, which is refused, or a parser. `out->struct_size` is set.
 */
SSEAM_MUST_USE
sseam_status sseam_parser_take_unfinished(sseam_parser *parser,
                                          sseam_item *out);

/**
 * Begins a new connection.
 *
 * Options, last event id and reconnection time stay, which is what a reconnect
 * needs; the unfinished event, an error and the counts go. A parser on the heap
 * gives back its event memory. Returns `SSEAM_OK`, `SSEAM_ERR_ARGUMENT` or
 * `SSEAM_ERR_REENTRANT`.
 *
 * Contract: `parser` is NULL, which is refused, or a parser.
 */
sseam_status sseam_parser_reset(sseam_parser *parser);

/**
 * Goes on after a loss of bytes, as of an overrun UART: everything up to the
 * next blank line is dropped and counted as one skipped event, so that no event
 * is put together from two. Statuses as for `sseam_parser_reset`.
 *
 * Contract: `parser` is NULL, which is refused, or a parser.
 */
sseam_status sseam_parser_resync(sseam_parser *parser);

/**
 * Sets the last event id, for a session that is resumed before its first byte.
 *
 * Returns `SSEAM_ERR_ID_TOO_LONG` over `max_id`, `SSEAM_ERR_ARGUMENT` for an id
 * with CR, LF or NUL, which no stream can set and no header can carry.
 *
 * Contract: `parser` is NULL, which is refused, or a parser. `id` points to `len` bytes,
 * or `len` is 0; the bytes are not the parser's own.
 */
SSEAM_MUST_USE
sseam_status sseam_parser_set_last_event_id(sseam_parser *parser,
                                            const void *id,
                                            size_t len);

/**
 * Gives the last event id: that of the last event, or of the last block without
 * data, that was complete. Empty where none was set, or for NULL.
 *
 * The view is valid until the next call that takes the parser without `const`.
 *
 * Contract: `parser` is NULL or a parser.
 */
sseam_str sseam_parser_last_event_id(const sseam_parser *parser);

/**
 * Writes the reconnection time in milliseconds and returns `SSEAM_RETRY`, if the
 * stream has set one; otherwise returns `SSEAM_OK` and leaves `*milliseconds` as
 * it was, so that your default stays.
 *
 * Contract: Both are NULL, which is refused, or valid.
 */
sseam_status sseam_parser_retry(const sseam_parser *parser,
                                uint64_t *milliseconds);

/**
 * Counts what the stream has sent. Returns `SSEAM_OK` or `SSEAM_ERR_ARGUMENT`.
 *
 * Contract: Both are NULL, which is refused, or valid; `out->struct_size` is set.
 */
sseam_status sseam_parser_stats(const sseam_parser *parser,
                                sseam_stats *out);

/**
 * Says why the parser has stopped: returns the status that input is refused
 * with, or `SSEAM_OK` while it is taken. Fills `*out` in both cases.
 *
 * Contract: `parser` is NULL, which is refused, or a parser. `out` is NULL, for a caller
 * who does not want the details, or its `struct_size` is set.
 */
sseam_status sseam_parser_error(const sseam_parser *parser,
                                sseam_error *out);

/**
 * Copies text with U+FFFD in place of each malformed part, as browsers decode
 * event streams. Valid UTF-8 is copied as it is.
 *
 * `*needed` is always the length of the result, at most three times `len`.
 * Where `capacity` is less, nothing is written and `SSEAM_ERR_MEMORY` returned,
 * so a first call with `NULL, 0` asks for the length. No NUL is added.
 *
 * Contract: `text` points to `len` bytes and `out` to `capacity` bytes, or those numbers
 * are 0; they do not overlap.
 */
sseam_status sseam_utf8_replace(const void *text,
                                size_t len,
                                char *out,
                                size_t capacity,
                                size_t *needed);

/**
 * Writes an event with its blank line, in such a way that a parser gives it
 * back: data is cut at every line end, so that nothing can be injected.
 *
 * An empty type writes no `event` line. An id whose `ptr` is NULL writes no `id`
 * line; an empty one with a pointer resets the last event id. A type or id with
 * CR, LF or NUL is refused with `SSEAM_ERR_ARGUMENT`.
 *
 * `*needed` is the length of the block. Where `capacity` is less, nothing is
 * written and `SSEAM_ERR_MEMORY` returned, so a call with `NULL, 0` asks for the
 * length.
 *
 * Contract: Each of `type`, `data` and `id` points to as many bytes as it says, or that
 * is 0. `out` points to `capacity` bytes, or that is 0. Nothing
 * overlaps `out`.
 */
sseam_status sseam_encode_event(sseam_str type,
                                sseam_str data,
                                sseam_str id,
                                char *out,
                                size_t capacity,
                                size_t *needed);

/**
 * Writes a comment, one line for each line of the text; as a heartbeat, an
 * empty one will do. No blank line follows. `needed` and statuses as for
 * `sseam_encode_event`.
 *
 * Contract: As for `sseam_encode_event`.
 */
sseam_status sseam_encode_comment(sseam_str text,
                                  char *out,
                                  size_t capacity,
                                  size_t *needed);

/**
 * Writes a `retry` line, which acts at once; no blank line follows. `needed`
 * and statuses as for `sseam_encode_event`.
 *
 * Contract: As for `sseam_encode_event`.
 */
sseam_status sseam_encode_retry(uint64_t milliseconds,
                                char *out,
                                size_t capacity,
                                size_t *needed);

#ifdef __cplusplus
}  /* extern "C" */
#endif  /* __cplusplus */

/** The header's version as one number: major * 0x10000 + minor * 0x100 + patch. */
#define SSEAM_VERSION_NUMBER \
    (SSEAM_VERSION_MAJOR * 0x10000 + SSEAM_VERSION_MINOR * 0x100 + SSEAM_VERSION_PATCH)

/** Sets every option to its default. */
#define sseam_options_init(options) sseam_options_init_sized((options), sizeof *(options))

/** A parser needs at most this besides its event memory, with any library of
 *  this `SSEAM_ABI_VERSION`. */
#define SSEAM_PARSER_STATE (32 * sizeof(void *) + 256)

/** Bytes that are enough for `sseam_parser_init` with these options, for a static
 *  array; `sseam_parser_size` says how many it really takes. */
#define SSEAM_PARSER_STORAGE(max_data, max_type, max_id, max_comment) \
    (SSEAM_PARSER_STATE + (max_data) + 2 * (max_type) + 3 * (max_id) + (max_comment))

/** Memory for a parser without a heap, aligned as it must be:
 *
 *     static SSEAM_PARSER_ARENA(arena, SSEAM_PARSER_STORAGE(512, 64, 64, 0));
 *     sseam_parser_init(&arena, sizeof arena, &options, &parser);
 */
#define SSEAM_PARSER_ARENA(name, storage) \
    union {                               \
        uint64_t align;                   \
        void *pointer;                    \
        unsigned char bytes[storage];     \
    } name

/*
 * The answers of AI APIs.
 *
 * An event is not the answer: only the API's own terminal says that the answer is
 * whole. An answer takes the bytes of one, gives its text as it comes, and says in
 * the end what became of it. It allocates nothing that was not asked for.
 *
 *     sseam_answer *answer;
 *     sseam_outcome outcome;
 *     sseam_str part;
 *     size_t at;
 *
 *     if (sseam_answer_new(NULL, NULL, &answer) != SSEAM_OK) return 1;
 *     while ((n = read(fd, buffer, sizeof buffer)) > 0)
 *         for (at = 0; sseam_answer_text(answer, buffer, n, &at, &part) > 0;)
 *             fwrite(part.ptr, 1, part.len, stdout);
 *     sseam_answer_end(answer, n < 0 ? SSEAM_CLOSE_RESET : SSEAM_CLOSE_CLEAN);
 *     outcome.struct_size = sizeof outcome;
 *     sseam_answer_outcome(answer, &outcome);
 *     sseam_answer_free(answer);
 *     return outcome.exit_code;
 *
 * Not stable yet: this section has a number of its own, `SSEAM_ANSWER_ABI_VERSION`,
 * which may rise with any release before 1.0. Codes keep their meaning; take those
 * that you do not know as "other".
 */

/**
 * The end of an answer says something, and there is no item. Only from
 * `sseam_answer_feed`.
 */
#define SSEAM_SIGNALS 8

/** A tool call is whole. Only from `sseam_calls_observe`. */
#define SSEAM_CALL 9

/**
 * Number of the interface for answers of AI APIs, counted apart from
 * `SSEAM_ABI_VERSION`: it may rise with any release before 1.0. The functions that
 * make an answer carry it in their symbols, so that a program of another one does
 * not link, or does not start.
 */
#define SSEAM_ANSWER_ABI_VERSION 1

/** The API is found out from the first event whose shape is known. */
#define SSEAM_DIALECT_AUTO 0

/** No API: each event's data is text, and only a clean end is known. */
#define SSEAM_DIALECT_PLAIN 1

/** No known API: plain, and markers say where the text is and what ends it. */
#define SSEAM_DIALECT_CUSTOM 2

/** OpenAI Responses. */
#define SSEAM_DIALECT_OPENAI_RESPONSES 3

/** OpenAI Chat Completions, and servers compatible with it. */
#define SSEAM_DIALECT_OPENAI_CHAT 4

/** Anthropic Messages. */
#define SSEAM_DIALECT_ANTHROPIC 5

/** Gemini `streamGenerateContent?alt=sse`. */
#define SSEAM_DIALECT_GEMINI 6

/** Gemini Interactions. */
#define SSEAM_DIALECT_GEMINI_INTERACTIONS 7

/** Cohere v2 chat. */
#define SSEAM_DIALECT_COHERE 8

/** MCP Streamable HTTP, revisions 2025-03-26 to 2025-11-25. */
#define SSEAM_DIALECT_MCP_2025 9

/** MCP Streamable HTTP, revision 2026-07-28. */
#define SSEAM_DIALECT_MCP_2026 10

/** What first-party servers and well-behaved compatible ones send. */
#define SSEAM_MODE_DEFAULT 0

/** Everything that the API's own documents promise. */
#define SSEAM_MODE_STRICT 1

/**
 * The first thing that says why the answer ended; for careless proxies. A last
 * event without its blank line counts too.
 */
#define SSEAM_MODE_LENIENT 2

/** A piece of output text of the chosen choice, in `text`. */
#define SSEAM_SIGNAL_TEXT 1

/** A piece of reasoning, in `text`: thoughts, their summary, a tool plan. */
#define SSEAM_SIGNAL_REASONING 2

/** A piece of the words with which the model declines, in `text`. */
#define SSEAM_SIGNAL_REFUSAL 3

/**
 * A tool call began: `key`, its id in `code`, the tool's name in `text`. You are to
 * run it if the flag `SSEAM_SIGNAL_IS_CLIENT` is set; others run at the server.
 */
#define SSEAM_SIGNAL_TOOL_OPENED 4

/**
 * A piece of the arguments of the call `key`, in `text`; all pieces together
 * are JSON. See `sseam_calls_observe`.
 */
#define SSEAM_SIGNAL_TOOL_ARGUMENTS 5

/**
 * The API ended the call `key`, and its arguments are whole. Run it when the outcome
 * says `SSEAM_OUTCOME_MAY_RUN_CALLS`.
 */
#define SSEAM_SIGNAL_TOOL_CLOSED 6

/** Output of a choice that was not chosen: `choice`. */
#define SSEAM_SIGNAL_OTHER_CHOICE 7

/**
 * A choice, or the whole answer, has ended: `choice`, `reason`, and the API's own
 * word in `text`.
 */
#define SSEAM_SIGNAL_FINISH 8

/** Tokens used, in `usage`, as far as this event tells. */
#define SSEAM_SIGNAL_USAGE 9

/** Nothing but a sign of life. */
#define SSEAM_SIGNAL_KEEP_ALIVE 10

/** The answer is over. Usage and late errors may follow; text does not count. */
#define SSEAM_SIGNAL_TERMINAL 11

/** The server reports a failure: `code`, and a message for people in `text`. */
#define SSEAM_SIGNAL_ERROR 12

/**
 * The data is not the JSON that it ought to be, from its byte `offset` on, and may
 * have been output. The stream goes on, and the answer is never complete.
 */
#define SSEAM_SIGNAL_UNREADABLE 13

/** Anything else, also what is not known yet. */
#define SSEAM_SIGNAL_OTHER 14

/**
 * The answer's own id in `code`, and in `text` the model that gives it; either may
 * be empty.
 */
#define SSEAM_SIGNAL_ANSWER 15

/** None was given. */
#define SSEAM_REASON_NONE 0

/** The model had said all. */
#define SSEAM_REASON_STOP 1

/** A stop sequence of yours came up. */
#define SSEAM_REASON_STOP_SEQUENCE 2

/** You have to run tools. */
#define SSEAM_REASON_TOOL_CALLS 3

/** A word that is not known. */
#define SSEAM_REASON_OTHER 4

/** The output budget ran out. */
#define SSEAM_REASON_MAX_OUTPUT 5

/** The context window is full. */
#define SSEAM_REASON_CONTEXT_WINDOW 6

/** The server paused; it wants to be asked to go on. */
#define SSEAM_REASON_PAUSED 7

/** A filter took or cut the answer. */
#define SSEAM_REASON_CONTENT_FILTER 8

/** Incomplete, and the server does not say more. */
#define SSEAM_REASON_UNFINISHED 9

/** The server closed on purpose and expects you back. */
#define SSEAM_REASON_RECONNECT 10

/** The model declined. */
#define SSEAM_REASON_MODEL_REFUSED 11

/** A filter blocked the prompt. */
#define SSEAM_REASON_PROMPT_BLOCKED 12

/** A filter stopped the output. */
#define SSEAM_REASON_OUTPUT_BLOCKED 13

/** The server cancelled. */
#define SSEAM_REASON_CANCELLED 14

/** It went wrong on the server's side. */
#define SSEAM_REASON_ERROR 15

/** The API says that all is there, and a call that you are to run is not whole. */
#define SSEAM_REASON_OPEN_CALL 16

/** The API says that all is there, and something of it did not come. */
#define SSEAM_REASON_LOST 17

/**
 * The API says that all is there, and an event that may have held output could not
 * be read.
 */
#define SSEAM_REASON_UNREADABLE 18

/** The API's own terminal was seen, and it says that all is there: `reason`. */
#define SSEAM_OUTCOME_COMPLETED 1

/** A stream without a terminal was read to its clean end; the rest is not known. */
#define SSEAM_OUTCOME_ENDED 2

/** There is more, or there would be: `reason`. */
#define SSEAM_OUTCOME_INCOMPLETE 3

/** The model or a filter declined: `reason`. */
#define SSEAM_OUTCOME_REFUSED 4

/** The server reported a failure in the stream: `code`. */
#define SSEAM_OUTCOME_FAILED 5

/** Cancelled, by the server (`cause` is 0) or by you (`SSEAM_CLOSE_CANCELLED`). */
#define SSEAM_OUTCOME_CANCELLED 6

/** The stream broke off before the terminal; `cause` is how. */
#define SSEAM_OUTCOME_TRUNCATED 7

/** You gave up waiting; `cause` is for what. */
#define SSEAM_OUTCOME_TIMED_OUT 8

/**
 * Something did not fit, and the answer may be lacking it; `cause` is the
 * `SSEAM_LIMIT_...`.
 */
#define SSEAM_OUTCOME_LIMIT_EXCEEDED 9

/** The stream is not valid UTF-8, and you want it to be. */
#define SSEAM_OUTCOME_INVALID_TEXT 10

/** The HTTP status, `cause`, said that there is no answer. */
#define SSEAM_OUTCOME_FAILED_STATUS 11

/** The body is no event stream. */
#define SSEAM_OUTCOME_NOT_EVENT_STREAM 12

/** There was no connection, or it broke before the answer began. */
#define SSEAM_OUTCOME_TRANSPORT_FAILED 13

/** One that this header has no name for. */
#define SSEAM_OUTCOME_OTHER 14

/** `cause`: event memory, which could not grow. */
#define SSEAM_LIMIT_MEMORY 7

/** `cause`: more open tool calls, or choices, than an answer keeps track of. */
#define SSEAM_LIMIT_TRACKED 8

/** Not known to be anything but an event stream. */
#define SSEAM_FOREIGN_NONE 0

/** An HTTP response whose head was taken for the body. */
#define SSEAM_FOREIGN_HTTP_HEAD 1

/** An HTTP body in chunks that nobody took apart. */
#define SSEAM_FOREIGN_CHUNK_SIZES 2

/** Data compressed by gzip. */
#define SSEAM_FOREIGN_GZIP 3

/** Data compressed by zstd. */
#define SSEAM_FOREIGN_ZSTD 4

/** Text in UTF-16. */
#define SSEAM_FOREIGN_UTF16 5

/** An HTML page. */
#define SSEAM_FOREIGN_HTML 6

/** An XML document. */
#define SSEAM_FOREIGN_XML 7

/** One JSON object in each line. */
#define SSEAM_FOREIGN_NDJSON 8

/** A JSON array, as Gemini streams it if it is not asked for events. */
#define SSEAM_FOREIGN_JSON_ARRAY 9

/** A JSON object that tells of an error. */
#define SSEAM_FOREIGN_JSON_ERROR 10

/** The whole answer of an AI API, where a stream was asked for or meant to be. */
#define SSEAM_FOREIGN_JSON_ANSWER 11

/** Any other JSON object. */
#define SSEAM_FOREIGN_JSON 12

/** Hang up: nothing more matters. */
#define SSEAM_WANTS_NOTHING 0

/** Read on: the answer is not over. */
#define SSEAM_WANTS_MORE 1

/**
 * Read on until nothing comes for a while, and then end with
 * `SSEAM_CLOSE_SETTLED`: all choices have finished, or the API's own end came and
 * its reason may follow.
 */
#define SSEAM_WANTS_MORE_UNTIL_QUIET 2

/** The answer is over when an event's data is `value`, such as `[DONE]`. */
#define SSEAM_MARKER_END_DATA 1

/** The answer is over when an event has the type `value`. */
#define SSEAM_MARKER_END_EVENT 2

/**
 * The answer is over when the field at `path` is `value`: the text of a string,
 * or a number, `true`, `false` or `null` as it is written.
 */
#define SSEAM_MARKER_END_FIELD 3

/** The text is the string at `path`, and not the whole data. */
#define SSEAM_MARKER_TEXT_FIELD 4

/** An event of the type `value` is a failure. */
#define SSEAM_MARKER_ERROR_EVENT 5

/**
 * An MCP stream is over when the response to the request with the id `value`, a
 * string, comes.
 */
#define SSEAM_MARKER_REQUEST_ID 6

/** The same for an id that is the whole number `value`, in decimal. */
#define SSEAM_MARKER_REQUEST_NUMBER 7

/** `input` was told. */
#define SSEAM_USAGE_HAS_INPUT 1

/** `input_cached` was told. */
#define SSEAM_USAGE_HAS_INPUT_CACHED 2

/** `input_cache_written` was told. */
#define SSEAM_USAGE_HAS_INPUT_CACHE_WRITTEN 4

/** `output` was told. */
#define SSEAM_USAGE_HAS_OUTPUT 8

/** `output_reasoning` was told. */
#define SSEAM_USAGE_HAS_OUTPUT_REASONING 16

/** `total` was told. */
#define SSEAM_USAGE_HAS_TOTAL 32

/** It shows that the answer came on; keep-alives, usage and errors do not. */
#define SSEAM_SIGNAL_IS_PROGRESS 1

/** TOOL_OPENED: you are to run it. Others run at the server, and are shown. */
#define SSEAM_SIGNAL_IS_CLIENT 2

/** The body came to its end without a fault. */
#define SSEAM_CLOSE_CLEAN 0

/** The body was cut before its own end: a missing last chunk, too few bytes. */
#define SSEAM_CLOSE_CUT 20

/** The connection was reset, or broke in another way. */
#define SSEAM_CLOSE_RESET 21

/** You gave up waiting for the connection. */
#define SSEAM_CLOSE_TIMEOUT_CONNECT 22

/** You gave up waiting for the head of the response. */
#define SSEAM_CLOSE_TIMEOUT_HEADERS 23

/** You gave up waiting for the first output. */
#define SSEAM_CLOSE_TIMEOUT_FIRST_OUTPUT 24

/** You gave up waiting for any byte. */
#define SSEAM_CLOSE_TIMEOUT_IDLE 25

/** You gave up waiting for anything that shows that the answer comes on. */
#define SSEAM_CLOSE_TIMEOUT_PROGRESS 26

/** You gave up waiting for the end. */
#define SSEAM_CLOSE_TIMEOUT_TOTAL 27

/** You, or your user, cancelled. */
#define SSEAM_CLOSE_CANCELLED 28

/** The head of the response, or the body, is not that of an event stream. */
#define SSEAM_CLOSE_NOT_EVENT_STREAM 29

/** There was no response. */
#define SSEAM_CLOSE_NO_RESPONSE 30

/**
 * Nothing came for a while after all choices had finished: see
 * `sseam_answer_wants`.
 */
#define SSEAM_CLOSE_SETTLED 31

/** The API's own end was seen. */
#define SSEAM_ANSWER_TERMINAL 1

/** The API's own end was seen, and nothing is known to follow it. */
#define SSEAM_ANSWER_OVER 2

/** Text, reasoning, a refusal, media or a tool call was seen. */
#define SSEAM_ANSWER_OUTPUT 4

/** All choices have finished, and the API's own end was not seen. */
#define SSEAM_ANSWER_FINISHED 8

/** The end of the answer was seen: the API's own, or what stands for it. */
#define SSEAM_OUTCOME_HAS_TERMINAL 1

/**
 * Text, reasoning, a refusal, media or a tool call was seen: asking again costs
 * twice.
 */
#define SSEAM_OUTCOME_HAS_OUTPUT 2

/** The tool said that it failed (MCP). */
#define SSEAM_OUTCOME_HAS_TOOL_ERROR 4

/** The server keeps the answer running without you (Responses). */
#define SSEAM_OUTCOME_IS_BACKGROUND 8

/** A sequence number was jumped over: events were lost on the way. */
#define SSEAM_OUTCOME_HAS_GAP 16

/** The transport failed after the terminal; the answer is whole all the same. */
#define SSEAM_OUTCOME_HAS_LATE_FAULT 32

/** TRUNCATED: within an event, not between two. */
#define SSEAM_OUTCOME_IS_INSIDE_EVENT 64

/** Complete, and without any output. */
#define SSEAM_OUTCOME_IS_EMPTY 128

/** Output is missing: what repeats it differs from it. */
#define SSEAM_OUTCOME_IS_LOST 256

/** Its closed calls may be run: the answer came to an end that says so. */
#define SSEAM_OUTCOME_MAY_RUN_CALLS 512

/** Asking again is safe: nothing of an answer came. */
#define SSEAM_OUTCOME_MAY_ASK_AGAIN 1024

/** The API cannot, or gave no place to go on from. */
#define SSEAM_RESUBSCRIBE_IMPOSSIBLE 0

/** The answer is over: there is nothing to wait for. */
#define SSEAM_RESUBSCRIBE_NOT_NEEDED 1

/** From the cursor on. */
#define SSEAM_RESUBSCRIBE_FROM_CURSOR 2

/** From the cursor on, if the request was one that the server keeps running. */
#define SSEAM_RESUBSCRIBE_PERHAPS 3

/** None: the stream gave no place. */
#define SSEAM_CURSOR_NOWHERE 0

/** After the sequence number `cursor_number`. */
#define SSEAM_CURSOR_SEQUENCE 1

/** After the id `cursor`, which stands in the JSON. */
#define SSEAM_CURSOR_EVENT_ID 2

/** After the id `cursor` of the event stream itself: `Last-Event-ID`. */
#define SSEAM_CURSOR_LAST_EVENT_ID 3

/** After an id that is too long to be kept here: `sseam_answer_last_event_id`. */
#define SSEAM_CURSOR_TOO_LONG 4

/**
 * Follows one answer of an AI API, from the first byte of its stream to its
 * outcome.
 *
 * It keeps no text. An answer may move between threads and be used by one at a
 * time; functions that take it as `const` may run together.
 */
typedef struct sseam_answer sseam_answer;

/** Which API's events these are. Take one that you do not know as some other. */
typedef int32_t sseam_dialect;

/** What counts as the end of an answer. */
typedef int32_t sseam_mode;

/** What a marker marks. */
typedef int32_t sseam_marker_kind;

/**
 * What explains the events of an API that only you know. An answer keeps a copy;
 * all of them together may be some 190 bytes long.
 */
typedef struct sseam_marker {
    /** `SSEAM_MARKER_...` */
    sseam_marker_kind kind;
    /** Must be 0. */
    uint32_t reserved;
    /**
     * Where in the JSON, as in `choices.0.delta.content`; for the kinds that
     * have a path.
     */
    sseam_str path;
    /** For the kinds that have a value. */
    sseam_str value;
} sseam_marker;

/**
 * What an answer is to expect, and the limits that it is read with. Call
 * `sseam_answer_options_init` first, then change what you want changed.
 */
typedef struct sseam_answer_options {
    /** `sizeof(sseam_answer_options)`, set by `sseam_answer_options_init`. */
    size_t struct_size;
    /** As in `sseam_options`, with the same defaults, down to `max_events`. */
    size_t max_line;
    /** See `sseam_options`. An event of more bytes ends the answer, or is left out. */
    size_t max_data;
    /** See `sseam_options`. */
    size_t max_type;
    /** See `sseam_options`. */
    size_t max_id;
    /**
     * See `sseam_options`; at least 256 are kept, since servers hide failures in
     * lines that are no events.
     */
    size_t max_comment;
    /** See `sseam_options`. */
    uint64_t max_total_bytes;
    /** See `sseam_options`. */
    uint64_t max_events;
    /**
     * How long to wait for more once all choices have finished, in milliseconds:
     * see `sseam_answer_wants`. Default 2000.
     */
    uint64_t settle_ms;
    /** `SSEAM_OVERFLOW_FAIL` (default) or `SSEAM_OVERFLOW_SKIP`. */
    uint32_t on_overflow;
    /**
     * `SSEAM_UTF8_PASS` (default): what is no UTF-8 reads as U+FFFD; or
     * `SSEAM_UTF8_STRICT`: an event whose data is not UTF-8 stops the reading.
     */
    uint32_t utf8;
    /**
     * `SSEAM_DIALECT_...`. Default `SSEAM_DIALECT_AUTO`; name it where you know
     * it.
     */
    sseam_dialect dialect;
    /** `SSEAM_MODE_...`. Default `SSEAM_MODE_DEFAULT`. */
    sseam_mode mode;
    /** Whose text is wanted, where an answer has several choices. Default 0. */
    uint32_t choice;
    /**
     * How many choices you asked for; 0 if one. Without it, a choice that starts
     * after all others have finished comes too late to be waited for.
     */
    uint32_t expected_choices;
    /** `marker_count` markers, which are read by this call only; or NULL. */
    const sseam_marker *markers;
    /** How many there are. Default 0. */
    size_t marker_count;
} sseam_answer_options;

/** What a signal says. Take one that you do not know as `SSEAM_SIGNAL_OTHER`. */
typedef int32_t sseam_signal_kind;

/** What became of an answer. Take one that you do not know as a failure. */
typedef int32_t sseam_outcome_kind;

/**
 * Why an answer ended, over all APIs. Take one that you do not know as
 * `SSEAM_REASON_OTHER`.
 */
typedef int32_t sseam_reason;

/**
 * What a body is that is no event stream. Take one that you do not know as some
 * other.
 */
typedef int32_t sseam_foreign;

/**
 * A piece of text, as it stands in the event: in JSON, with escapes. It is read
 * part by part with `sseam_text_next`, or at once with `sseam_text_decode`. It
 * points into the event and is valid as long as that is. A copy of it is read
 * apart from it. All zero bytes are no text.
 */
typedef struct sseam_text {
    /** Not for you to look at. Not every byte of it has a value. */
    size_t opaque[9];
} sseam_text;

/**
 * Tokens used, as far as the API said; one meaning over all of them. A number that
 * was not told is 0, and its bit is not set.
 */
typedef struct sseam_usage {
    /** `SSEAM_USAGE_HAS_...` bits. */
    uint32_t has;
    /** Always 0. */
    uint32_t reserved;
    /** Of the prompt, all of them: what came from a cache is part of it. */
    uint64_t input;
    /** Of those, what was read from a cache. */
    uint64_t input_cached;
    /** Of those, what was written to a cache. */
    uint64_t input_cache_written;
    /** Of the answer, all of them: reasoning is part of it. */
    uint64_t output;
    /** Of those, reasoning. */
    uint64_t output_reasoning;
    /** What the API calls the sum. */
    uint64_t total;
} sseam_usage;

/**
 * One thing that an item says. Set `struct_size` before each first use.
 *
 * Its texts point into the item that was heard: they are valid until the next call
 * that takes the answer without `const`, other than `sseam_answer_next`, and only
 * while you leave the bytes that you fed unchanged.
 */
typedef struct sseam_signal {
    /** `sizeof(sseam_signal)`, set by the caller. */
    size_t struct_size;
    /** `SSEAM_SIGNAL_...`, which says what the other fields hold. */
    sseam_signal_kind kind;
    /** `SSEAM_SIGNAL_IS_...` bits; ignore those that you do not know. */
    uint32_t flags;
    /** TOOL_...: which call; unique within the answer. */
    uint32_t key;
    /** OTHER_CHOICE, FINISH: which choice. */
    uint32_t choice;
    /** FINISH: `SSEAM_REASON_...` */
    sseam_reason reason;
    /** See the kinds. Empty where there is none. */
    sseam_text text;
    /**
     * ERROR: the code; TOOL_OPENED: the call's id; ANSWER: the answer's id. May be
     * empty.
     */
    sseam_text code;
    /** USAGE: the numbers. */
    sseam_usage usage;
    /** UNREADABLE: index of the byte of the data at which it showed. */
    uint64_t offset;
} sseam_signal;

/**
 * Puts the tool calls of an answer together in memory of yours. It lies where you
 * put it, allocates nothing, and may be moved. Calls on one that was not set up do
 * nothing.
 */
typedef struct sseam_calls {
    /** Not for you to look at. */
    size_t opaque[8];
} sseam_calls;

/** A tool call whose arguments are whole. */
typedef struct sseam_call {
    /** `sizeof(sseam_call)`, set by the caller. */
    size_t struct_size;
    /** What the signals name it by. */
    uint32_t key;
    /** Always 0. */
    uint32_t reserved;
    /** The API's id of the call; empty where it gives none. */
    sseam_str id;
    /** The tool's name. */
    sseam_str name;
    /** JSON text. */
    sseam_str arguments;
} sseam_call;

/**
 * How the reading of a stream ended, as your transport or you know it. A number
 * from 100 to 999 is the HTTP status of an answer that never began, and what
 * `sseam_liveness_fired` returned is one of these. What the stream itself came to, a
 * limit, too little memory, text that is no UTF-8, the answer knows.
 */
typedef int32_t sseam_close;

/** What a source is to do next. */
typedef int32_t sseam_wants;

/** Whether the same answer may be subscribed to again. */
typedef int32_t sseam_resubscribe;

/** What kind of place in the stream the cursor is. */
typedef int32_t sseam_cursor_kind;

/**
 * What became of an answer, and what was seen of it. It points nowhere and may be
 * kept. Its texts are UTF-8, cut at a character where they are too long, and ended
 * by NUL.
 */
typedef struct sseam_outcome {
    /** `sizeof(sseam_outcome)`, set by the caller. */
    size_t struct_size;
    /** `SSEAM_OUTCOME_...` */
    sseam_outcome_kind kind;
    /**
     * The exit code of the command `sseam` for it: 0 for COMPLETED and ENDED
     * alone.
     */
    int32_t exit_code;
    /**
     * Why it ended: what makes it incomplete, or the weightiest reason given, also
     * where the terminal is missing.
     */
    sseam_reason reason;
    /**
     * The dialect; `SSEAM_DIALECT_AUTO` if none was recognised, which explains a
     * truncation: name it.
     */
    sseam_dialect dialect;
    /** See the kinds. */
    int32_t cause;
    /**
     * `SSEAM_OUTCOME_IS_...`, `..._HAS_...` and `..._MAY_...` bits; ignore those that
     * you do not know.
     */
    uint32_t flags;
    /**
     * Tool calls for you that have all their arguments, and may have been run
     * already.
     */
    uint32_t closed_calls;
    /** Tool calls for you that were opened and not closed. Not to be run. */
    uint32_t open_calls;
    /** Events that were not the JSON that they ought to be, and may have been output. */
    uint32_t unreadable;
    /** Events that passed a limit and were left out. */
    uint32_t skipped;
    /**
     * Which event, from 1, was the first of the unreadable ones, or, of INVALID_TEXT,
     * the one that was no UTF-8; 0 if none.
     */
    uint32_t place_event;
    /** `SSEAM_RESUBSCRIBE_...` */
    sseam_resubscribe resubscribe;
    /** `SSEAM_CURSOR_...`: where a new connection would go on. */
    sseam_cursor_kind cursor_kind;
    /** NOT_EVENT_STREAM: `SSEAM_FOREIGN_...` */
    sseam_foreign foreign;
    /** Length of `cursor` without its NUL. */
    uint32_t cursor_len;
    /** Length of `word` without its NUL. */
    uint32_t word_len;
    /** Length of `code` without its NUL. */
    uint32_t code_len;
    /** Length of `id` without its NUL. */
    uint32_t id_len;
    /** Length of `model` without its NUL. */
    uint32_t model_len;
    /** Length of `message` without its NUL. */
    uint32_t message_len;
    /** Always 0. */
    uint32_t reserved;
    /** Where the block of `place_event` begins in the stream. */
    uint64_t place_offset;
    /** Index of the byte of its data at which it showed. */
    uint64_t place_byte;
    /** See `SSEAM_CURSOR_SEQUENCE`. */
    uint64_t cursor_number;
    /** Tokens used, as far as they were told. */
    sseam_usage usage;
    /** See the kinds of cursors. */
    char cursor[72];
    /** The API's own word for the reason. */
    char word[48];
    /** The code of the failure. */
    char code[48];
    /** The API's id of the answer. */
    char id[72];
    /** The model that gave it, as the server tells it. */
    char model[72];
    /** The message of the failure, for people. */
    char message[264];
} sseam_outcome;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/**
 * Gives the library's `SSEAM_ANSWER_ABI_VERSION`. Where it is not that of your
 * header, use no function of an answer.
 */
uint32_t sseam_answer_abi_version(void);

/** Says at which alignment `sseam_answer_init` needs its memory. */
size_t sseam_answer_align(void);

/**
 * Makes an answer in memory that the caller keeps for as long as the answer lives.
 * Nothing is ever allocated, and there is nothing to be freed.
 *
 * The first `sseam_answer_size(options)` bytes are used. `options` may be NULL for
 * the defaults: the API is found out then. Writes `*out` on `SSEAM_OK` and nothing
 * otherwise: `SSEAM_ERR_MEMORY` where `memory_len` is too short or the markers are
 * more than an answer keeps, `SSEAM_ERR_UTF8` where a marker is no UTF-8,
 * `SSEAM_ERR_ARGUMENT` where memory is not aligned or an option does not exist.
 *
 * Contract: `memory` is NULL, which is refused, or points to `memory_len` bytes that nobody
 * else uses, and that are neither moved nor copied, until the answer was freed or
 * is given up. `options` was set up by `sseam_answer_options_init`.
 */
SSEAM_MUST_USE
sseam_status sseam_answer_init_1(void *memory,
                                 size_t memory_len,
                                 const sseam_answer_options *options,
                                 sseam_answer **out);

/**
 * Ends an answer. One from `sseam_answer_new` gives its memory back to its
 * allocator; memory lent to `sseam_answer_init` is the caller's again. From its
 * own allocator, the call does nothing.
 *
 * Contract: `answer` is NULL, which does nothing, or an answer that was not freed.
 */
void sseam_answer_free(sseam_answer *answer);

/**
 * Gives a dialect's name, such as `openai-chat`; `other` for an unknown one.
 * The text is constant and, as every `sseam_str`, not ended by NUL.
 */
sseam_str sseam_dialect_name(sseam_dialect dialect);

/**
 * Finds a dialect by its name; -1 where there is none.
 *
 * Contract: `name` points to `len` bytes, or `len` is 0.
 */
sseam_dialect sseam_dialect_of_name(const char *name, size_t len);

/** Gives a signal's name, such as `tool_opened`; `other` for an unknown one. */
sseam_str sseam_signal_name(sseam_signal_kind kind);

/** Gives an outcome's name, such as `Completed`; `other` for an unknown one. */
sseam_str sseam_outcome_name(sseam_outcome_kind kind);

/**
 * Gives a reason's name, such as `max_output`; `none` where none was given and
 * `other` for an unknown one.
 */
sseam_str sseam_reason_name(sseam_reason reason);

/**
 * Says what a body is that is no event stream, for people, with its article: `an
 * HTML page`; empty for `SSEAM_FOREIGN_NONE` and an unknown one.
 */
sseam_str sseam_foreign_name(sseam_foreign foreign);

/** The same for programs: a word that stays, such as `json_error`. */
sseam_str sseam_foreign_word(sseam_foreign foreign);

/** Says what to do about it, for people. */
sseam_str sseam_foreign_advice(sseam_foreign foreign);

/**
 * Sets every option to its default. Use the macro `sseam_answer_options_init`,
 * which passes the size.
 *
 * Contract: `options` is NULL, which does nothing, or points to `struct_size` writable
 * bytes. A size below that of `struct_size` itself does nothing either.
 */
void sseam_answer_options_init_sized(sseam_answer_options *options,
                                     size_t struct_size);

/**
 * Makes the limits such that an answer fits into `memory_len` bytes, with as much
 * of it for data as can be; for machines where memory is what there is.
 *
 * Returns `SSEAM_ERR_MEMORY` where that is not enough for any answer.
 *
 * Contract: `options` is NULL, which is refused, or was set up by `sseam_answer_options_init`.
 */
sseam_status sseam_answer_options_fit(sseam_answer_options *options,
                                      size_t memory_len);

/**
 * Says how many bytes `sseam_answer_init` needs for these options; 0 where they
 * are no good. Constant for the same options and library.
 *
 * Contract: `options` is NULL, for the defaults, or was set up by `sseam_answer_options_init`.
 */
size_t sseam_answer_size(const sseam_answer_options *options);

#if defined(SSEAM_HEAP)
/**
 * Makes an answer on the heap, which is ended with `sseam_answer_free`. Its event
 * memory begins with none and grows on demand up to the limits, as that of
 * `sseam_parser_new`.
 *
 * Both pointers may be NULL: the API is found out; `malloc`, `realloc` and `free`.
 * Writes `*out` on `SSEAM_OK` and nothing otherwise; see `sseam_answer_init`.
 * Where the allocator gives none while the stream is read, that becomes part of
 * the outcome.
 *
 * Firmware libraries lack this function: use `sseam_answer_init` there.
 *
 * Contract: `options` was set up by `sseam_answer_options_init`. The functions of `allocator`
 * keep the contract of that struct for as long as the answer lives.
 */
SSEAM_MUST_USE
sseam_status sseam_answer_new_1(const sseam_answer_options *options,
                                const sseam_allocator *allocator,
                                sseam_answer **out);
#endif

/**
 * Takes the next part off the front of a text.
 *
 * Returns 1 and writes `*part`, UTF-8 that is never empty; or 0, and there is
 * nothing left. Escapes, pairs of surrogates included, are decoded; what cannot
 * be is U+FFFD. A part is valid until the next one is taken, and as long as the
 * event and `*text` are left alone. NULL for either is 0.
 *
 *     while (sseam_text_next(&signal.text, &part))
 *         fwrite(part.ptr, 1, part.len, stdout);
 *
 * Contract: `text` is of a signal whose event is still there, or all zero.
 */
int sseam_text_next(sseam_text *text, sseam_str *part);

/**
 * Writes what is left of a text into a buffer, decoded, and leaves the text as
 * it is.
 *
 * `*needed` is always its length. Where `capacity` is less, nothing is written
 * and `SSEAM_ERR_MEMORY` returned, so a first call with `NULL, 0` asks for the
 * length. No NUL is added.
 *
 * Contract: `text` is of a signal whose event is still there, or all zero. `out` points to
 * `capacity` bytes that are not the event's, or `capacity` is 0.
 */
sseam_status sseam_text_decode(const sseam_text *text,
                               char *out,
                               size_t capacity,
                               size_t *needed);

/**
 * Takes bytes off the front of the input until there is something to be heard.
 *
 * Returns the kind of the item, and then `*item` is it and `sseam_answer_next`
 * gives what it says; or `SSEAM_OK`, and then the input is used up. `*used` is
 * always how many bytes were taken. Call it again with the rest until it returns
 * `SSEAM_OK`:
 *
 *     while (sseam_answer_feed(answer, s + at, n - at, &used, NULL) > 0) {
 *         at += used;
 *         while (sseam_answer_next(answer, &signal) > 0) handle(&signal);
 *     }
 *
 * What goes wrong in the stream is no error of this call but part of the outcome;
 * afterwards all input is taken and ignored. After `sseam_answer_end`, with no
 * bytes, it gives what only the end tells: a failure in a line that had no end, in
 * lenient mode the event that the end cut, calls that only the end closes; of the
 * last there is no item, and the kind is `SSEAM_SIGNALS`.
 *
 * `SSEAM_ERR_ARGUMENT` and `SSEAM_ERR_REENTRANT` tell of misuse, and change nothing.
 *
 * Contract: `answer` is NULL, which is refused, or an answer. `bytes` points to `len` bytes,
 * or `len` is 0. The bytes are not the answer's own, such as those of an earlier
 * view. `item` is NULL, for those who only want signals, or its `struct_size` is
 * set; its views are valid as long as the texts of a signal are.
 */
sseam_status sseam_answer_feed(sseam_answer *answer,
                               const void *bytes,
                               size_t len,
                               size_t *used,
                               sseam_item *item);

/**
 * Gives the next thing that was said by what was heard last.
 *
 * Returns its kind and writes `*out`; 0 when there is nothing more; or
 * `SSEAM_ERR_ARGUMENT`. To leave some unread changes no outcome.
 *
 * Contract: `answer` is NULL, which is refused, or an answer; the bytes that were fed are
 * still there and as they were. `out->struct_size` is set.
 */
sseam_signal_kind sseam_answer_next(sseam_answer *answer,
                                    sseam_signal *out);

/**
 * Gives the text of an answer, output and refusal, part by part, and nothing else:
 * for those who want no more.
 *
 * Returns 1 and writes `*part`, UTF-8 that is never empty; or 0, and then the input
 * is used up; or an error as `sseam_answer_feed`. `*at` is how many bytes of this
 * input were taken, and is kept by the library: set it to 0 for each input.
 *
 *     for (at = 0; sseam_answer_text(answer, s, n, &at, &part) > 0;)
 *         fwrite(part.ptr, 1, part.len, stdout);
 *
 * A part is valid until the next call.
 *
 * Contract: `answer` is NULL, which is refused, or an answer. `bytes` points to `len` bytes,
 * or `len` is 0; they are the same ones until the call returns 0. `at` and `part`
 * are NULL, which is refused, or valid.
 */
sseam_status sseam_answer_text(sseam_answer *answer,
                               const void *bytes,
                               size_t len,
                               size_t *at,
                               sseam_str *part);

/**
 * Begins without any call, in memory that is the collector's until you begin anew
 * or give it up. NULL for none of it.
 *
 * Contract: `calls` is NULL, which is refused, or writable. `memory` points to `memory_len`
 * bytes that nobody else uses, or `memory_len` is 0.
 */
sseam_status sseam_calls_init(sseam_calls *calls, void *memory, size_t memory_len);

/**
 * Takes a signal, and gives a call that it makes whole.
 *
 * Returns `SSEAM_CALL` and writes `*out`, whose views are valid until the next
 * signal; or `SSEAM_OK`: there is none. Only calls that you are to run are kept;
 * signals of other kinds do nothing. Run a call when the outcome says
 * `SSEAM_OUTCOME_MAY_RUN_CALLS`, and not before.
 *
 * Where memory is too short it returns `SSEAM_ERR_MEMORY` and has taken nothing: lend
 * longer memory with `sseam_calls_grow` and pass the signal again, or go on without
 * this call, which is not given out then. In 0 bytes each call is refused so.
 *
 *     while (sseam_answer_next(answer, &signal) > 0)
 *         if (sseam_calls_observe(&calls, &signal, &call) == SSEAM_CALL)
 *             keep(call.id, call.name, call.arguments);
 *
 * Contract: `calls` is NULL or all zero, which are refused, or was set up. `signal` is NULL,
 * which is refused, or one that `sseam_answer_next` filled and whose texts are
 * valid. `out->struct_size` is set.
 */
sseam_status sseam_calls_observe(sseam_calls *calls,
                                 const sseam_signal *signal,
                                 sseam_call *out);

/**
 * Goes on in longer memory, which begins with the bytes of the old, as after
 * `realloc`. Shorter memory than that held is refused with `SSEAM_ERR_MEMORY`.
 *
 * Contract: As for `sseam_calls_init`, and the first bytes of `memory` are those of the memory
 * before, which is the caller's again.
 */
sseam_status sseam_calls_grow(sseam_calls *calls, void *memory, size_t memory_len);

/**
 * Says how many bytes of memory the signal needs that was refused last; 0 if none
 * was, or for NULL.
 *
 * Contract: `calls` is NULL or all zero, or was set up.
 */
size_t sseam_calls_needed(const sseam_calls *calls);

/**
 * Takes the end: no more input comes, and how that came about. Once; later calls
 * change nothing until `sseam_answer_reopen`.
 *
 * Then `sseam_answer_feed` without bytes gives what only the end tells, and
 * `sseam_answer_outcome` what became of the answer; it counts what the end tells, be
 * it heard or not. Returns `SSEAM_OK`, or `SSEAM_ERR_ARGUMENT` for a number that says
 * nothing, or `SSEAM_ERR_REENTRANT`.
 *
 * Contract: `answer` is NULL, which is refused, or an answer.
 */
sseam_status sseam_answer_end(sseam_answer *answer, sseam_close close);

/**
 * Another connection goes on with the same answer: last event id, reconnection time
 * and what was seen stay.
 *
 * Contract: `answer` is NULL, which is refused, or an answer.
 */
sseam_status sseam_answer_reopen(sseam_answer *answer);

/**
 * Sets the id that a first connection goes on after. Statuses are those of
 * `sseam_parser_set_last_event_id`.
 *
 * Contract: `answer` is NULL, which is refused, or an answer. `id` points to `len` bytes, or
 * `len` is 0; the bytes are not the answer's own.
 */
SSEAM_MUST_USE
sseam_status sseam_answer_set_last_event_id(sseam_answer *answer,
                                            const void *id,
                                            size_t len);

/**
 * Gives the last event id of the stream, for `Last-Event-ID`. Empty where none was
 * set, or for NULL. Valid until the next call that takes the answer without `const`.
 *
 * Contract: `answer` is NULL or an answer.
 */
sseam_str sseam_answer_last_event_id(const sseam_answer *answer);

/**
 * Writes the reconnection time in milliseconds and returns `SSEAM_RETRY`, if the
 * stream has set one; otherwise returns `SSEAM_OK` and leaves `*milliseconds` as it
 * was, so that your default stays.
 *
 * Contract: Both are NULL, which is refused, or valid.
 */
sseam_status sseam_answer_retry(const sseam_answer *answer,
                                uint64_t *milliseconds);

/**
 * Says what the source is to do next: `SSEAM_WANTS_...`.
 *
 * With `SSEAM_WANTS_MORE_UNTIL_QUIET`, `*quiet_ms` is written: for how long nothing
 * must have come before you end with `SSEAM_CLOSE_SETTLED`. A source that always
 * reads to its own end need not ask. `SSEAM_WANTS_NOTHING` for NULL.
 *
 * Contract: `answer` is NULL or an answer; `quiet_ms` is NULL, or valid.
 */
sseam_wants sseam_answer_wants(const sseam_answer *answer, uint64_t *quiet_ms);

/**
 * Says how far the answer has come: `SSEAM_ANSWER_...` bits; ignore those that you
 * do not know. 0 for NULL.
 *
 * Contract: `answer` is NULL or an answer.
 */
uint32_t sseam_answer_state(const sseam_answer *answer);

/**
 * Says which API the stream is of: of `SSEAM_DIALECT_AUTO` the one that was
 * recognised, or still that. `SSEAM_DIALECT_AUTO` for NULL.
 *
 * Contract: `answer` is NULL or an answer.
 */
sseam_dialect sseam_answer_dialect(const sseam_answer *answer);

/**
 * Says what the body is, if it is no event stream: `SSEAM_FOREIGN_...`, known at the
 * byte that makes it certain or after `sseam_answer_end`. Its name and what to do
 * about it are `sseam_foreign_name` and `sseam_foreign_advice`.
 *
 * Contract: `answer` is NULL or an answer.
 */
sseam_foreign sseam_answer_foreign(const sseam_answer *answer);

/**
 * Counts what the stream has sent since the connection began. Returns `SSEAM_OK` or
 * `SSEAM_ERR_ARGUMENT`.
 *
 * Contract: Both are NULL, which is refused, or valid; `out->struct_size` is set.
 */
sseam_status sseam_answer_stats(const sseam_answer *answer,
                                sseam_stats *out);

/**
 * Says what became of the answer, at any time: before its end it is as if you had
 * cancelled, unless the API's own end came, or something stopped the reading.
 *
 * What the end tells is counted, be it heard or not; it is not heard any more
 * afterwards. Returns `SSEAM_OK` and writes `*out`; or `SSEAM_ERR_ARGUMENT` or
 * `SSEAM_ERR_REENTRANT`, and nothing.
 *
 * Contract: `answer` is NULL, which is refused, or an answer. `out->struct_size` is set.
 */
sseam_status sseam_answer_outcome(sseam_answer *answer, sseam_outcome *out);

#ifdef __cplusplus
}  /* extern "C" */
#endif  /* __cplusplus */

/** A program of another `SSEAM_ANSWER_ABI_VERSION` finds no such function. */
#define sseam_answer_init sseam_answer_init_1

#if defined(SSEAM_HEAP)
/** Likewise. */
#define sseam_answer_new sseam_answer_new_1
#endif

/** Sets every option to its default. */
#define sseam_answer_options_init(options) \
    sseam_answer_options_init_sized((options), sizeof *(options))

/** An answer needs at most this besides its event memory, with any library of this
 *  `SSEAM_ANSWER_ABI_VERSION`. */
#define SSEAM_ANSWER_STATE (64 * sizeof(void *) + 6144)

/** Bytes that are enough for `sseam_answer_init` with these options, for a static
 *  array; `sseam_answer_size` says how many it really takes. */
#define SSEAM_ANSWER_STORAGE(max_data, max_type, max_id, max_comment) \
    (SSEAM_ANSWER_STATE + (max_data) + 2 * (max_type) + 3 * (max_id) + \
     ((max_comment) < 256 ? 256 : (max_comment)))

/** Memory for an answer without a heap, aligned as it must be:
 *
 *     static SSEAM_ANSWER_ARENA(arena, SSEAM_ANSWER_STORAGE(512, 64, 64, 0));
 *     sseam_answer_init(&arena, sizeof arena, &options, &answer);
 */
#define SSEAM_ANSWER_ARENA(name, storage) SSEAM_PARSER_ARENA(name, storage)

/*
 * Waiting: how long a stream may be silent, and how long to wait before connecting
 * again. Both are told the time, or chance, and do nothing by themselves.
 *
 * Not stable yet: `SSEAM_WAITING_ABI_VERSION` may rise with any release before 1.0.
 */

/**
 * Number of the interface for waiting, `sseam_liveness_...` and
 * `sseam_backoff_...`, counted apart from `SSEAM_ABI_VERSION`: it may rise with
 * any release before 1.0.
 */
#define SSEAM_WAITING_ABI_VERSION 1

/** Nothing: there is time left. */
#define SSEAM_DEADLINE_NONE 0

/** `first_output_ms` */
#define SSEAM_DEADLINE_FIRST_OUTPUT 24

/** `idle_ms` */
#define SSEAM_DEADLINE_IDLE 25

/** `progress_ms` */
#define SSEAM_DEADLINE_PROGRESS 26

/** `total_ms` */
#define SSEAM_DEADLINE_TOTAL 27

/**
 * How long to wait for what, in milliseconds; 0 waits for ever. Call
 * `sseam_timeouts_init` first, then change what you want changed.
 */
typedef struct sseam_timeouts {
    /** `sizeof(sseam_timeouts)`, set by `sseam_timeouts_init`. */
    size_t struct_size;
    /** Must be 0. */
    size_t reserved;
    /** From the start to the first output. Default 0. */
    uint64_t first_output_ms;
    /** From one byte to the next, comments included. Default 0. */
    uint64_t idle_ms;
    /** From one thing that you call progress to the next. Default 0. */
    uint64_t progress_ms;
    /** From the start to the end. Default 0. */
    uint64_t total_ms;
} sseam_timeouts;

/**
 * Tells until when to wait for a stream. It lies where you put it, allocates
 * nothing, and may be copied.
 *
 * It reads no clock: each call takes `now_ms`, the time since any fixed moment, of
 * a clock that does not run backwards. Sleep until `sseam_liveness_next_deadline`
 * or until something arrives, and say what happened. A server that sends nothing
 * but comments is alive, and yet may never answer: what counts as progress and as
 * output is for you to say. Calls on one that was not set up do nothing.
 */
typedef struct sseam_liveness {
    /** Not for you to look at. */
    uint64_t opaque[24];
} sseam_liveness;

/**
 * What was waited for in vain. The numbers are those of `SSEAM_CLOSE_TIMEOUT_...`,
 * for `sseam_answer_end`.
 */
typedef int32_t sseam_deadline;

/**
 * How a wait grows, and where it ends. Call `sseam_delays_init` first, then change
 * what you want changed.
 */
typedef struct sseam_delays {
    /** `sizeof(sseam_delays)`, set by `sseam_delays_init`. */
    size_t struct_size;
    /**
     * Attempts in a row without a delivered event, after which it gives up;
     * `SSEAM_UNLIMITED` never does. Default 0: no attempt.
     */
    uint32_t attempts_max;
    /** The first wait, until the server sets another by `retry`. Default 500. */
    uint64_t base_ms;
    /** No wait is shorter, whatever the server asks for. Default 100. */
    uint64_t floor_ms;
    /** No wait is longer, unless `Retry-After` asks for more. Default 30000. */
    uint64_t ceiling_ms;
} sseam_delays;

/**
 * Tells how long to wait before connecting again, or that enough was tried. It
 * lies where you put it, allocates nothing, and may be copied.
 *
 * Each attempt doubles the wait; chance takes away or adds up to a quarter, so
 * that clients which lost one server do not come back together. Only a delivered
 * event begins anew: a server that accepts connections and sends nothing is not
 * well. Calls on one that was not set up do nothing.
 */
typedef struct sseam_backoff {
    /** Not for you to look at. */
    uint64_t opaque[12];
} sseam_backoff;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/**
 * Gives the library's `SSEAM_WAITING_ABI_VERSION`. Where it is not that of your
 * header, use no function for waiting.
 */
uint32_t sseam_waiting_abi_version(void);

/**
 * Sets every timeout to its default, none. Use the macro `sseam_timeouts_init`,
 * which passes the size.
 *
 * Contract: `timeouts` is NULL, which does nothing, or points to `struct_size` writable
 * bytes. A size below that of `struct_size` itself does nothing either.
 */
void sseam_timeouts_init_sized(sseam_timeouts *timeouts, size_t struct_size);

/**
 * Starts to wait for the first output and for the end. There is no connection
 * yet: see `sseam_liveness_opened`.
 *
 * Contract: `liveness` is NULL, which is refused, or writable. `timeouts` is NULL, for none,
 * or was set up by `sseam_timeouts_init`.
 */
sseam_status sseam_liveness_init(sseam_liveness *liveness,
                                 const sseam_timeouts *timeouts,
                                 uint64_t now_ms);

/**
 * A connection, the first or a further one, is there and may send: idle and
 * progress begin.
 *
 * Contract: `liveness` is NULL or all zero, which are refused, or was set up.
 */
sseam_status sseam_liveness_opened(sseam_liveness *liveness, uint64_t now_ms);

/**
 * The connection has ended: idle and progress rest until the next one.
 *
 * Contract: As for `sseam_liveness_opened`.
 */
sseam_status sseam_liveness_closed(sseam_liveness *liveness);

/**
 * Bytes arrived, of whatever kind: a comment, half a line.
 *
 * Contract: As for `sseam_liveness_opened`.
 */
sseam_status sseam_liveness_observe_bytes(sseam_liveness *liveness,
                                          uint64_t now_ms);

/**
 * Something arrived that shows that the answer comes on, such as a signal with
 * `SSEAM_SIGNAL_IS_PROGRESS`.
 *
 * Contract: As for `sseam_liveness_opened`.
 */
sseam_status sseam_liveness_observe_progress(sseam_liveness *liveness,
                                             uint64_t now_ms);

/**
 * Output arrived, which is progress too.
 *
 * Contract: As for `sseam_liveness_opened`.
 */
sseam_status sseam_liveness_observe_output(sseam_liveness *liveness,
                                           uint64_t now_ms);

/**
 * Nobody was reading for so long until now, because you had other things to do:
 * what may have arrived then was not missed. All but the total time is put off.
 *
 * Contract: As for `sseam_liveness_opened`.
 */
sseam_status sseam_liveness_put_off(sseam_liveness *liveness,
                                    uint64_t milliseconds,
                                    uint64_t now_ms);

/**
 * Says when to stop waiting, if nothing arrives before; the largest number,
 * `SSEAM_FOREVER`, where nothing ends the wait.
 *
 * Contract: As for `sseam_liveness_opened`.
 */
uint64_t sseam_liveness_next_deadline(const sseam_liveness *liveness);

/**
 * Says what was waited for in vain, if a deadline has come; of several, the one
 * that came first. `SSEAM_DEADLINE_NONE` while there is time left.
 *
 * Contract: As for `sseam_liveness_opened`.
 */
sseam_deadline sseam_liveness_fired(sseam_liveness *liveness, uint64_t now_ms);

/**
 * Sets every delay to its default. Use the macro `sseam_delays_init`, which passes
 * the size.
 *
 * Contract: `delays` is NULL, which does nothing, or points to `struct_size` writable bytes.
 * A size below that of `struct_size` itself does nothing either.
 */
void sseam_delays_init_sized(sseam_delays *delays, size_t struct_size);

/**
 * Sets up a back-off of which nothing was asked yet.
 *
 * Contract: `backoff` is NULL, which is refused, or writable. `delays` is NULL, for the
 * defaults, or was set up by `sseam_delays_init`.
 */
sseam_status sseam_backoff_init(sseam_backoff *backoff,
                                const sseam_delays *delays);

/**
 * The server set the reconnection time by a `retry` line: see
 * `sseam_parser_retry`. It takes the place of the base, within floor and ceiling.
 *
 * Contract: `backoff` is NULL or all zero, which are refused, or was set up.
 */
sseam_status sseam_backoff_set_retry(sseam_backoff *backoff,
                                     uint64_t milliseconds);

/**
 * An event was delivered: attempts count from zero again.
 *
 * Contract: As for `sseam_backoff_set_retry`.
 */
sseam_status sseam_backoff_observe_event(sseam_backoff *backoff);

/**
 * Says how long to wait before the next attempt, which is counted.
 *
 * Returns 1 and writes `*wait_ms`; or 0 and nothing, where no more attempts are to
 * be made. `random` is any number, all of them as likely as each other, new for
 * each call. `retry_after_ms` is what the last response asked for, or 0; the wait
 * never falls short of it.
 *
 * Contract: As for `sseam_backoff_set_retry`. `wait_ms` is NULL, which is refused, or
 * writable.
 */
int sseam_backoff_next_wait(sseam_backoff *backoff,
                            uint32_t random,
                            uint64_t retry_after_ms,
                            uint64_t *wait_ms);

/**
 * Counts the attempts since the last delivered event.
 *
 * Contract: As for `sseam_backoff_set_retry`.
 */
uint32_t sseam_backoff_attempts(const sseam_backoff *backoff);

#ifdef __cplusplus
}  /* extern "C" */
#endif  /* __cplusplus */

/** No deadline. */
#define SSEAM_FOREVER ((uint64_t)-1)

/** Never gives up. */
#define SSEAM_UNLIMITED ((uint32_t)-1)

/** Sets every timeout to its default, none. */
#define sseam_timeouts_init(timeouts) sseam_timeouts_init_sized((timeouts), sizeof *(timeouts))

/** Sets every delay to its default. */
#define sseam_delays_init(delays) sseam_delays_init_sized((delays), sizeof *(delays))

#endif  /* SSEAM_H */
