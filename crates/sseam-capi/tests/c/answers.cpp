/*
 * The answers of AI APIs through the C++ wrapper: the same corpus as answers.c, on the
 * heap and in place. With and without exceptions.
 */
#include "answers.h"
#include "sseam.hpp"

#include <memory>

static void hear(sseam::answer::heard_range&& range, text* signals) {
    for (const sseam::answer::heard& heard : range) {
        const sseam::item none;
        const sseam::item* item = heard.item();
        put_item(signals, item ? item->c().kind : SSEAM_SIGNALS, item ? &item->c() : &none.c());
        for (const sseam::signal& signal : heard.signals()) {
            if (signal.is_text() != (signal.name() == "text")) abort();
            if (signal.text().str().size() != signal.text().size()) abort();
            sseam_signal c = signal.c();
            put_signal(signals, &c);
        }
    }
}

static void run(int way, const job* it, size_t len, size_t size, text* signals, text* outcome) {
    sseam::answer_options options(static_cast<sseam::dialect>(it->dialect));
    set_options(&options, it);
    std::error_code ec;
    const size_t memory_len = sseam_answer_size(&options);
    const std::unique_ptr<char[]> lent(new char[memory_len]);
    sseam::answer answer = way == 0 ? sseam::answer::in_place(lent.get(), memory_len, options, ec)
                                    : sseam::answer::create(options, ec);
    if (ec || !answer) abort();
    for (size_t at = 0, n; at < len; at += n) {
        n = size < len - at ? size : len - at;
        char* chunk = chunk_of(it->stream.ptr + at, n);
        hear(answer.feed(chunk, n), signals);
        spoil(chunk, n);
        free(chunk);
    }
    hear(answer.end(), signals);
    put_outcome(outcome, &answer.outcome().c());
}

int main(int argc, char** argv) { return conform(argc, argv, 2); }
