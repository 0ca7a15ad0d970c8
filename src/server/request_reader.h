// Requests out of the bytes of a connection, however they are cut, without sockets. The header comes first and by
// itself, so that it can be refused before any of the body is kept; then the body, within bounds on everything that
// comes with it.
//
//   RequestReader reader(limits, budget);
//   for (auto found = reader.begin(); found == Found::nothing; found = reader.take(n)) n = read(reader.room());
//   if (found == Found::header && admitted(reader.request())) reader.allow_body(1'000'000) ...
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "server/body_budget.h"
#include "server/message.h"

namespace pm::server {

struct RequestLimits {
  std::size_t header_bytes = 16U << 10U;    // request line and fields; also a chunk's line, and the trailers
  std::size_t framing_bytes = 256U << 10U;  // of a body in chunks: sizes, extensions and trailers, together
};

class RequestReader {
 public:
  enum class Found : std::uint8_t { nothing, header, request, refusal };

  RequestReader(const RequestLimits& limits, BodyBudget& budget);
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;
  ~RequestReader();

  // The next request of the connection; what has come of it already is looked at.
  Found begin();
  // Where the next bytes are to be put, never empty; and that so many have come. After a header, 0 goes on with what
  // has come behind it. A refusal is the end of the connection.
  std::span<char> room();
  Found take(std::size_t bytes);

  bool has_begun() const;  // something of this request has come
  // From the header on. Has a body only at the end.
  const Request& request() const;
  bool expects_continue() const;  // the client sends its body only when it is told to
  bool keeps_alive() const;
  unsigned version() const;  // of HTTP, 10 or 11
  // Before that none is read.
  void allow_body(std::size_t most_bytes);
  Request take_request();  // the memory of its body counts until it is given back, or the next request begins
  void give_back_body() { share_.give_back(); }
  const Response& refusal() const { return refusal_; }

 private:
  class Parser;
  Found refuse(Response response);
  Found go_on();

  RequestLimits limits_;
  BodyBudget::Share share_;
  std::unique_ptr<Parser> parser_;
  Response refusal_;
  bool header_told_ = false;
  std::size_t header_bytes_ = 0;
  std::size_t bytes_behind_ = 0;  // the header
  // What has come and was not used yet is between begin_ and end_.
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace pm::server
