/*
 * sseam: Server-Sent Events (text/event-stream) for C++17 and later.
 *
 *     sseam::parser parser;                       // throws where memory is short
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
 * Works with -fno-exceptions and -fno-rtti: every function that can fail has a
 * form that takes a `std::error_code` and is noexcept. Only the pull interface is
 * used, so what your code throws never crosses the library.
 */
#ifndef SSEAM_HPP
#define SSEAM_HPP

#include "sseam.h"

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
    struct sentinel {};

    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using iterator_concept = std::input_iterator_tag;
        using value_type = item;
        using difference_type = std::ptrdiff_t;
        using pointer = const item*;
        using reference = const item&;

        explicit iterator(range* of = nullptr) noexcept : range_(of) {}

        reference operator*() const noexcept { return range_->item_; }
        pointer operator->() const noexcept { return &range_->item_; }
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

        range* range_;
    };

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

} // namespace sseam

namespace std {
template <>
struct is_error_code_enum<sseam::errc> : true_type {};
} // namespace std

#endif
