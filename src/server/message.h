// A request and its answer as plain values, so that the API (api.h) knows nothing of sockets and tests need none.
#pragma once

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
  std::string body;
  std::string if_none_match;
  bool accepts_gzip = false;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

// An error as application/problem+json: a sentence for people beside the code.
Response problem(int status, std::string_view detail);
// The same, with a hint when to come again.
Response busy(int status, std::string_view detail, int retry_after_seconds);

// Splits "/api/reviews/7?format=pgn"; nothing when the escapes are none.
struct Target {
  std::string path;
  std::map<std::string, std::string> query;
};
std::optional<Target> parse_target(std::string_view target);

}  // namespace pm::server
