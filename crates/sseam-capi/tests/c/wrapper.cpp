/*
 * What the C++ wrapper adds: ownership, errors, ranges that are left early, the
 * callback that stops, exceptions that pass through, owned events, text, encoder.
 */
#include "sseam.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);  \
            std::exit(1);                                                         \
        }                                                                         \
    } while (0)

/** Whether `parser.feed(chunk, ec)` compiles for a chunk of this type. */
template <class Chunk, class = void>
constexpr bool feeds = false;
template <class Chunk>
constexpr bool feeds<Chunk, std::void_t<decltype(std::declval<sseam::parser&>().feed(
                                std::declval<Chunk>(), std::declval<std::error_code&>()))>> = true;

template <class Chunk, class = void>
constexpr bool feeds_callback = false;
template <class Chunk>
constexpr bool feeds_callback<
    Chunk, std::void_t<decltype(std::declval<sseam::parser&>().feed(
               std::declval<Chunk>(), std::declval<void (*)(const sseam::item&)>()))>> = true;

/** Whether `turn.observe_body(body, true)` compiles for a body of this type. */
template <class Body, class = void>
constexpr bool observes = false;
template <class Body>
constexpr bool observes<Body, std::void_t<decltype(std::declval<sseam::turn&>().observe_body(
                                  std::declval<Body>(), true))>> = true;

static_assert(observes<std::string_view> && observes<const char*> && observes<std::string&>);
static_assert(!observes<std::string> && !observes<const std::string>);
static_assert(feeds<std::string_view> && feeds<const char*> && feeds<const char (&)[3]>);
static_assert(feeds<std::string&> && feeds<const std::string&>);
static_assert(!feeds<std::string> && !feeds<std::string&&> && !feeds<const std::string>);
static_assert(feeds_callback<std::string&> && feeds_callback<std::string_view>);
static_assert(!feeds_callback<std::string> && !feeds_callback<const std::string>);

static sseam::parser made(const sseam::options& options = sseam::options()) {
    std::error_code ec;
    sseam::parser parser = sseam::parser::create(options, ec);
    CHECK(!ec && parser);
    return parser;
}

static const std::string_view TWO = "id: 1\ndata: a\n\nevent: b\ndata: c\n\n";

static void ranges() {
    sseam::parser parser = made();
    std::error_code ec = sseam::errc::state;
    auto range = parser.feed(TWO, ec);
    CHECK(!ec);
    for (const auto& item : range) {
        CHECK(item.is_event() && item.kind() == sseam::kind::event && !item.is_unfinished());
        CHECK(item.type() == "message" && item.data() == "a" && item.last_event_id() == "1");
        CHECK(item.offset() == 0 && item.end() == 15 && item.full_len() == 1);
        break;
    }
    CHECK(!ec && range.rest() == TWO.substr(15));
    std::vector<sseam::event> owned;
    const std::string rest(range.rest());
    for (const auto& item : parser.feed(rest, ec)) owned.push_back(item.to_owned());
    CHECK(owned.size() == 1 && owned[0].type == "b" && owned[0].data == "c");
    CHECK(owned[0].last_event_id == "1" && parser.last_event_id() == "1");
    int events = 0;
    for (const auto& item : parser.feed(static_cast<const void*>(TWO.data()), TWO.size(), ec))
        events += item.is_event();
    CHECK(events == 2 && parser.stats().events == 4);
    auto unread = parser.feed(TWO, ec);
    CHECK(unread.rest() == TWO);
    CHECK(unread.begin() != unread.end() && unread.begin()->data() == "a");
}

static void errors() {
    sseam::options options;
    options.max_data = 2;
    sseam::parser parser = made(options);
    std::error_code ec;
    int events = 0;
    auto range = parser.feed("data: ab\n\ndata: abc\n\n", ec);
    for (const auto& item : range) events += item.is_event();
    CHECK(events == 1 && ec == sseam::errc::data_too_long && ec.category() == sseam::category());
    CHECK(std::strcmp(ec.category().name(), "sseam") == 0 && !ec.message().empty());
    CHECK(range.rest() == "c\n\n" && parser.error().limit == SSEAM_LIMIT_DATA);
    CHECK(parser.error().max == 2 && parser.error().offset == 18);
    CHECK(parser.feed("x", [](const sseam::item&) {}) == sseam::errc::data_too_long);
    CHECK(!parser.finish(ec).truncated && ec == sseam::errc::data_too_long);
    CHECK(!parser.reset() && !parser.resync());
    CHECK(sseam::make_error_code(sseam::errc::memory) == std::errc::not_enough_memory);
    CHECK(sseam::make_error_code(sseam::errc::argument) == std::errc::invalid_argument);
    CHECK(sseam::make_error_code(sseam::errc::utf8) == std::errc::illegal_byte_sequence);
    CHECK(!sseam::to_error_code(SSEAM_EVENT));
    options.report = 99;
    CHECK(!sseam::parser::create(options, ec) && ec == sseam::errc::argument);
    CHECK(!sseam::parser::in_place(nullptr, 0, sseam::options(), ec) && ec);
}

static void ownership() {
    sseam::parser first = made();
    sseam_parser* handle = first.c();
    sseam::parser second = std::move(first);
    CHECK(second.c() == handle && !first); // NOLINT: an empty parser is defined
    std::error_code ec;
    for (const auto& item : first.feed(TWO, ec)) CHECK(!item.is_event());
    CHECK(ec == sseam::errc::argument && first.last_event_id().empty() && !first.retry_ms());
    first = made();
    first = std::move(second);
    CHECK(first.c() == handle);
}

static void callbacks() {
    sseam::parser parser = made();
    std::string_view rest;
    int calls = 0;
    const auto stop = [&](const sseam::item&) { return ++calls, sseam::flow::stop; };
    CHECK(!parser.feed(TWO, stop, &rest) && calls == 1 && rest == TWO.substr(15));
    CHECK(!parser.feed(rest, stop, &rest) && calls == 2 && rest.empty());
    const auto go_on = [&](const sseam::item&) { return ++calls, sseam::flow::go_on; };
    CHECK(!parser.feed(TWO, go_on) && calls == 4);
#if defined(__cpp_exceptions)
    bool is_caught = false;
    try {
        (void)parser.feed(TWO, [](const sseam::item&) { throw 17; }, &rest);
    } catch (int number) {
        is_caught = number == 17;
    }
    CHECK(is_caught && rest == TWO.substr(15));
    CHECK(!parser.feed(rest, go_on) && calls == 5);
    sseam::options wrong;
    wrong.utf8 = 99;
    is_caught = false;
    try {
        sseam::parser refused(wrong);
    } catch (const std::system_error& error) {
        is_caught = error.code() == sseam::errc::argument;
    }
    CHECK(is_caught);
    CHECK(sseam::parser().c() != nullptr);
#endif
}

static void endings() {
    sseam::options options;
    options.report = SSEAM_REPORT_RETRY | SSEAM_REPORT_COMMENTS | SSEAM_REPORT_IGNORED;
    options.on_overflow = SSEAM_OVERFLOW_SKIP;
    options.max_type = 1;
    sseam::parser parser = made(options);
    std::error_code ec;
    std::vector<sseam::kind> kinds;
    const std::string_view stream = "retry: 9\n: hi\nx\nevent: long\ndata: y\n\ndata: cu";
    for (const auto& item : parser.feed(stream, ec)) {
        kinds.push_back(item.kind());
        if (item.kind() == sseam::kind::retry) CHECK(item.retry_ms() == 9);
        if (item.kind() == sseam::kind::skipped) {
            CHECK(!item.is_type_known() && item.limit() == SSEAM_LIMIT_TYPE);
            CHECK(item.limit_max() == 1);
        }
    }
    CHECK(!ec && kinds == (std::vector<sseam::kind>{sseam::kind::retry, sseam::kind::comment,
                                                    sseam::kind::ignored, sseam::kind::skipped}));
    CHECK(parser.retry_ms() == 9u);
    CHECK(!parser.take_unfinished(ec) && ec == sseam::errc::state);
    const sseam::ending end = parser.finish(ec);
    CHECK(!ec && end.truncated && end.pending == SSEAM_PENDING_LINE);
    CHECK(end.offset == stream.size());
    const std::optional<sseam::item> unfinished = parser.take_unfinished(ec);
    CHECK(!ec && unfinished && unfinished->is_unfinished() && unfinished->data() == "cu");
    CHECK(!parser.take_unfinished(ec) && !ec);
    CHECK(!parser.reset() && !parser.set_last_event_id("7") && parser.last_event_id() == "7");
    CHECK(parser.set_last_event_id("a\nb") == sseam::errc::argument);
}

static void texts() {
    std::error_code ec;
    CHECK(sseam::utf8_replace("a\xE2\x82z") == "a\xEF\xBF\xBDz" && sseam::utf8_replace("").empty());
    CHECK(sseam::encode_event("t", "a\nb", "7", ec) == "event: t\nid: 7\ndata: a\ndata: b\n\n");
    CHECK(!ec && sseam::encode_event("", "", std::nullopt, ec) == "data: \n\n");
    CHECK(sseam::encode_event("", "", std::string_view(), ec) == "id: \ndata: \n\n");
    CHECK(sseam::encode_event("a\nb", "", std::nullopt, ec).empty() && ec == sseam::errc::argument);
    sseam::options options;
    CHECK(!options.fit(2048) && sseam_parser_size(&options) == 2048);
    CHECK(options.fit(1) == sseam::errc::memory);
}

/** An answer of which all is there, and one that broke off; then an empty turn. */
static void answers() {
    const std::string_view stream =
        "data: {\"choices\":[{\"delta\":{\"content\":\"h\\u00fc\"}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n"
        "data: [DONE]\n\n";
    std::error_code ec;
    sseam::parser parser = made();
    sseam::turn turn = sseam::turn::create(sseam::dialect::openai_chat, ec);
    CHECK(!ec && turn && turn.dialect() == sseam::dialect::openai_chat && !turn.is_terminal());
    std::string text, said;
    for (const sseam::item& item : parser.feed(stream, ec)) {
        for (const sseam::signal& signal : turn.observe(item)) {
            said.append(signal.name()).append(" ");
            if (signal.is_text()) signal.text().append_to(text);
            if (signal.kind() == sseam::signal_kind::finish)
                CHECK(signal.reason_name() == "stop" && signal.text().str() == "stop");
            if (signal.kind() == sseam::signal_kind::usage)
                CHECK(signal.input_tokens() == 5u && signal.output_tokens() == 2u);
        }
    }
    CHECK(!ec && text == "h\xC3\xBC" && said == "text finish terminal usage other ");
    CHECK(turn.is_terminal() && turn.is_over() && !turn.wants_unfinished());
    const sseam::outcome outcome = turn.finish(parser.finish(ec), SSEAM_CLOSE_CLEAN, ec);
    CHECK(!ec && outcome.is_completed() && outcome.exit_code() == 0 && outcome.code().empty());
    CHECK(outcome.name() == "Completed" && outcome.reason_name() == "stop");
    CHECK(outcome.is(SSEAM_OUTCOME_HAS_INPUT_TOKENS) && !outcome.is(SSEAM_OUTCOME_HAS_GAP));

    alignas(8) unsigned char memory[SSEAM_TURN_STORAGE];
    sseam::turn cut = sseam::turn::in_place(memory, sizeof memory, sseam::turn_options(), ec);
    CHECK(!ec && !parser.reset());
    for (const sseam::item& item : parser.feed(stream.substr(0, 30), ec)) cut.observe(item);
    CHECK(cut.finish(parser.finish(ec), SSEAM_CLOSE_RESET, ec).kind() ==
          sseam::outcome_kind::truncated);
    CHECK(cut.finish(sseam::errc::data_too_long, ec).kind() ==
          sseam::outcome_kind::limit_exceeded);
    CHECK(!ec && cut.finish(std::make_error_code(std::errc::timed_out), ec).kind() ==
                     sseam::outcome_kind() && ec == sseam::errc::argument);
    int bodies = 0;
    for (const sseam::signal& signal : cut.observe_body("{\"error\":{\"code\":\"x\"}}", true))
        bodies += signal.code().str() == "x";
    CHECK(bodies == 1);

    sseam::turn moved = std::move(turn);
    CHECK(moved && !turn); // NOLINT: an empty turn says nothing
    for (const sseam::signal& signal : turn.observe(sseam::item())) CHECK(signal.is_text() && false);
    (void)turn.finish(sseam::ending(), SSEAM_CLOSE_CLEAN, ec);
    CHECK(ec == sseam::errc::argument && turn.state() == 0);
    (void)sseam::turn::create(static_cast<sseam::dialect>(99), ec);
    CHECK(ec == sseam::errc::argument);
#if defined(__cpp_exceptions)
    CHECK(sseam::turn().dialect() == sseam::dialect::automatic);
    try {
        sseam::turn none(static_cast<sseam::dialect>(99));
        CHECK(false);
    } catch (const std::system_error& error) {
        CHECK(error.code() == sseam::errc::argument);
    }
#endif
}

#if defined(__cpp_lib_expected)
static void expectations() {
    auto parser = sseam::parser::make_expected();
    CHECK(parser && *parser);
    sseam::options wrong;
    wrong.utf8 = 99;
    CHECK(sseam::parser::make_expected(wrong).error() == sseam::errc::argument);
}
#endif

int main() {
    ranges();
    errors();
    ownership();
    callbacks();
    endings();
    texts();
    answers();
#if defined(__cpp_lib_expected)
    expectations();
#endif
    std::puts("the wrapper does what it says");
    return 0;
}
