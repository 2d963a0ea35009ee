/*
 * What the programs share that run a corpus: text that grows, the corpus' numbers
 * and strings, chunks in memory of their own.
 */
#ifndef SSEAM_TEST_TEXT_H
#define SSEAM_TEST_TEXT_H

#include "sseam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text that grows ---- */

typedef struct {
    char *bytes;
    size_t len, capacity;
} text;

static void put(text *out, const void *bytes, size_t len) {
    if (out->len + len > out->capacity) {
        out->capacity = 2 * (out->len + len) + 256;
        out->bytes = (char *)realloc(out->bytes, out->capacity);
        if (out->bytes == NULL) abort();
    }
    if (len > 0) memcpy(out->bytes + out->len, bytes, len);
    out->len += len;
}

static void put_number(text *out, uint64_t number) {
    char digits[24];
    put(out, digits, (size_t)sprintf(digits, "%llu ", (unsigned long long)number));
}

static void put_bytes(text *out, const void *bytes, size_t len) {
    char digits[24];
    put(out, digits, (size_t)sprintf(digits, "%llu:", (unsigned long long)len));
    put(out, bytes, len);
    put(out, " ", 1);
}

static void put_end(text *out) { put(out, "\n", 1); }

/* ---- The corpus: words, numbers, and strings as `LENGTH:BYTES ` ---- */

typedef struct {
    const char *at, *end;
} reader;

static uint64_t read_number(reader *in) {
    uint64_t number = 0;
    while (in->at < in->end && *in->at >= '0' && *in->at <= '9')
        number = number * 10 + (uint64_t)(*in->at++ - '0');
    in->at++; /* the space or the colon */
    return number;
}

static sseam_str read_bytes(reader *in) {
    sseam_str bytes;
    bytes.len = (size_t)read_number(in);
    bytes.ptr = in->at;
    in->at += bytes.len + 1;
    return bytes;
}

/** The file that the first argument names. */
static int read_corpus(int argc, char **argv, text *corpus, reader *in) {
    static char block[1 << 16];
    size_t n;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "no corpus\n");
        return 0;
    }
    while ((n = fread(block, 1, sizeof block, file)) > 0) put(corpus, block, n);
    fclose(file);
    in->at = corpus->bytes;
    in->end = corpus->bytes + corpus->len;
    return 1;
}

/* ---- Chunks ---- */

/** A chunk in memory of its own, of exactly its length; of no bytes in particular
 *  where there are none to copy. */
static char *chunk_of(const char *bytes, size_t len) {
    char *chunk = (char *)malloc(len ? len : 1);
    if (chunk == NULL) abort();
    if (len > 0 && bytes != NULL) memcpy(chunk, bytes, len);
    return chunk;
}

static void spoil(char *bytes, size_t len) {
    if (len > 0) memset(bytes, 0xDD, len);
}

#endif
