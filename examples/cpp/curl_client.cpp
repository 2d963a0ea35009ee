/*
 * libcurl from C++: exceptions must not pass through libcurl, which is C, so they
 * are carried across it. What an event handler throws ends the transfer at once
 * and is thrown again behind it.
 *
 *     c++ -std=c++17 curl_client.cpp -lsseam -lcurl -o curl_client
 *     ./curl_client URL [STOP_AT_DATA]
 *
 * Prints the data of each event. Throws at an event whose data is STOP_AT_DATA.
 */
#include <sseam.hpp>

#include <curl/curl.h>

#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#if !defined(CURL_WRITEFUNC_ERROR)
#define CURL_WRITEFUNC_ERROR 0xFFFFFFFF
#endif

/** One response, as a stream of events. */
class event_source {
public:
    using handler = std::function<void(const sseam::item&)>;

    explicit event_source(handler on_event) : on_event_(std::move(on_event)) {}

    /** Returns when the stream has ended; throws what the handler threw. */
    void get(const std::string& url) {
        const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
        if (!curl) throw std::runtime_error("libcurl cannot start");
        curl_ = curl.get();
        error_ = nullptr;
        is_checked_ = false;
        curl_easy_setopt(curl_, CURLOPT_URL, url.c_str());
        curl_easy_setopt(curl_, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(curl_, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
        curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, &event_source::on_body);
        curl_easy_setopt(curl_, CURLOPT_WRITEDATA, this);
        const CURLcode code = curl_easy_perform(curl_);
        if (error_) std::rethrow_exception(error_);
        if (code != CURLE_OK) throw std::runtime_error(curl_easy_strerror(code));
        if (!is_checked_) check();
        std::error_code ec;
        if (parser_.finish(ec).truncated) throw std::runtime_error("broken off inside an event");
        if (ec) throw std::system_error(ec);
    }

private:
    /** Called by C: nothing may be thrown from here. */
    static std::size_t on_body(char* bytes, std::size_t size, std::size_t count,
                               void* user) noexcept {
        auto& self = *static_cast<event_source*>(user);
        try {
            self.take({bytes, size * count});
            return size * count;
        } catch (...) {
            self.error_ = std::current_exception();
            return CURL_WRITEFUNC_ERROR;
        }
    }

    void take(std::string_view body) {
        if (!is_checked_) check();
        std::error_code ec;
        for (const sseam::item& item : parser_.feed(body, ec))
            if (item.is_event()) on_event_(item);
        if (ec) throw std::system_error(ec);
    }

    void check() {
        long status = 0;
        const char* type = nullptr;
        curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(curl_, CURLINFO_CONTENT_TYPE, &type);
        if (status != 200) throw std::runtime_error("status " + std::to_string(status));
        if (type == nullptr || std::string_view(type).substr(0, 17) != "text/event-stream")
            throw std::runtime_error("no event stream");
        is_checked_ = true;
    }

    handler on_event_;
    sseam::parser parser_;
    CURL* curl_ = nullptr;
    std::exception_ptr error_;
    bool is_checked_ = false;
};

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const std::string stop_at = argc > 2 ? argv[2] : "";
    curl_global_init(CURL_GLOBAL_DEFAULT);
    int code = 0;
    try {
        event_source source([&](const sseam::item& item) {
            std::cout << item.data() << std::endl;
            if (!stop_at.empty() && item.data() == stop_at) throw std::domain_error(stop_at);
        });
        source.get(argv[1]);
    } catch (const std::domain_error& error) {
        std::cerr << "the handler threw: " << error.what() << '\n';
        code = 3;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        code = 1;
    }
    curl_global_cleanup();
    return code;
}
