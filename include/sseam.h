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
 * Where a parser on the heap gets its memory. Sizes are given back as they were
 * asked for, so an arena needs no headers of its own.
 *
 * The functions must not throw, and must not use the parser that they serve.
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

#endif  /* SSEAM_H */
