// HTTP on a local port: reads requests, hands them to one function, writes what it returns; event streams are followed
// until their end. Knows nothing of chess.
//
//   auto listener = HttpServer::open({.port = 0}, handle);
//   fmt::print("http://127.0.0.1:{}/\n", (*listener)->port());
//   (*listener)->run(stop);
//
// A request is looked at twice: its header by itself, before anything of its body is read (`admit`, quick, on the
// threads of the sockets), then whole (`handler`, which may take its time, on threads of its own). Both are called on
// several threads at once. Slow, huge, broken and too many requests are answered or dropped here.
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
#include "server/request_reader.h"

namespace pm::server {

// An answer is a response, or a job's events from the given number on.
struct Stream {
  std::shared_ptr<EventLog> log;
  std::uint64_t after = 0;
};
using Answer = std::variant<Response, Stream>;
using Handler = std::function<Answer(const Request&)>;

// Of a request whose body has not come yet: how many bytes of body it may have, or why it is refused.
using Admission = tl::expected<std::size_t, Response>;
using Admit = std::function<Admission(const Request&)>;

struct HttpServerSetup {
  std::uint16_t port = 0;  // 0: any that is free
  RequestLimits request;
  std::size_t most_body_bytes = 16U << 20U;  // of one request, whatever is admitted
  // Of all bodies under way together, from their first byte to the answer: four of the largest.
  std::size_t most_bytes_under_way = 64U << 20U;
  std::size_t most_connections = 4096;
  std::chrono::seconds header_time{5};            // for a header to come in
  std::chrono::seconds idle_time{30};             // between two requests of a connection
  std::chrono::seconds body_time{10};             // for a body to come in, and longer the more of it has come:
  std::size_t slowest_body = 256U << 10U;         // by a second for so many bytes
  std::chrono::milliseconds farewell_time{1000};  // for a client to see why it was refused before it had sent all
  std::chrono::seconds response_time{60};         // for a response to go out
  std::chrono::seconds heartbeat{15};             // of an event stream with nothing to tell
  int threads = 2;                                // for sockets
  int handlers = 4;                               // for the handler
};

class HttpServer {
 public:
  HttpServer() = default;
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  virtual ~HttpServer() = default;

  // On 127.0.0.1 only. An error names the port. Without `admit`, all are admitted.
  static Expected<std::unique_ptr<HttpServer>> open(const HttpServerSetup& setup, Handler handler, Admit admit = {});

  virtual std::uint16_t port() const = 0;
  // Until asked to stop; connections are closed then.
  virtual void run(const std::stop_token& stop) = 0;
};

}  // namespace pm::server
