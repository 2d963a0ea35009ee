/*
 * In: an event stream over the UART of an mps2-an386. Out: what the command
 * `sseam replay` prints for it.
 *
 * C99 without a C library: what the compiler calls on its own (memcpy and the
 * like) is in libsseam.a. All memory is static; the parser gets what it needs
 * and nothing is ever allocated.
 */
#include <stdint.h>

#define SSEAM_NO_HEAP
#include "sseam.h"

/* The CMSDK UART. */
#define UART ((volatile uint32_t *)0x40004000)
enum { DATA = 0, STATE = 1, CONTROL = 2, BAUD_DIVIDER = 4 };
enum { STATE_SENDING = 1, STATE_RECEIVED = 2 };

/* Enough for data of 1,024 bytes; checked when the parser is made. */
static uint64_t memory[320];

static void print_byte(char byte)
{
    while (UART[STATE] & STATE_SENDING) {
    }
    UART[DATA] = (uint8_t)byte;
}

static void print(const char *text)
{
    while (*text != '\0') {
        print_byte(*text++);
    }
}

static void print_number(uint64_t number)
{
    char digits[20];
    unsigned len = 0;
    do {
        digits[len++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (len > 0) {
        print_byte(digits[--len]);
    }
}

/* Text that is valid UTF-8, as a JSON string. */
static void print_json(sseam_str text)
{
    static const char hex[] = "0123456789abcdef";
    size_t at;
    print_byte('"');
    for (at = 0; at < text.len; at++) {
        char byte = text.ptr[at];
        if (byte == '"' || byte == '\\') {
            print_byte('\\');
            print_byte(byte);
        } else if (byte == '\n') {
            print("\\n");
        } else if (byte == '\t') {
            print("\\t");
        } else if ((unsigned char)byte < 0x20) {
            print("\\u00");
            print_byte(hex[byte >> 4]);
            print_byte(hex[byte & 15]);
        } else {
            print_byte(byte);
        }
    }
    print_byte('"');
}

static int is_quit(sseam_str type)
{
    return type.len == 4 && type.ptr[0] == 'q' && type.ptr[1] == 'u' && type.ptr[2] == 'i' &&
           type.ptr[3] == 't';
}

static void print_event(const sseam_item *item)
{
    print("{\"event\":");
    print_json(item->type);
    print(",\"data\":");
    print_json(item->data);
    print(",\"id\":");
    print_json(item->last_event_id);
    print("}\n");
}

/* Semihosting: ends the emulation. */
static void leave(int is_good)
{
    register uint32_t operation __asm__("r0") = 0x18;
    register uint32_t reason __asm__("r1") = is_good ? 0x20026 : 0x20024;
    __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(reason) : "memory");
    for (;;) {
    }
}

static void run(void)
{
    sseam_options options;
    sseam_parser *parser;
    sseam_item item;
    sseam_stats stats;
    sseam_status status;
    size_t used;
    char byte;

    sseam_options_init(&options);
    options.max_data = 1024;
    options.max_type = 64;
    options.max_id = 64;
    options.max_comment = 0;
    status = sseam_parser_init(memory, sizeof memory, &options, &parser);
    if (status != SSEAM_OK) {
        print(sseam_strerror(status));
        leave(0);
    }
    item.struct_size = sizeof item;
    print("ready\n");
    for (;;) {
        while (!(UART[STATE] & STATE_RECEIVED)) {
        }
        byte = (char)UART[DATA];
        status = sseam_parser_feed(parser, &byte, 1, &used, &item);
        if (status < 0) {
            print(sseam_strerror(status));
            leave(0);
        }
        if (status == SSEAM_EVENT && is_quit(item.type)) {
            break;
        }
        if (status == SSEAM_EVENT) {
            print_event(&item);
        }
    }
    stats.struct_size = sizeof stats;
    if (sseam_parser_stats(parser, &stats) != SSEAM_OK) {
        leave(0);
    }
    print_number(stats.events);
    print(" events, ");
    print_number(stats.bytes);
    print(" bytes\n");
    leave(1);
}

extern uint32_t data_begin[], data_end[], data_load[], bss_begin[], bss_end[], stack_top[];

void reset(void)
{
    volatile uint32_t *to;
    const uint32_t *from = data_load;
    for (to = data_begin; to < data_end; to++) {
        *to = *from++;
    }
    for (to = bss_begin; to < bss_end; to++) {
        *to = 0;
    }
    UART[BAUD_DIVIDER] = 16;
    UART[CONTROL] = 3;
    run();
}

static void fault(void)
{
    leave(0);
}

/* What the core looks at first: its stack, then where to begin. */
struct vectors {
    uint32_t *stack;
    void (*handlers[15])(void);
};

__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    stack_top,
    {reset, fault, fault},
};
