// A request and its answer as plain values, so that the API (api.h) knows nothing of sockets and tests need none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pm::server {

struct Request {
  std::string method;                        // "GET"
  std::string path;                          // "/api/reviews/7", decoded
  std::map<std::string, std::string> query;  // decoded
  std::string host;                          // of the Host header
  std::optional<std::string> origin;         // of the Origin header
  std::string content_type;
  std::optional<std::uint64_t> body_bytes = 0;  // as the header says; nothing: it comes in chunks
  std::string body;
  std::string if_none_match;
  bool accepts_gzip = false;
  std::uint64_t last_event = 0;  // after which an interrupted stream goes on

  bool has_body() const { return body_bytes != 0; }
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

// An error as application/problem+json: a sentence for people beside the code. What it quotes cannot make it long, nor
// bring in control characters.
Response problem(int status, std::string_view detail);
// The same, with a hint when to come again.
Response busy(int status, std::string_view detail, int retry_after_seconds);

// Without its parameters, in small letters: "application/json".
std::string media_type(std::string_view content_type);

// Splits "/api/reviews/7?format=pgn"; nothing when the escapes are none, or a name comes twice.
struct Target {
  std::string path;
  std::map<std::string, std::string> query;
};
std::optional<Target> parse_target(std::string_view target);

}  // namespace pm::server
