#include "server/http_server.h"

#include <atomic>
#include <charconv>
#include <thread>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

namespace pm::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

// An awaitable that reports errors in `error` instead of throwing.
auto into(error_code& error) { return asio::redirect_error(asio::use_awaitable, error); }

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

Request request_of(const http::request<http::string_body>& from, const Target& target) {
  Request request;
  request.method = std::string(view(from.method_string()));
  request.path = target.path;
  request.query = target.query;
  request.host = std::string(view(from[http::field::host]));
  if (from.count(http::field::origin) > 0) request.origin = std::string(view(from[http::field::origin]));
  request.content_type = std::string(view(from[http::field::content_type]));
  request.body = from.body();
  request.if_none_match = std::string(view(from[http::field::if_none_match]));
  request.accepts_gzip = view(from[http::field::accept_encoding]).find("gzip") != std::string_view::npos;
  return request;
}

// The number after which an interrupted stream goes on.
std::uint64_t last_event(const http::request<http::string_body>& request) {
  const std::string_view text = view(request["Last-Event-ID"]);
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

http::response<http::string_body> message_of(const Response& response, bool keep_alive, unsigned version) {
  http::response<http::string_body> message{static_cast<http::status>(response.status), version};
  message.set(http::field::content_type, response.content_type);
  message.set("X-Content-Type-Options", "nosniff");
  message.set("Referrer-Policy", "no-referrer");
  message.set("Cross-Origin-Resource-Policy", "same-origin");
  for (const auto& [name, value] : response.headers) message.insert(name, value);
  message.keep_alive(keep_alive);
  message.body() = response.body;
  message.prepare_payload();
  return message;
}

class BeastServer final : public HttpServer {
 public:
  BeastServer(const HttpServerSetup& setup, Handler handler)
      : setup_(setup),
        handler_(std::move(handler)),
        io_(setup.threads),
        acceptor_(io_),
        handlers_(static_cast<std::size_t>(setup.handlers)) {}

  error_code listen() {
    error_code error;
    const tcp::endpoint here(asio::ip::address_v4::loopback(), setup_.port);
    const bool failed =
        acceptor_.open(here.protocol(), error) || acceptor_.set_option(asio::socket_base::reuse_address(true), error) ||
        acceptor_.bind(here, error) || acceptor_.listen(asio::socket_base::max_listen_connections, error);
    return failed ? error : error_code();
  }

  std::uint16_t port() const override { return acceptor_.local_endpoint().port(); }

  void run(const std::stop_token& stop) override {
    asio::co_spawn(io_, accept(), asio::detached);
    const std::stop_callback on_stop(stop, [this] { io_.stop(); });
    if (stop.stop_requested()) return;
    std::vector<std::jthread> threads;
    for (int i = 1; i < setup_.threads; ++i) threads.emplace_back([this] { io_.run(); });
    io_.run();
    threads.clear();
    handlers_.stop();
    handlers_.join();
  }

 private:
  asio::awaitable<void> accept() {
    for (;;) {
      error_code error;
      tcp::socket socket = co_await acceptor_.async_accept(asio::make_strand(io_), into(error));
      if (error) {  // too many open files, perhaps: not at once again
        asio::steady_timer pause(io_, std::chrono::milliseconds(100));
        co_await pause.async_wait(into(error));
        continue;
      }
      auto executor = socket.get_executor();
      asio::co_spawn(executor, serve(beast::tcp_stream(std::move(socket))), asio::detached);
    }
  }

  asio::awaitable<void> serve(beast::tcp_stream stream) {
    struct Counted {
      std::atomic<std::size_t>& count;
      explicit Counted(std::atomic<std::size_t>& c) : count(c) { ++count; }
      Counted(const Counted&) = delete;
      Counted& operator=(const Counted&) = delete;
      ~Counted() { --count; }
    };
    const Counted counted(connections_);
    if (connections_ > setup_.most_connections) {
      co_await write(stream, busy(503, "Too many connections.", 5), false, 11);
      co_return;
    }
    beast::flat_buffer buffer;
    for (bool more = true; more;) {
      http::request_parser<http::string_body> parser;
      parser.body_limit(setup_.most_body_bytes);
      parser.header_limit(static_cast<std::uint32_t>(setup_.most_header_bytes));
      stream.expires_after(setup_.request_time);
      error_code error;
      co_await http::async_read(stream, buffer, parser, into(error));
      if (error) {
        co_await refuse(stream, error);
        break;
      }
      const auto& message = parser.get();
      more = message.keep_alive();
      const auto target = parse_target(view(message.target()));
      if (!target) {
        more = co_await write(stream, problem(400, "The address cannot be read."), more, message.version()) && more;
        continue;
      }
      const Request request = request_of(message, *target);
      const Answer answer = co_await handled(request);
      if (const auto* response = std::get_if<Response>(&answer)) {
        const bool bodiless = message.method() == http::verb::head;
        more = co_await write(stream, *response, more, message.version(), bodiless) && more;
      } else {
        Stream events = std::get<Stream>(answer);
        events.after = last_event(message);
        co_await follow(stream, events);
        break;
      }
    }
    error_code ignored;
    std::ignore = stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  // The handler may take its time: not on the threads of the sockets.
  asio::awaitable<Answer> handled(const Request& request) {
    const auto back = co_await asio::this_coro::executor;
    co_await asio::post(asio::bind_executor(handlers_, asio::use_awaitable));
    Answer answer;
    try {
      answer = handler_(request);
    } catch (const std::exception& error) {
      answer = problem(500, error.what());
    }
    co_await asio::post(asio::bind_executor(back, asio::use_awaitable));
    co_return answer;
  }

  asio::awaitable<void> refuse(beast::tcp_stream& stream, const error_code& error) {
    if (error == http::error::body_limit) {
      co_await write(stream, problem(413, "The request is too large."), false, 11);
    } else if (error == http::error::header_limit) {
      co_await write(stream, problem(431, "The header is too large."), false, 11);
    } else if (error.category() == http::make_error_code(http::error::bad_method).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
      co_await write(stream, problem(400, "This is not HTTP as it should be."), false, 11);
    }
  }

  asio::awaitable<bool> write(beast::tcp_stream& stream, const Response& response, bool keep_alive, unsigned version,
                              bool bodiless = false) {
    const auto message = message_of(response, keep_alive, version);
    http::response_serializer<http::string_body> serializer(message);
    stream.expires_after(setup_.response_time);
    error_code error;
    if (bodiless) {
      co_await http::async_write_header(stream, serializer, into(error));
    } else {
      co_await http::async_write(stream, serializer, into(error));
    }
    co_return !error;
  }

  asio::awaitable<bool> write_text(beast::tcp_stream& stream, const std::string& text) {
    stream.expires_after(setup_.response_time);
    error_code error;
    co_await asio::async_write(stream, asio::buffer(text), into(error));
    co_return !error;
  }

  asio::awaitable<void> follow(beast::tcp_stream& stream, const Stream& events) {
    const bool begun = co_await write_text(stream,
                                           "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: "
                                           "no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: "
                                           "close\r\n\r\nretry: 1000\n\n");
    if (!begun) co_return;
    const auto executor = co_await asio::this_coro::executor;
    const auto timer = std::make_shared<asio::steady_timer>(executor);
    const std::weak_ptr<asio::steady_timer> weak = timer;
    // The wake runs on this connection's strand: never between looking for events and beginning to wait for them.
    const auto listening = events.log->listen([executor, weak] {
      asio::post(executor, [weak] {
        if (const auto alive = weak.lock()) alive->cancel();
      });
    });
    for (std::uint64_t seen = events.after;;) {
      std::string text;
      const bool had_ended = events.log->ended();  // asked first: its last word may come at any moment
      bool ended = false;
      for (const Event& event : events.log->since(seen)) {
        text += fmt::format("id: {}\nevent: {}\ndata: {}\n\n", event.number, event.name, event.data);
        seen = event.number;
        ended = ended || event.name == "end";
      }
      if (!text.empty() && !co_await write_text(stream, text)) co_return;
      if (ended || (text.empty() && had_ended)) co_return;
      if (!text.empty()) continue;
      timer->expires_after(setup_.heartbeat);
      stream.expires_never();
      error_code error;
      co_await timer->async_wait(into(error));
      if (!error && !co_await write_text(stream, ": still here\n\n")) co_return;
    }
  }

  HttpServerSetup setup_;
  Handler handler_;
  asio::io_context io_;
  tcp::acceptor acceptor_;
  asio::thread_pool handlers_;
  std::atomic<std::size_t> connections_ = 0;
};

}  // namespace

Expected<std::unique_ptr<HttpServer>> HttpServer::open(const HttpServerSetup& setup, Handler handler) {
  auto listener = std::make_unique<BeastServer>(setup, std::move(handler));
  if (const error_code error = listener->listen()) {
    return fail(ErrorCode::file_open, fmt::format("cannot listen on port {}: {}", setup.port, error.message()));
  }
  return listener;
}

}  // namespace pm::server
