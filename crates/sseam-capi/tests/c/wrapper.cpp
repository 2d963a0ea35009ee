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

/** Whether `answer.feed(chunk)` and `answer.text(chunk)` compile for such a chunk. */
template <class Chunk, class = void>
constexpr bool is_heard = false;
template <class Chunk>
constexpr bool is_heard<Chunk, std::void_t<decltype(std::declval<sseam::answer&>().feed(
                                               std::declval<Chunk>())),
                                           decltype(std::declval<sseam::answer&>().text(
                                               std::declval<Chunk>()))>> = true;

static_assert(is_heard<std::string_view> && is_heard<const char*> && is_heard<std::string&>);
static_assert(!is_heard<std::string> && !is_heard<const std::string>);
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

/** An answer of which all is there, and one that broke off; then an empty one. */
static void answers() {
    const std::string_view stream =
        "data: {\"id\":\"r1\",\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"h\\u00fc\"}}]}\n\n"
        "data: {\"id\":\"r1\",\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n"
        "data: [DONE]\n\n";
    std::error_code ec;
    sseam::answer answer = sseam::answer::create(sseam::dialect::openai_chat, ec);
    CHECK(!ec && answer && answer.dialect() == sseam::dialect::openai_chat);
    CHECK(!answer.is_terminal() && answer.wants() == sseam::wants::more && !answer.quiet());
    std::string text, said;
    int items = 0;
    for (const sseam::answer::heard& heard : answer.feed(stream)) {
        items += heard.item() != nullptr && heard.item()->is_event();
        for (const sseam::signal& signal : heard.signals()) {
            said.append(signal.name()).append(" ");
            if (signal.is_text()) signal.text().append_to(text);
            if (signal.kind() == sseam::signal_kind::answer)
                CHECK(signal.code().str() == "r1" && signal.text().str() == "m");
            if (signal.kind() == sseam::signal_kind::finish)
                CHECK(signal.reason_name() == "stop" && signal.text().str() == "stop");
            if (signal.kind() == sseam::signal_kind::usage)
                CHECK(signal.usage().input() == 5u && signal.usage().output() == 2u &&
                      !signal.usage().total());
        }
    }
    CHECK(items == 4 && text == "h\xC3\xBC");
    CHECK(said == "answer text finish usage terminal ");
    CHECK(answer.is_terminal() && answer.is_over() && answer.has_output());
    CHECK(answer.wants() == sseam::wants::nothing && !answer.foreign());
    for (const sseam::answer::heard& heard : answer.end()) CHECK(heard.item() && false);
    const sseam::outcome outcome = answer.outcome();
    CHECK(outcome.is_completed() && outcome.exit_code() == 0 && outcome.code().empty());
    CHECK(outcome.name() == "Completed" && outcome.reason_name() == "stop");
    CHECK(outcome.word() == "stop" && outcome.id() == "r1" && outcome.model() == "m");
    CHECK(outcome.usage().input() == 5u && !outcome.is(SSEAM_OUTCOME_HAS_GAP));

    alignas(8) static unsigned char memory[SSEAM_ANSWER_STORAGE(512, 64, 64, 0)];
    sseam::answer_options small;
    CHECK(sseam_answer_options_fit(&small, sizeof memory) == SSEAM_OK);
    sseam::answer cut = sseam::answer::in_place(memory, sizeof memory, small, ec);
    CHECK(!ec && cut);
    text.clear();
    const std::string head(stream.substr(0, 100));
    for (std::string_view part : cut.text(head)) text += part;
    cut.end(SSEAM_CLOSE_RESET);
    CHECK(text == "h\xC3\xBC" && cut.outcome().kind() == sseam::outcome_kind::truncated);
    CHECK(!cut.outcome().may_ask_again() && !cut.outcome().may_run_calls());
    cut.reopen();
    CHECK(!cut.set_last_event_id("7") && cut.last_event_id() == "7" && !cut.retry_ms());
    CHECK(cut.set_last_event_id("\n") == sseam::errc::argument);

    sseam::answer body = sseam::answer::create(sseam::dialect::openai_chat, ec);
    for (std::string_view part : body.text("{\"error\":{\"code\":\"x\"}}")) CHECK(part.empty());
    int errors = 0;
    for (const sseam::answer::heard& heard : body.end())
        for (const sseam::signal& signal : heard.signals()) errors += signal.code().str() == "x";
    CHECK(errors == 1 && body.outcome().code() == "x" && body.foreign().word() == "json_error");

    sseam::answer moved = std::move(answer);
    CHECK(moved && !answer); // NOLINT: an empty answer says nothing
    for (const sseam::answer::heard& heard : answer.feed(stream)) CHECK(heard.item() && false);
    CHECK(answer.outcome().kind() == sseam::outcome_kind() && answer.state() == 0);
    (void)sseam::answer::create(static_cast<sseam::dialect>(99), ec);
    CHECK(ec == sseam::errc::argument);
#if defined(__cpp_exceptions)
    CHECK(sseam::answer().dialect() == sseam::dialect::automatic);
    try {
        sseam::answer none(static_cast<sseam::dialect>(99));
        CHECK(false);
    } catch (const std::system_error& error) {
        CHECK(error.code() == sseam::errc::argument);
    }
#endif
}

/** Tool calls, put together; the collector may be moved between two signals. */
static void tool_calls() {
    const std::string_view stream =
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":"
        "{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\"}}]}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":"
        "{\"arguments\":\"\\\"long enough to grow\\\"}\"}}]}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n"
        "data: [DONE]\n\n";
    std::error_code ec;
    sseam::answer answer = sseam::answer::create(sseam::answer_options(), ec);
    sseam::calls calls;
    std::string found;
    for (const sseam::answer::heard& heard : answer.feed(stream)) {
        sseam::calls moved = std::move(calls);
        for (const sseam::signal& signal : heard.signals()) {
            if (signal.kind() == sseam::signal_kind::tool_opened) CHECK(signal.is_client());
            if (const auto call = moved.observe(signal))
                found.append(call->id).append(call->name).append(call->arguments);
        }
        calls = std::move(moved);
    }
    CHECK(found == "cf{\"a\":\"long enough to grow\"}" && answer.outcome().may_run_calls());
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
    tool_calls();
#if defined(__cpp_lib_expected)
    expectations();
#endif
    std::puts("the wrapper does what it says");
    return 0;
}
