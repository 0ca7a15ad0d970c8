#include "server/http_server.h"

#include <algorithm>
#include <array>
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
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include "server/connections.h"

namespace pm::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

// An awaitable that reports errors in `error` instead of throwing.
auto into(error_code& error) { return asio::redirect_error(asio::use_awaitable, error); }

using Found = RequestReader::Found;
using Doing = Connections::Doing;
using Clock = std::chrono::steady_clock;

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
  BeastServer(const HttpServerSetup& setup, Handler handler, Admit admit)
      : setup_(setup),
        handler_(std::move(handler)),
        admit_(std::move(admit)),
        bodies_(setup.most_bytes_under_way),
        connections_(setup.most_connections),
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
        connections_.make_room();
        asio::steady_timer pause(io_, std::chrono::milliseconds(20));
        co_await pause.async_wait(into(error));
        continue;
      }
      auto executor = socket.get_executor();
      asio::co_spawn(executor, serve(std::make_shared<beast::tcp_stream>(std::move(socket))), asio::detached);
    }
  }

  asio::awaitable<void> serve(std::shared_ptr<beast::tcp_stream> stream) {
    const std::weak_ptr<beast::tcp_stream> weak = stream;
    const auto place = connections_.enter([weak, executor = stream->get_executor()] {
      asio::post(executor, [weak] {
        if (const auto alive = weak.lock()) alive->close();
      });
    });
    if (!place) {
      co_await write(*stream, busy(503, "Too many connections.", 5), false, 11);
      co_return;
    }
    RequestReader reader(setup_.request, bodies_);
    bool more = co_await exchange(*stream, *place, reader, setup_.header_time);
    while (more) more = co_await exchange(*stream, *place, reader, setup_.idle_time);
    error_code ignored;
    std::ignore = stream->socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  // One request and its answer; whether there may be another. `time`: for its first byte to come.
  asio::awaitable<bool> exchange(beast::tcp_stream& stream, Connections::Place& place, RequestReader& reader,
                                 std::chrono::seconds time) {
    if (!place.turns_to(Doing::waiting)) co_return false;
    const Found header = co_await read_header(stream, reader, time);
    if (header == Found::refusal) co_await refuse(stream, place, reader, reader.refusal());
    if (header != Found::header) co_return false;
    const Admission admission = admitted(reader.request());
    if (!admission) {
      co_await refuse(stream, place, reader, admission.error());
      co_return false;
    }
    reader.allow_body(*admission);
    const Found whole = co_await read_body(stream, place, reader);
    if (whole == Found::refusal) co_await refuse(stream, place, reader, reader.refusal());
    if (whole != Found::request || !place.turns_to(Doing::answering)) co_return false;
    const bool more = reader.keeps_alive();
    Request request = reader.take_request();
    Answer answer = co_await handled(request);
    request.body = std::string();
    reader.give_back_body();  // for others, before the answer goes out
    if (const auto* response = std::get_if<Response>(&answer)) {
      co_return co_await write(stream, *response, more, reader.version(), request.method == "HEAD") && more;
    }
    Stream events = std::get<Stream>(answer);
    events.after = request.last_event;
    if (place.turns_to(Doing::following)) co_await follow(stream, events);
    co_return false;
  }

  // Nothing: the client is gone, or too slow.
  asio::awaitable<Found> read_header(beast::tcp_stream& stream, RequestReader& reader, std::chrono::seconds time) {
    Found found = reader.begin();
    bool begun = reader.has_begun();
    auto deadline = Clock::now() + (begun ? setup_.header_time : time);
    while (found == Found::nothing) {
      error_code error;
      stream.expires_at(deadline);
      const std::size_t bytes = co_await stream.async_read_some(buffer(reader.room()), into(error));
      if (error) co_return Found::nothing;
      if (!begun) deadline = Clock::now() + setup_.header_time;
      begun = true;
      found = reader.take(bytes);
    }
    co_return found;
  }

  asio::awaitable<Found> read_body(beast::tcp_stream& stream, Connections::Place& place, RequestReader& reader) {
    Found found = reader.take(0);
    if (found != Found::nothing) co_return found;
    if (!place.turns_to(Doing::receiving)) co_return Found::nothing;
    if (reader.expects_continue() && !co_await write_text(stream, "HTTP/1.1 100 Continue\r\n\r\n")) co_return found;
    const auto time_for = [&](std::size_t bytes) {
      return std::chrono::nanoseconds(bytes * 1'000'000'000U / setup_.slowest_body);
    };
    auto deadline = Clock::now() + setup_.body_time + time_for(reader.request().body.size());
    while (found == Found::nothing) {
      error_code error;
      stream.expires_at(deadline);
      const std::size_t bytes = co_await stream.async_read_some(buffer(reader.room()), into(error));
      if (error) co_return Found::nothing;
      deadline += time_for(bytes);
      found = reader.take(bytes);
    }
    co_return found;
  }

  static asio::mutable_buffer buffer(std::span<char> room) { return asio::buffer(room.data(), room.size()); }

  Admission admitted(const Request& head) const {
    try {
      Admission admission = admit_ ? admit_(head) : Admission(setup_.most_body_bytes);
      if (!admission) return admission;
      admission = std::min(*admission, setup_.most_body_bytes);
      if (head.body_bytes.value_or(0) <= *admission) return admission;
      return tl::make_unexpected(problem(413, "The request is too large."));
    } catch (const std::exception& error) {
      return tl::make_unexpected(problem(500, error.what()));
    }
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

  // The answer, and the end of the connection. What the client goes on sending for a moment is thrown away: closed with
  // bytes unread, the connection would be reset, and the answer with it.
  asio::awaitable<void> refuse(beast::tcp_stream& stream, Connections::Place& place, RequestReader& reader,
                               const Response& refusal) {
    if (!place.turns_to(Doing::waiting)) co_return;
    if (!co_await write(stream, refusal, false, 11, reader.request().method == "HEAD")) co_return;
    error_code error;
    if (stream.socket().shutdown(tcp::socket::shutdown_send, error)) co_return;
    const auto deadline = Clock::now() + setup_.farewell_time;
    std::array<char, 4096> ignored{};
    for (std::size_t left = setup_.most_body_bytes; left > 0;) {
      stream.expires_at(deadline);
      const std::size_t bytes = co_await stream.async_read_some(asio::buffer(ignored), into(error));
      if (error) co_return;
      left -= std::min(left, bytes);
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

  asio::awaitable<bool> write_text(beast::tcp_stream& stream, std::string_view text) {
    stream.expires_after(setup_.response_time);
    error_code error;
    co_await asio::async_write(stream, asio::buffer(text.data(), text.size()), into(error));
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
  Admit admit_;
  // Before the sockets, whose connections use them to the end.
  BodyBudget bodies_;
  Connections connections_;
  asio::io_context io_;
  tcp::acceptor acceptor_;
  asio::thread_pool handlers_;
};

}  // namespace

Expected<std::unique_ptr<HttpServer>> HttpServer::open(const HttpServerSetup& setup, Handler handler, Admit admit) {
  auto listener = std::make_unique<BeastServer>(setup, std::move(handler), std::move(admit));
  if (const error_code error = listener->listen()) {
    return fail(ErrorCode::file_open, fmt::format("cannot listen on port {}: {}", setup.port, error.message()));
  }
  return listener;
}

}  // namespace pm::server
