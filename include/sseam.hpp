/*
 * sseam: Server-Sent Events (text/event-stream) for C++17 and later.
 *
 *     sseam::answer answer;                       // of an AI API; throws where memory is short
 *     while (auto n = read(fd, buffer, sizeof buffer))
 *         for (std::string_view part : answer.text({buffer, n}))
 *             std::cout << part;
 *     answer.end(SSEAM_CLOSE_CLEAN);
 *     return answer.outcome().exit_code();
 *
 * And the events of any stream:
 *
 *     sseam::parser parser;
 *     std::error_code ec;
 *     while (auto n = read(fd, buffer, sizeof buffer)) {
 *         for (const sseam::item& item : parser.feed({buffer, n}, ec))
 *             std::cout << item.type() << ": " << item.data() << '\n';
 *         if (ec) break;
 *     }
 *     if (parser.finish(ec).truncated) std::cerr << "broken off\n";
 *
 * Header-only over sseam.h, whose rules hold here too; above all this one: views
 * are valid until the next step of the same parser, and only while the bytes that
 * were fed are left unchanged. `to_owned()` makes strings of them.
 *
 * `sseam::answer` is not stable yet, as in sseam.h.
 *
 * Works with -fno-exceptions and -fno-rtti: every function that can fail has a
 * form that takes a `std::error_code` and is noexcept. Only the pull interface is
 * used, so what your code throws never crosses the library.
 */
#ifndef SSEAM_HPP
#define SSEAM_HPP

#include "sseam.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#if defined(__cpp_lib_expected)
#include <expected>
#endif

namespace sseam {

/** The errors of sseam.h, as values of `std::error_code`. */
enum class errc : int {
    argument = SSEAM_ERR_ARGUMENT,
    memory = SSEAM_ERR_MEMORY,
    line_too_long = SSEAM_ERR_LINE_TOO_LONG,
    data_too_long = SSEAM_ERR_DATA_TOO_LONG,
    type_too_long = SSEAM_ERR_TYPE_TOO_LONG,
    id_too_long = SSEAM_ERR_ID_TOO_LONG,
    total = SSEAM_ERR_TOTAL,
    utf8 = SSEAM_ERR_UTF8,
    state = SSEAM_ERR_STATE,
    version = SSEAM_ERR_VERSION,
    reentrant = SSEAM_ERR_REENTRANT,
    internal = SSEAM_ERR_INTERNAL
};

namespace detail {

class category final : public std::error_category {
public:
    const char* name() const noexcept override { return "sseam"; }
    std::string message(int status) const override { return sseam_strerror(status); }
    std::error_condition default_error_condition(int status) const noexcept override {
        switch (status) {
        case SSEAM_ERR_ARGUMENT: return std::errc::invalid_argument;
        case SSEAM_ERR_MEMORY: return std::errc::not_enough_memory;
        case SSEAM_ERR_UTF8: return std::errc::illegal_byte_sequence;
        default: return std::error_condition(status, *this);
        }
    }
};

inline std::string_view view(sseam_str str) noexcept { return {str.ptr, str.len}; }
inline sseam_str str(std::string_view view) noexcept { return {view.data(), view.size()}; }

/** A temporary that owns its bytes: a view of them would dangle at once. */
template <class T>
inline constexpr bool is_owning_rvalue =
    std::is_class_v<std::remove_reference_t<T>> && !std::is_lvalue_reference_v<T> &&
    !std::is_same_v<std::remove_cv_t<std::remove_reference_t<T>>, std::string_view>;

/** The end of a range that is gone through once. */
struct sentinel {};

/** Goes through a range that makes its values one by one, each in place of the last. */
template <class Range, class Value>
class iterator {
public:
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::input_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = const Value*;
    using reference = const Value&;

    explicit iterator(Range* of = nullptr) noexcept : range_(of) {}

    reference operator*() const noexcept { return range_->current(); }
    pointer operator->() const noexcept { return &range_->current(); }
    iterator& operator++() noexcept {
        range_->step();
        return *this;
    }
    void operator++(int) noexcept { range_->step(); }

    friend bool operator==(const iterator& it, sentinel) noexcept { return it.is_done(); }
    friend bool operator!=(const iterator& it, sentinel) noexcept { return !it.is_done(); }
#if !defined(__cpp_impl_three_way_comparison)
    friend bool operator==(sentinel, const iterator& it) noexcept { return it.is_done(); }
    friend bool operator!=(sentinel, const iterator& it) noexcept { return !it.is_done(); }
#endif

private:
    bool is_done() const noexcept { return range_->is_done_; }

    Range* range_;
};

} // namespace detail

inline const std::error_category& category() noexcept {
    static const detail::category instance;
    return instance;
}

inline std::error_code make_error_code(errc error) noexcept {
    return {static_cast<int>(error), category()};
}

/** The error of a status; none for statuses that are no error. */
inline std::error_code to_error_code(sseam_status status) noexcept {
    return status < 0 ? std::error_code(status, category()) : std::error_code();
}

/** The options of sseam.h, with their defaults. */
struct options : sseam_options {
    options() noexcept : sseam_options() { sseam_options_init(static_cast<sseam_options*>(this)); }

    /** Makes the limits such that a parser fits into so many bytes. */
    std::error_code fit(std::size_t memory_len) noexcept {
        return to_error_code(sseam_options_fit(this, memory_len));
    }
};

enum class kind : int {
    none = SSEAM_OK,
    event = SSEAM_EVENT,
    comment = SSEAM_COMMENT,
    retry = SSEAM_RETRY,
    skipped = SSEAM_SKIPPED,
    ignored = SSEAM_IGNORED
};

/** An event that owns its bytes. */
struct event {
    std::string type, data, last_event_id;
};

/** One thing that the stream said, as views. By default, events only. */
class item {
public:
    item() noexcept : item_() { item_.struct_size = sizeof item_; }

    /** May be a value that this header does not name; leave such items alone. */
    sseam::kind kind() const noexcept { return static_cast<sseam::kind>(item_.kind); }
    bool is_event() const noexcept { return item_.kind == SSEAM_EVENT; }
    /** Whether its blank line is missing: only from `take_unfinished`. */
    bool is_unfinished() const noexcept { return (item_.flags & SSEAM_ITEM_UNFINISHED) != 0; }

    /** event, skipped: its type; `message` where the stream names none. */
    std::string_view type() const noexcept { return detail::view(item_.type); }
    /** skipped: whether the type is known, or was itself too long. */
    bool is_type_known() const noexcept { return (item_.flags & SSEAM_ITEM_TYPE_UNKNOWN) == 0; }
    /** event: its data; comment, ignored, skipped: what was kept of it. */
    std::string_view data() const noexcept { return detail::view(item_.data); }
    std::string_view last_event_id() const noexcept { return detail::view(item_.last_event_id); }
    std::uint64_t offset() const noexcept { return item_.offset; }
    std::uint64_t end() const noexcept { return item_.end; }
    /** How long `data` is, or would be if it had not been cut. */
    std::uint64_t full_len() const noexcept { return item_.full_len; }
    /** retry: the reconnection time in milliseconds. */
    std::uint64_t retry_ms() const noexcept { return item_.retry_ms; }
    /** skipped: the limit that was passed, and its value. */
    sseam_limit limit() const noexcept { return item_.limit; }
    std::uint64_t limit_max() const noexcept { return item_.limit_max; }

    event to_owned() const {
        return {std::string(type()), std::string(data()), std::string(last_event_id())};
    }

    const sseam_item& c() const noexcept { return item_; }
    sseam_item& c() noexcept { return item_; }

private:
    sseam_item item_;
};

/** What the end of input threw away. */
struct ending {
    bool truncated = false;
    /** `SSEAM_PENDING_...` bits */
    std::uint32_t pending = 0;
    std::uint64_t offset = 0;
};

/** What a callback may return to go on or to stop. */
enum class flow { go_on, stop };

/**
 * Turns the bytes of one stream after the other into events. Owns its handle, can
 * be moved and not copied. A parser that was moved from, or whose making failed,
 * is empty: what it is asked gives `errc::argument`.
 */
class parser {
public:
    class range;

#if defined(__cpp_exceptions) && defined(SSEAM_HEAP)
    /** A parser whose memory grows on demand. Throws `std::system_error`. */
    explicit parser(const sseam::options& options = sseam::options()) {
        std::error_code ec;
        *this = create(options, ec);
        if (ec) throw std::system_error(ec);
    }
#endif

#if defined(SSEAM_HEAP)
    /** The same; an empty parser on errors. */
    static parser create(const sseam::options& options, std::error_code& ec) noexcept {
        return make(ec, [&](sseam_parser** out) { return sseam_parser_new(&options, nullptr, out); });
    }

    /** The same, with memory of an allocator of your own. */
    static parser create(const sseam::options& options, const sseam_allocator& allocator,
                         std::error_code& ec) noexcept {
        return make(ec,
                    [&](sseam_parser** out) { return sseam_parser_new(&options, &allocator, out); });
    }

#endif

    /** A parser in memory of yours, which must outlive it. Allocates nothing. */
    static parser in_place(void* memory, std::size_t memory_len, const sseam::options& options,
                           std::error_code& ec) noexcept {
        return make(ec, [&](sseam_parser** out) {
            return sseam_parser_init(memory, memory_len, &options, out);
        });
    }

#if defined(__cpp_lib_expected) && defined(SSEAM_HEAP)
    static std::expected<parser, std::error_code>
    make_expected(const sseam::options& options = sseam::options()) noexcept {
        std::error_code ec;
        parser made = create(options, ec);
        if (ec) return std::unexpected(ec);
        return made;
    }
#endif

    explicit operator bool() const noexcept { return handle_ != nullptr; }

    /**
     * The items of a chunk, one step for each: `for (auto& item : p.feed(chunk, ec))`.
     *
     * The loop ends when the chunk is used up, or on an error, and then `ec` is
     * set. After a `break`, `rest()` of the range is what was not read.
     */
    range feed(std::string_view chunk, std::error_code& ec) noexcept;

    /** The same for bytes of any kind. */
    range feed(const void* bytes, std::size_t len, std::error_code& ec) noexcept;

    /** The items would point into a temporary. */
    template <class Owner, std::enable_if_t<detail::is_owning_rvalue<Owner&&>, int> = 0>
    range feed(Owner&& chunk, std::error_code& ec) = delete;

    /**
     * Gives each item to `on_item`, which returns nothing, or `flow::stop` to stop;
     * it may throw. `rest`, if given, becomes what was not read.
     */
    template <class OnItem,
              std::enable_if_t<std::is_invocable_v<OnItem&, const item&>, int> = 0>
    [[nodiscard]] std::error_code feed(std::string_view chunk, OnItem&& on_item,
                                       std::string_view* rest = nullptr);

    template <class Owner, class OnItem,
              std::enable_if_t<detail::is_owning_rvalue<Owner&&> &&
                                   std::is_invocable_v<OnItem&, const item&>,
                               int> = 0>
    std::error_code feed(Owner&& chunk, OnItem&& on_item, std::string_view* rest = nullptr) = delete;

    /** One item, or none when the chunk is used up: takes bytes off its front. */
    bool next(std::string_view& chunk, item& out, std::error_code& ec) noexcept {
        std::size_t used = 0;
        const sseam_status status =
            sseam_parser_feed(handle_.get(), chunk.data(), chunk.size(), &used, &out.c());
        chunk.remove_prefix(used);
        ec = to_error_code(status);
        return status > 0;
    }

    /** Tells that the input has ended. */
    ending finish(std::error_code& ec) noexcept {
        sseam_end end = {};
        end.struct_size = sizeof end;
        const sseam_status status = sseam_parser_finish(handle_.get(), &end);
        ec = to_error_code(status);
        return {status == SSEAM_TRUNCATED, end.pending, end.offset};
    }

    /** The event that the end of input threw away, once, after `finish`. */
    std::optional<item> take_unfinished(std::error_code& ec) noexcept {
        item out;
        const sseam_status status = sseam_parser_take_unfinished(handle_.get(), &out.c());
        ec = to_error_code(status);
        return status > 0 ? std::optional<item>(out) : std::nullopt;
    }

    /** Begins a new connection: keeps options, last event id, reconnection time. */
    std::error_code reset() noexcept { return to_error_code(sseam_parser_reset(handle_.get())); }

    /** Goes on behind the next blank line, after a loss of bytes. */
    std::error_code resync() noexcept { return to_error_code(sseam_parser_resync(handle_.get())); }

    std::string_view last_event_id() const noexcept {
        return detail::view(sseam_parser_last_event_id(handle_.get()));
    }

    [[nodiscard]] std::error_code set_last_event_id(std::string_view id) noexcept {
        return to_error_code(sseam_parser_set_last_event_id(handle_.get(), id.data(), id.size()));
    }

    /** The reconnection time in milliseconds, if the stream has set one. */
    std::optional<std::uint64_t> retry_ms() const noexcept {
        std::uint64_t milliseconds = 0;
        const bool is_set = sseam_parser_retry(handle_.get(), &milliseconds) == SSEAM_RETRY;
        return is_set ? std::optional<std::uint64_t>(milliseconds) : std::nullopt;
    }

    sseam_stats stats() const noexcept {
        sseam_stats stats = {};
        stats.struct_size = sizeof stats;
        (void)sseam_parser_stats(handle_.get(), &stats);
        return stats;
    }

    /** Why the parser has stopped: which limit, its value, and where. */
    sseam_error error() const noexcept {
        sseam_error error = {};
        error.struct_size = sizeof error;
        (void)sseam_parser_error(handle_.get(), &error);
        return error;
    }

    /** The handle, for functions of sseam.h. Stays this parser's. */
    sseam_parser* c() const noexcept { return handle_.get(); }

private:
    struct deleter {
        void operator()(sseam_parser* handle) const noexcept { sseam_parser_free(handle); }
    };

    explicit parser(sseam_parser* handle) noexcept : handle_(handle) {}

    template <class Make>
    static parser make(std::error_code& ec, Make create) noexcept {
        sseam_parser* handle = nullptr;
        const bool is_known = sseam_abi_version() == SSEAM_ABI_VERSION;
        ec = to_error_code(is_known ? create(&handle) : SSEAM_ERR_VERSION);
        return parser(handle);
    }

    std::unique_ptr<sseam_parser, deleter> handle_;
};

/** The items of one chunk; a range to be gone through once. */
class parser::range {
public:
    using sentinel = detail::sentinel;
    using iterator = detail::iterator<range, item>;

    range(const range&) = delete;
    range& operator=(const range&) = delete;

    iterator begin() noexcept {
        if (!has_begun_) step();
        return iterator(this);
    }
    sentinel end() const noexcept { return {}; }

    /** What was not read yet. */
    std::string_view rest() const noexcept { return rest_; }

private:
    friend class parser;
    friend iterator;

    const item& current() const noexcept { return item_; }

    range(parser& of, std::string_view chunk, std::error_code& ec) noexcept
        : parser_(of), rest_(chunk), ec_(ec) {
        ec_.clear();
    }

    void step() noexcept {
        has_begun_ = true;
        is_done_ = !parser_.next(rest_, item_, ec_);
    }

    parser& parser_;
    std::string_view rest_;
    std::error_code& ec_;
    item item_;
    bool has_begun_ = false;
    bool is_done_ = false;
};

inline parser::range parser::feed(std::string_view chunk, std::error_code& ec) noexcept {
    return range(*this, chunk, ec);
}

inline parser::range parser::feed(const void* bytes, std::size_t len,
                                  std::error_code& ec) noexcept {
    return range(*this, std::string_view(static_cast<const char*>(bytes), len), ec);
}

template <class OnItem, std::enable_if_t<std::is_invocable_v<OnItem&, const item&>, int>>
std::error_code parser::feed(std::string_view chunk, OnItem&& on_item, std::string_view* rest) {
    std::error_code ec;
    item out;
    while (next(chunk, out, ec)) {
        if (rest != nullptr) *rest = chunk;
        if constexpr (std::is_void_v<std::invoke_result_t<OnItem&, const item&>>) {
            on_item(static_cast<const item&>(out));
        } else {
            static_assert(std::is_same_v<std::invoke_result_t<OnItem&, const item&>, flow>,
                          "on_item returns nothing, or sseam::flow");
            if (on_item(static_cast<const item&>(out)) == flow::stop) return ec;
        }
    }
    if (rest != nullptr) *rest = chunk;
    return ec;
}

static_assert(!std::is_copy_constructible_v<parser> && !std::is_copy_assignable_v<parser>);
static_assert(std::is_nothrow_move_constructible_v<parser>);
static_assert(std::is_nothrow_move_assignable_v<parser>);

/** Text with U+FFFD in place of each malformed part, as browsers decode streams. */
inline std::string utf8_replace(std::string_view text) {
    std::size_t needed = 0;
    std::string out;
    (void)sseam_utf8_replace(text.data(), text.size(), nullptr, 0, &needed);
    out.resize(needed);
    (void)sseam_utf8_replace(text.data(), text.size(), out.data(), out.size(), &needed);
    return out;
}

/** An event with its blank line; empty, and `ec` set, for a type or id that could
 *  end its line. No id writes no `id` line, an empty one resets it. */
inline std::string encode_event(std::string_view type, std::string_view data,
                                std::optional<std::string_view> id, std::error_code& ec) {
    const sseam_str none = {nullptr, 0};
    // An empty view may have no pointer, and would then be no id at all.
    const sseam_str given = id ? detail::str(id->empty() ? std::string_view("") : *id) : none;
    std::size_t needed = 0;
    std::string out;
    sseam_status status =
        sseam_encode_event(detail::str(type), detail::str(data), given, nullptr, 0, &needed);
    if (status == SSEAM_ERR_MEMORY) {
        out.resize(needed);
        status = sseam_encode_event(detail::str(type), detail::str(data), given, out.data(),
                                    out.size(), &needed);
    }
    ec = to_error_code(status);
    return out;
}

/* ---- The answers of AI APIs: not stable before 1.0, as in sseam.h ---- */

/** Which API's events these are. May be a value that is not named here. */
enum class dialect : int {
    automatic = SSEAM_DIALECT_AUTO,
    plain = SSEAM_DIALECT_PLAIN,
    custom = SSEAM_DIALECT_CUSTOM,
    openai_responses = SSEAM_DIALECT_OPENAI_RESPONSES,
    openai_chat = SSEAM_DIALECT_OPENAI_CHAT,
    anthropic = SSEAM_DIALECT_ANTHROPIC,
    gemini = SSEAM_DIALECT_GEMINI,
    gemini_interactions = SSEAM_DIALECT_GEMINI_INTERACTIONS,
    cohere = SSEAM_DIALECT_COHERE,
    mcp_2025 = SSEAM_DIALECT_MCP_2025,
    mcp_2026 = SSEAM_DIALECT_MCP_2026
};

/** What counts as the end of an answer. */
enum class mode : int {
    standard = SSEAM_MODE_DEFAULT,
    strict = SSEAM_MODE_STRICT,
    lenient = SSEAM_MODE_LENIENT
};

/** What a signal says. Take a value that is not named here as `other`. */
enum class signal_kind : int {
    text = SSEAM_SIGNAL_TEXT,
    reasoning = SSEAM_SIGNAL_REASONING,
    refusal = SSEAM_SIGNAL_REFUSAL,
    tool_opened = SSEAM_SIGNAL_TOOL_OPENED,
    tool_arguments = SSEAM_SIGNAL_TOOL_ARGUMENTS,
    tool_closed = SSEAM_SIGNAL_TOOL_CLOSED,
    other_choice = SSEAM_SIGNAL_OTHER_CHOICE,
    finish = SSEAM_SIGNAL_FINISH,
    usage = SSEAM_SIGNAL_USAGE,
    keep_alive = SSEAM_SIGNAL_KEEP_ALIVE,
    terminal = SSEAM_SIGNAL_TERMINAL,
    error = SSEAM_SIGNAL_ERROR,
    unreadable = SSEAM_SIGNAL_UNREADABLE,
    other = SSEAM_SIGNAL_OTHER,
    answer = SSEAM_SIGNAL_ANSWER
};

/** What became of an answer. Take a value that is not named here as a failure. */
enum class outcome_kind : int {
    completed = SSEAM_OUTCOME_COMPLETED,
    ended = SSEAM_OUTCOME_ENDED,
    incomplete = SSEAM_OUTCOME_INCOMPLETE,
    refused = SSEAM_OUTCOME_REFUSED,
    failed = SSEAM_OUTCOME_FAILED,
    cancelled = SSEAM_OUTCOME_CANCELLED,
    truncated = SSEAM_OUTCOME_TRUNCATED,
    timed_out = SSEAM_OUTCOME_TIMED_OUT,
    limit_exceeded = SSEAM_OUTCOME_LIMIT_EXCEEDED,
    invalid_text = SSEAM_OUTCOME_INVALID_TEXT,
    failed_status = SSEAM_OUTCOME_FAILED_STATUS,
    not_event_stream = SSEAM_OUTCOME_NOT_EVENT_STREAM,
    transport_failed = SSEAM_OUTCOME_TRANSPORT_FAILED,
    other = SSEAM_OUTCOME_OTHER
};

/** What a source is to do next. Take a value that is not named here as `more`. */
enum class wants : int {
    nothing = SSEAM_WANTS_NOTHING,
    more = SSEAM_WANTS_MORE,
    more_until_quiet = SSEAM_WANTS_MORE_UNTIL_QUIET
};

/** What a body is that is no event stream; false if it is none of these. */
class foreign {
public:
    explicit foreign(sseam_foreign code) noexcept : code_(code) {}

    explicit operator bool() const noexcept { return code_ != SSEAM_FOREIGN_NONE; }
    /** `SSEAM_FOREIGN_...` */
    sseam_foreign code() const noexcept { return code_; }
    /** For people, with its article. */
    std::string_view name() const noexcept { return detail::view(sseam_foreign_name(code_)); }
    /** For programs: a word that stays. */
    std::string_view word() const noexcept { return detail::view(sseam_foreign_word(code_)); }
    /** What to do about it. */
    std::string_view advice() const noexcept { return detail::view(sseam_foreign_advice(code_)); }

private:
    sseam_foreign code_;
};

/** Tokens used, as far as the API said; one meaning over all of them. */
class usage {
public:
    using count = std::optional<std::uint64_t>;

    explicit usage(const sseam_usage& c) noexcept : c_(c) {}

    /** Of the prompt, all of them: what came from a cache is part of it. */
    count input() const noexcept { return told(SSEAM_USAGE_HAS_INPUT, c_.input); }
    count input_cached() const noexcept {
        return told(SSEAM_USAGE_HAS_INPUT_CACHED, c_.input_cached);
    }
    count input_cache_written() const noexcept {
        return told(SSEAM_USAGE_HAS_INPUT_CACHE_WRITTEN, c_.input_cache_written);
    }
    /** Of the answer, all of them: reasoning is part of it. */
    count output() const noexcept { return told(SSEAM_USAGE_HAS_OUTPUT, c_.output); }
    count output_reasoning() const noexcept {
        return told(SSEAM_USAGE_HAS_OUTPUT_REASONING, c_.output_reasoning);
    }
    /** What the API calls the sum. */
    count total() const noexcept { return told(SSEAM_USAGE_HAS_TOTAL, c_.total); }

    const sseam_usage& c() const noexcept { return c_; }

private:
    count told(std::uint32_t bit, std::uint64_t number) const noexcept {
        return (c_.has & bit) != 0 ? count(number) : std::nullopt;
    }

    sseam_usage c_;
};

/** A piece of text, decoded while it is read. Valid as long as its signal is. */
class text {
public:
    text() noexcept : text_() {}
    explicit text(const sseam_text& c) noexcept : text_(c) {}

    /** Gives each part of it, UTF-8, to `on_part`, which may throw. */
    template <class OnPart>
    void each(OnPart&& on_part) const {
        sseam_text rest = text_;
        sseam_str part = {};
        while (sseam_text_next(&rest, &part) != 0) on_part(detail::view(part));
    }

    /** Its length once it is decoded. */
    std::size_t size() const noexcept {
        std::size_t needed = 0;
        (void)sseam_text_decode(&text_, nullptr, 0, &needed);
        return needed;
    }

    void append_to(std::string& out) const {
        each([&](std::string_view part) { out.append(part); });
    }

    std::string str() const {
        std::string out;
        append_to(out);
        return out;
    }

    const sseam_text& c() const noexcept { return text_; }

private:
    sseam_text text_;
};

/** One thing that an item says. Its texts are valid until the next step of the answer,
 *  and only while the bytes that were fed are left unchanged. */
class signal {
public:
    signal() noexcept : signal_() { signal_.struct_size = sizeof signal_; }

    signal_kind kind() const noexcept { return static_cast<signal_kind>(signal_.kind); }
    bool is_text() const noexcept { return signal_.kind == SSEAM_SIGNAL_TEXT; }
    std::string_view name() const noexcept { return detail::view(sseam_signal_name(signal_.kind)); }
    /** Whether it shows that the answer came on. */
    bool is_progress() const noexcept { return (signal_.flags & SSEAM_SIGNAL_IS_PROGRESS) != 0; }
    /** tool_opened: whether you are to run it; others run at the server. */
    bool is_client() const noexcept { return (signal_.flags & SSEAM_SIGNAL_IS_CLIENT) != 0; }

    /** text, reasoning, refusal, tool_arguments: the piece; tool_opened: the name of
     *  the tool; error: the message; finish: the API's own word; answer: the model. */
    sseam::text text() const noexcept { return sseam::text(signal_.text); }
    /** error: the code; tool_opened: the call's id; answer: its id. */
    sseam::text code() const noexcept { return sseam::text(signal_.code); }
    /** tool_...: which call. */
    std::uint32_t key() const noexcept { return signal_.key; }
    /** finish, other_choice: which choice. */
    std::uint32_t choice() const noexcept { return signal_.choice; }
    /** finish: `SSEAM_REASON_...` */
    sseam_reason reason() const noexcept { return signal_.reason; }
    std::string_view reason_name() const noexcept {
        return detail::view(sseam_reason_name(signal_.reason));
    }
    /** usage: the numbers. */
    sseam::usage usage() const noexcept { return sseam::usage(signal_.usage); }
    /** unreadable: at which byte of the data. */
    std::uint64_t offset() const noexcept { return signal_.offset; }

    const sseam_signal& c() const noexcept { return signal_; }
    sseam_signal& c() noexcept { return signal_; }

private:
    sseam_signal signal_;
};

/** What became of an answer; it points nowhere and may be kept. */
class outcome {
public:
    outcome() noexcept : outcome_() { outcome_.struct_size = sizeof outcome_; }

    outcome_kind kind() const noexcept { return static_cast<outcome_kind>(outcome_.kind); }
    /** Whether the API's own terminal says that all of the answer is there. */
    bool is_completed() const noexcept { return outcome_.kind == SSEAM_OUTCOME_COMPLETED; }
    std::string_view name() const noexcept {
        return detail::view(sseam_outcome_name(outcome_.kind));
    }
    /** Of the command `sseam` for it. */
    int exit_code() const noexcept { return outcome_.exit_code; }
    /** `SSEAM_REASON_...` */
    sseam_reason reason() const noexcept { return outcome_.reason; }
    std::string_view reason_name() const noexcept {
        return detail::view(sseam_reason_name(outcome_.reason));
    }
    sseam::dialect dialect() const noexcept {
        return static_cast<sseam::dialect>(outcome_.dialect);
    }
    /** The API's own word for the reason. */
    std::string_view word() const noexcept { return {outcome_.word, outcome_.word_len}; }
    /** The code of the failure. */
    std::string_view code() const noexcept { return {outcome_.code, outcome_.code_len}; }
    /** The message of the failure, for people; its first bytes. */
    std::string_view message() const noexcept { return {outcome_.message, outcome_.message_len}; }
    /** The API's id of the answer. */
    std::string_view id() const noexcept { return {outcome_.id, outcome_.id_len}; }
    /** The model that gave it. */
    std::string_view model() const noexcept { return {outcome_.model, outcome_.model_len}; }
    sseam::usage usage() const noexcept { return sseam::usage(outcome_.usage); }
    /** What the body is, where it is no event stream. */
    sseam::foreign foreign() const noexcept { return sseam::foreign(outcome_.foreign); }
    /** The id where a new connection would go on; see `c().cursor_kind`. */
    std::string_view cursor() const noexcept { return {outcome_.cursor, outcome_.cursor_len}; }
    /** Whether its closed calls may be run. */
    bool may_run_calls() const noexcept { return is(SSEAM_OUTCOME_MAY_RUN_CALLS); }
    /** Whether asking again is safe: nothing of an answer came. */
    bool may_ask_again() const noexcept { return is(SSEAM_OUTCOME_MAY_ASK_AGAIN); }
    /** Whether `SSEAM_OUTCOME_IS_...`, `..._HAS_...` or `..._MAY_...` is so. */
    bool is(std::uint32_t flag) const noexcept { return (outcome_.flags & flag) != 0; }

    /** Everything else. */
    const sseam_outcome& c() const noexcept { return outcome_; }
    sseam_outcome& c() noexcept { return outcome_; }

private:
    sseam_outcome outcome_;
};

/** What an answer is to expect, and its limits, with their defaults. `markers` is read
 *  when the answer is made. */
struct answer_options : sseam_answer_options {
    answer_options(sseam::dialect of = sseam::dialect::automatic) noexcept
        : sseam_answer_options() {
        sseam_answer_options_init(static_cast<sseam_answer_options*>(this));
        sseam_answer_options::dialect = static_cast<sseam_dialect>(of);
    }
};

/**
 * Follows one answer of an AI API, from the first byte of its stream to its outcome.
 * Owns its handle, can be moved and not copied. An answer that was moved from, or
 * whose making failed, is empty: it takes nothing and says nothing.
 *
 * What goes wrong in the stream is no error of a call: it is part of the outcome.
 */
class answer {
public:
    class heard;
    class heard_range;
    class signal_range;
    class text_range;
    using milliseconds = std::chrono::milliseconds;

#if defined(__cpp_exceptions) && defined(SSEAM_HEAP)
    /** Event memory grows on demand. Throws `std::system_error`. */
    explicit answer(const answer_options& options = answer_options()) {
        std::error_code ec;
        *this = create(options, ec);
        if (ec) throw std::system_error(ec);
    }
#endif

#if defined(SSEAM_HEAP)
    /** The same; an empty answer on errors. */
    static answer create(const answer_options& options, std::error_code& ec) noexcept {
        return make(ec, [&](sseam_answer** out) { return sseam_answer_new(&options, nullptr, out); });
    }
#endif

    /** An answer in memory of yours, of `sseam_answer_size(&options)` bytes. Allocates
     *  nothing. */
    static answer in_place(void* memory, std::size_t memory_len, const answer_options& options,
                           std::error_code& ec) noexcept {
        return make(ec, [&](sseam_answer** out) {
            return sseam_answer_init(memory, memory_len, &options, out);
        });
    }

    explicit operator bool() const noexcept { return handle_ != nullptr; }

    /**
     * Takes a chunk and gives what is to be heard, one step for each item:
     * `for (auto& heard : answer.feed(chunk)) for (auto& signal : heard.signals())`.
     * Leave the loop early and the rest of the chunk, `rest()`, was not taken.
     */
    heard_range feed(std::string_view chunk) noexcept;
    heard_range feed(const void* bytes, std::size_t len) noexcept;

    /** Takes a chunk and gives its text, output and refusal, part by part. */
    text_range text(std::string_view chunk) noexcept;
    text_range text(const void* bytes, std::size_t len) noexcept;

    /** What is heard would point into a temporary. */
    template <class Owner, std::enable_if_t<detail::is_owning_rvalue<Owner&&>, int> = 0>
    heard_range feed(Owner&& chunk) = delete;
    template <class Owner, std::enable_if_t<detail::is_owning_rvalue<Owner&&>, int> = 0>
    text_range text(Owner&& chunk) = delete;

    /** Takes the end, an `SSEAM_CLOSE_...` or an HTTP status, and gives what only that
     *  tells, which need not be heard. A number that says nothing is taken as
     *  `SSEAM_CLOSE_RESET`. */
    heard_range end(sseam_close close = SSEAM_CLOSE_CLEAN) noexcept;

    /** What became of the answer, at any time. */
    sseam::outcome outcome() noexcept {
        sseam::outcome out;
        (void)sseam_answer_outcome(handle_.get(), &out.c());
        return out;
    }

    /** What the source is to do next. */
    sseam::wants wants() const noexcept {
        return static_cast<sseam::wants>(sseam_answer_wants(handle_.get(), nullptr));
    }
    /** For how long nothing must have come before the end, `SSEAM_CLOSE_SETTLED`. */
    std::optional<milliseconds> quiet() const noexcept {
        std::uint64_t quiet = 0;
        if (sseam_answer_wants(handle_.get(), &quiet) != SSEAM_WANTS_MORE_UNTIL_QUIET)
            return std::nullopt;
        return milliseconds(static_cast<milliseconds::rep>(quiet));
    }

    /** How far the answer has come: `SSEAM_ANSWER_...` bits. */
    std::uint32_t state() const noexcept { return sseam_answer_state(handle_.get()); }
    bool is_terminal() const noexcept { return (state() & SSEAM_ANSWER_TERMINAL) != 0; }
    bool is_over() const noexcept { return (state() & SSEAM_ANSWER_OVER) != 0; }
    bool has_output() const noexcept { return (state() & SSEAM_ANSWER_OUTPUT) != 0; }
    bool is_finished() const noexcept { return (state() & SSEAM_ANSWER_FINISHED) != 0; }

    sseam::dialect dialect() const noexcept {
        return static_cast<sseam::dialect>(sseam_answer_dialect(handle_.get()));
    }
    /** What the body is, if it is no event stream. */
    sseam::foreign foreign() const noexcept {
        return sseam::foreign(sseam_answer_foreign(handle_.get()));
    }

    /** Another connection goes on with the same answer. */
    void reopen() noexcept { (void)sseam_answer_reopen(handle_.get()); }
    std::string_view last_event_id() const noexcept {
        return detail::view(sseam_answer_last_event_id(handle_.get()));
    }
    /** For an answer that is resumed, before its first byte. */
    [[nodiscard]] std::error_code set_last_event_id(std::string_view id) noexcept {
        return to_error_code(sseam_answer_set_last_event_id(handle_.get(), id.data(), id.size()));
    }
    std::optional<std::uint64_t> retry_ms() const noexcept {
        std::uint64_t retry = 0;
        if (sseam_answer_retry(handle_.get(), &retry) != SSEAM_RETRY) return std::nullopt;
        return retry;
    }

    /** The handle, for functions of sseam.h. Stays this answer's. */
    sseam_answer* c() const noexcept { return handle_.get(); }

private:
    struct deleter {
        void operator()(sseam_answer* handle) const noexcept { sseam_answer_free(handle); }
    };

    explicit answer(sseam_answer* handle) noexcept : handle_(handle) {}

    template <class Make>
    static answer make(std::error_code& ec, Make create) noexcept {
        sseam_answer* handle = nullptr;
        const bool is_known = sseam_answer_abi_version() == SSEAM_ANSWER_ABI_VERSION;
        ec = to_error_code(is_known ? create(&handle) : SSEAM_ERR_VERSION);
        return answer(handle);
    }

    std::unique_ptr<sseam_answer, deleter> handle_;
};

/** What one item says; a range to be gone through once. */
class answer::signal_range {
public:
    using sentinel = detail::sentinel;
    using iterator = detail::iterator<signal_range, signal>;

    signal_range(const signal_range&) = delete;
    signal_range& operator=(const signal_range&) = delete;

    iterator begin() noexcept {
        if (!has_begun_) step();
        return iterator(this);
    }
    sentinel end() const noexcept { return {}; }

private:
    friend class answer::heard;
    friend iterator;

    const signal& current() const noexcept { return signal_; }

    explicit signal_range(sseam_answer* of) noexcept : answer_(of) {}

    void step() noexcept {
        has_begun_ = true;
        if (!is_done_) is_done_ = sseam_answer_next(answer_, &signal_.c()) <= 0;
    }

    sseam_answer* answer_;
    signal signal_;
    bool has_begun_ = false;
    bool is_done_ = false;
};

/** An item of the stream, and what it says. Valid until the next step. */
class answer::heard {
public:
    /** Null where only the end of the stream says it. */
    const sseam::item* item() const noexcept {
        return kind_ == SSEAM_SIGNALS ? nullptr : &item_;
    }
    /** To be asked for once. */
    signal_range signals() const noexcept { return signal_range(answer_); }

private:
    friend class answer::heard_range;

    explicit heard(sseam_answer* of) noexcept : answer_(of) {}

    sseam_answer* answer_;
    sseam::item item_;
    sseam_status kind_ = SSEAM_OK;
};

/** What is to be heard of a chunk; a range to be gone through once. */
class answer::heard_range {
public:
    using sentinel = detail::sentinel;
    using iterator = detail::iterator<heard_range, heard>;

    heard_range(const heard_range&) = delete;
    heard_range& operator=(const heard_range&) = delete;

    iterator begin() noexcept {
        if (!has_begun_) step();
        return iterator(this);
    }
    sentinel end() const noexcept { return {}; }

    /** What was not taken yet. */
    std::string_view rest() const noexcept { return rest_; }

private:
    friend class answer;
    friend iterator;

    const heard& current() const noexcept { return heard_; }

    heard_range(sseam_answer* of, std::string_view chunk) noexcept : rest_(chunk), heard_(of) {}

    void step() noexcept {
        std::size_t used = 0;
        has_begun_ = true;
        heard_.kind_ = sseam_answer_feed(heard_.answer_, rest_.data(), rest_.size(), &used,
                                         &heard_.item_.c());
        rest_.remove_prefix(used);
        is_done_ = heard_.kind_ <= SSEAM_OK;
    }

    std::string_view rest_;
    heard heard_;
    bool has_begun_ = false;
    bool is_done_ = false;
};

/** The text of a chunk; a range to be gone through once. */
class answer::text_range {
public:
    using sentinel = detail::sentinel;
    using iterator = detail::iterator<text_range, std::string_view>;

    text_range(const text_range&) = delete;
    text_range& operator=(const text_range&) = delete;

    iterator begin() noexcept {
        if (!has_begun_) step();
        return iterator(this);
    }
    sentinel end() const noexcept { return {}; }

private:
    friend class answer;
    friend iterator;

    const std::string_view& current() const noexcept { return part_; }

    text_range(sseam_answer* of, std::string_view chunk) noexcept : answer_(of), chunk_(chunk) {}

    void step() noexcept {
        sseam_str part = {};
        has_begun_ = true;
        is_done_ = sseam_answer_text(answer_, chunk_.data(), chunk_.size(), &at_, &part) <= 0;
        part_ = is_done_ ? std::string_view() : detail::view(part);
    }

    sseam_answer* answer_;
    std::string_view chunk_, part_;
    std::size_t at_ = 0;
    bool has_begun_ = false;
    bool is_done_ = false;
};

inline answer::heard_range answer::feed(std::string_view chunk) noexcept {
    return heard_range(handle_.get(), chunk);
}

inline answer::heard_range answer::feed(const void* bytes, std::size_t len) noexcept {
    return feed(std::string_view(static_cast<const char*>(bytes), len));
}

inline answer::text_range answer::text(std::string_view chunk) noexcept {
    return text_range(handle_.get(), chunk);
}

inline answer::text_range answer::text(const void* bytes, std::size_t len) noexcept {
    return text(std::string_view(static_cast<const char*>(bytes), len));
}

inline answer::heard_range answer::end(sseam_close close) noexcept {
    if (sseam_answer_end(handle_.get(), close) != SSEAM_OK)
        (void)sseam_answer_end(handle_.get(), SSEAM_CLOSE_RESET);
    return heard_range(handle_.get(), {});
}

static_assert(!std::is_copy_constructible_v<answer> && !std::is_copy_assignable_v<answer>);
static_assert(std::is_nothrow_move_constructible_v<answer>);

/** A tool call whose arguments, JSON text, are whole. */
struct call {
    std::uint32_t key;
    std::string_view id, name, arguments;
};

/** Puts the tool calls of an answer together that you are to run. Allocates. */
class calls {
public:
    calls() noexcept : calls_() { (void)sseam_calls_init(&calls_, nullptr, 0); }

    calls(calls&& from) noexcept : calls_(from.calls_), memory_(std::move(from.memory_)) {
        from.reset();
    }
    calls& operator=(calls&& from) noexcept {
        if (this != &from) {
            calls_ = from.calls_;
            memory_ = std::move(from.memory_);
            from.reset();
        }
        return *this;
    }

    /** Gives the call that a signal makes whole; its views are valid until the next
     *  signal. Run it when the outcome says `may_run_calls`. */
    std::optional<call> observe(const signal& from) {
        sseam_call out = {};
        sseam_status status;
        out.struct_size = sizeof out;
        while ((status = sseam_calls_observe(&calls_, &from.c(), &out)) == SSEAM_ERR_MEMORY) {
            memory_.resize(2 * sseam_calls_needed(&calls_));
            (void)sseam_calls_grow(&calls_, memory_.data(), memory_.size());
        }
        if (status != SSEAM_CALL) return std::nullopt;
        return call{out.key, detail::view(out.id), detail::view(out.name),
                    detail::view(out.arguments)};
    }

private:
    void reset() noexcept {
        memory_.clear();
        (void)sseam_calls_init(&calls_, nullptr, 0);
    }

    sseam_calls calls_;
    std::vector<char> memory_;
};

/* ---- Waiting: not stable before 1.0, as in sseam.h ---- */

/** How long to wait for what; nothing set waits for ever. */
struct timeouts : sseam_timeouts {
    timeouts() noexcept : sseam_timeouts() {
        sseam_timeouts_init(static_cast<sseam_timeouts*>(this));
    }
};

/** Tells until when to wait for a stream. Reads no clock: `now` is the time since any
 *  fixed moment, such as `steady_clock::now().time_since_epoch()`. */
class liveness {
public:
    using milliseconds = std::chrono::milliseconds;

    /** False, and waiting for ever, with a library of another version of this part. */
    liveness(const sseam::timeouts& timeouts, milliseconds now) noexcept
        : it_(),
          is_set_up_(sseam_waiting_abi_version() == SSEAM_WAITING_ABI_VERSION &&
                     sseam_liveness_init(&it_, &timeouts, count(now)) == SSEAM_OK) {}

    explicit operator bool() const noexcept { return is_set_up_; }

    /** A connection is there: idle and progress begin. */
    void opened(milliseconds now) noexcept { (void)sseam_liveness_opened(&it_, count(now)); }
    /** The connection has ended: they rest until the next one. */
    void closed() noexcept { (void)sseam_liveness_closed(&it_); }
    void observe_bytes(milliseconds now) noexcept {
        (void)sseam_liveness_observe_bytes(&it_, count(now));
    }
    void observe_progress(milliseconds now) noexcept {
        (void)sseam_liveness_observe_progress(&it_, count(now));
    }
    void observe_output(milliseconds now) noexcept {
        (void)sseam_liveness_observe_output(&it_, count(now));
    }
    /** Nobody was reading for so long: all but the total time is put off. */
    void put_off(milliseconds time, milliseconds now) noexcept {
        (void)sseam_liveness_put_off(&it_, count(time), count(now));
    }

    /** When to stop waiting; none where nothing ends the wait. */
    std::optional<milliseconds> next_deadline() const noexcept {
        const std::uint64_t at = sseam_liveness_next_deadline(&it_);
        if (at > static_cast<std::uint64_t>((milliseconds::max)().count())) return std::nullopt;
        return milliseconds(static_cast<milliseconds::rep>(at));
    }

    /** What was waited for in vain, `SSEAM_DEADLINE_...`, which is also what
     *  `answer::end` takes; `SSEAM_DEADLINE_NONE` while there is time left. */
    sseam_deadline fired(milliseconds now) noexcept {
        return sseam_liveness_fired(&it_, count(now));
    }

private:
    static std::uint64_t count(milliseconds time) noexcept {
        return time.count() < 0 ? 0 : static_cast<std::uint64_t>(time.count());
    }

    sseam_liveness it_;
    bool is_set_up_;
};

/** How a wait grows, and where it ends, with its defaults. */
struct delays : sseam_delays {
    delays() noexcept : sseam_delays() { sseam_delays_init(static_cast<sseam_delays*>(this)); }
};

/** Tells how long to wait before connecting again, or that enough was tried. */
class backoff {
public:
    using milliseconds = std::chrono::milliseconds;

    /** False, and with no attempt to be made, with a library of another version of
     *  this part. */
    explicit backoff(const sseam::delays& delays) noexcept
        : it_(),
          is_set_up_(sseam_waiting_abi_version() == SSEAM_WAITING_ABI_VERSION &&
                     sseam_backoff_init(&it_, &delays) == SSEAM_OK) {}

    explicit operator bool() const noexcept { return is_set_up_; }

    /** The server's own base: see `parser::retry_ms`. */
    void set_retry(std::uint64_t milliseconds) noexcept {
        (void)sseam_backoff_set_retry(&it_, milliseconds);
    }
    /** An event was delivered: attempts count from zero again. */
    void observe_event() noexcept { (void)sseam_backoff_observe_event(&it_); }

    /** How long to wait before the next attempt; none where no more are to be made.
     *  `random` is any number, new for each call. */
    std::optional<milliseconds> next_wait(std::uint32_t random,
                                          milliseconds retry_after = milliseconds(0)) noexcept {
        const std::uint64_t asked =
            retry_after.count() < 0 ? 0 : static_cast<std::uint64_t>(retry_after.count());
        std::uint64_t wait = 0;
        if (sseam_backoff_next_wait(&it_, random, asked, &wait) == 0) return std::nullopt;
        return milliseconds(static_cast<milliseconds::rep>(wait));
    }

    /** Since the last delivered event. */
    std::uint32_t attempts() const noexcept { return sseam_backoff_attempts(&it_); }

private:
    sseam_backoff it_;
    bool is_set_up_;
};

} // namespace sseam

namespace std {
template <>
struct is_error_code_enum<sseam::errc> : true_type {};
} // namespace std

#endif
