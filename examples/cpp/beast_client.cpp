/*
 * Boost.Beast, asynchronously: the body is read piece by piece into a buffer of
 * ours, and each piece is parsed where it lies.
 *
 *     c++ -std=c++17 beast_client.cpp -lsseam -pthread -o beast_client
 *     ./beast_client HOST PORT PATH
 *
 * Three things that go wrong with Beast: a `string_body` would wait for the end of
 * a stream that has none; the parser of HTTP bodies has a limit of 8 MiB, which a
 * stream passes one day; and `error::need_buffer` means that our buffer is full,
 * not that something failed.
 */
#include <sseam.hpp>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <array>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

class session : public std::enable_shared_from_this<session> {
public:
    session(asio::io_context& context, std::string host, std::string path)
        : resolver_(context), stream_(context), host_(std::move(host)) {
        request_.method(http::verb::get);
        request_.target(path);
        request_.version(11);
        request_.set(http::field::host, host_);
        request_.set(http::field::accept, "text/event-stream");
        response_.body_limit(boost::none);
    }

    void run(const std::string& port) {
        resolver_.async_resolve(host_, port, [self = shared_from_this()](auto ec, auto results) {
            if (ec) return self->fail(ec);
            self->stream_.expires_after(std::chrono::seconds(10));
            self->stream_.async_connect(results, [self](auto ec, auto) {
                if (ec) return self->fail(ec);
                self->ask();
            });
        });
    }

    int code() const { return code_; }

private:
    void ask() {
        http::async_write(stream_, request_, [self = shared_from_this()](auto ec, auto) {
            if (ec) return self->fail(ec);
            http::async_read_header(self->stream_, self->input_, self->response_,
                                    [self](auto ec, auto) {
                                        if (ec) return self->fail(ec);
                                        self->check();
                                    });
        });
    }

    void check() {
        const auto& head = response_.get();
        const auto type = head[http::field::content_type];
        if (head.result() != http::status::ok || !beast::iequals(type.substr(0, 17), "text/event-stream"))
            return fail("no event stream");
        read();
    }

    void read() {
        // The timeout is for one read: an idle one, not for the whole stream.
        stream_.expires_after(std::chrono::seconds(30));
        response_.get().body().data = buffer_.data();
        response_.get().body().size = buffer_.size();
        response_.get().body().more = true;
        http::async_read_some(stream_, input_, response_, [self = shared_from_this()](auto ec, auto) {
            if (ec == http::error::need_buffer) ec = {};
            const std::size_t left = self->response_.get().body().size;
            if (!self->parse({self->buffer_.data(), self->buffer_.size() - left})) return;
            if (ec) return self->fail(ec);
            if (self->response_.is_done()) return self->finish();
            self->read();
        });
    }

    bool parse(std::string_view body) {
        std::error_code ec;
        for (const sseam::item& item : parser_.feed(body, ec))
            if (item.is_event()) std::cout << item.type() << ": " << item.data() << std::endl;
        if (ec) fail(ec.message());
        return !ec;
    }

    void finish() {
        std::error_code ec;
        const bool truncated = parser_.finish(ec).truncated;
        if (truncated || ec) return fail("broken off inside an event");
        code_ = 0;
    }

    void fail(const boost::system::error_code& ec) { fail(ec.message()); }
    void fail(const std::string& why) { std::cerr << why << '\n'; }

    asio::ip::tcp::resolver resolver_;
    beast::tcp_stream stream_;
    std::string host_;
    http::request<http::empty_body> request_;
    http::response_parser<http::buffer_body> response_;
    beast::flat_buffer input_;
    std::array<char, 4096> buffer_ = {};
    sseam::parser parser_;
    int code_ = 1;
};

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    asio::io_context context;
    const auto client = std::make_shared<session>(context, argv[1], argv[3]);
    client->run(argv[2]);
    context.run();
    return client->code();
}
