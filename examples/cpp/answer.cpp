/*
 * Reads the stream of an AI API from standard input and prints the answer as it comes:
 * its text, the tool calls that are whole, and on standard error what became of it.
 *
 *     c++ -std=c++17 answer.cpp -lsseam -o answer
 *     curl -N https://example.org/v1/responses ... | ./answer [DIALECT]
 *
 * Exit code: that of the command `sseam replay --text`.
 */
#include <sseam.hpp>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace {

/** A call to be run once the answer has come to a good end. */
struct kept_call {
    std::string name, arguments;
};

struct printer {
    sseam::calls calls;
    std::vector<kept_call> kept;

    void hear(sseam::answer::heard_range&& range) {
        for (const sseam::answer::heard& heard : range) {
            for (const sseam::signal& signal : heard.signals()) {
                if (signal.is_text() || signal.kind() == sseam::signal_kind::refusal)
                    signal.text().each([](std::string_view part) { std::cout << part; });
                if (const auto call = calls.observe(signal))
                    kept.push_back({std::string(call->name), std::string(call->arguments)});
            }
        }
        std::cout.flush();
    }
};

} // namespace

int main(int argc, char** argv) {
    sseam::answer_options options;
    options.max_data = 16 * 1024 * 1024;
    if (argc > 1) {
        const std::string_view name = argv[1];
        options.dialect = sseam_dialect_of_name(name.data(), name.size());
    }
    std::error_code ec;
    sseam::answer answer = sseam::answer::create(options, ec);
    if (ec) {
        std::cerr << "no such dialect\n";
        return 1;
    }
    static char buffer[16384];
    printer out;
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, stdin))
        out.hear(answer.feed(buffer, n));
    out.hear(answer.end()); // what only the end tells

    const sseam::outcome outcome = answer.outcome();
    std::cerr << outcome.name();
    if (!outcome.code().empty()) std::cerr << " (" << outcome.code() << ")";
    if (outcome.foreign()) std::cerr << ": " << outcome.foreign().advice();
    std::cerr << '\n';
    // Only a good end makes whole calls ones that may be run.
    if (outcome.may_run_calls())
        for (const kept_call& call : out.kept) std::cerr << call.name << call.arguments << '\n';
    return outcome.exit_code();
}
