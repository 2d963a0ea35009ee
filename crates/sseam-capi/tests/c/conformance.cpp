/*
 * The corpus through the C++ wrapper: range and lambda, growing and in place, at
 * every cut. With and without exceptions.
 */
static const char* const MODES[] = {"range, in place", "range, growing", "lambda, in place",
                                    "lambda, growing"};

#include "harness.h"
#include "sseam.hpp"

#include <vector>

static std::error_code feed(int mode, sseam::parser& parser, std::string_view chunk, text* out,
                            bool want_items) {
    std::error_code ec;
    if (mode >= 2) {
        std::string_view rest = "untouched";
        ec = parser.feed(
            chunk, [&](const sseam::item& item) { put_item(out, &item.c(), want_items); }, &rest);
        if (!ec && !rest.empty()) abort();
        return ec;
    }
    auto range = parser.feed(chunk, ec);
    for (const sseam::item& item : range) put_item(out, &item.c(), want_items);
    if (!ec && !range.rest().empty()) abort();
    return ec;
}

static sseam::parser make(int mode, const job* it, std::vector<std::uint64_t>& memory) {
    std::error_code ec;
    sseam::options options;
    set_options(&options, it, mode % 2 == 0 ? it->longest : static_cast<std::size_t>(-1));
    if (mode % 2 != 0) {
        sseam::parser parser = sseam::parser::create(options, ec);
        if (ec || !parser) abort();
        return parser;
    }
    memory.assign(sseam_parser_size(&options) / 8 + 1, 0xEEEEEEEEEEEEEEEE);
    sseam::parser parser = sseam::parser::in_place(memory.data(), memory.size() * 8, options, ec);
    if (ec || !parser) abort();
    return parser;
}

static void run(int mode, const job* it, const cut* how, text out[STREAMS_MAX]) {
    std::vector<std::uint64_t> memory;
    sseam::parser parser = make(mode, it, memory);
    if (parser.set_last_event_id({it->id.ptr, it->id.len})) abort();
    for (std::size_t i = 0; i < it->streams; i++) {
        const std::string_view stream(it->stream[i].ptr, it->stream[i].len);
        std::size_t at = 0;
        bool is_first = true;
        std::error_code ec;
        if (i > 0 && parser.reset()) abort();
        do {
            const std::size_t n = next_len(how, is_first, at, stream.size());
            is_first = false;
            if (how->with_empty && feed(mode, parser, {}, &out[i], it->want_items)) abort();
            char* chunk = chunk_of(stream.data() + at, n);
            ec = feed(mode, parser, {chunk, n}, &out[i], it->want_items);
            spoil(chunk, n);
            free(chunk);
            at += n;
        } while (!ec && at < stream.size());
        put_ending(&out[i], parser.c());
    }
}

int main(int argc, char** argv) { return conform(argc, argv, 4); }
