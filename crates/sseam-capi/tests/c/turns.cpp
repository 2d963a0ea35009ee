/*
 * The answers of AI APIs through the C++ wrapper: the same corpus as turns.c, turn
 * and parser on the heap and in place. With and without exceptions.
 */
#include "turns.h"
#include "sseam.hpp"

#include <memory>

static void observe(sseam::turn& turn, const sseam::item& item, text* signals) {
    for (const sseam::signal& signal : turn.observe(item)) {
        if (signal.is_text() != (signal.name() == "text")) abort();
        if (signal.text().str().size() != signal.text().size()) abort();
        sseam_signal c = signal.c();
        put_signal(signals, &c);
    }
}

static void run(int way, const job* it, size_t len, size_t size, text* signals, text* outcome) {
    sseam::options options;
    sseam::turn_options asked(static_cast<sseam::dialect>(it->dialect));
    set_options(&options, it);
    set_turn_options(&asked, it);
    std::error_code ec;
    const size_t parser_len = sseam_parser_size(&options), turn_len = sseam_turn_size();
    const std::unique_ptr<char[]> lent(new char[parser_len]), turn_lent(new char[turn_len]);
    sseam::parser parser = way == 0 ? sseam::parser::in_place(lent.get(), parser_len, options, ec)
                                    : sseam::parser::create(options, ec);
    if (ec || !parser) abort();
    sseam::turn turn = way == 0 ? sseam::turn::in_place(turn_lent.get(), turn_len, asked, ec)
                                : sseam::turn::create(asked, ec);
    if (ec || !turn) abort();
    std::error_code stopped;
    for (size_t at = 0, n; at < len && !stopped; at += n) {
        n = size < len - at ? size : len - at;
        char* chunk = chunk_of(it->stream.ptr + at, n);
        for (const sseam::item& item : parser.feed({chunk, n}, stopped))
            observe(turn, item, signals);
        spoil(chunk, n);
        free(chunk);
    }
    turn.observe_last_event_id(parser.last_event_id());
    if (stopped) {
        put_outcome(outcome, &turn.finish(stopped, ec).c());
    } else {
        const sseam::ending end = parser.finish(ec);
        if (ec) abort();
        if (turn.wants_unfinished()) {
            if (const auto item = parser.take_unfinished(ec)) observe(turn, *item, signals);
        }
        put_outcome(outcome, &turn.finish(end, SSEAM_CLOSE_CLEAN, ec).c());
    }
    if (ec) abort();
}

int main(int argc, char** argv) { return conform(argc, argv, 2); }
