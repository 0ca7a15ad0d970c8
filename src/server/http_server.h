// HTTP on a local port: reads requests, hands them to one function, writes what it returns; event streams are followed
// until their end. Knows nothing of chess.
//
//   auto listener = HttpServer::open({.port = 0}, handle);
//   fmt::print("http://127.0.0.1:{}/\n", (*listener)->port());
//   (*listener)->run(stop);
//
// Slow, huge, broken and too many requests are answered or dropped here; the handler sees only whole ones. It is called
// on several threads at once and may take its time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <variant>

#include "base/error.h"
#include "server/events.h"
#include "server/message.h"

namespace pm::server {

// An answer is a response, or a job's events from the given number on.
struct Stream {
  std::shared_ptr<EventLog> log;
  std::uint64_t after = 0;
};
using Answer = std::variant<Response, Stream>;
using Handler = std::function<Answer(const Request&)>;

struct HttpServerSetup {
  std::uint16_t port = 0;  // 0: any that is free
  std::size_t most_body_bytes = 16U << 20U;
  std::size_t most_header_bytes = 16U << 10U;
  std::size_t most_connections = 4096;
  std::chrono::seconds request_time{30};   // for a whole request to come in
  std::chrono::seconds response_time{60};  // for a response to go out
  std::chrono::seconds heartbeat{15};      // of an event stream with nothing to tell
  int threads = 2;                         // for sockets
  int handlers = 4;                        // for the handler
};

class HttpServer {
 public:
  HttpServer() = default;
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  virtual ~HttpServer() = default;

  // On 127.0.0.1 only. An error names the port.
  static Expected<std::unique_ptr<HttpServer>> open(const HttpServerSetup& setup, Handler handler);

  virtual std::uint16_t port() const = 0;
  // Until asked to stop; connections are closed then.
  virtual void run(const std::stop_token& stop) = 0;
};

}  // namespace pm::server
